package e2e

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"testing"
)

// TestHand does with the pointer what the other tests do not: files by dialog and by drop, menus under the pointer, the
// wheel, tabs taken elsewhere; then a second run finds the window as the first one left it.
func TestHand(t *testing.T) {
	screen, home, files := display(t, 1280, 800), t.TempDir(), t.TempDir()
	for _, name := range []string{"bubble-array-sorted.orr", "list.orr", "matmul-standard.orr"} {
		data, err := os.ReadFile(recording(name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(files, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w := startIn(t, home, screen, "--theme", "dark", filepath.Join(files, "list.orr"))
	w.ready()
	w.wait(0, "document-drawn", named("document-drawn"))
	w.settled()
	var left event
	w.steps([]step{
		{"dialog", openByDialog},
		{"drop", dropTwo(files)},
		{"wheel", wheel},
		{"menu", contextMenu},
		{"tab", func(w *window) { left = takeTab(w) }},
		{"quit", (*window).quit},
	})

	again := startIn(t, home, screen, filepath.Join(files, "list.orr"))
	again.ready()
	again.wait(0, "document-drawn", named("document-drawn"))
	again.settled()
	for _, p := range left.Panes {
		if q := again.pane(p.Slot); q != p {
			t.Errorf("after a restart the pane %s lies at %v, was left at %v", p.Slot, q, p)
		}
	}
	again.quit()
}

// openByDialog opens the first file that the dialog shows: the folder is that of the recording in front.
func openByDialog(w *window) {
	since := w.mark()
	w.key("ctrl+o")
	w.wait(since, "the folder listed", named("folder-listed"))
	w.settled()
	w.click(330, 223)
	w.settled()
	w.click(1004, 632)
	e := w.wait(since, "the file chosen in the dialog", named("document-opened"))
	if name := filepath.Base(e.Path); name != "bubble-array-sorted.orr" {
		w.t.Errorf("the dialog opened %s", name)
	}
	w.wait(since, "the recording drawn", named("document-drawn"))
	w.complete(w.shot())
}

// dropTwo drops a recording and a file that is none on the window: one is opened, the other named.
func dropTwo(files string) func(w *window) {
	return func(w *window) {
		bad := filepath.Join(files, "a letter.txt") // the blank is %20 in its URI
		if err := os.WriteFile(bad, []byte("Dear reader,\nthis is no recording.\n"), 0o644); err != nil {
			w.t.Fatal(err)
		}
		since := w.mark()
		w.drop(640, 400, filepath.Join(files, "matmul-standard.orr"), bad)
		w.wait(since, "the recording dropped", func(e event) bool {
			return e.Name == "document-opened" && filepath.Base(e.Path) == "matmul-standard.orr"
		})
		w.wait(since, "an error about the letter", func(e event) bool { return e.Name == "open-failed" && e.Path == bad })
		w.wait(since, "the recording drawn", named("document-drawn"))
	}
}

// wheel turns the wheel over the spiral: the picture grows about the pointer over the edge of the pane, and a double
// click fits it again.
func wheel(w *window) {
	w.settled()
	w.key("Escape") // the notice about the letter
	w.settled()
	p := w.pane("cycles")
	x, y := p.at(0.5, 0.5)
	edge := pane{X: p.X + 0.93*p.W, Y: p.Y + 0.1*p.H, W: 0.05 * p.W, H: 0.3 * p.H}.rect()
	w.move(x, y)
	before, since := w.shot(), w.mark()
	w.xdo("click", "--repeat", "6", "--delay", "60", "4")
	w.drawn(since, "cycles")
	w.shows(w.shot(), func(m image.Image) string {
		if n := differing(before, m, edge); n < 40 {
			return fmt.Sprintf("the wheel over the spiral changed %d pixels at the edge of its pane, want 40 or more", n)
		}
		return ""
	})
	double := func() bool { // on a busy machine Fyne may see the second click too late for a double one
		w.xdo("click", "--repeat", "2", "--delay", "60", "1")
		return differing(before, w.shot(), edge) == 0
	}
	if !w.until(patience, double) {
		w.fail("a double click does not bring the whole spiral back")
	}
	w.key("Escape") // what the clicks have selected
	w.settled()
}

// contextMenu presses the other button over the caches: their menu opens under the pointer and Escape closes it.
func contextMenu(w *window) {
	before := w.shot()
	x, y := w.pane("cache").at(0.5, 0.5)
	w.move(x, y)
	w.xdo("click", "3")
	w.shows(w.shot(), func(m image.Image) string {
		if n := differing(before, m, w.pane("cache").rect()); n < 2000 {
			return fmt.Sprintf("the menu changed %d pixels of the caches", n)
		}
		return ""
	})
	w.key("Escape")
	w.move(640, 24)
	if !w.until(patience, func() bool { return differing(before, w.shot(), w.pane("cache").rect()) < 300 }) {
		w.t.Error("Escape does not close the menu")
	}
}

// takeTab drags the header of the explanation onto the heap, where it becomes a tab, and gives the arrangement then.
func takeTab(w *window) event {
	from, to := w.pane("explain"), w.pane("heap")
	since := w.mark()
	x, y := to.at(0.5, 0.5)
	w.drag(from.X+30, from.Y-14, x, y)
	w.wait(since, "the tab taken", named("moved"))
	e := w.wait(since, "the new arrangement", named("arranged"))
	if w.settled(); w.pane("explain").rect() != to.rect() {
		w.t.Errorf("the tab lies at %v, want %v", w.pane("explain"), to)
	}
	return e
}

package e2e

import (
	"fmt"
	"image"
	"image/gif"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPanels works with the curve, the table, the hierarchy's form and a film by the keyboard alone.
func TestPanels(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bubble.orr")
	data, err := os.ReadFile(recording("bubble-array-sorted.orr"))
	if err == nil {
		err = os.WriteFile(path, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	w := opened(t, display(t, 1280, 800), path)
	w.steps([]step{
		{"curve", func(w *window) { w.bring("6", "curve") }},
		{"table", func(w *window) { w.bring("7", "table") }},
		{"hierarchy", editHierarchy},
		{"film", func(w *window) { w.film(strings.TrimSuffix(path, ".orr") + ".gif") }},
		{"quit", (*window).quit},
	})
}

// bring shows a pane by its key and waits for what it shows.
func (w *window) bring(key, slot string) {
	since := w.mark()
	w.key(key)
	w.drawn(since, slot)
	w.settled()
	w.shows(w.shot(), func(m image.Image) string {
		if n := colours(m, w.pane(slot).rect()); n < 20 {
			return fmt.Sprintf("the pane %s has %d colours: nothing is drawn in it", slot, n)
		}
		return ""
	})
}

// editHierarchy writes an impossible size, which Return does not apply, then one that can be, and takes that back.
func editHierarchy(w *window) {
	since := w.mark()
	w.key("ctrl+h")
	w.wait(since, "the form", func(e event) bool { return e.Name == "sheet" && e.Title == "Cache hierarchy" })
	w.key("ctrl+a")
	w.xdo("type", "100B")
	w.key("Return")
	w.key("ctrl+a")
	w.xdo("type", "128B")
	w.key("Return")
	e := w.wait(since, "another hierarchy", named("hierarchy"))
	if !strings.Contains(e.Raw, `size = \"128B\"`) || strings.Contains(e.Raw, "100B") {
		w.t.Errorf("the first hierarchy that was applied is %s", e.Raw)
	}
	w.settled()
	since = w.mark()
	w.key("ctrl+z")
	if e := w.wait(since, "the hierarchy before", named("hierarchy")); strings.Contains(e.Raw, `size = \"128B\"`) {
		w.t.Errorf("Ctrl+Z left %s", e.Raw)
	}
	w.settled()
	since = w.mark()
	w.key("ctrl+h")
	w.key("Escape")
	w.wait(since, "the form to be left", func(e event) bool { return e.Name == "sheet" && e.Title == "" })
}

// film makes one of small frames: the size is one field before that of the name, which the form begins in.
func (w *window) film(out string) {
	since := w.mark()
	w.key("ctrl+shift+m")
	w.wait(since, "the form", func(e event) bool { return e.Name == "sheet" && e.Title == "Make a film" })
	w.key("shift+Tab", "ctrl+a")
	w.xdo("type", "200x160")
	w.key("Return")
	e := w.wait(since, "word of the film", named("notice"))
	if !strings.HasPrefix(e.Text, "The film is in "+out) {
		w.t.Fatalf("told of the film: %s", e.Text)
	}
	file, err := os.Open(out)
	if err != nil {
		w.t.Fatal(err)
	}
	defer file.Close()
	if g, err := gif.DecodeAll(file); err != nil || len(g.Image) < 100 || g.Config.Width != 200 {
		w.t.Errorf("the film has %d frames of %d pixels: %v", len(g.Image), g.Config.Width, err)
	}
}

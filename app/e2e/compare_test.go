package e2e

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orrery/views/link"
)

// TestCompare puts two runs of a program side by side and goes through them: each has its timeline and its time, what
// is selected in one is selected in the other, and one stays when they are parted.
func TestCompare(t *testing.T) {
	w := opened(t, display(t, 1280, 800), "--theme", "dark", recording(leftRun))
	since := w.mark()
	w.drop(640, 400, absolute(t, rightRun))
	w.wait(since, "the second run", named("document-opened"))
	w.settled()
	w.steps([]step{
		{"side by side", sideBySide},
		{"line", lineInBoth},
		{"time", timeApart},
		{"parted", parted},
		{"quit", (*window).quit},
	})
}

// absolute is a shipped recording as a file manager names it.
func absolute(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(recording(name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// panesOf are the newest places of the panes of one of the recordings in view, in pixels.
func (w *window) panesOf(doc string) (out []pane) {
	w.t.Helper()
	s := w.scale()
	for _, e := range w.events() {
		if e.Name != "arranged" || e.Doc != doc {
			continue
		}
		out = nil
		for _, p := range e.Panes {
			out = append(out, pane{p.Slot, p.X * s, p.Y * s, p.W * s, p.H * s})
		}
	}
	return out
}

// paneOf is a pane of one of the recordings in view.
func (w *window) paneOf(doc, slot string) pane {
	w.t.Helper()
	list := w.panesOf(doc)
	at := slices.IndexFunc(list, func(p pane) bool { return p.Slot == slot })
	if at < 0 {
		w.fail("the pane " + slot + " of " + doc + " is not visible")
	}
	return list[at]
}

// The runs by the half of the window that they are in: the one that was opened first is at the left.
const (
	leftRun  = "bubble-array-reversed.orr"
	rightRun = "bubble-array-shuffled.orr"
)

// sideBySide compares the run in front with the other one: two halves, each with caches, source and timeline.
func sideBySide(w *window) {
	since := w.mark()
	w.key("ctrl+shift+d")
	e := w.wait(since, "the comparison", named("comparing"))
	if filepath.Base(e.Left) != leftRun || filepath.Base(e.Right) != rightRun {
		w.t.Errorf("%s compares the wrong files", e.Raw)
	}
	w.settled()
	m := w.shot()
	for i, doc := range []string{leftRun, rightRun} {
		for _, slot := range []string{"cache", "source", "timeline"} {
			p := w.paneOf(doc, slot)
			if left, right := float64(640*i), float64(640*(i+1)); p.X < left || p.X+p.W > right {
				w.t.Errorf("%s of %s is at %v, want it between %v and %v", slot, doc, p, left, right)
			}
			if n := colours(m, p.rect()); n < 6 {
				w.t.Errorf("%s of %s has %d colours: nothing is drawn in it", slot, doc, n)
			}
		}
	}
}

// lineInBoth selects a line at the left; the right one selects it too, and tells where that came from.
func lineInBoth(w *window) {
	since := w.mark()
	twin := w.seek(w.paneOf(leftRun, "source"), []share{{0.5, 0.5}, {0.5, 0.7}, {0.5, 0.3}, {0.5, 0.85}},
		"a line that both have", func(e event) bool {
			return e.Name == "link" && strings.HasSuffix(e.Origin, " of "+leftRun)
		})
	var e event
	for _, x := range w.events()[since:twin.Index] {
		if x.Name == "link" && link.What(x.Selected) == link.Line {
			e = x
		}
	}
	if twin.Line != e.Line || twin.File != e.File || e.Origin != "source" {
		w.t.Errorf("line %s:%d is selected in one run, %s:%d in the other", e.File, e.Line, twin.File, twin.Line)
	}
	w.drawn(twin.Index, "cache", "source")
}

// timeApart clicks in the middle of the right timeline: its run goes there, the other one stays, and keys mean the
// right one now.
func timeApart(w *window) {
	p := w.paneOf(rightRun, "timeline")
	x, y := p.at(0.6, 0.5)
	since := w.mark()
	w.click(x, y)
	e := w.wait(since, "the cursor of the right run", func(e event) bool { return e.Name == "link" && e.Cursor > 10 })
	w.settled()
	since = w.mark()
	w.key("period")
	if next := w.wait(since, "a step", named("link")); next.Cursor != e.Cursor+1 {
		w.t.Errorf("a step leads from %d to %d: it is not the right run's", e.Cursor, next.Cursor)
	}
	x, y = w.paneOf(leftRun, "cache").at(0.5, 0.5)
	w.move(x, y)
	w.move(x+3, y) // the keyboard follows the pointer
	w.settled()
	since = w.mark()
	w.key("period")
	if next := w.wait(since, "a step of the left run", named("link")); next.Cursor != 1 {
		w.t.Errorf("the first step of the left run leads to %d", next.Cursor)
	}
}

// parted shows one run alone again, over the whole width.
func parted(w *window) {
	since := w.mark()
	w.key("ctrl+shift+d")
	e := w.wait(since, "one run alone", named("comparing"))
	if e.Left != "" {
		w.t.Errorf("%s still compares", e.Raw)
	}
	w.settled()
	if p := w.paneOf(leftRun, "timeline"); p.W < 1200 {
		w.t.Errorf("the timeline of the run that stays is at %v", p)
	}
	w.complete(w.shot())
}

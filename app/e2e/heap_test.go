package e2e

import (
	"fmt"
	"image"
	"testing"

	"orrery/views/link"
)

// TestHeap brushes a block of the heap map in the light theme, and takes the window from one size to another.
func TestHeap(t *testing.T) {
	screen := display(t, 1920, 1080)
	w := opened(t, screen, "--theme", "light", recording("list.orr"))
	w.steps([]step{
		{"block", selectBlock},
		{"1920x1080", resizer(1920, 1080)},
		{"900x640", resizer(900, 640)},
		{"1280x800", resizer(1280, 800)},
		{"maximise", maximise},
		{"sites", func(w *window) { w.bring("8", "sites") }},
		{"flame", flameGraph},
		{"quit", (*window).quit},
	})
}

// selectBlock clicks in the map until a block is under the pointer: it is selected everywhere, and Escape lets go of
// it.
func selectBlock(w *window) {
	var points []share
	for _, y := range []float64{0.45, 0.35, 0.55, 0.25, 0.65} {
		for _, x := range []float64{0.5, 0.7, 0.3, 0.6, 0.4} {
			points = append(points, share{x, y})
		}
	}
	e := w.seek(w.pane("heap"), points, "a block", func(e event) bool {
		return e.Name == "link" && link.What(e.Selected) == link.Block
	})
	if e.Origin != "heap" {
		w.t.Errorf("a click on a block was told with origin %q, want heap", e.Origin)
	}
	w.drawn(e.Index, "heap", "explain", "timeline", "cycles", "cache")
	w.settled()
	before := w.shot()
	since := w.mark()
	w.key("Escape")
	if e := w.wait(since, "nothing selected", named("link")); e.Selected != 0 {
		w.t.Errorf("Escape left %s, want nothing selected", e.Raw)
	}
	w.drawn(since, "heap", "explain")
	w.shows(w.shot(), func(m image.Image) string {
		for _, slot := range []string{"heap", "explain"} {
			if n := differing(before, m, w.pane(slot).rect()); n < 30 {
				return fmt.Sprintf("the pane %s looks the same with and without a selected block (%d pixels differ)", slot, n)
			}
		}
		return ""
	})
}

// resizer gives the window a size and looks at the arrangement.
func resizer(width, height int) func(w *window) {
	return func(w *window) {
		since := w.mark()
		w.xdo("windowsize", "--sync", w.id, fmt.Sprint(width), fmt.Sprint(height))
		e := w.wait(since, "an arrangement for the new size", func(e event) bool {
			return e.Name == "arranged" && w.fills(e, width, height)
		})
		for _, p := range e.Panes {
			w.drawn(since, p.Slot)
		}
		m := w.shot()
		w.apart(image.Rect(0, 0, width, height))
		for _, p := range w.panes() {
			if n := colours(m, p.rect()); n < 4 {
				w.t.Errorf("the pane %s has %d colours at %dx%d: nothing is drawn in it", p.Slot, n, width, height)
			}
		}
		for name, r := range map[string]image.Rectangle{
			"header": image.Rect(0, 0, width, 40), "status line": image.Rect(0, height-22, width, height),
			"right end of the header": image.Rect(width-260, 0, width, 40)} {
			if n := colours(m, r); n < 4 {
				w.t.Errorf("the %s has %d colours at %dx%d: nothing is drawn in it", name, n, width, height)
			}
		}
		for _, at := range []image.Point{{1, 1}, {width - 2, 1}, {1, height - 2}, {width - 2, height - 2}} {
			if b := brightness(m, image.Rect(at.X, at.Y, at.X+1, at.Y+1)); b < 0.7 {
				w.t.Errorf("the corner at %v is dark (%.2f) in the light theme: the window is not drawn to its edges", at, b)
			}
		}
	}
}

// fills tells whether an arrangement reaches from the left to the right edge of a window and down to the status line.
func (w *window) fills(e event, width, height int) bool {
	const border = 30
	left, right, bottom := float64(width), 0.0, 0.0
	for _, p := range e.Panes {
		left, right, bottom = min(left, p.X), max(right, p.X+p.W), max(bottom, p.Y+p.H)
	}
	s := w.scale()
	near := func(got, want float64) bool { return got*s <= want && got*s >= want-border*s }
	return left*s <= border*s && near(right, float64(width)) && near(bottom, float64(height)-24*s)
}

// apart fails when visible panes overlap, leave the window or are too small to show anything.
func (w *window) apart(in image.Rectangle) {
	w.t.Helper()
	list := w.panes()
	if len(list) < 4 {
		w.t.Errorf("%d panes are visible, want four or more", len(list))
	}
	for i, p := range list {
		r := p.rect()
		if !r.In(in) {
			w.t.Errorf("the pane %s at %v leaves the window %v", p.Slot, r, in)
		}
		if r.Dx() < 100 || r.Dy() < 60 {
			w.t.Errorf("the pane %s has only %v", p.Slot, r.Size())
		}
		for _, q := range list[:i] {
			if both := r.Intersect(q.rect()); !both.Empty() {
				w.t.Errorf("the panes %s and %s overlap in %v", p.Slot, q.Slot, both)
			}
		}
	}
}

// maximise shows the pane under the pointer alone and brings the others back.
func maximise(w *window) {
	before := w.panes()
	w.move(w.pane("cache").at(0.5, 0.5))
	w.settled()
	since := w.mark()
	w.key("F11")
	e := w.wait(since, "one pane alone", func(e event) bool { return e.Name == "arranged" })
	if len(e.Panes) != 1 || e.Panes[0].Slot != "cache" || e.Panes[0].W < 1200 {
		w.t.Errorf("F11 over the cache pane arranged %v, want it alone", e.Panes)
	}
	w.drawn(since, "cache")
	since = w.mark()
	w.key("Escape")
	w.wait(since, "all panes again", func(e event) bool { return e.Name == "arranged" && len(e.Panes) == len(before) })
	if after := w.panes(); fmt.Sprint(after) != fmt.Sprint(before) {
		w.t.Errorf("after maximising and back the panes lie at\n%v, before\n%v", after, before)
	}
}

// flameGraph clicks a function: it is selected and fills the width; Escape first leads back to the graph as it was.
func flameGraph(w *window) {
	w.bring("9", "flame")
	e := w.seek(w.pane("flame"), []share{{0.3, 0.75}, {0.3, 0.6}, {0.3, 0.5}}, "a function", func(e event) bool {
		return e.Name == "link" && link.What(e.Selected) == link.Function
	})
	w.drawn(e.Index, "flame")
	w.settled()
	before, since := w.shot(), w.mark()
	w.key("Escape")
	w.drawn(since, "flame")
	w.settled()
	w.shows(w.shot(), func(m image.Image) string {
		if n := differing(before, m, w.pane("flame").rect()); n < 100 {
			return fmt.Sprintf("Escape does not lead back in the flame graph: %d pixels differ", n)
		}
		return ""
	})
	if e, ok := w.within(0, since, func(e event) bool { return e.Name == "link" && e.Selected == 0 }); ok {
		w.t.Errorf("Escape led back and cleared the selection: %s", e.Raw)
	}
}

package e2e

import (
	"fmt"
	"image"
	"testing"
	"time"

	"orrery/views/link"
)

// everyPane are the pictures of the standard arrangement of a document; followers those that show the time cursor.
var (
	everyPane = []string{"recording", "gallery", "cycles", "cache", "heap", "source", "explain", "timeline"}
	followers = []string{"cycles", "cache", "heap", "source", "timeline"}
)

// TestRecording opens a shipped recording and goes through it as assets/docs/tour.md does.
func TestRecording(t *testing.T) {
	screen := display(t, 1280, 800)
	w := opened(t, screen, "--theme", "dark", recording("bubble-vector-shuffled.orr"))
	w.steps([]step{
		{"drawn", drawnFirst},
		{"scrub", scrub},
		{"step", stepping},
		{"play", playing},
		{"source", selectLine},
		{"stretch", selectStretch},
		{"morph", morph},
		{"theme", themes},
		{"idle", idle},
		{"quit", (*window).quit},
	})
}

// step is one part of a longer use of one window.
type step struct {
	name string
	do   func(w *window)
}

// steps runs parts of a use as subtests; each starts from where the one before ended, so the first failure is the last.
func (w *window) steps(list []step) {
	t := w.t.(*testing.T)
	for _, s := range list {
		ok := t.Run(s.name, func(t *testing.T) {
			w.t = t
			s.do(w)
		})
		if w.t = t; !ok {
			t.FailNow()
		}
	}
}

// drawnFirst looks at the first picture: every pane shows something.
func drawnFirst(w *window) {
	if e, clash := w.has("clash"); clash {
		w.t.Errorf("two commands want one key: %s", e.Raw)
	}
	shown, drawn := w.wait(0, "window-shown", named("window-shown")), w.wait(0, "document-drawn", named("document-drawn"))
	w.t.Logf("window shown %.0f ms after the start of the process, recording drawn after %.0f ms (%.0f ms after it was "+
		"asked for)", shown.At, drawn.At, drawn.Ms)
	w.complete(w.shot())
}

// complete fails unless every pane of the standard arrangement is visible and has a picture in it.
func (w *window) complete(m image.Image) {
	w.t.Helper()
	w.shows(m, func(m image.Image) string {
		if n := colours(m, m.Bounds()); n < 60 {
			return fmt.Sprintf("the screen has %d colours, too few for a document", n)
		}
		for _, slot := range everyPane {
			if n := colours(m, w.pane(slot).rect()); n < 6 {
				return fmt.Sprintf("the pane %s has %d colours: nothing is drawn in it", slot, n)
			}
		}
		return ""
	})
}

// shows waits until the screen, at first m, lacks nothing: what was drawn gets to the screen a little later than the
// event log tells, on a busy machine much later.
func (w *window) shows(m image.Image, lacks func(m image.Image) string) {
	w.t.Helper()
	lack := lacks(m)
	if lack != "" && !w.until(patience, func() bool { lack = lacks(w.shot()); return lack == "" }) {
		w.t.Error(lack)
	}
}

// length is the number of references of the recording in front.
func (w *window) length() int {
	w.t.Helper()
	return w.wait(0, "document-opened", named("document-opened")).Length
}

// scrub drags along the timeline: the cursor follows through many places, and every pane that shows it is drawn again.
func scrub(w *window) {
	n, p := w.length(), w.pane("timeline")
	x0, y := p.at(0.3, 0.5)
	x1, _ := p.at(0.8, 0.5)
	places := map[int]bool{}
	for _, pace := range []float64{0.02, 0.1, 0.5} { // slower where the machine is too busy for many frames in between
		since := w.mark()
		w.dragPaced(pace, x0, y, x1, y)
		last := w.wait(since, "the cursor at two thirds or more", func(e event) bool {
			return e.Name == "link" && e.Cursor > n*2/3
		})
		w.drawn(last.Index, followers...)
		w.settled()
		clear(places)
		for _, e := range w.events()[since:] {
			if e.Name == "link" {
				places[e.Cursor] = true
			}
		}
		if len(places) >= 4 {
			break
		}
	}
	if len(places) < 4 {
		w.t.Errorf("the cursor went through %d places while it was dragged over half of the recording, want 4 or more",
			len(places))
	}
	if c := w.state().Cursor; c <= n*2/3 || c >= n*9/10 {
		w.t.Errorf("the cursor ended at %d of %d, want about three quarters", c, n)
	}
}

// stepping moves by one reference with the full stop and the comma.
func stepping(w *window) {
	at := w.state().Cursor
	for _, c := range []struct {
		key  string
		want int
	}{{"period", at + 1}, {"period", at + 2}, {"comma", at + 1}, {"Right", at + 2}, {"Left", at + 1}, {"Home", 0},
		{"End", w.length() - 1}, {"shift+Left", w.length() - 101}} {
		since := w.mark()
		w.key(c.key)
		e := w.wait(since, "the cursor after "+c.key, func(e event) bool { return e.Name == "link" })
		if e.Cursor != c.want {
			w.t.Errorf("%s moved the cursor to %d, want %d", c.key, e.Cursor, c.want)
		}
		w.drawn(e.Index, followers...)
	}
}

// playing plays with Space and pauses with Space: the cursor advances and then rests.
func playing(w *window) {
	w.key("Home")
	w.settled()
	since := w.mark()
	w.key("space")
	w.wait(since, "playing", func(e event) bool { return e.Name == "playing" && e.On })
	w.wait(since, "ten references played", func(e event) bool { return e.Name == "link" && e.Cursor >= 10 })
	w.key("space")
	off := w.wait(since, "the pause", func(e event) bool { return e.Name == "playing" && !e.On })
	w.settled()
	before := 0
	for _, e := range w.events() {
		switch {
		case e.Name != "link":
		case e.Index < off.Index:
			if e.Index > since && e.Cursor < before {
				w.t.Errorf("playing moved the cursor back from %d to %d", before, e.Cursor)
			}
			before = e.Cursor
		case e.Cursor != before:
			w.t.Errorf("the cursor moved from %d to %d after the pause", before, e.Cursor)
		}
	}
	since = w.mark()
	w.key("period")
	if e := w.wait(since, "a step after the pause", named("link")); e.Cursor != before+1 {
		w.t.Errorf("a step after the pause went to %d, want %d", e.Cursor, before+1)
	}
}

// selectLine clicks a source line, lets go with Escape and walks through the undo list.
func selectLine(w *window) {
	e := w.seek(w.pane("source"), []share{{0.4, 0.5}, {0.4, 0.7}, {0.4, 0.3}, {0.4, 0.9}, {0.4, 0.1}}, "a source line",
		func(e event) bool { return e.Name == "link" && link.What(e.Selected) == link.Line })
	if e.Origin != "source" || e.File == "" || e.Line <= 0 {
		w.t.Errorf("a click on a source line was told as %s, want a line with origin source", e.Raw)
	}
	w.drawn(e.Index, "cycles", "source", "explain", "timeline")
	for _, c := range []struct {
		key  string
		line int
	}{{"Escape", 0}, {"ctrl+z", e.Line}, {"ctrl+shift+z", 0}, {"ctrl+z", e.Line}, {"ctrl+y", 0}} {
		w.settled() // Escape would cancel a job that runs
		since := w.mark()
		w.key(c.key)
		got := w.wait(since, "the selection after "+c.key, named("link"))
		if got.Line != c.line || (got.Selected != 0) != (c.line != 0) {
			w.t.Errorf("%s left %s, want line %d", c.key, got.Raw, c.line)
		}
	}
}

// share is a point of a pane by shares of its width and height.
type share struct{ x, y float64 }

// seek clicks points of a pane until one of them brings the event that is wanted; which points do depends on the data.
func (w *window) seek(p pane, points []share, what string, fits func(event) bool) event {
	w.t.Helper()
	since := w.mark()
	for i, s := range points {
		long := 3 * time.Second
		if i == len(points)-1 {
			long = patience
		}
		x, y := p.at(s.x, s.y)
		w.click(x, y)
		if e, ok := w.within(long, since, fits); ok {
			return e
		}
	}
	w.fail("no click in " + p.Slot + " found " + what)
	return event{}
}

// selectStretch drags with Shift in the timeline; the window of time changes, cycles are found in it, and one undo
// brings all of the recording back.
func selectStretch(w *window) {
	n, p, since := w.length(), w.pane("timeline"), w.mark()
	x0, y := p.at(0.3, 0.5)
	x1, _ := p.at(0.6, 0.5)
	w.xdo("keydown", "shift")
	w.drag(x0, y, x1, y)
	w.xdo("keyup", "shift")
	e := w.wait(since, "a shorter window of time", func(e event) bool {
		return e.Name == "link" && e.To-e.From > n/5 && e.To-e.From < n
	})
	w.settled()
	s := w.state()
	if s.From < n/10 || s.To > n*7/10 || s.To-s.From < n/5 {
		w.t.Errorf("a drag from 0.3 to 0.6 of the timeline left the window at %d to %d of %d", s.From, s.To, n)
	}
	w.drawn(e.Index, "cycles", "gallery", "timeline")
	since = w.mark()
	w.key("ctrl+z")
	if e := w.wait(since, "undo of the stretch", named("link")); e.From != 0 || e.To != n {
		w.t.Errorf("undo left the window at %d to %d, want 0 to %d: a drag is one step", e.From, e.To, n)
	}
	w.settled()
}

// morph drags the slider below the parameterizations in two moves: each changes the spiral, and it stays where the knob
// is let go.
func morph(w *window) {
	p, before := w.pane("gallery"), w.shot()
	y := p.Y + p.H - 14*w.scale()
	for _, c := range []struct{ from, to float64 }{{0.85, 0.6}, {0.6, 0.3}} {
		since := w.mark()
		w.drag(p.X+p.W*c.from, y, p.X+p.W*c.to, y)
		w.drawn(since, "cycles", "gallery")
		after := w.shot()
		for _, slot := range []string{"cycles", "gallery"} {
			if n := differing(before, after, w.pane(slot).rect()); n < 100 {
				w.t.Errorf("the knob's way from %.2f to %.2f changed %d pixels of the pane %s, want 100 or more",
					c.from, c.to, n, slot)
			}
		}
		before = after
	}
}

// themes switches between dark and light with the key: the whole screen changes, not only the panes.
func themes(w *window) {
	for _, c := range []struct {
		name     string
		low, top float64
	}{{"light", 0.75, 1}, {"dark", 0, 0.25}} {
		since := w.mark()
		w.key("l")
		e := w.wait(since, "the theme "+c.name, func(e event) bool { return e.Name == "theme" })
		w.drawn(e.Index, everyPane...)
		m := w.shot()
		if b := brightness(m, m.Bounds()); b < c.low || b > c.top {
			w.t.Errorf("after L the screen's mean brightness is %.2f, want %.2f to %.2f (%s)", b, c.low, c.top, c.name)
		}
		for _, slot := range everyPane {
			if b := brightness(m, w.pane(slot).rect()); b < c.low-0.25 || b > c.top+0.25 {
				w.t.Errorf("the pane %s has brightness %.2f in the theme %s", slot, b, c.name)
			}
		}
		w.complete(m)
	}
}

// idle measures the processor time of four quiet seconds, once the loop has gone to sleep. A loop that polls at 60 Hz
// uses 1 to 2 % of a core.
func idle(w *window) {
	w.settled()
	const long = 4 * time.Second
	time.Sleep(2 * time.Second) // the loop stays awake for a while after the last event
	before, start := w.cpu(), time.Now()
	time.Sleep(long) // what is measured
	used, took := w.cpu()-before, time.Since(start)
	share := float64(used) / float64(took)
	w.t.Logf("idle: %v of processor time in %v, %.1f %% of one core", used, took.Round(time.Millisecond), 100*share)
	if share > 0.01 {
		w.t.Errorf("the idle window uses %.1f %% of one core, want next to nothing", 100*share)
	}
}

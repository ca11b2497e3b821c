package shell

import "fmt"

// tour is the guided tour.
type tour struct {
	w    *window
	stop int // the present one, noTour before the first
}

// Stop is one stop of the guided tour: a file, the picture to look at, and what is seen there. Paper is the case study
// that it goes through, "" for none.
type Stop struct {
	Path  string
	Pane  Slot
	Title string
	Look  string
	Paper string
}

// noTour is the stop before the first.
const noTour = -1

// move opens a stop of the tour, by from the present one; past the last one the tour ends.
func (t *tour) move(by int) {
	at := max(0, t.stop+by)
	if at >= len(t.w.opt.Tour) {
		t.stop = noTour
		t.w.banner.Hide()
		t.w.relayout()
		t.w.bringFront(-1)
		t.w.log.write("tour", "stop", 0)
		return
	}
	t.stop = at
	path := t.w.opt.Tour[at].Path
	t.w.open(path)
	t.guide(path)
}

// guide says what to look for when the file of the present stop is in front.
func (t *tour) guide(path string) {
	path = t.w.place(path)
	d := t.w.front()
	if t.stop == noTour || d == nil || d.path != path {
		return
	}
	s := t.w.opt.Tour[t.stop]
	if t.w.place(s.Path) != path {
		return
	}
	t.w.show(s.Pane)
	text := fmt.Sprintf("Tour, %d of %d · %s. %s", t.stop+1, len(t.w.opt.Tour), s.Title, s.Look)
	if s.Paper != "" {
		text += " (" + s.Paper + ")"
	}
	if t.stop+1 < len(t.w.opt.Tour) {
		text += " F2 goes on."
	}
	t.w.banner.show(text, false)
	t.w.relayout()
	t.w.log.write("tour", "stop", t.stop+1, "path", path)
}

// commands lead through the tour.
func (t *tour) commands() []Command {
	if len(t.w.opt.Tour) == 0 {
		return nil
	}
	return []Command{
		{ID: "tour.next", Title: "Guided tour, next stop", Menu: "Help", Keys: "F2", Run: func() { t.move(1) }},
		{ID: "tour.previous", Title: "Guided tour, the stop before", Menu: "Help", Keys: "Shift+F2",
			Run: func() { t.move(-1) }, Enabled: func() bool { return t.stop > 0 }},
	}
}

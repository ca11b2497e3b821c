package shell

import "fmt"

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

// goTour opens a stop of the tour, by from the present one; past the last one the tour ends.
func (w *window) goTour(by int) {
	at := max(0, w.stop+by)
	if at >= len(w.opt.Tour) {
		w.stop = noTour
		w.banner.Hide()
		w.relayout()
		w.bringFront(-1)
		w.log.write("tour", "stop", 0)
		return
	}
	w.stop = at
	path := w.opt.Tour[at].Path
	w.open(path)
	w.guide(path)
}

// guide says what to look for when the file of the present stop is in front.
func (w *window) guide(path string) {
	path = w.place(path)
	d := w.front()
	if w.stop == noTour || d == nil || d.path != path {
		return
	}
	s := w.opt.Tour[w.stop]
	if w.place(s.Path) != path {
		return
	}
	w.show(s.Pane)
	text := fmt.Sprintf("Tour, %d of %d · %s. %s", w.stop+1, len(w.opt.Tour), s.Title, s.Look)
	if s.Paper != "" {
		text += " (" + s.Paper + ")"
	}
	if w.stop+1 < len(w.opt.Tour) {
		text += " F2 goes on."
	}
	w.banner.show(text, false)
	w.relayout()
	w.log.write("tour", "stop", w.stop+1, "path", path)
}

// tourCommands lead through the tour.
func (w *window) tourCommands() []Command {
	if len(w.opt.Tour) == 0 {
		return nil
	}
	return []Command{
		{ID: "tour.next", Title: "Guided tour, next stop", Menu: "Help", Keys: "F2", Run: func() { w.goTour(1) }},
		{ID: "tour.previous", Title: "Guided tour, the stop before", Menu: "Help", Keys: "Shift+F2",
			Run: func() { w.goTour(-1) }, Enabled: func() bool { return w.stop > 0 }},
	}
}

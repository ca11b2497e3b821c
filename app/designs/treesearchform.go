package designs

import (
	"errors"
	"fmt"
	"image/color"
	"strconv"
	"strings"

	"orrery/analysis/dse/search"
	"orrery/app/form"
	"orrery/app/panes/toolbar"
	"orrery/app/shell"
	"orrery/views/palette"
	"orrery/views/words"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// searchForm is the sheet in which a search is asked for.
type searchForm struct {
	h     *hunt
	texts [6]string
	said  *widget.Label
	start *form.Action
	want  Wanted
}

// searchFields are the fields of the sheet.
var searchFields = [...]struct{ title, tip string }{
	{"generations", "each takes its parents from the one before"},
	{"population", "hierarchies in a generation"},
	{"seed", "the same seed gives the same search"},
	{"largest area, mm²", "of all levels together; 0 is any"},
	{"memory, ns", "time of a block from main memory"},
	{"memory, nJ", "energy of a block to or from main memory"},
}

// ask opens the sheet; where there is no window the search starts as it is.
func (h *hunt) ask() {
	if why := h.why(); why != "" {
		h.e.host.Notice(why)
		return
	}
	if h.e.host.Present == nil {
		h.start(h.want)
		return
	}
	f := &searchForm{h: h, said: form.Said("")}
	w := h.want
	f.texts = [...]string{strconv.Itoa(w.Generations), strconv.Itoa(w.Population), strconv.FormatUint(w.Seed, 10),
		number(w.Area), number(w.MemoryTime), number(w.MemoryEnergy)}
	f.start = form.NewAction("Start", f.use, f.leave)
	f.start.Importance = widget.HighImportance
	grid := form.NewGrid()
	var first fyne.Focusable
	for i, field := range searchFields {
		entry := form.NewEntry(f.texts[i], func(s string) { f.texts[i] = s; f.check() }, f.use, f.leave)
		if i == 0 {
			first = entry
		}
		grid.Line(field.title, entry, 110, field.tip, f.ink())
	}
	note := form.Said("NSGA-II over one to three levels, their sizes, ways, policies, write modes and prefetchers; each " +
		"is simulated on this recording. Costs: CACTI 7 model, 32 nm. It can be paused at any time.")
	bottom := container.NewBorder(nil, nil, nil, container.NewHBox(form.NewAction("Cancel", f.leave, f.leave), f.start),
		f.said)
	f.check()
	h.e.host.Present("Search cache hierarchies", container.NewBorder(note, bottom, nil, nil,
		container.NewScroll(grid.Box)), fyne.NewSize(640, 400))
	h.e.host.Focus(first)
}

// ink is the colour of captions.
func (f *searchForm) ink() color.Color {
	if f.h.e.host.Ink != nil {
		return f.h.e.host.Ink()
	}
	return palette.Dark().Dim
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// check says what of the form cannot be.
func (f *searchForm) check() {
	w, err := parseWanted(f.texts)
	if err != nil {
		f.said.Importance = widget.DangerImportance
		f.said.SetText(words.Sentence(err.Error()))
		f.start.Disable()
		return
	}
	f.want = w
	f.said.Importance = widget.MediumImportance
	f.said.SetText(fmt.Sprintf("Up to %s hierarchies are simulated.", words.Count(w.Generations*w.Population)))
	f.start.Enable()
}

// parseWanted reads the fields.
func parseWanted(texts [6]string) (w Wanted, err error) {
	for i, text := range texts {
		x, e := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if e != nil || !(x >= 0) || x > 1e15 {
			return w, fmt.Errorf("%s: %q is not a number from 0 on", searchFields[i].title, text)
		}
		if i < 3 && x != float64(uint64(x)) {
			return w, fmt.Errorf("%s: %q is not a whole number", searchFields[i].title, text)
		}
		switch i {
		case 0:
			w.Generations = int(min(x, 1e9))
		case 1:
			w.Population = int(min(x, 1e9))
		case 2:
			if w.Seed, e = strconv.ParseUint(strings.TrimSpace(text), 10, 64); e != nil {
				return w, fmt.Errorf("seed: %q is not a whole number", text)
			}
		case 3:
			w.Area = x
		case 4:
			w.MemoryTime = x
		case 5:
			w.MemoryEnergy = x
		}
	}
	return w, w.check()
}

// check says what of the numbers cannot be.
func (w *Wanted) check() error {
	switch {
	case w.Generations < 1 || w.Generations > maxGenerations:
		return fmt.Errorf("generations must be from 1 to %d", maxGenerations)
	case w.Population < 2 || w.Population > search.MaxPopulation:
		return fmt.Errorf("the population must be from 2 to %d", search.MaxPopulation)
	case !(min(w.Area, w.MemoryTime, w.MemoryEnergy) >= 0):
		return errors.New("area, time and energy must be 0 or more")
	}
	return nil
}

func (f *searchForm) use() {
	if f.start.Disabled() {
		return
	}
	f.leave()
	f.h.pause()
	f.h.start(f.want)
	f.h.e.show(shell.Designs) // where the tree grows
}

func (f *searchForm) leave() {
	if f.h.e.host.Dismiss != nil {
		f.h.e.host.Dismiss()
	}
}

// chip is the search in the bar of the tree.
func (h *hunt) chip() toolbar.Chip {
	chip := toolbar.Chip{Name: "search", Word: h.word()}
	title := "Resume the search"
	switch {
	case h.running:
		title = "Pause the search"
	case h.work != nil && h.done >= h.want.Generations:
		title = "Search 50 more generations"
	case h.work == nil:
		title = fmt.Sprintf("Start with seed %d, %d generations of %d", h.want.Seed, h.want.Generations, h.want.Population)
	}
	off := h.why() != ""
	chip.List = []toolbar.Choice{{ID: "toggle", Title: title, Off: off, Run: h.toggle}, {ID: "new", Title: "New search…",
		Off: off, Run: h.ask},
		{ID: "save", Title: "Keep the search in a file…", Off: h.work == nil, Run: h.save},
		{ID: "load", Title: "Resume a search from a file…", Off: off, Run: h.load}}
	return chip
}

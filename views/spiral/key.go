package spiral

import (
	"image/color"
	"strconv"

	"orrery/views/link"
	"orrery/views/scene"
)

// Key is one value of what the colours show when they do not show lines: a function, a file, a group of the user's, a
// region, a thread, the level that had the data.
type Key struct {
	Label  string
	Color  color.NRGBA
	Thing  link.Thing // what it selects; Nothing where the views share no such thing
	Hidden bool       // its windows are drawn like those that are not members
}

// entry is a row of the legend.
type entry struct {
	head  string // to the left, aligned at its end: a line's number
	text  string
	color color.NRGBA
	thing link.Thing
	tip   []string
	off   bool // hidden
}

// keyed reports whether the legend and the colours show keys rather than lines.
func (s *State) keyed() bool { return s.Mode == ByKey }

func (s *State) entries() int {
	if s.keyed() {
		return len(s.Keys)
	}
	return len(s.Lines)
}

func (s *State) entry(i int) entry {
	if s.keyed() {
		k := &s.Keys[i]
		return entry{text: k.Label, color: k.Color, thing: k.Thing, tip: []string{k.Label}, off: k.Hidden}
	}
	l := &s.Lines[i]
	return entry{head: number0(l.Number), text: legendText(l), color: l.Color, thing: l.thing(),
		tip: []string{l.place(), trim(l.Text)}, off: l.Hidden}
}

// is reports whether a thing means this entry.
func (e *entry) is(s *State, i int, t link.Thing) bool {
	if s.keyed() {
		return t.What != link.Nothing && e.thing == t
	}
	return s.Lines[i].is(t)
}

func number0(n int) string {
	if n <= 0 {
		return "?"
	}
	return strconv.Itoa(n)
}

// legendText0 is where the texts of the legend begin: behind the chip and the widest line number.
func legendText0(s *State, entries int) float64 {
	wide := 0.0
	for i := range entries {
		e := s.entry(i)
		wide = max(wide, scene.Measure(scene.Mono, 10.5, e.head))
	}
	if wide == 0 {
		return 14
	}
	return 14 + wide + 8
}

// keyOf is the index of the key of time index i, -1 for none.
func (p *plot) keyOf(i int) int {
	if i >= len(p.s.Key) || p.s.Key[i] < 0 || int(p.s.Key[i]) >= len(p.s.Keys) {
		return -1
	}
	return int(p.s.Key[i])
}

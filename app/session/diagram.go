package session

import (
	"math"

	"orrery/views/barcode"
	"orrery/views/palette"
)

// Diagram is the state of the persistence diagram and the barcode of c; shown and other index c.Parameterizations, -1
// is none.
func (c *Cycles) Diagram(theme palette.Theme, shown, other int) barcode.State {
	s := barcode.State{Theme: theme, Unit: "edits", Current: -1, Other: -1, Hover: -1, Top: min(c.Eps, c.Radius)}
	if c.Window <= 1 {
		s.Unit = ""
	}
	if len(c.Barcode) == 0 {
		s.Empty = c.why()
		return s
	}
	s.Bars = make([]barcode.Bar, len(c.Barcode))
	for i, b := range c.Barcode {
		s.Bars[i] = barcode.Bar{Birth: b.Birth, Death: b.Death, Shown: -1,
			Note: "it has no angle: only the most persistent classes get one, and only those that lift to the integers"}
		if b.Infinite {
			s.Bars[i].Death = math.Inf(1)
		}
	}
	for i := range c.Parameterizations {
		p := &c.Parameterizations[i]
		bar := &s.Bars[p.Rank-1]
		bar.Shown, bar.Turns, bar.Note = i, p.Turns, ""
		switch i {
		case shown:
			s.Current = p.Rank - 1
		case other:
			s.Other = p.Rank - 1
		}
	}
	return s
}

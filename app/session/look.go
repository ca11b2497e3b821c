package session

import (
	"image/color"

	"orrery/traceio"
	"orrery/views/palette"
)

// RegionColor is the colour that a region has in every view; an ID below 0 is memory without a region.
func (r *Recording) RegionColor(theme palette.Theme, id int) color.NRGBA {
	if id < 0 || id >= len(r.rank) {
		return palette.Others(theme)
	}
	return palette.Qualitative(theme, r.rank[id])
}

// LineColors says which of the palette's colours each source line has; lines that it does not name share the grey. nil
// colours by use in the whole recording.
type LineColors map[int32]int

// Of is the colour of a line, the same in every view.
func (m LineColors) Of(theme palette.Theme, id int32) color.NRGBA {
	if id < 0 {
		return palette.Others(theme)
	}
	if m == nil {
		return palette.Qualitative(theme, int(id))
	}
	if rank, ok := m[id]; ok {
		return palette.Qualitative(theme, rank)
	}
	return palette.Others(theme)
}

// LineColors colours the lines of a stretch: those that are the most used of the whole recording keep their colours,
// and the colours that are left over go to the stretch's other lines, the most frequent first.
func (c *Cycles) LineColors() LineColors {
	m := LineColors{}
	var others []int32
	used := [palette.Distinct]bool{}
	for _, id := range c.byFrequency() {
		if int(id) < palette.Distinct {
			m[id], used[id] = int(id), true
		} else {
			others = append(others, id)
		}
	}
	for rank := range palette.Distinct {
		switch {
		case used[rank]:
		case len(others) > 0:
			m[others[0]] = rank
			others = others[1:]
		default:
			m[int32(rank)] = rank // nobody else needs it
		}
	}
	return m
}

// Names gives names of data and code as they are at one moment.
type Names struct {
	rec *Recording
	at  traceio.Seq
}

// NamesAt is the names at reference s.
func (r *Recording) NamesAt(s traceio.Seq) Names { return Names{r, s} }

// Data is the name of a byte: "a[2]".
func (n Names) Data(a traceio.Addr) string {
	_, name := n.rec.Regions.At(a, n.at)
	return name
}

// Code is the position of an instruction: "bubble.c:12".
func (n Names) Code(pc traceio.Addr) string { return n.rec.Code(pc) }

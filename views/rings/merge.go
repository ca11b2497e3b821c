package rings

import (
	"image/color"
	"math"

	"orrery/traceio"
)

// merger gathers glyphs that are too small to be told apart: the items of a line, then neighbours on an arm and
// neighbouring arms, share one dot, whose colour is their mean and whose opacity grows with the number of lines in it.
type merger struct {
	f     *frame
	g     *ring
	hand  func(*glyph) // takes the shared dots
	mesh  *mesh        // of the shared dots, or of those of lines
	dots  int          // of a line
	cols  int          // cells along an arm
	cells []cell       // only one, for the line at hand, when lines do not share dots
	at    int          // which one that is
}

type cell struct {
	r, g, b, a float64
	first      glyph
	sub        int
	n          int // glyphs
	lines      int
	last       int // set and rank of the line that came last
}

func newMerger(f *frame, level int, hand func(*glyph)) *merger {
	g := &f.l.rings[level]
	m := &merger{f: f, g: g, hand: hand, dots: g.dots(), cols: (g.ways*g.dots() + g.merge - 1) / g.merge}
	n := 1
	if m.shared() {
		groups := (g.sets + g.strand - 1) / g.strand
		n, m.mesh = m.cols*groups, g.shared(groups, m.cols)
	} else {
		m.mesh = g.mesh()
	}
	m.cells = make([]cell, n)
	return m
}

// shared reports whether lines share dots; otherwise only the items of one line do, which come one after the other.
func (m *merger) shared() bool { return m.g.merge > 1 || m.g.strand > 1 }

// add takes glyph sub of a line.
func (m *merger) add(p *glyph, sub int) {
	g := m.g
	line, dot, at := p.set*g.ways+p.rank, sub>>g.folds, 0
	if m.shared() {
		at = p.set/g.strand*m.cols + (p.rank*m.dots+dot)/g.merge
	} else if at := line*m.dots + dot; at != m.at {
		m.flush()
		m.at = at
	}
	c := &m.cells[at]
	if c.n == 0 || (c.first.ghost && !p.ghost) {
		c.first, c.sub = *p, sub
	}
	if c.n == 0 || line != c.last {
		c.lines++
		c.last = line
	}
	c.n++
	a := float64(p.color.A)
	c.r += a * float64(p.color.R)
	c.g += a * float64(p.color.G)
	c.b += a * float64(p.color.B)
	c.a += a
}

// flush hands the shared dots on.
func (m *merger) flush() {
	g := m.g
	full := float64(g.strand) * max(1, float64(g.merge)/float64(g.dots()))
	for i := range m.cells {
		c := &m.cells[i]
		if c.n == 0 || c.a == 0 {
			c.n, c.lines = 0, 0
			continue
		}
		p := &c.first
		p.span = uint64(g.fold) * m.f.l.grain
		p.addr &^= traceio.Addr(p.span - 1)
		if !m.shared() {
			p.at = m.mesh.at(p.set, g.place(p.set, p.rank, c.sub))
		} else {
			group := i / m.cols
			p.at = m.mesh.at(group, i%m.cols*g.stagger+group%g.stagger)
		}
		mean := func(v float64) uint8 { return uint8(v/c.a + 0.5) }
		// The square root: a dot for the only line of many is still seen.
		share := math.Sqrt(min(1, float64(c.lines)/full))
		p.color = color.NRGBA{R: mean(c.r), G: mean(c.g), B: mean(c.b), A: uint8(c.a / float64(c.n) * share)}
		m.hand(p)
		c.r, c.g, c.b, c.a, c.n, c.lines = 0, 0, 0, 0, 0, 0
	}
}

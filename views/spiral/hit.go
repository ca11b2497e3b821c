package spiral

import (
	"fmt"
	"image/color"
	"math"
	"path"

	"orrery/views/link"
	"orrery/views/scene"
)

func colors(c ...color.NRGBA) []color.NRGBA { return c }

// Target is what lies under the pointer.
type Target struct {
	Thing  link.Thing // the source line on the curve or in the legend; the instant where the line is unknown
	Index  int        // time index on the curve, -1 elsewhere
	Legend int        // index into Lines of a legend entry, -1 elsewhere
	Span   link.Range // the instant: from this window's first reference to the next window's
	Lines  []string   // of the tooltip
}

// nearest is how far, in units, the pointer may be from a point of the curve.
const nearest = 8.0

// Hit tells what lies at point at: a legend entry, else the nearest window within 8 units.
func Hit(s State, size scene.Size, at scene.Point) Target {
	none := Target{Index: -1, Legend: -1}
	if len(s.Seq) == 0 || len(s.From.Turns) != len(s.Seq) {
		return none
	}
	l := newLayout(&s, size)
	if l.legend.Contains(at) {
		if i := int((at.Y - l.legend.Min.Y - 4) / legendRow); s.Mode == ByLine && i >= 0 && i < l.entries {
			e := &s.Lines[i]
			none.Legend, none.Thing = i, e.thing()
			none.Lines = []string{e.place(), trim(e.Text)}
		}
		return none
	}
	p := newPlot(&s, &l)
	i := p.nearest(at)
	if i < 0 {
		return none
	}
	return p.target(i)
}

func (l *Line) thing() link.Thing {
	if l.Number <= 0 {
		return link.Thing{}
	}
	return link.Thing{What: link.Line, File: l.File, Line: l.Number}
}

func (l *Line) place() string {
	if l.Number <= 0 {
		return "unknown line"
	}
	return fmt.Sprintf("%s:%d", path.Base(l.File), l.Number)
}

// nearest is the index of the window nearest to at; of equally near ones the later, which lies on top. Members win
// against what is drawn in grey below them.
func (p *plot) nearest(at scene.Point) int {
	d := math.Hypot(at.X-p.l.c.X, at.Y-p.l.c.Y)
	best, found := math.Inf(1), -1
	for i := range p.turn {
		r := p.radius(i)
		if r < d-nearest {
			continue
		}
		if r > d+nearest {
			break
		}
		q := p.at(p.turn[i], r)
		dist := (q.X-at.X)*(q.X-at.X) + (q.Y-at.Y)*(q.Y-at.Y)
		if dist > nearest*nearest {
			continue
		}
		if p.member[i] < 0.5 {
			dist += 9
		}
		if dist <= best {
			best, found = dist, i
		}
	}
	return found
}

func (p *plot) target(i int) Target {
	s := p.s
	next := s.Seq[i] + 1
	if i+1 < len(s.Seq) {
		next = max(next, s.Seq[i+1])
	}
	t := Target{Index: i, Legend: -1, Span: link.Range{From: s.Seq[i], To: next}}
	t.Thing = link.Thing{What: link.Time, Span: t.Span}
	first := fmt.Sprintf("t %s   %s", count(float64(s.Seq[i])), p.turnWords(i))
	second := ""
	if k := p.lineOf(i); k >= 0 {
		if th := s.Lines[k].thing(); th.What != link.Nothing {
			t.Thing = th
		}
		second = s.Lines[k].place()
	}
	if s.Describe != nil {
		if what := s.Describe(i); what != "" {
			if second != "" {
				second += "   "
			}
			second += what
		}
	}
	t.Lines = append(t.Lines, first)
	if second != "" {
		t.Lines = append(t.Lines, second)
	}
	return t
}

// turnWords says where in the cycle a window is: how many turns lie behind it, of how many.
func (p *plot) turnWords(i int) string {
	if p.member[i] < 0.5 {
		return "not part of the cycle"
	}
	first, last := -1, -1
	for j, m := range p.member {
		if m >= 0.5 {
			if first < 0 {
				first = j
			}
			last = j
		}
	}
	return fmt.Sprintf("turn %.1f of %.1f", p.turn[i]-p.turn[first], math.Abs(p.turn[last]-p.turn[first]))
}

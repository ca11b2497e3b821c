package spiral

import (
	"fmt"
	"image/color"
	"math"
	"path"
	"sort"

	"orrery/views/link"
	"orrery/views/scene"
)

func colors(c ...color.NRGBA) []color.NRGBA { return c }

// Target is what lies under the pointer.
type Target struct {
	Thing  link.Thing // the source line on the curve or in the legend; the instant where the line is unknown
	Index  int        // time index on the curve, -1 elsewhere
	Legend int        // index into Lines, or Keys where the colours show these, of a legend entry; -1 elsewhere
	Span   link.Range // the instant: from this window's first reference to the next window's
	Lines  []string   // of the tooltip
}

// nearest is how far, in units, the pointer may be from a point of the curve.
const nearest = 8.0

// Hit returns what lies at point at: a legend entry, else the nearest window within 8 units.
func Hit(s State, size scene.Size, at scene.Point) Target {
	none := Target{Index: -1, Legend: -1}
	if s.blank() {
		return none
	}
	l := newLayout(&s, size)
	if l.legend.Contains(at) {
		if i := int((at.Y - l.legend.Min.Y - 4) / legendRow); s.Mode != ByAngle && i >= 0 && i < l.entries {
			e := s.entry(i)
			none.Legend, none.Thing, none.Lines = i, e.thing, e.tip
		}
		return none
	}
	p := newPlot(&s, &l)
	defer p.release()
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
	return link.OfLine(l.File, l.Number)
}

func (l *Line) place() string {
	if l.Number <= 0 {
		return "unknown line"
	}
	return fmt.Sprintf("%s:%d", path.Base(l.File), l.Number)
}

// nearest is the index of the window nearest to at within 8 units, -1 for none.
func (p *plot) nearest(at scene.Point) int { return p.within(at, nearest) }

// within is the index of the window nearest to at, no farther than reach; of equally near ones the later, which lies on
// top. Members win against what is drawn in grey below them.
func (p *plot) within(at scene.Point, reach float64) int {
	from, to := 0, len(p.turn)
	if p.s.Shape == Spiral && len(p.loops) == 0 { // radii ascend
		d := math.Hypot(at.X-p.l.c.X, at.Y-p.l.c.Y)
		from = sort.SearchFloat64s(p.r, d-reach)
		to = sort.SearchFloat64s(p.r, math.Nextafter(d+reach, math.Inf(1)))
	}
	best, found := math.Inf(1), -1
	for i := from; i < to; i++ {
		q := p.pos(i)
		dist := (q.X-at.X)*(q.X-at.X) + (q.Y-at.Y)*(q.Y-at.Y)
		if !(dist <= reach*reach) {
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

// Brush is the span of time that a drag between two points of the picture chooses. Begun on the curve it is the arc
// from there to the window nearest to where the drag is now; begun beside it, on a spiral, the ring of times between
// the two radii. Empty when the drag chooses nothing.
func Brush(s State, size scene.Size, from, to scene.Point) link.Range {
	if s.blank() {
		return link.Range{}
	}
	l := newLayout(&s, size)
	p := newPlot(&s, &l)
	defer p.release()
	if i := p.nearest(from); i >= 0 {
		j := p.within(to, math.Hypot(size.W, size.H))
		if j < 0 {
			return link.Range{}
		}
		return p.span(min(i, j), max(i, j))
	}
	if s.Shape != Spiral {
		return link.Range{}
	}
	a, b := math.Hypot(from.X-l.c.X, from.Y-l.c.Y), math.Hypot(to.X-l.c.X, to.Y-l.c.Y)
	i := sort.SearchFloat64s(p.r, min(a, b))
	j := sort.SearchFloat64s(p.r, max(a, b)) - 1
	if i > j {
		return link.Range{}
	}
	return p.span(i, j)
}

// span is from the first reference of window i to the first of the window after j.
func (p *plot) span(i, j int) link.Range {
	next := p.s.Seq[j] + 1
	if j+1 < len(p.s.Seq) {
		next = max(next, p.s.Seq[j+1])
	}
	return link.Range{From: p.s.Seq[i], To: next}
}

func (p *plot) target(i int) Target {
	s := p.s
	t := Target{Index: i, Legend: -1, Span: p.span(i, i)}
	t.Thing = link.OfTime(t.Span)
	first := fmt.Sprintf("t %s   %s", count(float64(s.Seq[i])), p.turnWords(i))
	second := ""
	if k := p.lineOf(i); k >= 0 {
		if th := s.Lines[k].thing(); th.What != link.Nothing {
			t.Thing = th
		}
		second = s.Lines[k].place()
	}
	if k := p.keyOf(i); k >= 0 && s.keyed() {
		t.Lines = append(t.Lines, s.Keys[k].Label)
	}
	if s.Describe != nil {
		if what := s.Describe(i); what != "" {
			if second != "" {
				second += "   "
			}
			second += what
		}
	}
	lines := []string{first}
	if second != "" {
		lines = append(lines, second)
	}
	t.Lines = append(lines, t.Lines...)
	return t
}

// turnWords says where in the cycle a window is: how many turns lie behind it, of how many.
func (p *plot) turnWords(i int) string {
	if p.member[i] < 0.5 {
		return "not part of the cycle"
	}
	first, last := p.ends()
	_, part := math.Modf(p.turn[i] - p.turn[first])
	if part < 0 {
		part++
	}
	return fmt.Sprintf("turn %.1f of %.1f, angle %.0f°", p.turn[i]-p.turn[first], math.Abs(p.turn[last]-p.turn[first]),
		360*part)
}

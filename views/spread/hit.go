package spread

import (
	"fmt"
	"math"
	"strings"

	"orrery/analysis/dse"
	"orrery/views/link"
	"orrery/views/scene"
	"orrery/views/words"
)

// Target is what lies under the pointer.
type Target struct {
	Axis       int     // place of the axis in the order, -1 for none
	Name       bool    // its name, by which it is carried to another place
	At         float64 // position along it
	Point      int32   // the design, dse.None for none
	Thing      link.Thing
	Generation int // of the hypervolume's curve, -1 for none
	Lines      []string
}

// Hit returns what lies at p.
func Hit(s State, size scene.Size, p scene.Point) Target {
	t := Target{Axis: -1, Point: dse.None, Generation: -1}
	if s.Table == nil || size.W < 60 || size.H < s.Top+60 || p.Y < s.Top {
		return t
	}
	switch s.Picture {
	case Matrix:
		s.hitMatrix(&t, size, p)
	case Volume:
		if g := placeGrowth(&s, size); g.n > 0 && p.X > g.plot.Min.X-8 && p.X < g.plot.Max.X+8 && p.Y < g.plot.Max.Y+20 {
			t.Generation = g.at(p.X)
			t.Lines = []string{"generation " + words.Count(t.Generation), fmt.Sprintf("hypervolume %.4f",
				s.Growth[t.Generation]), "click: all pictures as of this generation"}
		}
	default:
		s.hitParallel(&t, size, p)
	}
	if t.Point != dse.None {
		t.Thing = link.OfDesign(int(t.Point))
		t.Lines = Describe(s.Table.Space, t.Point)
	}
	return t
}

func (s *State) hitParallel(t *Target, size scene.Size, p scene.Point) {
	f := place(s, size)
	for i, x := range f.x {
		if math.Abs(p.X-x) > reach && !(p.Y < f.plot.Min.Y && math.Abs(p.X-x) < f.gap()/2) {
			continue
		}
		t.Axis, t.Name = i, p.Y < f.plot.Min.Y-4
		t.At = max(0, min(1, (f.plot.Max.Y-p.Y)/f.plot.H()))
		t.Lines = s.aboutAxis(&s.Table.Axes[f.order[i]], t)
		return
	}
	for i := 1; i < len(f.x); i++ {
		if p.X > f.x[i-1] && p.X < f.x[i] && p.Y >= f.plot.Min.Y && p.Y <= f.plot.Max.Y {
			share := (p.X - f.x[i-1]) / (f.x[i] - f.x[i-1])
			a, b := &s.Table.Axes[f.order[i-1]], &s.Table.Axes[f.order[i]]
			want, best := (f.plot.Max.Y-p.Y)/f.plot.H(), 5/f.plot.H()
			s.each(func(q int32) {
				if off := math.Abs(a.of(q)*(1-share) + b.of(q)*share - want); off < best {
					best, t.Point = off, q
				}
			})
		}
	}
}

// each calls f for the points that pass.
func (s *State) each(f func(p int32)) {
	if s.Pass != nil {
		s.Pass.Each(func(p int) { f(int32(p)) })
		return
	}
	for p := range int32(s.Table.Space.N) {
		f(p)
	}
}

// aboutAxis says what can be done with an axis.
func (s *State) aboutAxis(a *Axis, t *Target) []string {
	lines := []string{a.Name}
	if t.Name {
		return append(lines, "drag to another place among the axes", "double-click the axis to let all pass")
	}
	if a.Values != nil {
		lines = append(lines, a.Values[int(a.Value(t.At))])
	} else {
		lines[0] += ": " + strings.TrimSpace(words.Number(a.Value(t.At))+" "+a.Unit)
		if t.At < endRoom && a.Low || t.At > 1-endRoom && a.High {
			lines = append(lines, "beyond the break the scale is compressed for the few points there")
		}
	}
	return append(lines, "drag along the axis to filter, double-click to let all pass")
}

func (s *State) hitMatrix(t *Target, size scene.Size, p scene.Point) {
	c := placeMatrix(s, size)
	for i := range c.n {
		for j := range c.n {
			r := c.cell(i, j)
			if !r.Contains(p) {
				continue
			}
			o, q := s.Table.Space.Objectives[i].Name, s.Table.Space.Objectives[j].Name
			switch {
			case i == j:
				t.Lines = []string{o, "how many points have which value; heights are square roots",
					"grey: points that the filter hides"}
			case i < j:
				t.Lines = []string{q + " and " + o, fmt.Sprintf("rank correlation %+.3f over all points", s.Table.Rank[i][j])}
			default:
				s.nearest(t, inset(r), s.axisOf(j), s.axisOf(i), p)
			}
		}
	}
}

// nearest finds the point of a scatter plot that is at most a few pixels away.
func (s *State) nearest(t *Target, r scene.Rect, across, up *Axis, p scene.Point) {
	x, y, best := (p.X-r.Min.X)/r.W(), (r.Max.Y-p.Y)/r.H(), 36.0
	s.each(func(q int32) {
		dx, dy := (across.of(q)-x)*r.W(), (up.of(q)-y)*r.H()
		if off := dx*dx + dy*dy; off < best {
			best, t.Point = off, q
		}
	})
}

// Describe tells a design in a few lines: what it is called, where it stands, its objectives with their units, its
// parameters.
func Describe(sp *dse.Space, p int32) []string {
	lines := []string{"design " + sp.Label(int(p))}
	switch sp.Class(p, dse.DefaultThreshold) {
	case dse.Global:
		lines[0] += ", on the global Pareto front"
	case dse.Local:
		lines[0] += fmt.Sprintf(", best of its subspace, %.3f from the global front", sp.ToFront[p])
	default:
		lines[0] += fmt.Sprintf(", dominated, %.3f from the global front", sp.ToFront[p])
	}
	for i, o := range sp.Objectives {
		lines = append(lines, fmt.Sprintf("%s %s (normalised %.3f)", o.Name, strings.TrimSpace(words.Number(o.Values[p])+" "+
			o.Unit), sp.Norm[i][p]))
	}
	for _, q := range sp.Parameters {
		lines = append(lines, q.Name+": "+q.Values[q.At[p]])
	}
	if sp.Generations.Known() {
		first, last := sp.Generations.First(int(p)), sp.Generations.Last(int(p))
		text := fmt.Sprintf("generation %s", words.Count(int64(first)))
		if last > first {
			text = fmt.Sprintf("%d generations from %s to %s", len(sp.Generations.Of(int(p))), words.Count(int64(first)),
				words.Count(int64(last)))
		}
		lines = append(lines, text)
	}
	return lines
}

// Brushed gives the brush from a position to another one of axis i of the order: whole values of a parameter.
func Brushed(s State, i int, from, to float64) Brush {
	k := s.order()[i]
	b, a := Brush{Axis: k, Low: min(from, to), High: max(from, to)}, &s.Table.Axes[k]
	if n := float64(len(a.Values)); a.Values != nil && n > 0 {
		b.Low, b.High = math.Floor(b.Low*n)/n, min(1, math.Ceil(max(b.High, b.Low+1e-9)*n)/n)
	}
	return b
}

// Moved gives the order in which axis i stands where it was carried to.
func Moved(s State, size scene.Size, i int, x float64) []int {
	s.Carried = -1
	f := place(&s, size)
	to := max(0, min(len(f.order)-1, int(math.Round((x-f.plot.Min.X)/f.gap()))))
	out := make([]int, 0, len(f.order))
	for k, a := range f.order {
		if k != i {
			out = append(out, a)
		}
	}
	return append(out[:to], append([]int{f.order[i]}, out[to:]...)...)
}

// Along is the position on an axis at a height of the picture.
func Along(s State, size scene.Size, y float64) float64 {
	f := place(&s, size)
	return max(0, min(1, (f.plot.Max.Y-y)/f.plot.H()))
}

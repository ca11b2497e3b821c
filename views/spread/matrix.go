package spread

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"sort"

	"orrery/views/palette"
	"orrery/views/scene"
)

// cells are the places of the matrix: the plot of objective i (up) over objective j (across), i > j; their
// distributions on the diagonal, their correlations above it.
type cells struct {
	n    int
	at   scene.Rect
	side [2]float64
	gap  float64
}

func placeMatrix(s *State, size scene.Size) cells {
	c := cells{n: len(s.Table.Space.Objectives), gap: 6}
	c.at = scene.Rect{Min: scene.Point{X: 52, Y: s.Top + 8}, Max: scene.Point{X: max(60, size.W-12),
		Y: max(s.Top+20, size.H-foot-22)}}
	n := float64(max(1, c.n))
	c.side = [2]float64{(c.at.W() - (n-1)*c.gap) / n, (c.at.H() - (n-1)*c.gap) / n}
	return c
}

// cell is where objective i over objective j stands.
func (c *cells) cell(i, j int) scene.Rect {
	return scene.R(c.at.Min.X+float64(j)*(c.side[0]+c.gap), c.at.Min.Y+float64(i)*(c.side[1]+c.gap), c.side[0], c.side[1])
}

// axisOf is the axis of an objective.
func (s *State) axisOf(objective int) *Axis {
	return &s.Table.Axes[len(s.Table.Space.Parameters)+objective]
}

// inset is the plot within a cell, so that points at the edge are whole.
func inset(r scene.Rect) scene.Rect {
	return scene.Rect{Min: scene.Point{X: r.Min.X + 5, Y: r.Min.Y + 5}, Max: scene.Point{X: max(r.Min.X+6, r.Max.X-5),
		Y: max(r.Min.Y+6, r.Max.Y-5)}}
}

func drawMatrix(d *scene.Drawing, s *State) {
	c := placeMatrix(s, d.Size)
	if c.n == 0 || c.side[0] < 24 || c.side[1] < 20 {
		d.Say("There is no room for the scatter plots here. Make the pane larger.", s.Theme.Dim)
		return
	}
	for i := range c.n {
		for j := range c.n {
			r := c.cell(i, j)
			d.Add(scene.Fill{Path: scene.RoundBox(r, 4), Color: palette.Mix(s.Theme.Panel, s.Theme.Background, 0.6)})
			switch {
			case i == j:
				s.drawSpread(d, r, i)
			case i > j:
				s.drawScatter(d, r, i, j)
			default:
				s.drawRank(d, r, i, j)
			}
		}
	}
	for k := range c.n {
		s.drawScale(d, &c, k)
	}
	s.drawLegend(d, s.passing())
}

// drawScale writes marks left of the rows and below the columns.
func (s *State) drawScale(d *scene.Drawing, c *cells, k int) {
	a := s.axisOf(k)
	side, under := inset(c.cell(k, 0)), inset(c.cell(c.n-1, k))
	if k > 0 {
		for _, t := range a.ticks(int(side.H() / 26)) {
			y := side.Max.Y - t.at*side.H()
			d.Add(scene.Text{At: scene.Point{X: side.Min.X - 9, Y: y + scene.Middle(scene.Mono, little)}, Face: scene.Mono,
				Size: little, Color: s.Theme.Dim, Align: 1, S: t.text, Max: 44})
		}
	}
	last := math.Inf(-1)
	for _, t := range a.ticks(int(under.W() / 60)) {
		x := under.Min.X + t.at*under.W()
		if wide := scene.Measure(scene.Mono, little, t.text); x-wide/2 > last+6 {
			d.Add(scene.Text{At: scene.Point{X: x, Y: under.Max.Y + 17}, Face: scene.Mono, Size: little, Color: s.Theme.Dim,
				Align: 0.5, S: t.text})
			last = x + wide/2
		}
	}
}

// drawSpread is the distribution of an objective: all points grey, those that pass coloured.
func (s *State) drawSpread(d *scene.Drawing, r scene.Rect, i int) {
	a, p := s.axisOf(i), inset(r)
	all, some := s.distribution(i)
	n, most := steps, max(1, slices.Max(all))
	floor, tall := p.Max.Y, p.H()-18
	for k := range n {
		x, wide := p.Min.X+p.W()*float64(k)/float64(n), max(0.6, p.W()/float64(n)-0.8)
		bar := func(count int, c color.NRGBA) {
			if h := tall * math.Sqrt(float64(count)/float64(most)); count > 0 {
				d.Add(scene.Fill{Path: scene.Box(scene.R(x, floor-max(1, h), wide, max(1, h))), Color: c})
			}
		}
		bar(all[k], palette.Alpha(s.Theme.Faint, 0.6))
		v := dseNorm(s, i, a.Value((float64(k)+0.5)/float64(n)))
		bar(some[k], palette.Objective(i, v))
	}
	o := &s.Table.Space.Objectives[i]
	name := o.Name
	if o.Unit != "" {
		name += ", " + o.Unit
	}
	d.Add(scene.Text{At: scene.Point{X: r.Min.X + 8, Y: r.Min.Y + 15}, Face: scene.Bold, Size: 11, Color: s.Theme.Text,
		S: name, Max: r.W() - 14})
}

// dseNorm normalises a value of an objective as evaluated.
func dseNorm(s *State, i int, v float64) float64 {
	if s.Table.Space.Objectives[i].Maximise {
		v = -v
	}
	return s.Table.Space.Extent[i].Norm(v)
}

// drawScatter is the plot of two objectives, with the points of the global front over the others.
func (s *State) drawScatter(d *scene.Drawing, r scene.Rect, i, j int) {
	across, up, p := s.axisOf(j), s.axisOf(i), inset(r)
	name := fmt.Sprint("dots ", i, j)
	passing := s.passing()
	if s.Pass != nil && passing < s.Table.Space.N {
		all := *s
		all.Pass = nil
		all.drawDots(d, p, across, up, name+"rest", true, func(float64) color.NRGBA { return s.Theme.Faint })
	}
	if passing > Dots {
		s.drawDots(d, p, across, up, name, s.Pass == nil, s.ink)
	} else {
		s.drawPoints(d, p, across, up, passing)
	}
	at := func(q int32) scene.Point {
		return scene.Point{X: p.Min.X + across.of(q)*p.W(), Y: p.Max.Y - up.of(q)*p.H()}
	}
	ink := palette.Alpha(s.Theme.Text, s.frontStrength())
	for _, q := range s.Table.Front[:min(Lines, len(s.Table.Front))] {
		if s.passes(q) {
			o := at(q)
			d.Add(scene.Stroke{Path: scene.Circle(o.X, o.Y, 3.6), Width: 1.1, Color: ink})
		}
	}
	s.marked(func(q int32, c color.NRGBA) {
		o := at(q)
		d.Add(scene.Stroke{Path: scene.Circle(o.X, o.Y, 6.5), Width: 4, Color: palette.Alpha(s.Theme.Panel, 0.8)},
			scene.Stroke{Path: scene.Circle(o.X, o.Y, 6.5), Width: 2, Color: c})
	})
}

func (s *State) drawDots(d *scene.Drawing, p scene.Rect, across, up *Axis, name string, back bool,
	ink func(float64) color.NRGBA) {
	scale := max(0.25, d.Size.Scale)
	w, h := max(2, int(p.W()*scale)), max(2, int(p.H()*scale))
	pixels := s.image(name, "", w, h, back, func(s *State) *image.RGBA {
		g := newGrid(w, h)
		g.dots(s.list(), s.Table.Space.Norm[s.objective()], across, up)
		out := image.NewRGBA(image.Rect(0, 0, w, h))
		g.paint(out, ink, 1, 0.35)
		return out
	})
	if pixels != nil {
		d.Add(scene.Image{At: scene.R(p.Min.X, p.Min.Y, float64(w)/scale, float64(h)/scale), Pixels: pixels,
			Name: "design points of two objectives"})
	}
}

// drawPoints draws a disc for each point, the better ones last.
func (s *State) drawPoints(d *scene.Drawing, p scene.Rect, across, up *Axis, passing int) {
	norm := s.Table.Space.Norm[s.objective()]
	alpha := max(0.3, min(0.95, 24/math.Sqrt(float64(passing)+1)))
	list := make([]int32, 0, passing)
	s.each(func(q int32) { list = append(list, q) })
	sort.SliceStable(list, func(a, b int) bool { return norm[list[a]] > norm[list[b]] })
	dots := scene.Discs{Radii: []float64{max(1.4, min(2.6, math.Sqrt(p.W()*p.H()/float64(passing+1))/3))}}
	for _, q := range list {
		dots.Centers = append(dots.Centers, scene.Point{X: p.Min.X + across.of(q)*p.W(), Y: p.Max.Y - up.of(q)*p.H()})
		dots.Colors = append(dots.Colors, palette.Alpha(s.ink(norm[q]), alpha))
	}
	if len(dots.Centers) > 0 {
		d.Add(dots)
	}
}

// drawRank writes how two objectives go together: a disc as large as the correlation is strong.
func (s *State) drawRank(d *scene.Drawing, r scene.Rect, i, j int) {
	v, o := s.Table.Rank[i][j], r.Center()
	text := "never varies"
	if !math.IsNaN(v) {
		text = fmt.Sprintf("%+.2f", v)
		d.Add(scene.Discs{Centers: []scene.Point{o},
			Radii:  []float64{max(3, (min(r.W(), r.H())/2-14)*math.Sqrt(math.Abs(v)))},
			Colors: []color.NRGBA{palette.Alpha(palette.Diverging(s.Theme, v), 0.75)}})
	}
	d.Add(scene.Text{At: scene.Point{X: o.X, Y: o.Y + scene.Middle(scene.Mono, 12)}, Face: scene.Mono, Size: 12,
		Color: s.Theme.Text, Align: 0.5, S: text, Max: r.W()})
	if r.H() > 76 {
		d.Add(scene.Text{At: scene.Point{X: o.X, Y: r.Max.Y - 7}, Size: 9.5, Color: s.Theme.Dim, Align: 0.5,
			S: "rank correlation, all points", Max: r.W() - 8})
	}
}

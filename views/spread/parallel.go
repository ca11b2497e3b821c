package spread

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// Room around the axes.
const (
	edge   = 34.0
	head   = 34.0 // names above
	foot   = 30.0 // legend below
	reach  = 9.0  // of an axis for the pointer
	little = 9.5  // size of the marks' text
)

// frame is where the axes are.
type frame struct {
	order []int
	x     []float64
	plot  scene.Rect
}

func place(s *State, size scene.Size) frame {
	f := frame{order: s.order()}
	f.plot = scene.Rect{Min: scene.Point{X: edge, Y: s.Top + head}, Max: scene.Point{X: max(edge+1, size.W-edge-26),
		Y: max(s.Top+head+1, size.H-foot)}}
	gaps := max(1, len(f.order)-1)
	for i := range f.order {
		f.x = append(f.x, math.Round(f.plot.Min.X+f.plot.W()*float64(i)/float64(gaps)))
	}
	if s.Carried >= 0 && s.Carried < len(f.x) && s.CarryX > 0 {
		f.x[s.Carried] = max(f.plot.Min.X, min(f.plot.Max.X, s.CarryX))
	}
	return f
}

// y is the height of a position.
func (f *frame) y(at float64) float64 { return f.plot.Max.Y - at*f.plot.H() }

// gap is the room from an axis to the next.
func (f *frame) gap() float64 { return f.plot.W() / float64(max(1, len(f.x)-1)) }

func drawParallel(d *scene.Drawing, s *State) {
	f := place(s, d.Size)
	passing := s.passing()
	if s.Pass != nil && passing < s.Table.Space.N {
		all := *s
		all.Pass = nil
		all.drawFlow(d, &f, "rest", true, func(float64) color.NRGBA { return s.Theme.Faint })
	}
	if passing > Lines {
		s.drawFlow(d, &f, "flow", s.Pass == nil, s.ink)
	} else {
		s.drawEach(d, &f, passing)
	}
	s.drawFront(d, &f)
	s.marked(func(p int32, c color.NRGBA) {
		over := s.curve(&f, p, c, 2.2)
		d.Add(s.curve(&f, p, palette.Alpha(s.Theme.Panel, 0.9), 6), over, scene.Discs{Centers: over.Points,
			Radii: []float64{4}, Colors: []color.NRGBA{c}})
	})
	for i := range f.order {
		s.drawAxis(d, &f, i)
	}
	s.drawLegend(d, passing)
}

// dense is how many points make a picture so full that single lines cannot be seen: every other column of pixels is
// enough then.
const dense = 100_000

// drawFlow paints the density of lines between all axes as one image.
func (s *State) drawFlow(d *scene.Drawing, f *frame, name string, back bool, ink func(float64) color.NRGBA) {
	scale := max(0.25, d.Size.Scale)
	w, h := int(math.Ceil(f.plot.W()*scale)), int(math.Ceil(f.plot.H()*scale))
	if w < 2 || h < 2 || len(f.order) < 2 {
		return
	}
	pixels := s.image(name, fmt.Sprint(f.order, s.Carried >= 0, f.x), w, h, back, func(s *State) *image.RGBA {
		stretch := 1
		if s.passing() > dense {
			stretch = 2
		}
		g := newGrid((w+stretch-1)/stretch, h)
		g.stretch = stretch
		list, norm := s.list(), s.Table.Space.Norm[s.objective()]
		bands(len(f.order)-1, func(from, to int) {
			between := new(flow)
			for i := from + 1; i <= to; i++ {
				*between = flow{}
				between.add(list, norm, &s.Table.Axes[f.order[i-1]], &s.Table.Axes[f.order[i]])
				x0, x1 := int((f.x[i-1]-f.plot.Min.X)*scale)/stretch, int((f.x[i]-f.plot.Min.X)*scale)/stretch
				g.band(between, max(0, x0), min(g.w, x1))
			}
		})
		g.settle()
		out := image.NewRGBA(image.Rect(0, 0, w, h))
		g.paint(out, ink, bins/float64(h)*max(1, float64(s.passing())/1e5), 0.10)
		return out
	})
	if pixels != nil {
		d.Add(scene.Image{At: scene.R(f.plot.Min.X, f.plot.Min.Y, float64(w)/scale, float64(h)/scale), Pixels: pixels,
			Name: "design points over the axes"})
	}
}

// drawEach draws a curve for each point; where many pile up their opacity falls.
func (s *State) drawEach(d *scene.Drawing, f *frame, passing int) {
	c := scene.Curves{Width: 1.1}
	alpha := max(0.12, min(0.85, 14/math.Sqrt(float64(passing)+1)))
	norm := s.Table.Space.Norm[s.objective()]
	s.each(func(p int32) {
		c.Starts = append(c.Starts, len(c.Points))
		ink := palette.Alpha(s.ink(norm[p]), alpha)
		for i, a := range f.order {
			c.Points = append(c.Points, scene.Point{X: f.x[i], Y: f.y(s.Table.Axes[a].of(p))})
			c.Colors = append(c.Colors, ink)
		}
	})
	if len(c.Points) > 0 {
		d.Add(c)
	}
}

// drawFront lays the points of the global front over the others.
func (s *State) drawFront(d *scene.Drawing, f *frame) {
	front := scene.Curves{Width: 1.2, Colors: []color.NRGBA{palette.Alpha(s.Theme.Text, s.frontStrength())}}
	for _, p := range s.Table.Front[:min(Lines, len(s.Table.Front))] {
		if s.passes(p) {
			front.Starts = append(front.Starts, len(front.Points))
			front.Points = append(front.Points, s.curve(f, p, s.Theme.Text, 1).Points...)
		}
	}
	if len(front.Points) > 0 {
		d.Add(front)
	}
}

// frontStrength is the opacity of points of the front: many of them must not hide all others.
func (s *State) frontStrength() float64 {
	return max(0.12, min(0.9, 4/math.Sqrt(float64(len(s.Table.Front))+1)))
}

func (s *State) curve(f *frame, p int32, c color.NRGBA, width float64) scene.Curves {
	out := scene.Curves{Starts: []int{0}, Colors: []color.NRGBA{c}, Width: width}
	for i, a := range f.order {
		out.Points = append(out.Points, scene.Point{X: f.x[i], Y: f.y(s.Table.Axes[a].of(p))})
	}
	return out
}

// drawAxis draws an axis with its name, marks, breaks and brush.
func (s *State) drawAxis(d *scene.Drawing, f *frame, i int) {
	a, x := &s.Table.Axes[f.order[i]], f.x[i]+0.5
	ink := s.Theme.Dim
	if i == s.Carried {
		ink = s.Theme.Accent
	}
	d.Add(scene.Stroke{Path: scene.Segment(x, f.plot.Min.Y-3, x, f.plot.Max.Y+3), Width: 1,
		Color: palette.Mix(s.Theme.Panel, ink, 0.8)})
	name, align := a.Name, 0.5
	if a.Unit != "" {
		name += ", " + a.Unit
	}
	at, most := scene.Point{X: x, Y: f.plot.Min.Y - 12}, f.gap()-8
	switch i {
	case 0:
		at.X, align = 6, 0
		most += edge / 2
	case len(f.order) - 1:
		at.X, align = d.Size.W-6, 1
		most += edge / 2
	}
	d.Add(scene.Text{At: at, Face: scene.Bold, Size: 10.5, Color: palette.Mix(s.Theme.Text, ink,
		float64(btoi(i == s.Carried))), Align: align, Max: max(20, most), S: name})
	for _, b := range []struct {
		on bool
		at float64
	}{{a.Low, endRoom}, {a.High, 1 - endRoom}} {
		if b.on {
			y := f.y(b.at)
			d.Add(scene.Stroke{Path: scene.Segment(x-4, y+2.5, x+4, y-2.5), Width: 1.5, Color: s.Theme.Text})
		}
	}
	s.drawTicks(d, f, a, x)
	for _, b := range s.Brushes {
		if b.Axis == f.order[i] {
			r := scene.Rect{Min: scene.Point{X: x - 6, Y: f.y(b.High)},
				Max: scene.Point{X: x + 6, Y: max(f.y(b.High)+2, f.y(b.Low))}}
			d.Add(scene.Fill{Path: scene.RoundBox(r, 3), Color: palette.Alpha(s.Theme.Accent, 0.28)},
				scene.Stroke{Path: scene.RoundBox(r, 3), Width: 1, Color: s.Theme.Accent})
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// drawTicks writes the marks right of the axis, on a patch of the background so that they can be read over lines.
func (s *State) drawTicks(d *scene.Drawing, f *frame, a *Axis, x float64) {
	last := math.Inf(1)
	most := min(f.gap()-14, d.Size.W-x-10)
	for _, t := range a.ticks(int(f.plot.H() / 20)) {
		y := f.y(t.at)
		if math.Abs(last-y) < 12 || most < 14 {
			continue
		}
		last = y
		text := scene.Ellipsis(scene.Mono, little, t.text, most)
		wide := scene.Measure(scene.Mono, little, text)
		d.Add(scene.Stroke{Path: scene.Segment(x-3, y, x+3, y), Width: 1, Color: s.Theme.Dim},
			scene.Fill{Path: scene.RoundBox(scene.R(x+5, y-6.5, wide+6, 13), 3), Color: palette.Alpha(s.Theme.Panel, 0.78)},
			scene.Text{At: scene.Point{X: x + 8, Y: y + scene.Middle(scene.Mono, little)}, Face: scene.Mono, Size: little,
				Color: s.Theme.Text, S: text})
	}
}

// drawLegend says below the picture what colours mean and how many points pass.
func (s *State) drawLegend(d *scene.Drawing, passing int) {
	sp, o := s.Table.Space, s.objective()
	y := d.Size.H - 10
	count := fmt.Sprintf("%s of %s points pass", words.Count(passing), words.Count(sp.N))
	if passing == sp.N {
		count = words.Count(sp.N) + " points"
	}
	wide := scene.Measure(scene.Sans, 10.5, count)
	d.Add(scene.Text{At: scene.Point{X: d.Size.W - 10, Y: y}, Size: 10.5, Color: s.Theme.Dim, Align: 1, S: count})
	room := d.Size.W - wide - 40
	x := 10.0
	if len(sp.Objectives) > 0 {
		sign := 1.0
		if sp.Objectives[o].Maximise {
			sign = -1
		}
		low, high := words.Number(sign*sp.Extent[o].Min), words.Number(sign*sp.Extent[o].Max)
		if u := sp.Objectives[o].Unit; u != "" {
			high += " " + u
		}
		x = s.ramp(d, x, y, room, sp.Objectives[o].Name, low, high)
	}
	if len(s.Table.Front) > 0 && x+120 < room {
		d.Add(scene.Fill{Path: scene.RoundBox(scene.R(x, y-5, 14, 2.5), 1), Color: s.Theme.Text},
			scene.Text{At: scene.Point{X: x + 19, Y: y}, Size: 10.5, Color: s.Theme.Dim,
				S: words.Count(len(s.Table.Front)) + " Pareto points"})
	}
}

// ramp is a legend of a map: the name, the value at its light end, colours, the value at its dark end.
func (s *State) ramp(d *scene.Drawing, x, y, room float64, name, low, high string) float64 {
	text := func(face scene.Face, t string) {
		d.Add(scene.Text{At: scene.Point{X: x, Y: y}, Face: face, Size: 10.5, Color: s.Theme.Dim, S: t})
		x += scene.Measure(face, 10.5, t) + 6
	}
	if scene.Measure(scene.Sans, 10.5, name+low+high)+80 > room {
		name = ""
	} else {
		text(scene.Sans, name)
	}
	text(scene.Mono, low)
	const steps, wide = 24, 60.0
	for i := range steps {
		d.Add(scene.Fill{Path: scene.Box(scene.R(x+wide*float64(i)/steps, y-8, wide/steps+0.3, 9)),
			Color: s.ink((float64(i) + 0.5) / steps)})
	}
	x += wide + 6
	text(scene.Mono, high)
	return x + 8
}

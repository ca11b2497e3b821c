package barcode

import (
	"fmt"
	"image/color"
	"math"

	"orrery/views/palette"
	"orrery/views/scene"
)

// ink is the colour of a class: what is shown is amber, what has an angle carries the first colour of the set, the rest
// is grey.
func (s *State) ink(i int) color.NRGBA {
	b := &s.Bars[i]
	c := palette.Mix(s.Theme.Faint, s.Theme.Dim, 0.4)
	if b.Shown >= 0 {
		c = palette.Qualitative(s.Theme, 0)
	}
	switch {
	case i == s.Current:
		c = s.Theme.Accent
	case i == s.Other:
		c = palette.Mix(c, s.Theme.Accent, 0.5)
	case !s.brushed(b):
		c = palette.Alpha(c, 0.28)
	}
	return c
}

// step is a round distance of marks, so that about so many fit.
func step(top float64, most float64) float64 {
	raw := top / max(1, most)
	p := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 5, 10} {
		if m*p >= raw {
			return m * p
		}
	}
	return 10 * p
}

// drawScale adds the axis of scales below a frame, with its grid.
func drawScale(d *scene.Drawing, s *State, f *frame, name string) {
	grid := palette.Alpha(s.Theme.Faint, 0.3)
	by := step(f.top, f.W()/48)
	for v := 0.0; v <= f.top*(1+1e-9); v += by {
		x := f.x(v)
		d.Add(scene.Stroke{Path: scene.Segment(x, f.Min.Y, x, f.Max.Y), Width: 0.5, Color: grid},
			scene.Text{At: scene.Point{X: x, Y: f.Max.Y + 12}, Face: scene.Mono, Size: 9, Color: s.Theme.Dim, Align: 0.5,
				S: fmt.Sprintf("%.4g", v)})
	}
	if s.Unit != "" {
		name += ", " + s.Unit
	}
	d.Add(scene.Text{At: scene.Point{X: (f.Min.X + f.Max.X) / 2, Y: f.Max.Y + 25}, Size: 10, Color: s.Theme.Dim,
		Align: 0.5, Max: f.W(), S: name})
	if s.High > s.Low {
		d.Add(scene.Fill{Path: scene.Box(scene.R(f.x(s.Low), f.Min.Y, f.x(s.High)-f.x(s.Low), f.H())),
			Color: palette.Alpha(s.Theme.Accent, 0.10)})
	}
}

func drawBars(d *scene.Drawing, s *State, f *frame) {
	drawScale(d, s, f, "scale")
	for k, r := range f.rows {
		i := r.first
		b, y := &s.Bars[i], f.rowY(k)
		x0, x1 := f.x(b.Birth), f.x(b.Death)
		ink := s.ink(i)
		if i == s.Hover {
			d.Add(scene.Fill{Path: scene.RoundBox(scene.R(f.Min.X-30, y-f.row/2, f.W()+34, f.row), 3),
				Color: palette.Alpha(s.Theme.Faint, 0.18)})
		}
		tall := max(1.5, min(5, f.row*0.42))
		d.Add(scene.Fill{Path: scene.RoundBox(scene.R(x0, y-tall/2, max(tall, x1-x0), tall), tall/2), Color: ink})
		if math.IsInf(b.Death, 1) { // goes on
			d.Add(scene.Stroke{Path: arrow(x1+1, y, 4), Width: 1.2, Color: ink})
		}
		if f.row >= 9 || i == s.Current {
			text := s.Theme.Dim
			if i == s.Current {
				text = s.Theme.Accent
			}
			d.Add(scene.Text{At: scene.Point{X: f.Min.X - 6, Y: y + scene.Middle(scene.Mono, 9)}, Face: scene.Mono, Size: 9,
				Color: text, Align: 1, S: fmt.Sprintf("#%d", i+1)})
		}
		words := ""
		switch {
		case b.Shown >= 0:
			words = fmt.Sprintf("%.1f turns", b.Turns)
		case r.count > 1:
			words = fmt.Sprintf("%d alike", r.count)
		}
		if words != "" && f.row >= 11 {
			if at := x1 + 8; at+scene.Measure(scene.Sans, 9.5, words) < f.Max.X+60 {
				d.Add(scene.Text{At: scene.Point{X: at, Y: y + scene.Middle(scene.Sans, 9.5)}, Size: 9.5,
					Color: s.Theme.Dim, S: words})
			}
		}
	}
	drawLine(d, s, f)
	if rest := f.rest; rest > 0 {
		d.Add(scene.Text{At: scene.Point{X: f.Max.X, Y: f.Max.Y - 4}, Size: 9.5, Color: s.Theme.Dim, Align: 1,
			S: fmt.Sprintf("%d shorter ones not shown", rest)})
	}
}

// drawLine marks the scale of the angles among the bars, with a handle above.
func drawLine(d *scene.Drawing, s *State, f *frame) {
	if s.Scale <= 0 {
		return
	}
	x := f.x(s.Scale)
	var handle scene.Path
	handle.Move(x-4, f.Min.Y-7)
	handle.Line(x+4, f.Min.Y-7)
	handle.Line(x, f.Min.Y-1)
	handle.Close()
	d.Add(scene.Stroke{Path: scene.Segment(x, f.Min.Y-4, x, f.Max.Y), Width: 1.25, Color: palette.Alpha(s.Theme.Accent,
		0.8)}, scene.Fill{Path: handle, Color: s.Theme.Accent})
}

// drawAlive marks in the diagram the classes that live at the scale of the angles: those born before and dying after
// it.
func drawAlive(d *scene.Drawing, s *State, f *frame) {
	if s.Scale <= 0 {
		return
	}
	var corner scene.Path
	corner.Move(f.Min.X, f.y(s.Scale))
	corner.Line(f.x(s.Scale), f.y(s.Scale))
	corner.Line(f.x(s.Scale), f.Min.Y)
	d.Add(scene.Stroke{Path: corner, Width: 1, Color: palette.Alpha(s.Theme.Accent, 0.45)})
}

func arrow(x, y, size float64) scene.Path {
	var p scene.Path
	p.Move(x, y-size)
	p.Line(x+size, y)
	p.Line(x, y+size)
	return p
}

// spots are the places of the classes in the diagram. Scales of windows are integers, so that many classes share a
// place: these stand side by side on a small sunflower, the best rank in the middle.
func spots(s *State, f *frame) []scene.Point {
	type place struct{ birth, death float64 }
	taken := map[place]int{}
	out := make([]scene.Point, len(s.Bars))
	spread := min(4.2, f.W()/f.top*0.11)
	for i, b := range s.Bars {
		key := place{b.Birth, b.Death}
		n := taken[key]
		taken[key]++
		sin, cos := math.Sincos(float64(n) * math.Pi * (3 - math.Sqrt(5)))
		r := spread * math.Sqrt(float64(min(n, 60)))
		out[i] = scene.Point{X: f.x(b.Birth) + r*cos, Y: f.y(b.Death) + r*sin}
	}
	return out
}

func drawDiagram(d *scene.Drawing, s *State, f *frame) {
	drawScale(d, s, f, "birth")
	grid := palette.Alpha(s.Theme.Faint, 0.3)
	by := step(f.top, f.H()/36)
	for v := 0.0; v <= f.top*(1+1e-9); v += by {
		y := f.y(v)
		d.Add(scene.Stroke{Path: scene.Segment(f.Min.X, y, f.Max.X, y), Width: 0.5, Color: grid},
			scene.Text{At: scene.Point{X: f.Min.X - 5, Y: y + scene.Middle(scene.Mono, 9)}, Face: scene.Mono, Size: 9,
				Color: s.Theme.Dim, Align: 1, S: fmt.Sprintf("%.4g", v)})
	}
	d.Add(scene.Text{At: scene.Point{X: f.Min.X - axis + 2, Y: f.Min.Y - 9}, Size: 10, Color: s.Theme.Dim, S: "death"})
	var below scene.Path
	below.Move(f.Min.X, f.Max.Y)
	below.Line(f.Max.X, f.Min.Y)
	below.Line(f.Max.X, f.Max.Y)
	below.Close()
	d.Add(scene.Fill{Path: below, Color: palette.Alpha(s.Theme.Faint, 0.09)},
		scene.Stroke{Path: scene.Segment(f.Min.X, f.Max.Y, f.Max.X, f.Min.Y), Width: 0.75,
			Color: palette.Alpha(s.Theme.Faint, 0.9)})
	drawAlive(d, s, f)
	at := spots(s, f)
	if i := s.Current; i >= 0 && i < len(at) { // its persistence
		d.Add(scene.Stroke{Path: scene.Segment(at[i].X, at[i].Y, at[i].X, f.y(s.Bars[i].Birth)), Width: 1,
			Color: palette.Alpha(s.Theme.Accent, 0.5), Dash: []float64{2, 3}})
	}
	var dots scene.Discs
	order := make([]int, 0, len(at)) // the best on top, and above it the one that is shown
	for i := len(at) - 1; i >= 0; i-- {
		if i != s.Current {
			order = append(order, i)
		}
	}
	if s.Current >= 0 && s.Current < len(at) {
		order = append(order, s.Current)
	}
	for _, i := range order {
		r := 2.6
		if s.Bars[i].Shown >= 0 {
			r = 3.6
		}
		if i == s.Current {
			r = 4.6
		}
		dots.Centers, dots.Radii, dots.Colors = append(dots.Centers, at[i]), append(dots.Radii, r),
			append(dots.Colors, s.ink(i))
	}
	d.Add(dots)
	if i := s.Hover; i >= 0 && i < len(at) {
		d.Add(scene.Stroke{Path: scene.Circle(at[i].X, at[i].Y, 7), Width: 1.25, Color: s.Theme.Text})
	}
}

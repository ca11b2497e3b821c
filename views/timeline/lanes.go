package timeline

import (
	"image/color"
	"math"
	"strings"

	"orrery/views/palette"
	"orrery/views/scene"
)

// column is what one pixel column of a lane shows.
type column struct {
	x              float64
	low, mean, top float64
}

// reduce turns a lane's values into at most one column per pixel. Where values are narrower than pixels each column has
// the least, mean and largest value that it covers, so that no peak is lost; where they are wider it has one column for
// each value, at the middle of its stretch. Gaps (NaN) end a run: the result is a list of runs.
func reduce(l *Lane, g *geometry) [][]column {
	if len(l.Values) == 0 {
		return nil
	}
	step := float64(max(1, l.Step))
	first := float64(l.First)
	perPixel := float64(g.view.To-g.view.From) / g.plot.W() / step
	var runs [][]column
	var run []column
	end := func() {
		if len(run) > 0 {
			runs = append(runs, run)
			run = nil
		}
	}
	if perPixel <= 1 {
		from := max(0, int(math.Floor((float64(g.view.From)-first)/step))-1)
		to := min(len(l.Values), int(math.Ceil((float64(g.view.To)-first)/step))+1)
		for i := from; i < to; i++ {
			v := l.Values[i]
			if math.IsNaN(v) {
				end()
				continue
			}
			run = append(run, column{g.x(first + (float64(i)+0.5)*step), v, v, v})
		}
		end()
		return runs
	}
	for px := range int(math.Ceil(g.plot.W())) {
		x := g.plot.Min.X + float64(px)
		from := int(math.Floor((g.seq(x) - first) / step))
		to := int(math.Floor((g.seq(x+1) - first) / step))
		c, ok := cover(l.Values, from, to)
		if !ok {
			end()
			continue
		}
		c.x = x + 0.5
		run = append(run, c)
	}
	end()
	return runs
}

// cover is the least, mean and largest of values[from:to] as far as they exist.
func cover(values []float64, from, to int) (column, bool) {
	from, to = max(0, from), min(len(values), to)
	c := column{low: math.Inf(1), top: math.Inf(-1)}
	n := 0
	if from >= to {
		return c, false
	}
	// Comparisons instead of min and max: these look after NaN once more, which costs twice the time.
	for _, v := range values[from:to] {
		if v != v {
			continue
		}
		if v < c.low {
			c.low = v
		}
		if v > c.top {
			c.top = v
		}
		c.mean += v
		n++
	}
	if n == 0 {
		return c, false
	}
	c.mean /= float64(n)
	return c, true
}

// top is the value at the lane's full height.
func (l *Lane) top() float64 {
	if l.Max > 0 {
		return l.Max
	}
	top := 0.0
	for _, v := range l.Values {
		if v > top {
			top = v
		}
	}
	if top == 0 {
		return 1
	}
	return top
}

// most is that value as it is written, with the sign of a share.
func (l *Lane) most() string {
	text := Amount(l.top(), l.Unit == "bytes")
	if strings.HasPrefix(l.Unit, "%") {
		text += " %"
	}
	return text
}

// value is the lane's value at a reference, false where it has none.
func (l *Lane) value(at float64) (float64, bool) {
	i := math.Floor((at - float64(l.First)) / float64(max(1, l.Step)))
	if i < 0 || i >= float64(len(l.Values)) || math.IsNaN(l.Values[int(i)]) {
		return 0, false
	}
	return l.Values[int(i)], true
}

func drawLanes(d *scene.Drawing, s *State, g geometry) {
	for i := range s.Lanes {
		l, r := &s.Lanes[i], g.lanes[i]
		base := math.Round(r.Max.Y) - 0.5
		d.Add(scene.Stroke{Path: scene.Segment(r.Min.X, base, r.Max.X, base), Width: 1,
			Color: palette.Alpha(s.Theme.Faint, 0.45)})
		name := scene.Text{At: scene.Point{X: 12, Y: middle(r) + 4}, Size: 11, Color: s.Theme.Dim,
			Max: g.gutter - 20, S: l.Name}
		if r.H() >= 34 && len(l.Bands) == 0 {
			name.At.Y -= 6
			d.Add(scene.Text{At: scene.Point{X: 12, Y: middle(r) + 11}, Face: scene.Mono, Size: 9,
				Color: palette.Mix(s.Theme.Dim, s.Theme.Panel, 0.25), Max: g.gutter - 20,
				S: "max " + l.most()})
		}
		d.Add(name)
		if len(l.Bands) > 0 {
			d.Add(bands(s, l, g, r))
			continue
		}
		if len(l.Values) == 0 {
			d.Add(scene.Text{At: scene.Point{X: r.Min.X + 8, Y: middle(r) + 4}, Size: 10, Color: s.Theme.Dim,
				S: "not computed yet"})
			continue
		}
		d.Add(scene.Group{Clip: scene.Rect{Min: scene.Point{X: r.Min.X, Y: r.Min.Y - 1},
			Max: scene.Point{X: r.Max.X, Y: r.Max.Y + 1}}, Shapes: spark(s, l, g, r)})
	}
}

// spark is a lane's values as a filled curve: full tone up to the mean of a column, a lighter one up to its peak.
func spark(s *State, l *Lane, g geometry, r scene.Rect) []scene.Shape {
	top := l.top()
	y := func(v float64) float64 { return r.Max.Y - 1 - min(1, v/top)*(r.H()-2) }
	peaks, body := 0.22, 0.26
	if !s.Theme.Dark {
		peaks, body = 0.20, 0.22
	}
	var shapes []scene.Shape
	for _, run := range reduce(l, &g) {
		area := func(of func(column) float64) scene.Path {
			var p scene.Path
			p.Move(run[0].x, r.Max.Y)
			for _, c := range run {
				p.Line(c.x, y(of(c)))
			}
			p.Line(run[len(run)-1].x, r.Max.Y)
			p.Close()
			return p
		}
		if run[0].low != run[0].top || spread(run) {
			shapes = append(shapes, scene.Fill{Path: area(func(c column) float64 { return c.top }),
				Color: palette.Alpha(l.Color, peaks)})
		}
		shapes = append(shapes, scene.Fill{Path: area(func(c column) float64 { return c.mean }),
			Color: palette.Alpha(l.Color, body)})
		line := scene.Curves{Width: 1.1, Starts: []int{0}, Colors: []color.NRGBA{l.Color}}
		for _, c := range run {
			line.Points = append(line.Points, scene.Point{X: c.x, Y: y(c.mean)})
		}
		if len(run) == 1 {
			line.Points = append(line.Points, scene.Point{X: run[0].x + 1, Y: y(run[0].mean)})
		}
		shapes = append(shapes, line)
	}
	return shapes
}

func spread(run []column) bool {
	for _, c := range run {
		if c.low != c.top {
			return true
		}
	}
	return false
}

// bands is a lane of categories: one block of colour for each stretch, named where the name fits.
func bands(s *State, l *Lane, g geometry, r scene.Rect) scene.Group {
	group := scene.Group{Clip: r}
	last := math.Inf(-1)
	for _, b := range l.Bands {
		x0, x1 := max(r.Min.X, g.x(float64(b.Span.From))), min(r.Max.X, g.x(float64(b.Span.To)))
		if x1 <= x0 || x1 < last+0.5 {
			continue // out of view, or within the half pixel that the one before has painted
		}
		last = x1
		h := min(r.H(), 14)
		box := scene.R(x0, middle(r)-h/2, max(0.75, x1-x0-0.75), h)
		group.Shapes = append(group.Shapes, scene.Fill{Path: scene.RoundBox(box, 2), Color: palette.Alpha(b.Color, 0.55)})
		if x1-x0 > 40 && r.H() >= bandNeed {
			group.Shapes = append(group.Shapes, scene.Text{At: scene.Point{X: x0 + 5, Y: middle(r) + 3.5}, Size: 10,
				Color: s.Theme.Text, Max: x1 - x0 - 10, S: b.Name})
		}
	}
	return group
}

func middle(r scene.Rect) float64 { return (r.Min.Y + r.Max.Y) / 2 }

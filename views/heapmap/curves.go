package heapmap

import (
	"context"
	"image/color"
	"math"

	"orrery/analysis/heap"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// Curves of what the heap does, under the map and over the same time: occupancy, waste, fragmentation and, where it was
// logged, how long the allocator took to answer.

const (
	curveH    = 30.0
	mostCurve = 600 // columns: each costs a look at the live blocks
)

// metric is one curve.
type metric struct {
	name string
	of   func(p *heap.Point) float64 // NaN where there is nothing to say
	text func(v float64) string
	log  bool // drawn by its logarithm: most answers take nanoseconds, some a millisecond
}

// height is a value in the curve's own scale.
func (m *metric) height(v float64) float64 {
	if m.log {
		return math.Log2(1 + v)
	}
	return v
}

var metrics = []metric{
	{"bytes", func(p *heap.Point) float64 { return float64(p.Bytes) }, func(v float64) string { return words.Bytes(uint64(v)) }, false},
	{"waste", func(p *heap.Point) float64 { return float64(p.Waste) / float64(max(p.Bytes+p.Waste, 1)) }, func(v float64) string { return trim(100*v) + " %" }, false},
	{"fragmentation", func(p *heap.Point) float64 { return p.Fragmentation() }, trim, false},
	{"response", func(p *heap.Point) float64 {
		if p.Answered == 0 {
			return math.NaN()
		}
		return float64(p.Latency) / float64(p.Answered)
	}, nanoseconds, true},
}

// metricsOf are those that a heap has.
func metricsOf(h *heap.Heap) []metric {
	if h.Latency() == nil {
		return metrics[:3]
	}
	return metrics
}

// curveKey is what curves depend on.
type curveKey struct {
	h        *heap.Heap
	from, to heap.Time
	n        int
}

// measured is the points of the curves in a layout, nil while they are being measured for the first time.
func (r *Renderer) measured(s *State, l *layout) []heap.Point {
	k := curveKey{s.Heap, l.from, l.to, int(min(mostCurve, max(2, l.plot.W()/2)))}
	c, _ := r.get("curves", k, func(ctx context.Context) any {
		c, err := k.h.Curves(ctx, k.from, k.to, k.n)
		if err != nil { // cancelled
			return nil
		}
		return c
	}).(*heap.Curves)
	if c == nil {
		return nil
	}
	if s.Bin > 0 && s.Bin <= len(c.Bins) {
		return c.Bins[s.Bin-1]
	}
	return c.Total
}

// drawCurves draws the curves below the bar.
func (r *Renderer) drawCurves(d *scene.Drawing, s *State, l *layout) {
	if l.curves.H() <= 0 {
		return
	}
	points := r.measured(s, l)
	list := metricsOf(s.Heap)
	for i, m := range list {
		box := scene.R(l.curves.Min.X, l.curves.Min.Y+curveH*float64(i)+3, l.curves.W(), curveH-5)
		d.Add(scene.Stroke{Path: scene.Segment(box.Min.X, box.Max.Y, box.Max.X, box.Max.Y), Width: 0.5, Color: s.Theme.Faint},
			scene.Text{At: scene.Point{X: box.Min.X - 6, Y: box.Max.Y - 2}, Size: 9.5, Color: s.Theme.Dim, Align: 1, Max: gutterWide - 8, S: m.name})
		if len(points) < 2 {
			continue
		}
		drawMetric(d, s, l, &m, box, points)
	}
}

func drawMetric(d *scene.Drawing, s *State, l *layout, m *metric, box scene.Rect, points []heap.Point) {
	most := 0.0
	for i := range points {
		if v := m.of(&points[i]); v > most {
			most = v
		}
	}
	ink := palette.Qualitative(s.Theme, 0)
	line := scene.Curves{Width: 1.25, Colors: []color.NRGBA{ink}}
	var under scene.Path
	open := false
	for i := range points {
		v := m.of(&points[i])
		if math.IsNaN(v) {
			open = false
			continue
		}
		at := scene.Point{X: l.x(float64(points[i].At)), Y: box.Max.Y - m.height(v)/max(m.height(most), 1e-12)*(box.H()-2)}
		at.X = min(max(at.X, box.Min.X), box.Max.X)
		if !open {
			line.Starts = append(line.Starts, len(line.Points))
			if len(under.Ops) > 0 {
				under.Line(line.Points[len(line.Points)-1].X, box.Max.Y)
				under.Close()
			}
			under.Move(at.X, box.Max.Y)
			open = true
		}
		line.Points = append(line.Points, at)
		under.Line(at.X, at.Y)
	}
	if len(line.Points) == 0 {
		return
	}
	under.Line(line.Points[len(line.Points)-1].X, box.Max.Y)
	under.Close()
	d.Add(scene.Group{Clip: box, Shapes: []scene.Shape{scene.Fill{Path: under, Color: palette.Alpha(ink, 0.16)}, line}},
		scene.Text{At: scene.Point{X: box.Max.X + 6, Y: box.Min.Y + 8}, Face: scene.Mono, Size: 9, Color: s.Theme.Dim, Max: l.size.W - box.Max.X - 8, S: m.text(most)})
}

// hitCurves tells the numbers under the pointer.
func (r *Renderer) hitCurves(s *State, l *layout, p scene.Point) []string {
	points := r.measured(s, l)
	if len(points) == 0 {
		return nil
	}
	i := int(float64(len(points)) * (p.X - l.plot.Min.X) / l.plot.W())
	x := &points[min(max(i, 0), len(points)-1)]
	lines := []string{"at " + words.Count(uint64(x.At)) + " " + s.Heap.Axis.Unit()}
	for _, m := range metricsOf(s.Heap) {
		if v := m.of(x); !math.IsNaN(v) {
			lines = append(lines, m.name+" "+m.text(v))
		}
	}
	return append(lines, words.Plural(uint64(x.Blocks), "block")+", "+words.Plural(uint64(x.Events), "event"))
}

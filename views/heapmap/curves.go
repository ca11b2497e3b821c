package heapmap

import (
	"context"
	"image/color"
	"math"
	"slices"

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

// metric is one curve: in each column the least and the greatest value, which is what the line shows, so that no peak
// is too short to be seen. NaN is where there is nothing to say.
type metric struct {
	name string
	of   func(p *heap.Point) (low, high float64)
	text func(v float64) string
	tell func(low, high string) string // what the tooltip says of a column
	log  bool                          // drawn by its logarithm: most answers take nanoseconds, some a millisecond
}

// height is a value in the curve's own scale.
func (m *metric) height(v float64) float64 {
	if m.log {
		return math.Log2(1 + v)
	}
	return v
}

// Waste and fragmentation are measured at the end of a column alone, the latter since it costs a look at all live
// blocks.
var metrics = []metric{
	{"bytes", func(p *heap.Point) (low, high float64) { return float64(p.Low), float64(p.High) },
		func(v float64) string { return words.Bytes(uint64(v)) }, func(low, high string) string {
			if low == high {
				return "bytes " + high
			}
			return "bytes " + low + " to " + high
		}, false},
	{"waste", atEnd(func(p *heap.Point) float64 { return float64(p.Waste) / float64(max(p.Bytes+p.Waste, 1)) }),
		func(v float64) string { return trim(100*v) + " %" }, sayEnd("waste"), false},
	{"fragmentation", atEnd((*heap.Point).Fragmentation), trim, sayEnd("fragmentation"), false},
	{"response", func(p *heap.Point) (mean, slowest float64) {
		if p.Answered == 0 {
			return math.NaN(), math.NaN()
		}
		return float64(p.Latency) / float64(p.Answered), float64(p.Slowest)
	}, nanoseconds,
		func(mean, slowest string) string { return "response " + mean + " on average, " + slowest + " at most" }, true},
}

func atEnd(of func(p *heap.Point) float64) func(p *heap.Point) (low, high float64) {
	return func(p *heap.Point) (low, high float64) { v := of(p); return v, v }
}

func sayEnd(name string) func(low, high string) string {
	return func(_, v string) string { return name + " " + v + " at the end" }
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
			scene.Text{At: scene.Point{X: box.Min.X - 6, Y: box.Max.Y - 2}, Size: 9.5, Color: s.Theme.Dim, Align: 1,
				Max: gutterWide - 8, S: m.name})
		if len(points) < 2 {
			continue
		}
		drawMetric(d, s, l, &m, box, points)
	}
}

// drawMetric draws one curve: a line of each column's greatest value, and below it a band to the least.
func drawMetric(d *scene.Drawing, s *State, l *layout, m *metric, box scene.Rect, points []heap.Point) {
	most := 0.0
	if m.name == "bytes" { // two runs are on one scale
		most = float64(s.Peak)
	}
	for i := range points {
		if _, v := m.of(&points[i]); v > most {
			most = v
		}
	}
	ink := palette.Qualitative(s.Theme, 0)
	line := scene.Curves{Width: 1.25, Colors: []color.NRGBA{ink}}
	var under, band scene.Path
	y := func(v float64) float64 { return box.Max.Y - m.height(v)/max(m.height(most), 1e-12)*(box.H()-2) }
	for i := 0; i < len(points); i++ {
		if _, v := m.of(&points[i]); math.IsNaN(v) {
			continue
		}
		first := i
		for ; i < len(points); i++ {
			if _, v := m.of(&points[i]); math.IsNaN(v) {
				break
			}
		}
		top, bottom := l.outline(m, points, first, i, y, box)
		line.Starts = append(line.Starts, len(line.Points))
		line.Points = append(line.Points, top...)
		enclose(&band, top, bottom)
		enclose(&under, bottom, []scene.Point{{X: bottom[0].X, Y: box.Max.Y}, {X: bottom[len(bottom)-1].X, Y: box.Max.Y}})
	}
	if len(line.Points) == 0 {
		return
	}
	d.Add(scene.Group{Clip: box, Shapes: []scene.Shape{scene.Fill{Path: under, Color: palette.Alpha(ink, 0.16)},
		scene.Fill{Path: band, Color: palette.Alpha(ink, 0.38)}, line}},
		scene.Text{At: scene.Point{X: box.Max.X + 6, Y: box.Min.Y + 8}, Face: scene.Mono, Size: 9, Color: s.Theme.Dim,
			Max: l.size.W - box.Max.X - 8, S: m.text(most)})
}

// outline is the line through the greatest values of columns [first, end), and that through the least, from the edge of
// the first column over the middles of all to the edge of the last.
func (l *layout) outline(m *metric, points []heap.Point, first, end int,
	y func(v float64) float64, box scene.Rect) (top, bottom []scene.Point) {
	edge := func(i int) float64 {
		t := l.to
		if i < len(points) {
			t = points[i].At
		}
		return min(max(l.x(float64(t)), box.Min.X), box.Max.X)
	}
	add := func(x float64, i int) {
		low, high := m.of(&points[i])
		top, bottom = append(top, scene.Point{X: x, Y: y(high)}), append(bottom, scene.Point{X: x, Y: y(low)})
	}
	add(edge(first), first)
	for i := first; i < end; i++ {
		add((edge(i)+edge(i+1))/2, i)
	}
	add(edge(end), end-1)
	return top, bottom
}

// enclose adds what is between two lines, both from left to right.
func enclose(p *scene.Path, a, b []scene.Point) {
	p.Move(a[0].X, a[0].Y)
	for _, q := range a[1:] {
		p.Line(q.X, q.Y)
	}
	for _, q := range slices.Backward(b) {
		p.Line(q.X, q.Y)
	}
	p.Close()
}

// hitCurves tells the numbers under the pointer.
func (r *Renderer) hitCurves(s *State, l *layout, p scene.Point) []string {
	points := r.measured(s, l)
	if len(points) == 0 {
		return nil
	}
	i := int(float64(len(points)) * (p.X - l.plot.Min.X) / l.plot.W())
	i = min(max(i, 0), len(points)-1)
	x, end := &points[i], l.to
	if i+1 < len(points) {
		end = points[i+1].At
	}
	lines := []string{"from " + words.Count(uint64(x.At)) + " to " + words.Count(uint64(end)) + " " + s.Heap.Axis.Unit()}
	for _, m := range metricsOf(s.Heap) {
		if low, high := m.of(x); !math.IsNaN(high) {
			lines = append(lines, m.tell(m.text(low), m.text(high)))
		}
	}
	return append(lines, words.Plural(uint64(x.Blocks), "block")+", "+words.Plural(uint64(x.Events), "event"))
}

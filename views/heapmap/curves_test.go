package heapmap

import (
	"math"
	"strings"
	"testing"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// burst is a heap of a few blocks that for one event in the middle of nowhere has a large one.
func burst(t *testing.T) *heap.Heap {
	var log []traceio.Alloc
	for i := range 40 {
		log = append(log, traceio.Alloc{Seq: traceio.Seq(100 * i), Addr: traceio.Addr(0x1000 + 256*i), Size: 200, Stack: 1})
	}
	log = append(log, traceio.Alloc{Seq: 55_003, Addr: 0x100000, Size: 1 << 20, Stack: 2},
		traceio.Alloc{Seq: 55_004, Addr: 0x100000, Op: traceio.Free, Stack: 2})
	return build(t, log, 100_000)
}

// curveOf is the line of the first curve of a drawing, and its number at the right.
func curveOf(t *testing.T, d scene.Drawing) (line []scene.Point, most string) {
	t.Helper()
	for i, x := range d.Shapes {
		if g, ok := x.(scene.Group); ok && len(g.Shapes) == 3 {
			if c, ok := g.Shapes[2].(scene.Curves); ok {
				return c.Points, d.Shapes[i+1].(scene.Text).S
			}
		}
	}
	t.Fatal("no curve is drawn")
	return nil, ""
}

// The curve of bytes shows in each column the most that was ever live there, and its scale is the peak that the bar
// names.
func TestCurveKeepsShortPeaks(t *testing.T) {
	h := burst(t)
	size := scene.Size{W: 900, H: 500, Scale: 1}
	s := State{Theme: palette.Dark(), Heap: h, Curves: true, NoCursor: true}
	var r Renderer
	line, most := curveOf(t, r.Scene(s, size))
	if most != words.Bytes(h.PeakBytes) {
		t.Errorf("the curve's scale is %s, the peak %s", most, words.Bytes(h.PeakBytes))
	}
	l := newLayout(&s, size)
	floor := l.curves.Min.Y + curveH - 2
	highest := scene.Point{Y: math.Inf(1)}
	points := r.measured(&s, &l)
	for i, p := range line {
		if p.Y < highest.Y {
			highest = p
		}
		if i == 0 || i == len(line)-1 {
			continue
		}
		from, to := points[i-1].At, l.to
		if i < len(points) {
			to = points[i].At
		}
		_, high := h.Occupancy(from, to)
		if want := floor - float64(high)/float64(h.PeakBytes)*(curveH-7); math.Abs(p.Y-want) > 0.01 {
			t.Fatalf("from %d to %d at most %d bytes are live, and the line is at %g, want %g", from, to, high, p.Y, want)
		}
	}
	if x := l.x(55_003); math.Abs(highest.X-x) > 2 || highest.Y > l.curves.Min.Y+6 {
		t.Errorf("the peak is drawn at %v, want at %g", highest, x)
	}
	told := strings.Join(hitAt(s, size, scene.Point{X: l.x(55_003), Y: l.curves.Center().Y}).Lines, "|")
	if !strings.Contains(told, "bytes 7.8 KiB to 1 MiB") {
		t.Errorf("the column of the peak tells %q", told)
	}
	s.Peak = 4 * h.PeakBytes // of a run beside
	if line, most = curveOf(t, r.Scene(s, size)); most != words.Bytes(s.Peak) {
		t.Errorf("beside a run with four times the bytes the scale is %s", most)
	}
	least := math.Inf(1)
	for _, p := range line {
		least = min(least, p.Y)
	}
	if want := floor - 0.25*(curveH-7); math.Abs(least-want) > 0.01 {
		t.Errorf("a quarter of the scale is at %g, want %g", least, want)
	}
}

// Where nothing was answered a curve of response times has no line, and elsewhere it shows the slowest answer.
func TestCurveOfResponses(t *testing.T) {
	m := &metrics[3]
	l := layout{to: 40, plot: scene.R(0, 0, 40, 100), perTime: 1, axis: axis{scale: 1}}
	var d scene.Drawing
	box := scene.R(0, 0, 40, 32)
	drawMetric(&d, &State{Theme: palette.Dark()}, &l, m, box, []heap.Point{{At: 0, Answered: 2, Latency: 40, Slowest: 31},
		{At: 10}, {At: 20, Answered: 4, Latency: 1000, Slowest: 1023}, {At: 30, Answered: 1, Latency: 31, Slowest: 31}})
	line, most := curveOf(t, d)
	want := []scene.Point{{X: 0, Y: 17}, {X: 5, Y: 17}, {X: 10, Y: 17}, {X: 20, Y: 2}, {X: 25, Y: 2},
		{X: 35, Y: 17}, {X: 40, Y: 17}}
	if most != "1.0 µs" || len(line) != len(want) {
		t.Fatalf("up to %s, the line is %v", most, line)
	}
	for i, p := range line {
		if math.Hypot(p.X-want[i].X, p.Y-want[i].Y) > 1e-9 {
			t.Errorf("point %d is at %v, want %v", i, p, want[i])
		}
	}
}

package heapmap

import (
	"math"
	"testing"

	"orrery/traceio"
	"orrery/views/palette"
	"orrery/views/scene"
)

// What the pointer seizes goes along with it: the map one to one, and the frame of the strip from where it was seized.
func TestDragsFollowThePointer(t *testing.T) {
	s := State{Theme: palette.Dark(), Heap: build(t, []traceio.Alloc{
		{Seq: 10, Addr: 0x1000, Size: 0x4000, Stack: 1}, {Seq: 20, Addr: 0x5000, Size: 0xb000, Stack: 2}}, 100000)}
	size := scene.Size{W: 1000, H: 340, Scale: 1}
	s.From, s.To, s.Low, s.High = 40000, 60000, 0x4000, 0x8000
	l := newLayout(&s, size)
	from, to := l.plot.Center(), l.plot.Center()
	to.X, to.Y = to.X-90, to.Y+40
	moved := DragMap(s, size, from, to)
	m := newLayout(&moved, size)
	if a, b := l.time(from.X), m.time(to.X); math.Abs(a-b) > 2*float64(l.to-l.from)/l.plot.W() {
		t.Errorf("time %g was seized, %g is under the pointer", a, b)
	}
	if a, b := l.axis.addr(from.Y-l.plot.Min.Y), m.axis.addr(to.Y-m.plot.Min.Y); max(a, b)-min(a, b) >
		0x4000*3/traceio.Addr(l.plot.H()) {
		t.Errorf("address %v was seized, %v is under the pointer", a, b)
	}

	whole := l.wholeAxis(&s)
	f := contextFrame(&s, &l, &whole)
	seized := scene.Point{X: f.Max.X - 1, Y: f.Min.Y + 3}
	if still := DragContext(s, size, seized, seized); still.From != s.From || still.Low != s.Low {
		t.Errorf("a press on the frame moves the window to %d, %v", still.From, still.Low)
	}
	after := DragContext(s, size, seized, scene.Point{X: seized.X + 10, Y: seized.Y + 20})
	n := newLayout(&after, size)
	if g := contextFrame(&after, &n, &whole); math.Abs(g.Min.X-f.Min.X-10) > 1.5 || math.Abs(g.Min.Y-f.Min.Y-20) > 1.5 {
		t.Errorf("the frame went from %v to %v", f.Min, g.Min)
	}
	beside := scene.Point{X: l.context.Min.X + 2, Y: l.context.Max.Y - 2}
	if jump := DragContext(s, size, beside, beside); jump.From != 0 || jump.Low > 0x1000 {
		t.Errorf("a press beside the frame moves the window to %d, %v", jump.From, jump.Low)
	}

	s.Page = AddressPage
	cells, _, _ := grid(&s, size)
	c := cells[0]
	p := c.plot.Center()
	q := scene.Point{X: p.X - 20, Y: p.Y - 30}
	moved = DragMap(s, size, p, q)
	again, _, _ := grid(&moved, size)
	if a, b := c.time(p.X), again[0].time(q.X); math.Abs(a-b) > 2*float64(l.to-l.from)/c.plot.W() || moved.Low != s.Low {
		t.Errorf("on a page of bins time %g was seized, %g is under the pointer; addresses from %v to %v", a,
			b, s.Low, moved.Low)
	}
}

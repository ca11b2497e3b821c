package heapmap

import (
	"testing"

	"orrery/analysis/heap"
	"orrery/analysis/region"
	"orrery/traceio"
	"orrery/views/golden"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// The pictures of a few states as SVG, the map's pixels included. Look at them in a browser before accepting a change.
func TestGoldens(t *testing.T) {
	h := story(t)
	all := State{Theme: palette.Dark(), Heap: h, Cursor: 3000}
	with := func(change func(*State)) State {
		s := all
		change(&s)
		return s
	}
	faulty := build(t, []traceio.Alloc{
		{Seq: 10, Addr: 0x1000, Size: 900, Stack: 1}, {Seq: 30, Addr: 0x1200, Size: 300, Stack: 2},
		{Seq: 60, Addr: 0x1000, Op: traceio.Free}, {Seq: 70, Addr: 0x1000, Op: traceio.Free},
	}, 100)
	late := build(t, []traceio.Alloc{{Seq: 9000, Addr: 0x1000, Size: 900, Stack: 1}}, 10000)
	grown := build(t, []traceio.Alloc{
		{Seq: 10, Addr: 0x1000, Size: 64, Stack: 1}, {Seq: 90, Addr: 0x1000, Op: traceio.Free, Stack: 1},
		{Seq: 90, Addr: 0x1400, Size: 128, Stack: 1},
		{Seq: 300, Addr: 0x1400, Op: traceio.Free, Stack: 1}, {Seq: 300, Addr: 0x1100, Size: 300, Stack: 1},
	}, 500)
	uses := make([]region.BlockUse, h.Count())
	for i := range uses {
		uses[i] = region.BlockUse{Use: region.Use{Loads: uint64(i * 7 % 90)}, First: h.Alloc(h.Block(i)) + 2,
			Last: h.Alloc(h.Block(i)) + 90}
	}
	few := scene.Size{W: 640, H: 260, Scale: 1}
	large := scene.Size{W: 760, H: 420, Scale: 1}
	for _, row := range []struct {
		name string
		s    State
		size scene.Size
	}{
		{"whole-dark", all, few},
		{"whole-light", with(func(s *State) { s.Theme, s.Cushion = palette.Light(), Parabolic }), few},
		{"region", with(func(s *State) { s.Selected = link.Thing{What: link.Region, Name: "heap@table.c:43"} }), few},
		{"block", with(func(s *State) {
			s.Low, s.High, s.From, s.To = 0x40c000, 0x40e000, 300, 1500
			s.Selected, s.Hover = BlockThing(h, 40), BlockThing(h, 60)
		}), few},
		{"lifetime", with(func(s *State) { s.Color = Lifetime }), few},
		{"hidden", with(func(s *State) { s.Hidden = []bool{false, true} }), few},
		{"bar-a", with(func(s *State) { s.Bar = BarFlat }), few},
		{"bar-b", with(func(s *State) { s.Bar = BarOutlined }), few},
		{"bar-d", with(func(s *State) { s.Bar = BarPlateauAll }), few},
		{"bar-e", with(func(s *State) { s.Bar = BarParabolic }), few},
		{"bar-f", with(func(s *State) { s.Bar = BarParabolicAll }), few},
		{"plain", with(func(s *State) { s.Plain = true }), few},
		{"heat", with(func(s *State) { s.Color, s.Use = Heat, uses }), few},
		{"lag", with(func(s *State) { s.Color, s.Use, s.Theme = Lag, uses, palette.Light() }), few},
		{"drag", with(func(s *State) { s.Color, s.Use = Drag, uses }), few},
		{"bin", with(func(s *State) { s.Bin = 1 }), few},
		{"curves", with(func(s *State) { s.Curves = true }), large},
		{"cursors", with(func(s *State) { s.Cursors, s.Levels, s.Softness = []heap.Time{900, 5200}, []float64{0.4}, 40 }),
			few},
		{"bins-by-address", with(func(s *State) { s.Page, s.Color = AddressPage, Waste }), large},
		{"bins-by-time-light", with(func(s *State) { s.Page, s.Theme = TimePage, palette.Light() }), large},
		{"bins-by-bars", with(func(s *State) { s.Page = BarsPage }), few},
		{"late", State{Theme: palette.Dark(), Heap: late, NoCursor: true}, few},
		{"before", State{Theme: palette.Light(), Heap: late, NoCursor: true, From: 100, To: 900}, few},
		{"chain", State{Theme: palette.Dark(), Heap: grown, NoCursor: true, Selected: BlockThing(grown, 1)}, few},
		{"inside", with(func(s *State) {
			s.Low, s.High = 0x405000, 0x406800
			s.Selected, s.Inside = BlockThing(h, 1),
				&Inside{1, [][]uint32{{0, 1, 0, 0, 9, 9}, {0, 0, 0, 0, 0, 0}, {2, 0, 4, 0, 30, 0}}}
		}), few},
		{"low", all, scene.Size{W: 320, H: 130, Scale: 1}},
		{"errors", State{Theme: palette.Dark(), Heap: faulty, NoCursor: true}, few},
		{"empty", State{Theme: palette.Dark(), Heap: &heap.Heap{}}, few},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			golden.Check(t, row.name, Scene(row.s, row.size))
		})
	}
}

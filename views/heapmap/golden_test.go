package heapmap

import (
	"testing"

	"orrery/analysis/heap"
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
		{Seq: 10, Addr: 0x1000, Size: 900, Stack: 1}, {Seq: 30, Addr: 0x1200, Size: 300, Stack: 2}, {Seq: 60, Addr: 0x1000, Op: traceio.Free}, {Seq: 70, Addr: 0x1000, Op: traceio.Free},
	}, 100)
	few := scene.Size{W: 640, H: 260, Scale: 1}
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
		{"low", all, scene.Size{W: 320, H: 130, Scale: 1}},
		{"errors", State{Theme: palette.Dark(), Heap: faulty, NoCursor: true}, few},
		{"empty", State{Theme: palette.Dark(), Heap: &heap.Heap{}}, few},
	} {
		t.Run(row.name, func(t *testing.T) { golden.Check(t, row.name, Scene(row.s, row.size)) })
	}
}

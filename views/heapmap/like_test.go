package heapmap

import (
	"image/color"
	"testing"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/views/palette"
)

// What is in both runs has one colour in both, and what is in one of them alone is grey; each block is of its own class
// still.
func TestLikeAnotherRun(t *testing.T) {
	mine, other := story(t), crowd(t, 2000, 4)
	for by := range Size {
		var r Renderer
		s := State{Theme: palette.Dark(), Heap: mine, Color: by}
		of := map[string]color.NRGBA{}
		for _, e := range r.Legend(s) {
			of[e.Name] = e.Color
		}
		s.Heap, s.Like = other, r.Like(s)
		alone := State{Theme: s.Theme, Heap: other, Color: by}
		shared := 0
		for _, e := range legendOf(alone) {
			if _, ok := of[e.Name]; ok {
				shared++
			}
		}
		c := newColoring(&s)
		blocks := make([]uint64, len(c.entries))
		for _, class := range c.class {
			blocks[class]++
		}
		for i, e := range c.entries {
			if blocks[i] != e.Blocks {
				t.Errorf("%s: %d blocks are of %s, want %d", by, blocks[i], e.Name, e.Blocks)
			}
			if want, ok := of[e.Name]; shared > 0 && (ok && e.Color != want || !ok && e.Color != palette.Others(s.Theme)) {
				t.Errorf("%s: %s has %v, want %v", by, e.Name, e.Color, want)
			}
		}
		if got := legendOf(alone); shared == 0 && len(got) != len(c.entries) {
			t.Errorf("%s: nothing is in both, and there are %d classes, want %d", by, len(c.entries), len(got))
		}
		if (by == Site || by == Function) && shared < 3 {
			t.Errorf("%s: only %d classes are in both", by, shared)
		}
	}
}

// Amounts of both are on one map; what lies beyond its ends counts as its ends.
func TestAmountsLikeAnotherRun(t *testing.T) {
	sizes := func(list ...uint64) *heap.Heap {
		var log []traceio.Alloc
		for i, n := range list {
			log = append(log, traceio.Alloc{Seq: traceio.Seq(i), Addr: traceio.Addr(0x1000 * (i + 1)), Size: n})
		}
		return build(t, log, 9)
	}
	var r Renderer
	s := State{Theme: palette.Dark(), Heap: sizes(16, 1024), Color: Size}
	s.Heap, s.Like = sizes(4, 128, 4000), r.Like(s)
	c := newColoring(&s)
	for i, id := range s.Heap.Order() {
		if want := []float32{0, 0.5, 1}[id]; c.amount[i] != want {
			t.Errorf("block %d has the amount %g, want %g", id, c.amount[i], want)
		}
	}
	if c.low != 16 || c.high != 1024 {
		t.Errorf("the map goes from %g to %g", c.low, c.high)
	}
}

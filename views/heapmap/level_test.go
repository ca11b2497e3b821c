package heapmap

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/views/palette"
)

// Adding the blocks of a level leaf at once gives the sums that strokes of them give, to the last bit: of blocks that
// are cut or out of sight, long, short, dimmed, and of some that are not narrow. Leaves that are not quite level are
// told from those that are.
func TestLevelLeavesAddWhatTheirStrokesAdd(t *testing.T) {
	if !vectors {
		t.Skip("needs a processor with AVX2: without it strokes are made of all blocks")
	}
	r := rand.New(rand.NewPCG(8, 8))
	s := State{Theme: palette.Dark(), Heap: story(t)}
	level, not := 0, 0
	for round := range 3000 {
		s.Cushion, s.Selected = []Cushion{Plateau, Parabolic, Flat}[round%3], SiteThing(&s.Heap.Sites[1])
		if round%2 == 0 {
			s.Selected.Name, s.Selected.What = "", 0
		}
		s.Alpha = []float64{0.05, 0.35, 1, 2}[r.IntN(4)]
		c := canvas{look: newLook(&s, newColoring(&s), nil), w: 1 + r.IntN(200), rows: 40, left: float64(r.IntN(50)),
			perTime: math.Exp(-6 * r.Float64()), bin: -1, out: image.NewRGBA(image.Rectangle{})}
		g := segment{rows: [2]int{0, c.rows}, roof: 1 << 40, perAddr: math.Exp(-5 - 7*r.Float64())}
		high := []float64{0.01, 0.02, 0.1}[r.IntN(3)]/g.perAddr - 1
		leaf := heap.Leaf{First: r.IntN(100), Box: heap.Rect{From: heap.Time(50 + r.IntN(40)),
			Low: traceio.Addr((23 + 10*r.Float64()) / g.perAddr)}, IDs: make([]int32, 1+r.IntN(64))}
		wide := math.Exp(9*r.Float64()) / c.perTime
		for range leaf.IDs {
			o := heap.Offset{Low: uint32(r.Float64() * 0.3 / g.perAddr), Size: 1 + uint32(r.Float64()*max(0, high)),
				From: uint32(r.Float64() * 100 / c.perTime), Span: 1 + uint32(r.Float64()*r.Float64()*wide)}
			leaf.Offsets = append(leaf.Offsets, o)
			leaf.Box.To, leaf.Box.High = max(leaf.Box.To, leaf.Box.From+heap.Time(o.From+o.Span)),
				max(leaf.Box.High, leaf.Box.Low+traceio.Addr(o.Low+o.Size))
		}
		sums := func(flat bool) ([]cell, []uint8) {
			p := c.painter()
			p.flush = func(list []stroke) { p.weigh(&g, p.r0, list) }
			p.bottom, p.r0, p.r1 = float64(c.rows), 8, 16
			p.brush.cells, p.brush.marks = make([]cell, len(p.brush.cells)), make([]uint8, len(p.brush.marks))
			for i := range bandRows {
				p.brush.rows[i], p.brush.lines[i] = &p.brush.cells[i*p.brush.across], &p.brush.marks[i*p.brush.marked]
			}
			p.setArgs(&g)
			if p.flat = flat; flat {
				p.flatten(&g)
			}
			p.leaf(&g, &leaf, 0, 1<<50)
			p.drain()
			return p.brush.cells, p.brush.marks
		}
		at := leafAt{Leaf: &leaf, g: &g, y: float64(c.rows) - float64(leaf.Box.Low)*g.perAddr}
		p := c.painter()
		p.r0, p.r1 = 8, 16
		row, ok := p.rowOf(&at)
		low, top := at.y, at.y-float64(leaf.Box.High-leaf.Box.Low)*g.perAddr
		if ok {
			if level++; math.Floor(low) != math.Floor(top) || int(low)-8 != row || row < 0 || row >= bandRows {
				t.Fatalf("round %d: from %g to %g is level in row %d", round, top, low, row)
			}
		} else if not++; math.Floor(low+1e-5) == math.Floor(top-1e-5) && low > 8.1 && low < 15.9 {
			t.Fatalf("round %d: from %g to %g is not level", round, top, low)
		}
		got, seen := sums(true)
		want, marks := sums(false)
		for i := range got {
			for k := range got[i] {
				if got[i][k] != want[i][k] {
					t.Fatalf("round %d: sum %d of column %d in row %d is %g, want %g", round, k, i%(c.w+2), i/(c.w+2),
						got[i][k], want[i][k])
				}
			}
		}
		for i := range marks {
			if marks[i] > seen[i] {
				t.Fatalf("round %d: mark %d of %d is missing", round, i, len(marks))
			}
		}
	}
	if level < 500 || not < 500 {
		t.Errorf("%d leaves were level, %d were not", level, not)
	}
}

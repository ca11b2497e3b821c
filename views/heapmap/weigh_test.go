package heapmap

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
)

// However a processor adds strokes, the sums are the same to the last bit.
func TestScatterIsTheSameOnEveryProcessor(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	const w = 100
	tones := new(shades)
	for i := range tones {
		tones[i] = cell{2: 1, r.Float32(), r.Float32(), r.Float32()}
	}
	for i, alpha := range []float64{0.05, 0.35, 1, 2, 0.35, 1} {
		weights := ditherLoss(maxClasses+1, alpha)
		var got, want brush
		got.fit(w)
		want.fit(w)
		for _, b := range []*brush{&got, &want} {
			b.shades, b.pow, b.colorWeight = tones, newPower(alpha, 0), newPower(2*max(0, 1-alpha), leastWeight)
			for i := range b.dither {
				b.dither[i] = &weights[i]
			}
			if i >= 4 { // amounts
				b.shades = nil
			}
		}
		for i := range 500 {
			a := r.IntN(w)
			s := stroke{a: uint16(a), b: uint16(a + r.IntN(w-a)), f0: r.Float32(), f1: r.Float32(), fy: 1 - r.Float32(),
				light: r.Float32(), value: 1 - r.Float32(),
				row: uint8(r.IntN(bandRows)), class: uint8(r.IntN(maxClasses + 1)), dither: uint8(r.IntN(256))}
			if i%3 == 0 {
				s.class |= dimStroke
			}
			if i%5 == 0 || s.a == s.b {
				s.f1, s.value, s.fy = 1, 1, 1
			}
			got.strokes = append(got.strokes, s)
		}
		want.strokes = got.strokes
		got.scatter()
		want.scatterAny()
		for i := range got.cells {
			for k := range got.cells[i] {
				if math.Float32bits(got.cells[i][k]) != math.Float32bits(want.cells[i][k]) {
					t.Fatalf("alpha %g: sum %d of column %d in row %d is %g, want %g", alpha, k, i%got.across, i/got.across,
						got.cells[i][k], want.cells[i][k])
				}
			}
		}
		if string(got.marks) != string(want.marks) {
			t.Fatalf("alpha %g: marks are %v, want %v", alpha, got.marks, want.marks)
		}
	}
}

// However a processor makes strokes, they are the same to the last bit: of blocks that are cut or out of sight, in one
// row and in several, wide, high, with room for a relief and without.
func TestStrokesAreTheSameOnEveryProcessor(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	s := State{Theme: palette.Dark(), Heap: story(t)}
	var looks []*look
	for _, change := range []func(){
		func() { s.Color = Site }, func() { s.Hidden = []bool{false, true, false, true} }, func() {
			s.Selected = SiteThing(&s.Heap.Sites[1])
		},
		func() { s.Color, s.Hidden = Size, nil }, func() { s.Selected = link.Thing{} },
	} {
		change()
		colors := newColoring(&s)
		for s.Cushion = Plateau; s.Cushion <= Flat; s.Cushion++ {
			looks = append(looks, newLook(&s, colors, nil))
		}
	}
	for round := range 2400 {
		c := canvas{look: looks[round%len(looks)], w: 1 + r.IntN(200), rows: 40, left: float64(r.IntN(50)),
			perTime: math.Exp(-6 * r.Float64()), bin: []int{-1, -1, 1, 26}[r.IntN(4)], out: image.NewRGBA(image.Rectangle{})}
		g := segment{rows: [2]int{0, c.rows}, perAddr: math.Exp(-7 * r.Float64())}
		p := c.painter()
		p.flush = func([]stroke) {}
		p.bottom, p.r0, p.r1 = float64(c.rows), 8, 16
		p.setArgs(&g)
		leaf := heap.Leaf{First: r.IntN(200), Box: heap.Rect{From: heap.Time(50 + r.IntN(40)),
			Low: traceio.Addr(float64(20+r.IntN(15)) / g.perAddr)}, IDs: make([]int32, 1+r.IntN(64))}
		wide, high := math.Exp(9*r.Float64())/c.perTime, math.Exp(4*r.Float64()-2)/g.perAddr
		for range leaf.IDs {
			leaf.Offsets = append(leaf.Offsets, heap.Offset{Low: uint32(r.Float64() * 4 / g.perAddr),
				Size: 1 + uint32(r.Float64()*high), From: uint32(r.Float64() * 100 / c.perTime),
				Span: 1 + uint32(r.Float64()*r.Float64()*wide)})
		}
		leaf.Box.To, leaf.Box.High = leaf.Box.From+1<<30, leaf.Box.Low+1<<30
		p.leaf(&g, &leaf, 0, 1<<50)
		got := append([]stroke(nil), p.strokes[:p.n]...)
		p.n = 0
		p.blocks(&leafAt{Leaf: &leaf, g: &g, x: float64(leaf.Box.From)*c.perTime - c.left,
			y: p.bottom - float64(leaf.Box.Low)*g.perAddr}, 0, len(leaf.IDs))
		if len(got) != p.n {
			t.Fatalf("round %d: %d strokes, want %d", round, len(got), p.n)
		}
		for i, x := range got {
			if want := p.strokes[i]; x != want {
				t.Fatalf("round %d: stroke %d is\n%+v, want\n%+v", round, i, x, want)
			}
		}
	}
}

// However a processor makes pixels of sums, they are the same, and nothing is left of the sums.
func TestPixelsAreTheSameOnEveryProcessor(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	s := State{Theme: palette.Light(), Heap: crowd(t, 300, 1)}
	colors := newColoring(&s)
	for _, s.Alpha = range []float64{0.05, 0.35, 1, 2} {
		for _, w := range []int{1, 7, 64, 203} {
			var pix [2][]uint8
			strokes := make([]stroke, []int{1, 9, 300}[r.IntN(3)])
			for i := range strokes {
				a := r.IntN(w)
				strokes[i] = stroke{a: uint16(a), b: uint16(min(w, a+r.IntN(1+r.IntN(w)))), f0: r.Float32(), f1: 1,
					fy: r.Float32() * r.Float32() * r.Float32(), light: r.Float32(), value: 1,
					row: uint8(r.IntN(bandRows)), class: uint8(r.IntN(len(colors.entries))), dither: 255}
				if strokes[i].b == uint16(w) {
					strokes[i].f1 = 0
				}
				if i%4 > 0 {
					strokes[i].fy /= 64
				}
			}
			for i := range pix {
				c := canvas{look: newLook(&s, colors, nil), w: w, out: image.NewRGBA(image.Rect(0, 0, w, bandRows))}
				p := c.painter()
				p.weigh(&segment{rows: [2]int{0, bandRows}}, 0, strokes)
				for x := range p.brush.cells { // and what rounding may leave
					if rough := rand.New(rand.NewPCG(uint64(x), 1)); p.brush.marks[x/p.brush.across*p.brush.marked+
						x%p.brush.across/markSide] != 0 && x%p.brush.across < w {
						for k := range sums {
							p.brush.cells[x][k] += float32(rough.Float64()-0.5) * float32(math.Exp(-25*rough.Float64()))
						}
					}
				}
				for y := range bandRows {
					cells, marks := p.brush.row(y)
					if i == 0 {
						p.resolve(y, cells, marks)
					} else {
						p.resolveAny(y, cells, marks)
					}
				}
				pix[i] = c.out.Pix
				for k := range p.brush.cells {
					if !p.brush.cells[k].none() {
						t.Fatalf("alpha %g, %d columns: cell %d is left at %v", s.Alpha, w, k, p.brush.cells[k])
					}
				}
				for k, m := range p.brush.marks {
					if m != 0 {
						t.Fatalf("alpha %g, %d columns: mark %d is left", s.Alpha, w, k)
					}
				}
			}
			for i := range pix[0] {
				if pix[0][i] != pix[1][i] {
					t.Fatalf("alpha %g, %d columns: pixel %d is %v, want %v", s.Alpha, w, i/4, pix[0][i&^3:i|3+1], pix[1][i&^3:i|3+1])
				}
			}
		}
	}
}

package heapmap

import (
	"math"
	"math/rand/v2"
	"testing"
)

// However a processor adds strokes, the sums are the same to the last bit.
func TestScatterIsTheSameOnEveryProcessor(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	const w = 100
	tones := new(shades)
	for i := range tones {
		tones[i] = [4]float32{1, r.Float32(), r.Float32(), r.Float32()}
	}
	for _, alpha := range []float64{0.05, 0.35, 1, 2} {
		weights := ranks(maxClasses+1, alpha)
		b := brush{shades: tones, pow: newPower(alpha, 0), say: newPower(2*max(0, 1-alpha), leastSay), across: w + 2, marked: (w+1)/markSide + 1}
		for i := range b.turns {
			b.turns[i] = &weights[i]
		}
		for i := range 500 {
			a := r.IntN(w)
			s := stroke{a: uint16(a), b: uint16(a + r.IntN(w-a)), f0: r.Float32(), f1: r.Float32(), fy: 1 - r.Float32(), light: r.Float32(), value: 1 - r.Float32(),
				row: uint8(r.IntN(bandRows)), class: uint8(r.IntN(maxClasses + 1)), turn: uint8(r.IntN(256))}
			if i%3 == 0 {
				s.class |= dimStroke
			}
			if i%5 == 0 || s.a == s.b {
				s.f1, s.value, s.fy = 1, 1, 1
			}
			b.strokes = append(b.strokes, s)
		}
		fresh := func() { b.cells, b.marks = make([]cell, bandRows*b.across), make([]uint8, bandRows*b.marked) }
		fresh()
		b.scatter()
		cells, marks := b.cells, b.marks
		fresh()
		b.scatterAny()
		for i := range cells {
			for k, got := range cells[i] {
				if want := b.cells[i][k]; math.Float32bits(got) != math.Float32bits(want) {
					t.Fatalf("alpha %g: sum %d of column %d in row %d is %g, want %g", alpha, k, i%b.across, i/b.across, got, want)
				}
			}
		}
		if string(marks) != string(b.marks) {
			t.Fatalf("alpha %g: marks are %v, want %v", alpha, marks, b.marks)
		}
	}
}

package raster

import (
	"bytes"
	"image/color"
	"math/rand/v2"
	"testing"
)

// spanOne is span one channel at a time.
func (b *brush) spanOne(pix []uint8, a uint32) {
	word := b.word()
	for i := range pix {
		ink := word >> (8 * (i % 4)) & 0xff
		pix[i] = uint8((uint32(pix[i])*(256-a) + ink*a + 128) >> 8)
	}
}

// TestSpansArePaintedAlike compares painting two pixels at a time, and filling, with painting each channel by itself.
func TestSpansArePaintedAlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 9))
	for range 500 {
		got := make([]uint8, 4*rng.IntN(60))
		for i := range got {
			got[i] = uint8(rng.IntN(256))
		}
		want := bytes.Clone(got)
		b := newBrush(inkOf(color.NRGBA{uint8(rng.IntN(256)), uint8(rng.IntN(256)), uint8(rng.IntN(256)), 255}))
		a := min(256, uint32(rng.IntN(300)))
		b.span(got, a)
		b.spanOne(want, a)
		if !bytes.Equal(got, want) {
			t.Fatalf("%d pixels, ink %08x to %d/256: %v, want %v", len(got)/4, b.word(), a, got, want)
		}
	}
}

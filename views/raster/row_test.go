package raster

import (
	"bytes"
	"image/color"
	"math/rand/v2"
	"testing"
)

// TestSpansArePaintedAlike holds the kernel that paints several pixels at a time against painting them one by one.
func TestSpansArePaintedAlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 9))
	for range 500 {
		got := make([]uint8, 4*rng.IntN(60))
		for i := range got {
			got[i] = uint8(rng.IntN(256))
		}
		want := bytes.Clone(got)
		b := newBrush(inkOf(color.NRGBA{uint8(rng.IntN(256)), uint8(rng.IntN(256)), uint8(rng.IntN(256)), 255}))
		a := uint32(rng.IntN(257))
		b.span(got, a)
		b.spanAny(want, a)
		if !bytes.Equal(got, want) {
			t.Fatalf("%d pixels, ink %08x to %d/256: %v, want %v", len(got)/4, b.word(), a, got, want)
		}
	}
}

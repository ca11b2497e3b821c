package raster

import (
	"bytes"
	"encoding/binary"
	"image"
	"math/rand/v2"
	"testing"

	xdraw "golang.org/x/image/draw"
)

// A pixel over another is what image/draw makes of them, for every opacity and every channel, proper or not.
func TestOverIsThatOfImageDraw(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 7))
	size := image.Rect(0, 0, 256, 256)
	for round := range 12 {
		above, below := image.NewRGBA(size), image.NewRGBA(size)
		for i := range below.Pix {
			below.Pix[i] = uint8(r.Uint32())
		}
		for i := 0; i < len(above.Pix); i += 4 {
			a := uint8(i / 4)
			if round%3 == 0 && r.IntN(20) > 0 { // mostly empty
				continue
			}
			if round%3 == 2 && i/4%64 > 20 { // what hides all
				a = 255
			}
			for k := range 3 {
				if above.Pix[i+k] = uint8(r.IntN(int(a) + 1)); round%3 == 1 {
					above.Pix[i+k] = uint8(r.Uint32())
				}
			}
			above.Pix[i+3] = a
		}
		want := image.NewRGBA(size)
		copy(want.Pix, below.Pix)
		at, from := image.Rect(3, 5, 240, 251), image.Pt(7, 2)
		xdraw.Draw(want, at, above, from, xdraw.Over)
		(&canvas{im: below}).lay(at, above, from)
		if !bytes.Equal(below.Pix, want.Pix) {
			for i := range want.Pix {
				if want.Pix[i] != below.Pix[i] {
					t.Fatalf("round %d, channel %d of pixel %d is %d, want %d", round, i%4, i/4, below.Pix[i], want.Pix[i])
				}
			}
		}
	}
}

// overOne lays a row of pixels over another one, one at a time.
func overOne(below, above []uint8) {
	for i := 0; i < len(above); i += 4 {
		binary.LittleEndian.PutUint32(below[i:], mix(binary.LittleEndian.Uint32(below[i:]),
			binary.LittleEndian.Uint32(above[i:])))
	}
}

// Two pixels at a time come out as one by one, for rows of any length with empty and opaque stretches.
func TestPairsLieOverAsSinglePixels(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 2))
	for n := range 200 {
		above, below := make([]uint8, 4*n), make([]uint8, 4*n+4)
		for i := range below {
			below[i] = uint8(r.Uint32())
		}
		for i := range above {
			above[i] = uint8(r.Uint32()) * uint8(n/3&1|i/16&1) // some fours empty
		}
		for i := 3; i < len(above); i += 4 {
			if n%4 == 3 && i/32%2 == 0 {
				above[i] = 255
			}
		}
		want := bytes.Clone(below)
		overOne(want, above)
		over(below, above)
		if !bytes.Equal(below, want) {
			t.Fatalf("%d pixels: got %v, want %v", n, below, want)
		}
	}
}

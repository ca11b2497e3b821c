package raster

import (
	"bytes"
	"image/color"
	"math/rand/v2"
	"testing"

	"orrery/views/scene"
)

// TestMosaicIsItsImage lays mosaics at places inside and half outside a picture, at their size and another, with fields
// that have no colour: pixel by pixel as the image that they stand for, and that image as the definition says.
func TestMosaicIsItsImage(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 2))
	for range 60 {
		w, h := 1+rng.IntN(400), 1+rng.IntN(40)
		m := scene.Mosaic{Width: w, First: int32(rng.IntN(9) - 4), Field: make([]int32, w*h),
			Colors: make([]uint32, 1+rng.IntN(9))}
		for i := range m.Field {
			m.Field[i] = int32(rng.IntN(20) - 8)
		}
		for i := range m.Colors {
			a := uint32(rng.IntN(256))
			m.Colors[i] = a<<24 | uint32(rng.IntN(int(a)+1))<<16 | uint32(rng.IntN(int(a)+1))<<8 | uint32(rng.IntN(int(a)+1))
		}
		as := m.Image()
		for i, f := range m.Field {
			want := uint32(0)
			if k := int(f - m.First); k >= 0 && k < len(m.Colors) {
				want = m.Colors[k]
			}
			p := as.Pixels.Pix[4*i:]
			if got := uint32(p[0]) | uint32(p[1])<<8 | uint32(p[2])<<16 | uint32(p[3])<<24; got != want {
				t.Fatalf("pixel %d of %d x %d is %08x, want %08x", i, w, h, got, want)
			}
		}
		scale := []float64{1, 1, 1, 2}[rng.IntN(4)]
		m.At = scene.R(float64(rng.IntN(300)-200), float64(rng.IntN(90)-30), float64(w), float64(h))
		as.At = m.At
		paint := func(s scene.Shape) []uint8 {
			d := scene.Drawing{Size: scene.Size{W: 260, H: 70}, Background: color.NRGBA{90, 20, 140, 255}}
			d.Add(scene.Group{Clip: scene.R(5, 4, 240, 61), Shapes: []scene.Shape{s}})
			return Render(d, scale, nil).Pix
		}
		if !bytes.Equal(paint(m), paint(as)) {
			t.Fatalf("a mosaic of %d x %d at %v, scale %g, is not its image", w, h, m.At, scale)
		}
	}
	for _, bad := range []scene.Mosaic{{}, {Width: -3, Field: []int32{1}}, {Width: 5, Field: []int32{1, 2}},
		{At: scene.R(0, 0, 1e300, 1), Width: 1, Field: []int32{0}}} {
		Render(scene.Drawing{Size: scene.Size{W: 9, H: 9}, Shapes: []scene.Shape{bad, scene.Group{Clip: scene.R(0, 0, 5, 5),
			Shapes: []scene.Shape{bad}}}}, 1, nil)
	}
}

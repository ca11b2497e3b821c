package raster

import (
	"bytes"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"orrery/views/scene"
)

// TestLightIsLaidByFoursAsByOnes holds the processor's kernel against the plain one.
func TestLightIsLaidByFoursAsByOnes(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	var strength [glowSteps + 2]uint32
	for i := range strength {
		a := rng.Uint32N(full + 1)
		strength[i] = full - a | a<<16
	}
	for range 2000 {
		l := light{n: 1 + rng.IntN(21), dx: float32(rng.NormFloat64() * 30), dy2: rng.Float32() * 900, per: rng.Float32() * 3,
			ink: rng.Uint32(), strength: &strength}
		for i := range l.dither {
			l.dither[i] = rng.Uint32N(full)
		}
		got := make([]uint8, 4*l.n)
		for i := range got {
			got[i] = uint8(rng.IntN(256))
		}
		want, plain := bytes.Clone(got), l
		plain.pix = unsafe.SliceData(want)
		shineAny(&plain)
		given := l
		given.pix = unsafe.SliceData(got)
		shine(&given)
		if !bytes.Equal(got, want) {
			t.Fatalf("%+v: %v, want %v", l, got, want)
		}
	}
}

// TestGlowIsItsStrength compares each pixel with the formula; dithering and steps make a difference of two at most.
func TestGlowIsItsStrength(t *testing.T) {
	for _, g := range []scene.Glow{
		{Center: scene.Point{X: 31.3, Y: 22.8}, Outer: 30, Color: color.NRGBA{250, 120, 40, 180}},
		{Center: scene.Point{X: 35, Y: 24}, Inner: 9, Outer: 21, Color: color.NRGBA{40, 120, 250, 255}},
		{Center: scene.Point{X: 20.5, Y: 20.5}, Outer: 0.4, Color: one},
	} {
		back := color.NRGBA{60, 70, 80, 255}
		im := Render(scene.Drawing{Size: scene.Size{W: 64, H: 48, Scale: 1}, Background: back, Shapes: []scene.Shape{g}}, 1,
			nil)
		for y := range 48 {
			for x := range 64 {
				a := g.Strength(math.Hypot(float64(x)+0.5-g.Center.X, float64(y)+0.5-g.Center.Y)) * float64(g.Color.A) / 255
				want := 60*(1-a) + float64(g.Color.R)*a
				if got := float64(im.Pix[im.PixOffset(x, y)]); math.Abs(got-want) > 2 {
					t.Fatalf("%+v: red at %d,%d is %v, want %.1f", g, x, y, got, want)
				}
			}
		}
	}
}

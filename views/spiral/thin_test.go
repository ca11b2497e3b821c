package spiral

import (
	"image"
	"math"
	"testing"

	"orrery/views/palette"
	"orrery/views/raster"
	"orrery/views/scene"
)

// length is how much curve a picture has.
func length(d scene.Drawing) float64 {
	sum := 0.0
	for _, shape := range d.Shapes {
		c, ok := shape.(scene.Curves)
		if !ok {
			continue
		}
		begins := map[int]bool{}
		for _, i := range c.Starts {
			begins[i] = true
		}
		for i := 1; i < len(c.Points); i++ {
			if !begins[i] {
				sum += math.Hypot(c.Points[i].X-c.Points[i-1].X, c.Points[i].Y-c.Points[i-1].Y)
			}
		}
	}
	return sum
}

// TestWorkIsBoundedByPixels: however many turns, the curve covers the disc a few times, no more.
func TestWorkIsBoundedByPixels(t *testing.T) {
	for _, turns := range []float64{50, 500, 5000, 20_000} {
		s := bare(loop(100_000, turns, 3, palette.Dark()))
		l := newLayout(&s, pane)
		p := newPlot(&s, &l)
		if cover := length(Scene(s, pane)) * p.width() / (math.Pi * l.r1 * l.r1); cover > 3.5 {
			t.Errorf("%g turns: the curve would cover the disc %.1f times", turns, cover)
		}
	}
}

// TestThinnedTurnsLookLikeAll compares the tone of a disc full of turns with painting them all, in patches.
func TestThinnedTurnsLookLikeAll(t *testing.T) {
	s := bare(loop(20_000, 1200, 3, palette.Dark()))
	s.Mode = Single
	l := newLayout(&s, pane)
	p := newPlot(&s, &l)
	if p.every == nil {
		t.Fatal("1200 turns within 200 units are not thinned")
	}
	paint := func() *image.RGBA {
		d := scene.Drawing{Size: pane, Background: s.Theme.Panel}
		p.draw(&d)
		return raster.Render(d, 1, nil)
	}
	thinned := paint()
	p.every = nil
	full := paint()
	const patch = 12
	for y := 0; y+patch <= 400; y += patch {
		for x := 0; x+patch <= 620; x += patch {
			mid := math.Hypot(float64(x)+patch/2-l.c.X, float64(y)+patch/2-l.c.Y)
			if mid > l.r1-patch || mid < l.r0+2*patch { // the rim, and the middle, where an arc is shorter than a patch
				continue
			}
			a, b := 0.0, 0.0
			for j := range patch * patch {
				at := full.PixOffset(x+j%patch, y+j/patch)
				a, b = a+float64(thinned.Pix[at+2]), b+float64(full.Pix[at+2])
			}
			if diff := (a - b) / (patch * patch); math.Abs(diff) > 14 {
				t.Fatalf("the patch at %d,%d is on average %.0f with thinned turns, %.0f with all", x, y, a/(patch*patch), b/(patch*patch))
			}
		}
	}
}

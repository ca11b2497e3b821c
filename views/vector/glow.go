package vector

import (
	"image"
	"math"

	"orrery/views/scene"
)

// stop is one step of a gradient: at is the share of the outer radius.
type stop struct{ at, strength float64 }

// slopeSteps is into how many straight pieces one slope of a glow is cut. The slope is t^2 (3-2t) with |f”| <= 6, so a
// piece of length h lies within 6 h^2/8 of it: 1/340 for 16, less than one of 255 steps of opacity.
const slopeSteps = 16

// stops samples the glow's strength from the centre outward; nil when there is nothing to see.
func stops(g scene.Glow) []stop {
	if !visible(g) {
		return nil
	}
	inner, n := 0.0, slopeSteps
	var out []stop
	if g.Inner > 0 {
		inner, n = g.Inner/g.Outer, 2*slopeSteps
	}
	for i := range n + 1 {
		at := inner + (1-inner)*float64(i)/float64(n)
		out = append(out, stop{at, g.Strength(at * g.Outer)})
	}
	return out
}

func visible(g scene.Glow) bool {
	return finite(g.Center.X, g.Center.Y, g.Inner, g.Outer) && g.Outer >= 1e-3 && g.Outer > g.Inner && g.Color.A != 0
}

// disc is a glow as pixels: n by n of them, the outer circle touching their edges, for a format whose gradients cannot
// be transparent. Each pixel is the strength at its middle.
func disc(g scene.Glow, n int) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, n, n))
	unit := 2 * g.Outer / float64(n)
	for y := range n {
		for x := range n {
			r := math.Hypot(float64(x)+0.5-float64(n)/2, float64(y)+0.5-float64(n)/2) * unit
			c := g.Color
			c.A = uint8(math.Round(g.Strength(r) * float64(c.A)))
			out.SetNRGBA(x, y, c)
		}
	}
	return out
}

// grain is the number of pixels across a glow's disc: a power of two, so that glows of about one size share pixels, at
// least one for a unit of length. From one of 512 to the next there is a step of 1.5 in 255 at most, which nobody sees
// however large they are.
func grain(g scene.Glow) int {
	n := 64
	for n < 512 && float64(n) < 2*g.Outer {
		n *= 2
	}
	return n
}

package raster

import (
	"image"
	"math"
	"unsafe"

	"orrery/views/scene"
)

// dither is the ordered (Bayer) matrix in parts of a colour step, of which full are one. A wide faint glow has fewer
// steps of brightness than pixels; rounding each pixel at its own threshold turns the rings between steps into an even
// tone.
var dither = func() (m [4][4]uint32) {
	for y, row := range [4][4]uint32{{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}} {
		for x, v := range row {
			m[y][x] = (2*v + 1) * full / 32
		}
	}
	return m
}()

// glowSteps is the number of steps that a glow's opacity has from its centre to its edge.
const glowSteps = 1 << 11

func (c *canvas) glow(g scene.Glow) {
	cx, cy, outer := g.Center.X*c.scale, g.Center.Y*c.scale, g.Outer*c.scale
	if !finite(cx, cy, outer, g.Inner) || outer < 1e-3 || g.Color.A == 0 {
		return
	}
	cx, cy, outer = tame(cx), tame(cy), tame(outer)
	k := inkOf(g.Color)
	// By the square of the distance, which spares each pixel a root.
	const steps = glowSteps
	var strength [steps + 2]uint32
	for i := range steps + 1 {
		a := uint32(float64(k.a) / (65536 / full) * g.Strength(g.Outer*math.Sqrt(float64(i)/steps)))
		strength[i] = full - a | a<<16
	}
	strength[steps+1] = full
	perSquare := steps / (outer * outer)
	hollow := max(0, g.Inner*c.scale-1)
	area := int(min(2*outer, float64(c.clip.Dx())) * min(2*outer, float64(c.clip.Dy())))
	c.bands(area/4, func(rows image.Rectangle) {
		y0, y1 := clampRange(cy-outer, cy+outer, rows.Min.Y, rows.Max.Y)
		for y := y0; y < y1; y++ {
			dy := float64(y) + 0.5 - cy
			half, hole := math.Sqrt(max(0, outer*outer-dy*dy)), math.Sqrt(max(0, hollow*hollow-dy*dy))
			x0, x1 := clampRange(cx-half, cx+half, rows.Min.X, rows.Max.X)
			h0, h1 := clampRange(cx-hole+1, cx+hole-1, x0, x1)
			if h0 >= h1 {
				h0, h1 = x1, x1
			}
			l := light{dy2: float32(dy * dy), per: float32(perSquare), ink: k.word(), strength: &strength}
			for _, part := range [2][2]int{{x0, h0}, {h1, x1}} {
				if l.n = part[1] - part[0]; l.n <= 0 {
					continue
				}
				l.pix, l.dx = &c.im.Pix[c.im.PixOffset(part[0], y)], float32(float64(part[0])+0.5-cx)
				for i := range l.dither {
					l.dither[i] = dither[y&3][(part[0]+i)&3]
				}
				shine(&l)
			}
		}
	})
}

// light is what shineAny needs to know about a row of pixels. An opacity is a whole number of which full is all, and
// stands beside what it leaves of the pixel.
type light struct {
	pix      *uint8
	n        int                    // pixels
	dx, dy2  float32                // of the first one's centre, from the light's: its column, and the square of its row
	per      float32                // steps of strength in a unit of squared distance
	ink      uint32                 // as a pixel has it
	dither   [4]uint32              // of the first four pixels, and again
	strength *[glowSteps + 2]uint32 // by squared distance: what is left of the pixel, and the opacity << 16
}

// full is an opacity. With it, a channel's change fits into what the processor multiplies and adds at once.
const full = 1 << 14

// shineAny lays the light over the row.
func shineAny(l *light) {
	for pix, i := unsafe.Slice(l.pix, 4*l.n), 0; i < l.n; i++ {
		dx := l.dx + float32(i)
		step := int((dx*dx + l.dy2) * l.per)
		a := l.strength[min(glowSteps+1, step)]
		rest, a := a&0xffff, a>>16
		for k, p := range pix[4*i : 4*i+4] {
			pix[4*i+k] = uint8((uint32(p)*rest + l.ink>>(8*k)&0xff*a + l.dither[i&3]) / full)
		}
	}
}

// clampRange is the pixels that [from, to] touches, within [low, high). Going through int only inside the range keeps
// coordinates that no integer holds harmless.
func clampRange(from, to float64, low, high int) (int, int) {
	return pixel(math.Floor(from), low, high), pixel(math.Ceil(to), low, high)
}

func pixel(v float64, low, high int) int {
	switch {
	case !(v > float64(low)):
		return low
	case v >= float64(high):
		return high
	}
	return int(v)
}

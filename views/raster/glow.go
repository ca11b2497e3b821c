package raster

import (
	"encoding/binary"
	"image"
	"math"

	xdraw "golang.org/x/image/draw"

	"orrery/views/scene"
)

// dither is the ordered (Bayer) matrix in 1/65536 of a colour step. A wide faint glow has fewer steps of brightness than
// pixels; rounding each pixel at its own threshold turns the rings between steps into an even tone.
var dither = func() (m [4][4]uint32) {
	for y, row := range [4][4]uint32{{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}} {
		for x, v := range row {
			m[y][x] = v*4096 + 2048
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
		strength[i] = uint32(float64(k.a) * g.Strength(g.Outer*math.Sqrt(float64(i)/steps)))
	}
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
			for _, part := range [2][2]int{{x0, h0}, {h1, x1}} {
				if part[0] < part[1] {
					pix := c.im.Pix[c.im.PixOffset(part[0], y):][:4*(part[1]-part[0])]
					k.shine(pix, part[0], y, float64(part[0])+0.5-cx, dy*dy, perSquare, &strength)
				}
			}
		}
	})
}

// shine lays the ink over a row of pixels, the first of which lies at x, y and is dx away from the light's column; strength is the
// opacity by the squared distance in steps of 1/perSquare.
func (k ink) shine(pix []uint8, x, y int, dx, dy2, perSquare float64, strength *[glowSteps + 2]uint32) {
	const ends, half = 0xff<<32 | 0xff, 1<<32 | 1
	dithers := &dither[y&3]
	redBlue, greenAlpha := uint64(k.r)|uint64(k.b)<<32, uint64(k.g)|255<<32
	for ; len(pix) >= 4; pix = pix[4:] {
		a := uint64(strength[min(len(strength)-1, int((dx*dx+dy2)*perSquare))])
		if a != 0 {
			v, rest, add := uint64(binary.LittleEndian.Uint32(pix)), 65536-a, uint64(dithers[x&3])*half
			rb, ga := v&0xff|v<<16&(0xff<<32), v>>8&0xff|v>>24<<32
			rb = (rb*rest + redBlue*a + add) >> 16 & ends
			ga = (ga*rest + greenAlpha*a + add) >> 16 & ends
			binary.LittleEndian.PutUint32(pix, uint32(rb|rb>>16|ga<<8|ga>>8&0xff000000))
		}
		x++
		dx++
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

// image copies pixels when their number is that of the target, else resamples.
func (c *canvas) image(s scene.Image) {
	if s.Pixels == nil || s.Pixels.Rect.Empty() {
		return
	}
	at, ok := c.device(s.At)
	if !ok {
		return
	}
	from := s.Pixels.Rect
	// The two edges of a rectangle between pixels may round apart; the number of pixels is what counts.
	if near(s.At.W()*c.scale, from.Dx()) && near(s.At.H()*c.scale, from.Dy()) {
		at.Max = at.Min.Add(from.Size())
	}
	window := &image.RGBA{Pix: c.im.Pix[c.im.PixOffset(c.clip.Min.X, c.clip.Min.Y):], Stride: c.im.Stride, Rect: c.clip}
	if at.Size() == from.Size() {
		visible := at.Intersect(c.clip)
		if visible.Empty() {
			return
		}
		op := xdraw.Over
		if s.Pixels.Opaque() {
			op = xdraw.Src
		}
		c.bands(visible.Dx()*visible.Dy()/8, func(rows image.Rectangle) {
			part := visible.Intersect(rows)
			xdraw.Draw(window, part, s.Pixels, from.Min.Add(part.Min.Sub(at.Min)), op)
		})
		return
	}
	xdraw.ApproxBiLinear.Scale(window, at, s.Pixels, from, xdraw.Over, nil)
}

func near(v float64, n int) bool { return math.Abs(v-float64(n)) < 0.75 }

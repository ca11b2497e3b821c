package raster

import (
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

func (c *canvas) glow(g scene.Glow) {
	cx, cy, outer := g.Center.X*c.scale, g.Center.Y*c.scale, g.Outer*c.scale
	if !finite(cx, cy, outer, g.Inner) || outer < 1e-3 || g.Color.A == 0 {
		return
	}
	cx, cy, outer = tame(cx), tame(cy), tame(outer)
	k := inkOf(g.Color)
	// By the square of the distance, which spares each pixel a root.
	const steps = 2048
	var strength [steps + 2]uint32
	for i := range strength {
		strength[i] = uint32(float64(k.a) * g.Strength(g.Outer*math.Sqrt(float64(i)/steps)))
	}
	perSquare := steps / (outer * outer)
	area := int(min(2*outer, float64(c.clip.Dx())) * min(2*outer, float64(c.clip.Dy())))
	c.bands(area/4, func(rows image.Rectangle) {
		y0, y1 := clampRange(cy-outer, cy+outer, rows.Min.Y, rows.Max.Y)
		for y := y0; y < y1; y++ {
			dy := float64(y) + 0.5 - cy
			half := math.Sqrt(max(0, outer*outer-dy*dy))
			x0, x1 := clampRange(cx-half, cx+half, rows.Min.X, rows.Max.X)
			at := c.im.PixOffset(x0, y)
			for x := x0; x < x1; x, at = x+1, at+4 {
				dx := float64(x) + 0.5 - cx
				a := strength[min(steps, int((dx*dx+dy*dy)*perSquare))]
				if a == 0 {
					continue
				}
				rest, half := 65536-a, dither[y&3][x&3]
				p := c.im.Pix[at : at+4 : at+4]
				p[0] = uint8((uint32(p[0])*rest + k.r*a + half) >> 16)
				p[1] = uint8((uint32(p[1])*rest + k.g*a + half) >> 16)
				p[2] = uint8((uint32(p[2])*rest + k.b*a + half) >> 16)
				if p[3] != 255 {
					p[3] = uint8((uint32(p[3])*rest + 255*a + half) >> 16)
				}
			}
		}
	})
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

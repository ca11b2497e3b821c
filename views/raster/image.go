package raster

import (
	"encoding/binary"
	"image"
	"math"

	xdraw "golang.org/x/image/draw"

	"orrery/views/scene"
)

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
	if at.Size() == from.Size() {
		visible := at.Intersect(c.clip)
		if visible.Empty() {
			return
		}
		c.bands(visible.Dx()*visible.Dy()/8, func(rows image.Rectangle) {
			part := visible.Intersect(rows)
			c.lay(part, s.Pixels, from.Min.Add(part.Min.Sub(at.Min)))
		})
		return
	}
	window := &image.RGBA{Pix: c.im.Pix[c.im.PixOffset(c.clip.Min.X, c.clip.Min.Y):], Stride: c.im.Stride, Rect: c.clip}
	xdraw.ApproxBiLinear.Scale(window, at, s.Pixels, from, xdraw.Over, nil)
}

func near(v float64, n int) bool { return math.Abs(v-float64(n)) < 0.75 }

// lay puts the part of the premultiplied pixels of src that begins at from over a part of the picture. Pixels come out
// as image/draw makes them.
func (c *canvas) lay(part image.Rectangle, src *image.RGBA, from image.Point) {
	for y := range part.Dy() {
		below := c.im.Pix[c.im.PixOffset(part.Min.X, part.Min.Y+y):][:4*part.Dx()]
		over(below, src.Pix[src.PixOffset(from.X, from.Y+y):][:4*part.Dx()])
	}
}

// over lays a row of pixels over another one, two at a time: most pictures are empty or opaque for long stretches.
func over(below, above []uint8) {
	const opaque = 0xff000000_ff000000
	below = below[:len(above)]
	for ; len(above) >= 8; below, above = below[8:], above[8:] {
		switch p := binary.LittleEndian.Uint64(above); {
		case p == 0:
		case p&opaque == opaque:
			binary.LittleEndian.PutUint64(below, p)
		default:
			was := binary.LittleEndian.Uint64(below)
			low, high := mix(uint32(was), uint32(p)), mix(uint32(was>>32), uint32(p>>32))
			binary.LittleEndian.PutUint64(below, uint64(low)|uint64(high)<<32)
		}
	}
	if len(above) >= 4 {
		binary.LittleEndian.PutUint32(below, mix(binary.LittleEndian.Uint32(below), binary.LittleEndian.Uint32(above)))
	}
}

// mix is a pixel over another one, two channels at a time: (257 above + 257/255 (255 - opacity) below) / 256, each
// division rounded down.
func mix(below, above uint32) uint32 {
	rest := uint64(255 - above>>24)
	even := blended(lanes(below), lanes(above), rest)
	odd := blended(lanes(below>>8), lanes(above>>8), rest)
	return uint32(even|even>>16) | uint32(odd|odd>>16)<<8
}

// lanes are the first and the third channel of a pixel, 32 bits each.
func lanes(p uint32) uint64 { return uint64(p&0xff) | uint64(p&0xff0000)<<16 }

// blended mixes two channels. What is divided by 255 is at most 2 * 255 * 255, for which the shifts are exact.
func blended(below, above, rest uint64) uint64 {
	const low, most, one = 0x0000ffff_0000ffff, 0x00ffffff_00ffffff, 0x00000001_00000001
	x := below * rest
	y := x*2 + one
	part := (y + y>>8&most + y>>16&one) >> 8 & low
	return (x + part + above*257) >> 8 & 0x000000ff_000000ff
}

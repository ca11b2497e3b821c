package raster

import (
	"image"
	"math"
	"sync"

	"orrery/views/scene"
)

// Text is drawn from cached masks of glyphs. The baseline lies on a whole pixel, so that stems of one line end alike;
// sideways a glyph sits on a quarter of a pixel, so that spacing stays even at every size.

// quarters is the number of sideways positions of a mask within a pixel.
const quarters = 4

type maskKey struct {
	font  scene.Face
	index uint16
	sub   uint8
	size  int32 // in 1/64 pixel
}

type mask struct {
	pix         *image.Alpha // nil for a glyph without ink
	left, above int          // from the origin's pixel to the mask's first column and row
}

// maxMasks bounds the memory of the glyph cache: at 12 px a mask takes about 200 bytes.
const maxMasks = 20000

var masks = struct {
	sync.Mutex
	m map[maskKey]mask
}{m: map[maskKey]mask{}}

func (c *canvas) text(t scene.Text) {
	size := t.Size * c.scale
	if !finite(t.At.X, t.At.Y, t.Align, size) || size < 1 || size > 2000 || t.Color.A == 0 {
		return
	}
	s := scene.Ellipsis(t.Face, t.Size, t.S, t.Max)
	glyphs, width := scene.Glyphs(t.Face, size, s)
	x, y := t.At.X*c.scale-width*t.Align, math.Round(t.At.Y*c.scale)
	if math.Abs(x) > maxSide*2 || math.Abs(y) > maxSide*2 {
		return
	}
	k := inkOf(t.Color)
	key := maskKey{size: int32(math.Round(size * 64))}
	for _, g := range glyphs {
		at := math.Floor((x+g.X)*quarters + 0.5)
		px := int(math.Floor(at / quarters))
		key.font, key.index, key.sub = g.Font, g.Index, uint8(int(at)-px*quarters)
		m := glyphMask(key, g)
		if m.pix != nil {
			c.stamp(m.pix, px+m.left, int(y)+m.above, k)
		}
	}
}

// glyphMask is the mask of a glyph, from the cache or made now.
func glyphMask(key maskKey, g scene.Placed) mask {
	masks.Lock()
	defer masks.Unlock()
	if m, ok := masks.m[key]; ok {
		return m
	}
	m := drawGlyph(scene.Outline(g), float64(key.size)/64, float64(key.sub)/quarters)
	if len(masks.m) >= maxMasks {
		clear(masks.m)
	}
	masks.m[key] = m
	return m
}

// drawGlyph draws a glyph's outline, in units of its size, as a mask.
func drawGlyph(p scene.Path, size, shift float64) mask {
	if len(p.Points) == 0 {
		return mask{}
	}
	low, high := p.Points[0], p.Points[0]
	for _, q := range p.Points {
		low.X, low.Y = min(low.X, q.X), min(low.Y, q.Y)
		high.X, high.Y = max(high.X, q.X), max(high.Y, q.Y)
	}
	left, top := int(math.Floor(low.X*size+shift)), int(math.Floor(low.Y*size))
	w, h := int(math.Ceil(high.X*size+shift))-left+1, int(math.Ceil(high.Y*size))-top+1
	inside := newFiller(w, h)
	for _, piece := range flatten(p, func(q scene.Point) scene.Point {
		return scene.Point{X: q.X*size + shift - float64(left), Y: q.Y*size - float64(top)}
	}) {
		inside.outline(piece.points)
	}
	out := image.NewAlpha(image.Rect(0, 0, w, h))
	inside.runs(func(y, from, to int, share uint32) {
		row := out.Pix[y*out.Stride:]
		for x := from; x < to; x++ {
			row[x] = uint8(share >> 8)
		}
	})
	return mask{out, left, top}
}

// stamp blends ink through a mask whose first pixel is at x, y.
func (c *canvas) stamp(m *image.Alpha, x, y int, k ink) {
	r := m.Rect.Add(image.Pt(x, y)).Intersect(c.clip)
	for py := r.Min.Y; py < r.Max.Y; py++ {
		from := m.PixOffset(r.Min.X-x, py-y)
		at := c.im.PixOffset(r.Min.X, py)
		for _, v := range m.Pix[from : from+r.Dx()] {
			if v != 0 {
				k.blend(c.im.Pix[at:at+4:at+4], float32(v)/255)
			}
			at += 4
		}
	}
}

package raster

import (
	"image"
	"image/color"
	"math"

	"github.com/fogleman/gg"

	"orrery/views/scene"
)

// context is gg drawing on the clip alone: its image is a window into ours, so that nothing outside can be touched.
func (c *canvas) context() *gg.Context {
	if c.gg == nil {
		window := &image.RGBA{Pix: c.im.Pix[c.im.PixOffset(c.clip.Min.X, c.clip.Min.Y):], Stride: c.im.Stride,
			Rect: image.Rect(0, 0, c.clip.Dx(), c.clip.Dy())}
		c.gg = gg.NewContextForRGBA(window)
		c.gg.SetLineCapButt()
		c.gg.SetLineJoinRound()
	}
	return c.gg
}

func (c *canvas) fill(f scene.Fill) {
	if f.Color.A == 0 {
		return
	}
	if r, ok := box(f.Path); ok {
		c.rect(r, inkOf(f.Color))
		return
	}
	w, h := c.clip.Dx(), c.clip.Dy()
	inside := pooledFiller(w, h)
	for _, p := range c.flatten(f.Path) {
		if p = clipRing(p.points, -2, -2, float64(w+2), float64(h+2)); len(p.points) >= 3 {
			inside.outline(p.points)
		}
	}
	brush := newBrush(inkOf(f.Color))
	inside.paint(&brush, func(y int) []uint8 {
		at := c.im.PixOffset(c.clip.Min.X, c.clip.Min.Y+y)
		return c.im.Pix[at : at+4*w]
	})
	inside.release()
}

func (c *canvas) stroke(s scene.Stroke) {
	width := s.Width * c.scale
	if s.Color.A == 0 || !(width > 0) || width > maxSide {
		return
	}
	if r, ok := straight(s); ok {
		c.rect(r, inkOf(s.Color))
		return
	}
	pieces := c.flatten(s.Path)
	if len(s.Dash) > 0 {
		pieces = dash(pieces, s.Dash, c.scale)
	}
	if c.rings(pieces, width, s.Color) {
		return
	}
	dc := c.context()
	drawn := false
	room := width/2 + 2
	for _, p := range pieces {
		for _, q := range clipLine(p, -room, -room, float64(c.clip.Dx())+room, float64(c.clip.Dy())+room) {
			trace(dc, q.points)
			if q.closed {
				dc.ClosePath()
			}
			drawn = true
		}
	}
	if drawn {
		dc.SetColor(s.Color)
		dc.SetLineWidth(width)
		dc.Stroke()
	}
}

func trace(dc *gg.Context, points []scene.Point) {
	dc.NewSubPath()
	for i, p := range points {
		if i == 0 {
			dc.MoveTo(p.X, p.Y)
		} else {
			dc.LineTo(p.X, p.Y)
		}
	}
}

// box reports whether a path is an axis-parallel rectangle, and which.
func box(p scene.Path) (scene.Rect, bool) {
	q := p.Points
	if len(q) != 4 || len(p.Ops) < 4 || len(p.Ops) > 5 || p.Ops[0] != scene.MoveTo || len(p.Ops) == 5 &&
		p.Ops[4] != scene.Close {
		return scene.Rect{}, false
	}
	for _, op := range p.Ops[1:4] {
		if op != scene.LineTo {
			return scene.Rect{}, false
		}
	}
	if !(q[0].Y == q[1].Y && q[1].X == q[2].X && q[2].Y == q[3].Y && q[3].X == q[0].X || q[0].X == q[1].X &&
		q[1].Y == q[2].Y && q[2].X == q[3].X && q[3].Y == q[0].Y) {
		return scene.Rect{}, false
	}
	return span(q[0], q[2]), true
}

// straight reports whether a stroke is a solid horizontal or vertical line, and which rectangle that covers.
func straight(s scene.Stroke) (scene.Rect, bool) {
	q := s.Path.Points
	if len(s.Dash) > 0 || len(s.Path.Ops) != 2 || len(q) != 2 || s.Path.Ops[1] != scene.LineTo ||
		(q[0].X != q[1].X) == (q[0].Y != q[1].Y) {
		return scene.Rect{}, false
	}
	r := span(q[0], q[1])
	if r.W() == 0 {
		r.Min.X -= s.Width / 2
		r.Max.X += s.Width / 2
	} else {
		r.Min.Y -= s.Width / 2
		r.Max.Y += s.Width / 2
	}
	return r, true
}

func span(a, b scene.Point) scene.Rect {
	return scene.Rect{Min: scene.Point{X: min(a.X, b.X), Y: min(a.Y, b.Y)},
		Max: scene.Point{X: max(a.X, b.X), Y: max(a.Y, b.Y)}}
}

// boxes fills rectangles one after the other.
func (c *canvas) boxes(s scene.Boxes) {
	var last color.NRGBA
	var k ink
	for i, r := range s.Rects {
		now := pick(s.Colors, i)
		if now.A == 0 {
			continue
		}
		if now != last {
			k, last = inkOf(now), now
		}
		c.rect(r, k)
	}
}

// rect fills an axis-parallel rectangle with exact coverage at its edges.
func (c *canvas) rect(r scene.Rect, k ink) {
	x0, y0, x1, y1 := r.Min.X*c.scale, r.Min.Y*c.scale, r.Max.X*c.scale, r.Max.Y*c.scale
	if math.IsNaN(x0 + y0 + x1 + y1) {
		return
	}
	x0, x1 = max(x0, float64(c.clip.Min.X)), min(x1, float64(c.clip.Max.X))
	y0, y1 = max(y0, float64(c.clip.Min.Y)), min(y1, float64(c.clip.Max.Y))
	if x0 >= x1 || y0 >= y1 {
		return
	}
	for y := int(y0); float64(y) < y1; y++ {
		tall := min(y1, float64(y+1)) - max(y0, float64(y))
		at := c.im.PixOffset(int(x0), y)
		for x := int(x0); float64(x) < x1; x, at = x+1, at+4 {
			cover := (min(x1, float64(x+1)) - max(x0, float64(x))) * tall
			k.blend(c.im.Pix[at:at+4:at+4], float32(cover))
		}
	}
}

// Package raster turns a display list into pixels. What there are many of (discs, curves, glows, images, glyphs) has
// kernels of its own, cut into bands of rows over goroutines; single outlines go through gg. The same drawing gives the
// same pixels in every run, with any number of processors. Shapes may leave the image; coordinates that are not finite
// are not drawn.
package raster

import (
	"image"
	"image/color"
	"math"
	"runtime"
	"sync"

	"github.com/fogleman/gg"

	"orrery/views/scene"
)

// maxSide bounds the picture's sides: gg counts in 26.6 fixed point.
const maxSide = 32767

// Render draws d at scale device pixels per unit and returns the picture, premultiplied, with its origin at 0, 0 and no
// gap between its rows. dst is reused when it has that size; nil is fine. A side is at least one pixel.
func Render(d scene.Drawing, scale float64, dst *image.RGBA) *image.RGBA {
	w, h := side(d.Size.W*scale), side(d.Size.H*scale)
	want := image.Rect(0, 0, w, h)
	if dst == nil || dst.Rect != want || dst.Stride != 4*w || len(dst.Pix) != 4*w*h {
		dst = image.NewRGBA(want)
	}
	c := &canvas{im: dst, clip: want, scale: scale}
	c.clear(d.Background)
	for _, s := range d.Shapes {
		c.draw(s)
	}
	return dst
}

func side(v float64) int {
	if !(v >= 1) {
		return 1
	}
	return int(math.Round(min(v, maxSide)))
}

// canvas is the picture while it is being drawn. clip lies inside the picture; no pixel outside it changes.
type canvas struct {
	im    *image.RGBA
	clip  image.Rectangle
	scale float64
	gg    *gg.Context // draws on the clip, made when first needed
}

func (c *canvas) clear(bg color.NRGBA) {
	pix := c.im.Pix
	a := uint32(bg.A)
	px := [4]uint8{uint8(uint32(bg.R) * a / 255), uint8(uint32(bg.G) * a / 255), uint8(uint32(bg.B) * a / 255), bg.A}
	copy(pix, px[:])
	for n := 4; n < len(pix); n *= 2 {
		copy(pix[n:], pix[:n])
	}
}

func (c *canvas) draw(s scene.Shape) {
	if c.clip.Empty() {
		return
	}
	switch s := s.(type) {
	case scene.Fill:
		c.fill(s)
	case scene.Stroke:
		c.stroke(s)
	case scene.Curves:
		c.curves(s)
	case scene.Discs:
		c.discs(s)
	case scene.Boxes:
		c.boxes(s)
	case scene.Glow:
		c.glow(s)
	case scene.Image:
		c.image(s)
	case scene.Mosaic:
		c.mosaic(s)
	case scene.Text:
		c.text(s)
	case scene.Group:
		c.group(s)
	}
}

// group draws with a smaller clip, whose edges lie on whole pixels: half-covered pixels at a pane's border would show
// the neighbour through.
func (c *canvas) group(g scene.Group) {
	r, ok := c.device(g.Clip)
	if !ok {
		return
	}
	inner := &canvas{im: c.im, scale: c.scale, clip: r.Intersect(c.clip)}
	for _, s := range g.Shapes {
		inner.draw(s)
	}
}

// device is r in whole device pixels, false when it has no extent there or is not finite.
func (c *canvas) device(r scene.Rect) (image.Rectangle, bool) {
	lim := func(v float64) int { return int(math.Round(max(-1e6, min(1e6, v*c.scale)))) }
	if math.IsNaN(r.Min.X) || math.IsNaN(r.Min.Y) || math.IsNaN(r.Max.X) || math.IsNaN(r.Max.Y) {
		return image.Rectangle{}, false
	}
	x0, y0, x1, y1 := lim(r.Min.X), lim(r.Min.Y), lim(r.Max.X), lim(r.Max.Y)
	if x0 >= x1 || y0 >= y1 {
		return image.Rectangle{}, false
	}
	return image.Rect(x0, y0, x1, y1), true
}

// bands runs f over bands of the clip's rows, on several goroutines when the work (in pixels or shapes, roughly the
// same cost) is worth more than starting them.
func (c *canvas) bands(work int, f func(rows image.Rectangle)) {
	n := min(runtime.GOMAXPROCS(0), work/4096, c.clip.Dy()/16)
	if n <= 1 {
		f(c.clip)
		return
	}
	// Several bands for each processor even out what is dense in the middle and thin at the edges.
	n = min(4*n, c.clip.Dy()/16)
	var wg sync.WaitGroup
	next := make(chan image.Rectangle, n)
	for i := range n {
		r := c.clip
		r.Min.Y, r.Max.Y = c.clip.Min.Y+c.clip.Dy()*i/n, c.clip.Min.Y+c.clip.Dy()*(i+1)/n
		next <- r
	}
	close(next)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for r := range next {
				f(r)
			}
		})
	}
	wg.Wait()
}

func finite(v ...float64) bool {
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// ink is a colour made ready for blending: channels as they are stored and the opacity in 1/65536.
type ink struct {
	r, g, b uint32
	a       float32 // 0..65536
}

func inkOf(c color.NRGBA) ink {
	return ink{uint32(c.R), uint32(c.G), uint32(c.B), float32(c.A) * (65536.0 / 255)}
}

// blend lays the ink over one pixel with the given coverage, 0..1. The picture is premultiplied and the ink is not, so
// that all four channels follow the same formula.
func (k ink) blend(p []uint8, coverage float32) {
	a := uint32(k.a*coverage + 0.5)
	rest := 65536 - a
	_ = p[3]
	p[0] = uint8((uint32(p[0])*rest + k.r*a + 32768) >> 16)
	p[1] = uint8((uint32(p[1])*rest + k.g*a + 32768) >> 16)
	p[2] = uint8((uint32(p[2])*rest + k.b*a + 32768) >> 16)
	if p[3] != 255 {
		p[3] = uint8((uint32(p[3])*rest + 255*a + 32768) >> 16)
	}
}

// pick is entry i of a list that has one entry for each shape, or a single one for all.
func pick[T any](list []T, i int) (v T) {
	switch {
	case i < len(list):
		return list[i]
	case len(list) > 0:
		return list[0]
	}
	return v
}

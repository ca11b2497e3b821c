package vector

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"image"
	"image/color"
	"image/draw"
	"image/png"

	"codeberg.org/go-pdf/fpdf"

	"orrery/views/scene"
)

// path writes the steps of one piece of a path, moved and scaled.
func (w *pdf) path(q scene.Path, at scene.Point, scale float64) {
	place := func(p scene.Point) { w.point(scene.Point{X: at.X + p.X*scale, Y: at.Y + p.Y*scale}) }
	i := 0
	for _, op := range q.Ops {
		switch op {
		case scene.MoveTo:
			place(q.Points[i])
			w.text("m\n")
			i++
		case scene.LineTo:
			place(q.Points[i])
			w.text("l\n")
			i++
		case scene.CubicTo:
			place(q.Points[i])
			place(q.Points[i+1])
			place(q.Points[i+2])
			w.text("c\n")
			i += 3
		case scene.Close:
			w.text("h\n")
		}
	}
}

func (w *pdf) outline(p scene.Path) {
	pieces(p, func(q scene.Path) { w.path(q, scene.Point{}, 1) })
}

func (w *pdf) fill(f scene.Fill) {
	if f.Color.A == 0 || empty(f.Path) {
		return
	}
	w.fillColor(f.Color)
	if r, ok := box(f.Path); ok {
		w.rect(r)
		w.text("f\n")
		return
	}
	w.outline(f.Path)
	w.text("f\n")
}

func (w *pdf) stroke(s scene.Stroke) {
	if s.Color.A == 0 || !(s.Width >= 0.0005) || s.Width > widest || empty(s.Path) {
		return
	}
	w.strokeColor(s.Color)
	w.pen(s.Width, false)
	pattern := dashes(s)
	if pattern != nil {
		w.text("[")
		for _, v := range pattern {
			w.number(v)
		}
		w.text("] 0 d\n")
	}
	w.outline(s.Path)
	w.text("S\n")
	if pattern != nil {
		w.text("[] 0 d\n")
	}
}

// curves strokes each run of one colour; opaque runs that follow each other in one colour are one path. Where colours
// change along a line that shines through, runs end square at their common point.
func (w *pdf) curves(c scene.Curves) {
	if !(c.Width >= 0.0005) || c.Width > widest {
		return
	}
	var last color.NRGBA // of the path that is still open; A 0 for none
	end := func() {
		if last.A != 0 {
			w.text("S\n")
		}
		last = color.NRGBA{}
	}
	polylines(c, func(l polyline) {
		kind := l.blend()
		abut := kind == veiled || kind == mixed
		if abut {
			l.stretch(c.Width)
		}
		l.runs(func(points []scene.Point, ink color.NRGBA) {
			if kind != solid || last != ink {
				end()
				w.strokeColor(ink)
				w.pen(c.Width, !abut)
				last = ink
			}
			for i, p := range points {
				w.point(p)
				if i == 0 {
					w.text("m\n")
				} else {
					w.text("l\n")
				}
			}
		})
		if kind != solid {
			end()
		}
	})
	end()
}

// discs fills each run of one opaque colour at once; discs that shine through darken each other, so each is its own.
func (w *pdf) discs(d scene.Discs) {
	if len(d.Radii) == 0 || len(d.Colors) == 0 {
		return
	}
	var last color.NRGBA
	end := func() {
		if last.A != 0 {
			w.text("f\n")
		}
		last = color.NRGBA{}
	}
	unit := scene.Circle(0, 0, 1)
	for i, p := range d.Centers {
		r, c := pick(d.Radii, i), pick(d.Colors, i)
		if !finite(p.X, p.Y, r) || !(r > 0) || c.A == 0 {
			continue
		}
		if c != last || c.A != 255 {
			end()
			w.fillColor(c)
			last = c
		}
		w.path(unit, p, r)
	}
	end()
}

// grained is a glow's look in n by n pixels, embedded a picture's file.
type (
	grained struct {
		gradient
		n int
	}
	embedded struct {
		name string
		data []byte
	}
)

// glow draws a glow's pixels, which glows of one colour and shape share.
func (w *pdf) glow(g scene.Glow) {
	if !visible(g) {
		return
	}
	key := grained{gradient{g.Color, max(0, g.Inner) / g.Outer}, grain(g)}
	pixels, ok := w.glows[key]
	if !ok {
		pixels = disc(g, key.n)
		w.glows[key] = pixels
	}
	w.picture(pixels, scene.R(g.Center.X-g.Outer, g.Center.Y-g.Outer, 2*g.Outer, 2*g.Outer))
}

// words fills the outlines of the text's glyphs.
func (w *pdf) words(t scene.Text) {
	s, width, ok := words(t)
	if !ok {
		return
	}
	w.fillColor(t.Color)
	glyphs, _ := scene.Glyphs(t.Face, t.Size, s)
	for _, g := range glyphs {
		w.path(scene.Outline(g), scene.Point{X: t.At.X - width*t.Align + g.X, Y: t.At.Y}, t.Size)
	}
	w.text("f\n")
}

func (w *pdf) image(s scene.Image) {
	if s.Pixels != nil && !s.Pixels.Rect.Empty() {
		w.picture(s.Pixels, s.At)
	}
}

// picture places pixels, which are embedded once however often they come. The library orders embedded pictures by their
// width alone, and at random among equals; one that comes second with a width gets columns to its right that a clip
// hides.
func (w *pdf) picture(pixels image.Image, on scene.Rect) {
	at, ok := extent(on)
	if !ok {
		return
	}
	f, ok := w.files[pixels]
	if !ok {
		f.name, f.data = encode(pixels)
		w.files[pixels] = f
	}
	name, file := f.name, f.data
	columns := pixels.Bounds().Dx()
	more := 0
	for w.widths[columns+more] != "" && w.widths[columns+more] != name {
		more++
	}
	w.widths[columns+more] = name
	if more == 0 {
		w.embed(name, file, at)
		return
	}
	shown := at
	shown.Max.X += at.W() * float64(more) / float64(columns)
	_, file = encode(widened(pixels, more))
	w.within(at, func() { w.embed(name, file, shown) })
}

func (w *pdf) embed(name string, file []byte, at scene.Rect) {
	options := fpdf.ImageOptions{ImageType: "PNG", AllowNegativePosition: true}
	w.alpha(1000)
	w.flush()
	w.file.RegisterImageOptionsReader(name, options, bytes.NewReader(file))
	w.file.ImageOptions(name, at.Min.X, at.Min.Y, at.W(), at.H(), false, options, 0, "")
}

// encode is the picture as PNG and a name for it that no other picture has.
func encode(pixels image.Image) (string, []byte) {
	var file bytes.Buffer
	if err := png.Encode(&file, pixels); err != nil {
		file.Reset() // the library reports the empty file
	}
	sum := sha256.Sum256(file.Bytes())
	return hex.EncodeToString(sum[:]), file.Bytes()
}

// widened is the picture with its last column repeated n times more.
func widened(pixels image.Image, n int) image.Image {
	r := pixels.Bounds()
	out := image.NewNRGBA(image.Rect(0, 0, r.Dx()+n, r.Dy()))
	draw.Draw(out, out.Rect, pixels, r.Min, draw.Src)
	for y := range r.Dy() {
		for x := range n {
			out.Set(r.Dx()+x, y, pixels.At(r.Max.X-1, r.Min.Y+y))
		}
	}
	return out
}

package vector

import (
	"bytes"
	"encoding/base64"
	"image/color"
	"image/png"
	"strconv"

	"orrery/views/scene"
)

func (w *svg) fill(f scene.Fill) {
	if f.Color.A == 0 || empty(f.Path) {
		return
	}
	if r, ok := box(f.Path); ok {
		w.open("rect")
		w.rect(r)
		w.paint("fill", f.Color)
		w.text("/>\n")
		return
	}
	w.open("path")
	w.paint("fill", f.Color)
	w.outline(f.Path)
	w.text("/>\n")
}

// empty reports whether a path has no part that can be drawn.
func empty(p scene.Path) bool {
	none := true
	pieces(p, func(scene.Path) { none = false })
	return none
}

func (w *svg) stroke(s scene.Stroke) {
	if s.Color.A == 0 || !(s.Width >= 0.0005) || s.Width > widest || empty(s.Path) {
		return
	}
	w.open("path fill=\"none\"")
	w.paint("stroke", s.Color)
	w.attrTo("stroke-width", s.Width, 3)
	if pattern := dashes(s); pattern != nil {
		w.text(" stroke-dasharray=\"")
		for i, v := range pattern {
			if i > 0 {
				w.b = append(w.b, ' ')
			}
			w.b = appendNumber(w.b, v, 3)
		}
		w.b = append(w.b, '"')
	}
	w.outline(s.Path)
	w.text("/>\n")
}

// curves writes a path for each run of one colour; opaque runs that follow each other in one colour share a path.
func (w *svg) curves(c scene.Curves) {
	if !(c.Width >= 0.0005) || c.Width > widest {
		return
	}
	w.open("g fill=\"none\" stroke-linecap=\"round\"")
	w.attrTo("stroke-width", c.Width, 3)
	w.text(">\n")
	w.depth++
	var last color.NRGBA // of the path that is still open; A 0 for none
	end := func() {
		if last.A != 0 {
			w.text("\"/>\n")
		}
		last = color.NRGBA{}
	}
	polylines(c, func(l polyline) {
		kind := l.blend()
		veil := l.colors[1]
		if kind != solid {
			end()
		}
		switch {
		case kind == veiled && veil.A != 0:
			w.open("g")
			w.attrTo("opacity", opacity(veil), 3)
			w.text(">\n")
			w.depth++
		case kind == mixed:
			l.stretch(c.Width)
		}
		l.runs(func(points []scene.Point, ink color.NRGBA) {
			if kind == veiled {
				ink.A = 255
			}
			if kind == solid && last == ink {
				w.b = append(w.b, ' ')
				w.step('M', points)
				return
			}
			end()
			w.open("path")
			w.paint("stroke", ink)
			if kind == mixed {
				w.text(" stroke-linecap=\"butt\"")
			}
			w.text(" d=\"")
			w.step('M', points)
			last = ink
		})
		if kind != solid {
			end()
		}
		if kind == veiled && veil.A != 0 {
			w.shut("g")
		}
	})
	end()
	w.shut("g")
}

// discs writes runs of one colour as groups.
func (w *svg) discs(d scene.Discs) {
	if len(d.Radii) == 0 || len(d.Colors) == 0 {
		return
	}
	var last color.NRGBA
	for i, p := range d.Centers {
		r, c := pick(d.Radii, i), pick(d.Colors, i)
		if !finite(p.X, p.Y, r) || !(r > 0) || c.A == 0 {
			continue
		}
		if c != last {
			if last.A != 0 {
				w.shut("g")
			}
			w.open("g")
			w.paint("fill", c)
			w.text(">\n")
			w.depth++
			last = c
		}
		w.circle(p, r)
		w.text("/>\n")
	}
	if last.A != 0 {
		w.shut("g")
	}
}

func (w *svg) circle(p scene.Point, r float64) {
	w.open("circle")
	w.attr("cx", p.X)
	w.attr("cy", p.Y)
	w.attr("r", r)
}

// gradient is what makes two glows look alike but for place and size.
type gradient struct {
	color color.NRGBA
	inner float64 // share of the outer radius
}

func (w *svg) glow(g scene.Glow) {
	steps := stops(g)
	if steps == nil {
		return
	}
	key := gradient{g.Color, max(0, g.Inner) / g.Outer}
	id, ok := w.gradients[key]
	if !ok {
		id = "glow" + strconv.Itoa(len(w.gradients)+1)
		w.gradients[key] = id
		w.open("radialGradient id=\"" + id + "\">\n")
		w.depth++
		for _, s := range steps {
			w.open("stop")
			w.attrTo("offset", s.at, 4)
			w.color("stop-color", g.Color)
			w.attrTo("stop-opacity", s.strength*opacity(g.Color), 4)
			w.text("/>\n")
		}
		w.shut("radialGradient")
	}
	w.circle(g.Center, g.Outer)
	w.text(" fill=\"url(#" + id + ")\"/>\n")
}

func (w *svg) image(s scene.Image) {
	r, ok := extent(s.At)
	if !ok || s.Pixels == nil || s.Pixels.Rect.Empty() {
		return
	}
	var file bytes.Buffer
	if png.Encode(&file, s.Pixels) != nil {
		return // a picture beyond the limits of PNG, 2^31 pixels a side
	}
	w.open("image")
	w.rect(r)
	w.text(" preserveAspectRatio=\"none\" image-rendering=\"pixelated\" xlink:href=\"data:image/png;base64,")
	w.b = base64.StdEncoding.AppendEncode(w.b, file.Bytes())
	w.text("\">")
	if s.Name != "" {
		w.text("<title>")
		w.b = appendEscaped(w.b, s.Name)
		w.text("</title>")
	}
	w.text("</image>\n")
}

// families is what to ask for, the shipped typeface first.
var families = [...]string{scene.Sans: "Inter, sans-serif", scene.Bold: "Inter, sans-serif",
	scene.Mono: "'JetBrains Mono', monospace"}

// words writes text at an anchor of its own where SVG has one for the alignment, else at its computed beginning.
// textLength makes a reader without the typeface fit its own into the room that the text was given.
func (w *svg) words(t scene.Text) {
	s, width, ok := words(t)
	if !ok {
		return
	}
	face := t.Face
	if int(face) >= len(families) {
		face = scene.Sans
	}
	x, anchor := t.At.X, ""
	switch t.Align {
	case 0:
	case 0.5:
		anchor = " text-anchor=\"middle\""
	case 1:
		anchor = " text-anchor=\"end\""
	default:
		x -= t.Align * width
	}
	w.open("text")
	w.attr("x", x)
	w.attr("y", t.At.Y)
	w.text(" font-family=\"" + families[face] + "\"")
	if face == scene.Bold {
		w.text(" font-weight=\"600\"")
	}
	w.attr("font-size", t.Size)
	w.text(anchor)
	w.attr("textLength", width)
	w.text(" lengthAdjust=\"spacingAndGlyphs\"")
	w.paint("fill", t.Color)
	w.text(">")
	w.b = appendEscaped(w.b, s)
	w.text("</text>\n")
}

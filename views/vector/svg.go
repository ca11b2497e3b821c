package vector

import (
	"image/color"
	"strconv"

	"orrery/views/scene"
)

// SVG writes d as an SVG 1.1 document in UTF-8, one shape a line. Its user unit is the drawing's. Text stays text, in
// the shipped typefaces where the reader has them, else stretched to the width that it was laid out for.
func SVG(d scene.Drawing) []byte {
	w := &svg{b: make([]byte, 0, 4096), gradients: map[gradient]string{}}
	width, height := side(d.Size.W), side(d.Size.H)
	w.text("<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"")
	w.attr("width", width)
	w.attr("height", height)
	w.text(" viewBox=\"0 0 ")
	w.number(width)
	w.text(" ")
	w.number(height)
	w.text("\" stroke-linejoin=\"round\" xml:space=\"preserve\">\n")
	w.depth = 1
	if d.Background.A != 0 {
		w.open("rect")
		w.attr("width", width)
		w.attr("height", height)
		w.paint("fill", d.Background)
		w.text("/>\n")
	}
	for _, s := range d.Shapes {
		put(w, s)
	}
	w.text("</svg>\n")
	return w.b
}

// svg is the document while it is being written.
type svg struct {
	b         []byte
	depth     int
	clips     int
	gradients map[gradient]string // those defined so far, to their ids
}

func (w *svg) text(s string)    { w.b = append(w.b, s...) }
func (w *svg) number(v float64) { w.b = appendNumber(w.b, v, 2) }

func (w *svg) indent() {
	for range w.depth {
		w.b = append(w.b, ' ')
	}
}

// open begins an element on a line of its own.
func (w *svg) open(name string) {
	w.indent()
	w.b = append(w.b, '<')
	w.text(name)
}

// shut ends the element that was indented one step less.
func (w *svg) shut(name string) {
	w.depth--
	w.indent()
	w.text("</")
	w.text(name)
	w.text(">\n")
}

func (w *svg) attr(name string, v float64) { w.attrTo(name, v, 2) }

func (w *svg) attrTo(name string, v float64, decimals int) {
	w.b = append(w.b, ' ')
	w.text(name)
	w.text("=\"")
	w.b = appendNumber(w.b, v, decimals)
	w.b = append(w.b, '"')
}

// paint writes a colour as the attributes "fill" or "stroke" and its opacity. Three decimals tell all 255 apart.
func (w *svg) paint(name string, c color.NRGBA) {
	w.color(name, c)
	if c.A != 255 {
		w.attrTo(name+"-opacity", opacity(c), 3)
	}
}

func (w *svg) color(name string, c color.NRGBA) {
	const hex = "0123456789abcdef"
	w.b = append(w.b, ' ')
	w.text(name)
	w.b = append(w.b, '=', '"', '#', hex[c.R>>4], hex[c.R&15], hex[c.G>>4], hex[c.G&15], hex[c.B>>4], hex[c.B&15], '"')
}

// outline writes a path's data as an attribute.
func (w *svg) outline(p scene.Path) {
	w.text(" d=\"")
	pieces(p, func(q scene.Path) {
		i := 0
		for _, op := range q.Ops {
			switch op {
			case scene.MoveTo:
				w.step('M', q.Points[i:i+1])
				i++
			case scene.LineTo:
				w.step('L', q.Points[i:i+1])
				i++
			case scene.CubicTo:
				w.step('C', q.Points[i:i+3])
				i += 3
			case scene.Close:
				w.b = append(w.b, 'Z')
			}
		}
	})
	w.text("\"")
}

func (w *svg) step(letter byte, points []scene.Point) {
	w.b = append(w.b, letter)
	for i, p := range points {
		if i > 0 {
			w.b = append(w.b, ' ')
		}
		w.number(p.X)
		w.b = append(w.b, ',')
		w.number(p.Y)
	}
}

func (w *svg) group(g scene.Group) {
	r, ok := extent(g.Clip)
	if !ok {
		return
	}
	w.clips++
	id := "clip" + strconv.Itoa(w.clips)
	w.open("clipPath id=\"" + id + "\"><rect")
	w.rect(r)
	w.text("/></clipPath>\n")
	w.open("g clip-path=\"url(#" + id + ")\">\n")
	w.depth++
	for _, s := range g.Shapes {
		put(w, s)
	}
	w.shut("g")
}

func (w *svg) rect(r scene.Rect) {
	w.attr("x", r.Min.X)
	w.attr("y", r.Min.Y)
	w.attr("width", r.W())
	w.attr("height", r.H())
}

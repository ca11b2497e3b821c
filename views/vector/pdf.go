package vector

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"time"

	"codeberg.org/go-pdf/fpdf"

	"orrery/views/scene"
)

// largest is the longest side of a PDF page, in points (ISO 32000-1, annex C.2).
const largest = 14400

// PDF writes d as a PDF document of one page, a unit of the drawing being a point. Text is drawn as the outlines of its
// glyphs, exact without fonts. A glow is a picture with a soft mask, since the library's gradients are opaque. It fails
// for a drawing that is larger than a page may be.
func PDF(d scene.Drawing) ([]byte, error) {
	width, height := side(d.Size.W), side(d.Size.H)
	if width > largest || height > largest {
		return nil, fmt.Errorf("a PDF page can be at most %d points wide and high, the picture is %.0f x %.0f: export a "+
			"smaller picture, or SVG", largest, width, height)
	}
	f := fpdf.NewCustom(&fpdf.InitType{OrientationStr: "P", UnitStr: "pt", Size: fpdf.SizeType{Wd: width, Ht: height}})
	f.SetCompression(true)
	f.SetCatalogSort(true)
	// The file depends on the drawing alone, so it has no date of its own; the format wants one.
	never := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	f.SetCreationDate(never)
	f.SetModificationDate(never)
	f.SetProducer("Orrery", false)
	f.SetMargins(0, 0, 0)
	f.SetAutoPageBreak(false, 0)
	f.AddPage()

	w := &pdf{file: f, height: height, now: fresh,
		widths: map[int]string{}, files: map[image.Image]embedded{}, glows: map[grained]image.Image{}}
	w.text("1 j\n")
	if d.Background.A != 0 {
		w.fill(scene.Fill{Path: scene.Box(scene.R(0, 0, width, height)), Color: d.Background})
	}
	for _, s := range d.Shapes {
		put(w, s)
	}
	w.flush()
	var out bytes.Buffer
	if err := f.Output(&out); err != nil {
		return nil, fmt.Errorf("writing the picture as PDF: %w", err)
	}
	return out.Bytes(), nil
}

// pdf is the page while it is being written: shapes go to b as page operators, with y turned upward.
type pdf struct {
	file   *fpdf.Fpdf
	b      []byte
	height float64
	now    ink
	widths map[int]string // the pixel widths of the pictures so far, to their names
	files  map[image.Image]embedded
	glows  map[grained]image.Image
}

// ink is the part of the page's graphics state that is set here; it follows q and Q.
type ink struct {
	fill, stroke color.NRGBA // A is not used
	alpha        uint16      // thousandths
	width        float64
	round, dash  bool
}

// fresh is the state that a page begins with. No width of ours is 0, so the first is always set.
var fresh = ink{alpha: 1000}

func (w *pdf) text(s string) { w.b = append(w.b, s...) }

// number writes a number and a space. Three decimals keep small glyphs smooth when a reader zooms in.
func (w *pdf) number(v float64) {
	w.b = appendNumber(w.b, v, 3)
	w.b = append(w.b, ' ')
}

func (w *pdf) point(p scene.Point) {
	w.number(p.X)
	w.number(w.height - p.Y)
}

func (w *pdf) rect(r scene.Rect) {
	w.number(r.Min.X)
	w.number(w.height - r.Max.Y)
	w.number(r.W())
	w.number(r.H())
	w.text("re\n")
}

// flush hands over what was written, before the library itself writes to the page.
func (w *pdf) flush() {
	if len(w.b) > 0 {
		w.file.RawWriteBuf(bytes.NewReader(bytes.TrimSuffix(w.b, []byte("\n"))))
		w.b = w.b[:0]
	}
}

// alpha sets the opacity of what follows, in thousandths.
func (w *pdf) alpha(a uint16) {
	if w.now.alpha != a {
		w.flush()
		w.file.SetAlpha(float64(a)/1000, "Normal")
		w.now.alpha = a
	}
}

func thousandths(c color.NRGBA) uint16 { return uint16((uint32(c.A)*1000 + 127) / 255) }

func (w *pdf) fillColor(c color.NRGBA) {
	w.alpha(thousandths(c))
	if c.A = 0; c != w.now.fill {
		w.now.fill = c
		w.channels(c, "rg\n")
	}
}

func (w *pdf) strokeColor(c color.NRGBA) {
	w.alpha(thousandths(c))
	if c.A = 0; c != w.now.stroke {
		w.now.stroke = c
		w.channels(c, "RG\n")
	}
}

func (w *pdf) channels(c color.NRGBA, op string) {
	for _, v := range [3]uint8{c.R, c.G, c.B} {
		w.number(float64(v) / 255)
	}
	w.text(op)
}

// pen sets width and ends of the lines that follow.
func (w *pdf) pen(width float64, round bool) {
	if w.now.width != width {
		w.now.width = width
		w.number(width)
		w.text("w\n")
	}
	if w.now.round != round {
		w.now.round = round
		if round {
			w.text("1 J\n")
		} else {
			w.text("0 J\n")
		}
	}
}

// within draws inside a rectangle.
func (w *pdf) within(r scene.Rect, draw func()) {
	w.text("q\n")
	w.rect(r)
	w.text("W n\n")
	before := w.now
	draw()
	w.text("Q\n")
	w.now = before
}

func (w *pdf) group(g scene.Group) {
	if r, ok := extent(g.Clip); ok {
		w.within(r, func() {
			for _, s := range g.Shapes {
				put(w, s)
			}
		})
	}
}

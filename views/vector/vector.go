// Package vector turns a display list into a file of shapes: SVG for editing and the web, PDF for print. It shows the
// picture that package raster shows, without its pixels: positions are not rounded to a grid, images keep theirs. Both
// files are pure functions of the drawing: the same drawing gives the same bytes. What raster leaves out (coordinates
// that are not finite, colours without opacity, text below one pixel) is left out here too.
package vector

import (
	"image/color"
	"math"

	"orrery/views/scene"
)

// far bounds coordinates. Renderers built on Cairo count in 24.8 fixed point, which ends at 8388607; half of that
// leaves room for their own shifts.
const far = 4e6

// widest is the widest line that is drawn, as in package raster.
const widest = 32767

func tame(v float64) float64 { return max(-far, min(far, v)) }

func finite(v ...float64) bool {
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// format is what each kind of shape is written as.
type format interface {
	fill(scene.Fill)
	stroke(scene.Stroke)
	curves(scene.Curves)
	discs(scene.Discs)
	glow(scene.Glow)
	image(scene.Image)
	words(scene.Text)
	group(scene.Group)
}

// put writes a shape.
func put(w format, s scene.Shape) {
	switch s := s.(type) {
	case scene.Fill:
		w.fill(s)
	case scene.Stroke:
		w.stroke(s)
	case scene.Curves:
		w.curves(s)
	case scene.Discs:
		w.discs(s)
	case scene.Boxes:
		for i, r := range s.Rects {
			w.fill(scene.Fill{Path: scene.Box(r), Color: pick(s.Colors, i)})
		}
	case scene.Glow:
		w.glow(s)
	case scene.Image:
		w.image(s)
	case scene.Mosaic:
		w.image(s.Image())
	case scene.Text:
		w.words(s)
	case scene.Group:
		w.group(s)
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

// extent is a rectangle ready for writing, false when it is empty or not a number.
func extent(r scene.Rect) (scene.Rect, bool) {
	if math.IsNaN(r.Min.X + r.Min.Y + r.Max.X + r.Max.Y) {
		// Two infinities of unlike sign give NaN too; such a rectangle is one without a place.
		return r, false
	}
	r = scene.Rect{Min: scene.Point{X: tame(r.Min.X), Y: tame(r.Min.Y)},
		Max: scene.Point{X: tame(r.Max.X), Y: tame(r.Max.Y)}}
	return r, r.W() > 0 && r.H() > 0
}

// side is the length of the picture's side: at least 1, as in package raster.
func side(v float64) float64 {
	if !(v >= 1) {
		return 1
	}
	return min(v, widest)
}

func opacity(c color.NRGBA) float64 { return float64(c.A) / 255 }

// appendNumber writes v rounded to the given number of decimals, without trailing zeros and never as "-0".
func appendNumber(b []byte, v float64, decimals int) []byte {
	unit := int64(1)
	for range decimals {
		unit *= 10
	}
	n := int64(math.Round(tame(v) * float64(unit)))
	if n < 0 {
		b = append(b, '-')
		n = -n
	}
	b = appendWhole(b, n/unit)
	rest := n % unit
	if rest == 0 {
		return b
	}
	b = append(b, '.')
	for rest > 0 {
		unit /= 10
		b = append(b, byte('0'+rest/unit))
		rest %= unit
	}
	return b
}

func appendWhole(b []byte, n int64) []byte {
	var digits [20]byte
	i := len(digits)
	for {
		i--
		digits[i] = byte('0' + n%10)
		n /= 10
		if n == 0 {
			return append(b, digits[i:]...)
		}
	}
}

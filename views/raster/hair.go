package raster

import (
	"image"
	"math"
)

// Thin curves of many short pieces, as the spirals of long recordings are, have a kernel of their own. A piece whose neighbours go
// on in nearly the same direction, along the same axis, owns the columns of pixels (or rows, where it is steep) whose centres lie
// between its ends: neighbours never touch the same pixel and leave none out, without a look at the joint.
//
//	|   |   |   |   |
//	|  _|-o-|   |   |    o joint: columns to its left are the one piece's,
//	|-- |   |--_|   |    those to its right the other's
//	|   |   |   |---|
//
// In each column the three or four pixels across the line are all there is to do.

// hairHalf is the half width in pixels up to which a line is thin.
const hairHalf = 1.4

// along tells whether q goes on in nearly the direction of p, along the same axis.
func along(p, q *segment) bool {
	steep := math.Abs(p.uy) > math.Abs(p.ux)
	return p.ux*q.ux+p.uy*q.uy > 0.92 && steep == (math.Abs(q.uy) > math.Abs(q.ux))
}

// profiles are the coverages across a thin line of one width: by direction, from along an axis to the diagonal, and by the distance
// of a pixel's centre from the line's middle. Coverage is in 1/256; a step is far below what shows.
type profiles struct {
	per  float64 // steps in a pixel
	rows [directions][steps + 2]uint16
}

const (
	directions = 16
	steps      = 128
)

// newProfiles makes the table for a half width up to hairHalf.
func newProfiles(half float64) *profiles {
	t := &profiles{per: steps / (half + reach)}
	for k := range directions {
		b := math.Sin(math.Pi / 4 * (float64(k) + 0.5) / directions)
		g := segment{a: math.Sqrt(1 - b*b), b: b}
		g.flat, g.full, g.overA, g.over2ab = (g.a-b)/2, (g.a+b)/2, 1/g.a, 1/(2*g.a*b)
		for i := range steps {
			d := (float64(i) + 0.5) / t.per
			t.rows[k][i] = uint16(256*max(0, g.profile(half-d)+g.profile(half+d)-1) + 0.5)
		}
	}
	return t
}

// sines are the directions by their sine, in steps so fine that an arcsine for each piece would say no more.
var sines = func() (by [1024]uint8) {
	for i := range by {
		by[i] = uint8(min(directions-1, math.Asin((float64(i)+0.5)/float64(len(by)))*(directions*4/math.Pi)))
	}
	return by
}()

// row is the table's row for the segment's direction.
func (t *profiles) row(g *segment) *[steps + 2]uint16 {
	return &t.rows[sines[min(len(sines)-1, int(g.b*float64(len(sines))))]]
}

// hair paints the segment into the rows.
func (g *segment) hair(im *image.RGBA, rows image.Rectangle, half float64, t *profiles) {
	begin, minor, by, across := g.x, g.y, g.ux, g.uy
	major, minorStep := 4, im.Stride
	low, high, first, last := rows.Min.X, rows.Max.X, rows.Min.Y, rows.Max.Y
	if math.Abs(g.uy) > math.Abs(g.ux) {
		begin, minor, by, across = g.y, g.x, g.uy, g.ux
		major, minorStep = im.Stride, 4
		low, high, first, last = first, last, low, high
	}
	end := begin + by*g.length
	c0 := max(low, int(math.Ceil(min(begin, end)-0.5)))
	c1 := min(high, int(math.Ceil(max(begin, end)-0.5)))
	if c0 >= c1 {
		return
	}
	slope := across / by
	far := (half + g.full) * g.overA // along the column, to where nothing is covered any more
	base := im.PixOffset(0, 0)
	opacity := uint32(g.ink.a + 0.5)
	cover, per := t.row(g), g.a*t.per
	m := minor + (float64(c0)+0.5-begin)*slope - 0.5 // the line's middle, counted in centres of pixels
	for c := c0; c < c1; c, m = c+1, m+slope {
		r0 := max(first, int(math.Ceil(m-far)))
		r1 := min(last-1, int(math.Floor(m+far)))
		d := (float64(r0) - m) * per
		at := base + c*major + r0*minorStep
		for r := r0; r <= r1; r++ {
			a := opacity * uint32(cover[min(steps, uint(math.Abs(d)))]) >> 8
			d += per
			rest := 65536 - a
			p := im.Pix[at : at+4 : at+4]
			p[0] = uint8((uint32(p[0])*rest + g.ink.r*a + 32768) >> 16)
			p[1] = uint8((uint32(p[1])*rest + g.ink.g*a + 32768) >> 16)
			p[2] = uint8((uint32(p[2])*rest + g.ink.b*a + 32768) >> 16)
			if p[3] != 255 {
				p[3] = uint8((uint32(p[3])*rest + 255*a + 32768) >> 16)
			}
			at += minorStep
		}
	}
}

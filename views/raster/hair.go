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
const hairHalf = 1.3

// along tells whether q goes on in nearly the direction of p, along the same axis.
func along(p, q *segment) bool {
	steep := math.Abs(p.uy) > math.Abs(p.ux)
	return p.ux*q.ux+p.uy*q.uy > 0.92 && steep == (math.Abs(q.uy) > math.Abs(q.ux))
}

// hair paints the segment into the rows.
func (g *segment) hair(im *image.RGBA, rows image.Rectangle, half float64) {
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
	slope := across / by
	reach := (half + g.full) * g.overA // along the column, to where nothing is covered any more
	base := im.PixOffset(0, 0)
	m := minor + (float64(c0)+0.5-begin)*slope - 0.5 // the line's middle, counted in centres of pixels
	for c := c0; c < c1; c, m = c+1, m+slope {
		r0, r1 := int(math.Ceil(m-reach)), int(math.Floor(m+reach))
		r0, r1 = max(first, r0), min(last-1, r1)
		d := (float64(r0) - m) * g.a
		at := base + c*major + r0*minorStep
		for r := r0; r <= r1; r++ {
			if cover := g.profile(half-d) + g.profile(half+d) - 1; cover > 1.0/512 {
				g.ink.blend(im.Pix[at:at+4:at+4], float32(cover))
			}
			d += g.a
			at += minorStep
		}
	}
}

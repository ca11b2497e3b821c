package raster

import (
	"image/color"
	"math"

	"orrery/views/scene"
)

// rings strokes thin lines that are closed and smooth, as circles are, and reports whether all pieces are such lines.
// They have neither ends nor corners that a pen would have to form: the kernel of curves draws them in a fraction of
// the time.
func (c *canvas) rings(pieces []piece, width float64, ink color.NRGBA) bool {
	if width/2 > hairHalf {
		return false
	}
	n := 0
	for _, p := range pieces {
		if !p.smooth(width / 2) {
			return false
		}
		n += len(p.points) + 1
	}
	line := scene.Curves{Width: width, Colors: []color.NRGBA{ink}, Points: make([]scene.Point, 0, n)}
	for _, p := range pieces {
		line.Starts = append(line.Starts, len(line.Points))
		for i := range len(p.points) + 1 {
			q := p.points[i%len(p.points)]
			line.Points = append(line.Points, scene.Point{X: q.X + float64(c.clip.Min.X), Y: q.Y + float64(c.clip.Min.Y)})
		}
	}
	(&canvas{im: c.im, clip: c.clip, scale: 1}).curves(line)
	return true
}

// smooth reports whether a piece is closed and goes on nearly straight at each point, for a line of a half width.
func (p *piece) smooth(half float64) bool {
	n := len(p.points)
	if n > 1 && p.points[0] == p.points[n-1] { // an arc that ends where it begins, closed as well
		n--
	}
	if !p.closed || n < 8 {
		return false
	}
	for i := range n {
		a, b, c := p.points[i], p.points[(i+1)%n], p.points[(i+2)%n]
		x0, y0, x1, y1 := b.X-a.X, b.Y-a.Y, c.X-b.X, c.Y-b.Y
		if dot := x0*x1 + y0*y1; !(dot > max(0.9, straightOn(half))*math.Sqrt((x0*x0+y0*y0)*(x1*x1+y1*y1))) {
			return false
		}
	}
	return true
}

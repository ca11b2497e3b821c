package spiral

import (
	"image/color"
	"math"

	"orrery/views/scene"
)

// chain is the polyline in the making. Points that lie so near to the line from the last vertex to the newest point
// that nobody sees them are left out: of 100 000 windows a picture keeps as many vertices as its curves bend.
//
// All points since the vertex are within slack of every line from it that stays in a cone; the cone shrinks with each
// point, and when a point falls outside, or turns back, or has another colour, the point before becomes a vertex.
type chain struct {
	c       *scene.Curves
	vertex  scene.Point // the last one that is in c
	end     scene.Point // the newest point
	ink     color.NRGBA // of the line to it
	waiting bool        // end is not in c yet
	far     float64     // its distance from the vertex
	open    bool        // the cone is still all around
	l, r    scene.Point // the cone's edges, seen from the vertex
}

// slack is how far, in units, a point may lie beside the line that is drawn.
const slack = 0.08

// start begins a new polyline in c at a point.
func (h *chain) start(c *scene.Curves, at scene.Point) {
	h.flush()
	c.Starts = append(c.Starts, len(c.Points))
	c.Points = append(c.Points, at)
	c.Colors = append(c.Colors, color.NRGBA{})
	*h = chain{c: c, vertex: at, end: at, open: true}
}

// add goes on to a point.
func (h *chain) add(at scene.Point, ink color.NRGBA) {
	if h.waiting && (ink != h.ink || !h.fits(at)) {
		h.flush()
	}
	if !h.waiting {
		h.vertex, h.far, h.open = h.end, 0, true
	}
	h.narrow(at)
	h.end, h.ink, h.waiting = at, ink, true
}

// fits reports whether the line from the vertex to a point passes all points between.
func (h *chain) fits(at scene.Point) bool {
	dx, dy := at.X-h.vertex.X, at.Y-h.vertex.Y
	if far := math.Sqrt(dx*dx + dy*dy); !(far >= h.far-slack) {
		return false
	}
	return h.open || h.l.X*dy-h.l.Y*dx <= 0 && h.r.X*dy-h.r.Y*dx >= 0
}

// narrow takes a point into account: lines must pass it within slack.
func (h *chain) narrow(at scene.Point) {
	dx, dy := at.X-h.vertex.X, at.Y-h.vertex.Y
	far := math.Sqrt(dx*dx + dy*dy)
	h.far = max(h.far, far)
	if far <= slack {
		return
	}
	// The tangents from the vertex to the circle of radius slack around the point, to the left (larger angle) and
	// right.
	sin := slack / far
	cos := math.Sqrt(1 - sin*sin)
	l := scene.Point{X: dx*cos - dy*sin, Y: dx*sin + dy*cos}
	r := scene.Point{X: dx*cos + dy*sin, Y: dy*cos - dx*sin}
	if h.open {
		h.l, h.r, h.open = l, r, false
		return
	}
	if h.l.X*l.Y-h.l.Y*l.X < 0 {
		h.l = l
	}
	if h.r.X*r.Y-h.r.Y*r.X > 0 {
		h.r = r
	}
}

// flush makes the newest point a vertex.
func (h *chain) flush() {
	if h.waiting {
		h.c.Points = append(h.c.Points, h.end)
		h.c.Colors = append(h.c.Colors, h.ink)
		h.waiting = false
	}
}

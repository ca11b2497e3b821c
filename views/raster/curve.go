package raster

import (
	"image"
	"math"
	"sync"

	"orrery/views/scene"
)

// A polyline is cut into its segments, and each pixel near a joint belongs to exactly one of the two segments that meet
// there: the one on whose side of the joint's bisector it lies. So a half-transparent line is not darker at its joints,
// and the outer wedge of a joint comes out round, because distance is measured to the segment, ends included:
//
//	   ----------+  . bisector
//	   segment 1 | .
//	   ----------+.----
//	             .\    \
//	            .  \ segment 2
//
// At a near reversal there is no bisector to speak of; segment 1 then keeps its round end and segment 2 begins square.

// reach is how far beyond half the width a pixel's centre can lie and still be touched: half a pixel's diagonal.
const reach = 0.7072

// shortest is the length in pixels below which a step is joined with the next one: such a step has no direction that
// shows.
const shortest = 0.1

// segment is one piece of a polyline in device pixels.
type segment struct {
	x, y, length float64
	ux, uy       float64 // direction
	top, bottom  float64 // rows it can touch
	m0x, m0y     float64 // cut at the beginning: keep (p-begin).m0 >= 0
	m1x, m1y     float64 // cut at the end: keep (p-end).m1 < 0
	cut0, cut1   bool
	on0, on1     bool // the neighbour before, after goes on in nearly the same direction
	ink          ink
}

// edge is how an edge of a line in one direction cuts pixels.
type edge struct {
	a, b           float64 // the direction's larger and smaller component: the pixel's profile across the line
	flat, full     float64 // (a-b)/2, (a+b)/2
	overA, over2ab float64
}

// newEdge makes one for a direction of length 1, in whatever quarter.
func newEdge(ux, uy float64) edge {
	a, b := math.Abs(ux), math.Abs(uy)
	if a < b {
		a, b = b, a
	}
	e := edge{a: a, b: b, flat: (a - b) / 2, full: (a + b) / 2, overA: 1 / a}
	if b > 1e-9 {
		e.over2ab = 1 / (2 * a * b)
	}
	return e
}

var segmentPool = sync.Pool{New: func() any { return new([]segment) }}

func (c *canvas) curves(s scene.Curves) {
	width := s.Width * c.scale
	if !(width > 0) || !finite(width) || len(s.Colors) == 0 {
		return
	}
	list := segmentPool.Get().(*[]segment)
	defer func() { *list = (*list)[:0]; segmentPool.Put(list) }()
	for k, from := range s.Starts {
		to := len(s.Points)
		if k+1 < len(s.Starts) {
			to = min(to, s.Starts[k+1])
		}
		if from < 0 || from >= to {
			continue
		}
		c.polyline(s, from, to, width/2, list)
	}
	segments := *list
	var thin *profiles
	if width/2 <= hairHalf && len(segments) > 64 { // fewer are not worth a table
		thin = profilesOf(width / 2)
	}
	c.bands(len(segments)*4, func(rows image.Rectangle) {
		low, high := float64(rows.Min.Y), float64(rows.Max.Y)
		for i := range segments {
			if g := &segments[i]; g.bottom > low && g.top < high {
				g.paint(c.im, rows, width/2, thin)
			}
		}
	})
}

// polyline appends the segments of one polyline, broken where a point is not finite.
func (c *canvas) polyline(s scene.Curves, from, to int, half float64, list *[]segment) {
	first := len(*list)
	have := false
	var x, y, x0, y0 float64
	for i := from; i < to; i++ {
		nx, ny := s.Points[i].X*c.scale, s.Points[i].Y*c.scale
		if !finite(nx, ny) {
			c.join((*list)[first:], half, false)
			have, first = false, len(*list)
			continue
		}
		nx, ny = tame(nx), tame(ny)
		if !have {
			x, y, x0, y0, have = nx, ny, nx, ny, true
			continue
		}
		dx, dy := nx-x, ny-y
		length := math.Sqrt(dx*dx + dy*dy)
		if length < shortest && i != to-1 || length == 0 {
			continue
		}
		g := segment{x: x, y: y, length: length, ux: dx / length, uy: dy / length, ink: inkOf(pick(s.Colors, i))}
		g.top, g.bottom = min(y, ny)-half-reach, max(y, ny)+half+reach
		*list = append(*list, g)
		x, y = nx, ny
	}
	c.join((*list)[first:], half, x == x0 && y == y0)
}

// join cuts neighbours of the given half width at their joints; closed tells that the last meets the first.
func (c *canvas) join(g []segment, half float64, closed bool) {
	for i := range g {
		next := i + 1
		if next == len(g) {
			if !closed || len(g) < 3 {
				return
			}
			next = 0
		}
		p, q := &g[i], &g[next]
		mx, my := p.ux+q.ux, p.uy+q.uy
		if mx*mx+my*my < 1e-3 {
			q.m0x, q.m0y, q.cut0 = q.ux, q.uy, true
			continue
		}
		if half <= hairHalf && along(p, q, half) { // cut between columns or rows, as hair does
			p.on1, q.on0 = true, true
			if mx, my = math.Copysign(1, p.ux), 0; math.Abs(p.uy) > math.Abs(p.ux) {
				mx, my = 0, math.Copysign(1, p.uy)
			}
		}
		p.m1x, p.m1y, p.cut1 = mx, my, true
		q.m0x, q.m0y, q.cut0 = mx, my, true
	}
}

// paint blends the segment into the rows. thin, if not nil, is the table of thin lines of this width.
func (g *segment) paint(im *image.RGBA, rows image.Rectangle, half float64, thin *profiles) {
	if thin != nil && g.on0 && g.on1 {
		g.hair(im, rows, thin)
		return
	}
	if thin != nil && g.length > g.joints(half)+between {
		g.middle(im, rows, half, thin)
		return
	}
	g.exact(im, rows, half)
}

// exact looks at each pixel that the segment may touch.
func (g *segment) exact(im *image.RGBA, rows image.Rectangle, half float64) {
	wide := half + reach
	endX, endY := g.x+g.ux*g.length, g.y+g.uy*g.length
	y0, y1 := clampRange(g.top, g.bottom, rows.Min.Y, rows.Max.Y)
	boxLeft, boxRight := min(g.x, endX)-wide, max(g.x, endX)+wide
	if boxRight <= float64(rows.Min.X) || boxLeft >= float64(rows.Max.X) {
		return
	}
	e := newEdge(g.ux, g.uy)
	// Along a row the strip around the line is |(x-xc) uy| <= wide.
	slope, spread := 0.0, math.Inf(1)
	if math.Abs(g.uy) > 1e-6 {
		slope, spread = g.ux/g.uy, wide/math.Abs(g.uy)
	}
	for y := y0; y < y1; y++ {
		py := float64(y) + 0.5
		left, right := boxLeft, boxRight
		if !math.IsInf(spread, 1) {
			xc := g.x + (py-g.y)*slope
			left, right = max(left, xc-spread), min(right, xc+spread)
		}
		if x0, x1 := clampRange(left-0.5, right+0.5, rows.Min.X, rows.Max.X); x0 < x1 {
			g.row(im, y, x0, x1, half, &e, endX, endY)
		}
	}
}

func (g *segment) row(im *image.RGBA, y, x0, x1 int, half float64, e *edge, endX, endY float64) {
	px, py := float64(x0)+0.5-g.x, float64(y)+0.5-g.y
	along, across := px*g.ux+py*g.uy, py*g.ux-px*g.uy
	ex, ey := float64(x0)+0.5-endX, float64(y)+0.5-endY
	thick := half > 0.9
	at := im.PixOffset(x0, y)
	for x := x0; x < x1; x, at = x+1, at+4 {
		if g.cut0 && px*g.m0x+py*g.m0y < 0 || g.cut1 && ex*g.m1x+ey*g.m1y >= 0 {
			px, ex, along, across = px+1, ex+1, along+g.ux, across-g.uy
			continue
		}
		var cover float64
		switch {
		case along < 0 && (thick || g.cut0) && !g.on0:
			cover = roundEnd(px, py, half)
		case along > g.length && (thick || g.cut1) && !g.on1:
			cover = roundEnd(ex, ey, half)
		default:
			cover = e.profile(half-across) + e.profile(half+across) - 1
			if !thick {
				cover *= g.lengthwise(along, half)
			}
		}
		if cover > 1.0/512 {
			g.ink.blend(im.Pix[at:at+4:at+4], float32(cover))
		}
		px, ex, along, across = px+1, ex+1, along+g.ux, across-g.uy
	}
}

// profile is the share of a pixel that lies on the inner side of an edge parallel to the segment, d from the pixel's
// centre (positive: the centre is inside). Exact: the integral of the unit square's trapezoid-shaped projection.
func (g *edge) profile(d float64) float64 {
	t := math.Abs(d)
	switch {
	case t >= g.full:
		t = 1
	case t <= g.flat:
		t = 0.5 + t*g.overA
	default:
		t = 1 - (g.full-t)*(g.full-t)*g.over2ab
	}
	if d < 0 {
		return 1 - t
	}
	return t
}

// lengthwise is the share of a pixel that lies between the free ends of a thin line, where the round end counts as a
// square one of the same area: 2r wide, pi r/4 long.
func (g *segment) lengthwise(along, half float64) float64 {
	more := half*math.Pi/4 + 0.5
	share := 1.0
	if !g.cut0 && along+more < 1 {
		share = max(0, along+more)
	}
	if rest := g.length - along + more; !g.cut1 && rest < 1 {
		share *= max(0, rest)
	}
	return share
}

// roundEnd is about the share of a pixel inside a disc of the given radius, from the pixel's centre relative to the
// disc's: the pixel counts as a unit interval in radial direction.
func roundEnd(dx, dy, radius float64) float64 {
	d := math.Sqrt(dx*dx + dy*dy)
	return max(0, min(radius, d+0.5)-max(-radius, d-0.5))
}

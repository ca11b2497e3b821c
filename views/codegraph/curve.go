package codegraph

import (
	"math"

	"orrery/analysis/depgraph/layout"
	"orrery/views/scene"
)

// spline is a smooth curve through the points of a route as cubic pieces: three points for each piece after the first point. It
// leaves and arrives upright; between, its direction at a bend is that from the bend before to the bend behind, and no piece
// swings out further than its shorter neighbour is long.
func spline(points []layout.Point) []layout.Point {
	n := len(points)
	if n < 2 {
		return points
	}
	direction := make([]layout.Point, n)
	for i := range points {
		switch {
		case i == 0:
			direction[i] = layout.Point{Y: 1.3 * math.Abs(points[1].Y-points[0].Y)}
		case i == n-1:
			direction[i] = layout.Point{Y: 1.3 * math.Abs(points[n-1].Y-points[n-2].Y)}
		default:
			dx, dy := points[i+1].X-points[i-1].X, points[i+1].Y-points[i-1].Y
			length := math.Hypot(dx, dy)
			short := min(math.Hypot(points[i].X-points[i-1].X, points[i].Y-points[i-1].Y), math.Hypot(points[i+1].X-points[i].X, points[i+1].Y-points[i].Y))
			if length > 0 {
				direction[i] = layout.Point{X: dx / length * short, Y: dy / length * short}
			}
		}
	}
	out := make([]layout.Point, 1, 3*n-2)
	out[0] = points[0]
	for i := 1; i < n; i++ {
		a, b := points[i-1], points[i]
		out = append(out, layout.Point{X: a.X + direction[i-1].X/3, Y: a.Y + direction[i-1].Y/3},
			layout.Point{X: b.X - direction[i].X/3, Y: b.Y - direction[i].Y/3}, b)
	}
	return out
}

// along gives places along the curve of a route, close enough to one another to tell how far it swings out. Pieces whose four points are
// known to lie inside, and with them the piece, are left out.
func along(route []layout.Point, give func(at layout.Point), inside func(at layout.Point) bool) {
	cubic := spline(route)
	if len(cubic) > 0 {
		give(cubic[0])
	}
	for i := 1; i+2 < len(cubic); i += 3 {
		a, b, c, d := cubic[i-1], cubic[i], cubic[i+1], cubic[i+2]
		if inside(b) && inside(c) && inside(d) {
			continue
		}
		const steps = 8
		for k := 1; k <= steps; k++ {
			give(cubicAt(a, b, c, d, float64(k)/steps))
		}
	}
}

// cubicAt is a point of a cubic piece, t from 0 to 1.
func cubicAt(a, b, c, d layout.Point, t float64) layout.Point {
	u := 1 - t
	return layout.Point{X: u*u*u*a.X + 3*u*u*t*b.X + 3*u*t*t*c.X + t*t*t*d.X, Y: u*u*u*a.Y + 3*u*u*t*b.Y + 3*u*t*t*c.Y + t*t*t*d.Y}
}

// trace appends a route's line in the pane to points: straight from bend to bend where the pieces are too short for a curve to
// be seen.
func (f *frame) trace(to []scene.Point, route []layout.Point, curved bool) []scene.Point {
	if !curved {
		for _, p := range route {
			to = append(to, f.at(p))
		}
		return to
	}
	cubic := spline(route)
	to = append(to, f.at(cubic[0]))
	for i := 1; i+2 < len(cubic); i += 3 {
		a, b, c, d := f.at(cubic[i-1]), f.at(cubic[i]), f.at(cubic[i+1]), f.at(cubic[i+2])
		steps := min(24, max(1, math.Ceil(math.Sqrt(math.Hypot(d.X-a.X, d.Y-a.Y))*0.9)))
		if math.Abs(a.X-d.X)+math.Abs(a.X-b.X)+math.Abs(a.X-c.X) < 0.05 {
			steps = 1 // upright
		}
		for k := 1.0; k <= steps; k++ {
			t := k / steps
			u := 1 - t
			to = append(to, scene.Point{
				X: u*u*u*a.X + 3*u*u*t*b.X + 3*u*t*t*c.X + t*t*t*d.X,
				Y: u*u*u*a.Y + 3*u*u*t*b.Y + 3*u*t*t*c.Y + t*t*t*d.Y})
		}
	}
	return to
}

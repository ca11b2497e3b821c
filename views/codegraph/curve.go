package codegraph

import (
	"math"

	"orrery/analysis/depgraph/layout"
	"orrery/views/scene"
)

// swing is how far a curve may leave a line that passes a layer, in the layout's units. Lines keep further away from
// nodes.
const swing = 4

// spline is a smooth curve through the points of a route as cubic pieces: three points for each piece after the first
// point. It leaves and arrives upright and, as the route does, keeps to the gaps between layers but where a line passes
// a layer: it goes up or down only as its route does, turns level, and swings out by no more than swing beside a node.
func spline(points []layout.Point) []layout.Point {
	if len(points) < 2 {
		return points
	}
	points = roundTurns(liftTurns(points))
	n := len(points)
	direction := make([]layout.Point, n)
	direction[0].Y = 1.3 * math.Abs(points[1].Y-points[0].Y)
	direction[n-1].Y = 1.3 * math.Abs(points[n-1].Y-points[n-2].Y)
	for i := 1; i < n-1; i++ {
		direction[i] = bend(points[i-1], points[i], points[i+1])
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

// liftTurns takes the places where a route turns back into the gap between layers: a route turns at the edge of a
// layer, and a curve that is level there would graze the corners of nodes.
func liftTurns(points []layout.Point) []layout.Point {
	const most = 10
	out := points
	for i := 1; i+1 < len(points); i++ {
		up, down := points[i].Y-points[i-1].Y, points[i+1].Y-points[i].Y
		if up*down >= 0 {
			continue
		}
		if &out[0] == &points[0] {
			out = append(make([]layout.Point, 0, len(points)), points...)
		}
		out[i].Y -= math.Copysign(min(most, math.Abs(up)/3, math.Abs(down)/3), up)
	}
	return out
}

// roundTurns takes off the corners where a route turns back into an upright piece.
func roundTurns(points []layout.Point) []layout.Point {
	const radius = 20
	var out []layout.Point // nil as long as no corner was found
	for i := 1; i+1 < len(points); i++ {
		a, at, b := points[i-1], points[i], points[i+1]
		if (at.Y-a.Y)*(b.Y-at.Y) > 0 || (at.X == a.X) == (at.X == b.X) {
			if out != nil {
				out = append(out, at)
			}
			continue
		}
		if out == nil {
			out = append(make([]layout.Point, 0, 2*len(points)), points[:i]...)
		}
		r := min(radius, math.Abs(b.X-a.X)/2, math.Abs(a.Y-at.Y)/2, math.Abs(b.Y-at.Y)/2)
		for _, p := range []layout.Point{a, b} {
			if p.X == at.X {
				out = append(out, layout.Point{X: at.X, Y: at.Y + math.Copysign(r, p.Y-at.Y)})
			} else {
				out = append(out, layout.Point{X: at.X + math.Copysign(r, p.X-at.X), Y: at.Y})
			}
		}
	}
	if out == nil {
		return points
	}
	return append(out, points[len(points)-1])
}

// bend is the direction at a point between two others: from the one to the other, no longer than the shorter piece;
// level where the route turns back, upright where it bends far to the side.
func bend(before, at, behind layout.Point) layout.Point {
	dx, dy := behind.X-before.X, behind.Y-before.Y
	length := math.Hypot(dx, dy)
	if length == 0 {
		return layout.Point{}
	}
	up, down := at.Y-before.Y, behind.Y-at.Y
	left, right := at.X-before.X, behind.X-at.X
	short := min(math.Hypot(left, up), math.Hypot(right, down)) / length
	dx, dy = dx*short, dy*short
	if left == 0 || right == 0 { // a cubic piece leaves its chord by at most 4/27 of a direction
		dx = max(-swing*27/4, min(dx, swing*27/4))
	}
	if up*down <= 0 {
		return layout.Point{X: dx}
	}
	most := min(math.Abs(up), math.Abs(down))
	if left == 0 && math.Abs(right) > math.Abs(down) || right == 0 && math.Abs(left) > math.Abs(up) {
		return layout.Point{Y: math.Copysign(1.3*most, dy)}
	}
	return layout.Point{X: dx, Y: max(-1.5*most, min(dy, 1.5*most))}
}

// along gives places along the curve of a route, close enough to one another to tell how far it swings out. Pieces
// whose four points are known to lie inside, and with them the piece, are left out.
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
	return layout.Point{X: u*u*u*a.X + 3*u*u*t*b.X + 3*u*t*t*c.X + t*t*t*d.X,
		Y: u*u*u*a.Y + 3*u*u*t*b.Y + 3*u*t*t*c.Y + t*t*t*d.Y}
}

// trace appends a route's line in the pane to points: straight from bend to bend where the pieces are too short for a
// curve to be seen.
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

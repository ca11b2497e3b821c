package raster

import (
	"math"

	"orrery/views/scene"
)

// piece is one connected part of a path, in device pixels relative to the clip.
type piece struct {
	points []scene.Point
	closed bool
}

// flatness is how far, in pixels, a polygon may lie from the curve that it stands for.
const flatness = 0.05

// tame keeps coordinates where differences of them still mean something.
func tame(v float64) float64 { return max(-1e9, min(1e9, v)) }

// flatten turns a path into polygons in device pixels relative to the clip.
func (c *canvas) flatten(p scene.Path) []piece {
	return flatten(p, func(q scene.Point) scene.Point {
		return scene.Point{X: q.X*c.scale - float64(c.clip.Min.X), Y: q.Y*c.scale - float64(c.clip.Min.Y)}
	})
}

// flatten turns a path into polygons; to maps its points to pixels.
func flatten(p scene.Path, to func(scene.Point) scene.Point) (out []piece) {
	p.Pieces(func(q scene.Point) (scene.Point, bool) {
		q = to(q)
		return scene.Point{X: tame(q.X), Y: tame(q.Y)}, finite(q.X, q.Y)
	}, func(part scene.Path) {
		now := piece{points: make([]scene.Point, 0, len(part.Points))}
		q := part.Points
		for _, op := range part.Ops {
			switch op {
			case scene.CubicTo:
				now.points, q = cubic(now.points, q[0], q[1], q[2]), q[3:]
			case scene.Close:
				now.closed = true
			default:
				now.points, q = append(now.points, q[0]), q[1:]
			}
		}
		out = append(out, now)
	})
	return out
}

// cubic appends a curve from the last point. A curve lies within max|f”|/8 h^2 of its chord over a step h; here
// f” is at most 6 times the larger second difference of the control points, and h is 1/n.
func cubic(points []scene.Point, b, c, d scene.Point) []scene.Point {
	a := points[len(points)-1]
	d2 := max(math.Hypot(a.X-2*b.X+c.X, a.Y-2*b.Y+c.Y), math.Hypot(b.X-2*c.X+d.X, b.Y-2*c.Y+d.Y))
	n := int(math.Ceil(math.Sqrt(min(d2, 1e6) * 0.75 / flatness)))
	n = max(1, n)
	for i := 1; i < n; i++ {
		t := float64(i) / float64(n)
		s := 1 - t
		k0, k1, k2, k3 := s*s*s, 3*s*s*t, 3*s*t*t, t*t*t
		points = append(points, scene.Point{X: k0*a.X + k1*b.X + k2*c.X + k3*d.X, Y: k0*a.Y + k1*b.Y + k2*c.Y + k3*d.Y})
	}
	return append(points, d)
}

// clipRing cuts a closed polygon to a rectangle (Sutherland and Hodgman). Windings inside the rectangle stay as they
// were; a polygon inside is returned as it is.
func clipRing(points []scene.Point, x0, y0, x1, y1 float64) piece {
	if inside(points, x0, y0, x1, y1) {
		return piece{points: points, closed: true}
	}
	for _, side := range []struct {
		keep func(p scene.Point) float64 // >= 0 inside
	}{
		{func(p scene.Point) float64 { return p.X - x0 }},
		{func(p scene.Point) float64 { return x1 - p.X }},
		{func(p scene.Point) float64 { return p.Y - y0 }},
		{func(p scene.Point) float64 { return y1 - p.Y }},
	} {
		var out []scene.Point
		for i, p := range points {
			q := points[(i+1)%len(points)]
			a, b := side.keep(p), side.keep(q)
			if a >= 0 {
				out = append(out, p)
			}
			if (a >= 0) != (b >= 0) {
				t := a / (a - b)
				out = append(out, scene.Point{X: p.X + t*(q.X-p.X), Y: p.Y + t*(q.Y-p.Y)})
			}
		}
		points = out
	}
	return piece{points: points, closed: true}
}

func inside(points []scene.Point, x0, y0, x1, y1 float64) bool {
	for _, p := range points {
		if p.X < x0 || p.X > x1 || p.Y < y0 || p.Y > y1 {
			return false
		}
	}
	return true
}

// clipLine cuts an open or closed line to a rectangle, into the parts that lie inside.
func clipLine(p piece, x0, y0, x1, y1 float64) []piece {
	if inside(p.points, x0, y0, x1, y1) {
		return []piece{p}
	}
	points := p.points
	if p.closed {
		points = append(points[:len(points):len(points)], points[0])
	}
	var out []piece
	var now []scene.Point
	for i := 1; i < len(points); i++ {
		a, b, ok := clipSegment(points[i-1], points[i], x0, y0, x1, y1)
		if !ok {
			continue
		}
		if len(now) == 0 || now[len(now)-1] != a {
			if len(now) > 1 {
				out = append(out, piece{points: now})
			}
			now = []scene.Point{a}
		}
		now = append(now, b)
	}
	if len(now) > 1 {
		out = append(out, piece{points: now})
	}
	return out
}

// clipSegment is Liang and Barsky's.
func clipSegment(a, b scene.Point, x0, y0, x1, y1 float64) (scene.Point, scene.Point, bool) {
	t0, t1 := 0.0, 1.0
	dx, dy := b.X-a.X, b.Y-a.Y
	for _, e := range [4][2]float64{{-dx, a.X - x0}, {dx, x1 - a.X}, {-dy, a.Y - y0}, {dy, y1 - a.Y}} {
		switch {
		case e[0] == 0:
			if e[1] < 0 {
				return a, b, false
			}
		case e[0] < 0:
			t0 = max(t0, e[1]/e[0])
		default:
			t1 = min(t1, e[1]/e[0])
		}
	}
	if t0 > t1 {
		return a, b, false
	}
	p, q := a, b
	if t0 > 0 {
		p = scene.Point{X: a.X + t0*dx, Y: a.Y + t0*dy}
	}
	if t1 < 1 {
		q = scene.Point{X: a.X + t1*dx, Y: a.Y + t1*dy}
	}
	return p, q, true
}

// maxDashes bounds the dashes of one stroke; beyond it the pattern is finer than anybody's screen.
const maxDashes = 100000

// dash cuts lines into the pattern's lengths, in units of the drawing. A pattern without length is a solid line.
func dash(pieces []piece, pattern []float64, scale float64) []piece {
	sum := 0.0
	for _, v := range pattern {
		if !(v >= 0) || !finite(v) {
			return pieces
		}
		sum += v * scale
	}
	if sum <= 0 {
		return pieces
	}
	var out []piece
	for _, p := range pieces {
		points := p.points
		if p.closed {
			points = append(points[:len(points):len(points)], points[0])
		}
		total := 0.0
		for i := 1; i < len(points); i++ {
			total += math.Hypot(points[i].X-points[i-1].X, points[i].Y-points[i-1].Y)
		}
		if total/sum*float64(len(pattern)) > maxDashes {
			out = append(out, p)
			continue
		}
		out = append(out, dashOne(points, pattern, scale)...)
	}
	return out
}

func dashOne(points []scene.Point, pattern []float64, scale float64) []piece {
	var out []piece
	k, left, on := 0, pattern[0]*scale, true
	now := []scene.Point{points[0]}
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		length := math.Hypot(b.X-a.X, b.Y-a.Y)
		done := 0.0
		for length-done > left {
			done += left
			p := scene.Point{X: a.X + (b.X-a.X)*done/length, Y: a.Y + (b.Y-a.Y)*done/length}
			if on && len(now) > 0 {
				out = append(out, piece{points: append(now, p)})
			}
			on = !on
			now = nil
			if on {
				now = []scene.Point{p}
			}
			k = (k + 1) % len(pattern)
			left = pattern[k] * scale
		}
		left -= length - done
		if on {
			now = append(now, b)
		}
	}
	if on && len(now) > 1 {
		out = append(out, piece{points: now})
	}
	return out
}

package vector

import (
	"math"

	"orrery/views/scene"
)

// pieces gives the connected parts of a path as package raster understands them: each begins with MoveTo, a part with
// a point that is not finite or missing is left out, so is one that goes nowhere. What follows a Close without a Move
// goes on from where the closed part began.
func pieces(p scene.Path, each func(scene.Path)) {
	var now scene.Path
	broken, closed := false, false
	end := func() {
		if len(now.Points) > 1 && !broken {
			if closed {
				now.Close()
			}
			each(now)
		}
		now.Ops, now.Points, broken, closed = now.Ops[:0], now.Points[:0], false, false
	}
	next := 0
	take := func() scene.Point {
		if next >= len(p.Points) {
			broken = true
			return scene.Point{}
		}
		q := p.Points[next]
		next++
		broken = broken || !finite(q.X, q.Y)
		return scene.Point{X: tame(q.X), Y: tame(q.Y)}
	}
	for _, op := range p.Ops {
		switch op {
		case scene.MoveTo:
			end()
			q := take()
			now.Move(q.X, q.Y)
		case scene.LineTo:
			q := take()
			if len(now.Points) == 0 {
				now.Move(q.X, q.Y)
				break
			}
			now.Line(q.X, q.Y)
		case scene.CubicTo:
			a, b, c := take(), take(), take()
			if len(now.Points) == 0 {
				now.Move(a.X, a.Y)
			}
			now.Cubic(a.X, a.Y, b.X, b.Y, c.X, c.Y)
		case scene.Close:
			var start scene.Point
			if len(now.Points) > 0 {
				start = now.Points[0]
			} else {
				broken = true
			}
			closed = true
			end()
			if finite(start.X, start.Y) {
				now.Move(start.X, start.Y)
			}
		}
	}
	end()
}

// box tells whether a path is a rectangle as scene.Box makes it, and which.
func box(p scene.Path) (scene.Rect, bool) {
	q := p.Points
	if len(q) != 4 || len(p.Ops) != 5 || p.Ops[0] != scene.MoveTo || p.Ops[4] != scene.Close {
		return scene.Rect{}, false
	}
	for _, op := range p.Ops[1:4] {
		if op != scene.LineTo {
			return scene.Rect{}, false
		}
	}
	if q[0].Y != q[1].Y || q[1].X != q[2].X || q[2].Y != q[3].Y || q[3].X != q[0].X {
		return scene.Rect{}, false
	}
	r, ok := extent(scene.Rect{Min: q[0], Max: q[2]})
	return r, ok && finite(q[0].X, q[0].Y, q[2].X, q[2].Y)
}

// maxDashes bounds the dashes of one stroke, as in package raster: a finer pattern looks solid and stalls viewers.
const maxDashes = 100000

// dashes is the stroke's pattern, nil where the line is solid: without a pattern, with one that has no length or is no
// pattern, and where it would be too fine.
func dashes(s scene.Stroke) []float64 {
	sum := 0.0
	for _, v := range s.Dash {
		if !(v >= 0) || !finite(v) {
			return nil
		}
		sum += v
	}
	if sum < 0.001 || reach(s.Path)/sum*float64(len(s.Dash)) > maxDashes {
		return nil
	}
	return s.Dash
}

// reach is the length of the path's control polygon, which is at least that of the path.
func reach(p scene.Path) float64 {
	sum := 0.0
	for i := 1; i < len(p.Points); i++ {
		if d := math.Hypot(p.Points[i].X-p.Points[i-1].X, p.Points[i].Y-p.Points[i-1].Y); finite(d) {
			sum += d
		}
	}
	return sum
}

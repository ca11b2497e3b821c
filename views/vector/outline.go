package vector

import (
	"math"

	"orrery/views/scene"
)

// pieces gives the parts of a path that can be drawn.
func pieces(p scene.Path, each func(scene.Path)) {
	p.Pieces(func(q scene.Point) (scene.Point, bool) {
		return scene.Point{X: tame(q.X), Y: tame(q.Y)}, finite(q.X, q.Y)
	}, each)
}

// box reports whether a path is a rectangle as scene.Box makes it, and which.
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

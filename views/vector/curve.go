package vector

import (
	"image/color"
	"math"

	"orrery/views/scene"
)

// polyline is one connected line of a Curves; Colors[i] is that of the segment that ends at Points[i].
type polyline struct {
	points []scene.Point
	colors []color.NRGBA
}

// polylines gives the lines of c in painting order, broken where a point is not finite. Points that the file's two
// decimals cannot tell apart are dropped: such a step has no direction. The slices are reused between calls.
func polylines(c scene.Curves, each func(polyline)) {
	if len(c.Colors) == 0 {
		return
	}
	var l polyline
	end := func() {
		if len(l.points) > 1 {
			each(l)
		}
		l.points, l.colors = l.points[:0], l.colors[:0]
	}
	for k, from := range c.Starts {
		to := len(c.Points)
		if k+1 < len(c.Starts) {
			to = min(to, c.Starts[k+1])
		}
		for i := max(0, from); i < to && from >= 0; i++ {
			p := c.Points[i]
			if !finite(p.X, p.Y) {
				end()
				continue
			}
			p = scene.Point{X: tame(p.X), Y: tame(p.Y)}
			if n := len(l.points); n > 0 && (p == l.points[n-1] || i != to-1 && same(p, l.points[n-1])) {
				continue
			}
			l.points = append(l.points, p)
			l.colors = append(l.colors, pick(c.Colors, i))
		}
		end()
	}
}

// same reports whether two points are written alike.
func same(a, b scene.Point) bool {
	return math.Round(a.X*100) == math.Round(b.X*100) && math.Round(a.Y*100) == math.Round(b.Y*100)
}

// runs cuts a line where its colour changes; neighbours share the point between them. Invisible runs are left out.
func (l polyline) runs(each func(points []scene.Point, c color.NRGBA)) {
	for from := 0; from < len(l.points)-1; {
		to := from + 1
		for to+1 < len(l.points) && l.colors[to+1] == l.colors[to] {
			to++
		}
		if c := l.colors[to]; c.A != 0 {
			each(l.points[from:to+1], c)
		}
		from = to
	}
}

// blend says how a line's opacity can be kept even where its runs meet.
type blend uint8

const (
	solid  blend = iota // nothing shines through: runs may overlap
	plain               // one colour: a single path, which is painted once
	veiled              // several colours of one opacity: overlap them, then make the whole transparent
	mixed               // several opacities: runs must abut
)

func (l polyline) blend() blend {
	first, b := l.colors[1], plain
	for _, c := range l.colors[1:] {
		if c.A != first.A {
			return mixed
		}
		if c != first {
			b = veiled
		}
	}
	if first.A == 255 {
		return solid
	}
	return b
}

// stretch lengthens the line's free ends in place by what a round end adds in area, for runs with butt ends: a
// half-disc of radius r is a strip 2r wide and pi r/4 long. Lines that are closed have no free ends.
func (l polyline) stretch(width float64) {
	n := len(l.points)
	if l.points[0] == l.points[n-1] {
		return
	}
	more := width / 2 * math.Pi / 4
	a, b := away(l.points[0], l.points[1], more), away(l.points[n-1], l.points[n-2], more)
	l.points[0], l.points[n-1] = a, b
}

// away is p moved by d away from q.
func away(p, q scene.Point, d float64) scene.Point {
	length := math.Hypot(p.X-q.X, p.Y-q.Y)
	return scene.Point{X: p.X + (p.X-q.X)*d/length, Y: p.Y + (p.Y-q.Y)*d/length}
}

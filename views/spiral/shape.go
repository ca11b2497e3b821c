package spiral

import (
	"math"

	"orrery/views/scene"
)

// Shape says where a window lies on the picture.
type Shape uint8

// The shapes.
const (
	// Spiral has time as radius, early inside (section 5.2).
	Spiral Shape = iota
	// Circle has all members on one circle; what leads in comes out of the centre, what leads out goes on outward, both
	// with a radius that grows with time (section 5.1). Contours summarise where the arcs pass how often.
	Circle
	// Plane has the places that a projection gives.
	Plane
)

// ring is the radius of the Circle's circle, as a share of the way from the first to the last window of a spiral.
const ring = 0.66

// radii finds the distances from the centre by time index.
func (p *plot) radii(out []float64) {
	n := len(out)
	l := p.l
	if p.s.Shape != Circle {
		k := (l.r1 - l.r0) / l.span
		for i, s := range p.s.Seq {
			out[i] = l.r0 + k*(float64(s)-l.first)
		}
		return
	}
	first, last := p.ends()
	r := l.r0 + ring*(l.r1-l.r0)
	for i := range out {
		switch {
		case i < first:
			out[i] = l.r0 + (r-l.r0)*float64(i)/float64(first)
		case i > last:
			out[i] = r + (l.r1-r)*float64(i-last)/float64(n-1-last)
		default:
			out[i] = r
		}
	}
}

// ends are the first and the last member; all windows where there is none.
func (p *plot) ends() (first, last int) {
	if !p.ended {
		p.first, p.last = p.seek()
		p.ended = true
	}
	return p.first, p.last
}

func (p *plot) seek() (first, last int) {
	first, last = -1, -1
	for i, m := range p.member {
		if m >= 0.5 {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return 0, len(p.member) - 1
	}
	return first, last
}

// fit maps the places of the Plane shape into the disc of the picture, with the same scale along both axes.
func (p *plot) fit() []scene.Point {
	low := scene.Point{X: math.Inf(1), Y: math.Inf(1)}
	high := scene.Point{X: math.Inf(-1), Y: math.Inf(-1)}
	for _, q := range p.s.Place {
		low.X, low.Y = min(low.X, q.X), min(low.Y, q.Y)
		high.X, high.Y = max(high.X, q.X), max(high.Y, q.Y)
	}
	l := p.l
	// The shorter side of the pane bounds the circle of the other shapes; a cloud that is wider than tall may use more.
	width, height := l.r1, max(1, l.r1-p.s.Top/2)
	if l.w > l.h {
		width = max(l.r1, l.r1*min(l.w/l.h, 1.5)-l.legend.W()/2)
	}
	k := min(2*width/max(high.X-low.X, 1e-9), 2*height/max(high.Y-low.Y, 1e-9))
	p.unit = k
	out := make([]scene.Point, len(p.s.Place))
	for i, q := range p.s.Place {
		out[i] = scene.Point{X: l.c.X + k*(q.X-(low.X+high.X)/2), Y: l.c.Y + p.s.Top/2 - k*(q.Y-(low.Y+high.Y)/2)}
	}
	return out
}

// pos is where time index i lies.
func (p *plot) pos(i int) scene.Point {
	switch {
	case p.place != nil:
		return p.place[i]
	case len(p.loops) > 0:
		return p.withLoops(p.turn[i], p.r[i], func(l *epicycle) float64 { return l.turn[i] })
	}
	return p.at(p.turn[i], p.r[i])
}

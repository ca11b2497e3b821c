package spiral

import (
	"math"

	"orrery/views/scene"
)

// Loop is another class whose cycles are attached to the spiral of the first: the paper's open problem, to splice arcs
// from several parameterizations into one view in which cycles can be expanded and collapsed (section 8).
//
// The picture is an epicycle, as in an orrery. The base class carries the point around the centre; while a spliced
// class turns, its angle beta carries it around a small circle that touches the base's curve from outside, so that at
// every whole turn of beta the point is back on it:
//
//	P = centre + r (radial) + rho (1 - cos 2 pi beta) (radial) + rho sin(2 pi beta) (tangential)
//
// Amount 0 is the base's curve alone (the class is collapsed into it), 1 is full loops, and between the two the loops
// grow out of the curve. rho is so chosen that loops of one turn of the base stay clear of the next; further loops hang
// on the earlier ones, each a third as large. Time stays on the radius up to the loops' height, and nothing tears:
// where the class says nothing or is not turning, beta stands still.
type Loop struct {
	Angles
	Amount float64 // 0 collapsed .. 1 expanded
}

// epicycle is a Loop with what its drawing needs, computed once a picture.
type epicycle struct {
	turn []float64 // by time index, from 0 at the first member; constant outside
	rho  float64   // in units of the picture
}

// prepare makes the loops of a state; it needs the base's angles and radii.
func (p *plot) prepare() []epicycle {
	if len(p.s.Loops) == 0 {
		return nil
	}
	var out []epicycle
	size := 0.36 * p.pitch()
	for i := range p.s.Loops {
		l := &p.s.Loops[i]
		if !(l.Amount > 0) || len(l.Turns) != len(p.turn) {
			continue
		}
		out = append(out, epicycle{turn: active(l.Angles), rho: size / 2 * min(1, l.Amount)})
		size /= 3
	}
	return out
}

// pitch is the distance from one turn of the base to the next, where they lie closest; bounded, so that loops on a
// curve that hardly turns do not fill the picture.
func (p *plot) pitch() float64 {
	first, last := p.ends()
	most := (p.l.r1 - p.l.r0) / 4
	turns := math.Abs(p.turn[last] - p.turn[first])
	if turns < 1 {
		return most
	}
	return min(most, (p.r[last]-p.r[first])/turns)
}

// active is the angle of a class while it is active: from 0 at its first member on, and standing still where it says
// nothing. It ends on a whole turn, so that what comes after lies on the base's curve again.
func active(a Angles) []float64 {
	out := make([]float64, len(a.Turns))
	base, now, begun := 0.0, 0.0, false
	last := -1
	for i, v := range a.Turns {
		if member := len(a.Members) != len(a.Turns) || a.Members[i]; member && !math.IsNaN(v) && !math.IsInf(v, 0) {
			if !begun {
				base, begun = v, true
			}
			now, last = v-base, i
		}
		out[i] = now
	}
	if last < 0 || now == 0 {
		return out
	}
	if whole := math.Round(now); whole != 0 {
		for i := range out {
			out[i] *= whole / now
		}
	}
	return out
}

// withLoops is the place at an angle and a radius of the base with the loops on it; beta gives each loop's angle in
// turns.
func (p *plot) withLoops(turn, r float64, beta func(*epicycle) float64) scene.Point {
	sin, cos := math.Sincos(2 * math.Pi * turn)
	out, along := r, 0.0
	for i := range p.loops {
		l := &p.loops[i]
		s, c := math.Sincos(2 * math.Pi * beta(l))
		out += l.rho * (1 - c)
		along += l.rho * s
	}
	return scene.Point{X: p.l.c.X + out*cos - along*sin, Y: p.l.c.Y + out*sin + along*cos}
}

// spliced adds the step from time index i-1 to i with all loops on it.
func (b *builder) spliced(c *scene.Curves, i int) {
	p := b.p
	n := b.chords(p.turn[i]-p.turn[i-1], p.r[i])
	for k := range p.loops {
		l := &p.loops[k]
		n = max(n, b.chords(l.turn[i]-l.turn[i-1], l.rho))
	}
	b.way(c, i, n, func(f float64) scene.Point {
		return p.withLoops(p.turn[i-1]+f*(p.turn[i]-p.turn[i-1]), p.r[i-1]+f*(p.r[i]-p.r[i-1]), func(l *epicycle) float64 {
			return l.turn[i-1] + f*(l.turn[i]-l.turn[i-1])
		})
	})
}

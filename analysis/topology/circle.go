package topology

import "math"

// unwind follows a class's circular coordinate through time and makes the parameterization out of it.
func (s *space) unwind(h *harmonic, amble float64) Parameterization {
	p := Parameterization{First: -1}
	n := len(s.point)
	p.Unwrapped, p.Theta, p.Members = make([]float64, n), make([]float32, n), make([]bool, n)
	on := h.carriers()
	first, last := -1, -1
	at := 0.0
	for t, v := range s.point {
		if !on[h.g.part[v]] {
			p.Unwrapped[t] = math.NaN()
			continue
		}
		if first < 0 {
			first = t
		} else {
			step := h.step(s.point[last], v)
			at += step
			p.Travel += math.Abs(step)
		}
		p.Unwrapped[t] = at
		last = t
	}
	if at < 0 {
		for t := range p.Unwrapped {
			p.Unwrapped[t] = 0 - p.Unwrapped[t] // not -x: no negative zero
		}
		at = -at
	}
	if p.Winding = at; p.Travel > 0 {
		p.Score = math.Min(1, at/p.Travel)
	}
	if first >= 0 {
		p.ambles(first, last, amble)
		p.origin(max(p.First, first))
	}
	p.angles()
	p.Turns = turns(p.Winding, p.Count-1, s.window)
	return p
}

// turns is the winding of the windows plus what the records at both ends of the run add to it. A loop that runs over T
// records has T-w+1 windows of its own, so the windows fall short of its turns by up to w-1 records' worth: by that
// much where the code before and after looks different at once, by nothing where it resembles the loop. The middle,
// half a window at the mean speed of the members, is added where the behaviour does recur, that is went round twice.
//
//	records   ....llllllllllllllllllll....      T = 20, a turn is 5: 4 turns
//	windows       |---------|                   w = 10: their starts move over 11 records, 2 turns
func turns(winding float64, steps, window int) float64 {
	if winding < 2 || steps < 1 {
		return winding
	}
	return winding * (1 + float64(window-1)/2/float64(steps))
}

// step is the change of angle, in turns, between consecutive points. Neighbours in the complex have their edge's
// smoothed value, which may be more than half a turn; others are taken the shorter way round.
func (h *harmonic) step(a, b int32) float64 {
	if a == b {
		return 0
	}
	if e := h.g.find(a, b); e >= 0 {
		if a < b {
			return h.along(e)
		}
		return -h.along(e)
	}
	d := h.f[b] - h.f[a]
	return d - math.Round(d)
}

// steps is the motion from each time index to the next.
func (s *space) steps(h *harmonic) []float64 {
	out := make([]float64, len(s.point)-1)
	for t := range out {
		out[t] = h.step(s.point[t], s.point[t+1])
	}
	return out
}

// carriers marks the components, by their label, on which the class is not trivial: there is smoothed value left.
func (h *harmonic) carriers() []bool {
	on := make([]bool, h.g.n)
	for e := range h.c {
		if math.Abs(h.along(int32(e))) > 1e-6 {
			on[h.g.part[h.g.lo[e]]] = true
		}
	}
	return on
}

// ambles finds how far the angle stays near that of the first (last) time index, going inward. The innermost such index
// still counts as a member, the point where the circle is entered (left), so that a motion that starts at once has no
// preamble. What never leaves its first angle has no members at all.
func (p *Parameterization) ambles(first, last int, amble float64) {
	enter, leave := first, last
	// a tie is not near, whatever the rounding
	near := func(a, b float64) bool { return math.IsNaN(a) || math.Abs(a-b) < amble*(1-1e-6) }
	for enter < last && near(p.Unwrapped[enter+1], p.Unwrapped[first]) {
		enter++
	}
	if enter == last {
		return
	}
	for leave > enter && near(p.Unwrapped[leave-1], p.Unwrapped[last]) {
		leave--
	}
	for t, u := range p.Unwrapped {
		switch {
		case math.IsNaN(u):
		case t < enter:
			p.Preamble++
		case t > leave:
			p.Postamble++
		default:
			p.Members[t] = true
			p.Count++
		}
	}
	p.First = enter
	for !p.Members[p.First] {
		p.First++
	}
}

// origin turns everything so that time index t is at angle 0.
func (p *Parameterization) origin(t int) {
	at := p.Unwrapped[t]
	for i := range p.Unwrapped {
		p.Unwrapped[i] -= at
	}
}

// angles fills Theta from Unwrapped.
func (p *Parameterization) angles() {
	for t, u := range p.Unwrapped {
		a := float32(2 * math.Pi * (u - math.Floor(u)))
		if a >= 2*math.Pi {
			a = 0
		}
		p.Theta[t] = a
	}
}

// motion is the cosine of the angle between two parameterizations' sequences of steps: 1 for the same motion, -1 for
// its mirror image.
func motion(a, b *Parameterization) float64 {
	var ab, aa, bb float64
	for t := 1; t < len(a.Unwrapped); t++ {
		x, y := a.Unwrapped[t]-a.Unwrapped[t-1], b.Unwrapped[t]-b.Unwrapped[t-1]
		if math.IsNaN(x) || math.IsNaN(y) {
			continue
		}
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}

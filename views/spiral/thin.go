package spiral

import (
	"math"
	"math/bits"
)

// dense is how much wider the curve is drawn where turns are left out: only tone shows there, and fewer, wider turns
// give the same.
const dense = 1.4

// thin decides which turns are drawn where turns lie closer than the curve is wide: one of two, of four, ..., so that
// what is drawn still covers the disc and the work is bounded by pixels, whatever the number of turns. Powers of two
// nest, so that no hole opens where the pace changes.
func (p *plot) thin() {
	n := len(p.turn)
	room := dense * p.width()
	for i := 0; i < n; {
		low, high := p.turn[i], p.turn[i]
		begin := math.Floor(low)
		j := i + 1
		for ; j < n; j++ {
			turn := p.turn[j]
			if !(turn >= begin && turn < begin+1) {
				break
			}
			if turn < low {
				low = turn
			} else if turn > high {
				high = turn
			}
		}
		// From the window before the turn to its last: what the arcs that these windows end span.
		from := max(0, i-1)
		low, high = min(low, p.turn[from]), max(high, p.turn[from])
		pitch := (p.r[j-1] - p.r[from]) / (high - low)
		if pitch > 0 && 2*pitch <= room {
			if p.every == nil {
				p.strides = zeros(p.strides, n)
				p.every = p.strides
			}
			m := int32(1) << (bits.Len(uint(min(1<<30, room/pitch))) - 1)
			for ; i < j; i++ {
				p.every[i] = m
			}
		}
		i = j
	}
}

// shown is the angle at which the one turn begins that is drawn of the g-th group of m turns. It begins elsewhere in
// each group, as evenly strewn as multiples of the golden section are: ends in a row would show as a ray.
func shown(g, m float64) float64 {
	_, offset := math.Modf(math.Abs(g) * (math.Phi - 1))
	return g*m + offset
}

// stride is m where only one of m turns about time index i is drawn.
func (p *plot) stride(i int) float64 {
	if p.every == nil || p.every[i] < 2 {
		return 1
	}
	return float64(p.every[i])
}

// opacity is that of the arc to time index i. One that stands for m lets through what they would, one over the other,
// were their ink spread over its width.
func (p *plot) opacity(i int) float64 {
	if p.lead(i) {
		return 1
	}
	m := p.stride(i)
	if m > 1 && p.s.Shape == Spiral {
		m /= dense
	}
	if m == 1 {
		return p.alpha
	}
	return 1 - math.Pow(1-p.alpha, m)
}

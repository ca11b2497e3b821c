package dse

import (
	"math/bits"
	"slices"
)

// stairs is a growing region of the plane: the union of the boxes from its steps to a reference point. Steps are kept
// by the rank of their first coordinate in a set of bits over sets of bits, so that the neighbours of any rank are
// found at once.
type stairs struct {
	x, y   []float64 // by rank; y is only good where the bit is set
	refX   float64
	refY   float64
	levels [][]uint64 // levels[0] has a bit for each rank, levels[l+1] one for each word of levels[l]
}

// reset empties the region. x are the first coordinates by rank, growing.
func (s *stairs) reset(x []float64, refX, refY float64) {
	s.x, s.refX, s.refY = x, refX, refY
	s.y = slices.Grow(s.y[:0], len(x))[:len(x)]
	l := 0
	for n := len(x); ; l++ {
		n = (n + 63) / 64
		if l == len(s.levels) {
			s.levels = append(s.levels, nil)
		}
		s.levels[l] = slices.Grow(s.levels[l][:0], n)[:n]
		clear(s.levels[l])
		if n <= 1 {
			break
		}
	}
	s.levels = s.levels[:l+1]
}

func (s *stairs) set(r int) {
	for _, level := range s.levels {
		word := &level[r>>6]
		was := *word
		*word |= 1 << (r & 63)
		if was != 0 {
			return
		}
		r >>= 6
	}
}

func (s *stairs) unset(r int) {
	for _, level := range s.levels {
		word := &level[r>>6]
		*word &^= 1 << (r & 63)
		if *word != 0 {
			return
		}
		r >>= 6
	}
}

// before is the largest rank below r, itself a rank, that has a step, -1 for none.
func (s *stairs) before(r int) int {
	for l, level := range s.levels {
		if rest := level[r>>6] & (1<<(r&63) - 1); rest != 0 {
			r = r&^63 + bits.Len64(rest) - 1
			for ; l > 0; l-- {
				r = r<<6 + bits.Len64(s.levels[l-1][r]) - 1
			}
			return r
		}
		r >>= 6
	}
	return -1
}

// from is the smallest rank at or above r that has a step, -1 for none.
func (s *stairs) from(r int) int {
	for l, level := range s.levels {
		if r>>6 >= len(level) {
			return -1
		}
		if rest := level[r>>6] >> (r & 63) << (r & 63); rest != 0 {
			r = r&^63 + bits.TrailingZeros64(rest)
			for ; l > 0; l-- {
				r = r<<6 + bits.TrailingZeros64(s.levels[l-1][r])
			}
			return r
		}
		r = r>>6 + 1
	}
	return -1
}

// add takes in the step (x[r], y) and gives the area that the region gains.
func (s *stairs) add(r int, y float64) (gain float64) {
	top := s.refY
	if b := s.before(r); b >= 0 {
		top = s.y[b]
	}
	if top <= y {
		return 0
	}
	left, next := s.x[r], s.from(r)
	if next == r && s.y[r] <= y {
		return 0
	}
	for ; next >= 0 && s.y[next] >= y; next = s.from(next + 1) {
		gain += (s.x[next] - left) * (top - y)
		left, top = s.x[next], s.y[next]
		s.unset(next)
	}
	right := s.refX
	if next >= 0 {
		right = s.x[next]
	}
	s.set(r)
	s.y[r] = y
	return gain + (right-left)*(top-y)
}

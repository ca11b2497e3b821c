package dse

import (
	"math/bits"
	"slices"
)

// Bits is a set of point numbers, one bit each.
type Bits struct {
	n     int
	words []uint64
}

// NewBits is an empty set over n points.
func NewBits(n int) *Bits { return &Bits{n, make([]uint64, (n+63)/64)} }

// Clone is the same set, on its own.
func (b *Bits) Clone() *Bits { return &Bits{b.n, slices.Clone(b.words)} }

// Len is the number of points that the set is over, in it or not.
func (b *Bits) Len() int { return b.n }

// Has tells whether p is in the set.
func (b *Bits) Has(p int) bool { return b.words[p>>6]>>(p&63)&1 != 0 }

// Add puts p in.
func (b *Bits) Add(p int) { b.words[p>>6] |= 1 << (p & 63) }

// Fill puts all in.
func (b *Bits) Fill() {
	for i := range b.words {
		b.words[i] = ^uint64(0)
	}
	if rest := b.n & 63; rest > 0 {
		b.words[len(b.words)-1] = 1<<rest - 1
	}
}

// And keeps what is in other too.
func (b *Bits) And(other *Bits) {
	for i, w := range other.words {
		b.words[i] &= w
	}
}

// Count is how many are in.
func (b *Bits) Count() (n int) {
	for _, w := range b.words {
		n += bits.OnesCount64(w)
	}
	return n
}

// Each calls f for each point in the set, growing.
func (b *Bits) Each(f func(p int)) {
	for i, w := range b.words {
		for ; w != 0; w &= w - 1 {
			f(i<<6 + bits.TrailingZeros64(w))
		}
	}
}

// keep sets b to the points for which a column lies in [low, high]; word by word, without branches: bits enter at the
// top.
func (b *Bits) keep(column []float64, low, high float64) {
	for i := range b.words {
		part := column[i<<6 : min(i<<6+64, len(column))]
		var w uint64
		for _, x := range part {
			var above, below uint64
			if x >= low {
				above = 1 << 63
			}
			if x <= high {
				below = 1 << 63
			}
			w = w>>1 | above&below
		}
		b.words[i] = w >> (64 - len(part))
	}
}

// where sets b to the points for which f holds.
func (b *Bits) where(f func(p int) bool) {
	for i := range b.words {
		var w uint64
		for p := i << 6; p < min(i<<6+64, b.n); p++ {
			if f(p) {
				w |= 1 << (p & 63)
			}
		}
		b.words[i] = w
	}
}

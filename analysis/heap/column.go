package heap

import (
	"math"
	"sort"
)

// column keeps numbers that never fall, one for each event of a log, in little more than four bytes each: runs of 64 share
// a base. A run that spans more than 32 bits is kept whole beside the others.
type column struct {
	bases   []uint64
	offsets []uint32
	wide    map[int]*[run]uint64
}

const run = 64

func (c *column) len() int { return len(c.offsets) }

func (c *column) append(v uint64) {
	i := len(c.offsets)
	if i%run == 0 {
		c.bases = append(c.bases, v)
	}
	k := i / run
	d := v - c.bases[k]
	if d > math.MaxUint32 || c.wide[k] != nil {
		c.spread(k)[i%run] = v
		d = math.MaxUint32
	}
	c.offsets = append(c.offsets, uint32(d))
}

// spread gives run k its own numbers.
func (c *column) spread(k int) *[run]uint64 {
	w := c.wide[k]
	if w == nil {
		w = new([run]uint64)
		for i := k * run; i < len(c.offsets); i++ {
			w[i%run] = c.at(i)
		}
		if c.wide == nil {
			c.wide = map[int]*[run]uint64{}
		}
		c.wide[k] = w
	}
	return w
}

func (c *column) at(i int) uint64 {
	if len(c.wide) > 0 {
		if w := c.wide[i/run]; w != nil {
			return w[i%run]
		}
	}
	return c.bases[i/run] + uint64(c.offsets[i])
}

// above is the first event whose number is greater than v.
func (c *column) above(v uint64) int {
	k := sort.Search(len(c.bases), func(k int) bool { return c.bases[k] > v })
	if k == 0 {
		return 0
	}
	first := (k - 1) * run
	n := min(run, len(c.offsets)-first)
	return first + sort.Search(n, func(i int) bool { return c.at(first+i) > v })
}

package heap

import (
	"math"
	"sort"
)

// column keeps numbers that never fall, one for each event of a log, in at most little more than four bytes each: runs
// of 64 share a base. A run of equal numbers is nothing else, as most are of a clock that stands still for a while; one
// that spans more than 32 bits is kept whole beside the others.
type column struct {
	n       int
	bases   []uint64
	places  []int32  // by run: index of its offsets over 64; even for a run of equal numbers
	offsets []uint32 // from the base, 64 for each run that has any
	wide    map[int]*[run]uint64
}

const (
	run  = 64
	even = -1
)

// newColumn is a column with room for the bases of so many runs.
func newColumn(runs int) *column {
	return &column{bases: make([]uint64, 0, runs), places: make([]int32, 0, runs)}
}

func (c *column) len() int { return c.n }

func (c *column) append(v uint64) {
	i := c.n % run
	if i == 0 {
		c.bases = append(c.bases, v)
		c.places = append(c.places, even)
	}
	k := c.n / run
	c.n++
	d := v - c.bases[k]
	if d == 0 && c.places[k] == even {
		return
	}
	if c.places[k] == even {
		c.places[k] = int32(len(c.offsets) / run)
		c.offsets = more(c.offsets, run)
	}
	if d > math.MaxUint32 || c.wide[k] != nil {
		c.spread(k, i)[i] = v
		d = math.MaxUint32
	}
	c.offsets[int(c.places[k])*run+i] = uint32(d)
}

// repeat appends n numbers v, which do not reach beyond a run.
func (c *column) repeat(v uint64, n int) {
	if c.n%run == 0 || c.bases[c.n/run] == v && c.places[c.n/run] == even {
		c.append(v)
		c.n += n - 1
		return
	}
	for range n {
		c.append(v)
	}
}

// spread gives run k, which has n numbers so far, a place for whole ones.
func (c *column) spread(k, n int) *[run]uint64 {
	w := c.wide[k]
	if w == nil {
		w = new([run]uint64)
		for i := range n {
			w[i] = c.at(k*run + i)
		}
		if c.wide == nil {
			c.wide = map[int]*[run]uint64{}
		}
		c.wide[k] = w
	}
	return w
}

func (c *column) at(i int) uint64 {
	k := i / run
	if c.places[k] == even {
		return c.bases[k]
	}
	if len(c.wide) > 0 {
		if w := c.wide[k]; w != nil {
			return w[i%run]
		}
	}
	return c.bases[k] + uint64(c.offsets[int(c.places[k])*run+i%run])
}

// above is the first event whose number is greater than v.
func (c *column) above(v uint64) int {
	k := sort.Search(len(c.bases), func(k int) bool { return c.bases[k] > v })
	if k == 0 {
		return 0
	}
	first := (k - 1) * run
	n := min(run, c.n-first)
	return first + sort.Search(n, func(i int) bool { return c.at(first+i) > v })
}

package rings

import (
	"math/bits"

	"orrery/cachesim"
	"orrery/traceio"
)

// contents is what one level holds while a frame replays the events up to its moment.
type contents struct {
	lines      []uint64 // line + 1, set by set in order of rank
	sets, ways int
	first      int  // number of the first set in events
	shift      uint // log2 of the block
	wide       *table
}

// scanned is the largest associativity at which looking a line up goes through its set; more ways get a table.
const scanned = 16

func (c *contents) load(v *Level, memory []uint64) []uint64 {
	c.sets, c.ways, c.first = v.Sets, v.Ways, v.First
	c.shift = uint(bits.TrailingZeros64(v.Block))
	c.lines = append(memory[:0], v.Lines...)
	c.wide = nil
	return c.lines
}

func (c *contents) set(line uint64) int {
	if c.sets&(c.sets-1) == 0 {
		return int(line) & (c.sets - 1)
	}
	return int(line % uint64(c.sets))
}

// rank is where the line that holds address a stands in its set, -1 when the level does not hold it.
func (c *contents) rank(a traceio.Addr) int32 {
	line := uint64(a) >> c.shift
	at := c.set(line) * c.ways
	for i, e := range c.lines[at : at+c.ways] {
		if e == line+1 {
			return int32(i)
		}
		if e == 0 {
			break
		}
	}
	return -1
}

// holds reports whether the level holds address a; settle must have been called since the last change.
func (c *contents) holds(a traceio.Addr) bool {
	if c.wide == nil {
		return c.rank(a) >= 0
	}
	return c.wide.get(uint64(a)>>c.shift) >= 0
}

// settle prepares many calls of holds.
func (c *contents) settle() {
	if c.ways <= scanned {
		return
	}
	c.wide = newTable(len(c.lines))
	for _, e := range c.lines {
		if e != 0 {
			c.wide.put(e-1, 0)
		}
	}
}

// apply makes the event's change, which follows from the ranks. What a full set pushes out over its end is gone; the
// eviction's event changes nothing more.
func (c *contents) apply(e *cachesim.Event) {
	at := (int(e.Set) - c.first) * c.ways
	if at < 0 || at+c.ways > len(c.lines) || int(e.To) >= c.ways || int(e.From) >= c.ways {
		return
	}
	set := c.lines[at : at+c.ways]
	switch from, to := e.From, e.To; {
	case from < 0 && to >= 0:
		copy(set[to+1:], set[to:])
		set[to] = uint64(e.Line)>>c.shift + 1
	case from >= 0 && to >= 0:
		line := set[from]
		if to <= from {
			copy(set[to+1:from+1], set[to:from])
		} else {
			copy(set[from:to], set[from+1:to+1])
		}
		set[to] = line
	case from >= 0 && e.Op != cachesim.Evict && e.Op != cachesim.WriteBack:
		copy(set[from:], set[from+1:])
		set[c.ways-1] = 0
	}
}

// table is a small open-addressing map from a number to an index, for the inner loops of a frame.
type table struct {
	keys  []uint64 // key + 1
	vals  []int32
	n     int
	shift uint
}

func newTable(n int) *table {
	size := 1 << bits.Len(uint(2*n+1))
	return &table{keys: make([]uint64, size), vals: make([]int32, size), shift: uint(64 - bits.TrailingZeros(uint(size)))}
}

// find is the slot of key k, or the free one where it belongs.
func (t *table) find(k uint64) int {
	h := int((k * 0x9E3779B97F4A7C15) >> t.shift)
	for t.keys[h] != 0 && t.keys[h] != k+1 {
		h = (h + 1) & (len(t.keys) - 1)
	}
	return h
}

// get is the value of key k, -1 for none.
func (t *table) get(k uint64) int32 {
	if t.n == 0 {
		return -1
	}
	if h := t.find(k); t.keys[h] != 0 {
		return t.vals[h]
	}
	return -1
}

func (t *table) put(k uint64, v int32) {
	if 2*t.n >= len(t.keys) {
		t.grow()
	}
	h := t.find(k)
	if t.keys[h] == 0 {
		t.n++
	}
	t.keys[h], t.vals[h] = k+1, v
}

func (t *table) grow() {
	old := *t
	*t = *newTable(len(old.keys))
	for i, k := range old.keys {
		if k != 0 {
			t.put(k-1, old.vals[i])
		}
	}
}

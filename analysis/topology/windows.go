package topology

import "slices"

// cloud is the windows of a symbol sequence with identical ones merged into one point: distinct windows one after the
// other, numbered by first visit. Merged twins are at distance 0 from each other and equally far from all else, so that
// the barcode in degree 1 stays exactly the same.
type cloud struct {
	w       int
	given   []uint32 // the symbols as they came
	symbols []uint32 // renumbered densely from 0
	kinds   int      // different symbols
	start   []int32  // distinct point -> its first window in symbols
	point   []int32  // time index -> distinct point
}

// makeCloud merges the windows of w symbols.
func makeCloud(symbols []uint32, w int) *cloud {
	c := &cloud{w: w, given: slices.Clone(symbols)}
	c.symbols, c.kinds = renumber(symbols)
	n := len(symbols) - w + 1
	c.point = make([]int32, n)
	seen := interned{of: map[uint64]int32{}}
	h := newRoll(w)
	for i, s := range c.symbols {
		h.push(s)
		if i < w-1 {
			continue
		}
		t := i - w + 1
		if t > 0 {
			h.drop(c.symbols[t-1])
		}
		c.point[t] = c.intern(&seen, h.sum, int32(t))
	}
	return c
}

// interned finds points by the hash of their windows: of is the newest point with a hash, before the one before it.
type interned struct {
	of     map[uint64]int32
	before []int32 // by point; -1 ends
}

// intern finds the point equal to window t, among those with its hash, or makes it a new one.
func (c *cloud) intern(seen *interned, hash uint64, t int32) int32 {
	newest, known := seen.of[hash]
	if !known {
		newest = -1
	}
	for p := newest; p >= 0; p = seen.before[p] {
		if slices.Equal(c.window(p), c.symbols[t:int(t)+c.w]) {
			return p
		}
	}
	p := int32(len(c.start))
	c.start = append(c.start, t)
	seen.of[hash], seen.before = p, append(seen.before, newest)
	return p
}

func (c *cloud) window(p int32) []uint32 {
	s := int(c.start[p])
	return c.symbols[s : s+c.w]
}

// renumber makes symbols dense, from 0 in order of first use, and counts them.
func renumber(symbols []uint32) ([]uint32, int) {
	ids := map[uint32]uint32{}
	out := make([]uint32, len(symbols))
	for i, s := range symbols {
		id, ok := ids[s]
		if !ok {
			id = uint32(len(ids))
			ids[s] = id
		}
		out[i] = id
	}
	return out, len(ids)
}

// roll is a polynomial hash (modulo 2^64) of a sliding window: push a symbol, then drop the one w places back.
// Equal hashes are always compared in full, so that a bad sequence costs time, never correctness.
type roll struct {
	sum  uint64
	lead uint64 // weight of the symbol w places back, after the next push
}

const rollBase = 0x9e3779b97f4a7c15 // odd and without structure: the golden ratio times 2^64

func newRoll(w int) *roll {
	r := &roll{lead: 1}
	for range w {
		r.lead *= rollBase
	}
	return r
}

func (r *roll) push(s uint32) { r.sum = r.sum*rollBase + mix(s) }
func (r *roll) drop(s uint32) { r.sum -= mix(s) * r.lead }

// mix spreads a small number over all bits.
func mix(s uint32) uint64 {
	x := (uint64(s) + 1) * 0xbf58476d1ce4e5b9
	return x ^ x>>31
}

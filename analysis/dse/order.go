package dse

import (
	"math"
	"slices"
)

// key is a number, as bits that order as the number does, and the row or point that it is of: sorting these touches no
// other memory.
type key struct {
	u uint64
	i int32
}

// ordered are bits that compare as x does; -0 comes before 0.
func ordered(x float64) uint64 {
	u := math.Float64bits(x)
	return u ^ (uint64(int64(u)>>63) | 1<<63)
}

// ordering sorts by numbers and keeps its memory.
type ordering struct {
	keys, other []key
	list        []int32
}

// room gives n keys to be filled.
func (o *ordering) room(n int) []key {
	o.keys = slices.Grow(o.keys[:0], n)[:n]
	return o.keys
}

// of gives the numbers of rows, m columns each, in the order of column j, equal ones by number; they are good until the
// next call.
func (o *ordering) of(rows []float64, m, j int) []int32 {
	keys := o.room(len(rows) / m)
	for i := range keys {
		keys[i] = key{ordered(rows[i*m+j] + 0), int32(i)}
	}
	keys = o.sort()
	o.list = slices.Grow(o.list[:0], len(keys))[:len(keys)]
	for k, key := range keys {
		o.list[k] = key.i
	}
	return o.list
}

const (
	digit  = 11 // bits that one pass of the radix sort looks at
	passes = (64 + digit - 1) / digit
	radix  = 200 // keys from which on it is faster than comparing
)

// sort sorts the keys and gives them; equal ones keep their order.
func (o *ordering) sort() []key {
	if len(o.keys) < radix {
		slices.SortStableFunc(o.keys, func(a, b key) int {
			switch {
			case a.u < b.u:
				return -1
			case a.u > b.u:
				return 1
			}
			return 0
		})
		return o.keys
	}
	var count [passes][1 << digit]int32
	for _, k := range o.keys {
		for p := range count {
			count[p][k.u>>(p*digit)&(1<<digit-1)]++
		}
	}
	o.other = slices.Grow(o.other[:0], len(o.keys))[:len(o.keys)]
	for p := range count {
		c := &count[p]
		if c[o.keys[0].u>>(p*digit)&(1<<digit-1)] == int32(len(o.keys)) {
			continue // all have the same digit
		}
		at := int32(0)
		for d, n := range c {
			c[d] = at
			at += n
		}
		for _, k := range o.keys {
			d := k.u >> (p * digit) & (1<<digit - 1)
			o.other[c[d]] = k
			c[d]++
		}
		o.keys, o.other = o.other, o.keys
	}
	return o.keys
}

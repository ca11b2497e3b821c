package topology

import (
	"math/bits"
	"slices"
)

// filtration is a filtered graph as a list of edges in order of entry: edge e joins hi[e] > lo[e] and enters at
// level[e]. The position in the list is the order that the reduction uses; it refines the order of levels.
type filtration struct {
	n      int
	hi, lo []int32
	level  []int32
	// neighbours of each vertex in ascending order, with the number of the joining edge:
	first []int32 // first[i]..first[i+1] in next and edge
	next  []int32
	edge  []int32
}

// filtration lists the edges that are left, lowest level first.
func (t *tower) filtration() *filtration {
	f := &filtration{n: t.n}
	for k := range t.at {
		for u := range t.n {
			row := t.row(k, u)
			for w := 0; w <= u>>6; w++ {
				here := row[w]
				if k > 0 {
					here &^= t.row(k-1, u)[w]
				}
				for ; here != 0; here &= here - 1 {
					if v := w<<6 + bits.TrailingZeros64(here); v < u {
						f.hi, f.lo, f.level = append(f.hi, int32(u)), append(f.lo, int32(v)), append(f.level, int32(k))
					}
				}
			}
		}
	}
	f.link()
	return f
}

// link builds the neighbour lists from the edges.
func (f *filtration) link() {
	f.first = make([]int32, f.n+1)
	for e := range f.hi {
		f.first[f.hi[e]+1]++
		f.first[f.lo[e]+1]++
	}
	for i := range f.n {
		f.first[i+1] += f.first[i]
	}
	f.next, f.edge = make([]int32, 2*len(f.hi)), make([]int32, 2*len(f.hi))
	fill := slices.Clone(f.first[:f.n])
	put := func(i, j, e int32) {
		f.next[fill[i]], f.edge[fill[i]] = j, e
		fill[i]++
	}
	for e := range f.hi {
		put(f.hi[e], f.lo[e], int32(e))
		put(f.lo[e], f.hi[e], int32(e))
	}
	for i := range f.n {
		sortTogether(f.next[f.first[i]:f.first[i+1]], f.edge[f.first[i]:f.first[i+1]])
	}
}

// sortTogether sorts keys and carries values along.
func sortTogether(keys, values []int32) {
	packed := make([]uint64, len(keys))
	for i := range keys {
		packed[i] = uint64(keys[i])<<32 | uint64(uint32(values[i]))
	}
	slices.Sort(packed)
	for i, x := range packed {
		keys[i], values[i] = int32(x>>32), int32(uint32(x))
	}
}

// triangles calls yield for each triangle on edge e: the third vertex and the edges that join it to lo and hi, third
// vertices in ascending order. It stops when yield returns false.
func (f *filtration) triangles(e int32, yield func(third, toLo, toHi int32) bool) {
	i, iEnd := f.first[f.lo[e]], f.first[f.lo[e]+1]
	j, jEnd := f.first[f.hi[e]], f.first[f.hi[e]+1]
	for i < iEnd && j < jEnd {
		switch a, b := f.next[i], f.next[j]; {
		case a < b:
			i++
		case a > b:
			j++
		default:
			if !yield(a, f.edge[i], f.edge[j]) {
				return
			}
			i++
			j++
		}
	}
}

// sign is the coefficient of edge e in the boundary of its triangle with third: + unless third lies between its ends.
// For vertices a < b < c the boundary of abc is bc - ac + ab.
func (f *filtration) sign(e, third int32) int {
	if f.lo[e] < third && third < f.hi[e] {
		return -1
	}
	return 1
}

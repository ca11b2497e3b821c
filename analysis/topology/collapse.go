package topology

import (
	"context"
	"math/bits"
)

// tower is a filtered graph on n points with few levels, as one adjacency matrix of bits for each level: at[k] has every edge of level <= k.
type tower struct {
	n, words int
	at       [][]uint64
	log      [][]collapse // by level, in order of time
	edges    []int        // edges of at[k]
}

// collapse records that edge u-v left one level's graph because c, next to both, is next to all their common
// neighbours.
type collapse struct{ u, v, c uint16 }

// newTower builds the graphs of levels 0..count-1 from the lower triangle of level numbers.
func newTower(n int, level []uint8, count int) *tower {
	t := &tower{n: n, words: (n + 63) / 64, at: make([][]uint64, count), log: make([][]collapse, count), edges: make([]int, count)}
	for k := range t.at {
		t.at[k] = make([]uint64, n*t.words)
	}
	e := 0
	for i := range n {
		for j := range i {
			if k := int(level[e]); k < count {
				t.set(k, i, j)
			}
			e++
		}
	}
	for k := 1; k < count; k++ {
		below, here := t.at[k-1], t.at[k]
		for w, b := range below {
			here[w] |= b
		}
		t.edges[k] += t.edges[k-1]
	}
	return t
}

func (t *tower) set(k, i, j int) {
	t.at[k][i*t.words+j>>6] |= 1 << (j & 63)
	t.at[k][j*t.words+i>>6] |= 1 << (i & 63)
	t.edges[k]++
}

func (t *tower) drop(k, i, j int) {
	t.at[k][i*t.words+j>>6] &^= 1 << (j & 63)
	t.at[k][j*t.words+i>>6] &^= 1 << (i & 63)
	t.edges[k]--
}

func (t *tower) row(k, i int) []uint64 { return t.at[k][i*t.words : (i+1)*t.words] }

// thin collapses edges: where u and v have a common neighbour c that is next to all their other common neighbours, the
// link of edge u-v is a cone with tip c, so that taking the edge out of this level's complex is a homotopy equivalence
// (J.-D. Boissonnat, S. Pritam, "Edge collapse and persistence of flag complexes", SoCG 2020). An edge climbs from its
// own level to the first at which nothing dominates it. Every step shrinks one level's complex to an equivalent one
// and leaves the levels nested, so the barcode stays exactly the same whatever the order of the steps.
//
// Highest levels go first, where most edges are. A second pass finds what the first one has freed.
func (t *tower) thin(ctx context.Context, passes int, progress func(done int64)) error {
	f := dominators{t: t, common: make([]uint64, t.words), left: make([]uint64, t.words)}
	for range passes {
		before := t.edges[len(t.edges)-1]
		for k := len(t.at) - 1; k >= 0; k-- {
			if err := t.thinLevel(ctx, k, &f, progress); err != nil {
				return err
			}
		}
		if t.edges[len(t.edges)-1] > before*19/20 {
			break
		}
	}
	return nil
}

// thinLevel lets every edge of level k climb.
func (t *tower) thinLevel(ctx context.Context, k int, f *dominators, progress func(int64)) error {
	for u := range t.n {
		if err := ctx.Err(); err != nil {
			return err
		}
		tried := int64(0)
		for w := 0; w <= u>>6; w++ {
			here := t.row(k, u)[w]
			if k > 0 {
				here &^= t.row(k-1, u)[w]
			}
			for ; here != 0; here &= here - 1 {
				v := w<<6 + bits.TrailingZeros64(here)
				if v >= u {
					break
				}
				t.climb(k, u, v, f)
				tried++
			}
		}
		progress(tried)
	}
	return nil
}

func (t *tower) climb(k, u, v int, f *dominators) {
	for ; k < len(t.at); k++ {
		c := f.find(k, u, v)
		if c < 0 {
			return
		}
		t.drop(k, u, v)
		t.log[k] = append(t.log[k], collapse{uint16(u), uint16(v), uint16(c)})
	}
}

// dominators finds the tip of an edge's link.
type dominators struct {
	t      *tower
	common []uint64 // common neighbours of the edge
	left   []uint64 // those that may still be a tip
	used   []int32  // words of common that are not empty
	live   []int32  // words of left that are not empty
	last   int      // the tip found last, likely to serve the next edge too
}

// find gives a common neighbour of u and v at level k that is next to all others, or -1.
func (f *dominators) find(k, u, v int) int {
	f.used = f.used[:0]
	a, b := f.t.row(k, u), f.t.row(k, v)
	for w := range a {
		if x := a[w] & b[w]; x != 0 {
			f.common[w] = x
			f.used = append(f.used, int32(w))
		} else {
			f.common[w] = 0
		}
	}
	if len(f.used) == 0 {
		return -1
	}
	if f.common[f.last>>6]>>(f.last&63)&1 != 0 && f.covers(k, f.last) {
		return f.last
	}
	c := f.intersect(k)
	if c >= 0 {
		f.last = c
	}
	return c
}

// covers tells whether c is next to all other common neighbours.
func (f *dominators) covers(k, c int) bool {
	row := f.t.row(k, c)
	for _, w := range f.used {
		x := f.common[w] &^ row[w]
		if int(w) == c>>6 {
			x &^= 1 << (c & 63)
		}
		if x != 0 {
			return false
		}
	}
	return true
}

// intersect narrows the candidates to those next to x (or x itself) for each common neighbour x in turn. Where there is
// no tip the candidates run out after a few steps.
func (f *dominators) intersect(k int) int {
	f.live = append(f.live[:0], f.used...)
	for _, w := range f.used {
		f.left[w] = f.common[w]
	}
	for _, w := range f.used {
		for x := f.common[w]; x != 0; x &= x - 1 {
			if f.keep(k, int(w)<<6+bits.TrailingZeros64(x)); len(f.live) == 0 {
				return -1
			}
		}
	}
	w := f.live[0]
	return int(w)<<6 + bits.TrailingZeros64(f.left[w])
}

// keep drops the candidates that are neither x nor next to it.
func (f *dominators) keep(k, x int) {
	row := f.t.row(k, x)
	live := f.live[:0]
	for _, w := range f.live {
		y := row[w]
		if int(w) == x>>6 {
			y |= 1 << (x & 63)
		}
		if f.left[w] &= y; f.left[w] != 0 {
			live = append(live, w)
		}
	}
	f.live = live
}

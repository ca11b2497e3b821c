package topology

import (
	"context"
	"math/bits"
)

// tower is a filtered graph on n points with few levels, as one adjacency matrix of bits for each level: at[k] has
// every edge of level <= k.
type tower struct {
	n, words int
	at       [][]uint64
	log      collapses
	edges    []int // edges of at[k]
}

// collapse records that edge u-v left the graphs of levels from..to-1 because c, next to both, is next to all their
// common neighbours there.
type collapse struct {
	u, v, c  uint16
	from, to uint8
}

// collapses is a log in order of time, in pieces of logPiece: it is long, and copying it to grow would double its
// memory.
type collapses [][]collapse

const logPiece = 1 << 15

func (l *collapses) add(c collapse) {
	if n := len(*l); n == 0 || len((*l)[n-1]) == logPiece {
		*l = append(*l, make([]collapse, 0, logPiece))
	}
	last := &(*l)[len(*l)-1]
	*last = append(*last, c)
}

// backward yields what happened at one level, last first.
func (l collapses) backward(level int32, yield func(collapse)) {
	for i := len(l) - 1; i >= 0; i-- {
		for j := len(l[i]) - 1; j >= 0; j-- {
			if c := l[i][j]; int32(c.from) <= level && level < int32(c.to) {
				yield(c)
			}
		}
	}
}

// newTower builds the graphs of levels 0..count-1 from the lower triangle of level numbers.
func newTower(n int, level []uint8, count int) *tower {
	t := &tower{n: n, words: (n + 63) / 64, at: make([][]uint64, count), edges: make([]int, count)}
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
	var here collapse
	for ; k < len(t.at); k++ {
		c := f.find(k, u, v)
		if c < 0 {
			break
		}
		t.drop(k, u, v)
		if here.to > 0 && int(here.c) == c {
			here.to++
			continue
		}
		if here.to > 0 {
			t.log.add(here)
		}
		here = collapse{uint16(u), uint16(v), uint16(c), uint8(k), uint8(k + 1)}
	}
	if here.to > 0 {
		t.log.add(here)
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

// find gives a common neighbour of u and v at level k that is next to all others, or -1. A candidate that is not next
// to some x, its witness, goes, and so do all others that are not next to x: few rounds settle most edges.
func (f *dominators) find(k, u, v int) int {
	if f.again(k, u, v) {
		return f.last
	}
	if !f.meet(k, u, v) {
		return -1
	}
	for {
		c := f.first()
		x := f.witness(k, c)
		if x < 0 {
			f.last = c
			return c
		}
		if f.keep(k, x); len(f.live) == 0 {
			return -1
		}
	}
}

// again reports whether the tip found last serves u and v too, as it does for most edges: one pass, nothing stored.
func (f *dominators) again(k, u, v int) bool {
	a, b, c := f.t.row(k, u), f.t.row(k, v), f.t.row(k, f.last)
	at, bit := f.last>>6, uint64(1)<<(f.last&63)
	if a[at]&b[at]&bit == 0 {
		return false
	}
	b, c = b[:len(a)], c[:len(a)] // one bounds check instead of many
	if a[at]&b[at]&^(c[at]|bit) != 0 {
		return false
	}
	for w, x := range a {
		if x&b[w]&^c[w] != 0 && w != at {
			return false
		}
	}
	return true
}

// meet sets the common neighbours, all of them candidates, and reports whether there are any.
func (f *dominators) meet(k, u, v int) bool {
	f.used = f.used[:0]
	a, b := f.t.row(k, u), f.t.row(k, v)
	for w := range a {
		x := a[w] & b[w]
		f.common[w], f.left[w] = x, x
		if x != 0 {
			f.used = append(f.used, int32(w))
		}
	}
	f.live = append(f.live[:0], f.used...)
	return len(f.used) > 0
}

// first is the lowest candidate.
func (f *dominators) first() int {
	w := f.live[0]
	return int(w)<<6 + bits.TrailingZeros64(f.left[w])
}

// witness gives a common neighbour that c is not next to, or -1.
func (f *dominators) witness(k, c int) int {
	row := f.t.row(k, c)
	for _, w := range f.used {
		x := f.common[w] &^ row[w]
		if int(w) == c>>6 {
			x &^= 1 << (c & 63)
		}
		if x != 0 {
			return int(w)<<6 + bits.TrailingZeros64(x)
		}
	}
	return -1
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

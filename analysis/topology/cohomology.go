package topology

import (
	"context"
	"fmt"
	"slices"
)

// A term is a simplex with its coefficient in one word, so that sorting terms sorts simplices:
//
//	edge:     |            32: edge          | 0 | 16: coefficient |
//	triangle: | 32: its latest edge | 16: vertex opposite | 16: coefficient |
//
// Triangles are ordered by their latest edge, then by the vertex opposite. This refines the order of entry.
type term uint64

func edgeTerm(e int32, c uint32) term { return term(e)<<32 | term(c) }

func (t term) simplex() term { return t >> 16 }
func (t term) edge() int32   { return int32(t >> 32) }
func (t term) vertex() int32 { return int32(t >> 16 & 0xffff) }
func (t term) coef() uint32  { return uint32(t & 0xffff) }

// class is one bar with its cocycle: a cochain on the edges whose coboundary lies at or beyond its death. Cut down to
// the edges of a level between birth and death it is a cocycle of that level's complex.
type class struct {
	edge         int32 // the edge with which it is born
	birth, death int32 // levels; death is -1 when the class survives
	cochain      []term
}

// reduction computes persistent cohomology in degree 1 of the flag complex of a filtration over Z/p: the coboundary
// matrix is reduced column by column, latest edge first (V. de Silva, D. Morozov, M. Vejdemo-Johansson, "Dualities in
// persistent (co)homology", 2011), and is never stored: a column is made from the graph when it is needed (U. Bauer,
// "Ripser", 2021). Edges of the spanning forest have no column (clearing). An edge e that closes a triangle together
// with earlier edges pairs with the first such triangle: nothing later can have it as its first triangle (apparent
// pairs).
type reduction struct {
	f        *filtration
	p        uint32
	inverse  []uint32
	apparent []int32        // edge -> third vertex of the triangle it pairs with, or -1
	byPivot  map[term]int32 // pivot triangle -> number of its column
	cochains [][]term       // by column: the combination of edges whose coboundary is the reduced column
	pivots   []uint32       // by column: coefficient of the pivot
	heap     []term         // working column, a heap by simplex, with repetitions
	most     int            // the length of heap at which it is put aside
	runs     [][]term       // what of it did not fit into the heap, in sorted pieces
	scratch  []term         // for sorting them
	chain    []term         // working combination, with repetitions
	kept     int            // terms in cochains
	limit    int            // terms that memory has room for
}

// termBytes is the size of a term; slices that grow need twice that, and the collector as much again.
const termBytes = 4 * 8

// reduce returns the classes that live in at least one level, latest birth first. Nothing bounds the fill of a
// reduction in advance, so it is watched: past memory bytes it ends with an *Error.
func reduce(ctx context.Context, f *filtration, p int, memory int64) ([]class, error) {
	r := &reduction{f: f, p: uint32(p), inverse: inverses(p), byPivot: map[term]int32{},
		limit: int(memory / termBytes), most: heapMost}
	return r.classes(ctx)
}

// classes reduces all columns.
func (r *reduction) classes(ctx context.Context) ([]class, error) {
	f := r.f
	tree := f.forest()
	r.apparent = make([]int32, len(f.hi))
	err := parallel(ctx, (len(f.hi)+4095)/4096, func() func(int) {
		return func(i int) {
			for e := i * 4096; e < min((i+1)*4096, len(f.hi)); e++ {
				r.apparent[e] = f.closes(int32(e))
			}
		}
	})
	if err != nil {
		return nil, err
	}
	var out []class
	for e := int32(len(f.hi)) - 1; e >= 0; e-- {
		if tree[e] || r.apparent[e] >= 0 {
			continue
		}
		c, err := r.reduceColumn(ctx, e)
		if err != nil {
			return nil, err
		}
		if c.birth != c.death {
			out = append(out, c)
		}
	}
	return out, nil
}

// inverses tabulates 1/x modulo p.
func inverses(p int) []uint32 {
	inv := make([]uint32, p)
	inv[1] = 1
	for x := 2; x < p; x++ {
		inv[x] = uint32(p-(p/x)) * inv[p%x] % uint32(p)
	}
	return inv
}

// forest marks the edges that join two components when they enter.
func (f *filtration) forest() []bool {
	parent := make([]int32, f.n)
	for i := range parent {
		parent[i] = int32(i)
	}
	find := func(i int32) int32 {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	tree := make([]bool, len(f.hi))
	for e := range f.hi {
		if a, b := find(f.hi[e]), find(f.lo[e]); a != b {
			parent[a] = b
			tree[e] = true
		}
	}
	return tree
}

// closes gives the first third vertex with which edge e closes a triangle of earlier edges, or -1.
func (f *filtration) closes(e int32) int32 {
	out := int32(-1)
	f.triangles(e, func(third, toLo, toHi int32) bool {
		if toLo < e && toHi < e {
			out = third
		}
		return out < 0
	})
	return out
}

// reduceColumn adds other columns to that of edge e until its first triangle is no other column's, or none is left.
func (r *reduction) reduceColumn(ctx context.Context, e int32) (class, error) {
	r.heap, r.runs, r.chain = r.heap[:0], nil, append(r.chain[:0], edgeTerm(e, 1))
	r.column(e, 1, func(t term) { r.heap = append(r.heap, t) })
	if len(r.heap) > 0 {
		if first := slices.Min(r.heap); r.free(first) { // nothing to add: most columns (emergent pairs)
			return r.settle(e, first), nil
		}
		slices.Sort(r.heap) // a sorted slice is a heap
	}
	for steps := 0; ; steps++ {
		if steps&1023 == 0 {
			if err := r.watch(ctx); err != nil {
				return class{}, err
			}
		}
		pivot, ok := r.popPivot()
		if !ok {
			return class{e, r.f.level[e], -1, r.compact()}, nil
		}
		late, third := pivot.edge(), pivot.vertex()
		if r.apparent[late] == third {
			factor := pivot.coef()
			if r.f.sign(late, third) > 0 {
				factor = r.p - factor
			}
			r.push(pivot)
			r.addEdge(late, factor)
			continue
		}
		if c, taken := r.byPivot[pivot.simplex()]; taken {
			factor := (r.p - pivot.coef()) * r.inverse[r.pivots[c]] % r.p
			r.push(pivot)
			for _, t := range r.cochains[c] {
				r.addEdge(t.edge(), t.coef()*factor%r.p)
			}
			continue
		}
		return r.settle(e, pivot), nil
	}
}

// watch looks after time and memory.
func (r *reduction) watch(ctx context.Context) error {
	if r.kept+r.length()+len(r.chain) > r.limit {
		return &Error{TooLarge, fmt.Sprintf("the reduction of %d edges fills up: it passed %.2g GiB of memory", len(r.f.hi),
			float64(r.limit)*termBytes/(1<<30)),
			"choose a smaller --count, a smaller eps, or sample with --every"}
	}
	return ctx.Err()
}

// free reports whether a triangle is no column's pivot yet.
func (r *reduction) free(t term) bool {
	_, taken := r.byPivot[t.simplex()]
	return !taken && r.apparent[t.edge()] != t.vertex()
}

// settle keeps the working column as that of edge e, reduced to its pivot.
func (r *reduction) settle(e int32, pivot term) class {
	r.byPivot[pivot.simplex()] = int32(len(r.cochains))
	r.cochains = append(r.cochains, r.compact())
	r.pivots = append(r.pivots, pivot.coef())
	r.kept += len(r.cochains[len(r.cochains)-1])
	return class{e, r.f.level[e], r.f.level[pivot.edge()], r.cochains[len(r.cochains)-1]}
}

func (r *reduction) addEdge(e int32, coef uint32) {
	r.chain = append(r.chain, edgeTerm(e, coef))
	r.column(e, coef, r.push)
}

// column yields the terms of the coboundary of edge e, times coef, in no order.
func (r *reduction) column(e int32, coef uint32, yield func(term)) {
	f := r.f
	lo, hi := f.lo[e], f.hi[e]
	f.triangles(e, func(third, toLo, toHi int32) bool {
		c := coef
		if lo < third && third < hi {
			c = r.p - c
		}
		late, opposite := e, third
		if toLo > late {
			late, opposite = toLo, hi
		}
		if toHi > late {
			late, opposite = toHi, lo
		}
		yield(term(late)<<32 | term(opposite)<<16 | term(c))
		return true
	})
}

// popPivot takes the first triangle with a coefficient other than 0 off the working column.
func (r *reduction) popPivot() (term, bool) {
	for {
		first, ok := r.first()
		if !ok {
			return 0, false
		}
		sum := uint64(0)
		for len(r.heap) > 0 && r.heap[0].simplex() == first {
			sum += uint64(r.pop().coef())
		}
		for k, run := range r.runs {
			if len(run) > 0 && run[0].simplex() == first {
				sum += uint64(run[0].coef())
				r.runs[k] = run[1:]
			}
		}
		if sum %= uint64(r.p); sum != 0 {
			return first<<16 | term(sum), true
		}
	}
}

// first is the first simplex of the working column.
func (r *reduction) first() (simplex term, ok bool) {
	if len(r.heap) > 0 {
		simplex, ok = r.heap[0].simplex(), true
	}
	for _, run := range r.runs {
		if len(run) > 0 && (!ok || run[0].simplex() < simplex) {
			simplex, ok = run[0].simplex(), true
		}
	}
	return simplex, ok
}

// length is how many terms the working column has.
func (r *reduction) length() int {
	n := len(r.heap)
	for _, run := range r.runs {
		n += len(run)
	}
	return n
}

// Of a working column longer than heapMost, the usual most, the heap is put aside as a sorted run, in which every
// simplex occurs once: a heap of millions would be copied as it grows, and is slow. When there are runsMost of them
// they become one.
const (
	heapMost = 1 << 20
	runsMost = 16
)

// putAside makes the heap a run.
func (r *reduction) putAside() {
	r.heap = r.addUp(r.heap)
	r.runs = append(r.runs, slices.Clone(r.heap))
	r.heap = r.heap[:0]
	if len(r.runs) == runsMost {
		all := make([]term, 0, r.length())
		for k, run := range r.runs {
			all = append(all, run...)
			r.runs[k] = nil
		}
		r.runs = append(r.runs[:0], r.addUp(all))
		r.scratch = nil // which was as long
	}
}

// addUp sorts terms and adds up those of the same simplex, in place; what comes to 0 is left out.
func (r *reduction) addUp(list []term) []term {
	r.scratch = sortTerms(list, r.scratch)
	out := list[:0]
	for i := 0; i < len(list); {
		t, sum := list[i], uint32(0)
		for ; i < len(list) && list[i].simplex() == t.simplex(); i++ {
			sum = (sum + list[i].coef()) % r.p
		}
		if sum != 0 {
			out = append(out, t.simplex()<<16|term(sum))
		}
	}
	return out
}

func (r *reduction) push(t term) {
	if len(r.heap) >= r.most {
		r.putAside()
	}
	h := append(r.heap, t)
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if h[up] <= t {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = t
	r.heap = h
}

func (r *reduction) pop() term {
	h := r.heap
	top, t := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	i := 0
	for {
		down := 2*i + 1
		if down >= len(h) {
			break
		}
		if down+1 < len(h) && h[down+1] < h[down] {
			down++
		}
		if t <= h[down] {
			break
		}
		h[i] = h[down]
		i = down
	}
	if len(h) > 0 {
		h[i] = t
	}
	r.heap = h
	return top
}

// compact sorts the working combination and adds up its repetitions.
func (r *reduction) compact() []term {
	r.chain = r.addUp(r.chain)
	return slices.Clone(r.chain)
}

package layout

import (
	"container/heap"
	"context"
	"math"
)

// tie is one demand on ranks: that of hi is at least rank of lo + length; what it is longer costs its weight each.
type tie struct {
	lo, hi         int32
	length, weight int32
}

// simplex finds ranks of least cost: the sum over all ties of weight times the difference of their ranks (Gansner and others,
// 1993, section 2). It goes from one spanning tree of ties without slack to a better one until no exchange betters it.
type simplex struct {
	n     int
	tie   []tie
	rank  []int32
	start []int32 // vertex -> its first place in at
	at    []int32 // ties of each vertex

	tree   [][]int32 // vertex -> ties of the tree
	inTree []bool
	cut    []int64 // tie of the tree -> what lengthening it costs; negative: it pays
	up     []int32 // vertex -> tie of the tree towards the root, -1 at the root
	low    []int32 // vertex -> least number in its subtree
	lim    []int32 // vertex -> its own number: those of a subtree are low..lim
	by     []int32 // number -> vertex
	stack  []int32
	scan   int // where the search for a tie to leave goes on
}

// rankBy gives ranks of least cost for a connected graph without cycles; the least rank is 0.
func rankBy(ctx context.Context, n int, ties []tie) ([]int32, error) {
	s := &simplex{n: n, tie: ties}
	s.start, s.at = incidence(n, ties)
	s.longest()
	if n > 1 {
		s.spanTight()
		s.number(0, -1, 0)
		s.value()
		for turn := 0; ; turn++ {
			if turn&255 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			e := s.leave()
			if e < 0 {
				break
			}
			s.exchange(e, s.enter(e))
		}
	}
	least := s.rank[0]
	for _, r := range s.rank {
		least = min(least, r)
	}
	for v := range s.rank {
		s.rank[v] -= least
	}
	return s.rank, nil
}

// incidence lists the ties of each vertex.
func incidence(n int, ties []tie) (start, at []int32) {
	start, at = make([]int32, n+1), make([]int32, 2*len(ties))
	for i := range ties {
		start[ties[i].lo]++
		start[ties[i].hi]++
	}
	for v := range n {
		start[v+1] += start[v]
	}
	// Rows are filled from their ends.
	for i := len(ties) - 1; i >= 0; i-- {
		for _, v := range [2]int32{ties[i].lo, ties[i].hi} {
			start[v]--
			at[start[v]] = int32(i)
		}
	}
	return start, at
}

// longest gives the ranks of longest paths, in topological order, with sources moved down: feasible, and the start of the search.
func (s *simplex) longest() {
	n := s.n
	room := make([]int32, 4*n)
	open, balance, queue := room[:n], room[n:2*n], room[2*n:2*n:3*n]
	s.rank = room[3*n:]
	for i := range s.tie {
		t := &s.tie[i]
		open[t.hi]++
		balance[t.lo] += t.weight
		balance[t.hi] -= t.weight
	}
	for v := range n {
		if open[v] == 0 {
			queue = append(queue, int32(v))
		}
	}
	for i := 0; i < len(queue); i++ {
		v := queue[i]
		for _, e := range s.at[s.start[v]:s.start[v+1]] {
			if t := &s.tie[e]; t.lo == v {
				s.rank[t.hi] = max(s.rank[t.hi], s.rank[v]+t.length)
				if open[t.hi]--; open[t.hi] == 0 {
					queue = append(queue, t.hi)
				}
			}
		}
	}
	// What feeds more than it takes comes down to the first that needs it: most of what the search would have to do, at once.
	for i := len(queue) - 1; i >= 0; i-- {
		v := queue[i]
		if balance[v] <= 0 {
			continue
		}
		low := int32(math.MaxInt32)
		for _, e := range s.at[s.start[v]:s.start[v+1]] {
			if t := &s.tie[e]; t.lo == v {
				low = min(low, s.rank[t.hi]-t.length)
			}
		}
		s.rank[v] = low
	}
}

func (s *simplex) slack(e int32) int32 {
	t := &s.tie[e]
	return s.rank[t.hi] - s.rank[t.lo] - t.length
}

// bunch is a tree of tight ties while the spanning tree is put together: its vertices are a list.
type bunch struct {
	first, last int32
	size, place int32 // place in the heap
}

// bunches is a heap, the smallest bunch first.
type bunches []*bunch

func (b bunches) Len() int           { return len(b) }
func (b bunches) Less(i, j int) bool { return b[i].size < b[j].size }
func (b bunches) Swap(i, j int)      { b[i], b[j] = b[j], b[i]; b[i].place, b[j].place = int32(i), int32(j) }
func (b *bunches) Push(x any)        { *b = append(*b, x.(*bunch)) }
func (b *bunches) Pop() any {
	old := *b
	x := old[len(old)-1]
	*b = old[:len(old)-1]
	return x
}

// spanTight finds a spanning tree of ties without slack: the smallest tree found so far is moved towards its nearest neighbour
// until only one is left, so that each vertex is looked at some log n times.
func (s *simplex) spanTight() {
	s.tree, s.inTree = make([][]int32, s.n), make([]bool, len(s.tie))
	room := make([]int32, len(s.at)) // a vertex has no more ties in the tree than there are
	for v := range s.tree {
		s.tree[v] = room[s.start[v]:s.start[v]:s.start[v+1]]
	}
	of, next := make([]*bunch, s.n), make([]int32, s.n)
	all := s.tight(of, next)
	heap.Init(&all)
	for len(all) > 1 {
		b := all[0]
		near, least := int32(-1), int32(0)
		for u := b.first; u >= 0; u = next[u] {
			for _, e := range s.at[s.start[u]:s.start[u+1]] {
				if of[s.tie[e].lo] != of[s.tie[e].hi] && (near < 0 || s.slack(e) < least) {
					near, least = e, s.slack(e)
				}
			}
		}
		into := of[s.tie[near].lo]
		if into == b {
			into = of[s.tie[near].hi]
		} else {
			least = -least
		}
		for u := b.first; u >= 0; u = next[u] {
			s.rank[u] += least
			of[u] = into
		}
		s.join(near)
		heap.Pop(&all)
		next[into.last], into.last = b.first, b.last
		into.size += b.size
		heap.Fix(&all, int(into.place))
	}
}

// tight finds the bunches of vertices that ties without slack join.
func (s *simplex) tight(of []*bunch, next []int32) bunches {
	room := make([]bunch, s.n)
	all := make(bunches, 0, s.n)
	for v := range int32(s.n) {
		if of[v] != nil {
			continue
		}
		b := &room[len(all)]
		*b = bunch{v, v, 1, int32(len(all))}
		of[v], next[v] = b, -1
		for u := v; u >= 0; u = next[u] {
			for _, e := range s.at[s.start[u]:s.start[u+1]] {
				w := s.tie[e].lo + s.tie[e].hi - u
				if of[w] == nil && s.slack(e) == 0 {
					of[w], next[w] = b, -1
					next[b.last], b.last = w, w
					b.size++
					s.join(e)
				}
			}
		}
		all = append(all, b)
	}
	return all
}

func (s *simplex) join(e int32) {
	t := &s.tie[e]
	s.inTree[e] = true
	s.tree[t.lo] = append(s.tree[t.lo], e)
	s.tree[t.hi] = append(s.tree[t.hi], e)
}

func (s *simplex) part(e int32) {
	t := &s.tie[e]
	s.inTree[e] = false
	for _, v := range [2]int32{t.lo, t.hi} {
		row := s.tree[v]
		for i, f := range row {
			if f == e {
				row[i] = row[len(row)-1]
				s.tree[v] = row[:len(row)-1]
				break
			}
		}
	}
}

// number gives the subtree of v, which hangs on tie up, numbers from low on, children before parents.
func (s *simplex) number(v, up, low int32) {
	if s.lim == nil {
		s.lim, s.low, s.up, s.by = make([]int32, s.n), make([]int32, s.n), make([]int32, s.n), make([]int32, s.n)
	}
	s.up[v], s.low[v] = up, low
	next := low
	s.stack = append(s.stack[:0], v, 0)
	for len(s.stack) > 0 {
		top := len(s.stack) - 2
		u, i := s.stack[top], s.stack[top+1]
		if int(i) == len(s.tree[u]) {
			s.lim[u], s.by[next] = next, u
			next++
			s.stack = s.stack[:top]
			continue
		}
		s.stack[top+1]++
		if e := s.tree[u][i]; e != s.up[u] {
			w := s.tie[e].lo + s.tie[e].hi - u
			s.up[w], s.low[w] = e, next
			s.stack = append(s.stack, w, 0)
		}
	}
}

// value computes what each tie of the tree would cost or save: weights out of its lower end's part less those into it, which
// are sums over a subtree.
func (s *simplex) value() {
	s.cut = make([]int64, len(s.tie))
	sum := make([]int64, s.n)
	for _, t := range s.tie {
		sum[t.lo] += int64(t.weight)
		sum[t.hi] -= int64(t.weight)
	}
	for _, v := range s.by {
		e := s.up[v]
		if e < 0 {
			break
		}
		s.cut[e] = sum[v]
		if s.tie[e].hi == v {
			s.cut[e] = -sum[v]
		}
		sum[s.tie[e].lo+s.tie[e].hi-v] += sum[v]
	}
}

// leave finds a tie of the tree that pays to lengthen, the best of the next few; -1 when there is none.
func (s *simplex) leave() int32 {
	const enough = 30
	best, found := int32(-1), 0
	for range s.n {
		v := s.by[s.scan]
		if s.scan++; s.scan == s.n {
			s.scan = 0
		}
		e := s.up[v]
		if e < 0 || s.cut[e] >= 0 {
			continue
		}
		if best < 0 || s.cut[e] < s.cut[best] {
			best = e
		}
		if found++; found == enough {
			break
		}
	}
	return best
}

// enter finds the tie of least slack that joins the two halves again in the other direction.
func (s *simplex) enter(leave int32) int32 {
	t := s.tie[leave]
	below := s.up[t.lo] == leave // the half that hangs holds the tie's lower end
	v := t.hi
	if below {
		v = t.lo
	}
	low, lim := s.low[v], s.lim[v]
	best, least := int32(-1), int32(0)
	for _, u := range s.by[low : lim+1] {
		for _, e := range s.at[s.start[u]:s.start[u+1]] {
			f := &s.tie[e]
			// An edge that crosses against the leaving tie: into the half of its lower end.
			other := f.lo
			if below != (f.hi == u) {
				continue
			}
			if !below {
				other = f.hi
			}
			if l := s.lim[other]; l >= low && l <= lim {
				continue
			}
			if sl := s.slack(e); best < 0 || sl < least {
				if best, least = e, sl; sl == 0 {
					return best
				}
			}
		}
	}
	return best
}

// exchange puts one tie in the place of another and moves the half that hangs.
func (s *simplex) exchange(out, in int32) {
	t, f := s.tie[out], s.tie[in]
	v, delta := t.hi, s.slack(in)
	if s.up[t.lo] == out {
		v, delta = t.lo, -delta
	}
	low, lim := s.low[v], s.lim[v]
	if delta != 0 {
		for _, u := range s.by[low : lim+1] {
			s.rank[u] += delta
		}
	}
	c := s.cut[out]
	top := s.meet(f.lo, f.hi)
	s.climb(f.lo, top, c)
	s.climb(f.hi, top, -c)
	s.cut[in], s.cut[out] = -c, 0
	s.part(out)
	s.join(in)
	inner, outer := f.lo, f.hi
	if l := s.lim[inner]; l < low || l > lim {
		inner, outer = outer, inner
	}
	s.hang(v, inner, outer, in)
}

// hang takes the subtree of v away and hangs it up again, by its vertex inner, as the last child of outer: its numbers become those just
// before the one of outer, and what lies between there and where it was closes up.
func (s *simplex) hang(v, inner, outer, in int32) {
	low, lim := s.low[v], s.lim[v]
	k := lim - low + 1
	to := s.lim[outer]
	if to > lim {
		for i, u := range s.by[lim+1 : to] {
			s.by[low+int32(i)] = u
			s.lim[u] -= k
			if s.low[u] > lim {
				s.low[u] -= k
			}
		}
		for u := outer; s.low[u] > lim; u = s.parent(u) {
			s.low[u] -= k
		}
		s.number(inner, in, to-k)
		return
	}
	for i := low - 1; i >= to; i-- {
		u := s.by[i]
		s.by[i+k] = u
		s.lim[u] += k
		if s.low[u] > to {
			s.low[u] += k
		}
	}
	for u := s.parent(v); s.low[u] > to; u = s.parent(u) {
		s.low[u] += k
	}
	s.number(inner, in, to)
}

// meet gives the lowest vertex of the tree that has both below itself.
func (s *simplex) meet(v, w int32) int32 {
	for s.lim[w] < s.low[v] || s.lim[w] > s.lim[v] {
		v = s.parent(v)
	}
	return v
}

func (s *simplex) parent(v int32) int32 {
	t := &s.tie[s.up[v]]
	return t.lo + t.hi - v
}

// climb goes from v up to top; ties passed from their lower end get change, the others lose it.
func (s *simplex) climb(v, top int32, change int64) {
	for v != top {
		e := s.up[v]
		if s.tie[e].lo == v {
			s.cut[e] += change
		} else {
			s.cut[e] -= change
		}
		v = s.parent(v)
	}
}

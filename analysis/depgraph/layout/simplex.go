package layout

import (
	"context"
	"math"
)

// tie is one demand on ranks: that of hi is at least rank of lo + length; what it is longer costs its weight each.
type constraint struct {
	lo, hi         int32
	length, weight int32
}

// simplex finds ranks of least cost: the sum over all ties of weight times the difference of their ranks (Gansner and
// others, 1993, section 2). It goes from one spanning tree of ties without slack to a better one until no exchange
// betters it.
type simplex struct {
	*scratch
	n          int
	constraint []constraint
	rank       []int32
	start      []int32 // vertex -> its first place in end, where those upwards are
	downs      []int32 // vertex -> where those downwards begin
	incident   []incidentEdge
	imbalance  []int64 // vertex -> weight of what runs out less that of what runs in

	tree       []treeEdge // ties of the tree, those of each vertex where its ties are
	degree     []int32    // vertex -> how many those are
	cutValue   []int64    // tie of the tree -> what lengthening it costs; negative: it pays; of others 0
	candidates []int32    // ties of the tree that pay, and some that did
	up         []int32    // vertex -> tie of the tree towards the root, -1 at the root
	parent     []int32    // vertex -> the other end of that
	stamp      int32
	mark       []int32 // vertex -> turn in which it was last met
	subtree    []int32 // the vertices that hang on the tie that leaves, if they move
}

// end is a tie seen from one of its vertices.
type incidentEdge struct {
	to, constraint, length int32
}

// branch is a tie of the tree seen from one of its vertices.
type treeEdge struct{ to, constraint int32 }

// rankBy gives ranks of least cost for a connected graph without cycles; the least rank is 0.
func (m *scratch) rank(ctx context.Context, in incidence, ties []constraint) ([]int32, error) {
	c := m.newCore(in, ties)
	vertex, left := c.remaining()
	inner, err := m.rankCore(ctx, len(vertex), left)
	if err != nil {
		return nil, err
	}
	rank := c.expand(vertex, inner)
	least := rank[0]
	for _, r := range rank {
		least = min(least, r)
	}
	for v := range rank {
		rank[v] -= least
	}
	return rank, nil
}

// rankCore finds the ranks of what is left.
func (m *scratch) rankCore(ctx context.Context, n int, ties []constraint) ([]int32, error) {
	s := &simplex{scratch: m, n: n, constraint: ties}
	s.listIncident()
	s.longestPaths()
	if n == 1 {
		return s.rank, nil
	}
	s.tightTree()
	s.up, s.parent, s.mark, s.subtree = raw[int32](m, n), raw[int32](m, n), take[int32](m, n), spare[int32](m, n+1)
	s.initCutValues()
	// Exchanges that move nothing could in principle come round to a tree there has been: ranks are feasible after
	// every one, so that many of them in a row are taken for such a circle. Of 60,000 random graphs none had more than
	// a third of n and ties together.
	for turn, still := 0, 0; still < 64*(n+len(ties)); turn++ {
		if turn&255 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		e := s.leavingEdge()
		if e < 0 {
			break
		}
		if still++; s.exchange(e, s.enteringEdge(e)) {
			still = 0
		}
	}
	return s.rank, nil
}

// incidence lists the ties of each vertex: those of v are at[start[v]:start[v+1]].
type incidence struct{ start, at []int32 }

func (m *scratch) incidence(n int, ties []constraint) incidence {
	start, at := take[int32](m, n+1), raw[int32](m, 2*len(ties))
	for i := range ties {
		start[ties[i].lo]++
		start[ties[i].hi]++
	}
	prefixSums(start)
	// Rows are filled from their ends.
	for i := len(ties) - 1; i >= 0; i-- {
		lo, hi := ties[i].lo, ties[i].hi
		start[lo]--
		at[start[lo]] = int32(i)
		start[hi]--
		at[start[hi]] = int32(i)
	}
	return incidence{start, at}
}

// longest gives the ranks of longest paths, in topological order, with sources moved down: feasible, and the start of
// the search.
func (s *simplex) longestPaths() {
	n := s.n
	open, queue := raw[int32](s.scratch, n), spare[int32](s.scratch, n)
	s.rank = take[int32](s.scratch, n)
	for v := range int32(n) {
		if open[v] = s.downs[v] - s.start[v]; open[v] == 0 {
			queue = append(queue, v)
		}
	}
	for i := 0; i < len(queue); i++ {
		r := s.rank[queue[i]]
		for _, e := range s.side(queue[i], 1) {
			s.rank[e.to] = max(s.rank[e.to], r+e.length)
			if open[e.to]--; open[e.to] == 0 {
				queue = append(queue, e.to)
			}
		}
	}
	// What feeds more than it takes comes down to the first that needs it: most of what the search would have to do, at
	// once.
	for i := len(queue) - 1; i >= 0; i-- {
		v := queue[i]
		if s.imbalance[v] <= 0 {
			continue
		}
		low := int32(math.MaxInt32)
		for _, e := range s.side(v, 1) {
			low = min(low, s.rank[e.to]-e.length)
		}
		s.rank[v] = low
	}
}

// ends lists the ties of each vertex, those upwards first, and weighs them.
func (s *simplex) listIncident() {
	n := s.n
	s.start, s.downs = take[int32](s.scratch, n+1), take[int32](s.scratch, n)
	s.incident, s.imbalance = raw[incidentEdge](s.scratch, 2*len(s.constraint)), take[int64](s.scratch, n)
	for i := range s.constraint {
		t := &s.constraint[i]
		s.start[t.hi]++
		s.downs[t.lo]++
		s.imbalance[t.lo] += int64(t.weight)
		s.imbalance[t.hi] -= int64(t.weight)
	}
	sum := int32(0)
	for v := range n {
		sum += s.start[v]
		s.start[v] = sum
		sum += s.downs[v]
		s.downs[v] = sum
	}
	s.start[n] = sum
	// Rows are filled from their ends.
	for i := len(s.constraint) - 1; i >= 0; i-- {
		t := &s.constraint[i]
		s.start[t.hi]--
		s.downs[t.lo]--
		s.incident[s.downs[t.lo]] = incidentEdge{t.hi, int32(i), t.length}
		s.incident[s.start[t.hi]] = incidentEdge{t.lo, int32(i), t.length}
	}
}

// side gives the ties of a vertex upwards, for -1, or downwards, for 1.
func (s *simplex) side(v, way int32) []incidentEdge {
	if way < 0 {
		return s.incident[s.start[v]:s.downs[v]]
	}
	return s.incident[s.downs[v]:s.start[v+1]]
}

func (s *simplex) slack(e int32) int32 {
	t := &s.constraint[e]
	return s.rank[t.hi] - s.rank[t.lo] - t.length
}

func (s *simplex) addTreeEdge(e int32) {
	t := &s.constraint[e]
	s.addAt(t.lo, treeEdge{t.hi, e})
	s.addAt(t.hi, treeEdge{t.lo, e})
}

// hold notes a tie of the tree with one of its ends.
func (s *simplex) addAt(v int32, b treeEdge) {
	s.tree[s.start[v]+s.degree[v]] = b
	s.degree[v]++
}

func (s *simplex) removeTreeEdge(e int32) {
	s.removeAt(s.constraint[e].lo, e)
	s.removeAt(s.constraint[e].hi, e)
}

func (s *simplex) removeAt(v, e int32) {
	row := s.treeEdges(v)
	for i := range row {
		if row[i].constraint == e {
			row[i] = row[len(row)-1]
			s.degree[v]--
			return
		}
	}
}

// branches are the ties of the tree that a vertex has.
func (s *simplex) treeEdges(v int32) []treeEdge {
	from := s.start[v]
	return s.tree[from : from+s.degree[v]]
}

// hang gives each vertex its way to vertex 0 in the tree, and all in an order in which parents come first.
func (s *simplex) rootTree() []int32 {
	order := append(spare[int32](s.scratch, s.n), 0)
	s.up[0], s.parent[0] = -1, -1
	for i := 0; i < len(order); i++ {
		u := order[i]
		for _, b := range s.treeEdges(u) {
			if b.to != s.parent[u] {
				s.up[b.to], s.parent[b.to] = b.constraint, u
				order = append(order, b.to)
			}
		}
	}
	return order
}

// value computes what each tie of the tree would cost or save: weights out of its lower end's part less those into it,
// which are sums over a subtree; what pulls at each vertex is lost over it. Then it hangs the tree up at a vertex
// without which no part of it has more than half of all, so that the halves that hang are small.
func (s *simplex) initCutValues() {
	order := s.rootTree()
	s.cutValue = take[int64](s.scratch, len(s.constraint))
	sum, size := s.imbalance, take[int32](s.scratch, s.n)
	s.candidates = spare[int32](s.scratch, 2*s.n)
	middle := int32(-1)
	for i := len(order) - 1; i > 0; i-- {
		v := order[i]
		e, p := s.up[v], s.parent[v]
		c := sum[v] * s.direction(v, e)
		if s.cutValue[e] = c; c < 0 {
			s.candidates = append(s.candidates, e)
		}
		sum[p] += sum[v]
		if size[v]++; middle < 0 && 2*int(size[v]) >= s.n {
			middle = v
		}
		size[p] += size[v]
	}
	if middle > 0 {
		s.reroot(middle, 0, -1)
	}
}

// along is 1 for the upper end of a tie, and -1 for the lower one.
func (s *simplex) direction(v, e int32) int64 { return 1 - 2*int64(notEqual(s.constraint[e].lo, v)) }

// turnOver turns the way from v up to top round: v hangs on a tie in instead.
func (s *simplex) reroot(v, top, in int32) {
	p := int32(-1)
	if in >= 0 {
		p = s.constraint[in].lo + s.constraint[in].hi - v
	}
	for {
		e, q := s.up[v], s.parent[v]
		s.up[v], s.parent[v] = in, p
		if v == top {
			return
		}
		in, p, v = e, v, q
	}
}

// leave finds a tie of the tree that pays to lengthen, the best of the latest; -1 when there is none.
func (s *simplex) leavingEdge() int32 {
	const enough = 30
	best, least := int32(-1), int64(0)
	for i, found := len(s.candidates)-1, 0; i >= 0 && found < enough; i-- {
		e := s.candidates[i]
		c := s.cutValue[e]
		if c >= 0 {
			last := len(s.candidates) - 1
			s.candidates[i] = s.candidates[last]
			s.candidates = s.candidates[:last]
			continue
		}
		if found++; c < least {
			best, least = e, c
		}
	}
	return best
}

// enter finds the tie of least slack that joins the two halves again in the other direction. When it has found one
// without slack it has no need for the rest of the half that hangs, which will not move.
func (s *simplex) enteringEdge(leave int32) int32 {
	t := &s.constraint[leave]
	// It crosses against the leaving one, into the half of its lower end.
	v, way, from, to := t.hi, int32(1), s.downs, s.start[1:]
	if s.up[t.lo] == leave {
		v, way, from, to = t.lo, -1, s.start, s.downs
	}
	s.stamp++
	s.subtree = append(s.subtree[:0], v)
	s.mark[v] = s.stamp
	best, least := int32(-1), int32(math.MaxInt32)
	for i := 0; i < len(s.subtree); i++ {
		u := s.subtree[i]
		for _, b := range s.treeEdges(u) {
			if b.to != s.parent[u] {
				s.subtree = append(s.subtree, b.to)
				s.mark[b.to] = s.stamp
			}
		}
		for _, e := range s.incident[from[u]:to[u]] {
			sl := (s.rank[e.to]-s.rank[u])*way - e.length
			if sl < least && s.mark[e.to] != s.stamp && !s.inSubtree(e.to) {
				if best, least = e.constraint, sl; sl == 0 {
					return best
				}
			}
		}
	}
	return best
}

// hangs says whether a vertex belongs to the half some vertices of which are marked, the one all hang on among them,
// and marks its way to these.
func (s *simplex) inSubtree(v int32) bool {
	mark, turn, parent := s.mark, s.stamp, s.parent
	for u := v; mark[u] != turn; {
		if u = parent[u]; u < 0 {
			return false
		}
	}
	for ; mark[v] != turn; v = parent[v] {
		mark[v] = turn
	}
	return true
}

// differ is 1 for two that are not the same, otherwise 0.
func notEqual(a, b int32) uint32 {
	x := a ^ b
	return uint32(x|-x) >> 31
}

// exchange puts one tie in the place of another and moves the half that hangs, which enter has found; it says whether
// that moved it.
func (s *simplex) exchange(out, in int32) bool {
	t, f := &s.constraint[out], &s.constraint[in]
	v, inner, outer, delta := t.hi, f.lo, f.hi, s.slack(in)
	if s.up[t.lo] == out {
		v, inner, outer, delta = t.lo, outer, inner, -delta
	}
	if delta != 0 {
		for _, u := range s.subtree {
			s.rank[u] += delta
		}
	}
	c := s.cutValue[out]
	top := s.commonAncestor(s.parent[v], outer)
	s.updateCutValues(f.lo, top, c)
	s.updateCutValues(f.hi, top, -c)
	s.cutValue[in], s.cutValue[out] = -c, 0
	s.removeTreeEdge(out)
	s.addTreeEdge(in)
	s.reroot(inner, v, in)
	return delta != 0
}

// meet gives the lowest vertex of the tree that has both below itself or is one of them.
func (s *simplex) commonAncestor(v, w int32) int32 {
	s.stamp++
	mark, turn := s.mark, s.stamp
	for {
		if v >= 0 {
			if mark[v] == turn {
				return v
			}
			mark[v] = turn
			v = s.parent[v]
		}
		if w >= 0 {
			if mark[w] == turn {
				return w
			}
			mark[w] = turn
			w = s.parent[w]
		}
	}
}

// climb goes from v up to top; ties passed from their lower end get change, the others lose it.
func (s *simplex) updateCutValues(v, top int32, change int64) {
	for v != top {
		e := s.up[v]
		c := s.cutValue[e]
		n := c + change*s.direction(v, e)
		s.cutValue[e] = n
		if c >= 0 && n < 0 {
			s.candidates = append(s.candidates, e)
		}
		v = s.parent[v]
	}
}

package layout

import (
	"context"
	"math"
)

// constraint demands of ranks that rank(hi) >= rank(lo) + length; every rank of difference costs weight.
type constraint struct {
	lo, hi         int32
	length, weight int32
}

// simplex is network simplex for ranks: it minimises the sum over all constraints of weight times the difference of
// ranks (Gansner and others, 1993, section 2.3). From a spanning tree of tight constraints, those without slack, it
// goes to better ones by exchanging one tree edge until no cut value is negative.
//
//	   a            Tree edge a->c: the subtree {c, d} hangs below it. Its cut value is the
//	 /   \          weight from the upper side to the lower one less that the other way
//	b     c         round. If it is negative, {c, d} moves until another constraint
//	 .   /          between the two sides is tight, which takes its place in the tree.
//	   d
//
// Deviations: the search starts from tightTree, subtrees are found by walking them instead of by postorder numbers, and
// cut values on the cycle of an exchange are updated instead of computed anew.
type simplex struct {
	*scratch
	n           int
	constraints []constraint
	rank        []int32
	start       []int32 // vertex -> its first place in incident, where those upwards begin
	downs       []int32 // vertex -> where those downwards begin
	incident    []incidentEdge
	imbalance   []int64 // vertex -> weight of what runs out less that of what runs in

	tree       []treeEdge // tree edges, those of each vertex from start on
	degree     []int32    // vertex -> how many those are
	cutValue   []int64    // tree edge -> cut value: what lengthening it costs; 0 for other constraints
	candidates []int32    // tree edges with a negative cut value, and some that had one
	up         []int32    // vertex -> tree edge towards the root, -1 at the root
	parent     []int32    // vertex -> the other end of that
	stamp      int32
	mark       []int32 // vertex -> stamp of the search that last met it
	subtree    []int32 // vertices below the leaving edge
}

// incidentEdge is a constraint seen from one of its vertices.
type incidentEdge struct {
	to, constraint, length int32
}

// treeEdge is a constraint of the tree seen from one of its vertices.
type treeEdge struct{ to, constraint int32 }

// rank gives ranks of least cost for a connected graph without cycles; the least rank is 0.
func (m *scratch) rank(ctx context.Context, in incidence, constraints []constraint) ([]int32, error) {
	c := m.newCore(in, constraints)
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

// rankCore does so for the core of a graph, with any least rank.
func (m *scratch) rankCore(ctx context.Context, n int, constraints []constraint) ([]int32, error) {
	s := &simplex{scratch: m, n: n, constraints: constraints}
	s.listIncident()
	s.longestPaths()
	if n == 1 {
		return s.rank, nil
	}
	s.tightTree()
	s.up, s.parent, s.mark, s.subtree = raw[int32](m, n), raw[int32](m, n), take[int32](m, n), spare[int32](m, n+1)
	s.initCutValues()
	// Exchanges that move nothing could in principle cycle. Ranks are feasible after each, so a long run of them ends the
	// search. Of 60,000 random graphs none had a run longer than a third of n and constraints together.
	for round, still := 0, 0; still < 64*(n+len(constraints)); round++ {
		if round&255 == 0 && ctx.Err() != nil {
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

// incidence lists the constraints of each vertex: those of v are at[start[v]:start[v+1]].
type incidence struct{ start, at []int32 }

func (m *scratch) incidence(n int, constraints []constraint) incidence {
	start, at := take[int32](m, n+1), raw[int32](m, 2*len(constraints))
	for i := range constraints {
		start[constraints[i].lo]++
		start[constraints[i].hi]++
	}
	prefixSums(start)
	// Rows are filled from their ends.
	for i := len(constraints) - 1; i >= 0; i-- {
		lo, hi := constraints[i].lo, constraints[i].hi
		start[lo]--
		at[start[lo]] = int32(i)
		start[hi]--
		at[start[hi]] = int32(i)
	}
	return incidence{start, at}
}

// longestPaths gives feasible ranks to start from: longest paths in topological order, with sources moved down.
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
	// A vertex with more weight out than in moves down to its nearest successor: most of what simplex would do, at once.
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

// listIncident lists the constraints of each vertex, those upwards first, and sums up the imbalance of their weights.
func (s *simplex) listIncident() {
	n := s.n
	s.start, s.downs = take[int32](s.scratch, n+1), take[int32](s.scratch, n)
	s.incident, s.imbalance = raw[incidentEdge](s.scratch, 2*len(s.constraints)), take[int64](s.scratch, n)
	for i := range s.constraints {
		t := &s.constraints[i]
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
	for i := len(s.constraints) - 1; i >= 0; i-- {
		t := &s.constraints[i]
		s.start[t.hi]--
		s.downs[t.lo]--
		s.incident[s.downs[t.lo]] = incidentEdge{t.hi, int32(i), t.length}
		s.incident[s.start[t.hi]] = incidentEdge{t.lo, int32(i), t.length}
	}
}

// side gives a vertex's constraints upwards (-1) or downwards (1).
func (s *simplex) side(v, way int32) []incidentEdge {
	if way < 0 {
		return s.incident[s.start[v]:s.downs[v]]
	}
	return s.incident[s.downs[v]:s.start[v+1]]
}

// slack is how much longer a constraint is than it must be.
func (s *simplex) slack(e int32) int32 {
	t := &s.constraints[e]
	return s.rank[t.hi] - s.rank[t.lo] - t.length
}

// addTreeEdge adds a constraint to the tree.
func (s *simplex) addTreeEdge(e int32) {
	t := &s.constraints[e]
	s.addAt(t.lo, treeEdge{t.hi, e})
	s.addAt(t.hi, treeEdge{t.lo, e})
}

// addAt lists a tree edge with one of its ends.
func (s *simplex) addAt(v int32, b treeEdge) {
	s.tree[s.start[v]+s.degree[v]] = b
	s.degree[v]++
}

// removeTreeEdge removes a constraint from the tree.
func (s *simplex) removeTreeEdge(e int32) {
	s.removeAt(s.constraints[e].lo, e)
	s.removeAt(s.constraints[e].hi, e)
}

// removeAt does so at one of its ends.
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

// treeEdges are those of a vertex.
func (s *simplex) treeEdges(v int32) []treeEdge {
	from := s.start[v]
	return s.tree[from : from+s.degree[v]]
}

// rootTree roots the tree at vertex 0 and returns the vertices with parents before children.
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

// initCutValues computes all cut values from the leaves up: that of the edge above v is the imbalance summed over v's
// subtree. Then it roots the tree at its centroid, so that no subtree has more than half of the vertices.
func (s *simplex) initCutValues() {
	order := s.rootTree()
	s.cutValue = take[int64](s.scratch, len(s.constraints))
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

// direction is 1 for the upper end of a constraint, -1 for the lower one.
func (s *simplex) direction(v, e int32) int64 { return 1 - 2*int64(notEqual(s.constraints[e].lo, v)) }

// reroot reverses the path from v up to top; v then hangs on constraint "in".
func (s *simplex) reroot(v, top, in int32) {
	p := int32(-1)
	if in >= 0 {
		p = s.constraints[in].lo + s.constraints[in].hi - v
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

// leavingEdge finds a tree edge with a negative cut value, the most negative of the latest 30 found; -1 when there is
// none.
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

// enteringEdge finds the constraint of least slack that joins the subtree below the leaving edge to the rest in the
// opposite direction. One without slack ends the search: the subtree, of which s.subtree then lists a part, will not
// move.
func (s *simplex) enteringEdge(leave int32) int32 {
	t := &s.constraints[leave]
	// It runs from the head's side of the leaving edge to its tail's.
	v, way, from, to := t.hi, int32(1), s.downs, s.start[1:]
	if s.up[t.lo] == leave {
		v, way, from, to = t.lo, -1, s.start, s.downs
	}
	s.stamp++
	mark, stamp, rank, subtree := s.mark, s.stamp, s.rank, s.subtree[:s.n+1]
	subtree[0], mark[v] = v, stamp
	best, least := int32(-1), int32(math.MaxInt32)
	n := 1
	for i := 0; i < n; i++ {
		u := subtree[i]
		p, r := s.parent[u], rank[u]
		for _, b := range s.treeEdges(u) {
			if b.to != p {
				subtree[n], mark[b.to] = b.to, stamp
				n++
			}
		}
		for _, e := range s.incident[from[u]:to[u]] {
			slack := (rank[e.to]-r)*way - e.length
			if slack < least && mark[e.to] != stamp && !s.inSubtree(e.to) {
				if best, least = e.constraint, slack; slack == 0 {
					return best
				}
			}
		}
	}
	s.subtree = subtree[:n]
	return best
}

// inSubtree reports whether a vertex is below the leaving edge, by climbing to a vertex that is marked, and marks the
// path.
func (s *simplex) inSubtree(v int32) bool {
	mark, stamp, parent := s.mark, s.stamp, s.parent
	for u := v; mark[u] != stamp; {
		if u = parent[u]; u < 0 {
			return false
		}
	}
	for ; mark[v] != stamp; v = parent[v] {
		mark[v] = stamp
	}
	return true
}

// notEqual is 1 for two numbers that differ, otherwise 0, without a branch.
func notEqual(a, b int32) uint32 {
	x := a ^ b
	return uint32(x|-x) >> 31
}

// exchange replaces tree edge "out" by "in", moves the subtree that enteringEdge found, and reports whether its ranks
// changed.
func (s *simplex) exchange(out, in int32) bool {
	t, f := &s.constraints[out], &s.constraints[in]
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

// commonAncestor is the lowest vertex of the tree above both or equal to one of them.
func (s *simplex) commonAncestor(v, w int32) int32 {
	s.stamp++
	mark, stamp := s.mark, s.stamp
	for {
		if v >= 0 {
			if mark[v] == stamp {
				return v
			}
			mark[v] = stamp
			v = s.parent[v]
		}
		if w >= 0 {
			if mark[w] == stamp {
				return w
			}
			mark[w] = stamp
			w = s.parent[w]
		}
	}
}

// updateCutValues goes from v up to top: edges passed from their lower end gain change, the others lose it.
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

package layout

import (
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
	*room
	n     int
	tie   []tie
	rank  []int32
	start []int32 // vertex -> its first place in at
	at    []int32 // ties of each vertex

	tree   []int32 // ties of the tree of each vertex, where its ties are in at
	degree []int32 // vertex -> how many those are
	cut    []int64 // tie of the tree -> what lengthening it costs; negative: it pays; of others 0
	up     []int32 // vertex -> tie of the tree towards the root, -1 at the root
	low    []int32 // vertex -> least number in its subtree
	lim    []int32 // vertex -> its own number: those of a subtree are low..lim
	by     []int32 // number -> vertex
	stack  []int32
	scan   int // where the search for a tie to leave goes on
}

// rankBy gives ranks of least cost for a connected graph without cycles; the least rank is 0.
func (m *room) rankBy(ctx context.Context, n int, ties []tie) ([]int32, error) {
	start, at := m.incidence(n, ties)
	c := m.newCore(n, ties, start, at)
	vertex, left := c.rest()
	inner, err := m.rankCore(ctx, len(vertex), left)
	if err != nil {
		return nil, err
	}
	rank := c.spread(vertex, inner)
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
func (m *room) rankCore(ctx context.Context, n int, ties []tie) ([]int32, error) {
	s := &simplex{room: m, n: n, tie: ties}
	s.start, s.at = m.incidence(n, ties)
	s.longest()
	if n == 1 {
		return s.rank, nil
	}
	s.spanTight()
	s.lim, s.low, s.up, s.by = m.ints.raw(n), m.ints.raw(n), m.ints.raw(n), m.ints.raw(n)
	s.stack = m.ints.spare(2 * n)
	s.number(s.middle(), -1, 0)
	s.value()
	for turn := 0; ; turn++ {
		if turn&255 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		e := s.leave()
		if e < 0 {
			return s.rank, nil
		}
		s.exchange(e, s.enter(e))
	}
}

// middle gives a vertex of the tree without which no part of it has more than half of all: hung up there, the halves that hang are small.
func (s *simplex) middle() int32 {
	s.number(0, -1, 0)
	for _, v := range s.by {
		if int(s.lim[v]-s.low[v]+1) >= s.n/2 {
			return v // the first in whose subtree so many are
		}
	}
	return 0
}

// incidence lists the ties of each vertex.
func (m *room) incidence(n int, ties []tie) (start, at []int32) {
	start, at = m.ints.take(n+1), m.ints.raw(2*len(ties))
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
	open, balance, queue := s.ints.take(n), s.ints.take(n), s.ints.spare(n)
	s.rank = s.ints.take(n)
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

func (s *simplex) join(e int32) {
	t := &s.tie[e]
	s.hold(t.lo, e)
	s.hold(t.hi, e)
}

// hold notes a tie of the tree with one of its ends.
func (s *simplex) hold(v, e int32) {
	s.tree[s.start[v]+s.degree[v]] = e
	s.degree[v]++
}

func (s *simplex) part(e int32) {
	t := &s.tie[e]
	for _, v := range [2]int32{t.lo, t.hi} {
		row := s.branches(v)
		for i, f := range row {
			if f == e {
				row[i] = row[len(row)-1]
				s.degree[v]--
				break
			}
		}
	}
}

// branches are the ties of the tree that a vertex has.
func (s *simplex) branches(v int32) []int32 { return s.tree[s.start[v]:][:s.degree[v]] }

// number gives the subtree of v, which hangs on tie up, numbers from low on, children before parents.
func (s *simplex) number(v, up, low int32) {
	s.up[v], s.low[v] = up, low
	next := low
	s.stack = append(s.stack[:0], v, 0)
	for len(s.stack) > 0 {
		top := len(s.stack) - 2
		u, i := s.stack[top], s.stack[top+1]
		if i == s.degree[u] {
			s.lim[u], s.by[next] = next, u
			next++
			s.stack = s.stack[:top]
			continue
		}
		s.stack[top+1]++
		if e := s.tree[s.start[u]+i]; e != s.up[u] {
			w := s.tie[e].lo + s.tie[e].hi - u
			s.up[w], s.low[w] = e, next
			s.stack = append(s.stack, w, 0)
		}
	}
}

// value computes what each tie of the tree would cost or save: weights out of its lower end's part less those into it, which
// are sums over a subtree.
func (s *simplex) value() {
	s.cut = s.longs.take(len(s.tie))
	sum := s.longs.take(s.n)
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
	best, found := -1, 0
	for _, part := range [2][2]int{{s.scan, len(s.cut)}, {0, s.scan}} {
		for i, c := range s.cut[part[0]:part[1]] {
			if c >= 0 {
				continue
			}
			if e := part[0] + i; best < 0 || c < s.cut[best] {
				best = e
			}
			if found++; found == enough {
				s.scan = part[0] + i + 1
				return int32(best)
			}
		}
	}
	return int32(best)
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

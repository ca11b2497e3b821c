package layout

import "math/bits"

// spanTight finds a spanning tree of ties without slack, of which few pay to lengthen, so that few exchanges are left.
// Every vertex begins as a bunch of its own, and one bunch after the other is joined to a neighbour until only one is
// left. A bunch out of which more weight runs than into it gains by going down and is joined to one below, a bunch with
// more weight into it to one above: the nearest, and of those as near the one that wants the opposite most. First come
// small bunches, those without a choice before others, and then all that are left, the smallest first, so that each
// vertex is looked at some log n times.
func (s *simplex) spanTight() {
	s.tree, s.degree = raw[branch](s.room, len(s.end)), take[int32](s.room, s.n)
	b := s.single()
	left := b.pick()
	if left == 1 {
		return
	}
	b.pile()
	for ; left > 1; left-- {
		i := b.heap[0]
		b.look(i)
		into := b.merge(i)
		b.take()
		b.down(b.at[into])
	}
}

// bunches are trees of tight ties while the spanning tree is put together.
type bunches struct {
	*simplex
	of, next          []int32 // vertex -> its bunch; the next vertex of that, or -1
	first, last, size []int32
	outs, ins         thread  // ties downwards and upwards
	pull              []int64 // of bunches
	scale             int     // so many bits of it do not count in a key, which has room for 31
	near              []nearest
	// the latest small bunch that waits, of those with either choice, by its place in wait; -1 for none
	open     [2]int32
	wait     []waiting
	heap, at []int32 // places -> bunches, and back
}

// thread lists the ties of bunches on one side, those of each vertex together: tie -> the next, or -1; bunch -> its
// last. In next, behind all ties, the bunches have their beginnings, which are their last as long as there is none.
type thread struct{ next, last []int32 }

// append gives the ties of bunch i to another.
func (s *thread) append(into, i int32) {
	begin := int32(len(s.next)-len(s.last)) + i
	s.next[s.last[into]] = s.next[begin]
	if last := s.last[i]; last != begin {
		s.last[into] = last
	}
}

// threads lists the ties of all vertices, as bunches of their own.
func (b *bunches) threads() {
	n, m := b.n, len(b.tie)
	for _, s := range [2]*thread{&b.outs, &b.ins} {
		*s = thread{raw[int32](b.room, m+n), raw[int32](b.room, n)}
		for v := range s.last {
			s.last[v] = int32(m + v)
			s.next[m+v] = -1
		}
	}
	for i := range b.tie {
		t := &b.tie[i]
		b.outs.put(t.lo, int32(i))
		b.ins.put(t.hi, int32(i))
	}
}

// put adds a tie to the last of a bunch.
func (s *thread) put(v, e int32) {
	s.next[s.last[v]], s.next[e], s.last[v] = e, -1, e
}

// waiting is a small bunch, and the place of the next with as much choice.
type waiting struct{ bunch, next int32 }

const notSmall = 9 // vertices: what a look at a small bunch costs has a bound

// single makes a bunch of each vertex.
func (s *simplex) single() *bunches {
	n := s.n
	b := &bunches{
		simplex: s, of: raw[int32](s.room, n), next: raw[int32](s.room, n), first: raw[int32](s.room, n), last: raw[int32](s.room, n), size: raw[int32](s.room, n),
		pull: raw[int64](s.room, n), near: raw[nearest](s.room, n), wait: spare[waiting](s.room, 2*n),
	}
	for v := range int32(n) {
		b.of[v], b.next[v], b.first[v], b.last[v], b.size[v] = v, -1, v, v, 1
	}
	all := uint64(0)
	for i := range s.tie {
		all += uint64(s.tie[i].weight)
	}
	copy(b.pull, s.pull)
	b.scale = max(0, bits.Len64(all)-31)
	b.open = [2]int32{-1, -1}
	b.threads()
	for v := range int32(n) {
		b.look(v)
		b.queue(v)
	}
	return b
}

// queue has a small bunch wait.
func (b *bunches) queue(i int32) {
	c := b.near[i].choice
	b.wait = append(b.wait, waiting{i, b.open[c]})
	b.open[c] = int32(len(b.wait)) - 1
}

// pick joins small bunches to others and says how many bunches are left.
func (b *bunches) pick() int {
	left := b.n
	for c := int64(0); c < 2 && left > 1; {
		k := b.open[c]
		if k < 0 {
			c++
			continue
		}
		i := b.wait[k].bunch
		b.open[c] = b.wait[k].next
		if b.near[i].choice != c || b.size[i] >= notSmall {
			continue // it waits elsewhere, has become part of another, or is not small any more
		}
		if b.slack(b.near[i].tie) > 0 {
			b.look(i)
		}
		into := b.merge(i)
		left--
		if left > 1 && b.size[into] < notSmall {
			b.look(into)
			b.queue(into)
			c = min(c, b.near[into].choice)
		}
	}
	return left
}

// merge joins a bunch to its neighbour, and says to which.
func (b *bunches) merge(i int32) int32 {
	e := b.near[i].tie
	into, move := b.of[b.tie[e].lo], -b.slack(e)
	if into == i {
		into, move = b.of[b.tie[e].hi], -move
	}
	for u := b.first[i]; u >= 0; u = b.next[u] {
		b.rank[u] += move
		b.of[u] = into
	}
	b.join(e)
	b.next[b.last[into]], b.last[into] = b.first[i], b.last[i]
	b.outs.append(into, i)
	b.ins.append(into, i)
	b.size[into] += b.size[i]
	b.pull[into] += b.pull[i]
	b.near[i].choice, b.size[i] = -1, 0
	return into
}

// look finds the tie by which a bunch is joined to another, and whether it has a choice.
func (b *bunches) look(i int32) {
	pulls := b.pull[i]
	way := int32(1)
	if pulls < 0 {
		way = -1
	}
	n := b.nearer(nowhere, i, way)
	if n.tie < 0 || pulls == 0 {
		n = b.nearer(n, i, -way)
	}
	b.near[i] = n
}

// out is more slack than any tie has.
const out = 1 << 30

// nearest is the best tie so far by which a bunch is joined to another: its slack, and in its key, below the slack, how
// much its other end wants to go the same way; and whether there is another with as little slack. A choice of -1 is
// that of what is part of another bunch.
type nearest struct {
	tie                int32
	key, slack, choice int64
}

var nowhere = nearest{tie: -1, key: out << 31, slack: out >> 1}

// or takes the better of what it has and another tie, without branches, which no processor could foresee.
func (n nearest) or(tie int32, slack, key int64) nearest {
	nearer, less := int32((key-n.key)>>63), (slack-n.slack)>>63 // all ones if it is
	same := int64(uint64((slack^n.slack)-1) >> 63)              // 1 if it is
	return nearest{n.tie ^ (n.tie^tie)&nearer, min(n.key, key), min(n.slack, slack), n.choice&^less | same}
}

// nearer looks at the ties on one side.
func (b *bunches) nearer(n nearest, i, way int32) nearest {
	next := b.outs.next
	if way < 0 {
		next = b.ins.next
	}
	of, rank, pull, scale, ties := b.of, b.rank, b.pull, b.scale&63, b.tie
	for e := next[len(ties)+int(i)]; e >= 0; e = next[e] {
		t := &ties[e]
		there := t.hi
		if way < 0 {
			there = t.lo
		}
		other := of[there]
		// what stays in the bunch is out of the question
		far := int64(rank[t.hi]-rank[t.lo]-t.length) + int64(1-differ(other, i))*out
		n = n.or(e, far, far<<32+pull[other]>>scale*int64(way))
	}
	return n
}

// pile makes a heap of all that are left.
func (b *bunches) pile() {
	b.heap, b.at = spare[int32](b.room, b.n), raw[int32](b.room, b.n)
	for i, size := range b.size {
		if size > 0 {
			b.at[i] = int32(len(b.heap))
			b.heap = append(b.heap, int32(i))
		}
	}
	for k := len(b.heap)/2 - 1; k >= 0; k-- {
		b.down(int32(k))
	}
}

// take removes the first of the heap.
func (b *bunches) take() {
	n := len(b.heap) - 1
	b.heap[0] = b.heap[n]
	b.at[b.heap[0]] = 0
	b.heap = b.heap[:n]
	b.down(0)
}

// down takes what is too large for its place in the heap to where it belongs.
func (b *bunches) down(k int32) {
	i, n := b.heap[k], int32(len(b.heap))
	for {
		c := 2*k + 1
		if c >= n {
			break
		}
		if c+1 < n && b.size[b.heap[c+1]] < b.size[b.heap[c]] {
			c++
		}
		if b.size[b.heap[c]] >= b.size[i] {
			break
		}
		b.heap[k] = b.heap[c]
		b.at[b.heap[k]] = k
		k = c
	}
	b.heap[k], b.at[i] = i, k
}

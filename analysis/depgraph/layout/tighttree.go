package layout

import "math/bits"

// spanTight finds a spanning tree of ties without slack, of which few pay to lengthen, so that few exchanges are left.
// Every vertex begins as a bunch of its own, and one bunch after the other is joined to a neighbour until only one is
// left. A bunch out of which more weight runs than into it gains by going down and is joined to one below, a bunch with
// more weight into it to one above: the nearest, and of those as near the one that wants the opposite most. First come
// small bunches, those without a choice before others, and then all that are left, the smallest first, so that each
// vertex is looked at some log n times.
func (s *simplex) tightTree() {
	s.tree, s.degree = raw[treeEdge](s.scratch, len(s.incident)), take[int32](s.scratch, s.n)
	b := s.newClusters()
	left := b.mergeSmall()
	if left == 1 {
		return
	}
	b.buildHeap()
	for ; left > 1; left-- {
		i := b.heap[0]
		b.findNearest(i)
		into := b.merge(i)
		b.popHeap()
		b.siftDown(b.at[into])
	}
}

// bunches are trees of tight ties while the spanning tree is put together.
type clusters struct {
	*simplex
	of, next          []int32 // vertex -> its bunch; the next vertex of that, or -1
	first, last, size []int32
	outs, ins         constraintList // ties downwards and upwards
	imbalance         []int64        // of bunches
	scale             int            // so many bits of it do not count in a key, which has room for 31
	nearest           []nearest
	// the latest small bunch that waits, of those with either choice, by its place in wait; -1 for none
	pending     [2]int32
	waitingList []pendingCluster
	heap, at    []int32 // places -> bunches, and back
}

// thread lists the ties of bunches on one side, those of each vertex together: tie -> the next, or -1; bunch -> its
// last. In next, behind all ties, the bunches have their beginnings, which are their last as long as there is none.
type constraintList struct{ next, last []int32 }

// append gives the ties of bunch i to another.
func (s *constraintList) append(into, i int32) {
	begin := int32(len(s.next)-len(s.last)) + i
	s.next[s.last[into]] = s.next[begin]
	if last := s.last[i]; last != begin {
		s.last[into] = last
	}
}

// threads lists the ties of all vertices, as bunches of their own.
func (b *clusters) listConstraints() {
	n, m := b.n, len(b.constraint)
	for _, s := range [2]*constraintList{&b.outs, &b.ins} {
		*s = constraintList{raw[int32](b.scratch, m+n), raw[int32](b.scratch, n)}
		for v := range s.last {
			s.last[v] = int32(m + v)
			s.next[m+v] = -1
		}
	}
	for i := range b.constraint {
		t := &b.constraint[i]
		b.outs.add(t.lo, int32(i))
		b.ins.add(t.hi, int32(i))
	}
}

// put adds a tie to the last of a bunch.
func (s *constraintList) add(v, e int32) {
	s.next[s.last[v]], s.next[e], s.last[v] = e, -1, e
}

// waiting is a small bunch, and the place of the next with as much choice.
type pendingCluster struct{ cluster, next int32 }

const smallSize = 9 // vertices: what a look at a small bunch costs has a bound

// single makes a bunch of each vertex.
func (s *simplex) newClusters() *clusters {
	n := s.n
	b := &clusters{
		simplex: s, of: raw[int32](s.scratch, n), next: raw[int32](s.scratch, n), first: raw[int32](s.scratch, n), last: raw[int32](s.scratch, n), size: raw[int32](s.scratch, n),
		imbalance: raw[int64](s.scratch, n), nearest: raw[nearest](s.scratch, n), waitingList: spare[pendingCluster](s.scratch, 2*n),
	}
	for v := range int32(n) {
		b.of[v], b.next[v], b.first[v], b.last[v], b.size[v] = v, -1, v, v, 1
	}
	all := uint64(0)
	for i := range s.constraint {
		all += uint64(s.constraint[i].weight)
	}
	copy(b.imbalance, s.imbalance)
	b.scale = max(0, bits.Len64(all)-31)
	b.pending = [2]int32{-1, -1}
	b.listConstraints()
	for v := range int32(n) {
		b.findNearest(v)
		b.enqueue(v)
	}
	return b
}

// queue has a small bunch wait.
func (b *clusters) enqueue(i int32) {
	c := b.nearest[i].choice
	b.waitingList = append(b.waitingList, pendingCluster{i, b.pending[c]})
	b.pending[c] = int32(len(b.waitingList)) - 1
}

// pick joins small bunches to others and says how many bunches are left.
func (b *clusters) mergeSmall() int {
	left := b.n
	for c := int64(0); c < 2 && left > 1; {
		k := b.pending[c]
		if k < 0 {
			c++
			continue
		}
		i := b.waitingList[k].cluster
		b.pending[c] = b.waitingList[k].next
		if b.nearest[i].choice != c || b.size[i] >= smallSize {
			continue // it waits elsewhere, has become part of another, or is not small any more
		}
		if b.slack(b.nearest[i].constraint) > 0 {
			b.findNearest(i)
		}
		into := b.merge(i)
		left--
		if left > 1 && b.size[into] < smallSize {
			b.findNearest(into)
			b.enqueue(into)
			c = min(c, b.nearest[into].choice)
		}
	}
	return left
}

// merge joins a bunch to its neighbour, and says to which.
func (b *clusters) merge(i int32) int32 {
	e := b.nearest[i].constraint
	into, move := b.of[b.constraint[e].lo], -b.slack(e)
	if into == i {
		into, move = b.of[b.constraint[e].hi], -move
	}
	for u := b.first[i]; u >= 0; u = b.next[u] {
		b.rank[u] += move
		b.of[u] = into
	}
	b.addTreeEdge(e)
	b.next[b.last[into]], b.last[into] = b.first[i], b.last[i]
	b.outs.append(into, i)
	b.ins.append(into, i)
	b.size[into] += b.size[i]
	b.imbalance[into] += b.imbalance[i]
	b.nearest[i].choice, b.size[i] = -1, 0
	return into
}

// look finds the tie by which a bunch is joined to another, and whether it has a choice.
func (b *clusters) findNearest(i int32) {
	pulls := b.imbalance[i]
	way := int32(1)
	if pulls < 0 {
		way = -1
	}
	n := b.nearerOn(nowhere, i, way)
	if n.constraint < 0 || pulls == 0 {
		n = b.nearerOn(n, i, -way)
	}
	b.nearest[i] = n
}

// out is more slack than any tie has.
const noSlack = 1 << 30

// nearest is the best tie so far by which a bunch is joined to another: its slack, and in its key, below the slack, how
// much its other end wants to go the same way; and whether there is another with as little slack. A choice of -1 is
// that of what is part of another bunch.
type nearest struct {
	constraint         int32
	key, slack, choice int64
}

var nowhere = nearest{constraint: -1, key: noSlack << 31, slack: noSlack >> 1}

// or takes the better of what it has and another tie, without branches, which no processor could foresee.
func (n nearest) better(tie int32, slack, key int64) nearest {
	nearer, less := int32((key-n.key)>>63), (slack-n.slack)>>63 // all ones if it is
	same := int64(uint64((slack^n.slack)-1) >> 63)              // 1 if it is
	return nearest{n.constraint ^ (n.constraint^tie)&nearer, min(n.key, key), min(n.slack, slack), n.choice&^less | same}
}

// nearer looks at the ties on one side.
func (b *clusters) nearerOn(n nearest, i, way int32) nearest {
	next := b.outs.next
	if way < 0 {
		next = b.ins.next
	}
	of, rank, pull, scale, ties := b.of, b.rank, b.imbalance, b.scale&63, b.constraint
	for e := next[len(ties)+int(i)]; e >= 0; e = next[e] {
		t := &ties[e]
		there := t.hi
		if way < 0 {
			there = t.lo
		}
		other := of[there]
		// what stays in the bunch is out of the question
		far := int64(rank[t.hi]-rank[t.lo]-t.length) + int64(1-notEqual(other, i))*noSlack
		n = n.better(e, far, far<<32+pull[other]>>scale*int64(way))
	}
	return n
}

// pile makes a heap of all that are left.
func (b *clusters) buildHeap() {
	b.heap, b.at = spare[int32](b.scratch, b.n), raw[int32](b.scratch, b.n)
	for i, size := range b.size {
		if size > 0 {
			b.at[i] = int32(len(b.heap))
			b.heap = append(b.heap, int32(i))
		}
	}
	for k := len(b.heap)/2 - 1; k >= 0; k-- {
		b.siftDown(int32(k))
	}
}

// take removes the first of the heap.
func (b *clusters) popHeap() {
	n := len(b.heap) - 1
	b.heap[0] = b.heap[n]
	b.at[b.heap[0]] = 0
	b.heap = b.heap[:n]
	b.siftDown(0)
}

// down takes what is too large for its place in the heap to where it belongs.
func (b *clusters) siftDown(k int32) {
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

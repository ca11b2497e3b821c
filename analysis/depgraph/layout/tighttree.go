package layout

import "math/bits"

// tightTree finds a spanning tree of tight constraints from which few exchanges are left (instead of Gansner's
// procedure of that name, which adds vertices in any order). Every vertex begins as a cluster, and clusters move by the
// slack of a constraint to a neighbour and merge with it until one is left. A cluster with more weight out than in
// gains by moving down and merges with one below, others with one above: the nearest, and of those the one with the
// strongest wish for the opposite. Small clusters come first, those without a choice before others; then the smallest
// of all, from a heap, so that a vertex is looked at some log n times.
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

// clusters are trees of tight constraints.
type clusters struct {
	*simplex
	of, next          []int32 // vertex -> its cluster; the next vertex of that, or -1
	first, last, size []int32
	outs, ins         constraintList // constraints downwards and upwards
	imbalance         []int64        // of clusters
	scale             int            // bits of it that a key, which has 31 for it, leaves out
	nearest           []nearest
	// without and with a choice: the latest small cluster pending, by its place in waitingList; -1 for none
	pending     [2]int32
	waitingList []pendingCluster
	heap, at    []int32 // places -> clusters, and back
}

// constraintList links the constraints of each cluster on one side: next of a constraint, or -1; last of a cluster.
// Behind all constraints, next has one head for each cluster, which is its last as long as the list is empty.
type constraintList struct{ next, last []int32 }

// append moves the constraints of cluster i to another.
func (s *constraintList) append(into, i int32) {
	begin := int32(len(s.next)-len(s.last)) + i
	s.next[s.last[into]] = s.next[begin]
	if last := s.last[i]; last != begin {
		s.last[into] = last
	}
}

// listConstraints makes the lists of clusters of one vertex each.
func (b *clusters) listConstraints() {
	n, m := b.n, len(b.constraints)
	for _, s := range [2]*constraintList{&b.outs, &b.ins} {
		*s = constraintList{raw[int32](b.scratch, m+n), raw[int32](b.scratch, n)}
		for v := range s.last {
			s.last[v] = int32(m + v)
			s.next[m+v] = -1
		}
	}
	for i := range b.constraints {
		t := &b.constraints[i]
		b.outs.add(t.lo, int32(i))
		b.ins.add(t.hi, int32(i))
	}
}

// add appends constraint e to the list of cluster v.
func (s *constraintList) add(v, e int32) {
	s.next[s.last[v]], s.next[e], s.last[v] = e, -1, e
}

// pendingCluster is an entry in a linked list of small clusters.
type pendingCluster struct{ cluster, next int32 }

const smallSize = 9 // vertices: looking at a smaller cluster has a bounded cost

// newClusters makes a cluster of each vertex.
func (s *simplex) newClusters() *clusters {
	n := s.n
	b := &clusters{
		simplex: s, of: raw[int32](s.scratch, n), next: raw[int32](s.scratch, n), first: raw[int32](s.scratch, n),
		last: raw[int32](s.scratch, n), size: raw[int32](s.scratch, n), imbalance: raw[int64](s.scratch, n),
		nearest: raw[nearest](s.scratch, n), waitingList: spare[pendingCluster](s.scratch, 2*n),
	}
	for v := range int32(n) {
		b.of[v], b.next[v], b.first[v], b.last[v], b.size[v] = v, -1, v, v, 1
	}
	all := uint64(0)
	for i := range s.constraints {
		all += uint64(s.constraints[i].weight)
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

// enqueue lists a small cluster as pending.
func (b *clusters) enqueue(i int32) {
	c := b.nearest[i].choice
	b.waitingList = append(b.waitingList, pendingCluster{i, b.pending[c]})
	b.pending[c] = int32(len(b.waitingList)) - 1
}

// mergeSmall merges small clusters and returns how many clusters are left.
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
			continue // listed elsewhere, merged, or grown
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

// merge joins a cluster to its nearest neighbour and returns that.
func (b *clusters) merge(i int32) int32 {
	e := b.nearest[i].constraint
	into, move := b.of[b.constraints[e].lo], -b.slack(e)
	if into == i {
		into, move = b.of[b.constraints[e].hi], -move
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

// findNearest finds the constraint by which a cluster is to be merged, and whether it has a choice.
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

// noSlack is larger than any slack.
const noSlack = 1 << 30

// nearest is the best constraint so far by which a cluster may be merged: its slack; a key of its slack and, below
// that, how much the neighbour wants to move the same way; and choice, 1 if another has as little slack. After a merge
// choice is -1.
type nearest struct {
	constraint         int32
	key, slack, choice int64
}

var nowhere = nearest{constraint: -1, key: noSlack << 31, slack: noSlack >> 1}

// better is the better of n and another constraint, branch-free: which is nearer cannot be predicted.
func (n nearest) better(e int32, slack, key int64) nearest {
	nearer, less := int32((key-n.key)>>63), (slack-n.slack)>>63 // all ones if it is
	same := int64(uint64((slack^n.slack)-1) >> 63)              // 1 if it is
	return nearest{n.constraint ^ (n.constraint^e)&nearer, min(n.key, key), min(n.slack, slack), n.choice&^less | same}
}

// nearerOn looks at the constraints on one side (way is 1 for downwards).
func (b *clusters) nearerOn(n nearest, i, way int32) nearest {
	next := b.outs.next
	if way < 0 {
		next = b.ins.next
	}
	of, rank, pull, scale, constraints := b.of, b.rank, b.imbalance, b.scale&63, b.constraints
	for e := next[len(constraints)+int(i)]; e >= 0; e = next[e] {
		t := &constraints[e]
		there := t.hi
		if way < 0 {
			there = t.lo
		}
		other := of[there]
		// within the cluster: never
		far := int64(rank[t.hi]-rank[t.lo]-t.length) + int64(1-notEqual(other, i))*noSlack
		n = n.better(e, far, far<<32+pull[other]>>scale*int64(way))
	}
	return n
}

// buildHeap makes a heap of the clusters that are left, the smallest first.
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

// popHeap removes the first cluster.
func (b *clusters) popHeap() {
	n := len(b.heap) - 1
	b.heap[0] = b.heap[n]
	b.at[b.heap[0]] = 0
	b.heap = b.heap[:n]
	b.siftDown(0)
}

// siftDown moves the cluster at place k down to where it belongs.
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

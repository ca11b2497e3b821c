package layout

import "math/bits"

// crossings counts the crossings of all segments, remembering those of layers that have not changed.
func (l *layering) crossings() int64 {
	sum := int64(0)
	for r := range len(l.order) - 1 {
		if l.cross[r] < 0 {
			l.cross[r] = l.between(r)
		}
		sum += l.cross[r]
	}
	return sum
}

// between counts the crossings between layer r and the next.
func (l *layering) between(r int) int64 {
	up, segments := l.up.start, 0
	for _, w := range l.order[r+1] {
		l.next[w] = int32(segments)
		segments += int(up[w+1] - up[w])
	}
	l.spent += int64(segments)
	if l.plain[r] && segments <= mostMarked {
		return l.countByMarks(r, segments)
	}
	return l.countByTree(r)
}

// mostMarked is how many segments are counted by bits at most: for more, the tree is faster.
const mostMarked = 1024

// countByMarks counts segments of weight 1: each has a bit, in the order of the lower layer, and crosses those set
// before it that lie further right. A vertex sets its bits after it has counted, since its own segments do not cross.
//
//	upper   a  b  c     a ends at 2: bits 0 0 1
//	lower   b' c' a'    b ends at 0: bits 1 0 1, one further right is set
//	                    c ends at 1: bits 1 1 1, one further right is set: 2 crossings
func (l *layering) countByMarks(r, segments int) int64 {
	words := (segments + 63) / 64
	if len(l.marks) < words {
		l.marks = make([]uint64, max(words, mostMarked/64))
	}
	set, next, sum := l.marks[:words], l.next, 0
	clear(set)
	for _, v := range l.order[r] {
		row := l.down.of(v)
		for i := range row {
			k := int(next[row[i].to])
			sum += bits.OnesCount64(set[k>>6] >> uint(k&63))
			for _, word := range set[k>>6+1:] {
				sum += bits.OnesCount64(word)
			}
		}
		for i := range row {
			w := row[i].to
			k := int(next[w])
			set[k>>6] |= 1 << uint(k&63)
			next[w]++
		}
	}
	return int64(sum)
}

// countByTree counts segments of any weight and slot: for each, from left to right, the weight of those before it that
// end further right, from a tree of sums (W. Barth, P. Mutzel, M. Jünger, "Simple and efficient bilayer cross
// counting", 2004).
func (l *layering) countByTree(r int) int64 {
	row := l.sorted[:0]
	for _, v := range l.order[r] {
		halves := l.down.of(v)
		from := len(row)
		for i := range halves {
			h := &halves[i]
			row = append(row, ownedSegment{h.slot, l.up.base[h.to] + h.port, int64(h.weight)})
		}
		if len(halves) < 2 {
			continue
		}
		// Segments from one slot do not cross: they are taken in the order of their lower ends.
		own := row[from:]
		for i := 1; i < len(own); i++ {
			for j := i; j > 0 && (own[j].own < own[j-1].own || own[j].own == own[j-1].own && own[j].to < own[j-1].to); j-- {
				own[j], own[j-1] = own[j-1], own[j]
			}
		}
	}
	l.sorted = row
	if len(row) < 64 {
		return insertionCount(row)
	}
	slots := int32(0)
	for _, v := range l.order[r+1] {
		slots += l.up.ports[v]
	}
	return l.treeSum(row, int(slots))
}

// ownedSegment is a segment between two layers: number of its slot at the vertex above, and of its slot in the layer
// below.
type ownedSegment struct {
	own, to int32 // slots
	weight  int64
}

// insertionCount counts while it sorts by insertion: what a segment is moved past crosses it.
func insertionCount(row []ownedSegment) int64 {
	sum := int64(0)
	for i := 1; i < len(row); i++ {
		s := row[i]
		j := i
		for ; j > 0 && row[j-1].to > s.to; j-- {
			sum += row[j-1].weight * s.weight
			row[j] = row[j-1]
		}
		row[j] = s
	}
	return sum
}

// treeSum counts with a tree of sums over the slots of the lower layer.
func (l *layering) treeSum(row []ownedSegment, slots int) int64 {
	size := 1
	for size < slots {
		size *= 2
	}
	if len(l.sums) < 2*size {
		l.sums = make([]int64, 2*size)
	}
	tree := l.sums[:2*size]
	clear(tree)
	sum := int64(0)
	for i := range row {
		s := &row[i]
		right := int64(0)
		for at := size + int(s.to); at > 1; at /= 2 {
			if at&1 == 0 {
				right += tree[at+1]
			}
			tree[at] += s.weight
		}
		sum += right * s.weight
	}
	return sum
}

// inversions counts the crossings of two vertices' half-edges on one side, sorted: ab with a to the left of b, ba the
// other way round.
func inversions(a, b []halfEdge) (ab, ba int64) {
	if len(a) == 1 && len(b) == 1 {
		w := int64(a[0].weight) * int64(b[0].weight)
		switch {
		case a[0].order > b[0].order:
			return w, 0
		case a[0].order < b[0].order:
			return 0, w
		}
		return 0, 0
	}
	var all int64
	for i := range b {
		all += int64(b[i].weight)
	}
	less, j := int64(0), 0 // weight of b's half-edges to the left of a's
	for i := range a {
		for j < len(b) && b[j].order < a[i].order {
			less += int64(b[j].weight)
			j++
		}
		same := int64(0)
		for k := j; k < len(b) && b[k].order == a[i].order; k++ {
			same += int64(b[k].weight)
		}
		ab += less * int64(a[i].weight)
		ba += (all - less - same) * int64(a[i].weight)
	}
	return ab, ba
}

// gainOfSwap is how many crossings fewer there are with b to the left of a, its left neighbour.
func (l *layering) gainOfSwap(a, b int32) int64 {
	ab, ba := inversions(l.up.of(a), l.up.of(b))
	cd, dc := inversions(l.down.of(a), l.down.of(b))
	l.spent += int64(l.up.start[a+1] - l.up.start[a] + l.up.start[b+1] - l.up.start[b] + 2)
	l.spent += int64(l.down.start[a+1] - l.down.start[a] + l.down.start[b+1] - l.down.start[b] + 2)
	return ab + cd - ba - dc
}

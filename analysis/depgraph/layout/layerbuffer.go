package layout

import "encoding/binary"

// layerBuffer is one layer while its vertices are sifted. It lists the half-edges of all its vertices in the order of
// the layer, each as the number of the slot it leads to. What passing a half-edge costs depends on that slot only:
//
//	half-edges of v lead to slots 2 and 5
//	slot                     0   1   2   3   4   5   6
//	cost of passing one      -2  -2  -1  0   0   +1  +2    those of v to its left less those to its right
//
// So the costs are found for all slots at once, summed over the row from the left, and the best place for v is where
// the sum is least. v costs nothing when it passes itself, so its own half-edges need no special case.
type layerBuffer struct {
	row       []int32  // vertices from left to right
	left      int      // position in the layer of the first
	pos       []int32  // vertex -> its position in the layer
	start     []int32  // place in the row -> its first half-edge, those upwards first; one more for the end
	slots     []int32  // half-edge -> slot at the other end: those above and then those below
	plain     bool     // all half-edges weigh 1, and no vertex has more than mostPlainEdges
	weight    []int32  // of half-edges, unless plain
	sum       []int64  // half-edge -> cost of passing all to its left; one more for the end
	above     int32    // number of slots above, rounded up to eight
	slotCount int32    // number of all slots, rounded likewise
	passed    []byte   // slot -> cost plus a constant, when plain
	added     []int64  // slot -> cost, otherwise
	steps     []uint64 // place -> eight bytes: 0 before the middle, 1 there, 2 after it
	middle    int32    // the place whose first byte is 1
	order     []int32  // room for callers
}

// mostPlainEdges is how many half-edges a vertex of a plain layer has at most: cost and constant, up to three times
// that, fit a byte.
const mostPlainEdges = 80

// load fills the buffer with layer r from position lo to hi.
func (l *layering) load(s *layerBuffer, r, lo, hi int) {
	s.row, s.left, s.pos = l.order[r][lo:hi+1], lo, l.pos
	s.plain = (r == 0 || l.plain[r-1]) && l.plain[r]
	s.above, s.slotCount = 0, 0
	if r > 0 {
		s.above = upToEight(l.slotsOf(r-1, &l.down))
	}
	if s.slotCount = s.above; r+1 < len(l.order) {
		s.slotCount += upToEight(l.slotsOf(r+1, &l.up))
	}
	n := s.count(l)
	s.fit(n)
	s.fill(l)
	l.spent += int64(n)
}

// upToEight rounds up to a multiple of eight.
func upToEight(n int32) int32 { return (n + 7) &^ 7 }

// slotsOf is how many slots the vertices of a layer have on one side.
func (l *layering) slotsOf(r int, s *side) int32 {
	row := l.order[r]
	if len(row) == 0 {
		return 0
	}
	last := row[len(row)-1]
	return s.base[last] + s.ports[last]
}

// count finds where each vertex's half-edges begin and returns their number.
func (s *layerBuffer) count(l *layering) int {
	if cap(s.start) <= len(s.row) {
		s.start = make([]int32, 2*len(s.row)+1)
	}
	start := s.start[:len(s.row)+1]
	up, down, n, most := l.up.start, l.down.start, int32(0), int32(0)
	for i, v := range s.row {
		start[i] = n
		each := up[v+1] - up[v] + down[v+1] - down[v]
		most = max(most, each)
		n += each
	}
	start[len(s.row)] = n
	s.start, s.plain = start, s.plain && most <= mostPlainEdges
	return int(n)
}

// fit makes room for n half-edges.
func (s *layerBuffer) fit(n int) {
	if cap(s.slots) < n+4 {
		s.slots, s.weight, s.sum = make([]int32, 2*n+4), make([]int32, 2*n+4), make([]int64, 2*n+5)
	}
	s.slots, s.weight, s.sum = s.slots[:n], s.weight[:n], s.sum[:n+1]
	if n := int(s.slotCount); len(s.passed) < n {
		s.passed, s.added = make([]byte, 2*n), make([]int64, 2*n)
		s.middle, s.steps = int32(2*n), make([]uint64, 4*n)
		for i := range s.steps {
			for j := range 8 {
				if at := int32(i + j); at == s.middle {
					s.steps[i] |= 1 << (8 * j)
				} else if at > s.middle {
					s.steps[i] |= 2 << (8 * j)
				}
			}
		}
	}
}

// fill lists the half-edges.
func (s *layerBuffer) fill(l *layering) {
	above, below := l.down.base, l.up.base
	to, weight := s.slots, s.weight
	k, skip := 0, s.above
	for _, v := range s.row {
		ups := l.up.of(v)
		for i := range ups {
			h := &ups[i]
			to[k] = above[h.to] + h.port
			k++
		}
		downs := l.down.of(v)
		for i := range downs {
			h := &downs[i]
			to[k] = skip + below[h.to] + h.port
			k++
		}
	}
	if s.plain {
		return
	}
	k = 0
	for _, v := range s.row {
		for _, halves := range [2][]halfEdge{l.up.of(v), l.down.of(v)} {
			for i := range halves {
				weight[k] = halves[i].weight
				k++
			}
		}
	}
}

// at is the place of a vertex in the row.
func (s *layerBuffer) at(v int32) int { return int(s.pos[v]) - s.left }

// best is where the vertex at place p belongs, at most reach places away, and how many crossings that saves; of places
// as good the farthest.
func (s *layerBuffer) best(p, reach int) (int, int64) {
	lo, hi := max(0, p-reach), min(len(s.row)-1, p+reach)
	s.sumCosts(p, lo, hi)
	// A sum and its place are compared as one number, sum<<24 + place or - place, which finds the first and the last place
	// with the least sum without a branch.
	const bits, places = 24, 1<<24 - 1
	start, sum := s.start[:hi+2], s.sum
	at := sum[start[p]] << bits
	first, last := at+int64(p), at-int64(p)
	for i := lo; i < len(start); i++ {
		here := sum[uint32(start[i])] << bits
		first, last = min(first, here+int64(i)), min(last, here-int64(i))
	}
	left, right := int(first&places), int(-last&places)
	if right > p {
		right--
	}
	if left > p {
		left--
	}
	if p-left > right-p {
		right = left
	}
	return right, (at - first&^places) >> bits
}

// sumCosts sums up the costs of passing half-edges for the vertex at place p, from place lo to hi.
func (s *layerBuffer) sumCosts(p, lo, hi int) {
	from, end := s.start[lo], s.start[hi+1]
	to, sum, c := s.slots[:end], s.sum, int64(0)
	switch own := s.start[p+1] - s.start[p]; {
	case int64(s.slotCount) > 3*int64(own)*int64(end-from):
		s.comparePairs(p, from, end)
		return
	case s.plain:
		passed, more := s.costsBySlot(p)
		for i := uint(from); i < uint(len(to)); i++ {
			sum[i] = c
			c += int64(passed[uint32(to[i])]) - more
		}
	default:
		passed, weight := s.weightedCostsBySlot(p), s.weight
		for i := uint(from); i < uint(len(to)); i++ {
			sum[i] = c
			c += passed[uint32(to[i])] * int64(weight[i])
		}
	}
	sum[len(to)] = c
}

// comparePairs sums the costs by comparing every pair of half-edges, which is faster than a table of all slots when few
// are passed.
func (s *layerBuffer) comparePairs(p int, from, end int32) {
	to, sum := s.slots[from:end], s.sum[from:end+1]
	clear(sum)
	for j := s.start[p]; j < s.start[p+1]; j++ {
		k, w := s.slots[j], int64(1)
		if !s.plain {
			w = int64(s.weight[j])
		}
		for i, e := range to {
			apart := ((e - s.above) ^ (k - s.above)) >> 31 // all ones if one is above and one below
			sum[i] += int64(((e-k)>>31-(k-e)>>31)&^apart) * w
		}
	}
	c := int64(0)
	for i := range to {
		add := sum[i]
		if !s.plain {
			add *= int64(s.weight[int(from)+i])
		}
		sum[i] = c
		c += add
	}
	sum[len(to)] = c
}

// costsBySlot fills passed for the vertex at place p with cost plus "more". It adds eight slots at a time, as bytes of
// a word: a half-edge to slot k adds steps shifted to k, 0 to its left, 1 there and 2 to its right. The steps run
// through the slots above and then those below as if in one row; what that counts wrongly is evened out by where slots
// above start.
func (s *layerBuffer) costsBySlot(p int) (passed []byte, more int64) {
	from, end := int(s.start[p]), int(s.start[p+1])
	n, middle, above := end-from, s.middle, s.above
	more = int64(n)
	at := [4]int32{} // offsets into steps; missing ones point at zeros
	for i, k := range s.slots[from : from+4 : cap(s.slots)] {
		has := int32(i-n) >> 31
		at[i&3] = (middle - k) & has
		more += int64((k - above) >> 31 & has & 1)
	}
	passed = s.passed[:s.slotCount]
	addFourSteps(passed, s.steps, &at, int(above), uint64(n)*0x0101010101010101)
	for i := from + 4; i < end; i++ {
		k := s.slots[i]
		addSteps(passed, s.steps[middle-k:])
		more -= int64((k - above) >> 31)
	}
	return passed, more
}

// addFourSteps writes the sum of four steps, as most vertices have no more, plus what slots above start with.
func addFourSteps(passed []byte, steps []uint64, at *[4]int32, above int, first uint64) {
	a, b, c, d := int(at[0]), int(at[1]), int(at[2]), int(at[3])
	for i := 0; i < len(passed); i += 8 {
		if i == above {
			first = 0
		}
		binary.LittleEndian.PutUint64(passed[i:i+8:i+8], first+steps[a+i]+steps[b+i]+steps[c+i]+steps[d+i])
	}
}

// addSteps adds the step of one more half-edge.
func addSteps(passed []byte, steps []uint64) {
	for i := 0; i < len(passed); i += 8 {
		to := passed[i : i+8 : i+8]
		binary.LittleEndian.PutUint64(to, binary.LittleEndian.Uint64(to)+steps[i])
	}
}

// weightedCostsBySlot fills added with costs, by prefix sums.
func (s *layerBuffer) weightedCostsBySlot(p int) []int64 {
	from, end := s.start[p], s.start[p+1]
	passed := s.added[:s.slotCount]
	clear(passed)
	all := [2]int64{}
	for i, k := range s.slots[from:end] {
		w := int64(s.weight[int(from)+i])
		passed[k] += w
		if k < s.above {
			all[0] += w
		} else {
			all[1] += w
		}
	}
	for i, side := range [2][]int64{passed[:s.above], passed[s.above:]} {
		sum := -all[i]
		for k, w := range side {
			side[k] = sum + w
			sum += 2 * w
		}
	}
	return passed
}

// orderOf gives room for n vertices.
func (s *layerBuffer) orderOf(n int) []int32 {
	if cap(s.order) < n {
		s.order = make([]int32, 2*n)
	}
	return s.order[:n]
}

// moveTo moves the vertex at place p to place q.
func (s *layerBuffer) moveTo(p, q int) {
	from, end, v := s.start[p], s.start[p+1], s.row[p]
	n, at := end-from, s.start[q]
	if q > p {
		at = s.start[q+1] - n
		for i := p; i < q; i++ {
			s.setAt(i, s.row[i+1])
			s.start[i+1] = s.start[i+2] - n
		}
	} else {
		for i := p; i > q; i-- {
			s.setAt(i, s.row[i-1])
			s.start[i] = s.start[i-1] + n
		}
	}
	s.setAt(q, v)
	rotate(s.slots, int(from), int(end), int(at))
	if !s.plain {
		rotate(s.weight, int(from), int(end), int(at))
	}
}

// setAt puts a vertex at a place.
func (s *layerBuffer) setAt(at int, v int32) {
	s.row[at], s.pos[v] = v, int32(s.left+at)
}

// rotate moves row[from:to] so that it begins at "at", and what it passes closes the gap.
func rotate(row []int32, from, to, at int) {
	var few [8]int32
	held := append(few[:0], row[from:to]...)
	if at < from {
		copy(row[at+to-from:to], row[at:from])
	} else {
		copy(row[from:], row[to:at+to-from])
	}
	copy(row[at:], held)
}

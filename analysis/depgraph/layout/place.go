package layout

import (
	"math"
	"slices"
)

// place gives every vertex the x of its left side after U. Brandes and B. Köpf ("Fast and simple horizontal coordinate
// assignment", 2001): four drawings, aligned with upper or lower medians and packed to the left or the right, of which each vertex
// takes the mean of the two in the middle. Two deviations: vertices are aligned slot over slot, so that an edge that joins the
// sides of two wide nodes is straight as well, and blocks are packed by longest paths in both directions instead of by classes
// (the original's shift of classes can let blocks overlap, as its authors' erratum of 2020 says).
func (l *levels) place(o Options) {
	conflict := l.conflicts()
	f := l.newFrame(o)
	var low, high [4]float64
	var all [4][]float64
	narrow := 0
	for _, below := range [2]bool{false, true} {
		f.find(below, conflict)
		for _, right := range [2]bool{false, true} {
			i := which(below) + 2*which(right)
			all[i] = f.lay(below, right)
			low[i], high[i] = f.extent(all[i])
		}
	}
	for i := range all {
		if high[i]-low[i] < high[narrow]-low[narrow] {
			narrow = i
		}
	}
	var shift [4]float64
	for i := range all {
		shift[i] = low[narrow] - low[i]
		if i&2 != 0 {
			shift[i] = high[narrow] - high[i]
		}
	}
	l.x = l.floats.raw(len(l.rank))
	for s, v := range f.line {
		if v < 0 {
			continue
		}
		a, b := inTurn(all[0][s]+shift[0], all[1][s]+shift[1])
		c, d := inTurn(all[2][s]+shift[2], all[3][s]+shift[3])
		if c > a {
			a = c
		}
		if d < b {
			b = d
		}
		l.x[v] = (a + b) / 2
	}
	for i := range l.chain {
		if c := &l.chain[i]; c.back {
			end := c.first + c.count - 1
			l.tighten(c.first, l.x[c.first+1], l.x[c.lo]+c.loX, o)
			l.tighten(end, l.x[end-1], l.x[c.hi]+c.hiX, o)
		}
	}
}

func which(second bool) int {
	if second {
		return 1
	}
	return 0
}

// inTurn gives the smaller of two first.
func inTurn(a, b float64) (float64, float64) {
	if b < a {
		return b, a
	}
	return a, b
}

// tighten moves the turn of an edge upwards between the two it joins, as far as its neighbours let it: it stands in the layer
// beyond them and may have been put aside there.
func (l *levels) tighten(turn int32, side, slot float64, o Options) {
	row, at := l.order[l.rank[turn]], int(l.pos[turn])
	left, right := math.Inf(-1), math.Inf(1)
	if at > 0 {
		left = l.x[row[at-1]] + l.width[row[at-1]] + o.EdgeGap
	}
	if at+1 < len(row) {
		right = l.x[row[at+1]] - o.EdgeGap
	}
	want := max(min(side, slot), min(l.x[turn], max(side, slot)))
	if want = min(max(want, left), right); left <= right {
		l.x[turn] = want
	}
}

// conflicts marks segments that cross one between two bends: those are not kept straight.
func (l *levels) conflicts() []bool {
	mark := l.flags.take(len(l.segs))
	bend := func(v int32) bool { return int(v) >= l.nodes }
	held := l.flags.take(len(l.order)) // layer -> whether one between two bends leads to it
	for i := range l.chain {
		for r, c := l.rank[l.chain[i].first]+1, int32(1); c < l.chain[i].count; r, c = r+1, c+1 {
			held[r] = true
		}
	}
	for r := 1; r < len(l.order); r++ {
		if !held[r] {
			continue
		}
		row := l.order[r]
		left, from := int32(0), 0
		for i, v := range row {
			right, inner := int32(len(l.order[r-1])), false
			if bend(v) {
				for _, h := range l.up.of(v) {
					if bend(h.to) {
						right, inner = l.pos[h.to], true
					}
				}
			}
			if !inner && i+1 < len(row) {
				continue
			}
			for ; from <= i; from++ {
				for _, h := range l.up.of(row[from]) {
					if p := l.pos[h.to]; (p < left || p > right) && !(bend(row[from]) && bend(h.to)) {
						mark[h.seg] = true
					}
				}
			}
			left = right
		}
	}
	return mark
}

// frame is what the four drawings have in common. All layers stand in one line, with a spot that is empty before, between and after
// them, and vertices go by their spots.
type frame struct {
	*levels
	line  []int32 // spot -> vertex, -1 where there is none
	first []int32 // layer -> its first spot
	wide  []float64
	// Spot -> the least distance from the left side of its left neighbour to its own, and the same in a mirror.
	apart [2][]float64
	spot  []int32   // vertex -> its spot
	met   []meeting // for each vertex what it is joined to on one side, from left to right
	under []middles // spot -> what it may stand straight below of, or above

	stone []stone
	// While compacting: of blocks, by their roots.
	waits []int32 // vertices whose left neighbours have no place yet
	done  []int32 // each after all to its left
}

// middles are the two vertices in the middle of those that one is joined to, -1 for none, and how far to the right of their left
// sides its own is when the segment between them stands straight.
type middles struct {
	spot [2]int32
	off  [2]float64
}

// stone is a vertex of a block, which is a column of them.
type stone struct {
	root, next int32   // first of the block, next of it or -1
	shift      float64 // its left side less that of the root
	x          float64 // of a root
}

func (l *levels) newFrame(o Options) *frame {
	n := len(l.rank) + len(l.order) + 1
	ints, floats := l.ints.raw(4*n), l.floats.raw(3*n)
	f := &frame{
		levels: l, line: ints[:0:n], first: l.ints.raw(len(l.order)),
		wide: floats[:n], apart: [2][]float64{floats[n : 2*n], floats[2*n:]},
		stone: l.stones.raw(n), waits: ints[n : 2*n], done: ints[2*n : 3*n], spot: ints[3*n:], under: l.middles.raw(n),
		met: l.meetings.raw(len(l.segs)),
	}
	f.leave()
	for r, row := range l.order {
		f.first[r] = int32(len(f.line))
		for i, v := range row {
			s := int32(len(f.line) + i)
			f.spot[v], f.wide[s] = s, l.width[v]
			if i > 0 {
				g := gap(f.wide[s-1] == 0, f.wide[s] == 0, o)
				f.apart[0][s], f.apart[1][s-1] = f.wide[s-1]+g, f.wide[s]+g
			}
		}
		f.line = append(f.line, row...)
		f.leave()
	}
	return f
}

// leave leaves a spot empty: what stands there is as far away as can be and waits for ever.
func (f *frame) leave() {
	s := int32(len(f.line))
	f.line = append(f.line, -1)
	f.wide[s], f.apart[0][s], f.apart[1][s] = 0, 0, 0
	f.stone[s], f.waits[s] = stone{root: s, next: -1, x: math.Inf(1)}, math.MaxInt32
}

// find looks for what vertices may stand straight under or over. It goes through the layers from left to right, so that each vertex meets
// those it is joined to in their order, and then takes those in the middle.
func (f *frame) find(below bool, conflict []bool) {
	s, other, sign := &f.up, &f.down, 1.0
	if below {
		s, other, sign = other, s, -1
	}
	met, next := f.met, f.next
	copy(next, s.start)
	for at, v := range f.line {
		if v < 0 {
			continue
		}
		row := other.half[other.start[v]:other.start[v+1]]
		if other.ports[v] > 1 {
			slices.SortStableFunc(row, func(a, b half) int { return int(a.own - b.own) })
		}
		for i := range row {
			h := &row[i]
			k := next[h.to]
			next[h.to] = k + 1
			met[k] = meeting{int32(at), h.seg}
		}
	}
	for at, v := range f.line {
		m := &f.under[at]
		m.spot = [2]int32{-1, -1}
		if v < 0 {
			continue
		}
		from, to := s.start[v], s.start[v+1]
		if from == to {
			continue
		}
		first, second := (from+to-1)/2, (from+to)/2
		if x := met[first]; !conflict[x.seg] {
			m.spot[0], m.off[0] = x.spot, f.off(x.seg)*sign
		}
		if x := met[second]; second != first && !conflict[x.seg] {
			m.spot[1], m.off[1] = x.spot, f.off(x.seg)*sign
		}
	}
}

// off is how far to the right of the left side of what a segment leads from that of what it leads to is when it stands straight.
func (f *frame) off(seg int32) float64 { return f.segs[seg].topX - f.segs[seg].bottomX }

// meeting is a vertex that another is joined to, by its spot, and the segment between them.
type meeting struct{ spot, seg int32 }

// gap is the least room between neighbours, each a bend or not.
func gap(left, right bool, o Options) float64 {
	switch {
	case left && right:
		return o.EdgeGap
	case left || right:
		return max(o.EdgeGap, o.NodeGap/2)
	}
	return o.NodeGap
}

// extent gives the leftmost and the rightmost side of what a drawing has.
func (f *frame) extent(x []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for r, row := range f.order {
		if len(row) > 0 {
			from, to := f.first[r], int(f.first[r])+len(row)-1
			low, high = min(low, x[from]), max(high, x[to]+f.wide[to])
		}
	}
	return low, high
}

// lay makes one drawing: aligned to the layer above or below, packed to the left or, in a mirror, to the right.
func (f *frame) lay(below, right bool) []float64 {
	for i, row := range f.order {
		r := i
		if below {
			r = len(f.order) - 1 - i
			row = f.order[r]
		}
		if right {
			f.alignRight(f.first[r], int32(len(row)))
		} else {
			f.alignLeft(f.first[r], int32(len(row)))
		}
	}
	f.compact(right)
	x := f.floats.raw(len(f.stone))
	for s := range f.stone {
		t := &f.stone[s]
		x[s] = f.stone[t.root].x + t.shift
		if right {
			x[s] = -x[s] - f.wide[s]
		}
	}
	return x
}

// alignLeft puts the vertices of a layer under what they may stand under, from left to right, so that no two blocks cross, and counts for
// each block the vertices with a neighbour to their left.
func (f *frame) alignLeft(first, n int32) {
	last := int32(-1)
	for s := first; s < first+n; s++ {
		m, t := &f.under[s], &f.stone[s]
		t.root, t.next, t.shift, t.x = s, -1, 0, 0
		f.waits[s] = 0
		if u := m.spot[0]; u > last {
			f.join(u, s, m.off[0])
			last = u
		} else if u := m.spot[1]; u > last {
			f.join(u, s, m.off[1])
			last = u
		}
		if s > first {
			f.waits[t.root]++
		}
	}
}

// alignRight does so in a mirror.
func (f *frame) alignRight(first, n int32) {
	last := int32(len(f.line))
	for s := first + n - 1; s >= first; s-- {
		m, t := &f.under[s], &f.stone[s]
		t.root, t.next, t.shift, t.x = s, -1, 0, 0
		f.waits[s] = 0
		if u := m.spot[1]; u >= 0 && u < last {
			f.join(u, s, f.wide[u]-f.wide[s]-m.off[1])
			last = u
		} else if u := m.spot[0]; u >= 0 && u < last {
			f.join(u, s, f.wide[u]-f.wide[s]-m.off[0])
			last = u
		}
		if s < first+n-1 {
			f.waits[t.root]++
		}
	}
}

// join puts s into the block of u, by so much to the right of it.
func (f *frame) join(u, s int32, off float64) {
	t := &f.stone[u]
	t.next = s
	f.stone[s].root, f.stone[s].shift = t.root, t.shift+off
}

// compact moves blocks as far left as the order in the layers allows, each when all to its left have their places, and then back to the
// right until something is met there. A block that stands beyond the ends of layers
// is never met.
func (f *frame) compact(right bool) {
	stone, waits, done, apart, side := f.stone, f.waits, f.done, f.apart[0], int32(1)
	if right {
		apart, side = f.apart[1], -1
	}
	n := 0
	for r, row := range f.order {
		first := f.first[r]
		if right {
			first += int32(len(row)) - 1
		}
		if len(row) == 0 {
			continue
		}
		if b := stone[first].root; waits[b] == 0 {
			waits[b] = -1 // it is in done
			done[n] = b
			n++
		}
	}
	// Vertex after vertex, those of a block one after the other: where the next block begins no processor could foresee.
	w, i := done[0], 0
	for range f.rank {
		t := &stone[w]
		q := w + side
		next := &stone[q]
		b := next.root
		to := &stone[b]
		to.x = max(to.x, stone[t.root].x+t.shift+apart[q]-next.shift)
		waits[b]--
		done[n] = b // stays if no more are waited for
		n += int(uint32(waits[b]-1) >> 31)
		last := t.next >> 31 // all ones at the end of a block
		i -= int(last)
		w = t.next&^last | done[i]&last
	}
	done = done[:n]
	for i := len(done) - 1; i >= 0; i-- {
		r := done[i]
		room := math.Inf(1)
		for w := r; w >= 0; w = stone[w].next {
			q := w + side
			next := &stone[q]
			room = min(room, stone[next.root].x+next.shift-apart[q]-stone[w].shift)
		}
		if room > stone[r].x && !math.IsInf(room, 1) {
			stone[r].x = room
		}
	}
}

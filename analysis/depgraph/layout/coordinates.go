package layout

import (
	"math"
	"slices"
)

// place gives every vertex the x of its left side after U. Brandes and B. Köpf ("Fast and simple horizontal coordinate
// assignment", 2001): four drawings, aligned with upper or lower medians and packed to the left or the right, of which
// each vertex takes the mean of the two in the middle. Two deviations: vertices are aligned slot over slot, so that an
// edge that joins the sides of two wide nodes is straight as well, and blocks are packed by longest paths in both
// directions instead of by classes (the original's shift of classes can let blocks overlap, as its authors' erratum of
// 2020 says).
func (l *layering) place(o Options) {
	f := l.newAligner(o)
	f.findMedians()
	var low, high, shift [4]float64
	var all [4][]float64
	narrow := 0
	for i := range all {
		all[i] = f.assign(i&1 != 0, i&2 != 0)
		low[i], high[i] = f.extent(all[i])
		if high[i]-low[i] < high[narrow]-low[narrow] {
			narrow = i
		}
	}
	for i := range all {
		shift[i] = low[narrow] - low[i]
		if i&2 != 0 {
			shift[i] = high[narrow] - high[i]
		}
	}
	l.x = f.middle(all, shift)
	for i := range l.chain {
		if c := &l.chain[i]; c.back {
			end := c.first + c.count - 1
			l.alignHook(c.first, l.x[c.first+1], l.x[c.lo]+c.loX, o)
			l.alignHook(end, l.x[end-1], l.x[c.hi]+c.hiX, o)
		}
	}
}

// middle gives every vertex the mean of the two in the middle of the four places it has in the drawings, each moved
// aside by so much.
func (f *aligner) middle(all [4][]float64, shift [4]float64) []float64 {
	x, n := raw[float64](f.scratch, len(f.rank)), len(f.line)
	first, second, third, fourth := all[0][:n], all[1][:n], all[2][:n], all[3][:n]
	for s, v := range f.line {
		if v < 0 {
			continue
		}
		a, b, c, d := first[s]+shift[0], second[s]+shift[1], third[s]+shift[2], fourth[s]+shift[3]
		x[v] = (max(min(a, b), min(c, d)) + min(max(a, b), max(c, d))) / 2
	}
	return x
}

func which(second bool) int {
	if second {
		return 1
	}
	return 0
}

// tighten moves the turn of an edge upwards between the two it joins, as far as its neighbours let it: it stands in the
// layer beyond them and may have been put aside there.
func (l *layering) alignHook(turn int32, side, slot float64, o Options) {
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

// frame is what the four drawings have in common. All layers stand in one line, with a spot that is empty before,
// between and after them, and vertices go by their spots.
type aligner struct {
	*layering
	line  []int32 // spot -> vertex, -1 where there is none
	first []int32 // layer -> its first spot
	wide  []float64
	// Spot -> the least distance from the left side of its left neighbour to its own, and the same in a mirror.
	apart   [2][]float64
	spot    []int32         // vertex -> its spot
	mark    []int32         // segment -> -1 if it crosses one between two bends and is not kept straight, 0 otherwise
	medians [2][]medianPair // spot -> what it may stand straight below of, and what above of
	keyed   []uint64        // for sorting

	aligned []alignedVertex
	// while compacting: the spots of vertices, those of a block one after the other and after all to its left
	compacted []int32
}

// middles are the two vertices in the middle of those that one is joined to, often one and the same, -1 for none, and
// how far to the right of their left sides its own is when the segment between them stands straight.
type medianPair struct {
	spot [2]int32
	off  [2]float64
}

// stone is a vertex of a block, which is a column of them.
type alignedVertex struct {
	root, next uint32  // spots: of the first of the block, and of the one after this in the list of all
	shift      float64 // its left side less that of the root
	x          float64 // of a root
}

func (l *layering) newAligner(o Options) *aligner {
	n := len(l.rank) + len(l.order) + 1
	f := &aligner{
		layering: l, line: spare[int32](l.scratch, n), first: raw[int32](l.scratch, len(l.order)), wide: raw[float64](l.scratch, n),
		apart: [2][]float64{raw[float64](l.scratch, n), raw[float64](l.scratch, n)},
		spot:  raw[int32](l.scratch, len(l.rank)), mark: raw[int32](l.scratch, len(l.segs)),
		medians: [2][]medianPair{raw[medianPair](l.scratch, n), raw[medianPair](l.scratch, n)},
		aligned: raw[alignedVertex](l.scratch, n), compacted: raw[int32](l.scratch, len(l.rank)),
	}
	f.addGap()
	// the least room between neighbours of which so many are bends
	gaps := [3]float64{o.NodeGap, max(o.EdgeGap, o.NodeGap/2), o.EdgeGap}
	for r, row := range l.order {
		first := len(f.line)
		end := first + len(row)
		f.first[r] = int32(first)
		f.line = append(f.line, row...)
		// What is said in a mirror of a vertex's left neighbour is known with the vertex.
		wide, apart, mirror := f.wide[first:end], f.apart[0][first:end], f.apart[1][first-1:end-1]
		before, bends := math.Inf(-1), 0
		for i, v := range row {
			f.spot[v] = int32(first + i)
			w, bend := l.width[v], 0
			if w == 0 {
				bend = 1
			}
			room := gaps[bends+bend]
			wide[i], apart[i], mirror[i] = w, before+room, w+room
			before, bends = w, bend
		}
		f.apart[1][first-1], f.apart[1][end-1] = math.Inf(-1), math.Inf(-1)
		f.addGap()
	}
	return f
}

// leave leaves a spot empty: its neighbours may stand wherever they are.
func (f *aligner) addGap() {
	s, any := int32(len(f.line)), math.Inf(-1)
	f.line = append(f.line, -1)
	f.wide[s], f.apart[0][s], f.apart[1][s], f.aligned[s] = 0, any, any, alignedVertex{root: uint32(s)}
}

// find looks for what vertices may stand straight under and over. A segment that crosses one between two bends is not
// kept straight. Most vertices are joined to one on either side; the others are looked at once more.
func (f *aligner) findMedians() {
	nodes, spot, under, over := int32(f.nodes), f.spot, f.medians[0], f.medians[1]
	left, right := f.bounds()
	for i := range f.segs {
		x := &f.segs[i]
		top, bottom, off := spot[x.top], spot[x.bottom], x.topX-x.bottomX
		// Below 0 if it does, and if it has a node at an end.
		crosses, outer := (top-left[bottom])|(right[bottom]-top), (x.top-nodes)|(x.bottom-nodes)
		mark := (crosses & outer) >> 31
		f.mark[i] = mark
		under[bottom] = medianPair{[2]int32{top | mark, top | mark}, [2]float64{off, off}}
		over[top] = medianPair{[2]int32{bottom | mark, bottom | mark}, [2]float64{-off, -off}}
	}
	f.findOtherMedians(&f.up, under, f.down.base, 1)
	f.findOtherMedians(&f.down, over, f.up.base, -1)
}

// bounds gives, for each spot, the upper ends of the nearest segments between two bends whose lower ends are to its
// left, and of those whose lower ends are there or to its right: what a segment from the spot upwards leads to is
// between them, or it crosses one. Segments of other layers are no bounds, since spots of a layer are to the right of
// all of the layer above.
func (f *aligner) bounds() (left, right []int32) {
	n := len(f.line)
	left, right = raw[int32](f.scratch, n), take[int32](f.scratch, n)[:n]
	for i := range f.chain {
		c := &f.chain[i]
		up := f.spot[c.first]
		for _, s := range f.spot[c.first+1 : c.first+c.count] {
			right[s], up = up, s
		}
	}
	last := int32(0)
	for s, up := range right {
		left[s] = last
		if up > 0 {
			last = up
		}
	}
	last = int32(n)
	for s := n - 1; s >= 0; s-- {
		if up := right[s]; up > 0 {
			last = up
		}
		right[s] = last
	}
	return left, right
}

// several looks again for what vertices may stand under, or over, that are joined to none or to more than one there.
func (f *aligner) findOtherMedians(s *side, under []medianPair, base []int32, sign float64) {
	from := int32(0)
	for v, to := range s.start[1:] {
		if to-from != 1 {
			f.chooseMedians(&under[f.spot[v]], s.halves[from:to], base, sign)
		}
		from = to
	}
}

// choose finds those in the middle of a row, in the order of the layer it leads to, where slots have these numbers.
func (f *aligner) chooseMedians(m *medianPair, row []halfEdge, base []int32, sign float64) {
	if len(row) == 0 {
		*m = medianPair{spot: [2]int32{-1, -1}}
		return
	}
	f.keyed = f.keyed[:0]
	for i := range row {
		f.keyed = append(f.keyed, uint64(base[row[i].to]+row[i].port)<<32|uint64(i))
	}
	slices.Sort(f.keyed)
	for i, k := range [2]int{(len(row) - 1) / 2, len(row) / 2} {
		h := &row[uint32(f.keyed[k])]
		m.spot[i], m.off[i] = f.spot[h.to]|f.mark[h.seg], f.off(h.seg)*sign
	}
}

// off is how far to the right of the left side of what a segment leads from that of what it leads to is when it stands
// straight.
func (f *aligner) off(seg int32) float64 { return f.segs[seg].topX - f.segs[seg].bottomX }

// extent gives the leftmost and the rightmost side of what a drawing has.
func (f *aligner) extent(x []float64) (low, high float64) {
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
func (f *aligner) assign(below, right bool) []float64 {
	under, stone, n := f.medians[which(below)], f.aligned, len(f.aligned)
	for i := range f.order {
		r := i
		if below {
			r = len(f.order) - 1 - i
		}
		if right {
			f.alignRight(under, f.first[r], int32(len(f.order[r])))
		} else {
			f.alignLeft(under, f.first[r], int32(len(f.order[r])))
		}
	}
	x, wide := raw[float64](f.scratch, n)[:n], f.wide[:n]
	if right {
		f.compact(n-1, 1, f.apart[1])
		for s := range stone {
			x[s] = -(stone[stone[s].root].x + stone[s].shift) - wide[s]
		}
		return x
	}
	f.compact(0, -1, f.apart[0])
	for s := range stone {
		x[s] = stone[stone[s].root].x + stone[s].shift
	}
	return x
}

// alignLeft puts the vertices of a layer under what they may stand under, from left to right, so that no two blocks
// cross. All are kept in one list, which begins at the first spot: a block stands there as a whole, after all blocks to
// its left. So what is put into a block comes after the last it has, and what begins a new one after its left
// neighbour, which is the last of its block. Whether a vertex stands under another no processor could foresee: there
// are masks instead of branches.
func (f *aligner) alignLeft(under []medianPair, first, n int32) {
	stone := f.aligned
	last, before := int32(-1), int32(0)
	for s := first; s < first+n; s++ {
		m := &under[s]
		leftmost := (last - m.spot[0]) >> 31
		u := choose(leftmost, m.spot[0], m.spot[1])
		stands := (last - u) >> 31
		last, before = choose(stands, u, last), choose(stands, u, before)
		t, b, q := &stone[s], &stone[before], &stone[u&stands]
		t.next, b.next = b.next, uint32(s)
		t.root = uint32(choose(stands, int32(q.root), s))
		t.shift = q.shift + m.off[(leftmost+1)&1]*float64(-stands)
		before = s
	}
}

// alignRight does so in a mirror: the list begins at the last spot.
func (f *aligner) alignRight(under []medianPair, first, n int32) {
	stone, wide := f.aligned, f.wide
	last, before := int32(len(f.line)), int32(len(f.line)-1)
	for s := first + n - 1; s >= first; s-- {
		m := &under[s]
		rightmost := (m.spot[1] - last) >> 31 &^ (m.spot[1] >> 31)
		u := choose(rightmost, m.spot[1], m.spot[0])
		stands := (u - last) >> 31 &^ (u >> 31)
		last, before = choose(stands, u, last), choose(stands, u, before)
		t, b, q := &stone[s], &stone[before], &stone[u&stands]
		t.next, b.next = b.next, uint32(s)
		t.root = uint32(choose(stands, int32(q.root), s))
		t.shift = q.shift + (wide[u&stands]-wide[s]-m.off[rightmost&1])*float64(-stands)
		before = s
	}
}

// pick gives a where all bits of the mask are set, b where none is.
func choose(mask, a, b int32) int32 { return b ^ (a^b)&mask }

// compact moves blocks as far left as the order in the layers allows, each after all to its left, and then back to the
// right until something is met there. A block that stands beyond the ends of layers is never met.
func (f *aligner) compact(head, left int, apart []float64) {
	stone, done := f.aligned, f.compacted
	apart = apart[:len(stone)]
	t, x := &stone[head], int64(0)
	for i := range done {
		w := int(t.next)
		t = &stone[w]
		done[i] = int32(w)
		if int(t.root) == w {
			x = 0
		}
		q := &stone[w+left]
		x = max(x, ordinal(stone[q.root].x+q.shift+apart[w]-t.shift))
		stone[t.root].x = ofOrdinal(x)
	}
	far := ordinal(math.Inf(1))
	room := far
	for i := len(done) - 1; i >= 0; i-- {
		w := int(done[i])
		t, q := &stone[w], &stone[w-left]
		room = min(room, ordinal(stone[q.root].x+q.shift-apart[w-left]-t.shift))
		// The root is the last that is looked at; of the others nobody wants to know an x.
		x := ordinal(t.x)
		to := x
		if room != far {
			to = room
		}
		t.x = ofOrdinal(max(x, to))
		if int(t.root) == w {
			room = far
		}
	}
}

// ordinal gives whole numbers that are in the same order, except that those below 0 are in any: of two such the larger
// is found without a branch.
func ordinal(x float64) int64 { return int64(math.Float64bits(x)) }

// ofOrdinal gives the number back.
func ofOrdinal(i int64) float64 { return math.Float64frombits(uint64(i)) }

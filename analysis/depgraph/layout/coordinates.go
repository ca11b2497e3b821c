package layout

import (
	"math"
	"slices"
)

// place gives every vertex the x of its left side after U. Brandes and B. Köpf ("Fast and simple horizontal coordinate
// assignment", 2001): four assignments, aligned with upper or lower medians and packed to the left or the right; each
// vertex takes the mean of the two in the middle. Two deviations: vertices are aligned slot over slot, so that an edge
// between the sides of two wide nodes is straight as well; and aligned blocks are packed by longest paths in both
// directions instead of by classes, whose shift can let blocks overlap (the authors' erratum, 2020).
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
	for i := range l.chains {
		if c := &l.chains[i]; c.back {
			end := c.first + c.count - 1
			l.alignHook(c.first, l.x[c.first+1], l.x[c.lo]+c.loX, o)
			l.alignHook(end, l.x[end-1], l.x[c.hi]+c.hiX, o)
		}
	}
}

// middle gives every vertex the mean of the two middle ones of its four places, each assignment shifted as a whole.
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

// which is 1 for true.
func which(second bool) int {
	if second {
		return 1
	}
	return 0
}

// alignHook moves a back edge's hook between the node and the line it joins, as far as its neighbours allow: in the
// layer beyond the node it may have been packed elsewhere.
func (l *layering) alignHook(hook int32, side, slot float64, o Options) {
	row, at := l.order[l.rank[hook]], int(l.pos[hook])
	left, right := math.Inf(-1), math.Inf(1)
	if at > 0 {
		left = l.x[row[at-1]] + l.width[row[at-1]] + o.EdgeGap
	}
	if at+1 < len(row) {
		right = l.x[row[at+1]] - o.EdgeGap
	}
	want := max(min(side, slot), min(l.x[hook], max(side, slot)))
	if want = min(max(want, left), right); left <= right {
		l.x[hook] = want
	}
}

// aligner holds what the four assignments share. All layers stand in one line of spots, with an empty spot before,
// between and after them, so that neighbours in a layer are neighbours in the line and ends need no special case.
type aligner struct {
	*layering
	line  []int32 // spot -> vertex, -1 where there is none
	first []int32 // layer -> its first spot
	wide  []float64
	// Spot -> the least distance from the left side of its left neighbour to its own; and the same mirrored.
	apart   [2][]float64
	spot    []int32         // vertex -> its spot
	mark    []int32         // segment -> -1 if it crosses an inner segment (type 1 conflict) and may bend, otherwise 0
	medians [2][]medianPair // spot -> its medians above, and below
	keyed   []uint64        // for sorting

	aligned []alignedVertex
	// spots in the order of compaction: a block's one after the other, after all blocks to its left
	compacted []int32
}

// medianPair is the two medians of a vertex's neighbours on one side as spots, often the same, -1 for none, and how far
// to the right of a median's left side the vertex's own is when the segment between them is vertical.
type medianPair struct {
	spot [2]int32
	off  [2]float64
}

// alignedVertex is a vertex in its block, a column of vertices that are kept aligned.
type alignedVertex struct {
	root, next uint32  // spots: of the block's first vertex, and of the next in the list of all
	shift      float64 // its left side relative to that of the root
	x          float64 // of a root: its left side
}

func (l *layering) newAligner(o Options) *aligner {
	n := len(l.rank) + len(l.order) + 1
	f := &aligner{
		layering: l, line: spare[int32](l.scratch, n), first: raw[int32](l.scratch, len(l.order)),
		wide:  raw[float64](l.scratch, n),
		apart: [2][]float64{raw[float64](l.scratch, n), raw[float64](l.scratch, n)},
		spot:  raw[int32](l.scratch, len(l.rank)), mark: raw[int32](l.scratch, len(l.segments)),
		medians: [2][]medianPair{raw[medianPair](l.scratch, n), raw[medianPair](l.scratch, n)},
		aligned: raw[alignedVertex](l.scratch, n), compacted: raw[int32](l.scratch, len(l.rank)),
	}
	f.addGap()
	// the least distance between neighbours of which none, one or two are dummies
	gaps := [3]float64{o.NodeGap, max(o.EdgeGap, o.NodeGap/2), o.EdgeGap}
	for r, row := range l.order {
		first := len(f.line)
		end := first + len(row)
		f.first[r] = int32(first)
		f.line = append(f.line, row...)
		// The mirrored distance of a vertex's left neighbour is known with the vertex.
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

// addGap adds an empty spot, to which neighbours keep no distance.
func (f *aligner) addGap() {
	s, any := int32(len(f.line)), math.Inf(-1)
	f.line = append(f.line, -1)
	f.wide[s], f.apart[0][s], f.apart[1][s], f.aligned[s] = 0, any, any, alignedVertex{root: uint32(s)}
}

// findMedians finds the medians of all vertices. A segment that crosses an inner one is marked. Most vertices have one
// neighbour on either side; findOtherMedians corrects the rest.
func (f *aligner) findMedians() {
	nodes, spot, under, over := int32(f.nodes), f.spot, f.medians[0], f.medians[1]
	left, right := f.bounds()
	for i := range f.segments {
		x := &f.segments[i]
		top, bottom, off := spot[x.top], spot[x.bottom], x.topX-x.bottomX
		// Negative if it crosses an inner segment, and if it is not one itself.
		crosses, outer := (top-left[bottom])|(right[bottom]-top), (x.top-nodes)|(x.bottom-nodes)
		mark := (crosses & outer) >> 31
		f.mark[i] = mark
		under[bottom] = medianPair{[2]int32{top | mark, top | mark}, [2]float64{off, off}}
		over[top] = medianPair{[2]int32{bottom | mark, bottom | mark}, [2]float64{-off, -off}}
	}
	f.findOtherMedians(&f.up, under, f.down.base, 1)
	f.findOtherMedians(&f.down, over, f.up.base, -1)
}

// bounds gives for each spot the upper ends of the nearest inner segments to its left, and to its right or there: a
// segment upwards from the spot crosses none of them if its end lies between. Inner segments of other layers do not
// matter, as all spots of the layer above come before those of this one.
func (f *aligner) bounds() (left, right []int32) {
	n := len(f.line)
	left, right = raw[int32](f.scratch, n), take[int32](f.scratch, n)[:n]
	for i := range f.chains {
		c := &f.chains[i]
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

// findOtherMedians corrects the medians of vertices with no neighbour or several on one side.
func (f *aligner) findOtherMedians(s *side, under []medianPair, base []int32, sign float64) {
	from := int32(0)
	for v, to := range s.start[1:] {
		if to-from != 1 {
			f.chooseMedians(&under[f.spot[v]], s.halves[from:to], base, sign)
		}
		from = to
	}
}

// chooseMedians finds the medians of a row of half-edges in the order of the layer it leads to.
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

// off is how far the top end of a vertical segment has its vertex's left side to the left of that of the bottom end.
func (f *aligner) off(seg int32) float64 { return f.segments[seg].topX - f.segments[seg].bottomX }

// extent gives the leftmost and the rightmost side of an assignment.
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

// assign makes one of the four assignments: aligned to the layer above or below, packed to the left or to the right.
func (f *aligner) assign(below, right bool) []float64 {
	under, aligned, n := f.medians[which(below)], f.aligned, len(f.aligned)
	for i := range f.order {
		r := i
		if below {
			r = len(f.order) - 1 - i
		}
		first, n := f.first[r], int32(len(f.order[r]))
		if right {
			f.alignRight(under, first, n)
		} else {
			f.alignLeft(under, first, n)
		}
	}
	x, wide := raw[float64](f.scratch, n)[:n], f.wide[:n]
	if right {
		f.compact(n-1, 1, f.apart[1])
		for s := range aligned {
			x[s] = -(aligned[aligned[s].root].x + aligned[s].shift) - wide[s]
		}
		return x
	}
	f.compact(0, -1, f.apart[0])
	for s := range aligned {
		x[s] = aligned[aligned[s].root].x + aligned[s].shift
	}
	return x
}

// alignLeft appends the vertices of a layer, from left to right, to blocks (Brandes and Köpf, algorithm 2): a vertex
// joins the block of a median if that does not cross a block of this layer, the left median first. All vertices are
// kept in a list in which a block is one run after all blocks to its left: a vertex that joins a block comes after that
// block's last, one that begins a block after its left neighbour, which is the last of its own. Whether a vertex joins
// cannot be predicted: masks take the place of branches.
func (f *aligner) alignLeft(medians []medianPair, first, n int32) {
	aligned := f.aligned
	last, before := int32(-1), int32(0)
	for s := first; s < first+n; s++ {
		m := &medians[s]
		leftmost := (last - m.spot[0]) >> 31
		u := choose(leftmost, m.spot[0], m.spot[1])
		joins := (last - u) >> 31
		last, before = choose(joins, u, last), choose(joins, u, before)
		t, b, q := &aligned[s], &aligned[before], &aligned[u&joins]
		t.next, b.next = b.next, uint32(s)
		t.root = uint32(choose(joins, int32(q.root), s))
		t.shift = q.shift + m.off[(leftmost+1)&1]*float64(-joins)
		before = s
	}
}

// alignRight does so mirrored: the list begins at the last spot.
func (f *aligner) alignRight(medians []medianPair, first, n int32) {
	aligned, wide := f.aligned, f.wide
	last, before := int32(len(f.line)), int32(len(f.line)-1)
	for s := first + n - 1; s >= first; s-- {
		m := &medians[s]
		rightmost := (m.spot[1] - last) >> 31 &^ (m.spot[1] >> 31)
		u := choose(rightmost, m.spot[1], m.spot[0])
		joins := (u - last) >> 31 &^ (u >> 31)
		last, before = choose(joins, u, last), choose(joins, u, before)
		t, b, q := &aligned[s], &aligned[before], &aligned[u&joins]
		t.next, b.next = b.next, uint32(s)
		t.root = uint32(choose(joins, int32(q.root), s))
		t.shift = q.shift + (wide[u&joins]-wide[s]-m.off[rightmost&1])*float64(-joins)
		before = s
	}
}

// choose gives a where the mask is all ones, b where it is 0.
func choose(mask, a, b int32) int32 { return b ^ (a^b)&mask }

// compact moves blocks as far left as the layers' order allows, in the order of the list, and then back to the right up
// to the next block; one with nothing to its right stays. Mirrored with left = 1.
func (f *aligner) compact(head, left int, apart []float64) {
	aligned, done := f.aligned, f.compacted
	apart = apart[:len(aligned)]
	t, x := &aligned[head], int64(0)
	for i := range done {
		w := int(t.next)
		t = &aligned[w]
		done[i] = int32(w)
		if int(t.root) == w {
			x = 0
		}
		q := &aligned[w+left]
		x = max(x, ordinal(aligned[q.root].x+q.shift+apart[w]-t.shift))
		aligned[t.root].x = ofOrdinal(x)
	}
	far := ordinal(math.Inf(1))
	room := far
	for i := len(done) - 1; i >= 0; i-- {
		w := int(done[i])
		t, q := &aligned[w], &aligned[w-left]
		room = min(room, ordinal(aligned[q.root].x+q.shift-apart[w-left]-t.shift))
		// The root is the last of a block that is looked at; x of the others means nothing.
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

// ordinal maps numbers to integers in the same order, except that negative ones come in any: max of two is then
// branch-free.
func ordinal(x float64) int64 { return int64(math.Float64bits(x)) }

// ofOrdinal reverses ordinal.
func ofOrdinal(i int64) float64 { return math.Float64frombits(uint64(i)) }

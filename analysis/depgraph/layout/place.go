package layout

import "math"

// place gives every vertex the x of its left side after U. Brandes and B. Köpf ("Fast and simple horizontal coordinate
// assignment", 2001): four drawings, aligned with upper or lower medians and packed to the left or the right, of which each vertex
// takes the mean of the two in the middle. Two deviations: vertices are aligned slot over slot, so that an edge that joins the
// sides of two wide nodes is straight as well, and blocks are packed by longest paths in both directions instead of by classes
// (the original's shift of classes can let blocks overlap, as its authors' erratum of 2020 says).
func (l *levels) place(o Options) {
	n := len(l.rank)
	for r := range l.order {
		l.prepare(r, &l.up, &l.down)
		l.prepare(r, &l.down, &l.up)
	}
	conflict := l.conflicts()
	var all [4][]float64
	var low, high [4]float64
	narrow := 0
	f := &frame{
		levels: l, gap: o, line: make([]int32, 1, n+len(l.order)+1), spot: make([]int32, n),
		root: make([]int32, n), next: make([]int32, n), shift: make([]float64, n),
		x: make([]float64, n), cursor: make([]int32, n), seen: make([]bool, n), done: make([]int32, 0, n),
	}
	f.line[0] = -1
	for _, row := range l.order {
		for i, v := range row {
			f.spot[v] = int32(len(f.line) + i)
		}
		f.line = append(append(f.line, row...), -1)
	}
	for i := range all {
		f.below, f.right = i&1 != 0, i&2 != 0
		all[i] = f.lay(conflict)
		low[i], high[i] = math.Inf(1), math.Inf(-1)
		for _, row := range l.order {
			if n := len(row); n > 0 {
				low[i], high[i] = min(low[i], all[i][row[0]]), max(high[i], all[i][row[n-1]]+l.width[row[n-1]])
			}
		}
		if high[i]-low[i] < high[narrow]-low[narrow] {
			narrow = i
		}
	}
	for i := range all {
		shift := low[narrow] - low[i]
		if i&2 != 0 {
			shift = high[narrow] - high[i]
		}
		for v := range all[i] {
			all[i][v] += shift
		}
	}
	l.x = make([]float64, n)
	for v := range l.x {
		a, b := min(all[0][v], all[1][v]), max(all[0][v], all[1][v])
		c, d := min(all[2][v], all[3][v]), max(all[2][v], all[3][v])
		l.x[v] = (max(a, c) + min(b, d)) / 2
	}
	for i := range l.chain {
		if c := &l.chain[i]; c.back {
			end := c.first + c.count - 1
			l.tighten(c.first, l.x[c.first+1], l.x[c.lo]+c.loX, o)
			l.tighten(end, l.x[end-1], l.x[c.hi]+c.hiX, o)
		}
	}
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
	mark := make([]bool, len(l.segs))
	bend := func(v int32) bool { return int(v) >= l.nodes }
	for r := 1; r < len(l.order); r++ {
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

// frame is one of the four drawings; to the right means that it is drawn in a mirror.
type frame struct {
	*levels
	gap          Options
	below, right bool

	line []int32 // all layers, with -1 before, between and after them
	spot []int32 // vertex -> its place in line

	root  []int32   // vertex -> first vertex of its block
	next  []int32   // vertex -> next of its block, -1 after the last
	shift []float64 // vertex -> its left side less that of its block's root

	// While compacting: of blocks, by their roots.
	x      []float64
	cursor []int32 // the vertex that is looked at
	seen   []bool
	done   []int32 // each after all to its left
	stack  []int32
}

// port is where a segment joins vertex v, from the side that is left in this frame.
func (f *frame) port(v int32, seg int32) float64 {
	s := &f.segs[seg]
	x := s.topX
	if s.bottom == v {
		x = s.bottomX
	}
	if f.right {
		return f.width[v] - x
	}
	return x
}

func (f *frame) lay(conflict []bool) []float64 {
	f.align(conflict)
	f.compact()
	out := make([]float64, len(f.rank))
	for v := range out {
		x := f.x[f.root[v]] + f.shift[v]
		if f.right {
			x = -x - f.width[v]
		}
		out[v] = x
	}
	return out
}

// align chains vertices to blocks that stand straight over one another.
func (f *frame) align(conflict []bool) {
	clear(f.shift)
	for v := range f.root {
		f.root[v], f.next[v] = int32(v), -1
	}
	s := &f.up
	if f.below {
		s = &f.down
	}
	for i := range f.order {
		r := i
		if f.below {
			r = len(f.order) - 1 - i
		}
		row := f.order[r]
		wide := int32(0) // of the layer aligned to
		if to := r - 1; !f.below && to >= 0 {
			wide = int32(len(f.order[to]))
		} else if to := r + 1; f.below && to < len(f.order) {
			wide = int32(len(f.order[to]))
		}
		last := int32(-1)
		for j := range row {
			v := row[j]
			if f.right {
				v = row[len(row)-1-j]
			}
			h := s.of(v)
			if len(h) == 0 {
				continue
			}
			a, b := (len(h)-1)/2, len(h)/2
			if f.right {
				a, b = b, a
			}
			for _, m := range [2]int{a, b} {
				u := h[m].to
				at := f.pos[u]
				if f.right {
					at = wide - 1 - at
				}
				if conflict[h[m].seg] || at <= last || f.next[u] >= 0 {
					continue
				}
				f.next[u] = v
				f.root[v] = f.root[u]
				f.shift[v] = f.shift[u] + f.port(u, h[m].seg) - f.port(v, h[m].seg)
				last = at
				break
			}
		}
	}
}

// apart is the least distance from the left side of a to that of its right neighbour b.
func (f *frame) apart(a, b int32) float64 {
	gap := f.gap.NodeGap
	bendA, bendB := f.width[a] == 0, f.width[b] == 0
	switch {
	case bendA && bendB:
		gap = f.gap.EdgeGap
	case bendA || bendB:
		gap = max(f.gap.EdgeGap, f.gap.NodeGap/2)
	}
	return f.width[a] + gap
}

// compact moves blocks as far left as the order in the layers allows, and then back to the right until something is met there.
func (f *frame) compact() {
	x, seen, cursor, done, stack := f.x, f.seen, f.cursor, f.done[:0], f.stack[:0]
	clear(x)
	clear(seen)
	side := int32(1)
	if f.right {
		side = -1
	}
	copy(cursor, f.root)
	for v := range int32(len(f.rank)) {
		if f.root[v] != v || seen[v] {
			continue
		}
		seen[v] = true
		stack = append(stack, v)
		for len(stack) > 0 {
			r := stack[len(stack)-1]
			w := cursor[r]
			if w < 0 {
				stack = stack[:len(stack)-1]
				done = append(done, r)
				continue
			}
			if p := f.line[f.spot[w]-side]; p >= 0 {
				u := f.root[p]
				if !seen[u] {
					seen[u] = true
					stack = append(stack, u)
					continue
				}
				x[r] = max(x[r], x[u]+f.shift[p]+f.apart(p, w)-f.shift[w])
			}
			cursor[r] = f.next[w]
		}
	}
	for i := len(done) - 1; i >= 0; i-- {
		r := done[i]
		room := math.Inf(1)
		for w := r; w >= 0; w = f.next[w] {
			if q := f.line[f.spot[w]+side]; q >= 0 {
				room = min(room, x[f.root[q]]-(f.shift[w]+f.apart(w, q)-f.shift[q]))
			}
		}
		if !math.IsInf(room, 1) {
			x[r] = max(x[r], room)
		}
	}
	f.stack = stack
}

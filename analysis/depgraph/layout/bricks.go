package layout

// bricks orders whole edges instead of their bends (C. Bachmaier, F. Brandenburg, W. Brunner, F. Hübner, "Global k-level crossing
// reduction", 2011): every node is a brick and every run of bends is one, and there is a single order of all bricks, of which each
// layer shows its own. One brick after the other is taken to where it makes the fewest crossings. Because bends of an edge move
// together, edges get past nodes that no exchange within one layer takes them past.
type bricks struct {
	*levels
	brick []brick
	bond  []bond
	of    []int32 // vertex -> its brick
	turn  []int32 // bricks in several layers, those in the most first
	order []int32
	place []int32 // brick -> its place in order
	tall  []tall  // place -> the layers of the brick there
	lean  []lean  // brick -> where its bonds lead
	// For centering.
	ranked, sorted []uint64
	slot           []int32
	at             []float64 // brick -> how far to the right it is, below the number of bricks; room for two more
	over           []float64
	reach          int32   // how many places bricks are moved at most
	near           int     // how many places along a layer those in one are moved at least
	best           []int32 // an order to come back to
	kept           []int32 // for adopt
}

// tall says from which layer to which something is.
type tall struct{ top, bottom int32 }

// brick stands in the layers from top to bottom. Its segments go up from its highest and down from its lowest vertex.
type brick struct {
	first int32 // its highest vertex; the others follow it
	tall
	weight int32    // of what runs through it
	bonds  [3]int32 // where its bonds upwards begin among all, those downwards, and those of the next brick
}

// bond is a segment's other end.
type bond struct{ brick, port, weight int32 }

// lean is the weight of a brick's bonds that lead to the right less that of those that lead to the left, upwards and downwards,
// and the weight of what runs through it.
type lean struct{ up, down, weight int64 }

// newBricks takes the levels apart: turns of edges upwards are bricks of their own, since segments leave them in the middle.
func (l *levels) newBricks() *bricks {
	b := &bricks{levels: l, of: l.ints.raw(len(l.rank))}
	add := func(first, count, weight int32) {
		for v := first; v < first+count; v++ {
			b.of[v] = int32(len(b.brick))
		}
		b.brick = append(b.brick, brick{first: first, tall: tall{l.rank[first], l.rank[first] + count - 1}, weight: weight})
	}
	turns := 0
	for i := range l.chain {
		if l.chain[i].back {
			turns += 2
		}
	}
	b.brick = l.bricks.spare(l.nodes + len(l.chain) + turns)
	for v := range int32(l.nodes) {
		add(v, 1, 0)
	}
	for i := range l.chain {
		if c := &l.chain[i]; c.back {
			add(c.first, 1, 0)
			add(c.first+1, c.count-2, c.weight)
			add(c.first+c.count-1, 1, 0)
		} else {
			add(c.first, c.count, c.weight)
		}
	}
	count := 0
	for i := range b.brick {
		v, w := b.brick[i].first, b.brick[i].first+b.brick[i].bottom-b.brick[i].top
		count += int(l.up.start[v+1] - l.up.start[v] + l.down.start[w+1] - l.down.start[w])
	}
	b.bond = l.bonds.spare(count)
	joined := func(s *side, v int32) int32 {
		halves := s.of(v)
		for i := range halves {
			h := &halves[i]
			b.bond = append(b.bond, bond{b.of[h.to], h.port, h.weight})
		}
		return int32(len(b.bond))
	}
	for i := range b.brick {
		x := &b.brick[i]
		x.bonds[0] = int32(len(b.bond))
		x.bonds[1] = joined(&l.up, x.first)
		x.bonds[2] = joined(&l.down, x.first+x.bottom-x.top)
	}
	n := len(b.brick)
	b.order, b.place, b.kept, b.best = l.ints.raw(n), l.ints.raw(n), l.ints.spare(n), l.ints.raw(n)
	b.tall, b.lean = l.talls.raw(n), l.leans.take(n)
	b.ranked, b.sorted, b.slot = l.words.raw(n), l.words.raw(n), l.ints.raw(n)
	b.at, b.over = l.floats.raw(n + 2)[:n], l.floats.raw(len(l.order)+1)
	if b.near = 8; l.short() || l.flat() {
		b.near = 4
	}
	b.reach = int32(max(200, mostPassed/n))
	b.byHeight()
	return b
}

// byHeight lists the bricks in several layers.
func (b *bricks) byHeight() {
	room, long := b.ints.take(len(b.levels.order)+2), 0
	for i := range b.brick {
		if x := &b.brick[i]; x.top < x.bottom {
			room[x.bottom-x.top]++
			long++
		}
	}
	for h := len(room) - 2; h >= 0; h-- {
		room[h] += room[h+1]
	}
	b.turn = b.ints.raw(long)
	for i := range b.brick {
		if x := &b.brick[i]; x.top < x.bottom {
			p := &room[x.bottom-x.top+1]
			b.turn[*p] = int32(i)
			*p++
		}
	}
}

// ups and downs are a brick's bonds on either side, joints those on both.
func (b *bricks) ups(x *brick) []bond    { return b.bond[x.bonds[0]:x.bonds[1]] }
func (b *bricks) downs(x *brick) []bond  { return b.bond[x.bonds[1]:x.bonds[2]] }
func (b *bricks) joints(x *brick) []bond { return b.bond[x.bonds[0]:x.bonds[2]] }

// mostPassed is how many bricks all of them together look at in one round.
const mostPassed = 20_000_000

// tidy sorts bonds by the order of bricks and says how they lean, seen from a place.
func (b *bricks) tidy(row []bond, at int32) int64 {
	if len(row) == 1 {
		left := int64(b.place[row[0].brick]-at) >> 63 // all ones where it is
		return int64(row[0].weight) ^ left - left
	}
	leaning := int64(0)
	for i := range row {
		x := row[i]
		p := b.place[x.brick]
		j := i
		for ; j > 0; j-- {
			y := &row[j-1]
			if q := b.place[y.brick]; q < p || q == p && y.port <= x.port {
				break
			}
			row[j] = *y
		}
		row[j] = x
		if p > at {
			leaning += int64(x.weight)
		} else {
			leaning -= int64(x.weight)
		}
	}
	return leaning
}

// put takes a brick to a place.
func (b *bricks) put(i, to int32) {
	from := b.place[i]
	if to == from {
		return
	}
	if to < from {
		copy(b.order[to+1:from+1], b.order[to:from])
		copy(b.tall[to+1:from+1], b.tall[to:from])
	} else {
		copy(b.order[from:to], b.order[from+1:to+1])
		copy(b.tall[from:to], b.tall[from+1:to+1])
	}
	b.order[to], b.tall[to] = i, b.brick[i].tall
	for at := min(to, from); at <= max(to, from); at++ {
		b.place[b.order[at]] = at
	}
	x := &b.brick[i]
	for _, y := range b.ups(x) {
		b.lean[y.brick].down = b.tidy(b.downs(&b.brick[y.brick]), b.place[y.brick])
	}
	for _, y := range b.downs(x) {
		b.lean[y.brick].up = b.tidy(b.ups(&b.brick[y.brick]), b.place[y.brick])
	}
	b.lean[i].up, b.lean[i].down = b.tidy(b.ups(x), to), b.tidy(b.downs(x), to)
}

// set gives all bricks an order.
func (b *bricks) set(order []int32) {
	copy(b.order, order)
	for at, i := range b.order {
		b.place[i] = int32(at)
	}
	b.settleAll()
}

// settleAll takes note of a new order of all bricks.
func (b *bricks) settleAll() {
	for at, i := range b.order {
		x := &b.brick[i]
		b.tall[at] = x.tall
		b.lean[i] = lean{b.tidy(b.ups(x), int32(at)), b.tidy(b.downs(x), int32(at)), int64(x.weight)}
	}
	b.spent += int64(len(b.brick))
}

// show brings the layers into the order of the bricks.
func (b *bricks) show() {
	clear(b.filled)
	for _, i := range b.order {
		b.stand(i)
	}
	for r := range b.levels.order {
		b.settle(r)
	}
}

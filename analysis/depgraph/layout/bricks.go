package layout

// bricks orders whole edges instead of their bends (C. Bachmaier, F. Brandenburg, W. Brunner, F. Hübner, "Global
// k-level crossing reduction", 2011): every node is a brick and every run of bends is one, and there is a single order
// of all bricks, of which each layer shows its own. One brick after the other is taken to where it makes the fewest
// crossings. Because bends of an edge move together, edges get past nodes that no exchange within one layer takes them
// past.
type bricks struct {
	*levels
	brick []brick
	bond  []bond
	of    []int32 // vertex -> its brick
	turn  []int32 // bricks in several layers, those in the most first
	order []int32
	place []int32 // brick -> its place in order
	post  []post  // place -> what is to know of the brick there when it is passed
	moved bool    // so that bonds may be out of order
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

// post says in which layers the brick at a place is, what runs through it weighs, and what its bonds upwards and
// downwards that lead to the right weigh, less those that lead to the left.
type post struct {
	tall
	weight, up, down int32
}

// newBricks takes the levels apart: turns of edges upwards are bricks of their own, since segments leave them in the
// middle.
func (l *levels) newBricks() *bricks {
	b := &bricks{levels: l, of: raw[int32](l.room, len(l.rank))}
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
	b.brick = spare[brick](l.room, l.nodes+len(l.chain)+turns)
	for v, r := range l.rank[:l.nodes] {
		b.of[v] = int32(v)
		b.brick = append(b.brick, brick{first: int32(v), tall: tall{r, r}})
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
	// Of the segments those within bricks, one fewer than vertices in each, are no bonds; others are bonds of both
	// their ends.
	b.bond = raw[bond](l.room, 2*(len(l.segs)-len(l.rank)+len(b.brick)))
	end := int32(0)
	for i := range b.brick {
		x := &b.brick[i]
		x.bonds[0] = end
		end = b.join(l.up.of(x.first), end)
		x.bonds[1] = end
		end = b.join(l.down.of(x.first+x.bottom-x.top), end)
		x.bonds[2] = end
	}
	n := len(b.brick)
	b.order, b.place, b.kept, b.best = raw[int32](l.room, n), raw[int32](l.room, n), spare[int32](l.room, n), raw[int32](l.room, n)
	b.post = raw[post](l.room, n)
	b.ranked, b.sorted, b.slot = raw[uint64](l.room, n), raw[uint64](l.room, n), raw[int32](l.room, n+1)
	b.at, b.over = raw[float64](l.room, n+2)[:n], raw[float64](l.room, len(l.order)+1)
	if b.near = 8; l.short() || l.flat() {
		b.near = 4
	}
	b.reach = int32(max(200, mostPassed/n))
	b.byHeight()
	return b
}

// join lists the bonds of a vertex from a place on, and says where they end.
func (b *bricks) join(halves []half, at int32) int32 {
	row := b.bond[at:][:len(halves)]
	for i := range halves {
		h := &halves[i]
		row[i] = bond{b.of[h.to], h.port, h.weight}
	}
	return at + int32(len(halves))
}

// byHeight lists the bricks in several layers.
func (b *bricks) byHeight() {
	long := spare[int32](b.room, len(b.brick))
	for i := range b.brick {
		if x := &b.brick[i]; x.top < x.bottom {
			long = append(long, int32(i))
		}
	}
	most := int32(len(b.levels.order))
	b.turn = sortBy(b.room, long, int(most), func(i int32) int32 { return most - 1 - (b.brick[i].bottom - b.brick[i].top) })
}

// ups and downs are a brick's bonds on either side, joints those on both.
func (b *bricks) ups(x *brick) []bond    { return b.bond[x.bonds[0]:x.bonds[1]] }
func (b *bricks) downs(x *brick) []bond  { return b.bond[x.bonds[1]:x.bonds[2]] }
func (b *bricks) joints(x *brick) []bond { return b.bond[x.bonds[0]:x.bonds[2]] }

// mostPassed is how many bricks all of them together look at in one round.
const mostPassed = 20_000_000

// tidy sorts bonds by the order of bricks.
func (b *bricks) tidy(row []bond) {
	for i := 1; i < len(row); i++ {
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
	}
}

// tidyAll sorts all bonds, which a search goes along in the order of bricks.
func (b *bricks) tidyAll() {
	if !b.moved {
		return
	}
	b.moved = false
	for i := range b.brick {
		x := &b.brick[i]
		b.tidy(b.ups(x))
		b.tidy(b.downs(x))
	}
}

// posted says what is to know of a brick at a place.
func (b *bricks) posted(x *brick, at int32) post {
	return post{x.tall, x.weight, b.leaning(b.ups(x), at), b.leaning(b.downs(x), at)}
}

// leaning says how bonds lean, seen from a place.
func (b *bricks) leaning(row []bond, at int32) int32 {
	sum := int32(0)
	for i := range row {
		x := &row[i]
		left := (b.place[x.brick] - at) >> 31 // all ones where it is
		sum += x.weight ^ left - left
	}
	return sum
}

// put takes a brick to a place.
func (b *bricks) put(i, to int32) {
	from := b.place[i]
	if to == from {
		return
	}
	// Those passed are then in places lo to hi.
	lo, hi, twice := from, to-1, int32(2)
	if to < from {
		lo, hi, twice = to+1, from, -2
		copy(b.order[to+1:from+1], b.order[to:from])
		copy(b.post[to+1:from+1], b.post[to:from])
	} else {
		copy(b.order[from:to], b.order[from+1:to+1])
		copy(b.post[from:to], b.post[from+1:to+1])
	}
	x := &b.brick[i]
	b.order[to] = i
	for at := min(to, from); at <= max(to, from); at++ {
		b.place[b.order[at]] = at
	}
	b.post[to] = b.posted(x, to)
	for j, y := range b.joints(x) {
		at := b.place[y.brick]
		by := twice * y.weight &^ (((at - lo) | (hi - at)) >> 31) // what leads to it now comes from its other side
		if int32(j) < x.bonds[1]-x.bonds[0] {
			b.post[at].down += by
		} else {
			b.post[at].up += by
		}
	}
	b.moved = true
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
		b.post[at] = b.posted(&b.brick[i], int32(at))
	}
	b.moved = true
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

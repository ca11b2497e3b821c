package layout

// bricks orders whole edges instead of their bends (C. Bachmaier, F. Brandenburg, W. Brunner, F. Hübner, "Global
// k-level crossing reduction", 2011): every node is a brick and every run of bends is one, and there is a single order
// of all bricks, of which each layer shows its own. One brick after the other is taken to where it makes the fewest
// crossings. Because bends of an edge move together, edges get past nodes that no exchange within one layer takes them
// past.
type blockOrder struct {
	*layering
	blocks      []block
	adjacencies []adjacency
	of          []int32 // vertex -> its brick
	longFirst   []int32 // bricks in several layers, those in the most first
	order       []int32
	place       []int32       // brick -> its place in order
	placed      []placedBlock // place -> what is to know of the brick there when it is passed
	moved       bool          // so that bonds may be out of order
	// For centering.
	keys, sorted []uint64
	counts       []int32
	coord        []float64 // brick -> how far to the right it is, below the number of bricks; room for two more
	drift        []float64
	reach        int32   // how many places bricks are moved at most
	rowReach     int     // how many places along a layer those in one are moved at least
	best         []int32 // an order to come back to
	adopted      []int32 // for adopt
}

// tall says from which layer to which something is.
type layerSpan struct{ top, bottom int32 }

// brick stands in the layers from top to bottom. Its segments go up from its highest and down from its lowest vertex.
type block struct {
	first int32 // its highest vertex; the others follow it
	layerSpan
	weight int32    // of what runs through it
	rows   [3]int32 // where its bonds upwards begin among all, those downwards, and those of the next brick
}

// bond is a segment's other end.
type adjacency struct{ block, port, weight int32 }

// post says in which layers the brick at a place is, what runs through it weighs, and what its bonds upwards and
// downwards that lead to the right weigh, less those that lead to the left.
type placedBlock struct {
	layerSpan
	weight, up, down int32
}

// newBricks takes the levels apart: turns of edges upwards are bricks of their own, since segments leave them in the
// middle.
func (l *layering) newBlockOrder() *blockOrder {
	b := &blockOrder{layering: l, of: raw[int32](l.scratch, len(l.rank))}
	add := func(first, count, weight int32) {
		for v := first; v < first+count; v++ {
			b.of[v] = int32(len(b.blocks))
		}
		b.blocks = append(b.blocks, block{first: first, layerSpan: layerSpan{l.rank[first], l.rank[first] + count - 1}, weight: weight})
	}
	turns := 0
	for i := range l.chain {
		if l.chain[i].back {
			turns += 2
		}
	}
	b.blocks = spare[block](l.scratch, l.nodes+len(l.chain)+turns)
	for v, r := range l.rank[:l.nodes] {
		b.of[v] = int32(v)
		b.blocks = append(b.blocks, block{first: int32(v), layerSpan: layerSpan{r, r}})
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
	b.adjacencies = raw[adjacency](l.scratch, 2*(len(l.segs)-len(l.rank)+len(b.blocks)))
	end := int32(0)
	for i := range b.blocks {
		x := &b.blocks[i]
		x.rows[0] = end
		end = b.join(l.up.of(x.first), end)
		x.rows[1] = end
		end = b.join(l.down.of(x.first+x.bottom-x.top), end)
		x.rows[2] = end
	}
	n := len(b.blocks)
	b.order, b.place, b.adopted, b.best = raw[int32](l.scratch, n), raw[int32](l.scratch, n), spare[int32](l.scratch, n), raw[int32](l.scratch, n)
	b.placed = raw[placedBlock](l.scratch, n)
	b.keys, b.sorted, b.counts = raw[uint64](l.scratch, n), raw[uint64](l.scratch, n), raw[int32](l.scratch, n+1)
	b.coord, b.drift = raw[float64](l.scratch, n+2)[:n], raw[float64](l.scratch, len(l.order)+1)
	if b.rowReach = 8; l.short() || l.flat() {
		b.rowReach = 4
	}
	b.reach = int32(max(200, mostPassed/n))
	b.listLong()
	return b
}

// join lists the bonds of a vertex from a place on, and says where they end.
func (b *blockOrder) join(halves []halfEdge, at int32) int32 {
	row := b.adjacencies[at:][:len(halves)]
	for i := range halves {
		h := &halves[i]
		row[i] = adjacency{b.of[h.to], h.port, h.weight}
	}
	return at + int32(len(halves))
}

// byHeight lists the bricks in several layers.
func (b *blockOrder) listLong() {
	long := spare[int32](b.scratch, len(b.blocks))
	for i := range b.blocks {
		if x := &b.blocks[i]; x.top < x.bottom {
			long = append(long, int32(i))
		}
	}
	most := int32(len(b.layering.order))
	b.longFirst = countingSort(b.scratch, long, int(most), func(i int32) int32 { return most - 1 - (b.blocks[i].bottom - b.blocks[i].top) })
}

// ups and downs are a brick's bonds on either side, joints those on both.
func (b *blockOrder) ups(x *block) []adjacency        { return b.adjacencies[x.rows[0]:x.rows[1]] }
func (b *blockOrder) downs(x *block) []adjacency      { return b.adjacencies[x.rows[1]:x.rows[2]] }
func (b *blockOrder) neighbours(x *block) []adjacency { return b.adjacencies[x.rows[0]:x.rows[2]] }

// mostPassed is how many bricks all of them together look at in one round.
const mostPassed = 20_000_000

// tidy sorts bonds by the order of bricks.
func (b *blockOrder) sortAdjacencies(row []adjacency) {
	for i := 1; i < len(row); i++ {
		x := row[i]
		p := b.place[x.block]
		j := i
		for ; j > 0; j-- {
			y := &row[j-1]
			if q := b.place[y.block]; q < p || q == p && y.port <= x.port {
				break
			}
			row[j] = *y
		}
		row[j] = x
	}
}

// tidyAll sorts all bonds, which a search goes along in the order of bricks.
func (b *blockOrder) sortAllAdjacencies() {
	if !b.moved {
		return
	}
	b.moved = false
	for i := range b.blocks {
		x := &b.blocks[i]
		b.sortAdjacencies(b.ups(x))
		b.sortAdjacencies(b.downs(x))
	}
}

// posted says what is to know of a brick at a place.
func (b *blockOrder) placedAt(x *block, at int32) placedBlock {
	return placedBlock{x.layerSpan, x.weight, b.lean(b.ups(x), at), b.lean(b.downs(x), at)}
}

// leaning says how bonds lean, seen from a place.
func (b *blockOrder) lean(row []adjacency, at int32) int32 {
	sum := int32(0)
	for i := range row {
		x := &row[i]
		left := (b.place[x.block] - at) >> 31 // all ones where it is
		sum += x.weight ^ left - left
	}
	return sum
}

// put takes a brick to a place.
func (b *blockOrder) moveTo(i, to int32) {
	from := b.place[i]
	if to == from {
		return
	}
	// Those passed are then in places lo to hi.
	lo, hi, twice := from, to-1, int32(2)
	if to < from {
		lo, hi, twice = to+1, from, -2
		copy(b.order[to+1:from+1], b.order[to:from])
		copy(b.placed[to+1:from+1], b.placed[to:from])
	} else {
		copy(b.order[from:to], b.order[from+1:to+1])
		copy(b.placed[from:to], b.placed[from+1:to+1])
	}
	x := &b.blocks[i]
	b.order[to] = i
	for at := min(to, from); at <= max(to, from); at++ {
		b.place[b.order[at]] = at
	}
	b.placed[to] = b.placedAt(x, to)
	for j, y := range b.neighbours(x) {
		at := b.place[y.block]
		by := twice * y.weight &^ (((at - lo) | (hi - at)) >> 31) // what leads to it now comes from its other side
		if int32(j) < x.rows[1]-x.rows[0] {
			b.placed[at].down += by
		} else {
			b.placed[at].up += by
		}
	}
	b.moved = true
}

// set gives all bricks an order.
func (b *blockOrder) setOrder(order []int32) {
	copy(b.order, order)
	for at, i := range b.order {
		b.place[i] = int32(at)
	}
	b.updatePlaced()
}

// settleAll takes note of a new order of all bricks.
func (b *blockOrder) updatePlaced() {
	for at, i := range b.order {
		b.placed[at] = b.placedAt(&b.blocks[i], int32(at))
	}
	b.moved = true
	b.spent += int64(len(b.blocks))
}

// show brings the layers into the order of the bricks.
func (b *blockOrder) writeLayers() {
	clear(b.filled)
	for _, i := range b.order {
		b.appendToLayers(i)
	}
	for r := range b.layering.order {
		b.renumber(r)
	}
}

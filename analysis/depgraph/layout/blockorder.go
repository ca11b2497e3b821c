package layout

// blockOrder orders whole edges instead of their dummies (C. Bachmaier, F. Brandenburg, W. Brunner, F. Hübner, "Global
// k-level crossing reduction", 2011). Every node is a block, every chain of dummies is one, and there is a single order
// of all blocks, of which each layer shows its own:
//
//	order:  A  e  B  D  C        layer 0:  A  B
//	                             layer 1:  e  D       e is the dummy of an edge A -> C
//	                             layer 2:  C
//
// Blocks are sifted through that order. The dummies of an edge move together, so edges get past nodes that no exchange
// within one layer takes them past. (These blocks are not the compiler's, which basicblocks.go draws, nor those of
// aligned vertices in coordinates.go.)
type blockOrder struct {
	*layering
	blocks      []block
	adjacencies []adjacency
	of          []int32 // vertex -> its block
	longFirst   []int32 // blocks of several layers, the tallest first
	order       []int32
	place       []int32       // block -> its place in order
	placed      []placedBlock // place -> the block there, as others see it that pass
	moved       bool          // since adjacencies were last sorted
	// For globalBarycenter.
	keys, sorted []uint64
	counts       []int32
	coord        []float64 // block -> coordinate, from 0 to the number of blocks; capacity for two more
	drift        []float64 // for layerDrift
	reach        int32     // how many places blocks are sifted at most
	rowReach     int       // least reach within a layer
	best         []int32   // an order to come back to
	adopted      []int32   // for readLayers
}

// layerSpan is from which layer to which something reaches.
type layerSpan struct{ top, bottom int32 }

// block stands in the layers from top to bottom. Its segments go up from its first and down from its last vertex.
type block struct {
	first int32 // its top vertex; the others follow it
	layerSpan
	weight int32    // of the edges along its chain
	rows   [3]int32 // its adjacencies: upwards from rows[0], downwards from rows[1], to rows[2]
}

// adjacency is the far end of a segment: a block, which of its slots, and the segment's weight.
type adjacency struct{ block, port, weight int32 }

// placedBlock is what passing a block depends on: its layers, the weight along it, and how its adjacencies upwards and
// downwards lean: the weight of those that lead to the right less that of those to the left.
type placedBlock struct {
	layerSpan
	weight, up, down int32
}

// newBlockOrder makes the blocks of a layering. The hooks of back edges are blocks of their own, since segments leave
// them in the middle of a layer.
func (l *layering) newBlockOrder() *blockOrder {
	b := &blockOrder{layering: l, of: raw[int32](l.scratch, len(l.rank))}
	add := func(first, count, weight int32) {
		for v := first; v < first+count; v++ {
			b.of[v] = int32(len(b.blocks))
		}
		span := layerSpan{l.rank[first], l.rank[first] + count - 1}
		b.blocks = append(b.blocks, block{first: first, layerSpan: span, weight: weight})
	}
	hooks := 0
	for i := range l.chains {
		if l.chains[i].back {
			hooks += 2
		}
	}
	b.blocks = spare[block](l.scratch, l.nodes+len(l.chains)+hooks)
	for v, r := range l.rank[:l.nodes] {
		b.of[v] = int32(v)
		b.blocks = append(b.blocks, block{first: int32(v), layerSpan: layerSpan{r, r}})
	}
	for i := range l.chains {
		if c := &l.chains[i]; c.back {
			add(c.first, 1, 0)
			add(c.first+1, c.count-2, c.weight)
			add(c.first+c.count-1, 1, 0)
		} else {
			add(c.first, c.count, c.weight)
		}
	}
	// Segments within blocks, one fewer than its vertices in each, are no adjacencies; others are, of both ends.
	b.adjacencies = raw[adjacency](l.scratch, 2*(len(l.segments)-len(l.rank)+len(b.blocks)))
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
	b.order, b.place = raw[int32](l.scratch, n), raw[int32](l.scratch, n)
	b.adopted, b.best = spare[int32](l.scratch, n), raw[int32](l.scratch, n)
	b.placed = raw[placedBlock](l.scratch, n)
	b.keys, b.sorted, b.counts = raw[uint64](l.scratch, n), raw[uint64](l.scratch, n), raw[int32](l.scratch, n+1)
	b.coord, b.drift = raw[float64](l.scratch, n+2)[:n], raw[float64](l.scratch, len(l.order)+1)
	if b.rowReach = 8; l.mostlyShort() || l.flat() {
		b.rowReach = 4
	}
	b.reach = int32(max(200, mostPassed/n))
	b.listLong()
	return b
}

// join lists the adjacencies of a vertex from a place on and returns where they end.
func (b *blockOrder) join(halves []halfEdge, at int32) int32 {
	row := b.adjacencies[at:][:len(halves)]
	for i := range halves {
		h := &halves[i]
		row[i] = adjacency{b.of[h.to], h.port, h.weight}
	}
	return at + int32(len(halves))
}

// listLong lists the blocks of several layers.
func (b *blockOrder) listLong() {
	long, key := spare[int32](b.scratch, len(b.blocks)), raw[int32](b.scratch, len(b.blocks))
	most := int32(len(b.layering.order))
	for i := range b.blocks {
		x := &b.blocks[i]
		if key[i] = most - 1 - (x.bottom - x.top); x.top < x.bottom {
			long = append(long, int32(i))
		}
	}
	b.longFirst = countingSort(b.scratch, long, int(most), key)
}

// ups, downs and neighbours are a block's adjacencies upwards, downwards and both.
func (b *blockOrder) ups(x *block) []adjacency        { return b.adjacencies[x.rows[0]:x.rows[1]] }
func (b *blockOrder) downs(x *block) []adjacency      { return b.adjacencies[x.rows[1]:x.rows[2]] }
func (b *blockOrder) neighbours(x *block) []adjacency { return b.adjacencies[x.rows[0]:x.rows[2]] }

// mostPassed bounds the blocks that all of them together pass in one round.
const mostPassed = 20_000_000

// sortAdjacencies sorts a row by places.
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

// sortAllAdjacencies sorts all rows, for traversalOrder.
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

// placedAt describes a block at a place.
func (b *blockOrder) placedAt(x *block, at int32) placedBlock {
	return placedBlock{x.layerSpan, x.weight, b.lean(b.ups(x), at), b.lean(b.downs(x), at)}
}

// lean is the weight of the adjacencies that lead to the right of a place less that of those to the left.
func (b *blockOrder) lean(row []adjacency, at int32) int32 {
	sum := int32(0)
	for i := range row {
		x := &row[i]
		left := (b.place[x.block] - at) >> 31 // all ones if it leads to the left
		sum += x.weight ^ left - left
	}
	return sum
}

// moveTo moves a block to a place.
func (b *blockOrder) moveTo(i, to int32) {
	from := b.place[i]
	if to == from {
		return
	}
	// The blocks that are passed then stand at lo to hi.
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
		by := twice * y.weight &^ (((at - lo) | (hi - at)) >> 31) // 0 unless it was passed
		if int32(j) < x.rows[1]-x.rows[0] {
			b.placed[at].down += by
		} else {
			b.placed[at].up += by
		}
	}
	b.moved = true
}

// setOrder gives all blocks an order.
func (b *blockOrder) setOrder(order []int32) {
	copy(b.order, order)
	for at, i := range b.order {
		b.place[i] = int32(at)
	}
	b.updatePlaced()
}

// updatePlaced describes all blocks anew after a new order.
func (b *blockOrder) updatePlaced() {
	for at, i := range b.order {
		b.placed[at] = b.placedAt(&b.blocks[i], int32(at))
	}
	b.moved = true
	b.spent += int64(len(b.blocks))
}

// writeLayers puts the layers into the order of the blocks.
func (b *blockOrder) writeLayers() {
	clear(b.filled)
	for _, i := range b.order {
		b.appendToLayers(i)
	}
	for r := range b.layering.order {
		b.renumber(r)
	}
}

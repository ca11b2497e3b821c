package layout

import "context"

// sift improves the order shown in the layers, round by round: first every block, later only those joined to a block
// whose move has saved crossings since. In a round blocks of one layer are sifted within it (a layerBuffer is faster
// than the order of all blocks), then those of several layers, the tallest first, through the order of all; a flat
// graph had the latter in firstOrder. It ends when a round saves less than one part in "enough" of the best round, or
// at the limit of work. The layers show the result; the order of blocks follows with readLayers.
func (b *blockOrder) sift(ctx context.Context, enough, limit int64) error {
	idle := take[bool](b.scratch, len(b.blocks))
	for before := int64(0); b.spent < limit; {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		saved := b.siftLayers(idle, limit)
		if !b.flat() {
			saved += b.siftLong(idle, limit)
		}
		if before = max(before, saved); saved <= before/enough {
			break
		}
	}
	return nil
}

// siftLong sifts the blocks of several layers that are awake.
func (b *blockOrder) siftLong(idle []bool, limit int64) int64 {
	saved, any := int64(0), false
	for _, i := range b.longFirst {
		if b.spent > limit {
			break
		}
		if idle[i] {
			continue
		}
		if !any {
			any = true
			b.readLayers()
		}
		idle[i] = true
		if gain := b.siftBlock(i); gain > 0 {
			saved += gain
			b.wakeNeighbours(i, idle)
		}
	}
	if any {
		b.writeLayers()
	}
	return saved
}

// siftAll sifts every block of several layers once, by at most reach places, and so many more for each of its layers.
func (b *blockOrder) siftAll(reach, each int64) {
	most := b.reach
	for _, i := range b.longFirst {
		x := &b.blocks[i]
		b.reach = int32(min(int64(most), reach+each*int64(x.bottom-x.top+1)))
		b.siftBlock(i)
	}
	b.reach = most
}

// wakeNeighbours has the next round look at the blocks joined to one.
func (b *blockOrder) wakeNeighbours(i int32, idle []bool) {
	for _, y := range b.neighbours(&b.blocks[i]) {
		idle[y.block] = false
	}
}

// siftBlock moves a block to the place where it makes the fewest crossings and returns how many that saves. Of places
// that are as good it takes the farthest: a move that costs nothing often makes room for one that pays.
func (b *blockOrder) siftBlock(i int32) int64 {
	from := b.place[i]
	n, middle := b.passCosts(i, max(0, from-b.reach), min(int32(len(b.order))-1, from+b.reach))
	passed, change := b.pass.passed, b.pass.change
	right, far, left, near := int64(0), 0, int64(0), 0
	for k, sum := middle, int64(0); k < n; k++ {
		if sum += change[k]; sum <= right {
			right, far = sum, k-middle+1
		}
	}
	for k, sum := middle-1, int64(0); k >= 0; k-- {
		if sum -= change[k]; sum <= left {
			left, near = sum, middle-k
		}
	}
	to, away := from, from
	if far > 0 {
		to = passed[middle+far-1]
	}
	if near > 0 {
		away = passed[middle-near]
	}
	if left < right || left == right && from-away > to-from {
		to, right = away, left
	}
	b.moveTo(i, to)
	return -right
}

// siftLayers sifts the blocks of one layer within their layers and returns how many crossings that saves.
func (b *blockOrder) siftLayers(idle []bool, limit int64) int64 {
	saved := int64(0)
	for r := range b.layering.order {
		if b.spent > limit {
			break
		}
		saved += b.siftLayerBlocks(r, idle)
	}
	return saved
}

// siftLayerBlocks does so in layer r.
func (b *blockOrder) siftLayerBlocks(r int, idle []bool) int64 {
	s, row := &b.scratch.buffer, b.layering.order[r]
	awake := b.awakeIn(row, idle)
	if len(awake) == 0 || len(row) < 2 {
		return 0
	}
	reach := max(b.rowReach, len(row)/8)
	lo, hi := int(b.pos[awake[0]])-reach, int(b.pos[awake[len(awake)-1]])+reach
	b.load(s, r, max(0, lo), min(len(row)-1, hi))
	saved, moved := int64(0), false
	for _, v := range awake {
		i := b.of[v]
		idle[i] = true
		p := s.at(v)
		q, gain := s.best(p, reach)
		b.spent += int64(reach) / 2
		if q == p {
			continue
		}
		s.moveTo(p, q)
		moved = true
		if gain > 0 {
			saved += gain
			b.wakeNeighbours(i, idle)
		}
	}
	if moved {
		b.renumber(r)
	}
	return saved
}

// awakeIn lists the vertices of a row that are blocks of one layer and awake, branch-free.
func (b *blockOrder) awakeIn(row []int32, idle []bool) []int32 {
	awake := b.scratch.buffer.orderOf(len(row))
	n := uint(0)
	for _, v := range row {
		// The next one overwrites it unless n grows.
		awake[n] = v
		i, has, waits := b.of[v], uint(0), uint(0)
		if b.blocks[i].top == b.blocks[i].bottom {
			has = 1
		}
		if idle[i] {
			waits = 1
		}
		n += has &^ waits
	}
	return awake[:n]
}

// readLayers makes the order of blocks agree with the layers. Blocks of several layers are in the same order in both;
// those of one layer go where the layer has them, before the next tall block to their right.
func (b *blockOrder) readLayers() {
	next, order := b.filled, b.adopted[:0]
	clear(next)
	for _, i := range b.order {
		x := &b.blocks[i]
		if x.top == x.bottom {
			continue
		}
		v := x.first
		for r := x.top; r <= x.bottom; r++ {
			row, k := b.layering.order[r], next[r]
			for ; row[k] != v; k++ {
				order = append(order, b.of[row[k]])
			}
			next[r] = k + 1
			v++
		}
		order = append(order, i)
	}
	for r, row := range b.layering.order {
		for _, v := range row[next[r]:] {
			order = append(order, b.of[v])
		}
	}
	b.adopted = order
	b.setOrder(order)
}

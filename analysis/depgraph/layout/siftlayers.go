package layout

// siftRows takes those bricks that are in one layer only along it, a few places to either side, and says how many
// crossings that saves.
func (b *blockOrder) siftLayers(rest []bool, limit int64) int64 {
	saved := int64(0)
	for r := range b.layering.order {
		if b.spent > limit {
			break
		}
		saved += b.siftLayerBlocks(r, rest)
	}
	return saved
}

func (b *blockOrder) siftLayerBlocks(r int, rest []bool) int64 {
	s, row := &b.scratch.buffer, b.layering.order[r]
	turn := b.awakeIn(row, rest)
	if len(turn) == 0 || len(row) < 2 {
		return 0
	}
	reach := max(b.rowReach, len(row)/8)
	lo, hi := int(b.pos[turn[0]])-reach, int(b.pos[turn[len(turn)-1]])+reach
	b.load(s, r, max(0, lo), min(len(row)-1, hi))
	saved, moved := int64(0), false
	for _, v := range turn {
		i := b.of[v]
		rest[i] = true
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
			b.wakeNeighbours(i, rest)
		}
	}
	if moved {
		b.renumber(r)
	}
	return saved
}

// turnsIn lists the vertices of a row that are bricks in one layer, but those that rest.
func (b *blockOrder) awakeIn(row []int32, rest []bool) []int32 {
	turn := b.scratch.buffer.orderOf(len(row))
	n := uint(0)
	for _, v := range row {
		// What has no turn is overwritten.
		turn[n] = v
		i, has, waits := b.of[v], uint(0), uint(0)
		if b.blocks[i].top == b.blocks[i].bottom {
			has = 1
		}
		if rest[i] {
			waits = 1
		}
		n += has &^ waits
	}
	return turn[:n]
}

// adopt makes the rows' order that of the bricks: those in several layers are still in the same order.
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

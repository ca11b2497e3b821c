package layout

// siftRows takes those bricks that are in one layer only along it, a few places to either side, and says how many crossings that saves.
func (b *bricks) siftRows(rest []bool, limit int64) int64 {
	saved := int64(0)
	for r := range b.levels.order {
		if b.spent > limit {
			break
		}
		saved += b.siftRow(r, rest)
	}
	return saved
}

func (b *bricks) siftRow(r int, rest []bool) int64 {
	s, row := &b.room.strip, b.levels.order[r]
	s.turn = s.turn[:0]
	lo, hi := len(row), 0
	for at, v := range row {
		if i := b.of[v]; !rest[i] && b.brick[i].top == b.brick[i].bottom {
			s.turn = append(s.turn, v)
			lo, hi = min(lo, at), max(hi, at)
		}
	}
	if len(s.turn) == 0 || len(row) < 2 {
		return 0
	}
	reach := max(b.near, len(row)/8)
	lo, hi = max(0, lo-reach), min(len(row)-1, hi+reach)
	b.lift(s, r, lo, hi)
	saved, moved := int64(0), false
	for _, v := range s.turn {
		i := b.of[v]
		rest[i] = true
		p := s.at(v)
		q, gain := s.best(p, reach)
		b.spent += int64(reach) / 2
		if q == p {
			continue
		}
		s.put(p, q)
		moved = true
		if gain > 0 {
			saved += gain
			b.wake(i, rest)
		}
	}
	if moved {
		b.settle(r)
	}
	return saved
}

// adopt makes the rows' order that of the bricks: those in several layers are still in the same order.
func (b *bricks) adopt() {
	next, order := b.filled, b.kept[:0]
	clear(next)
	for _, i := range b.order {
		x := &b.brick[i]
		if x.top == x.bottom {
			continue
		}
		v := x.first
		for r := x.top; r <= x.bottom; r++ {
			row, k := b.levels.order[r], next[r]
			for ; row[k] != v; k++ {
				order = append(order, b.of[row[k]])
			}
			next[r] = k + 1
			v++
		}
		order = append(order, i)
	}
	for r, row := range b.levels.order {
		for _, v := range row[next[r]:] {
			order = append(order, b.of[v])
		}
	}
	b.kept = order
	b.set(order)
}

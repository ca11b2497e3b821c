package layout

import "context"

// sift takes one vertex after the other along its layer, at most reach places to either side, and puts it down where there are
// the fewest crossings (C. Matuszewski, R. Schönfeld, P. Molitor, "Using sifting for k-layer straightline crossing
// minimization", 1999); it goes on until a round saves less than one crossing in five hundred or the work is spent. It never adds crossings.
func (l *levels) sift(ctx context.Context, reach int, limit int64) error {
	for before := l.crossings(); before > 0; {
		for r := range l.order {
			if err := ctx.Err(); err != nil {
				return err
			}
			if l.spent > limit {
				return nil
			}
			l.siftLayer(r, reach)
		}
		after := l.crossings()
		if before-after <= before/500 {
			break
		}
		before = after
	}
	return nil
}

func (l *levels) siftLayer(r, reach int) {
	row := l.order[r]
	if len(row) < 2 {
		return
	}
	l.prepare(r, &l.up, &l.down)
	l.prepare(r, &l.down, &l.up)
	turn := append([]int32(nil), row...)
	moved := false
	for _, v := range turn {
		i := int(l.pos[v])
		best, most := i, int64(0)
		gain := int64(0)
		for j := i - 1; j >= 0 && j >= i-reach; j-- {
			if gain += l.exchange(row[j], v); gain > most {
				best, most = j, gain
			}
		}
		gain = 0
		for j := i + 1; j < len(row) && j <= i+reach; j++ {
			if gain += l.exchange(v, row[j]); gain > most {
				best, most = j, gain
			}
		}
		if best == i {
			continue
		}
		moved = true
		if best < i {
			copy(row[best+1:i+1], row[best:i])
		} else {
			copy(row[i:best], row[i+1:best+1])
		}
		row[best] = v
		for j := min(i, best); j <= max(i, best); j++ {
			l.pos[row[j]] = int32(j)
		}
	}
	if moved {
		l.settle(r)
	}
}

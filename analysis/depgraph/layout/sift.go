package layout

import "context"

// sift moves one vertex after the other within its layer, at most reach places to either side, to where it makes the
// fewest crossings (C. Matuszewski, R. Schönfeld, P. Molitor, "Using sifting for k-layer straightline crossing
// minimization", 1999). It ends when a round saves less than one crossing in five hundred or the work is spent, and
// never adds crossings.
func (l *layering) sift(ctx context.Context, reach int, limit int64) error {
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

// siftLayer sifts the vertices of layer r, from left to right.
func (l *layering) siftLayer(r, reach int) {
	row, s := l.order[r], &l.scratch.buffer
	if len(row) < 2 {
		return
	}
	l.load(s, r, 0, len(row)-1)
	moved := false
	vertices := append(s.orderOf(len(row))[:0], row...)
	for _, v := range vertices {
		p := s.at(v)
		q, saved := s.best(p, reach)
		l.spent += int64(min(2*reach, len(row))) / 4
		if saved > 0 {
			s.moveTo(p, q)
			moved = true
		}
	}
	if moved {
		l.renumber(r)
	}
}

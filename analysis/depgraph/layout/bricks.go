package layout

import (
	"cmp"
	"slices"
)

// bricks orders whole edges instead of their bends (C. Bachmaier, F. Brandenburg, W. Brunner, F. Hübner, "Global k-level crossing
// reduction", 2011): every node is a brick and every run of bends is one, and there is a single order of all bricks, of which each
// layer shows its own. One brick after the other is taken to where it makes the fewest crossings. Because bends of an edge move
// together, edges get past nodes that no exchange within one layer takes them past.
type bricks struct {
	*levels
	brick []brick
	of    []int32 // vertex -> its brick
	order []int32
	place []int32 // brick -> its place in order
	tall  []tall  // place -> the layers of the brick there
	lean  []lean  // brick -> where its bonds lead
	reach int32   // how many places bricks are moved at most
	walk
}

// tall says from which layer to which something is.
type tall struct{ top, bottom int32 }

// brick stands in the layers from top to bottom. Its segments go up from its highest and down from its lowest vertex.
type brick struct {
	first int32 // its highest vertex; the others follow it
	tall
	weight   int32 // of what runs through it
	up, down []bond
}

// bond is a segment's other end.
type bond struct{ brick, port, weight int32 }

// lean is the weight of a brick's bonds that lead to the right less that of those that lead to the left, upwards and downwards,
// and the weight of what runs through it.
type lean struct{ up, down, weight int64 }

// newBricks takes the levels apart: turns of edges upwards are bricks of their own, since segments leave them in the middle.
func (l *levels) newBricks() *bricks {
	b := &bricks{levels: l, of: make([]int32, len(l.rank))}
	add := func(first, count, weight int32) {
		for v := first; v < first+count; v++ {
			b.of[v] = int32(len(b.brick))
		}
		b.brick = append(b.brick, brick{first: first, tall: tall{l.rank[first], l.rank[first] + count - 1}, weight: weight})
	}
	for v := range int32(l.nodes) {
		add(v, 1, 0)
	}
	for _, c := range l.chain {
		if c.back {
			add(c.first, 1, 0)
			add(c.first+1, c.count-2, c.weight)
			add(c.first+c.count-1, 1, 0)
		} else {
			add(c.first, c.count, c.weight)
		}
	}
	all := make([]bond, 0, 2*len(l.segs)) // one room for all rows
	bonds := func(s *side, v int32) []bond {
		from := len(all)
		for _, h := range s.of(v) {
			all = append(all, bond{b.of[h.to], h.port, h.weight})
		}
		return all[from:len(all):len(all)]
	}
	for i := range b.brick {
		x := &b.brick[i]
		x.up, x.down = bonds(&l.up, x.first), bonds(&l.down, x.first+x.bottom-x.top)
	}
	return b
}

// begin orders bricks by how far to the right they are on the average in the layers' present order.
func (b *bricks) begin() {
	right := make([]float64, len(b.brick))
	for i := range b.brick {
		x := &b.brick[i]
		for r := x.top; r <= x.bottom; r++ {
			right[i] += (float64(b.pos[x.first+r-x.top]) + 0.5) / float64(len(b.levels.order[r]))
		}
		right[i] /= float64(x.bottom - x.top + 1)
	}
	order := make([]int32, len(b.brick))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(i, j int32) int { return cmp.Compare(right[i], right[j]) })
	b.order, b.place, b.tall, b.lean = make([]int32, len(order)), make([]int32, len(order)), make([]tall, len(order)), make([]lean, len(order))
	b.set(order)
	b.reach = int32(max(200, mostPassed/len(order)))
}

// mostPassed is how many bricks all of them together look at in one round.
const mostPassed = 20_000_000

// tidy sorts bonds by the order of bricks and says how they lean, seen from a place.
func (b *bricks) tidy(row []bond, at int32) int64 {
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
	for _, y := range x.up {
		b.lean[y.brick].down = b.tidy(b.brick[y.brick].down, b.place[y.brick])
	}
	for _, y := range x.down {
		b.lean[y.brick].up = b.tidy(b.brick[y.brick].up, b.place[y.brick])
	}
	b.lean[i].up, b.lean[i].down = b.tidy(x.up, to), b.tidy(x.down, to)
}

// set gives all bricks an order.
func (b *bricks) set(order []int32) {
	copy(b.order, order)
	for i, x := range b.order {
		b.place[x] = int32(i)
		b.tall[i] = b.brick[x].tall
	}
	for i := range b.brick {
		x, at := &b.brick[i], b.place[i]
		b.lean[i] = lean{b.tidy(x.up, at), b.tidy(x.down, at), int64(x.weight)}
	}
	b.spent += int64(len(b.brick))
}

// show brings the layers into the order of the bricks.
func (b *bricks) show() {
	for r := range b.levels.order {
		slices.SortFunc(b.levels.order[r], func(v, w int32) int { return int(b.place[b.of[v]] - b.place[b.of[w]]) })
		b.settle(r)
	}
}

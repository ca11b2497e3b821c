package layout

import (
	"cmp"
	"context"
	"math/rand/v2"
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
	reach int32   // how many places bricks are moved at most
	row   [2][]key
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
	bonds := func(s *side, v int32) []bond {
		row := make([]bond, 0, s.start[v+1]-s.start[v])
		for _, h := range s.of(v) {
			row = append(row, bond{b.of[h.to], h.port, h.weight})
		}
		return row
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
	b.order, b.place, b.tall = make([]int32, len(order)), make([]int32, len(order)), make([]tall, len(order))
	b.set(order)
	b.reach = int32(max(200, mostPassed/len(order)))
}

// mostPassed is how many bricks all of them together look at in one round.
const mostPassed = 20_000_000

// tidy sorts bonds by the order of bricks.
func (b *bricks) tidy(row []bond) {
	less := func(x, y bond) bool {
		p, q := b.place[x.brick], b.place[y.brick]
		return p < q || p == q && x.port < y.port
	}
	for i := 1; i < len(row); i++ {
		for j := i; j > 0 && less(row[j], row[j-1]); j-- {
			row[j], row[j-1] = row[j-1], row[j]
		}
	}
}

// sift takes bricks along the order until a round saves little or the work is spent.
func (b *bricks) sift(ctx context.Context, limit int64) error {
	b.begin()
	all := make([]int32, len(b.brick))
	for i := range all {
		all[i] = int32(i)
	}
	// Those with the most bonds first: they decide for the others.
	slices.SortStableFunc(all, func(i, j int32) int {
		x, y := &b.brick[i], &b.brick[j]
		return len(y.up) + len(y.down) - len(x.up) - len(x.down)
	})
	for before := b.crossings(); b.spent < limit; {
		saved := int64(0)
		for _, i := range all {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if b.spent > limit {
				break
			}
			saved += b.move(i)
		}
		if saved <= before/500 {
			break
		}
	}
	return nil
}

// move takes a brick to its best place, the nearest if there are several, and says how many crossings that saves.
func (b *bricks) move(i int32) int64 {
	from := b.place[i]
	best, least := from, int64(0)
	b.along(i, max(0, from-b.reach), min(int32(len(b.order))-1, from+b.reach), func(at int32, sum int64) {
		if sum < least {
			best, least = at, sum
		}
	})
	b.put(i, best)
	return -least
}

// along takes a brick through the places between two, to the right and then to the left of where it is, and tells what crossings there
// would be more at each place behind one it shares a layer with.
func (b *bricks) along(i, leftmost, rightmost int32, tell func(at int32, sum int64)) {
	x, from := &b.brick[i], b.place[i]
	sum := int64(0)
	for at := from + 1; at <= rightmost; at++ {
		if t := b.tall[at]; t.top <= x.bottom && x.top <= t.bottom {
			sum += b.pass(x, &b.brick[b.order[at]], 2*at-1, 2*at)
			tell(at, sum)
		}
	}
	sum = 0
	for at := from - 1; at >= leftmost; at-- {
		if t := b.tall[at]; t.top <= x.bottom && x.top <= t.bottom {
			sum -= b.pass(x, &b.brick[b.order[at]], 2*at+1, 2*at)
			tell(at, sum)
		}
	}
	b.spent += int64(rightmost-leftmost) / 16
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
		b.tidy(b.brick[y.brick].down)
	}
	for _, y := range x.down {
		b.tidy(b.brick[y.brick].up)
	}
}

// shake tries to leave a place where no single move helps: it puts a brick and some of those joined to it anywhere, lets them and
// what they are joined to find their best places again, and takes all that back if it did not help.
func (b *bricks) shake(ctx context.Context, random *rand.Rand, limit int64) error {
	n := int32(len(b.brick))
	old := make([]int32, n)
	var some, more []int32
	marked := make([]int32, n)
	for turn := int32(1); b.spent < limit; turn++ {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		copy(old, b.order)
		some = some[:0]
		mark := func(i int32) {
			if marked[i] != turn {
				marked[i] = turn
				some = append(some, i)
			}
		}
		mark(random.Int32N(n))
		x := &b.brick[some[0]]
		for _, y := range x.up {
			mark(y.brick)
		}
		for _, y := range x.down {
			mark(y.brick)
		}
		if len(some) > 8 {
			random.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
			some = some[:8]
		}
		change := int64(0)
		for _, i := range some[:1+random.IntN(len(some))] {
			change += b.force(i, random.Int32N(n))
		}
		more = append(more[:0], some...)
		for _, i := range more {
			for _, y := range b.brick[i].up {
				mark(y.brick)
			}
			for _, y := range b.brick[i].down {
				mark(y.brick)
			}
		}
		for round := 0; round < 4; round++ {
			saved := int64(0)
			for _, i := range some {
				saved += b.move(i)
			}
			change -= saved
			if saved == 0 {
				break
			}
		}
		if change > 0 {
			b.set(old)
		}
	}
	return nil
}

// force takes a brick to a place and says how many crossings that adds.
func (b *bricks) force(i, to int32) int64 {
	change := int64(0)
	b.along(i, min(to, b.place[i]), max(to, b.place[i]), func(_ int32, sum int64) { change = sum })
	b.put(i, to)
	return change
}

// set gives all bricks an order.
func (b *bricks) set(order []int32) {
	copy(b.order, order)
	for i, x := range b.order {
		b.place[x] = int32(i)
		b.tall[i] = b.brick[x].tall
	}
	for i := range b.brick {
		b.tidy(b.brick[i].up)
		b.tidy(b.brick[i].down)
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

// pass says how many crossings more there are when x stands to the right of y than to its left, x being at place px (between two
// bricks) and y at py, both doubled. Only above the highest layer they share and below the lowest do they have anything to
// cross there.
func (b *bricks) pass(x, y *brick, px, py int32) int64 {
	return b.weigh(b.keys(0, x.up, x.top >= y.top, x, px), b.keys(1, y.up, y.top >= x.top, y, py)) +
		b.weigh(b.keys(0, x.down, x.bottom <= y.bottom, x, px), b.keys(1, y.down, y.bottom <= x.bottom, y, py))
}

// key is where a bond leads: the doubled place of the brick there, and the slot.
type key struct {
	at     int64
	weight int64
}

// keys are those of a brick's bonds where it ends, and of itself where it runs on.
func (b *bricks) keys(buffer int, bonds []bond, ends bool, x *brick, place int32) []key {
	row := b.row[buffer][:0]
	if !ends {
		row = append(row, key{int64(place) << 32, int64(x.weight)})
	} else {
		for _, y := range bonds {
			row = append(row, key{int64(b.place[y.brick])<<33 | int64(y.port), int64(y.weight)})
		}
	}
	b.row[buffer] = row
	b.spent += int64(len(row))
	return row
}

// weigh gives the crossings of bonds p, when theirs is the brick on the right, with bonds q, less those the other way round.
func (b *bricks) weigh(p, q []key) int64 {
	if len(p) == 1 && len(q) == 1 {
		switch w := p[0].weight * q[0].weight; {
		case p[0].at < q[0].at:
			return w
		case p[0].at > q[0].at:
			return -w
		}
		return 0
	}
	sum, j, less, same, all := int64(0), 0, int64(0), int64(0), int64(0)
	for i := range q {
		all += q[i].weight
	}
	for i := range p {
		if i == 0 || p[i].at != p[i-1].at {
			less += same
			same = 0
			for ; j < len(q) && q[j].at < p[i].at; j++ {
				less += q[j].weight
			}
			for ; j < len(q) && q[j].at == p[i].at; j++ {
				same += q[j].weight
			}
		}
		sum += p[i].weight * (all - 2*less - same)
	}
	return sum
}

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
	enough := int64(500)
	if len(b.brick) > many {
		enough = 20
	}
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
		if saved <= before/enough {
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
// what they are joined to find their best places again, and takes all that back if it made things worse. At first a little worse is
// good enough, too: up to a hundredth, and one crossing more. The best order seen stays.
func (b *bricks) shake(ctx context.Context, random *rand.Rand, limit int64) error {
	b.show()
	old, best := slices.Clone(b.order), slices.Clone(b.order)
	begin, now, least := b.spent, b.crossings(), b.crossings()
	g := &group{bricks: b, marked: make([]int32, len(b.brick))}
	for b.spent < limit {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		copy(old, b.order)
		change := g.scatter(random)
		change -= g.gather()
		patience := float64(limit-b.spent) / float64(limit-begin)
		if float64(change) > patience*(1+float64(least)/100)*random.Float64() {
			b.set(old)
			continue
		}
		if now += change; now < least {
			least = now
			copy(best, b.order)
		}
	}
	b.set(best)
	return nil
}

// group is what is shaken together.
type group struct {
	*bricks
	turn   int32
	marked []int32 // brick -> turn in which it was last taken in
	some   []int32
}

func (g *group) take(i int32) {
	if g.marked[i] != g.turn {
		g.marked[i] = g.turn
		g.some = append(g.some, i)
	}
}

// around takes in what a brick is joined to.
func (g *group) around(i int32) {
	for _, y := range g.brick[i].up {
		g.take(y.brick)
	}
	for _, y := range g.brick[i].down {
		g.take(y.brick)
	}
}

// scatter puts a brick and up to seven of its neighbours anywhere and says how many crossings that adds.
func (g *group) scatter(random *rand.Rand) int64 {
	n := int32(len(g.brick))
	g.turn++
	g.some = g.some[:0]
	g.take(random.Int32N(n))
	g.around(g.some[0])
	if len(g.some) > 8 {
		random.Shuffle(len(g.some), func(i, j int) { g.some[i], g.some[j] = g.some[j], g.some[i] })
		g.some = g.some[:8]
	}
	change := int64(0)
	for _, i := range g.some[:1+random.IntN(len(g.some))] {
		change += g.force(i, random.Int32N(n))
	}
	return change
}

// gather lets the group and what it is joined to find their best places, and says how many crossings that saves.
func (g *group) gather() int64 {
	for _, i := range slices.Clone(g.some) {
		g.around(i)
	}
	sum := int64(0)
	for range 4 {
		saved := int64(0)
		for _, i := range g.some {
			saved += g.move(i)
		}
		sum += saved
		if saved == 0 {
			break
		}
	}
	return sum
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
	b.spent += 2
	return b.meet(x.up, x.top >= y.top, x, px, y.up, y.top >= x.top, y, py) +
		b.meet(x.down, x.bottom <= y.bottom, x, px, y.down, y.bottom <= x.bottom, y, py)
}

// key is where a bond leads: the doubled place of the brick there, and the slot.
type key struct {
	at     int64
	weight int64
}

// meet is pass on one side. A brick that ends there has its bonds, one that runs on has itself.
func (b *bricks) meet(p []bond, pEnds bool, x *brick, px int32, q []bond, qEnds bool, y *brick, py int32) int64 {
	if pEnds && len(p) == 0 || qEnds && len(q) == 0 {
		return 0
	}
	if (!pEnds || len(p) == 1) && (!qEnds || len(q) == 1) {
		k, m := b.first(p, pEnds, x, px), b.first(q, qEnds, y, py)
		switch {
		case k.at < m.at:
			return k.weight * m.weight
		case k.at > m.at:
			return -k.weight * m.weight
		}
		return 0
	}
	return b.weigh(b.keys(0, p, pEnds, x, px), b.keys(1, q, qEnds, y, py))
}

func (b *bricks) first(bonds []bond, ends bool, x *brick, place int32) key {
	if !ends {
		return key{int64(place) << 32, int64(x.weight)}
	}
	y := &bonds[0]
	return key{int64(b.place[y.brick])<<33 | int64(y.port), int64(y.weight)}
}

// keys are those of all bonds in a buffer.
func (b *bricks) keys(buffer int, bonds []bond, ends bool, x *brick, place int32) []key {
	row := b.row[buffer][:0]
	if !ends {
		row = append(row, b.first(nil, false, x, place))
	} else {
		for i := range bonds {
			row = append(row, b.first(bonds[i:], true, x, place))
		}
	}
	b.row[buffer] = row
	b.spent += int64(len(row))
	return row
}

// weigh gives the crossings of bonds p, when theirs is the brick on the right, with bonds q, less those the other way round.
func (b *bricks) weigh(p, q []key) int64 {
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

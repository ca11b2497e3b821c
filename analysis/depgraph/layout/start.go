package layout

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// arrange orders all layers: whole edges of the best of a few first orders are taken to where they cross least, shaken
// as long as the work allows, and then vertices within the layers. With earlier places it stays near the order those
// give.
func (l *levels) arrange(ctx context.Context, hints []float64) error {
	if len(l.segs) == 0 {
		return nil
	}
	if hints == nil && len(l.segs) < 8 && l.crossings() == 0 {
		return nil
	}
	b := l.newBricks()
	if hints != nil {
		b.start(0, hints)
		if err := l.improve(ctx, search); err != nil {
			return err
		}
		return l.refine(ctx)
	}
	if err := b.search(ctx); err != nil {
		return err
	}
	more := max(0, shaking*(l.share-1)) + l.smallness()*shakingEach*float64(len(b.brick))*l.share
	if more <= 0 || l.crossings() == 0 || l.inOneColumn() {
		return nil
	}
	if err := b.shake(ctx, rand.New(rand.NewPCG(1, 2)), l.spent+int64(more)); err != nil {
		return err
	}
	b.show()
	return l.refine(ctx)
}

// inOneColumn says that no layer has two vertices: there is no other order, and what crosses does so between two slots
// of a node.
func (l *levels) inOneColumn() bool {
	return !slices.ContainsFunc(l.order, func(row []int32) bool { return len(row) > 1 })
}

// smallness is 1 for a graph with few nodes in all its parts, for which time does not count yet, and less and less
// until there are many.
func (l *levels) smallness() float64 {
	return min(1, max(0, float64(many-l.whole)/(many-few)))
}

// short says that few edges are long: there are not many more vertices than nodes, and whatever is done with all of
// them costs little.
func (l *levels) short() bool { return int64(len(l.segs)) < 2*l.edges }

// flat says that edges run over less than four layers on the average in a graph that is not small: its bricks need only
// be centered. Of graphs with longer ones that leaves more crossings than it saves time.
func (l *levels) flat() bool { return int64(len(l.segs)) < 4*l.edges && l.smallness() == 0 }

// search takes the edges of a first order to where they cross least: in a small graph of the better of two, as unlike
// as can be, and in others where the first one went badly. Where edges cross often none is likely to be near the best,
// and all have their turn.
func (b *bricks) search(ctx context.Context) error {
	from := 0
	if !b.short() && b.nodes >= breadthBelow {
		from = deep
	}
	b.begun(from)
	switch small := b.smallness() > 0; {
	case small && b.short():
		b.orElse(below | deep)
	case !small && b.unlucky():
		b.orElse(from ^ deep)
	}
	enough := int64(8)
	if b.flat() {
		enough = 3 // after two rounds little is left that further ones would find
	}
	if err := b.sift(ctx, enough, b.spent+sifting); err != nil {
		return err
	}
	least := b.crossings()
	if least < often*b.edges {
		return nil
	}
	b.adopt()
	copy(b.best, b.order)
	for from := range below | deep + 1 {
		b.begun(from)
		if err := b.sift(ctx, 8, b.spent+sifting); err != nil {
			return err
		}
		if now := b.crossings(); now < least {
			least = now
			b.adopt()
			copy(b.best, b.order)
		}
	}
	copy(b.order, b.best)
	b.show()
	return nil
}

// orElse shows another of the first orders if its edges cross less often than those of the one that is shown: most
// often the better one is better afterwards as well.
func (b *bricks) orElse(from int) {
	least := b.crossings()
	copy(b.best, b.order)
	if b.begun(from); b.crossings() >= least {
		copy(b.order, b.best)
		b.show()
	}
}

// unlucky says whether the first order shown has more crossings than most have in graphs like this: it is then likely
// to be worse than another, after all that follows as well. In a random order half of all pairs of segments between the
// same two layers cross. What remains of these in flat graphs grows with the edges for each node to the power of 3/2;
// where edges are long crossings go with the mean of those and the edges, the geometric one. Both were found with a
// thousand made graphs of 200 to 2000 nodes, and functions of Go's library obey the latter; about one in six is above
// what follows, of flat ones one in a hundred.
func (b *bricks) unlucky() bool {
	count := b.filled
	clear(count)
	for i := range b.segs {
		count[b.rank[b.segs[i].top]]++
	}
	random, edges := 0.0, float64(b.edges)
	for _, n := range count {
		random += float64(n) * float64(n-1) / 4
	}
	if !b.short() {
		return float64(b.crossings()) > 0.68*math.Sqrt(random*edges)
	}
	each := edges / float64(b.nodes)
	return float64(b.crossings()) > 0.13*random*each*math.Sqrt(each)
}

// begun shows one of the first orders: that in which a search finds bricks, centered. In a flat graph that is all it
// takes, and bricks in several layers then go to where they cross least. In others a shift comes farther along edges
// than to the side, and layers are swept some times before; so are those of small graphs, which have the time.
func (b *bricks) begun(from int) {
	b.seek(from)
	if b.flat() {
		n := int64(len(b.brick))
		rounds, times, reach, each := 3, 4, n/8, int64(0)
		if !b.short() {
			// Long edges are most of what crosses, and have no other turn: places before that need be less exact. One
			// over many layers may belong anywhere, one over few belongs near where it stands.
			rounds, times, reach, each = 2, 3, n/20, n/20
		}
		b.center(rounds+len(b.levels.order)/16, times, 2, 0.5) // a shift takes longer through more layers
		b.settleAll()
		b.siftAll(reach, each)
		b.show()
		return
	}
	b.line()
	b.show()
	sweeps, levels := 5, 1
	if b.short() {
		sweeps = 3
	}
	if b.smallness() > 0 {
		levels = 0
	}
	for i := range sweeps {
		b.sweep(i&1 == 0, false)
	}
	b.average()
	b.line()
	b.center(3, 3, levels, 0)
	b.show()
}

// Where a search for a first order begins, from above or from below, and how it goes on, in breadth or in depth.
const (
	below = 1 << iota
	deep
)

const (
	often = 5 // crossings for each edge
	// nodes: of fewer, a search in breadth finds the better first order, by two in a hundred; of more, one in depth
	breadthBelow = 400
)

// Work in bricks passed or segments looked at, of which a processor of 2020 does some hundred million a second: for the
// first orders, for taking whole edges along the order, for shaking them and for refinement. Small graphs are shaken
// longer, others only when more effort than usual is asked for.
const (
	search      = 2_000_000
	sifting     = 20_000_000
	shaking     = 3_000_000
	few, many   = 100, 200 // nodes
	shakingEach = 40_000   // for each node and long edge, none left when there are many nodes
	refining    = 10_000_000
)

// refine sifts and takes out crossings that no drawing needs, in turns as long as both find something.
func (l *levels) refine(ctx context.Context) error {
	limit := l.spent + refining
	for {
		before := l.crossings()
		if err := l.uncross(ctx); err != nil {
			return err
		}
		if err := l.sift(ctx, reachOf(l), limit); err != nil {
			return err
		}
		if l.spent > limit || before-l.crossings() <= before/500 {
			return l.uncross(ctx)
		}
	}
}

// reachOf is how far vertices are sifted.
func reachOf(l *levels) int {
	wide := 0
	for _, row := range l.order {
		wide = max(wide, len(row))
	}
	if wide <= 256 {
		return wide
	}
	return 64
}

// start gives the first order of all: bricks as a search finds them; with hints by earlier places.
func (b *bricks) start(from int, hints []float64) {
	b.seek(from)
	b.line()
	b.show()
	if hints != nil {
		b.byHints(hints)
		for r := range b.levels.order {
			b.settle(r)
		}
	}
}

// seek gives bricks places in the order in which a search finds them.
func (b *bricks) seek(from int) {
	b.tidyAll()
	const unseen = -1
	place, open, n := b.place, spare[int32](b.room, len(b.brick)), int32(0)
	for i := range place {
		place[i] = unseen
	}
	first, second := 1, 0 // of a brick's bonds: downwards, and then upwards
	if from&below != 0 {
		first, second = 0, 1
	}
	see := func(i int32) {
		if place[i] == unseen {
			place[i] = n
			n++
			open = append(open, i)
		}
	}
	for i := range b.brick {
		if x := &b.brick[i]; place[i] != unseen || x.bonds[second+1] > x.bonds[second] {
			continue
		}
		see(int32(i))
		for next := 0; next < len(open); {
			u := open[next]
			if from&deep == 0 {
				next++
			} else {
				u = open[len(open)-1]
				open = open[:len(open)-1]
			}
			x := &b.brick[u]
			for _, side := range [2]int{first, second} {
				for _, y := range b.bond[x.bonds[side]:x.bonds[side+1]] {
					see(y.brick)
				}
			}
		}
		open = open[:0]
	}
	for i, at := range place {
		b.at[i] = float64(at)
	}
}

// stand takes a brick into its layers, as the next.
func (b *bricks) stand(i int32) {
	x := &b.brick[i]
	v := x.first
	for r := x.top; r <= x.bottom; r++ {
		b.levels.order[r][b.filled[r]] = v
		b.filled[r]++
		v++
	}
}

// byHints sorts layers by earlier places: what had none gets the mean of those of its neighbours that have one, in
// layers from the top and then from the bottom.
func (l *levels) byHints(hints []float64) {
	x, known := make([]float64, len(l.rank)), make([]bool, len(l.rank))
	for v, h := range hints {
		if h == h {
			x[v], known[v] = h, true
		}
	}
	guess := func(v int32, s *side) {
		if known[v] {
			return
		}
		sum, n := 0.0, 0
		for _, h := range s.of(v) {
			if known[h.to] {
				sum += x[h.to]
				n++
			}
		}
		if n > 0 {
			x[v], known[v] = sum/float64(n), true
		}
	}
	for r := range l.order {
		for _, v := range l.order[r] {
			guess(v, &l.up)
		}
	}
	for r := len(l.order) - 1; r >= 0; r-- {
		for _, v := range l.order[r] {
			guess(v, &l.down)
		}
	}
	for r := range l.order {
		slices.SortStableFunc(l.order[r], func(a, b int32) int {
			switch {
			case x[a] < x[b]:
				return -1
			case x[a] > x[b]:
				return 1
			}
			return 0
		})
	}
}

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
func (l *layering) arrange(ctx context.Context, hints []float64) error {
	if len(l.segs) == 0 {
		return nil
	}
	if hints == nil && len(l.segs) < 8 && l.crossings() == 0 {
		return nil
	}
	b := l.newBlockOrder()
	if hints != nil {
		b.start(0, hints)
		if err := l.barycenterSweeps(ctx, sweepWork); err != nil {
			return err
		}
		return l.refine(ctx)
	}
	if err := b.bestOrder(ctx); err != nil {
		return err
	}
	more := max(0, perturbing*(l.share-1)) + l.smallness()*perturbingEach*float64(len(b.blocks))*l.share
	if more <= 0 || l.crossings() == 0 || l.inOneColumn() {
		return nil
	}
	if err := b.perturb(ctx, rand.New(rand.NewPCG(1, 2)), l.spent+int64(more)); err != nil {
		return err
	}
	b.writeLayers()
	return l.refine(ctx)
}

// inOneColumn says that no layer has two vertices: there is no other order, and what crosses does so between two slots
// of a node.
func (l *layering) inOneColumn() bool {
	return !slices.ContainsFunc(l.order, func(row []int32) bool { return len(row) > 1 })
}

// smallness is 1 for a graph with few nodes in all its parts, for which time does not count yet, and less and less
// until there are many.
func (l *layering) smallness() float64 {
	return min(1, max(0, float64(manyNodes-l.allNodes)/(manyNodes-fewNodes)))
}

// short says that few edges are long: there are not many more vertices than nodes, and whatever is done with all of
// them costs little.
func (l *layering) short() bool { return int64(len(l.segs)) < 2*l.edges }

// flat says that edges run over less than four layers on the average in a graph that is not small: its bricks need only
// be centered. Of graphs with longer ones that leaves more crossings than it saves time.
func (l *layering) flat() bool { return int64(len(l.segs)) < 4*l.edges && l.smallness() == 0 }

// search takes the edges of a first order to where they cross least: in a small graph of the better of two, as unlike
// as can be, and in others where the first one went badly. Where edges cross often none is likely to be near the best,
// and all have their turn.
func (b *blockOrder) bestOrder(ctx context.Context) error {
	from := 0
	if !b.short() && b.nodes >= breadthBelow {
		from = depthFirstOrder
	}
	b.firstOrder(from)
	switch small := b.smallness() > 0; {
	case small && b.short():
		b.tryFirstOrder(fromBelow | depthFirstOrder)
	case !small && b.crossesTooOften():
		b.tryFirstOrder(from ^ depthFirstOrder)
	}
	enough := int64(8)
	if b.flat() {
		enough = 3 // after two rounds little is left that further ones would find
	}
	if err := b.sift(ctx, enough, b.spent+siftingWork); err != nil {
		return err
	}
	least := b.crossings()
	if least < manyCrossings*b.edges {
		return nil
	}
	b.readLayers()
	copy(b.best, b.order)
	for from := range fromBelow | depthFirstOrder + 1 {
		b.firstOrder(from)
		if err := b.sift(ctx, 8, b.spent+siftingWork); err != nil {
			return err
		}
		if now := b.crossings(); now < least {
			least = now
			b.readLayers()
			copy(b.best, b.order)
		}
	}
	copy(b.order, b.best)
	b.writeLayers()
	return nil
}

// orElse shows another of the first orders if its edges cross less often than those of the one that is shown: most
// often the better one is better afterwards as well.
func (b *blockOrder) tryFirstOrder(from int) {
	least := b.crossings()
	copy(b.best, b.order)
	if b.firstOrder(from); b.crossings() >= least {
		copy(b.order, b.best)
		b.writeLayers()
	}
}

// unlucky says whether the first order shown has more crossings than most have in graphs like this: it is then likely
// to be worse than another, after all that follows as well. In a random order half of all pairs of segments between the
// same two layers cross. What remains of these in flat graphs grows with the edges for each node to the power of 3/2;
// where edges are long crossings go with the mean of those and the edges, the geometric one. Both were found with a
// thousand made graphs of 200 to 2000 nodes, and functions of Go's library obey the latter; about one in six is above
// what follows, of flat ones one in a hundred.
func (b *blockOrder) crossesTooOften() bool {
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
func (b *blockOrder) firstOrder(from int) {
	b.traversalOrder(from)
	if b.flat() {
		n := int64(len(b.blocks))
		rounds, times, reach, each := 3, 4, n/8, int64(0)
		if !b.short() {
			// Long edges are most of what crosses, and have no other turn: places before that need be less exact. One
			// over many layers may belong anywhere, one over few belongs near where it stands.
			rounds, times, reach, each = 2, 3, n/20, n/20
		}
		b.globalBarycenter(rounds+len(b.layering.order)/16, times, 2, 0.5) // a shift takes longer through more layers
		b.updatePlaced()
		b.siftAll(reach, each)
		b.writeLayers()
		return
	}
	b.rankByCoord()
	b.writeLayers()
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
	b.coordsFromLayers()
	b.rankByCoord()
	b.globalBarycenter(3, 3, levels, 0)
	b.writeLayers()
}

// Where a search for a first order begins, from above or from below, and how it goes on, in breadth or in depth.
const (
	fromBelow = 1 << iota
	depthFirstOrder
)

const (
	manyCrossings = 5 // crossings for each edge
	// nodes: of fewer, a search in breadth finds the better first order, by two in a hundred; of more, one in depth
	breadthBelow = 400
)

// Work in bricks passed or segments looked at, of which a processor of 2020 does some hundred million a second: for the
// first orders, for taking whole edges along the order, for shaking them and for refinement. Small graphs are shaken
// longer, others only when more effort than usual is asked for.
const (
	sweepWork           = 2_000_000
	siftingWork         = 20_000_000
	perturbing          = 3_000_000
	fewNodes, manyNodes = 100, 200 // nodes
	perturbingEach      = 40_000   // for each node and long edge, none left when there are many nodes
	refineWork          = 10_000_000
)

// refine sifts and takes out crossings that no drawing needs, in turns as long as both find something.
func (l *layering) refine(ctx context.Context) error {
	limit := l.spent + refineWork
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
func reachOf(l *layering) int {
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
func (b *blockOrder) start(from int, hints []float64) {
	b.traversalOrder(from)
	b.rankByCoord()
	b.writeLayers()
	if hints != nil {
		b.orderByHints(hints)
		for r := range b.layering.order {
			b.renumber(r)
		}
	}
}

// seek gives bricks places in the order in which a search finds them.
func (b *blockOrder) traversalOrder(from int) {
	b.sortAllAdjacencies()
	const unseen = -1
	place, open, n := b.place, spare[int32](b.scratch, len(b.blocks)), int32(0)
	for i := range place {
		place[i] = unseen
	}
	first, second := 1, 0 // of a brick's bonds: downwards, and then upwards
	if from&fromBelow != 0 {
		first, second = 0, 1
	}
	see := func(i int32) {
		if place[i] == unseen {
			place[i] = n
			n++
			open = append(open, i)
		}
	}
	for i := range b.blocks {
		if x := &b.blocks[i]; place[i] != unseen || x.rows[second+1] > x.rows[second] {
			continue
		}
		see(int32(i))
		for next := 0; next < len(open); {
			u := open[next]
			if from&depthFirstOrder == 0 {
				next++
			} else {
				u = open[len(open)-1]
				open = open[:len(open)-1]
			}
			x := &b.blocks[u]
			for _, side := range [2]int{first, second} {
				for _, y := range b.adjacencies[x.rows[side]:x.rows[side+1]] {
					see(y.block)
				}
			}
		}
		open = open[:0]
	}
	for i, at := range place {
		b.coord[i] = float64(at)
	}
}

// stand takes a brick into its layers, as the next.
func (b *blockOrder) appendToLayers(i int32) {
	x := &b.blocks[i]
	v := x.first
	for r := x.top; r <= x.bottom; r++ {
		b.layering.order[r][b.filled[r]] = v
		b.filled[r]++
		v++
	}
}

// byHints sorts layers by earlier places: what had none gets the mean of those of its neighbours that have one, in
// layers from the top and then from the bottom.
func (l *layering) orderByHints(hints []float64) {
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

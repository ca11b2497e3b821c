package layout

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// arrange orders all layers: the best of a few first orders is sifted block by block, perturbed as long as the work
// allows, and then sifted vertex by vertex within the layers. With earlier places it stays near the order those give.
func (l *layering) arrange(ctx context.Context, hints []float64) error {
	if len(l.segments) == 0 {
		return nil
	}
	if hints == nil && len(l.segments) < 8 && l.crossings() == 0 {
		return nil
	}
	b := l.newBlockOrder()
	if hints != nil {
		b.startFrom(0, hints)
		if err := l.barycenterSweeps(ctx, sweepWork); err != nil {
			return err
		}
		return l.refine(ctx)
	}
	if err := b.bestOrder(ctx); err != nil {
		return err
	}
	more := max(0, perturbWork*(l.share-1)) + l.smallness()*perturbWorkEach*float64(len(b.blocks))*l.share
	if more <= 0 || l.crossings() == 0 || l.inOneColumn() {
		return nil
	}
	if err := b.perturb(ctx, rand.New(rand.NewPCG(1, 2)), l.spent+int64(more)); err != nil {
		return err
	}
	b.writeLayers()
	return l.refine(ctx)
}

// inOneColumn says that no layer has two vertices: there is no other order.
func (l *layering) inOneColumn() bool {
	return !slices.ContainsFunc(l.order, func(row []int32) bool { return len(row) > 1 })
}

// smallness is 1 for a graph with few nodes in all its parts, for which time does not count yet, falling to 0 for many.
func (l *layering) smallness() float64 {
	return min(1, max(0, float64(manyNodes-l.allNodes)/(manyNodes-fewNodes)))
}

// mostlyShort says that few edges are long, so that there are not many more vertices than nodes.
func (l *layering) mostlyShort() bool { return int64(len(l.segments)) < 2*l.edges }

// flat says that edges run over less than four layers on the average in a graph that is not small: globalBarycenter is
// then enough for a first order. With longer edges that leaves more crossings than it saves time.
func (l *layering) flat() bool { return int64(len(l.segments)) < 4*l.edges && l.smallness() == 0 }

// bestOrder sifts a first order: in a small graph the better of two that are as unlike as can be; in others another one
// is tried if the first went badly. Where edges cross often no single start is likely to be near the best, and all four
// are sifted.
func (b *blockOrder) bestOrder(ctx context.Context) error {
	from := 0
	if !b.mostlyShort() && b.nodes >= breadthBelow {
		from = depthFirstOrder
	}
	b.firstOrder(from)
	switch small := b.smallness() > 0; {
	case small && b.mostlyShort():
		b.tryFirstOrder(fromBelow | depthFirstOrder)
	case !small && b.crossesTooOften():
		b.tryFirstOrder(from ^ depthFirstOrder)
	}
	enough := int64(8)
	if b.flat() {
		enough = 3 // after two rounds little is left that further ones would find
	}
	if err := b.sift(ctx, enough, b.spent+siftWork); err != nil {
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
		if err := b.sift(ctx, 8, b.spent+siftWork); err != nil {
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

// tryFirstOrder replaces the order in the layers by another first order if that has fewer crossings: most often it is
// better after sifting as well.
func (b *blockOrder) tryFirstOrder(from int) {
	least := b.crossings()
	copy(b.best, b.order)
	if b.firstOrder(from); b.crossings() >= least {
		copy(b.order, b.best)
		b.writeLayers()
	}
}

// crossesTooOften reports whether the first order has more crossings than most have in graphs like this, and is likely
// to be worse than another after sifting as well. In a random order half of all pairs of segments between two layers
// cross. What remains of these in flat graphs grows with the 3/2th power of edges per node; where edges are long,
// crossings go with the geometric mean of those and the edges. Both rules were fitted to a thousand random graphs of
// 200 to 2000 nodes, and functions of Go's library obey the latter; about one graph in six is above its bound, of flat
// ones one in a hundred.
func (b *blockOrder) crossesTooOften() bool {
	count := b.filled
	clear(count)
	for i := range b.segments {
		count[b.rank[b.segments[i].top]]++
	}
	random, edges := 0.0, float64(b.edges)
	for _, n := range count {
		random += float64(n) * float64(n-1) / 4
	}
	if !b.mostlyShort() {
		return float64(b.crossings()) > 0.68*math.Sqrt(random*edges)
	}
	each := edges / float64(b.nodes)
	return float64(b.crossings()) > 0.13*random*each*math.Sqrt(each)
}

// firstOrder makes one of the first orders: blocks as a graph search finds them, moved to barycenters. For a flat graph
// that is enough, and tall blocks are sifted once. In others a shift travels farther along edges than sideways, so
// layers are swept some times before; so they are in small graphs, which have the time.
func (b *blockOrder) firstOrder(from int) {
	b.traversalOrder(from)
	if b.flat() {
		n := int64(len(b.blocks))
		rounds, times, reach, each := 3, 4, n/8, int64(0)
		if !b.mostlyShort() {
			// Long edges make most crossings and are sifted here only, so coordinates need be less exact before. One over
			// many layers may belong anywhere, one over few belongs near where it stands.
			rounds, times, reach, each = 2, 3, n/20, n/20
		}
		rounds += len(b.layering.order) / 16 // a shift takes longer to travel through more layers
		b.globalBarycenter(rounds, times, 2, 0.5)
		b.updatePlaced()
		b.siftAll(reach, each)
		b.writeLayers()
		return
	}
	b.rankByCoord()
	b.writeLayers()
	sweeps, levels := 5, 1
	if b.mostlyShort() {
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

// Which first order: a search from sources downwards or from sinks upwards, breadth-first or depth-first.
const (
	fromBelow = 1 << iota
	depthFirstOrder
)

const (
	manyCrossings = 5 // for each edge
	// Below so many nodes breadth-first search gives the better order, by two crossings in a hundred; above, depth-first.
	breadthBelow = 400
)

// Limits of work, in blocks passed or segments looked at; a processor of 2020 does some hundred million a second. Small
// graphs are perturbed longer, others only when more effort than usual is asked for.
const (
	sweepWork           = 2_000_000
	siftWork            = 20_000_000
	perturbWork         = 3_000_000
	fewNodes, manyNodes = 100, 200 // nodes
	perturbWorkEach     = 40_000   // for each block of a small graph
	refineWork          = 10_000_000
)

// refine alternates uncross and sift as long as they save crossings.
func (l *layering) refine(ctx context.Context) error {
	limit := l.spent + refineWork
	for {
		before := l.crossings()
		if err := l.uncross(ctx); err != nil {
			return err
		}
		if err := l.sift(ctx, siftReach(l), limit); err != nil {
			return err
		}
		if l.spent > limit || before-l.crossings() <= before/500 {
			return l.uncross(ctx)
		}
	}
}

// siftReach is how far vertices are sifted.
func siftReach(l *layering) int {
	wide := 0
	for _, row := range l.order {
		wide = max(wide, len(row))
	}
	if wide <= 256 {
		return wide
	}
	return 64
}

// startFrom shows the order of a graph search in the layers; with hints, that of the earlier drawing.
func (b *blockOrder) startFrom(from int, hints []float64) {
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

// traversalOrder gives blocks the coordinates 0, 1, 2 ... in the order in which a search finds them.
func (b *blockOrder) traversalOrder(from int) {
	b.sortAllAdjacencies()
	const unseen = -1
	place, open, n := b.place, spare[int32](b.scratch, len(b.blocks)), int32(0)
	for i := range place {
		place[i] = unseen
	}
	first, second := 1, 0 // rows of a block's adjacencies: downwards, then upwards
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

// appendToLayers puts a block into its layers, after those that are there.
func (b *blockOrder) appendToLayers(i int32) {
	x := &b.blocks[i]
	v := x.first
	for r := x.top; r <= x.bottom; r++ {
		b.layering.order[r][b.filled[r]] = v
		b.filled[r]++
		v++
	}
}

// orderByHints sorts layers by earlier places. A vertex without one takes the mean of its neighbours that have one,
// downwards through the layers and then upwards.
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

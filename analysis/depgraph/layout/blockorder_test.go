package layout

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomGraph has edges over one to four layers, some upwards and some with several slots.
func randomGraph(r *rand.Rand, n int) Graph {
	g := Graph{Nodes: make([]Node, n)}
	for v := 1; v < n; v++ {
		for range 1 + r.IntN(3) {
			e := Edge{From: int32(max(0, v-1-r.IntN(9))), To: int32(v), FromX: float64(r.IntN(2)), ToX: float64(r.IntN(3))}
			if r.IntN(12) == 0 {
				e.From, e.To = e.To, e.From
			}
			g.Edges = append(g.Edges, e)
		}
	}
	return g
}

// randomLevels are those of a random graph, in a first order.
func randomLevels(r *rand.Rand, n int) *layering { return levelsOf(randomGraph(r, n)) }

// levelsOf are those of a graph's largest part, in a first order.
func levelsOf(g Graph) *layering {
	p := slices.MaxFunc(new(scratch).split(g), func(a, b *part) int { return len(a.node) - len(b.node) })
	p.breakCycles(g)
	rank, err := p.assignLayers(context.Background(), p.constraints())
	if err != nil {
		panic(err)
	}
	l := newLayering(p, g, Options{}.defaults(), rank)
	l.newBlockOrder().startFrom(0, nil)
	return l
}

// shownBlocks are those of a random graph, in the order that its layers show.
func shownBlocks(r *rand.Rand, n int) *blockOrder { return blocksOf(randomGraph(r, n)) }

// blocksOf are those of a graph's largest part, shown likewise.
func blocksOf(g Graph) *blockOrder {
	b := levelsOf(g).newBlockOrder()
	b.traversalOrder(0)
	b.rankByCoord()
	b.updatePlaced()
	b.writeLayers()
	return b
}

// slowCrossings looks at every pair of segments.
func slowCrossings(l *layering) int64 {
	n := int64(0)
	place := func(v int32, x float64) float64 { return float64(l.pos[v]) + x/100 }
	for i := range l.segments {
		for j := range i {
			a, b := &l.segments[i], &l.segments[j]
			if l.rank[a.top] != l.rank[b.top] {
				continue
			}
			if (place(a.top, a.topX)-place(b.top, b.topX))*(place(a.bottom, a.bottomX)-place(b.bottom, b.bottomX)) < 0 {
				n += int64(a.weight) * int64(b.weight)
			}
		}
	}
	return n
}

func TestCrossingsAreThoseOfAllPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 30 {
		l := randomLevels(r, 10+r.IntN(50))
		for _, row := range l.order {
			r.Shuffle(len(row), func(i, j int) { row[i], row[j] = row[j], row[i] })
		}
		for i := range l.order {
			l.renumber(i)
		}
		if got, want := l.crossings(), slowCrossings(l); got != want {
			t.Fatalf("%d crossings, want %d", got, want)
		}
	}
}

// What siftBlock and displace report is what all pairs of segments say.
func TestSiftedBlocksSaveWhatTheyReport(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 3))
	for i := range 40 {
		g := randomGraph(r, 10+r.IntN(40))
		for e := range g.Edges {
			if i&1 != 0 { // some stand for several
				g.Edges[e].times = r.Int32N(4)
			}
		}
		b := blocksOf(g)
		for range 40 {
			before := slowCrossings(b.layering)
			i, change := r.Int32N(int32(len(b.blocks))), int64(0)
			if r.IntN(2) == 0 {
				change = -b.siftBlock(i)
				if change > 0 {
					t.Fatalf("a move adds %d crossings", change)
				}
			} else {
				change = b.displace(i, r.Int32N(int32(len(b.blocks))))
			}
			b.writeLayers()
			if after := slowCrossings(b.layering); after != before+change {
				t.Fatalf("%d crossings became %d, reported %+d", before, after, change)
			}
		}
	}
}

// A move finds the best of all places.
func TestAMoveFindsTheBestPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 3))
	for range 10 {
		b := shownBlocks(r, 20)
		i := r.Int32N(int32(len(b.blocks)))
		old := slices.Clone(b.order)
		least := int64(-1)
		for at := range int32(len(b.blocks)) {
			b.setOrder(old)
			b.moveTo(i, at)
			b.writeLayers()
			if c := slowCrossings(b.layering); least < 0 || c < least {
				least = c
			}
		}
		b.setOrder(old)
		b.siftBlock(i)
		b.writeLayers()
		if c := slowCrossings(b.layering); c != least {
			t.Fatalf("moved to a place with %d crossings, the best has %d", c, least)
		}
	}
}

func TestNoStepOfTheSearchAddsCrossings(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 3))
	ctx := context.Background()
	for range 5 {
		l := randomLevels(r, 40)
		last := slowCrossings(l)
		step := func(name string, err error) {
			if c := slowCrossings(l); err != nil || c > last {
				t.Fatalf("%s: %d crossings became %d, %v", name, last, c, err)
			} else {
				last = c
			}
		}
		step("layer by layer", l.barycenterSweeps(ctx, 1<<40))
		step("long edges", l.uncross(ctx))
		step("within layers", l.sift(ctx, 100, 1<<40))
		// Edges as blocks begin with an order of their own.
		b := l.newBlockOrder()
		b.traversalOrder(0)
		b.rankByCoord()
		b.writeLayers()
		last = slowCrossings(l)
		err := b.sift(ctx, 500, 1<<40)
		step("edge by edge", err)
		err = b.perturb(ctx, r, l.spent+50_000)
		b.writeLayers()
		step("shaken", err)
		step("refined", l.refine(ctx))
	}
}

// Two long edges that cross although they need not: from one slot, into one slot, and twice.
func TestUncrossLeavesNoPairThatCrossesWithoutNeed(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 3))
	took := int64(0)
	for range 20 {
		l := randomLevels(r, 60)
		for _, row := range l.order {
			r.Shuffle(len(row), func(i, j int) { row[i], row[j] = row[j], row[i] })
		}
		for i := range l.order {
			l.renumber(i)
		}
		before := slowCrossings(l)
		if err := l.uncross(context.Background()); err != nil {
			t.Fatal(err)
		}
		took += before - slowCrossings(l)
		for a := range int32(len(l.chains)) {
			for b := range a {
				p, q := &l.chains[a], &l.chains[b]
				if p.back || q.back || p.weight != q.weight {
					continue
				}
				n := 0
				for i := max(l.rank[p.first], l.rank[q.first]) - 1; i <= min(l.rank[p.first]+p.count,
					l.rank[q.first]+q.count)-1; i++ {
					if l.crossing(a, b, i) {
						n++
					}
				}
				if n > 1 || n == 1 && (p.meetsAbove(q) || p.meetsBelow(q)) {
					t.Fatalf("chains %d and %d cross %d times", a, b, n)
				}
			}
		}
	}
	if took == 0 {
		t.Error("nothing was uncrossed: the test tests nothing")
	}
}

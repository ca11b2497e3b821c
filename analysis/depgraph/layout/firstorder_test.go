package layout

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// centerLayers extrapolates by a share of the last move, within the ends, and notes where blocks were before that.
func TestCenterLayersExtrapolates(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 3))
	b := shownBlocks(r, 30)
	most := float64(len(b.blocks)) - 0.5
	was := make([]float64, len(b.coord))
	for i := range b.coord {
		b.coord[i], was[i] = most*r.Float64(), most*r.Float64()
	}
	before, want := slices.Clone(b.coord), slices.Clone(was)
	b.centerLayers(b.coord, 0)
	to := slices.Clone(b.coord)
	held := 0
	for i, x := range to {
		want[i] = x + 0.5*(x-want[i])
		if want[i] < 0 || want[i] > most {
			held++
		}
		want[i] = min(max(want[i], 0), most)
	}
	copy(b.coord, before)
	b.centerLayers(was, 0.5)
	if !slices.Equal(b.coord, want) {
		t.Errorf("from %v to %v, want %v", before, b.coord, want)
	}
	if !slices.Equal(was, to) {
		t.Errorf("noted %v, want %v", was, to)
	}
	if held == 0 {
		t.Error("no block was pushed beyond an end: the test tests little")
	}
}

// flatLevels are those of a random graph in layers, too large to count as small, with few edges over more than one
// layer.
func flatLevels(r *rand.Rand) *layering {
	const n, layers = 250, 20
	g := Graph{Nodes: make([]Node, n)}
	for range n * 3 / 2 {
		far := 1
		for far < layers-1 && r.IntN(4) == 0 {
			far++
		}
		from := r.IntN(layers - far)
		at := func(layer int) int32 { return int32(layer*n/layers + r.IntN(n/layers)) }
		g.Edges = append(g.Edges, Edge{From: at(from), To: at(from + far)})
	}
	return levelsOf(g)
}

// longLevels are those of a random graph with as many long edges as short ones.
func longLevels(r *rand.Rand) *layering {
	g := Graph{Nodes: make([]Node, 220)}
	for v := int32(1); int(v) < len(g.Nodes); v++ {
		g.Edges = append(g.Edges, Edge{From: max(0, v-1-r.Int32N(6)), To: v}, Edge{From: max(0, v-1-r.Int32N(60)), To: v})
	}
	return levelsOf(g)
}

// With extrapolation fewer edges cross after sifting, in the same number of rounds.
func TestExtrapolatedBarycentersCrossLess(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 3))
	pushed, left := int64(0), int64(0)
	for range 60 {
		b := flatLevels(r).newBlockOrder()
		for _, how := range []struct {
			push float64
			sum  *int64
		}{{0.5, &pushed}, {0, &left}} {
			b.traversalOrder(0)
			b.globalBarycenter(4, 4, 2, how.push)
			b.updatePlaced()
			b.siftAll(int64(len(b.blocks)), 0)
			b.writeLayers()
			if err := b.sift(context.Background(), 8, b.spent+siftWork); err != nil {
				t.Fatal(err)
			}
			*how.sum += b.crossings()
		}
	}
	if pushed*100 > left*99 {
		t.Errorf("pushed on %d crossings, %d without, want one in a hundred fewer", pushed, left)
	}
}

// middlingLevels are those of a random graph whose edges run over two to four layers on the average.
func middlingLevels(r *rand.Rand) *layering {
	g := Graph{Nodes: make([]Node, 220)}
	for v := int32(1); int(v) < len(g.Nodes); v++ {
		g.Edges = append(g.Edges, Edge{From: max(0, v-1-r.Int32N(9)), To: v})
		if v%8 != 0 {
			g.Edges = append(g.Edges, Edge{From: max(0, v-1-r.Int32N(60)), To: v})
		}
	}
	return levelsOf(g)
}

// In flat graphs with edges of middling length it pays to sift tall blocks through the whole order.
func TestMiddlingEdgesAreSiftedFar(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 3))
	far, near := int64(0), int64(0)
	for i := range 40 {
		l := middlingLevels(r)
		b := l.newBlockOrder()
		if !b.flat() || b.mostlyShort() {
			t.Fatalf("graph %d with %d edges and %d segments: flat %v, short %v", i, l.edges, len(l.segments),
				b.flat(), b.mostlyShort())
		}
		sift := func() int64 {
			if err := b.sift(context.Background(), 8, b.spent+siftWork); err != nil {
				t.Fatal(err)
			}
			return b.crossings()
		}
		b.firstOrder(0)
		far += sift()
		b.traversalOrder(0)
		b.globalBarycenter(3+len(b.layering.order)/16, 4, 2, 0.5)
		b.updatePlaced()
		b.siftAll(int64(len(b.blocks)/8), 0)
		b.writeLayers()
		near += sift()
	}
	if far*100 > near*99 {
		t.Errorf("sifted far %d crossings, near %d, want one in a hundred fewer", far, near)
	}
}

// Random orders cross too often, those without crossings never do, and most first orders do not.
func TestCrossesTooOften(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 3))
	var all []*layering
	for range 10 {
		all = append(all, flatLevels(r), longLevels(r))
	}
	for i, l := range all {
		if l.flat() != (i%2 == 0) || l.mostlyShort() != l.flat() || l.smallness() > 0 {
			t.Fatalf("graph %d of %d nodes, %d edges and %d segments is not what it is taken for", i, l.nodes,
				l.edges, len(l.segments))
		}
		b := l.newBlockOrder()
		b.firstOrder(0)
		found := b.crossings()
		better := b.crossesTooOften()
		for _, row := range l.order {
			r.Shuffle(len(row), func(i, j int) { row[i], row[j] = row[j], row[i] })
		}
		for row := range l.order {
			l.renumber(row)
		}
		if !b.crossesTooOften() {
			t.Errorf("graph %d, flat %v: a random order with %d crossings is not unlucky, %d are (%v)", i, b.flat(),
				b.crossings(), found, better)
		}
		clear(l.cross)
		if b.crossesTooOften() {
			t.Errorf("graph %d: an order without crossings is unlucky", i)
		}
	}
}

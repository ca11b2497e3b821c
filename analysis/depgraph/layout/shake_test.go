package layout

import (
	"context"
	"math/rand/v2"
	"testing"
)

// Every node of one layer joined to every one of the next: all orders have as many crossings, and shaking stops when it has found no
// fewer in the first of its stages.
func TestShakingStopsWhereNothingIsToBeFound(t *testing.T) {
	g := Graph{Nodes: make([]Node, 6)}
	for a := range int32(3) {
		for b := range int32(3) {
			g.Edges = append(g.Edges, Edge{From: a, To: 3 + b})
		}
	}
	b := levelsOf(g).newBricks()
	b.seek(0)
	b.line()
	b.show()
	const work = 400_000
	before := b.spent
	if err := b.shake(context.Background(), rand.New(rand.NewPCG(1, 2)), before+work); err != nil {
		t.Fatal(err)
	}
	b.show()
	if c := b.crossings(); c != 9 {
		t.Errorf("%d crossings, want 9", c)
	}
	if spent := b.spent - before; spent < work/8 || spent > work/6 {
		t.Errorf("%d of %d spent, want an eighth", spent, work)
	}
}

// Where there is something to be found, shaking goes on: a tree in a random order is freed from nearly all of its crossings.
func TestShakingGoesOnWhereItHelps(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 3))
	begun, left := int64(0), int64(0)
	for range 10 {
		g := Graph{Nodes: make([]Node, 40)}
		for v := int32(1); int(v) < len(g.Nodes); v++ {
			g.Edges = append(g.Edges, Edge{From: r.Int32N(v), To: v})
		}
		b := levelsOf(g).newBricks()
		for i, at := range r.Perm(len(b.brick)) {
			b.at[i] = float64(at)
		}
		b.line()
		b.show()
		begun += b.crossings()
		if err := b.shake(context.Background(), r, b.spent+1_000_000); err != nil {
			t.Fatal(err)
		}
		b.show()
		left += b.crossings()
	}
	if left*20 > begun {
		t.Errorf("%d of %d crossings left, want a twentieth at most", left, begun)
	}
}

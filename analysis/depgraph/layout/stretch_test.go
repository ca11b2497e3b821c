package layout

import (
	"context"
	"math/rand/v2"
	"testing"
)

// Layers that were stretched stay possible, do not cost crossings and are worth it: all pairs of segments are counted.
func TestStretchedLayersSaveCrossings(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 3))
	ctx := context.Background()
	o := Options{}.defaults()
	before, after := int64(0), int64(0)
	for range 6 {
		g := randomGraph(r, 25)
		p := new(scratch).split(g)[0]
		p.breakCycles(g)
		constraints := p.constraints()
		given, err := p.draft(ctx, g, o, constraints, 0.2)
		if err != nil {
			t.Fatal(err)
		}
		l, err := p.stretch(ctx, g, o, constraints, given)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range constraints {
			if l.rank[e.hi] <= l.rank[e.lo] {
				t.Fatalf("a node of layer %d leads to one of layer %d", l.rank[e.lo], l.rank[e.hi])
			}
		}
		for i := range p.arcs {
			if a := &p.arcs[i]; a.lo != a.hi && (a.chain == direct) != (l.rank[a.hi]-l.rank[a.lo] == 1 && !a.back) {
				t.Fatalf("arc %d from layer %d to %d has chain %d: it is another drawing's", i, l.rank[a.lo], l.rank[a.hi], a.chain)
			}
		}
		was, is := slowCrossings(given), slowCrossings(l)
		if is > was {
			t.Errorf("%d crossings became %d", was, is)
		}
		before, after = before+was, after+is
	}
	if after >= before {
		t.Errorf("%d crossings became %d: nothing was saved", before, after)
	}
}

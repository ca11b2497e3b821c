package layout

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// A drawing is the same in memory that others have used, whatever they left there.
func TestUsedScratchChangesNothing(t *testing.T) {
	ctx := context.Background()
	used := new(scratch)
	r := rand.New(rand.NewPCG(5, 6))
	for range 8 {
		g := randomGraph(r, 1+r.IntN(150))
		o := Options{Long: r.IntN(8), Effort: 0.005}.defaults()
		o.share = o.Effort
		want, err := new(scratch).drawParts(ctx, g, o, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, with := range []uint64{math.MaxUint64, math.Float64bits(math.Inf(1)), 1<<63 | 1<<31, 9<<32 | 9} {
			for i := range used.words {
				used.words[i] = with
			}
			got, err := used.drawParts(ctx, g, o, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%d nodes and %d edges are drawn otherwise in memory full of %x", len(g.Nodes), len(g.Edges), with)
			}
			if used.used != 0 {
				t.Fatalf("%d words are not given back", used.used)
			}
		}
	}
}

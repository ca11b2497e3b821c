package layout

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// spoil leaves in a shelf what no drawing would.
func spoil[T any](s *shelf[T], with T) {
	for i := range s.all {
		s.all[i] = with
	}
}

// A drawing is the same in memory that others have used, whatever they left there.
func TestUsedRoomChangesNothing(t *testing.T) {
	ctx := context.Background()
	used := new(room)
	r := rand.New(rand.NewPCG(5, 6))
	for range 8 {
		g := randomGraph(r, 1+r.IntN(150))
		o := Options{Long: r.IntN(8), Effort: 0.005}.defaults()
		o.share = o.Effort
		want, err := new(room).flat(ctx, g, o, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		spoil(&used.ints, math.MinInt32)
		spoil(&used.longs, math.MinInt64)
		spoil(&used.words, math.MaxUint64)
		spoil(&used.floats, math.NaN())
		spoil(&used.flags, true)
		spoil(&used.halves, half{-9, -9, -9, -9, -9, -9})
		spoil(&used.wires, wire{-9, -9, -9, -9, -9})
		spoil(&used.segments, segment{-9, -9, math.NaN(), math.NaN(), -9})
		spoil(&used.bonds, bond{-9, -9, -9})
		spoil(&used.posts, post{tall{-9, -9}, -9, -9, -9})
		spoil(&used.ends, end{-9, -9, -9})
		spoil(&used.branches, branch{-9, -9})
		spoil(&used.waits, waiting{-9, -9})
		spoil(&used.fours, four{to: math.MaxUint32, share: math.NaN()})
		spoil(&used.middles, middles{[2]int32{-9, -9}, [2]float64{math.NaN(), math.NaN()}})
		spoil(&used.stones, stone{9, 9, math.NaN(), math.NaN()})
		got, err := used.flat(ctx, g, o, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%d nodes and %d edges are drawn otherwise in memory that was used before", len(g.Nodes), len(g.Edges))
		}
		if left := used.ints.used + used.halves.used + used.floats.used; left != 0 {
			t.Fatalf("%d values are not given back", left)
		}
	}
}

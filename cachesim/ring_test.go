package cachesim

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRings holds rings against the order of the stamps, of sets that are full or not, with marks or without.
func TestRings(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 78))
	for round := range 2000 {
		set := make([]cell, 4<<(round%2))
		var want []uint64
		for i := range set {
			set[i].stamp = r.Uint64N(1<<40) * tick
			if r.IntN(8) == 0 {
				set[i].stamp = 0
			}
			want = append(want, uint64(i))
		}
		slices.SortStableFunc(want, func(a, b uint64) int { return int(set[a].stamp - set[b].stamp) })
		for i := range set {
			if set[i].stamp > 0 {
				set[i].stamp |= r.Uint64N(2)
			}
		}
		before := slices.Clone(set)
		ring := ringOf(set)
		for i := range 16 {
			if at := ring >> (8 * (i % 8)) % 256; at != want[i%len(want)]*cellBytes {
				t.Fatalf("round %d: the ring of %v is %x, want %v times %d again and again", round, before, ring, want, cellBytes)
			}
		}
		ring, before = 0, slices.Clone(set)
		set[0].stamp &^= marked // as all are of a ring that nobody made
		for i := range 3 * len(set) {
			if at := inTurn(&ring, set); at != want[i%len(want)] || !slices.Equal(set, before) {
				t.Fatalf("round %d: turn %d is of %d, want %d in turns, and %v, want %v", round, i, at, want, set, before)
			}
		}
	}
}

package fast

import (
	"math/rand/v2"
	"testing"

	"orrery/traceio"
)

// TestStoresAndFetches counts the kinds of blocks of all lengths one by one.
func TestStoresAndFetches(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 31))
	for n := range 3000 {
		kinds := make([]traceio.Kind, n)
		var want [3]uint64
		for i := range kinds {
			kinds[i] = traceio.Kind(r.IntN(3))
			want[kinds[i]]++
		}
		stores, fetches := storesAndFetches(kinds)
		if stores != want[traceio.Store] || fetches != want[traceio.Fetch] {
			t.Fatalf("%d kinds: %d stores and %d fetches, want %d and %d", n, stores, fetches, want[traceio.Store],
				want[traceio.Fetch])
		}
	}
}

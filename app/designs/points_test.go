package designs

import (
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"orrery/analysis/dse"
)

// TestNearestAreTheFirstOfAll: what is listed of too many designs is what a sort of all of them puts first, equal ones
// by number.
func TestNearestAreTheFirstOfAll(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 50))
	for _, kinds := range []int{1, 3, 50, 100_000} {
		sp := &dse.Space{}
		var list []int32
		for p := range int32(3000) {
			sp.ToFront = append(sp.ToFront, float64(r.IntN(kinds))/7)
			if r.IntN(4) > 0 {
				list = append(list, p)
			}
		}
		all := slices.Clone(list)
		sort.SliceStable(all, func(a, b int) bool { return sp.ToFront[all[a]] < sp.ToFront[all[b]] })
		for _, n := range []int{1, 2, 700, len(list) - 1} {
			if got := nearest(sp, slices.Clone(list), n); !slices.Equal(got, all[:n]) {
				t.Errorf("%d distances: the nearest %d are others", kinds, n)
			}
		}
		if got := nearest(sp, list, len(list)); !slices.Equal(got, list) {
			t.Errorf("%d distances: those that fit are in another order", kinds)
		}
	}
}

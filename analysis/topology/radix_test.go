package topology

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSortTerms: the sort by radix gives the simplices in the order that comparisons give, whatever bits differ, and loses no term.
func TestSortTerms(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	var scratch []term
	for _, n := range []int{0, 1, 2, 1000, fewTerms, 5000, 40000} {
		for _, mask := range []term{^term(0), 0xffff, 0x3ff0000, 0x000fffff_03ff_ffff, 1 << 63} {
			list := make([]term, n)
			for i := range list {
				list[i] = term(r.Uint64()) & mask
			}
			want := slices.Clone(list)
			slices.Sort(want)
			scratch = sortTerms(list, scratch)
			for i := range list {
				if list[i].simplex() != want[i].simplex() {
					t.Fatalf("%d terms of mask %x: simplex %d is %x, want %x", n, mask, i, list[i].simplex(), want[i].simplex())
				}
			}
			slices.Sort(list)
			if !slices.Equal(list, want) {
				t.Fatalf("%d terms of mask %x: some are lost", n, mask)
			}
		}
	}
}

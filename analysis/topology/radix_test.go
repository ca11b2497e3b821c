package topology

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// TestSortTerms: the sort by radix gives the simplices in the order that comparisons give, whatever bits differ, and
// loses no term.
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

// TestLongColumnsInPieces: a reduction that puts its column aside after a few terms finds the same classes, with the
// same cocycles.
func TestLongColumnsInPieces(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 8))
		s := &space{n: 40}
		lower := make([]float64, 0, 40*39/2)
		for range cap(lower) {
			lower = append(lower, 1+r.Float64()) // a metric whose complexes fill up
		}
		s.setDistances(lower)
		f := s.filtration(int32(len(s.value)))
		want, err := reduce(t.Context(), f, 47, 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		for _, most := range []int{2, 30} {
			pieces := &reduction{f: f, p: 47, inverse: inverses(47), byPivot: map[term]int32{}, limit: 1 << 30, most: most}
			got, err := pieces.classes(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("seed %d: in pieces of %d %d classes, want %d, or other cocycles", seed, most, len(got), len(want))
			}
		}
	}
}

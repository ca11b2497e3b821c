package layout

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Few segments are counted by sorting, many with a tree of sums: both give what all pairs do.
func TestBothWaysOfCountingAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 3))
	for range 200 {
		slots := 1 + r.IntN(40)
		row := make([]strung, r.IntN(90))
		for i := range row {
			row[i] = strung{0, r.Int32N(int32(slots)), int64(1 + r.IntN(3))}
		}
		want := int64(0)
		for i := range row {
			for _, s := range row[:i] {
				if s.to > row[i].to {
					want += s.weight * row[i].weight
				}
			}
		}
		l := &levels{}
		if got := l.summing(slices.Clone(row), slots); got != want {
			t.Fatalf("a tree counts %d crossings of %v, want %d", got, row, want)
		}
		if got := sorting(slices.Clone(row)); got != want {
			t.Fatalf("sorting counts %d crossings of %v, want %d", got, row, want)
		}
	}
}

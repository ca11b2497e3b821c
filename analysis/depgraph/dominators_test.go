package depgraph

import (
	"math/rand/v2"
	"testing"
)

// reached marks what entries reach without passing a block.
func reached(next [][]int32, entry []bool, without int) []bool {
	seen := make([]bool, len(next))
	var visit func(b int32)
	visit = func(b int32) {
		if int(b) == without || seen[b] {
			return
		}
		seen[b] = true
		for _, c := range next[b] {
			visit(c)
		}
	}
	for b, e := range entry {
		if e {
			visit(int32(b))
		}
	}
	return seen
}

func TestDominatorsAreThoseThatCannotBeAvoided(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for i := range 300 {
		n := 1 + r.IntN(12)
		next := make([][]int32, n)
		for range r.IntN(2 * n) {
			a := r.IntN(n)
			next[a] = append(next[a], int32(r.IntN(n)))
		}
		d := newDominators(next)
		for b := range n {
			if !reached(next, d.entry, -1)[b] {
				t.Fatalf("case %d: block %d of %v is never entered", i, b, next)
			}
		}
		for a := range n {
			seen := reached(next, d.entry, a)
			for b := range n {
				if want := !seen[b]; d.dominates(int32(a), int32(b)) != want {
					t.Fatalf("case %d: %v: %d dominates %d is %v, want %v", i, next, a, b, !want, want)
				}
			}
		}
	}
}

func TestLoopsAreCounted(t *testing.T) {
	// 0 -> 1 -> 2 -> 3 -> 4, back from 3 to 2 and from 4 to 1, 4 -> 5.
	d := newDominators([][]int32{{1}, {2}, {3}, {2, 4}, {1, 5}, {}})
	for b, want := range []int32{0, 1, 2, 2, 1, 0} {
		if d.loops[b] != want {
			t.Errorf("block %d is in %d loops, want %d", b, d.loops[b], want)
		}
	}
}

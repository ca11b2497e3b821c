package layout

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// What follows from its neighbours is taken out, and what does not is left.
func TestCore(t *testing.T) {
	for _, c := range []struct {
		name string
		n    int
		ties []tie
		left []int32
		rest []tie
		rank []int32
	}{
		{"tree", 4, []tie{{0, 1, 1, 1}, {0, 2, 2, 1}, {3, 2, 1, 5}}, nil, nil, []int32{0, 1, 2, 1}},
		{"a way beside a longer one stays with the heavier tie", 4, []tie{{0, 1, 1, 1}, {1, 2, 1, 3}, {0, 2, 5, 1},
			{2, 3, 1, 1}}, nil, nil, []int32{0, 4, 5, 6}},
		{"a source of two", 4, []tie{{0, 1, 1, 1}, {0, 2, 1, 1}, {3, 1, 1, 1}, {3, 2, 3, 1}}, []int32{0, 1, 2, 3},
			[]tie{{0, 1, 1, 1}, {0, 2, 1, 1}, {3, 1, 1, 1}, {3, 2, 3, 1}}, nil},
	} {
		m := new(room)
		vertex, ties := m.newCore(m.incidence(c.n, c.ties), c.ties).rest()
		if c.left == nil {
			if len(vertex) != 1 || len(ties) != 0 {
				t.Errorf("%s: left are %v with %v, want one vertex", c.name, vertex, ties)
			}
		} else if !slices.Equal(vertex, c.left) || !slices.Equal(ties, c.rest) {
			t.Errorf("%s: left are %v with %v, want %v with %v", c.name, vertex, ties, c.left, c.rest)
		}
		rank, err := m.rankBy(context.Background(), m.incidence(c.n, c.ties), c.ties)
		if err != nil {
			t.Fatal(err)
		}
		if c.rank != nil && !slices.Equal(rank, c.rank) {
			t.Errorf("%s: ranks %v, want %v", c.name, rank, c.rank)
		}
	}
}

// Ranks of a sparse graph, as most parts of a function are.
func BenchmarkRanks(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 1))
	ties := randomTies(r, 250, 60)
	m := new(room)
	b.ReportAllocs()
	for b.Loop() {
		before := m.arena
		if _, err := m.rankBy(context.Background(), m.incidence(250, ties), ties); err != nil {
			b.Fatal(err)
		}
		m.back(before)
	}
}

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
		name        string
		n           int
		constraints []constraint
		left        []int32
		rest        []constraint
		rank        []int32
	}{
		{"tree", 4, []constraint{{0, 1, 1, 1}, {0, 2, 2, 1}, {3, 2, 1, 5}}, nil, nil, []int32{0, 1, 2, 1}},
		{"a path beside a longer one stays near the heavier end", 4, []constraint{{0, 1, 1, 1}, {1, 2, 1, 3}, {0, 2, 5, 1},
			{2, 3, 1, 1}}, nil, nil, []int32{0, 4, 5, 6}},
		{"a source of two", 4, []constraint{{0, 1, 1, 1}, {0, 2, 1, 1}, {3, 1, 1, 1}, {3, 2, 3, 1}}, []int32{0, 1, 2, 3},
			[]constraint{{0, 1, 1, 1}, {0, 2, 1, 1}, {3, 1, 1, 1}, {3, 2, 3, 1}}, nil},
	} {
		m := new(scratch)
		vertex, constraints := m.newCore(m.incidence(c.n, c.constraints), c.constraints).remaining()
		if c.left == nil {
			if len(vertex) != 1 || len(constraints) != 0 {
				t.Errorf("%s: left are %v with %v, want one vertex", c.name, vertex, constraints)
			}
		} else if !slices.Equal(vertex, c.left) || !slices.Equal(constraints, c.rest) {
			t.Errorf("%s: left are %v with %v, want %v with %v", c.name, vertex, constraints, c.left, c.rest)
		}
		rank, err := m.rank(context.Background(), m.incidence(c.n, c.constraints), c.constraints)
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
	constraints := randomTies(r, 250, 60)
	m := new(scratch)
	b.ReportAllocs()
	for b.Loop() {
		before := m.arena
		if _, err := m.rank(context.Background(), m.incidence(250, constraints), constraints); err != nil {
			b.Fatal(err)
		}
		m.release(before)
	}
}

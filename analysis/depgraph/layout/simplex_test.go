package layout

import (
	"context"
	"math/rand/v2"
	"testing"
)

// leastSpan tries all ranks below most that constraints allow.
func leastSpan(n int, constraints []constraint, most int32) int64 {
	rank := make([]int32, n)
	best := int64(-1)
	var try func(v int)
	try = func(v int) {
		if v == n {
			if c := span(rank, constraints); best < 0 || c < best {
				best = c
			}
			return
		}
		for rank[v] = 0; rank[v] < most; rank[v]++ {
			ok := true
			for _, t := range constraints {
				if max(t.lo, t.hi) == int32(v) && rank[t.hi]-rank[t.lo] < t.length {
					ok = false
				}
			}
			if ok {
				try(v + 1)
			}
		}
	}
	try(0)
	return best
}

func span(rank []int32, constraints []constraint) int64 {
	sum := int64(0)
	for _, t := range constraints {
		sum += int64(rank[t.hi]-rank[t.lo]) * int64(t.weight)
	}
	return sum
}

// A connected graph without cycles.
func randomTies(r *rand.Rand, n, extra int) []constraint {
	var constraints []constraint
	for v := 1; v < n; v++ {
		constraints = append(constraints, constraint{int32(r.IntN(v)), int32(v), int32(r.IntN(3)), int32(1 + r.IntN(4))})
	}
	for range extra {
		a, b := r.IntN(n), r.IntN(n)
		if a != b {
			constraints = append(constraints, constraint{int32(min(a, b)), int32(max(a, b)), int32(r.IntN(3)), int32(r.IntN(4))})
		}
	}
	return constraints
}

func TestSimplexReachesTheLeastSpan(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 300 {
		n := 2 + r.IntN(4)
		constraints := randomTies(r, n, r.IntN(5))
		m := new(scratch)
		in := m.incidence(n, constraints)
		rank, err := m.rank(context.Background(), in, constraints)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range constraints {
			if rank[e.hi]-rank[e.lo] < e.length {
				t.Fatalf("case %d: ranks %v break %v", i, rank, e)
			}
		}
		if got, want := span(rank, constraints), leastSpan(n, constraints, 9); got != want {
			t.Fatalf("case %d: constraints %v have ranks %v with span %d, want %d", i, constraints, rank, got, want)
		}
	}
}

// On larger graphs the optimum proves itself: by duality, weights can be sent along tight constraints so that every
// vertex gets as much as it sends, which is what cut values that are nowhere negative say.
func TestSimplexEndsWithTheLeastSpanOnLargeGraphs(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for i := range 20 {
		n := 200 + r.IntN(200)
		constraints := randomTies(r, n, []int{20, 60, 150, 400}[i%4])
		m := new(scratch)
		in := m.incidence(n, constraints)
		rank, err := m.rank(context.Background(), in, constraints)
		if err != nil {
			t.Fatal(err)
		}
		before := span(rank, constraints)
		in.balance(m, rank, constraints)
		if after := span(rank, constraints); after != before {
			t.Fatalf("levelling changed the span from %d to %d", before, after)
		}
		if !dual(n, constraints, rank) {
			t.Fatalf("%d vertices: a set of them can be moved to save span", n)
		}
	}
}

// dual looks for a set of vertices that could be moved down by one layer and save span: a closure of largest weight,
// which is a minimum cut; the slow way, by augmenting paths one unit at a time.
func dual(n int, constraints []constraint, rank []int32) bool {
	gain := make([]int, n) // of moving one vertex down
	next := make([][]int, n)
	for _, e := range constraints {
		gain[e.lo] += int(e.weight)
		gain[e.hi] -= int(e.weight)
		if rank[e.hi]-rank[e.lo] == e.length {
			next[e.lo] = append(next[e.lo], int(e.hi)) // who moves takes the other along
		}
	}
	flow := map[[2]int]int{}
	back := make([]map[int]bool, n)
	for v := range back {
		back[v] = map[int]bool{}
	}
	for v := range n {
		for gain[v] > 0 {
			from := map[int]int{v: v}
			queue, end := []int{v}, -1
			for len(queue) > 0 && end < 0 {
				u := queue[0]
				queue = queue[1:]
				see := func(w int) {
					if _, ok := from[w]; ok || end >= 0 {
						return
					}
					from[w] = u
					queue = append(queue, w)
					if gain[w] < 0 {
						end = w
					}
				}
				for _, w := range next[u] {
					see(w)
				}
				for w := range back[u] {
					if flow[[2]int{w, u}] > 0 {
						see(w)
					}
				}
			}
			if end < 0 {
				return false
			}
			gain[v]--
			gain[end]++
			for u := end; u != v; u = from[u] {
				w := from[u]
				if flow[[2]int{u, w}] > 0 {
					flow[[2]int{u, w}]--
				} else {
					flow[[2]int{w, u}]++
					back[u][w] = true
				}
			}
		}
	}
	return true
}

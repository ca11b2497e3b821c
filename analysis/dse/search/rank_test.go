package search

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// slowRanks peels front after front off by asking of each one whether anybody left is better.
func slowRanks(results []Result) []int {
	rank := make([]int, len(results))
	for i := range rank {
		rank[i] = -1
	}
	for level, left := 0, len(results); left > 0; level++ {
		var front []int
		for i := range results {
			if rank[i] < 0 && !beaten(results, rank, i) {
				front = append(front, i)
			}
		}
		for _, i := range front {
			rank[i] = level
		}
		left -= len(front)
	}
	return rank
}

// beaten tells whether one without a rank is better than i, by the definition in words.
func beaten(results []Result, rank []int, i int) bool {
	b := results[i]
	for j, a := range results {
		if rank[j] >= 0 {
			continue
		}
		switch {
		case a.Violation < b.Violation:
			return true
		case a.Violation > 0 || b.Violation > 0:
			continue
		}
		worse, less := false, false
		for m := range a.Objectives {
			worse = worse || a.Objectives[m] > b.Objectives[m]
			less = less || a.Objectives[m] < b.Objectives[m]
		}
		if less && !worse {
			return true
		}
	}
	return false
}

// randomResults have ties, duplicates and impossible ones among them.
func randomResults(r *rand.Rand, n, m, values int) []Result {
	out := make([]Result, n)
	for i := range out {
		if r.IntN(6) == 0 {
			out[i].Violation = float64(1 + r.IntN(3))
			continue
		}
		out[i].Objectives = make([]float64, m)
		for j := range out[i].Objectives {
			out[i].Objectives[j] = float64(r.IntN(values))
		}
	}
	return out
}

func TestRanksAgreeWithPeeling(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for m := 2; m <= 6; m++ {
		for _, values := range []int{2, 5, 1000} {
			results := randomResults(r, 80, m, values)
			if got, want := ranks(results), slowRanks(results); !slices.Equal(got, want) {
				t.Fatalf("m = %d of %d values: %v, want %v of %v", m, values, got, want, results)
			}
		}
	}
}

// TestCrowding is computed by hand. Of the even front, each objective has the range 10, and (1, 6), for one, lies
// between (0, 10) and (4, 4): 4/10 + 6/10. Of the uneven one, (2, 3) lies between (1, 6) and (6, 1), the others as
// before: (1, 6) has 2/10 + 7/10, (6, 1) has 8/10 + 3/10. Where the second objective never varies, its ends are the
// first and the last member.
func TestCrowding(t *testing.T) {
	inf := math.Inf(1)
	for _, row := range []struct {
		name string
		f    [][]float64
		want []float64
	}{
		{"even", [][]float64{{0, 10}, {1, 6}, {4, 4}, {6, 1}, {10, 0}}, []float64{inf, 1, 1, 1, inf}},
		{"uneven", [][]float64{{10, 0}, {2, 3}, {0, 10}, {1, 6}, {6, 1}}, []float64{inf, 1, inf, 0.9, 1.1}},
		{"one", [][]float64{{3, 3}}, []float64{inf}},
		{"two", [][]float64{{3, 4}, {4, 3}}, []float64{inf, inf}},
		{"an objective that never varies", [][]float64{{0, 7}, {4, 7}, {10, 7}, {8, 7}}, []float64{inf, 0.8, inf, inf}},
	} {
		var results []Result
		var members []int
		for i, f := range row.f {
			results, members = append(results, Result{Objectives: f}), append(members, i)
		}
		got := crowding(results, members)
		for i := range got {
			if got[i] != row.want[i] && math.Abs(got[i]-row.want[i]) > 1e-15 {
				t.Errorf("%s: member %d has %v, want %v", row.name, i, got[i], row.want[i])
			}
		}
	}
}

// TestSurvivors: whole fronts first, the emptiest surroundings of the one that is cut, the impossible last and the
// least so first.
func TestSurvivors(t *testing.T) {
	pool := []Result{{Violation: 2}, {Objectives: []float64{0, 10}}, {Objectives: []float64{5, 5}},
		{Objectives: []float64{4.9, 5.2}}, {Objectives: []float64{10, 0}},
		{Objectives: []float64{9, 9}}, {Violation: 1}, {Objectives: []float64{2, 8}}}
	for n, want := range map[int][]int{3: {1, 4, 2}, 6: {1, 2, 3, 4, 7, 5}, 7: {1, 2, 3, 4, 7, 5, 6},
		8: {1, 2, 3, 4, 7, 5, 6, 0}} {
		got, at := survivors(pool, n)
		if len(got) != n || len(at) != n {
			t.Fatalf("%d survive of %d wanted", len(got), n)
		}
		if n == 3 {
			slices.Sort(got)
			slices.Sort(want)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d survivors: %v, want %v", n, got, want)
		}
	}
}

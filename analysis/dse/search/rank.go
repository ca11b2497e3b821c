package search

import (
	"cmp"
	"math"
	"slices"
)

// compare is constrained dominance (Deb et al., definition 1), -1 if a is better and 1 if b is: what can be built beats
// what cannot, of two that cannot the one that violates less, of two that can the one that dominates.
func compare(a, b *Result) int {
	if a.Violation != b.Violation || !a.Possible() {
		return cmp.Compare(a.Violation, b.Violation)
	}
	less, more := false, false
	for i, x := range a.Objectives {
		y := b.Objectives[i]
		if less, more = less || x < y, more || x > y; less && more {
			return 0
		}
	}
	switch {
	case less:
		return -1
	case more:
		return 1
	}
	return 0
}

// ranks are the fronts to which results belong: 0 for those that nobody is better than, 1 for those that only members
// of front 0 are better than, and so on (the fast non-dominated sort, section III A: for each how many are better, and
// whom it is better than).
func ranks(results []Result) []int {
	n := len(results)
	above := make([]int, n)
	below := make([][]int32, n)
	for i := range n {
		for j := i + 1; j < n; j++ {
			switch compare(&results[i], &results[j]) {
			case -1:
				below[i] = append(below[i], int32(j))
				above[j]++
			case 1:
				below[j] = append(below[j], int32(i))
				above[i]++
			}
		}
	}
	rank := make([]int, n)
	var front []int32
	for i, k := range above {
		if k == 0 {
			front = append(front, int32(i))
		}
	}
	for level := 0; len(front) > 0; level++ {
		var next []int32
		for _, i := range front {
			rank[i] = level
			for _, j := range below[i] {
				if above[j]--; above[j] == 0 {
					next = append(next, j)
				}
			}
		}
		front = next
	}
	return rank
}

// crowding is the crowding distance (section III B) of each of the members of one front, given as indices into results:
// the sum over the objectives of how far apart its neighbours are, in parts of the front's range; infinite at the ends.
// Equal values keep the order of members, so that the distance is the same on every run.
func crowding(results []Result, members []int) []float64 {
	distance := make([]float64, len(members))
	order := make([]int, len(members)) // positions in members
	for m := range results[members[0]].Objectives {
		f := func(k int) float64 { return results[members[k]].Objectives[m] }
		for k := range order {
			order[k] = k
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(f(a), f(b)), cmp.Compare(a, b)) })
		last := len(order) - 1
		distance[order[0]], distance[order[last]] = math.Inf(1), math.Inf(1)
		scale := f(order[last]) - f(order[0])
		if scale == 0 {
			continue
		}
		for k := 1; k < last; k++ {
			distance[order[k]] += (f(order[k+1]) - f(order[k-1])) / scale
		}
	}
	return distance
}

// standing is how well an individual stands in its population.
type standing struct {
	rank     int
	distance float64
}

// before is the crowded comparison (section III B): the lower rank, and within it the emptier surroundings.
func (s standing) before(t standing) bool {
	return s.rank < t.rank || s.rank == t.rank && s.distance > t.distance
}

// survivors are the n best of the pool, as positions in it, with their standing among themselves; the pool has no
// position twice for one design. Whole fronts survive as long as they fit, of the first that does not fit those with
// the emptiest surroundings.
func survivors(pool []Result, n int) ([]int, []standing) {
	rank := ranks(pool)
	fronts := make([][]int, slices.Max(rank)+1)
	for i, r := range rank {
		fronts[r] = append(fronts[r], i)
	}
	var kept []int
	var at []standing
	for r, members := range fronts {
		if len(kept) == n {
			break
		}
		distance := crowding(pool, members)
		order := make([]int, len(members))
		for k := range order {
			order[k] = k
		}
		if len(members) > n-len(kept) {
			slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(distance[b], distance[a]) })
			order = order[:n-len(kept)]
		}
		for _, k := range order {
			kept = append(kept, members[k])
			at = append(at, standing{r, distance[k]})
		}
	}
	return kept, at
}

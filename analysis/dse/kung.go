package dse

import (
	"cmp"
	"math"
	"slices"
)

// kung finds fronts of distinct points by division.
type kung struct {
	rows []float64 // m a point
	m    int
	mark []bool // of each point, whether scan drops it; false between its calls
}

func (k *kung) x(i int32, j int) float64 { return k.rows[int(i)*k.m+j] }

// few is how many pairs are compared one by one rather than divided.
const few = 512

// front gives the front of points in lexicographic order, in that order. It may reorder the list.
func (k *kung) front(list []int32) []int32 {
	if len(list) <= 8 {
		return k.plain(list)
	}
	half := len(list) / 2
	top, bottom := k.front(list[:half:half]), k.front(list[half:])
	// No point of the bottom dominates one of the top, and the top is nowhere larger in the first objective.
	return append(top, k.filter(top, bottom, 1)...)
}

// plain compares each with those before it.
func (k *kung) plain(list []int32) []int32 {
	var out []int32
	for _, p := range list {
		if !k.covered(out, p, 0) {
			out = append(out, p)
		}
	}
	return out
}

// covered tells whether one of by is nowhere larger than p in the objectives from j on.
func (k *kung) covered(by []int32, p int32, j int) bool {
	x := k.rows[int(p)*k.m+j : int(p)*k.m+k.m]
	for _, q := range by {
		if WeaklyDominates(k.rows[int(q)*k.m+j:int(q)*k.m+k.m], x) {
			return true
		}
	}
	return false
}

// filter gives, in their order, those of points that none of by weakly dominates in the objectives from j on; in the
// earlier ones by is known to be nowhere larger.
func (k *kung) filter(by, points []int32, j int) []int32 {
	switch {
	case len(by) == 0 || len(points) == 0:
		return points
	case len(by)*len(points) <= few:
		return slices.DeleteFunc(slices.Clone(points), func(p int32) bool { return k.covered(by, p, j) })
	case k.m-j == 2:
		return k.scan(by, points)
	}
	pivot, flat := k.pivot(by, points, j)
	if flat {
		return k.filter(by, points, j+1)
	}
	below := func(i int32) bool { return k.x(i, j) < pivot }
	by1, by2 := part(by, below)
	points1, points2 := part(points, below)
	keep1 := k.filter(by1, points1, j)
	keep2 := k.filter(by1, points2, j+1) // by1 < pivot <= points2
	keep2 = k.filter(by2, keep2, j)
	return weave(points, keep1, keep2)
}

// pivot is a value of objective j with points below it and points not below; flat when all are equal.
func (k *kung) pivot(by, points []int32, j int) (pivot float64, flat bool) {
	low, high := math.Inf(1), math.Inf(-1)
	values := make([]float64, 0, len(by)+len(points))
	for _, list := range [][]int32{by, points} {
		for _, i := range list {
			x := k.x(i, j)
			low, high = min(low, x), max(high, x)
			values = append(values, x)
		}
	}
	if low == high {
		return 0, true
	}
	slices.Sort(values)
	pivot = values[len(values)/2]
	if pivot == low {
		at, _ := slices.BinarySearchFunc(values, low, func(x, low float64) int {
			if x > low {
				return 1
			}
			return -1
		})
		pivot = values[at]
	}
	return pivot, false
}

func part(list []int32, below func(int32) bool) (a, b []int32) {
	for _, i := range list {
		if below(i) {
			a = append(a, i)
		} else {
			b = append(b, i)
		}
	}
	return a, b
}

// weave gives those of points that are in a or in b, all three in one order.
func weave(points, a, b []int32) []int32 {
	out := make([]int32, 0, len(a)+len(b))
	for _, p := range points {
		switch {
		case len(a) > 0 && a[0] == p:
			out, a = append(out, p), a[1:]
		case len(b) > 0 && b[0] == p:
			out, b = append(out, p), b[1:]
		}
	}
	return out
}

// scan is filter for the last two objectives.
func (k *kung) scan(by, points []int32) []int32 {
	j := k.m - 2
	less := func(a, b int32) int {
		return cmp.Or(cmp.Compare(k.x(a, j), k.x(b, j)), cmp.Compare(k.x(a, j+1), k.x(b, j+1)))
	}
	by, sorted := slices.Clone(by), slices.Clone(points)
	slices.SortFunc(by, less)
	slices.SortFunc(sorted, less)
	low, next := math.Inf(1), 0
	for _, p := range sorted {
		for ; next < len(by) && k.x(by[next], j) <= k.x(p, j); next++ {
			low = min(low, k.x(by[next], j+1))
		}
		if low <= k.x(p, j+1) {
			k.mark[p] = true
		}
	}
	kept := make([]int32, 0, len(points))
	for _, p := range points {
		if !k.mark[p] {
			kept = append(kept, p)
		}
		k.mark[p] = false
	}
	return kept
}

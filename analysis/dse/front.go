package dse

import (
	"math"
	"slices"
)

// Front gives the numbers of the points that nobody dominates (Def. 3, 4), growing. f holds one column an objective,
// smaller is better; points limits the set to those numbers, nil means all. Equal points do not dominate each other:
// the duplicates of a point of the front are points of the front. Without objectives all are.
//
// The few points of least normalised sum dominate most others and are tried first; the rest is sorted once. Then two
// objectives take a scan, three a scan over a staircase, and more the division of H. T. Kung, F. Luccio, F. P.
// Preparata, On finding the maxima of a set of vectors, JACM 22 (1975).
func Front(f [][]float64, points []int32) []int32 {
	var s sieve
	out := slices.Clone(s.front(f, all(f, points)))
	slices.Sort(out)
	return out
}

// all is points, or all numbers when it is nil.
func all(f [][]float64, points []int32) []int32 {
	if points != nil || len(f) == 0 {
		return points
	}
	points = make([]int32, len(f[0]))
	for i := range points {
		points[i] = int32(i)
	}
	return points
}

// sieve finds fronts and keeps its memory between them.
type sieve struct {
	m     int
	left  []int32   // numbers that passed the prefilter
	row   []float64 // their objectives, m a point
	sum   []float64
	by    ordering
	order []int32 // rows in lexicographic order
	head  []int32 // of each run of equal rows in order, its first; by position in order
	out   []int32
	tree  []float64 // prefix minima of the staircase
	rank  []int32
	kung  kung
}

// scouts is how many points of least sum the prefilter keeps: 16 to 32 did best on a million points of all shapes.
const scouts = 24

// sample is how many points are tried before all of a large set are.
const sample = 64

// front is not sorted and is only good until the next call.
func (s *sieve) front(f [][]float64, points []int32) []int32 {
	s.m = len(f)
	if s.m == 0 || len(points) < 2 {
		return points
	}
	s.left = append(s.left[:0], points...)
	if len(points) > 4*scouts {
		s.prefilter(f)
	}
	s.gather(f)
	s.sort()
	s.out = s.out[:0]
	switch {
	case s.m == 1:
		s.emit(s.head[:1], 0)
	case s.m == 2:
		s.scan()
	case s.m == 3:
		s.staircase()
	default:
		s.divide()
	}
	return s.out
}

// prefilter drops from left what one of the scouts dominates.
func (s *sieve) prefilter(f [][]float64) {
	scale := make([]Extent, s.m)
	for j := range scale {
		e := Extent{math.Inf(1), math.Inf(-1)}
		for _, p := range s.left {
			x := f[j][p]
			e.Min, e.Max = min(e.Min, x), max(e.Max, x)
		}
		scale[j] = e
	}
	s.sum = append(s.sum[:0], make([]float64, len(s.left))...)
	for j, e := range scale {
		c := 0.0
		if d := e.Max - e.Min; d > 0 {
			c = 1 / d
		}
		for i, p := range s.left {
			s.sum[i] += (f[j][p] - e.Min) * c
		}
	}
	best := s.least()
	row := make([]float64, 0, scouts*s.m)
	for _, i := range best {
		for j := range s.m {
			row = append(row, f[j][s.left[i]])
		}
	}
	x := make([]float64, s.m)
	dominated := func(p int32) bool {
		for j := range x {
			x[j] = f[j][p]
		}
		return dominatedByAny(row, x)
	}
	if n := len(s.left); n > 4*sample { // is it worth it?
		gone := 0
		for i := range sample {
			if dominated(s.left[i*(n/sample)]) {
				gone++
			}
		}
		if 16*gone < sample {
			return
		}
	}
	kept := s.left[:0]
	for _, p := range s.left {
		if !dominated(p) {
			kept = append(kept, p)
		}
	}
	s.left = kept
}

// least gives the positions in left with the least sums, the least first.
func (s *sieve) least() []int {
	best := make([]int, 0, scouts+1)
	for i, x := range s.sum {
		if len(best) == scouts && !(x < s.sum[best[scouts-1]]) {
			continue
		}
		at := len(best)
		for at > 0 && x < s.sum[best[at-1]] {
			at--
		}
		best = slices.Insert(best, at, i)
		best = best[:min(len(best), scouts)]
	}
	return best
}

// dominatedByAny tells whether a row of rows dominates x.
func dominatedByAny(rows, x []float64) bool {
	m := len(x)
	for ; len(rows) >= m; rows = rows[m:] {
		if Dominates(rows[:m], x) {
			return true
		}
	}
	return false
}

func (s *sieve) gather(f [][]float64) {
	s.row = slices.Grow(s.row[:0], len(s.left)*s.m)[:len(s.left)*s.m]
	for j := range s.m {
		column, at := f[j], j
		for _, p := range s.left {
			s.row[at] = column[p] + 0 // -0 and 0 are one value
			at += s.m
		}
	}
}

func (s *sieve) at(i int32) []float64 { return s.row[int(i)*s.m : int(i)*s.m+s.m] }

// sort orders the rows lexicographically and finds the runs of equal ones.
func (s *sieve) sort() {
	n := len(s.left)
	s.order = append(s.order[:0], s.by.of(s.row, s.m, 0)...)
	for from := 0; from < n; { // runs of one first objective
		to := from + 1
		for x := s.at(s.order[from])[0]; to < n && s.at(s.order[to])[0] == x; to++ {
		}
		slices.SortFunc(s.order[from:to], func(a, b int32) int { return slices.Compare(s.at(a), s.at(b)) })
		from = to
	}
	s.head = s.head[:0]
	for k, i := range s.order {
		if k == 0 || !slices.Equal(s.at(i), s.at(s.order[k-1])) {
			s.head = append(s.head, int32(k))
		}
	}
}

// emit puts the points of some runs out; from is the number of the first of them.
func (s *sieve) emit(heads []int32, from int) {
	for h := range heads {
		end := len(s.order)
		if from+h+1 < len(s.head) {
			end = int(s.head[from+h+1])
		}
		for _, i := range s.order[s.head[from+h]:end] {
			s.out = append(s.out, s.left[i])
		}
	}
}

// scan is the case of two objectives: in lexicographic order a point is on the front when its second is less than all
// before.
func (s *sieve) scan() {
	low := math.Inf(1)
	for h, k := range s.head {
		if y := s.at(s.order[k])[1]; h == 0 || y < low {
			low = y
			s.emit(s.head[h:h+1], h)
		}
	}
}

// staircase is the case of three objectives: of the points before, the least third objective among those whose second
// is not larger, kept as prefix minima over the ranks of the second (a Fenwick tree).
func (s *sieve) staircase() {
	n := len(s.head)
	s.rank = s.ranks(1)
	s.tree = slices.Grow(s.tree[:0], n+1)[:n+1]
	for i := range s.tree {
		s.tree[i] = math.Inf(1)
	}
	for h, k := range s.head {
		z := s.at(s.order[k])[2]
		low, free := math.Inf(1), true
		for r := s.rank[h]; r > 0; r &= r - 1 {
			low = min(low, s.tree[r])
		}
		if free = h == 0 || z < low; !free {
			continue
		}
		s.emit(s.head[h:h+1], h)
		for r := s.rank[h]; int(r) <= n && z < s.tree[r]; r += r & -r {
			s.tree[r] = z
		}
	}
}

// ranks numbers the values of objective j over the heads from 1; equal values have one number.
func (s *sieve) ranks(j int) []int32 {
	keys := s.by.room(len(s.head))
	for h, k := range s.head {
		keys[h] = key{ordered(s.row[int(s.order[k])*s.m+j]), int32(h)}
	}
	keys = s.by.sort()
	rank := slices.Grow(s.rank[:0], len(keys))[:len(keys)]
	r := int32(0)
	for i, k := range keys {
		if i == 0 || k.u != keys[i-1].u {
			r++
		}
		rank[k.i] = r
	}
	return rank
}

// divide is the case of four and more objectives.
func (s *sieve) divide() {
	s.kung.rows, s.kung.m = s.row, s.m
	list := make([]int32, len(s.head))
	for h, k := range s.head {
		list[h] = s.order[k]
	}
	s.kung.mark = make([]bool, len(s.left))
	on := make([]bool, len(s.left))
	for _, i := range s.kung.front(list) {
		on[i] = true
	}
	for h, k := range s.head {
		if on[s.order[k]] {
			s.emit(s.head[h:h+1], h)
		}
	}
}

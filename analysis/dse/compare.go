package dse

import (
	"math"
	"slices"
)

// Coverage is C(P1, P2) of (12): the share, in [0, 1], of the points of p2 that a point of p1 weakly dominates. It is 0
// when one of them is empty.
func (s *Space) Coverage(p1, p2 []int32) float64 {
	if len(p1) == 0 || len(p2) == 0 || len(s.F) == 0 {
		return 0
	}
	covered := 0
	best := s.rows(Front(s.F, p1))
	x := make([]float64, len(s.F))
	for _, p := range p2 {
		s.read(p, x)
		for rows := best; len(rows) > 0; rows = rows[len(x):] {
			if WeaklyDominates(rows[:len(x)], x) {
				covered++
				break
			}
		}
	}
	return float64(covered) / float64(len(p2))
}

// rows are the minimised objectives of points, one behind the other.
func (s *Space) rows(points []int32) []float64 {
	rows := make([]float64, len(points)*len(s.F))
	for i, p := range points {
		s.read(p, rows[i*len(s.F):(i+1)*len(s.F)])
	}
	return rows
}

// read puts the minimised objectives of point p into x.
func (s *Space) read(p int32, x []float64) {
	for j := range x {
		x[j] = s.F[j][p]
	}
}

// Comparison sets chosen subspaces side by side (D14; paper, section 7).
type Comparison struct {
	Subspaces []int32   // as chosen
	Sets      [][]int32 // LP_i of each, growing point numbers
	InGlobal  []int     // how many of LP_i are in GP (7.1, first measure)
	Mean      []float64 // mean distance of LP_i to the nearest points of GP (7.1, second measure); NaN of an empty set
	// C[i][j] = C(LP_i, LP_j) of (12), also the weights of the TC graph's edges, where they are not 0; the diagonal is 0
	C      [][]float64
	TC     []float64 // of each set (13)
	Volume []float64 // hypervolume of LP_i on normalised objectives, reference (1, .., 1) (7.3)
}

// LocalSet is LP_k (7), growing; empty and not nil without points.
func (s *Space) LocalSet(k int) []int32 { return marked(s.Points(k), s.Local, []int32{}) }

// MeanToFront is the mean distance of points to the nearest points of GP, which stands under each local Pareto set
// (7.1); NaN of none.
func (s *Space) MeanToFront(points []int32) float64 {
	if len(points) == 0 {
		return math.NaN()
	}
	sum := 0.0
	for _, p := range points {
		sum += s.ToFront[p]
	}
	return sum / float64(len(points))
}

// Compare computes all measures of section 7 but the frequency distributions, for which see Frequency. Chosen subspaces
// must exist; one that is chosen twice is compared with itself.
func (s *Space) Compare(chosen []int32) *Comparison {
	n := len(chosen)
	c := &Comparison{Subspaces: slices.Clone(chosen), TC: make([]float64, n)}
	for _, k := range chosen {
		set := s.LocalSet(int(k))
		c.Sets = append(c.Sets, set)
		c.InGlobal = append(c.InGlobal, len(marked(set, s.Global, nil)))
		c.Mean = append(c.Mean, s.MeanToFront(set))
		c.Volume = append(c.Volume, Hypervolume(s.Norm, set, ones(len(s.Norm))))
	}
	for i := range n {
		c.C = append(c.C, make([]float64, n))
		for j := range n {
			if i != j {
				c.C[i][j] = s.Coverage(c.Sets[i], c.Sets[j])
			}
		}
	}
	for i := range n { // (13), by the graph's reading of it (15): what goes out less what comes in
		for j := range n {
			c.TC[i] += c.C[i][j] - c.C[j][i]
		}
	}
	return c
}

// Pair is one arrow of the dominance rows: point A weakly dominates point B.
type Pair struct{ A, B int32 }

// Dominance gives the arrows from the points of one set to those of another that they weakly dominate, in order of A,
// then B (paper, figure 22). The crossed ones are those that stand as B.
func (s *Space) Dominance(from, to []int32) []Pair {
	var out []Pair
	a, b := s.rows(from), s.rows(to)
	m := len(s.F)
	for i, p := range from {
		for j, q := range to {
			if p != q && WeaklyDominates(a[i*m:(i+1)*m], b[j*m:(j+1)*m]) {
				out = append(out, Pair{p, q})
			}
		}
	}
	return out
}

// Frequency counts the points of a subspace by their normalised objective: entry b counts those in [b/bins,
// (b+1)/bins), the last one 1 too (paper, 7.4). All points count, not only local Pareto points.
func (s *Space) Frequency(subspace, objective, bins int) []int {
	counts := make([]int, bins)
	for _, p := range s.Points(subspace) {
		counts[min(int(s.Norm[objective][p]*float64(bins)), bins-1)]++
	}
	return counts
}

// Volume is the hypervolume of the global front on normalised objectives with reference (1, .., 1).
func (s *Space) Volume() float64 {
	return Hypervolume(s.Norm, marked(s.Order, s.Global, []int32{}), ones(len(s.Norm)))
}

// Until are the points that were found in generation g or before, growing; those of unknown generation are there from
// the beginning. Front(s.F, s.Until(g)) is the front as the search knew it then.
func (s *Space) Until(g int32) []int32 {
	out := []int32{}
	for p := range s.N {
		if s.Generations.First(p) <= g {
			out = append(out, int32(p))
		}
	}
	return out
}

// VolumeByGeneration is, for each generation g, the hypervolume of all points that were evaluated in g or before,
// normalised over all generations. It is nil when no generations are known.
func (s *Space) VolumeByGeneration() []float64 {
	if !s.Generations.Known() || len(s.Norm) == 0 {
		return nil
	}
	fresh := make([][]int32, s.Generations.Count)
	for p := range s.N {
		g := s.Generations.First(p)
		fresh[g] = append(fresh[g], int32(p))
	}
	out := make([]float64, len(fresh))
	front, ref := []int32{}, ones(len(s.Norm))
	for g, points := range fresh {
		if len(points) > 0 {
			was := front
			front = Front(s.Norm, append(slices.Clone(front), points...))
			if !slices.Equal(front, was) {
				out[g] = Hypervolume(s.Norm, front, ref)
				continue
			}
		}
		if g > 0 {
			out[g] = out[g-1]
		}
	}
	return out
}

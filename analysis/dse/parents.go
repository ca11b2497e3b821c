package dse

import (
	"context"
	"math"
)

// bySubspace are columns with the points of each subspace next to each other, as s.Order has them: row i is point
// Order[i]. Reading them point by point of a subspace out of the table's own order would miss the cache at each number.
func (s *Space) bySubspace(columns [][]float64) [][]float64 {
	if len(s.Combos) <= 1 && len(s.Order) == s.N {
		return columns
	}
	out := make([][]float64, len(columns))
	for j, column := range columns {
		out[j] = make([]float64, s.N)
		for i, p := range s.Order {
			out[j][i] = column[p]
		}
	}
	return out
}

// fronts finds GP (5) and every LP_i (7), then the parents.
func (s *Space) fronts(ctx context.Context) error {
	s.Global, s.Local = make([]bool, s.N), make([]bool, s.N)
	s.Parent, s.ToParent, s.ToFront = make([]int32, s.N), make([]float64, s.N), make([]float64, s.N)
	for p := range s.Parent {
		s.Parent[p], s.ToFront[p] = None, math.NaN()
	}
	if len(s.Order) == 0 {
		return ctx.Err()
	}
	gp := s.Order // without objectives nobody dominates anybody
	switch {
	case len(s.F) > 0 && len(s.Order) == s.N:
		gp = Front(s.F, nil)
	case len(s.F) > 0:
		gp = Front(s.F, s.Order)
	}
	for _, p := range gp {
		s.Global[p], s.ToFront[p] = true, 0
	}
	r := relatives{Space: s, f: s.bySubspace(s.F), norm: s.bySubspace(s.Norm), x: make([]float64, len(s.F))}
	if len(gp) < len(s.Order) {
		r.global.build(s.Norm, nil, gp)
	}
	for k := range s.Combos {
		if err := r.subspace(ctx, k); err != nil {
			return err
		}
	}
	return nil
}

// relatives finds the local fronts and the parents, subspace by subspace. Rows are positions in Order.
type relatives struct {
	*Space
	f, norm       [][]float64
	sieve         sieve
	global, local nearest
	rows, front   []int32
	x             []float64
}

// subspace finds LP_k, then the parent of each non-Pareto point (9) and all distances.
func (r *relatives) subspace(ctx context.Context, k int) error {
	r.rows = r.rows[:0]
	for i := r.Start[k]; i < r.Start[k+1]; i++ {
		r.rows = append(r.rows, i)
	}
	r.front = append(r.front[:0], r.sieve.front(r.f, r.rows)...)
	for n, i := range r.front {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		p := r.Order[i]
		r.Local[p], r.Parent[p] = true, None
		if !r.Global[p] {
			r.normalised(i)
			r.ToFront[p] = math.Sqrt(r.global.any(r.x, math.Inf(1)))
		}
	}
	if len(r.front) == len(r.rows) {
		return ctx.Err()
	}
	r.local.build(r.norm, r.f, r.front)
	for n, i := range r.rows {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if p := r.Order[i]; !r.Local[p] {
			r.dominated(i, p)
		}
	}
	return nil
}

// dominated places one non-Pareto point, p at position i.
func (r *relatives) dominated(i, p int32) {
	r.normalised(i)
	at, square := r.local.dominating(r.x, r.f, i)
	parent := r.Order[at]
	r.Parent[p], r.ToParent[p] = parent, math.Sqrt(square)
	// The front is not farther than by way of the parent, which leaves little to search.
	detour := r.ToParent[p] + r.ToFront[parent]
	r.ToFront[p] = math.Sqrt(r.global.any(r.x, detour*detour*(1+1e-9)+math.SmallestNonzeroFloat64))
}

// normalised puts the normalised objectives of the point at position i into x.
func (r *relatives) normalised(i int32) {
	for j := range r.x {
		r.x[j] = r.norm[j][i]
	}
}

// marked appends those of points that are marked.
func marked(points []int32, mark []bool, to []int32) []int32 {
	for _, p := range points {
		if mark[p] {
			to = append(to, p)
		}
	}
	return to
}

package dse

import (
	"context"
	"math"
)

// fronts finds GP (5) and every LP_i (7).
func (s *Space) fronts(ctx context.Context) error {
	s.Global, s.Local = make([]bool, s.N), make([]bool, s.N)
	for _, p := range Front(s.F, s.Order) {
		s.Global[p] = true
	}
	var v sieve
	for k := range s.Combos {
		if k%1000 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for _, p := range v.front(s.F, s.Points(k)) {
			s.Local[p] = true
		}
	}
	return nil
}

// parents finds the parent of each non-Pareto point (9) and its distances.
func (s *Space) parents(ctx context.Context) error {
	s.Parent, s.ToParent, s.ToFront = make([]int32, s.N), make([]float64, s.N), make([]float64, s.N)
	if len(s.F) == 0 {
		for p := range s.Parent {
			s.Parent[p] = None
		}
		return nil
	}
	var local, global nearest
	global.build(s.Norm, nil, marked(s.Order, s.Global, nil))
	x := make([]float64, len(s.F))
	var locals []int32
	for k := range s.Combos {
		points := s.Points(k)
		locals = marked(points, s.Local, locals[:0])
		if len(locals) < len(points) {
			local.build(s.Norm, s.F, locals)
		}
		for i, p := range points {
			if i%4096 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			s.Parent[p] = None
			if s.Global[p] {
				continue
			}
			for j := range x {
				x[j] = s.Norm[j][p]
			}
			s.ToFront[p] = math.Sqrt(global.any(x))
			if !s.Local[p] {
				parent, square := local.dominating(x, s.F, p)
				s.Parent[p], s.ToParent[p] = parent, math.Sqrt(square)
			}
		}
	}
	return nil
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

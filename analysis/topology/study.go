package topology

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// study is what a finished analysis remembers to compute one class again: the distances, the thinned complex and the
// log of what was taken out of it. The networks of the levels are as large as the distances, so that only the last one
// is kept.
type study struct {
	a      *assembly
	cloud  *cloud // nil for points and matrices
	mu     sync.Mutex
	solver *solver
}

// Scales gives the scales, ascending, at which At can compute the parameterization of a rank: all distances that occur
// from its birth to before its death. It is nil for ranks without a parameterization.
func (r *Result) Scales(rank int) []float64 {
	c := r.ranked(rank)
	if c == nil {
		return nil
	}
	return r.study.a.s.value[c.birth : r.study.a.last(c.class)+1]
}

// At computes the parameterization of a rank once more, at the largest scale of its life that is not above the given
// one (the smallest, if all are): the angles change, the class remains. It is the sum of the same classes as at the
// scale of the analysis, so that a slider does not jump to another motion. Several goroutines may ask.
func (r *Result) At(ctx context.Context, rank int, scale float64) (*Parameterization, error) {
	c := r.ranked(rank)
	if c == nil {
		return nil, &Error{BadOption, fmt.Sprintf("there is no parameterization of rank %d", rank),
			fmt.Sprintf("this analysis has %d", len(r.Parameterizations))}
	}
	s := r.study
	s.mu.Lock()
	defer s.mu.Unlock()
	level := s.a.levelAt(c.class, scale)
	if s.solver == nil || s.solver.g.level != level {
		g := s.a.s.network(level, s.a.log)
		var err error
		if s.solver, err = g.solver(ctx, g.edgeWeights(s.a.opt.Weights, s.a.s.times()), 1); err != nil {
			s.solver = nil
			return nil, err
		}
	}
	g, prime := s.solver.g, 0
	h := &harmonic{g: g, c: make([]int32, len(g.lo))}
	for _, part := range c.mix {
		value, p, err := s.a.lift(ctx, part.ranked, level, false)
		if err != nil {
			return nil, err
		}
		if value == nil {
			return nil, &Error{NoClass, fmt.Sprintf("the class [%g, %g) has no integer cocycle at scale %g", c.bar.Birth,
				c.bar.Death, s.a.s.value[level]),
				"choose a scale nearer to its birth"}
		}
		if part.edge == c.edge {
			prime = p
		}
		s.a.place(h, value, part.times)
	}
	g.extend(h.c)
	var err error
	if h.f, err = s.solver.potential(ctx, h.c, s.a.opt.digits()); err != nil {
		return nil, err
	}
	triangles, _, bad := g.verify(h.c)
	if bad != nil {
		return nil, fmt.Errorf("the cocycle of class [%g, %g) does not close around points %v",
			c.bar.Birth, c.bar.Death, *bad)
	}
	p := s.a.s.unwind(h, s.a.opt.Amble)
	p.Rank, p.Birth, p.Death, p.Infinite, p.DuplicateOf = rank, c.bar.Birth, c.bar.Death, c.bar.Infinite, c.p.DuplicateOf
	p.Scale, p.Triangles, p.Prime = s.a.s.value[level], triangles, prime
	return &p, nil
}

// Rescaled is the result with the parameterization of a rank computed at another scale, as by At. All else is shared.
func (r *Result) Rescaled(ctx context.Context, rank int, scale float64) (*Result, error) {
	p, err := r.At(ctx, rank, scale)
	if err != nil {
		return nil, err
	}
	out := *r
	out.Parameterizations = slices.Clone(r.Parameterizations)
	for i := range out.Parameterizations {
		if out.Parameterizations[i].Rank == rank {
			out.Parameterizations[i] = *p
		}
	}
	return &out, nil
}

// ranked gives the class behind a parameterization, nil if the rank has none.
func (r *Result) ranked(rank int) *ranked {
	if r.study == nil || rank < 1 || rank > len(r.study.a.ranked) || r.study.a.ranked[rank-1].p == nil {
		return nil
	}
	return &r.study.a.ranked[rank-1]
}

// place adds a multiple of an integer cocycle of the thinned complex to h.
func (a *assembly) place(h *harmonic, value []int32, times int32) {
	for e, v := range value {
		if v != 0 {
			h.c[h.g.find(a.f.lo[e], a.f.hi[e])] += times * v
		}
	}
}

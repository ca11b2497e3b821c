package dse

import "context"

// Space is an evaluated design space: a Set and what follows from it. It is not changed after New.
type Space struct {
	*Set

	F      [][]float64 // by objective, of each point, smaller is better (maximised ones have their sign changed)
	Norm   [][]float64 // F normalised to [0, 1] over all points (Def. 6)
	Extent []Extent    // of F, by objective

	// by subspace Sub_i (6), the value of each parameter; in lexicographic order, feasible ones without points too
	Combos   [][]int32
	Subspace []int32 // of each point, an index into Combos
	Start    []int32 // points of subspace k are Order[Start[k]:Start[k+1]]
	Order    []int32 // point numbers by subspace, growing within each

	Global []bool // GP (5), of each point
	Local  []bool // LP (7), of each point; true wherever Global is (8)
	// of each non-Pareto point (9) its nearest dominating local Pareto point of the subspace, the lowest number among
	// equals; None for the others
	Parent   []int32
	ToParent []float64 // distance to Parent on normalised objectives (Def. 5); 0 without one
	ToFront  []float64 // distance to the nearest point of GP on normalised objectives

	UpTo int32 // the generation as of which all this is so (AsOf); None for all of them

	Uneven []Uneven // architecture-dependent objectives that differ within a subspace, against (11)
}

// Uneven says that two points of one subspace differ in an objective that should depend on the architecture only.
type Uneven struct {
	Objective int
	Subspace  int32
	A, B      int32 // two points that differ
}

// New finds fronts, local fronts, parents and distances of a set. The error is that of ctx.
func New(ctx context.Context, set *Set) (*Space, error) {
	s := &Space{Set: set, UpTo: None}
	for i := range set.Objectives {
		f := minimised(&set.Objectives[i])
		e := extent(f)
		norm := make([]float64, len(f))
		for p, x := range f {
			norm[p] = e.Norm(x)
		}
		s.F, s.Norm, s.Extent = append(s.F, f), append(s.Norm, norm), append(s.Extent, e)
	}
	s.group()
	if err := s.fronts(ctx); err != nil {
		return nil, err
	}
	s.uneven()
	return s, ctx.Err()
}

// AsOf is the space as the search knew it in generation g: fronts, local fronts, parents and distances of the points
// that were found until then, of which those of unknown generation are part from the beginning. Points that were found
// later keep their numbers and values but are Unclassed and in no subspace's Points; extents and normalised values stay
// those of all points, so that pictures of two generations can be compared. A negative g gives s itself, as does a
// table without generations.
func (s *Space) AsOf(ctx context.Context, g int32) (*Space, error) {
	if g < 0 || !s.Generations.Known() {
		return s, ctx.Err()
	}
	then := &Space{Set: s.Set, UpTo: g, F: s.F, Norm: s.Norm, Extent: s.Extent, Combos: s.Combos,
		Subspace: s.Subspace, Uneven: s.Uneven}
	then.Start = make([]int32, 1, len(s.Start))
	then.Order = make([]int32, 0, len(s.Order))
	for k := range s.Combos {
		for _, p := range s.Points(k) {
			if s.Generations.First(int(p)) <= g {
				then.Order = append(then.Order, p)
			}
		}
		then.Start = append(then.Start, int32(len(then.Order)))
	}
	if err := then.fronts(ctx); err != nil {
		return nil, err
	}
	return then, ctx.Err()
}

// group sorts the points by subspace.
func (s *Space) group() {
	s.Combos, s.Subspace = subspaces(s.Set)
	s.Start = make([]int32, len(s.Combos)+1)
	for _, k := range s.Subspace {
		s.Start[k+1]++
	}
	for k := range s.Combos {
		s.Start[k+1] += s.Start[k]
	}
	s.Order = make([]int32, s.N)
	next := append([]int32(nil), s.Start...)
	for p, k := range s.Subspace {
		s.Order[next[k]] = int32(p)
		next[k]++
	}
}

// Points are the points of subspace k, growing.
func (s *Space) Points(k int) []int32 { return s.Order[s.Start[k]:s.Start[k+1]] }

// Class is the class of a point, with High beyond the given distance from its parent (10); Unclassed when it was not
// found yet.
func (s *Space) Class(p int32, threshold float64) Class {
	switch {
	case s.Global[p]:
		return Global
	case s.Local[p]:
		return Local
	case s.Parent[p] == None:
		return Unclassed
	case s.ToParent[p] > threshold:
		return High
	}
	return Low
}

// Covered is the number of subspaces with at least one point.
func (s *Space) Covered() int {
	n := 0
	for k := range s.Combos {
		if s.Start[k] < s.Start[k+1] {
			n++
		}
	}
	return n
}

// uneven checks (11): an architecture-dependent objective has one value within a subspace.
func (s *Space) uneven() {
	for j := range s.Objectives {
		if !s.Objectives[j].Architecture {
			continue
		}
		for k := range s.Combos {
			points := s.Points(k)
			for i := 1; i < len(points); i++ {
				if s.F[j][points[i]] != s.F[j][points[0]] {
					s.Uneven = append(s.Uneven, Uneven{j, int32(k), points[0], points[i]})
					break
				}
			}
		}
	}
}

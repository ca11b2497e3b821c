// Package dse gives evaluated design points their meaning. In goes a designs.Set (from a file or from a running
// search); out come dominance, fronts, distances and metrics, the VMODEX tree with its layout, filters, aggregates and
// comparisons of subspaces. Everything is columns over points or over nodes of the tree, for a million points are to be
// filtered and redrawn in one frame.
//
// The paper is T. Taghavi, A. D. Pimentel, M. Sabeghi, VMODEX: a novel visualization tool for rapid analysis of
// heuristic-based multi-objective design space exploration of heterogeneous MPSoC architectures. Its definitions and
// where they are:
//
//	Def. 2, Dominates, WeaklyDominates      Def. 3-4, (5)  Front, Space.Global
//	Def. 5, Distance                        Def. 6         Space.Norm
//	(2)     NewTree: the levels             (4), (10)      Node kinds of the design point segment
//	(6)     Space.Subspace                  (7)            Space.Local, (8): Global is within Local
//	(9)     Space.Parent                    (11)           Space.Uneven
//	(12)    Space.Coverage                  (13)-(15)      Comparison.TC
//	7.3     Hypervolume                     7.4            Space.Frequency
//	4.3     Tree.Edges                      4.4            Tree.First
//	5.2     Tree.Layout                     5.3            Filter
//	5.4     Filter.Generation, Tree.Fresh, Space.AsOf
package dse

import (
	"math"
	"slices"
	"sort"

	"orrery/traceio/designs"
)

// The records of a table of designs.
type (
	Set         = designs.Set
	Parameter   = designs.Parameter
	Objective   = designs.Objective
	Secondary   = designs.Secondary
	Generations = designs.Generations
	Platform    = designs.Platform
	Mapping     = designs.Mapping
)

// None marks a point without a parent, a node without a point and so on.
const None = int32(-1)

// DefaultThreshold parts Low from High points (10) until the designer chooses: a tenth of the range of one objective.
const DefaultThreshold = 0.1

// Class is the level of the design point segment (4) at which a point stands.
type Class uint8

// The classes. A filter hides points and changes no class.
const (
	Unclassed Class = iota // no data
	Global                 // GP (5): dominated by nobody
	Local                  // LP - GP (7): dominated by nobody in its subspace
	Low                    // NP (9), not farther from its parent than the threshold (10)
	High                   // NP (9), farther
)

// String gives "global", "local", "low", "high" or "none".
func (c Class) String() string {
	return [...]string{"none", "global", "local", "low", "high"}[min(c, High)]
}

// Dominates tells whether a dominates b (Def. 2): nowhere worse and somewhere better. Smaller is better.
func Dominates(a, b []float64) bool {
	better := false
	for i, x := range a {
		if x > b[i] {
			return false
		}
		better = better || x < b[i]
	}
	return better
}

// WeaklyDominates tells whether a is nowhere worse than b (Def. 2, condition 1).
func WeaklyDominates(a, b []float64) bool {
	for i, x := range a {
		if x > b[i] {
			return false
		}
	}
	return true
}

// Extent is the range of one objective over all points.
type Extent struct{ Min, Max float64 }

// Norm is the min-max normalisation (Def. 6) of x; an objective that never varies normalises to 0.
func (e Extent) Norm(x float64) float64 {
	if d := e.Max - e.Min; d > 0 && !math.IsInf(d, 0) {
		return (x - e.Min) / d
	} else if d > 0 { // the range does not fit a float64
		return (x/2 - e.Min/2) / (e.Max/2 - e.Min/2)
	}
	return 0
}

// minimised is the objective as dominance sees it: maximised ones change their sign (paper, section 2.2).
func minimised(o *Objective) []float64 {
	if !o.Maximise {
		return o.Values
	}
	out := make([]float64, len(o.Values))
	for i, x := range o.Values {
		out[i] = -x
	}
	return out
}

func extent(f []float64) Extent {
	if len(f) == 0 {
		return Extent{}
	}
	return Extent{slices.Min(f), slices.Max(f)}
}

// subspaces numbers the combinations of all parameters (6), those in feasible too, in lexicographic order of their
// values; of each point it gives the number.
func subspaces(s *Set) (combos [][]int32, of []int32) {
	n := len(s.Parameters)
	of = make([]int32, s.N)
	seen := map[string]int32{}
	key := make([]byte, 4*n)
	number := func(value func(j int) int32) int32 {
		for j := range n {
			v := uint32(value(j))
			key[4*j], key[4*j+1], key[4*j+2], key[4*j+3] = byte(v>>24), byte(v>>16), byte(v>>8), byte(v)
		}
		if k, ok := seen[string(key)]; ok {
			return k
		}
		k := int32(len(combos))
		combo := make([]int32, n)
		for j := range combo {
			combo[j] = value(j)
		}
		seen[string(key)] = k
		combos = append(combos, combo)
		return k
	}
	for _, c := range s.Feasible {
		number(func(j int) int32 { return c[j] })
	}
	for i := range s.N {
		of[i] = number(func(j int) int32 { return s.Parameters[j].At[i] })
	}
	order := make([]int32, len(combos))
	for k := range order {
		order[k] = int32(k)
	}
	sort.Slice(order, func(a, b int) bool { return slices.Compare(combos[order[a]], combos[order[b]]) < 0 })
	rank := make([]int32, len(order))
	sorted := make([][]int32, len(order))
	for k, o := range order {
		rank[o], sorted[k] = int32(k), combos[o]
	}
	for i := range of {
		of[i] = rank[of[i]]
	}
	return sorted, of
}

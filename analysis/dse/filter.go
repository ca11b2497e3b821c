package dse

import (
	"cmp"
	"math"
	"slices"

	"orrery/traceio/designs"
)

// Show is which of the passing points a filter's result has (D11).
type Show uint8

// The results of a filter.
const (
	ShowAll Show = iota
	ShowLocal
	ShowGlobal
)

// Filter is a conjunction of criteria (D11), one set of points each; what is changed is computed anew and the rest only
// combined, word by word. It hides points and changes no class. A Filter is for one goroutine.
type Filter struct {
	space    *Space
	criteria []criterion
	allowed  [][]bool
	show     Show
	result   *Bits
	upTo     int32
}

// criterion is one entry of the conjunction; those of one kind and index replace each other.
type criterion struct {
	kind  criterionKind
	index int
	set   *Bits
}

type criterionKind uint8

const (
	byRange criterionKind = iota
	byNorm
	byParameter
	byDistance
	byGeneration
	byMapping
)

// NewFilter lets all points pass.
func NewFilter(s *Space) *Filter {
	return &Filter{space: s, allowed: make([][]bool, len(s.Parameters)), upTo: None}
}

// put sets or replaces a criterion; a nil set takes it away.
func (f *Filter) put(kind criterionKind, index int, fill func(b *Bits)) {
	f.result = nil
	i := slices.IndexFunc(f.criteria, func(c criterion) bool { return c.kind == kind && c.index == index })
	if fill == nil {
		if i >= 0 {
			f.criteria = slices.Delete(f.criteria, i, i+1)
		}
		return
	}
	if i < 0 {
		i = len(f.criteria)
		f.criteria = append(f.criteria, criterion{kind, index, NewBits(f.space.N)})
	}
	fill(f.criteria[i].set)
}

// Range keeps points whose objective, as evaluated, lies in [low, high]; infinite bounds on both sides take the
// criterion away.
func (f *Filter) Range(objective int, low, high float64) {
	f.within(byRange, objective, f.space.Objectives[objective].Values, low, high)
}

// Normalised keeps points whose normalised objective lies in [low, high].
func (f *Filter) Normalised(objective int, low, high float64) {
	f.within(byNorm, objective, f.space.Norm[objective], low, high)
}

// Distance keeps points whose distance to the global Pareto set lies in [low, high].
func (f *Filter) Distance(low, high float64) {
	f.within(byDistance, 0, f.space.ToFront, low, high)
}

func (f *Filter) within(kind criterionKind, index int, column []float64, low, high float64) {
	if math.IsInf(low, -1) && math.IsInf(high, 1) {
		f.put(kind, index, nil)
		return
	}
	f.put(kind, index, func(b *Bits) { b.keep(column, low, high) })
}

// Parameter keeps points with an allowed value of a parameter, allowed having one entry a value; nil allows all.
func (f *Filter) Parameter(parameter int, allowed []bool) {
	f.allowed[parameter] = slices.Clone(allowed)
	if allowed == nil {
		f.put(byParameter, parameter, nil)
		return
	}
	at := f.space.Parameters[parameter].At
	f.put(byParameter, parameter, func(b *Bits) { b.where(func(p int) bool { return allowed[at[p]] }) })
}

// Generation keeps points that were found in a generation up to g (D12); a negative g takes the criterion away. Points
// of unknown generation are there from the beginning.
func (f *Filter) Generation(g int32) {
	f.upTo = g
	if g < 0 {
		f.upTo = None
		f.put(byGeneration, 0, nil)
		return
	}
	gens := &f.space.Generations
	f.put(byGeneration, 0, func(b *Bits) { b.where(func(p int) bool { return gens.First(p) <= g }) })
}

// Mapping keeps points that satisfy all of the constraints; none takes the criterion away. Without a mapping no point
// satisfies any.
func (f *Filter) Mapping(constraints ...Constraint) {
	if len(constraints) == 0 {
		f.put(byMapping, 0, nil)
		return
	}
	f.put(byMapping, 0, func(b *Bits) {
		b.where(func(p int) bool {
			for i := range constraints {
				if !constraints[i].Holds(f.space.Set, p) {
					return false
				}
			}
			return true
		})
	})
}

// Show chooses the result: all passing points, or only local or global Pareto points among them.
func (f *Filter) Show(s Show) {
	f.show = s
	f.result = nil
}

// Active tells whether anything can be hidden.
func (f *Filter) Active() bool { return len(f.criteria) > 0 || f.show != ShowAll }

// Pass is the set of points that pass. It is good until the filter changes and must not be written to.
func (f *Filter) Pass() *Bits {
	if f.result != nil {
		return f.result
	}
	f.result = NewBits(f.space.N)
	f.result.Fill()
	for _, c := range f.criteria {
		f.result.And(c.set)
	}
	if of := (map[Show][]bool{ShowLocal: f.space.Local, ShowGlobal: f.space.Global})[f.show]; of != nil {
		b := NewBits(f.space.N)
		b.where(func(p int) bool { return of[p] })
		f.result.And(b)
	}
	return f.result
}

// ConstraintKind is what a mapping constraint asks for (paper, 5.3).
type ConstraintKind uint8

// The kinds of mapping constraint. "Not on one processor" has two readings for more than two processes; the case study
// needs the first.
const (
	Together       ConstraintKind = iota // all on one processor, of whatever type
	Apart                                // no two of them on one processor
	NotAllTogether                       // not all on one processor
	OnType                               // each on a processor of the type
)

// Constraint is one condition on the mapping. A process that the table does not bind satisfies none.
type Constraint struct {
	Kind      ConstraintKind
	Processes []int // indexes into Platform.Processes
	Type      string
}

// Holds tells whether point p satisfies the constraint.
func (c *Constraint) Holds(s *Set, p int) bool {
	if s.Mapping == nil || s.Platform == nil {
		return false
	}
	same, different := true, true
	first := designs.Unmapped
	for i, process := range c.Processes {
		on := s.Mapping.Process[process][p]
		if on == designs.Unmapped || c.Kind == OnType && s.Platform.Component(int(on)).Type != c.Type {
			return false
		}
		if i == 0 {
			first = on
		}
		same = same && on == first
		for _, other := range c.Processes[:i] {
			different = different && s.Mapping.Process[other][p] != on
		}
	}
	switch c.Kind {
	case Together:
		return same
	case Apart:
		return different
	case NotAllTogether:
		return !same
	}
	return true
}

// Passing counts, for each node, the passing points at or below it; nil lets all pass. The memory of to is used again.
func (t *Tree) Passing(pass *Bits, to []int32) []int32 {
	to = slices.Grow(to[:0], t.Len())[:t.Len()]
	if pass == nil {
		copy(to, t.Points)
		return to
	}
	for level := len(t.Levels) - 1; level >= 0; level-- {
		from, end := t.Start[level], t.Start[level+1]
		row := to[from:end]
		clear(row)
		if t.points(level) {
			for i, p := range t.Item[from:end] {
				row[i] = int32(pass.words[p>>6] >> (p & 63) & 1)
			}
		}
		if level+1 == len(t.Levels) {
			continue
		}
		for i, first := range t.Child[from:end] {
			n := row[i]
			for _, below := range to[max(first, 0):][:t.Children[int(from)+i]] {
				n += below
			}
			row[i] = n
		}
	}
	return to
}

// Fresh gives the nodes that blink at generation g (D12), growing: those of points found first in it, and all above
// them that had no point before.
func (t *Tree) Fresh(g int32) []int32 {
	var out []int32
	for p, v := range t.Of {
		of := t.Space.Generations.Of(p)
		if len(of) == 0 || of[0] != g || v == None {
			continue
		}
		out = append(out, v)
		for up := t.Parent[v]; up != None && (t.First[up] == g || t.Kind[up] == GlobalNode); up = t.Parent[up] {
			if t.Kind[up] != DistanceNode && t.Kind[up] != RelationNode && t.Kind[up] != LocalNode {
				out = append(out, up)
			}
		}
	}
	slices.SortFunc(out, cmp.Compare[int32])
	return slices.Compact(out)
}

// Below counts the nodes of a list that are v or lie below it, for collapsed nodes whose hidden parts blink.
func (t *Tree) Below(v int32, nodes []int32) (n int) {
	for _, u := range nodes {
		for ; u != None && u > v; u = t.Parent[u] {
		}
		if u == v {
			n++
		}
	}
	return n
}

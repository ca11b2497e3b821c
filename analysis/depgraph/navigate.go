package depgraph

import "slices"

// Set is the set S of nodes that are shown fully, as their IDs in ascending order. It is a value: every change makes a
// new one, so that a history of them can be gone back through.
type Set []string

// NewSet makes a set of IDs in any order.
func NewSet(ids ...string) Set {
	s := slices.Clone(ids)
	slices.Sort(s)
	return slices.Compact(s)
}

// Has reports whether a node is in the set.
func (s Set) Has(id string) bool {
	_, ok := slices.BinarySearch(s, id)
	return ok
}

// Toggle is what a double click does: a member leaves, any other node joins.
func (s Set) Toggle(id string) Set {
	at, ok := slices.BinarySearch(s, id)
	next := slices.Clone(s)
	if ok {
		return slices.Delete(next, at, at+1)
	}
	return slices.Insert(next, at, id)
}

// With adds nodes.
func (s Set) With(ids ...string) Set { return NewSet(append(slices.Clone(ids), s...)...) }

// Without takes nodes away.
func (s Set) Without(ids ...string) Set {
	gone := NewSet(ids...)
	return slices.DeleteFunc(slices.Clone(s), gone.Has)
}

// Direction says which neighbours are meant.
type Direction uint8

const (
	Predecessors Direction = 1 << iota
	Successors
	Both = Predecessors | Successors
)

// Grow adds the neighbours of the given nodes, or of all of the set when none is given.
func (s Set) Grow(g *Graph, d Direction, of ...string) Set {
	from := s
	if len(of) > 0 {
		from = NewSet(of...)
	}
	_, member := members(g, from)
	var more []string
	for _, e := range g.Edges {
		if member[e.From] && d&Successors != 0 {
			more = append(more, g.Nodes[e.To].ID)
		}
		if member[e.To] && d&Predecessors != 0 {
			more = append(more, g.Nodes[e.From].ID)
		}
	}
	return s.With(more...)
}

// members finds the nodes of a set, as numbers and as marks.
func members(g *Graph, s Set) ([]int32, []bool) {
	mark := make([]bool, len(g.Nodes))
	var all []int32
	for v := range g.Nodes {
		if s.Has(g.Nodes[v].ID) {
			mark[v] = true
			all = append(all, int32(v))
		}
	}
	return all, mark
}

// Shown are the nodes of a graph that a set shows: its members and, semi-transparent, the nodes that an edge joins to
// one of them. Both ascending.
func (s Set) Shown(g *Graph) (full, faint []int32) {
	full, member := members(g, s)
	near := make([]bool, len(g.Nodes))
	for _, e := range g.Edges {
		if member[e.From] != member[e.To] {
			near[e.From], near[e.To] = true, true
		}
	}
	for v := range near {
		if near[v] && !member[v] {
			faint = append(faint, int32(v))
		}
	}
	return full, faint
}

// Extract is the part of a graph that a set shows, and for each node of it whether it is only a neighbour. Edges
// between two neighbours are left out, as neither end is in the set, except those of a pointer chase, which is none
// without them.
func (s Set) Extract(g *Graph) (*Graph, []bool) {
	full, faint := s.Shown(g)
	keep, in := make([]bool, len(g.Nodes)), make([]bool, len(g.Nodes))
	for _, v := range full {
		keep[v], in[v] = true, true
	}
	for _, v := range faint {
		keep[v] = true
	}
	part := g.Clone()
	if part.whole == nil {
		part.whole = g
	}
	chase := FindChase(g).Edges
	part.Edges = part.Edges[:0]
	for i, e := range g.Edges {
		if in[e.From] || in[e.To] || chase[i] && keep[e.From] && keep[e.To] {
			part.Edges = append(part.Edges, e)
		}
	}
	part.Keep(keep)
	only := make([]bool, 0, len(part.Nodes))
	for v := range keep {
		if keep[v] {
			only = append(only, !in[v])
		}
	}
	return part, only
}

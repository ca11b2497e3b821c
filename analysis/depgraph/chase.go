package depgraph

import (
	"strings"

	"orrery/traceio/irgraph"
)

// Chase marks the pointer chases of a graph: cycles on which a phi passes an address to a load and the load's result,
// perhaps after some arithmetic, comes back to the phi. Each round must wait for the load of the one before.
//
//	+-> phi --> load --+     p = p.next
//	+------------------+
type Chase struct {
	Nodes []bool // by node: it is on such a cycle
	Edges []bool
	Count int // marked nodes
}

// FindChase finds the pointer chases of a graph. Only edges along which values go count; a cycle that needs a memory,
// effect or control edge is no chase, and neither is a load whose value the loop only adds up. In an extract
// (Set.Extract) what lies on a cycle of the whole graph is marked, though not all of the cycle is in view.
func FindChase(g *Graph) *Chase {
	if g.whole != nil {
		return FindChase(g.whole).of(g.whole, g)
	}
	c := &Chase{Nodes: make([]bool, len(g.Nodes)), Edges: make([]bool, len(g.Edges))}
	part := components(len(g.Nodes), func(follow func(from, to int32)) {
		for i := range g.Edges {
			if g.CarriesValue(&g.Edges[i]) {
				follow(g.Edges[i].From, g.Edges[i].To)
			}
		}
	})
	phi, load := map[int32]bool{}, map[int32]bool{}
	for v := range g.Nodes {
		p := g.Nodes[v].Properties
		phi[part[v]] = phi[part[v]] || p.Get(irgraph.KeyCategory) == "phi"
		load[part[v]] = load[part[v]] || strings.HasPrefix(p.Get(irgraph.KeyAccess), "load")
	}
	for i := range g.Edges {
		e := &g.Edges[i]
		in := part[e.From]
		if in == part[e.To] && phi[in] && load[in] && g.CarriesValue(e) {
			c.Edges[i], c.Nodes[e.From], c.Nodes[e.To] = true, true, true
		}
	}
	c.count()
	return c
}

func (c *Chase) count() {
	for _, on := range c.Nodes {
		if on {
			c.Count++
		}
	}
}

// of is what a graph's chase marks in a part of it.
func (c *Chase) of(whole, part *Graph) *Chase {
	type ends struct {
		from, to         string
		fromSlot, toSlot int32
	}
	where := func(g *Graph, e *Edge) ends { return ends{g.Nodes[e.From].ID, g.Nodes[e.To].ID, e.FromSlot, e.ToSlot} }
	nodes, edges := map[string]bool{}, map[ends]bool{}
	for v, on := range c.Nodes {
		if on {
			nodes[whole.Nodes[v].ID] = true
		}
	}
	for i, on := range c.Edges {
		if on {
			edges[where(whole, &whole.Edges[i])] = true
		}
	}
	out := &Chase{Nodes: make([]bool, len(part.Nodes)), Edges: make([]bool, len(part.Edges))}
	for v := range part.Nodes {
		out.Nodes[v] = nodes[part.Nodes[v].ID]
	}
	for i := range part.Edges {
		out.Edges[i] = edges[where(part, &part.Edges[i])]
	}
	out.count()
	return out
}

// CarriesValue reports whether an edge carries a value that an address can be made of. The first input of an
// instruction that loads and adds in one, the sum so far, is none, and neither is a condition.
func (g *Graph) CarriesValue(e *Edge) bool {
	from, to := &g.Nodes[e.From], &g.Nodes[e.To]
	if e.ToSlot == 0 && accumulates(to) || from.Properties.Get(irgraph.KeyCategory) == "control" ||
		to.Properties.Get(irgraph.KeyCategory) == "control" {
		return false
	}
	kind := strings.ToLower(e.Properties.Get(irgraph.KeyType))
	for _, other := range []string{"memory", "control", "effect", "frame", "successor", "association"} {
		if strings.Contains(kind, other) {
			return false
		}
	}
	return true
}

// accumulates reports whether a node adds, or the like, what it loads from the address in its second input to its first
// input, as ADDQload and MULSDloadidx8 of Go's compiler do.
func accumulates(n *Node) bool {
	name := n.Name()
	op, _, found := strings.Cut(name, "load")
	if !found || n.Properties.Get(irgraph.KeyAccess) != "load" {
		return false
	}
	for _, prefix := range []string{"ADD", "SUB", "MUL", "DIV", "AND", "OR", "XOR"} {
		if strings.HasPrefix(op, prefix) {
			return true
		}
	}
	return false
}

// components numbers the strongly connected components of a directed graph by node (R. Tarjan, "Depth-first search and
// linear graph algorithms", 1972), without recursion. edges calls its argument for each edge.
func components(n int, edges func(follow func(from, to int32))) []int32 {
	first := make([]int32, n+1)
	edges(func(from, _ int32) { first[from+1]++ })
	for v := range n {
		first[v+1] += first[v]
	}
	next := make([]int32, first[n])
	fill := append([]int32(nil), first...)
	edges(func(from, to int32) { next[fill[from]] = to; fill[from]++ })

	part, order, low := make([]int32, n), make([]int32, n), make([]int32, n)
	for v := range part {
		part[v] = -1
	}
	at := append([]int32(nil), first[:n]...) // the next edge of each node to follow
	var way, open []int32
	count, parts := int32(0), int32(0)
	for root := range int32(n) {
		if order[root] != 0 {
			continue
		}
		way = append(way, root)
		for len(way) > 0 {
			v := way[len(way)-1]
			if order[v] == 0 {
				count++
				order[v], low[v] = count, count
				open = append(open, v)
			}
			if at[v] < first[v+1] {
				w := next[at[v]]
				at[v]++
				switch {
				case order[w] == 0:
					way = append(way, w)
				case part[w] < 0:
					low[v] = min(low[v], order[w])
				}
				continue
			}
			way = way[:len(way)-1]
			if len(way) > 0 {
				up := way[len(way)-1]
				low[up] = min(low[up], low[v])
			}
			if low[v] < order[v] {
				continue
			}
			for w := int32(-1); w != v; {
				w = open[len(open)-1]
				open = open[:len(open)-1]
				part[w] = parts
			}
			parts++
		}
	}
	return part
}

package filter

import (
	"slices"
	"strconv"

	"orrery/analysis/depgraph"
	"orrery/traceio/irgraph"
)

// most is how many edges a filter may make.
const most = 1 << 20

// bypass removes the marked nodes and connects their inputs with their uses, so that what was connected through them
// stays connected. It does nothing and gives false when that would make too many edges.
func bypass(g *depgraph.Graph, mark []bool) bool {
	out := make([][]int32, len(g.Nodes))
	for e, x := range g.Edges {
		out[x.From] = append(out[x.From], int32(e))
	}
	var more []depgraph.Edge
	seen := make([]int32, len(g.Nodes))
	for e, x := range g.Edges {
		if mark[x.From] || !mark[x.To] {
			continue
		}
		work := []int32{x.To}
		seen[x.To] = int32(e) + 1
		for len(work) > 0 {
			v := work[len(work)-1]
			work = work[:len(work)-1]
			for _, f := range out[v] {
				y := g.Edges[f]
				switch {
				case !mark[y.To]:
					y.From, y.FromSlot, y.Of = x.From, x.FromSlot, -1
					if more = append(more, y); len(more) > most {
						return false
					}
				case seen[y.To] != int32(e)+1:
					seen[y.To] = int32(e) + 1
					work = append(work, y.To)
				}
			}
		}
	}
	g.Edges = append(g.Edges, more...)
	drop(g, mark)
	return true
}

// drop removes the marked nodes and their edges.
func drop(g *depgraph.Graph, mark []bool) {
	keep := make([]bool, len(mark))
	for v := range mark {
		keep[v] = !mark[v]
	}
	g.Keep(keep)
}

// join merges nodes: into[v] is the node that v becomes part of, itself when it stays. Edges between parts of one node
// disappear; output slots of a part follow those the whole had before, input slots likewise, so that no two edges share
// one by accident.
func join(g *depgraph.Graph, into []int32) {
	inputs, outputs := make([]int32, len(g.Nodes)), make([]int32, len(g.Nodes))
	firstIn, firstOut := make([]int32, len(g.Nodes)), make([]int32, len(g.Nodes))
	for v := range g.Nodes {
		if into[v] == int32(v) {
			inputs[v], outputs[v] = g.Nodes[v].Inputs, g.Nodes[v].Outputs
		}
	}
	keep := make([]bool, len(g.Nodes))
	for v := range g.Nodes {
		w := into[v]
		if keep[v] = w == int32(v); keep[v] {
			continue
		}
		n, whole := &g.Nodes[v], &g.Nodes[w]
		firstIn[v], firstOut[v] = inputs[w], outputs[w]
		inputs[w] += n.Inputs
		outputs[w] += n.Outputs
		whole.Of = append(whole.Of[:len(whole.Of):len(whole.Of)], n.Of...)
	}
	edges := g.Edges[:0]
	for _, e := range g.Edges {
		a, b := into[e.From], into[e.To]
		if a == b && e.From != e.To {
			continue
		}
		e.FromSlot += firstOut[e.From]
		e.ToSlot += firstIn[e.To]
		e.From, e.To = a, b
		edges = append(edges, e)
	}
	clear(g.Edges[len(edges):])
	g.Edges = edges
	g.Keep(keep)
	compactSlots(g)
}

// compactSlots numbers the slots that have edges anew, so that none is left empty.
func compactSlots(g *depgraph.Graph) {
	type slot struct{ node, slot int32 }
	renumber := func(of func(*depgraph.Edge) (int32, *int32)) {
		var all []slot
		for i := range g.Edges {
			v, s := of(&g.Edges[i])
			all = append(all, slot{v, *s})
		}
		slices.SortFunc(all, func(a, b slot) int {
			if a.node != b.node {
				return int(a.node - b.node)
			}
			return int(a.slot - b.slot)
		})
		number := make(map[slot]int32, len(all))
		for i, s := range all {
			switch {
			case i == 0 || all[i-1].node != s.node:
				number[s] = 0
			case all[i-1].slot != s.slot:
				number[s] = number[all[i-1]] + 1
			}
		}
		for i := range g.Edges {
			v, s := of(&g.Edges[i])
			*s = number[slot{v, *s}]
		}
	}
	renumber(func(e *depgraph.Edge) (int32, *int32) { return e.From, &e.FromSlot })
	renumber(func(e *depgraph.Edge) (int32, *int32) { return e.To, &e.ToSlot })
	g.CountSlots()
}

// split gives every use of a marked node its own copy, with the same inputs. The first use keeps the node,
// the copies are called by its ID and a number from 2. It does nothing and gives false when that would make too many
// edges.
func split(g *depgraph.Graph, mark []bool) bool {
	in, uses := make([][]int32, len(g.Nodes)), make([]int, len(g.Nodes))
	for e, x := range g.Edges {
		if mark[x.To] {
			in[x.To] = append(in[x.To], int32(e))
		}
		uses[x.From]++
	}
	more := 0
	taken := make(map[string]bool, len(g.Nodes))
	for v := range g.Nodes {
		taken[g.Nodes[v].ID] = true
		if more += max(0, uses[v]-1) * len(in[v]); more > most {
			return false
		}
	}
	copies := make([]int, len(g.Nodes))
	for e, last := 0, len(g.Edges); e < last; e++ {
		v := g.Edges[e].From
		if !mark[v] || g.Edges[e].To == v {
			continue
		}
		if copies[v]++; copies[v] == 1 {
			continue
		}
		n := g.Nodes[v]
		for n.ID = n.ID + "/" + strconv.Itoa(copies[v]); taken[n.ID]; {
			n.ID += "'"
		}
		taken[n.ID] = true
		w := int32(len(g.Nodes))
		g.Nodes = append(g.Nodes, n)
		g.Edges[e].From = w
		for _, f := range in[v] {
			x := g.Edges[f]
			if x.From != v {
				x.To, x.Of = w, -1
				g.Edges = append(g.Edges, x)
			}
		}
	}
	return true
}

// near marks the nodes within so many edges of a marked node.
func near(g *depgraph.Graph, mark []bool, distance int) []bool {
	mark = slices.Clone(mark)
	for range min(distance, len(g.Nodes)) {
		next := slices.Clone(mark)
		for _, e := range g.Edges {
			if mark[e.From] || mark[e.To] {
				next[e.From], next[e.To] = true, true
			}
		}
		if slices.Equal(mark, next) {
			break
		}
		mark = next
	}
	return mark
}

// set gives nodes a property; in value, $1 and so on are the parts that the match's groups describe.
func set(g *depgraph.Graph, m *Match, mark []bool, key, value string) {
	for v := range g.Nodes {
		if !mark[v] {
			continue
		}
		n := &g.Nodes[v]
		of := text(n, m.key)
		var expanded []byte
		if at := m.pattern.FindStringSubmatchIndex(of); at != nil {
			expanded = m.pattern.ExpandString(nil, value, of, at)
		}
		n.Properties = n.Properties.With(key, string(expanded))
	}
}

// add adds a node to the graph; false when there is one of that ID.
func add(g *depgraph.Graph, id, name string, properties irgraph.Properties) bool {
	for v := range g.Nodes {
		if g.Nodes[v].ID == id {
			return false
		}
	}
	p := irgraph.Properties{{Key: irgraph.KeyName, Value: name}}
	g.Nodes = append(g.Nodes, depgraph.Node{ID: id, Properties: append(p, properties...), Block: -1, Outputs: 1})
	return true
}

package depgraph

import (
	"cmp"
	"slices"

	"orrery/traceio/irgraph"
)

// Stretches divides a function's phases into as few stretches as can be drawn together, and returns the first phase of
// each. A node stays in place through a stretch, so every phase has room for the nodes of all others; all phases of a
// stretch together have at most twice as many nodes as its smallest, few more where there are few, so that no phase is
// lost in its drawing. Of divisions with as few stretches the one with the least empty room is taken.
func Stretches(phases []*irgraph.Snapshot) (first []int) {
	nodes, ids := numberNodes(phases)
	best := make([]division, len(phases)+1) // of the phases before
	seen := make([]int, ids)                // node -> 1 + the beginning of the stretch it was last counted in
	for i := range phases {
		all, sum, least := 0, 0, len(nodes[i])
		for j := i; j < len(phases); j++ {
			for _, v := range nodes[j] {
				if seen[v] != i+1 {
					seen[v] = i + 1
					all++
				}
			}
			sum += len(nodes[j])
			least = min(least, len(nodes[j]))
			if j > i && all > 6+2*least {
				break
			}
			c := division{i, best[i].stretches + 1, best[i].empty + (j-i+1)*all - sum}
			if b := &best[j+1]; b.stretches == 0 || c.stretches < b.stretches || c.stretches == b.stretches &&
				c.empty < b.empty {
				*b = c
			}
		}
	}
	for at := len(phases); at > 0; at = best[at].from {
		first = append(first, best[at].from)
	}
	slices.Reverse(first)
	return first
}

// Together is the range [first, behind) of phases around one in which a set shows the same nodes with the same edges.
// Few are in view then, and the room for those of other phases would separate them by more than the height of a pane.
func (s Set) Together(phases []*irgraph.Snapshot, at int) (first, behind int) {
	same := s.inView(phases[at])
	for first = at; first > 0 && slices.Equal(s.inView(phases[first-1]), same); first-- {
	}
	for behind = at + 1; behind < len(phases) && slices.Equal(s.inView(phases[behind]), same); behind++ {
	}
	return first, behind
}

// inView are the members of a set that a phase has, as edges to themselves, and the edges at them, ordered by the ends'
// IDs.
func (s Set) inView(phase *irgraph.Snapshot) (edges [][2]string) {
	in := make([]bool, len(phase.Nodes))
	for v := range phase.Nodes {
		id := phase.Nodes[v].ID
		if in[v] = s.Has(id); in[v] {
			edges = append(edges, [2]string{id, id})
		}
	}
	for _, e := range phase.Edges {
		if in[e.From] || in[e.To] {
			edges = append(edges, [2]string{phase.Nodes[e.From].ID, phase.Nodes[e.To].ID})
		}
	}
	slices.SortFunc(edges, byEnds)
	return slices.Compact(edges)
}

// byEnds is the order of edges by their first ends, then by their second.
func byEnds(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }

// division is the best way to divide the phases before one: where its last stretch begins, how many there are, and how
// many empty places their drawings have.
type division struct{ from, stretches, empty int }

// numberNodes gives the nodes of each phase as numbers that are the same in all, and how many there are.
func numberNodes(phases []*irgraph.Snapshot) (nodes [][]int32, ids int) {
	number := map[string]int32{}
	nodes = make([][]int32, len(phases))
	for i, s := range phases {
		nodes[i] = make([]int32, len(s.Nodes))
		for v := range s.Nodes {
			n, ok := number[s.Nodes[v].ID]
			if !ok {
				n = int32(len(number))
				number[s.Nodes[v].ID] = n
			}
			nodes[i][v] = n
		}
	}
	return nodes, len(number)
}

package depgraph

import (
	"cmp"
	"hash/maphash"
	"slices"

	"orrery/traceio/irgraph"
)

// Pairing joins nodes of two snapshots: node of the first -> node of the second, -1 for none.
type Pairing []int32

// ByID pairs nodes of the same ID, for two phases of one group: there an ID means the same node.
func ByID(a, b *irgraph.Snapshot) Pairing {
	at := make(map[string]int32, len(b.Nodes))
	for v := range b.Nodes {
		at[b.Nodes[v].ID] = int32(v)
	}
	p := make(Pairing, len(a.Nodes))
	for v := range a.Nodes {
		p[v] = -1
		if w, ok := at[a.Nodes[v].ID]; ok {
			p[v] = w
		}
	}
	return p
}

// Approximate pairs nodes of two snapshots whose IDs are unrelated, those of two compilers for example. Only nodes of
// the same name are paired: first those whose neighbourhoods up to four edges away look alike, then up to three, and so
// on (colour refinement, B. Weisfeiler and A. Leman, 1968); among several that look the same, and at last among those
// with only the name in common, the cheapest pairs first, by differences in properties and in neighbours that are not
// paired with one another. Names alone do not pair nodes that differ in more than half of what could differ.
func Approximate(a, b *irgraph.Snapshot) Pairing {
	m := newMatcher(a, b)
	for r := len(m.colors) - 1; r > 0; r-- {
		m.pair(m.colors[r], 1)
	}
	m.pair(m.colors[0], 0.5)
	return m.p
}

// surroundings is how many edges away nodes are compared.
const surroundings = 4

// mostCandidates bounds the pairs of one colour that are compared; of larger groups each node is compared with those
// near it in order.
const mostCandidates = 1 << 18

type matcher struct {
	g      [2]*irgraph.Snapshot
	near   [2][][]link
	colors [][2][]uint64 // by distance, of the nodes of both
	p      Pairing
	taken  []bool // node of the second
}

// link is an edge seen from one of its ends.
type link struct {
	to   int32
	slot int32 // of the input it leads to, ^slot when seen from the other end
}

func newMatcher(a, b *irgraph.Snapshot) *matcher {
	m := &matcher{g: [2]*irgraph.Snapshot{a, b}, p: make(Pairing, len(a.Nodes)), taken: make([]bool, len(b.Nodes))}
	for v := range m.p {
		m.p[v] = -1
	}
	seed := maphash.MakeSeed()
	level := [2][]uint64{}
	for i, g := range m.g {
		m.near[i] = make([][]link, len(g.Nodes))
		for _, e := range g.Edges {
			m.near[i][e.To] = append(m.near[i][e.To], link{e.From, e.ToSlot})
			m.near[i][e.From] = append(m.near[i][e.From], link{e.To, ^e.ToSlot})
		}
		level[i] = make([]uint64, len(g.Nodes))
		for v := range g.Nodes {
			level[i][v] = maphash.String(seed, name(&g.Nodes[v]))
		}
	}
	m.colors = append(m.colors, level)
	for range surroundings {
		var next [2][]uint64
		for i, g := range m.g {
			next[i] = make([]uint64, len(g.Nodes))
			var row []uint64
			for v := range g.Nodes {
				row = row[:0]
				for _, l := range m.near[i][v] {
					row = append(row, maphash.Comparable(seed, [2]uint64{level[i][l.to], uint64(int64(l.slot))}))
				}
				slices.Sort(row)
				h := level[i][v]
				for _, x := range row {
					h = maphash.Comparable(seed, [2]uint64{h, x})
				}
				next[i][v] = h
			}
		}
		m.colors = append(m.colors, next)
		level = next
	}
	return m
}

// name is what nodes must have in common.
func name(n *irgraph.Node) string { return n.Properties.Get(irgraph.KeyName) }

// candidate is a possible pair.
type candidate struct {
	cost float64
	a, b int32
}

// pair joins nodes of the same colour, the cheapest candidates first, none above limit.
func (m *matcher) pair(colors [2][]uint64, limit float64) {
	type both struct{ a, b []int32 }
	groups := map[uint64]*both{}
	var order []*both
	for v, c := range colors[0] {
		if m.p[v] >= 0 {
			continue
		}
		if groups[c] == nil {
			groups[c] = &both{}
			order = append(order, groups[c])
		}
		groups[c].a = append(groups[c].a, int32(v))
	}
	for v, c := range colors[1] {
		if g := groups[c]; g != nil && !m.taken[v] {
			g.b = append(g.b, int32(v))
		}
	}
	var candidates []candidate
	for _, g := range order {
		reach := len(g.b)
		if len(g.a)*len(g.b) > mostCandidates {
			reach = max(1, mostCandidates/len(g.a)/2)
		}
		for i, v := range g.a {
			mid := i * len(g.b) / len(g.a)
			for _, w := range g.b[max(0, mid-reach):min(len(g.b), mid+reach)] {
				if c := m.cost(v, w); c <= limit {
					candidates = append(candidates, candidate{c, v, w})
				}
			}
		}
	}
	slices.SortFunc(candidates, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(x.cost, y.cost), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	for _, c := range candidates {
		if m.p[c.a] < 0 && !m.taken[c.b] {
			m.p[c.a], m.taken[c.b] = c.b, true
		}
	}
}

// cost is the share, from 0 to 1, of what could differ between two nodes that does: properties and neighbours.
func (m *matcher) cost(v, w int32) float64 {
	p, q := m.g[0].Nodes[v].Properties, m.g[1].Nodes[w].Properties
	differ, all := 0, 0
	for i := range p {
		all++
		if value, ok := q.Lookup(p[i].Key); !ok || value != p[i].Value {
			differ++
		}
	}
	for i := range q {
		if _, ok := p.Lookup(q[i].Key); !ok {
			all++
			differ++
		}
	}
	near, other := m.near[0][v], m.near[1][w]
	all += max(len(near), len(other))
	same := 0
	for _, l := range near {
		to := m.p[l.to]
		if to < 0 {
			continue
		}
		for _, k := range other {
			if k.to == to && k.slot == l.slot {
				same++
				break
			}
		}
	}
	differ += max(len(near), len(other)) - same
	return float64(differ) / float64(max(all, 1))
}

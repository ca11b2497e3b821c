package layout

import (
	"context"
	"slices"
)

// part is one connected piece of a graph.
type part struct {
	node []int32 // vertex -> node of the graph
	own  []int32 // node of the graph, if it is in this part -> vertex
	edge []int32 // edges of the graph, in its order
	arcs []arc
	pins []pin // nil: all are free
	box  Rect  // where it lies, until it is packed: from the origin
}

// arc is an edge turned to point down: lo lies in a higher layer, which has the lower number.
type arc struct {
	edge     int32
	lo, hi   int32   // vertices
	loX, hiX float64 // slots: at the bottom of lo and the top of hi, or the other way round for an edge upwards
	weight   int32
	times    int32 // edges drawn along this one
	back     bool
	chain    int32 // index into levels.chain, or one of the values below
}

const (
	direct int32 = -1 // joins neighbouring layers
	cut    int32 = -2
)

// split finds the connected pieces, in the order of their first nodes, by the union of edges' ends.
func split(g Graph) []*part {
	root := make([]int32, len(g.Nodes))
	for v := range root {
		root[v] = int32(v)
	}
	find := func(v int32) int32 {
		for root[v] != v {
			root[v] = root[root[v]]
			v = root[v]
		}
		return v
	}
	for _, e := range g.Edges {
		if a, b := find(e.From), find(e.To); a != b {
			root[max(a, b)] = min(a, b)
		}
	}
	var parts []*part
	of, own := make([]*part, len(g.Nodes)), make([]int32, len(g.Nodes))
	for v := range int32(len(g.Nodes)) {
		r := find(v)
		if of[r] == nil {
			of[r] = &part{own: own}
			parts = append(parts, of[r])
		}
		own[v] = int32(len(of[r].node))
		of[r].node = append(of[r].node, v)
	}
	for i, e := range g.Edges {
		p := of[find(e.From)]
		p.edge = append(p.edge, int32(i))
	}
	return parts
}

// whole takes a graph as one part, joined or not.
func whole(g Graph) *part {
	p := &part{}
	for v := range g.Nodes {
		p.node = append(p.node, int32(v))
	}
	p.own = p.node
	for e := range g.Edges {
		p.edge = append(p.edge, int32(e))
	}
	return p
}

// draw goes through the phases and writes the nodes' rectangles and the edges' routes, from the origin on.
func (p *part) draw(ctx context.Context, g Graph, o Options, out *Layout) error {
	p.turn(g)
	ties := p.ties()
	rank, err := p.layers(ctx, ties)
	if err != nil {
		return err
	}
	l := newLevels(p, g, o, rank)
	l.share = o.share * float64(len(p.node)) / float64(len(g.Nodes))
	hints := p.hints(o)
	if err := l.arrange(ctx, hints); err != nil {
		return err
	}
	if hints == nil && p.pins == nil && len(g.Nodes) < many && l.crossings() > 0 {
		if l, err = p.stretch(ctx, g, o, ties, l); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	l.place(o)
	p.route(g, o, l, out)
	out.Crossings += l.crossings()
	for i := range p.arcs {
		a := &p.arcs[i]
		out.Span += int64(l.rank[a.hi]-l.rank[a.lo]) * int64(a.weight)
	}
	return nil
}

// hints are the places of vertices in an earlier drawing; nil when none of this part was in it.
func (p *part) hints(o Options) []float64 {
	if o.Before == nil {
		return nil
	}
	h, any := make([]float64, len(p.node)), false
	for v, n := range p.node {
		h[v] = o.Before[n]
		any = any || h[v] == h[v]
	}
	if !any {
		return nil
	}
	return h
}

// ties are what the arcs demand of layers, in the order of the vertices they join: one tie for all arcs between the same two.
func (p *part) ties() []tie {
	start := make([]int32, len(p.node)+1)
	for i := range p.arcs {
		if a := &p.arcs[i]; a.lo != a.hi {
			start[a.lo]++
		}
	}
	for v := range p.node {
		start[v+1] += start[v]
	}
	ties := make([]tie, start[len(p.node)])
	for i := range p.arcs {
		if a := &p.arcs[i]; a.lo != a.hi {
			start[a.lo]--
			ties[start[a.lo]] = tie{a.lo, a.hi, 1, a.weight}
		}
	}
	n := 0
	for v := range p.node {
		row := ties[start[v]:start[v+1]]
		slices.SortFunc(row, func(a, b tie) int { return int(a.hi - b.hi) })
		for i, t := range row {
			if i > 0 && t.hi == ties[n-1].hi {
				ties[n-1].weight += t.weight
				continue
			}
			ties[n] = t
			n++
		}
	}
	return ties[:n]
}

// layers gives every vertex its layer.
func (p *part) layers(ctx context.Context, ties []tie) ([]int32, error) {
	if p.pins != nil {
		return rankBy(ctx, len(p.node)+2, p.pinned(ties))
	}
	rank, err := rankBy(ctx, len(p.node), ties)
	if err == nil {
		even(rank, ties)
	}
	return rank, err
}

// pinned adds two vertices, a top and a bottom, that hold the pinned ones to the first and last layer: what is pinned has
// edges on its free side only, so that a tie heavier than those is never longer than it must be.
func (p *part) pinned(ties []tie) []tie {
	n := int32(len(p.node))
	top, bottom := n, n+1
	weigh := make([]int32, n)
	for _, t := range ties {
		weigh[t.lo] += t.weight
		weigh[t.hi] += t.weight
	}
	has := func(k pin) int32 {
		for _, node := range p.node {
			if p.pins[node] == k {
				return 1
			}
		}
		return 0
	}
	head, foot := has(first), has(last)
	for v, node := range p.node {
		above, below := tie{top, int32(v), head, 0}, tie{int32(v), bottom, foot, 0}
		switch p.pins[node] {
		case first:
			above.length, above.weight = 0, weigh[v]+1
		case last:
			below.length, below.weight = 0, weigh[v]+1
		}
		ties = append(ties, above, below)
	}
	return append(ties, tie{top, bottom, 0, 1})
}

// pinnedTo says whether an arc ends at a gate of its block: it goes on outside and is cut there or nowhere.
func (p *part) pinnedTo(a *arc) bool {
	return p.pins != nil && (p.pins[a.lo] != free || p.pins[a.hi] != free)
}

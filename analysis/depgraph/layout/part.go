package layout

import "context"

// part is one connected component of a graph. Its nodes are numbered from 0 as vertices.
type part struct {
	*scratch
	node []int32 // vertex -> node of the graph
	own  []int32 // node of the graph, if it is in this part -> vertex
	edge []int32 // edges of the graph, in its order
	arcs []arc
	pins []pin // nil: all are free
	// Whether some node has different slots for the edges that enter it, and for those that leave.
	manyIn, manyOut bool
	box             Rect // from the origin, until the parts are packed
}

// arc is an edge as the layers see it: lo lies in the layer above hi. An edge upwards (back) is reversed.
type arc struct {
	edge     int32
	lo, hi   int32   // vertices
	loX, hiX float64 // slots: at the bottom of lo and the top of hi; of a back edge at the top of lo and the bottom of hi
	weight   int32
	times    int32 // how many edges between blocks it stands for
	back     bool
	chain    int32 // index into layering.chain, or one of the values below
}

const (
	direct int32 = -1 // joins neighbouring layers
	cut    int32 = -2
)

// split finds the connected components, in the order of their first nodes, by union-find.
func (m *scratch) split(g Graph) []*part {
	n := len(g.Nodes)
	root := raw[int32](m, n)
	for v := range root {
		root[v] = int32(v)
	}
	left := n
	for i := range g.Edges {
		e := &g.Edges[i]
		left -= unite(root, e.From, e.To)
	}
	if left == 1 {
		return []*part{m.whole(g)}
	}
	// The root of a component is its first node, and a node's parent comes before it.
	of, count := raw[int32](m, n), 0
	nodes, edges := take[int32](m, n), take[int32](m, n)
	for v := range int32(n) {
		if r := root[v]; r == v {
			of[v] = int32(count)
			count++
		} else {
			of[v] = of[r]
		}
		nodes[of[v]]++
	}
	for i := range g.Edges {
		edges[of[g.Edges[i].From]]++
	}
	own, node, edge := raw[int32](m, n), raw[int32](m, n), raw[int32](m, len(g.Edges))
	all, parts := make([]part, count), make([]*part, count)
	for i := range all {
		p := &all[i]
		p.scratch, p.own = m, own
		p.node, node = node[:0:nodes[i]], node[nodes[i]:]
		p.edge, edge = edge[:0:edges[i]], edge[edges[i]:]
		parts[i] = p
	}
	for v := range int32(n) {
		p := &all[of[v]]
		own[v] = int32(len(p.node))
		p.node = append(p.node, v)
	}
	for i := range g.Edges {
		p := &all[of[g.Edges[i].From]]
		p.edge = append(p.edge, int32(i))
	}
	return parts
}

// unite joins the components of two nodes and returns by how much that lowers their number: 1 or 0. It climbs from both
// in turn, links each node to a lower one on the other's path, and ends where they meet (M. Rem, in E. Dijkstra, "A
// Discipline of Programming", 1976).
func unite(root []int32, a, b int32) int {
	for {
		p, q := root[a], root[b]
		if p == q {
			return 0
		}
		if p < q {
			a, p, q, b = b, q, p, a
		}
		root[a] = q
		if p == a {
			return 1
		}
		a = p
	}
}

// find gives the root of v and halves the path to it.
func find(root []int32, v int32) int32 {
	for root[v] != v {
		root[v] = root[root[v]]
		v = root[v]
	}
	return v
}

// whole makes one part of a graph, connected or not.
func (m *scratch) whole(g Graph) *part {
	p := &part{scratch: m, node: raw[int32](m, len(g.Nodes)), edge: raw[int32](m, len(g.Edges))}
	for v := range p.node {
		p.node[v] = int32(v)
	}
	p.own = p.node
	for e := range p.edge {
		p.edge[e] = int32(e)
	}
	return p
}

// draw writes the rectangles of the nodes and the routes of the edges, with the part's upper left corner at the origin.
func (p *part) draw(ctx context.Context, g Graph, o Options, out *Layout) error {
	switch {
	case len(p.node) == 1 && len(p.edge) == 0:
		size := Point{g.Nodes[p.node[0]].Width, g.Nodes[p.node[0]].Height}
		p.box, out.Nodes[p.node[0]] = Rect{Max: size}, Rect{Max: size}
		return nil
	case len(p.node) == 2 && len(p.edge) == 1 && p.pins == nil:
		p.pair(g, o, out)
		return nil
	}
	return p.layered(ctx, g, o, out)
}

// pair draws two nodes with one edge between them directly. Sparse graphs have many such parts, and the phases take
// eight times as long for the same drawing.
func (p *part) pair(g Graph, o Options, out *Layout) {
	e := &g.Edges[p.edge[0]]
	a, b := &g.Nodes[e.From], &g.Nodes[e.To]
	left := e.FromX - e.ToX // left side of the lower node relative to that of the upper one
	upper, lower := Point{max(0, -left), 0}, Point{max(0, left), a.Height + o.LayerGap}
	out.Nodes[e.From] = Rect{upper, upper.add(Point{a.Width, a.Height})}
	out.Nodes[e.To] = Rect{lower, lower.add(Point{b.Width, b.Height})}
	out.Layer[e.From], out.Layer[e.To] = 0, 1
	out.Routes[p.edge[0]] = Route{Points: []Point{{upper.X + e.FromX, a.Height}, {lower.X + e.ToX, lower.Y}}}
	out.Span += int64(max(e.Weight, 1))
	p.box = Rect{Max: Point{max(upper.X+a.Width, lower.X+b.Width), lower.Y + b.Height}}
}

// layered draws a part by the phases of the package comment.
func (p *part) layered(ctx context.Context, g Graph, o Options, out *Layout) error {
	defer p.release(p.arena)
	p.breakCycles(g)
	constraints := p.constraints()
	rank, err := p.assignLayers(ctx, constraints)
	if err != nil {
		return err
	}
	l := newLayering(p, g, o, rank)
	l.share = o.share * float64(len(p.node)) / float64(len(g.Nodes))
	hints := p.earlierPlaces(o)
	if err := l.arrange(ctx, hints); err != nil {
		return err
	}
	if hints == nil && p.pins == nil && len(g.Nodes) < manyNodes && l.crossings() > 0 {
		if l, err = p.stretch(ctx, g, o, constraints, l); err != nil {
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

// earlierPlaces are the x coordinates of the vertices in an earlier drawing; nil when it had none of them.
func (p *part) earlierPlaces(o Options) []float64 {
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

// constraints are what the arcs demand of the layers, sorted by their ends; parallel arcs make one constraint.
func (p *part) constraints() []constraint {
	constraints, last := spare[constraint](p.scratch, len(p.arcs)), &constraint{lo: -1}
	defer p.release(p.arena)
	n := len(p.arcs)
	row, lo, hi := raw[int32](p.scratch, n), raw[int32](p.scratch, n), raw[int32](p.scratch, n)
	for i := range p.arcs {
		row[i], lo[i], hi[i] = int32(i), p.arcs[i].lo, p.arcs[i].hi
	}
	row = countingSort(p.scratch, row, len(p.node), hi)
	row = countingSort(p.scratch, row, len(p.node), lo)
	for _, i := range row {
		a := &p.arcs[i]
		switch {
		case a.lo == last.lo && a.hi == last.hi:
			last.weight += a.weight
		case a.lo != a.hi:
			constraints = append(constraints, constraint{a.lo, a.hi, 1, a.weight})
			last = &constraints[len(constraints)-1]
		}
	}
	return constraints
}

// assignLayers gives every vertex its layer, the first of which is 0.
func (p *part) assignLayers(ctx context.Context, constraints []constraint) ([]int32, error) {
	layer := raw[int32](p.scratch, len(p.node))
	defer p.release(p.arena)
	n := len(p.node)
	if p.pins != nil {
		constraints = p.pinned(constraints)
		n += 2
	}
	in := p.incidence(n, constraints)
	rank, err := p.rank(ctx, in, constraints)
	if err != nil {
		return nil, err
	}
	if p.pins == nil {
		in.balance(p.scratch, rank, constraints)
	}
	copy(layer, rank)
	return layer, nil
}

// pinned adds two vertices, a top and a bottom, that hold pinned vertices in the first and the last layer. A pinned
// vertex has edges on its free side only, so a constraint that weighs more than all of them stays as short as it may
// be.
func (p *part) pinned(constraints []constraint) []constraint {
	n := int32(len(p.node))
	top, bottom := n, n+1
	weigh := take[int32](p.scratch, int(n))
	for _, t := range constraints {
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
		above, below := constraint{top, int32(v), head, 0}, constraint{int32(v), bottom, foot, 0}
		switch p.pins[node] {
		case first:
			above.length, above.weight = 0, weigh[v]+1
		case last:
			below.length, below.weight = 0, weigh[v]+1
		}
		constraints = append(constraints, above, below)
	}
	return append(constraints, constraint{top, bottom, 0, 1})
}

// endsAtPin reports whether an arc ends at a port of its basic block: the edge goes on outside, and is cut there or
// nowhere.
func (p *part) endsAtPin(a *arc) bool {
	return p.pins != nil && (p.pins[a.lo] != free || p.pins[a.hi] != free)
}

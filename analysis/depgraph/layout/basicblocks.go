package layout

import "context"

// nestedDrawing is a drawing with basic blocks, made on two levels. Each block is drawn by itself; edges to and from
// other blocks pass its rim at exits and entries, nodes without size that are pinned to its last and first layer. Then
// the blocks, each as large as its drawing, are drawn as nodes of an outer graph, with the flow between blocks and the
// edges between exits and entries.
//
//	  entry    entry
//	+---o--------o---+
//	|  add     load  |
//	|    \      |    |
//	+-----o-----o----+
//	     exit  exit
type nestedDrawing struct {
	*scratch
	g Graph
	o Options

	of     []int32 // node -> its node in the outer graph, which is its block
	blocks []basicBlock
	outer  Graph
	flow   int     // edges of the outer graph that are flow between blocks; others follow
	cross  []int32 // edge -> its edge in the outer graph; -1 within a block, -2 when cut
}

// basicBlock is one block with the graph of its inside.
type basicBlock struct {
	g       Graph
	node    []int32 // nodes of the whole graph; exits and entries follow
	edge    []int32 // edges of the whole graph that stay inside; those to exits and from entries follow
	pins    []pin
	ports   map[boundaryPort]int32 // slot of a node -> its exit or entry
	drawing *Layout
}

// boundaryPort is a slot of a node that edges to other blocks leave, or edges from other blocks enter.
type boundaryPort struct {
	node int32
	x    float64
	in   bool
}

// drawBlocks draws a graph with basic blocks.
func (m *scratch) drawBlocks(ctx context.Context, g Graph, o Options, report func(done, total int64)) (*Layout, error) {
	s := &nestedDrawing{scratch: m, g: g, o: o}
	s.split()
	long, err := s.lengths(ctx)
	if err != nil {
		return nil, err
	}
	s.makePorts(long)
	total := int64(len(s.blocks)) + 1
	for i := range s.blocks {
		b := &s.blocks[i]
		inner := o
		inner.Before = s.before(b)
		inner.share = float64(len(b.node)) / float64(len(g.Nodes))
		if b.drawing, err = m.drawParts(ctx, b.g, inner, b.pins, nil); err != nil {
			return nil, err
		}
		report(int64(i)+1, total)
	}
	s.buildOuter()
	outer := o
	outer.Before = nil
	around, err := m.drawParts(ctx, s.outer, outer, nil, nil)
	if err != nil {
		return nil, err
	}
	report(total, total)
	return s.compose(around), nil
}

// split gives every block its nodes and inner edges; a node outside of all blocks gets a block of its own.
func (s *nestedDrawing) split() {
	s.blocks = make([]basicBlock, len(s.g.Next))
	for i := range s.blocks {
		s.blocks[i].ports = map[boundaryPort]int32{}
	}
	s.of = make([]int32, len(s.g.Nodes))
	local := make([]int32, len(s.g.Nodes))
	for v, n := range s.g.Nodes {
		b := n.Block
		if b < 0 {
			b = int32(len(s.blocks))
			s.blocks = append(s.blocks, basicBlock{ports: map[boundaryPort]int32{}})
		}
		in := &s.blocks[b]
		s.of[v], local[v] = b, int32(len(in.node))
		in.node = append(in.node, int32(v))
		in.g.Nodes = append(in.g.Nodes, n)
	}
	for e, x := range s.g.Edges {
		if b := s.of[x.From]; b == s.of[x.To] {
			x.From, x.To = local[x.From], local[x.To]
			s.blocks[b].g.Edges = append(s.blocks[b].g.Edges, x)
			s.blocks[b].edge = append(s.blocks[b].edge, int32(e))
		}
	}
}

// lengths says how many layers each edge between blocks runs over if all blocks of an outer layer are as deep as the
// deepest.
func (s *nestedDrawing) lengths(ctx context.Context) ([]int32, error) {
	layer := make([]int32, len(s.g.Nodes))
	deep := make([]int32, len(s.blocks))
	for i := range s.blocks {
		b := &s.blocks[i]
		rank, err := s.ranks(ctx, b.g)
		if err != nil {
			return nil, err
		}
		for v, r := range rank {
			layer[b.node[v]] = r
			deep[i] = max(deep[i], r+1)
		}
	}
	s.outer = Graph{Nodes: make([]Node, len(s.blocks))}
	for b, next := range s.g.Next {
		for _, n := range next {
			s.outer.Edges = append(s.outer.Edges, Edge{From: int32(b), To: n, Weight: 4})
		}
	}
	s.flow = len(s.outer.Edges)
	for _, x := range s.g.Edges {
		if s.of[x.From] != s.of[x.To] {
			s.outer.Edges = append(s.outer.Edges, Edge{From: s.of[x.From], To: s.of[x.To]})
		}
	}
	rank, err := s.ranks(ctx, s.outer)
	if err != nil {
		return nil, err
	}
	var below []int32 // layer of blocks -> layers of nodes in it, and one
	for b, r := range rank {
		for int(r) >= len(below) {
			below = append(below, 0)
		}
		below[r] = max(below[r], deep[b]+1)
	}
	start := make([]int32, len(below)+1)
	for r, d := range below {
		start[r+1] = start[r] + d
	}
	long := make([]int32, len(s.g.Edges))
	for e, x := range s.g.Edges {
		long[e] = start[rank[s.of[x.To]]] + layer[x.To] - start[rank[s.of[x.From]]] - layer[x.From]
		long[e] = max(long[e], -long[e])
	}
	return long, nil
}

// ranks gives the layers of a graph's nodes, those of each component from 0.
func (m *scratch) ranks(ctx context.Context, g Graph) ([]int32, error) {
	all := make([]int32, len(g.Nodes))
	defer m.release(m.arena)
	for _, p := range m.split(g) {
		p.breakCycles(g)
		rank, err := p.assignLayers(ctx, p.constraints())
		if err != nil {
			return nil, err
		}
		for v, node := range p.node {
			all[node] = rank[v]
		}
	}
	return all, nil
}

// makePorts makes the exits and entries of edges that are not cut.
func (s *nestedDrawing) makePorts(long []int32) {
	s.cross = make([]int32, len(s.g.Edges))
	for e, x := range s.g.Edges {
		s.cross[e] = -1
		if s.of[x.From] == s.of[x.To] {
			continue
		}
		if s.o.Long > 0 && int(long[e]) > s.o.Long {
			s.cross[e] = -2
			continue
		}
		s.addPort(boundaryPort{x.From, x.FromX, false})
		s.addPort(boundaryPort{x.To, x.ToX, true})
	}
	for i := range s.blocks {
		b := &s.blocks[i]
		if len(b.ports) == 0 {
			continue
		}
		b.pins = make([]pin, len(b.g.Nodes))
		for g, v := range b.ports {
			b.pins[v] = last
			if g.in {
				b.pins[v] = first
			}
		}
	}
}

// addPort makes an exit or entry, or adds an edge to one that is there.
func (s *nestedDrawing) addPort(at boundaryPort) {
	b := &s.blocks[s.of[at.node]]
	if v, ok := b.ports[at]; ok {
		b.g.Edges[b.portEdge(v)].times++
		return
	}
	v := int32(len(b.g.Nodes))
	b.ports[at] = v
	b.g.Nodes = append(b.g.Nodes, Node{Block: -1})
	own := int32(0)
	for i, n := range b.node {
		if n == at.node {
			own = int32(i)
		}
	}
	e := Edge{From: own, To: v, FromX: at.x, times: 1}
	if at.in {
		e = Edge{From: v, To: own, ToX: at.x, times: 1}
	}
	b.g.Edges = append(b.g.Edges, e)
}

// portEdge is the edge to an exit or from an entry.
func (b *basicBlock) portEdge(v int32) int { return len(b.edge) + int(v) - len(b.node) }

// before are the earlier places of a block's nodes.
func (s *nestedDrawing) before(b *basicBlock) []float64 {
	if s.o.Before == nil {
		return nil
	}
	x := make([]float64, len(b.g.Nodes))
	for v := range x {
		x[v] = nan
		if v < len(b.node) {
			x[v] = s.o.Before[b.node[v]]
		}
	}
	return x
}

// buildOuter makes the outer graph.
func (s *nestedDrawing) buildOuter() {
	for i := range s.blocks {
		size := s.blocks[i].drawing.Bounds.Max
		if i < len(s.g.Next) {
			size.X += 2 * s.o.BlockPad
			size.Y += 2*s.o.BlockPad + s.o.BlockHead
		}
		s.outer.Nodes[i].Width, s.outer.Nodes[i].Height = size.X, size.Y
	}
	s.outer.Edges = s.outer.Edges[:s.flow]
	for i := range s.outer.Edges {
		e := &s.outer.Edges[i]
		e.FromX, e.ToX = s.outer.Nodes[e.From].Width/2, s.outer.Nodes[e.To].Width/2
	}
	for e, x := range s.g.Edges {
		if s.cross[e] != -1 {
			continue
		}
		if s.of[x.From] == s.of[x.To] {
			continue
		}
		s.cross[e] = int32(len(s.outer.Edges))
		s.outer.Edges = append(s.outer.Edges, Edge{
			From: s.of[x.From], To: s.of[x.To],
			FromX: s.at(boundaryPort{x.From, x.FromX, false}), ToX: s.at(boundaryPort{x.To, x.ToX, true}),
		})
	}
}

// at is how far a port is from the left side of its block.
func (s *nestedDrawing) at(g boundaryPort) float64 {
	b := s.of[g.node]
	x := s.blocks[b].drawing.Nodes[s.blocks[b].ports[g]].Min.X
	if int(b) < len(s.g.Next) {
		x += s.o.BlockPad
	}
	return x
}

// compose puts the blocks' drawings into the outer one.
func (s *nestedDrawing) compose(around *Layout) *Layout {
	out := &Layout{
		Bounds: around.Bounds,
		Nodes:  make([]Rect, len(s.g.Nodes)),
		Layer:  make([]int32, len(s.g.Nodes)),
		Routes: make([]Route, len(s.g.Edges)),
		Blocks: around.Nodes[:len(s.g.Next)],
		Flow:   around.Routes[:s.flow],

		Crossings: around.Crossings,
		Span:      around.Span,
	}
	for i := range s.blocks {
		b := &s.blocks[i]
		by := around.Nodes[i].Min
		if i < len(s.g.Next) {
			by = by.add(Point{s.o.BlockPad, s.o.BlockPad + s.o.BlockHead})
		}
		for v := range b.drawing.Nodes {
			b.drawing.Nodes[v] = b.drawing.Nodes[v].add(by)
		}
		for e := range b.drawing.Routes {
			b.drawing.Routes[e].add(by)
		}
		for v, node := range b.node {
			out.Nodes[node], out.Layer[node] = b.drawing.Nodes[v], b.drawing.Layer[v]
		}
		for e, edge := range b.edge {
			out.Routes[edge] = b.drawing.Routes[e]
		}
		out.Crossings += b.drawing.Crossings
		out.Span += b.drawing.Span
	}
	for e := range s.g.Edges {
		switch c := s.cross[e]; {
		case c == -2:
			out.Routes[e] = s.stubs(out, s.g.Edges[e])
		case c >= 0:
			out.Routes[e] = s.through(around.Routes[c], s.g.Edges[e])
		}
	}
	return out
}

// stubs are the ends of a cut edge between blocks.
func (s *nestedDrawing) stubs(out *Layout, x Edge) Route {
	from, to := out.Nodes[x.From], out.Nodes[x.To]
	a, b := Point{from.Min.X + x.FromX, from.Max.Y}, Point{to.Min.X + x.ToX, to.Min.Y}
	return Route{Points: []Point{a, {a.X, a.Y + s.o.Stub}}, End: []Point{{b.X, b.Y - s.o.Stub}, b}, Back: b.Y < a.Y}
}

// through joins the three pieces of an edge: to the exit, from block to block, from the entry.
func (s *nestedDrawing) through(around Route, x Edge) Route {
	leave, enter := s.piece(boundaryPort{x.From, x.FromX, false}), s.piece(boundaryPort{x.To, x.ToX, true})
	r := Route{Back: around.Back}
	line := make(polyline, 0, len(leave)+len(around.Points)+len(enter))
	add := func(pieces ...[]Point) []Point {
		line = line[:0:0]
		for _, piece := range pieces {
			for _, p := range piece {
				line.to(p)
			}
		}
		return line
	}
	if around.Cut() {
		r.Points = add(leave, around.Points)
		r.End = add(around.End, enter)
		return r
	}
	r.Points = add(leave, around.Points, enter)
	return r
}

// piece is the route inside a block to or from a port.
func (s *nestedDrawing) piece(g boundaryPort) []Point {
	b := &s.blocks[s.of[g.node]]
	return b.drawing.Routes[b.portEdge(b.ports[g])].Points
}

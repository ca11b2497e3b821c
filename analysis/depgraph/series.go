package depgraph

import (
	"cmp"
	"context"
	"math"
	"reflect"
	"slices"

	"orrery/analysis/depgraph/layout"
)

// Series is one drawing for several graphs, usually a function's phases: the union of all is drawn once, and every
// graph shows its part, so that a node that two phases share is at the same place in both. The drawing's nodes, edges
// and blocks are those of the union. It is never changed after it was returned.
type Series struct {
	Layout *layout.Layout
	Phases []Phase
	// Names are those of the layout's blocks; empty when blocks were not asked for or there are none.
	Names  []string
	graph  layout.Graph
	places []placeKey // node of the layout -> its key
	drawn  layout.Options
}

// Phase says where the parts of one graph are in the drawing.
type Phase struct {
	Node  []int32   // node of the graph -> node of the layout
	Edge  []int32   // edge of the graph -> edge of the layout
	Block []int32   // block of the graph -> block of the layout; nil when blocks are not drawn
	Flow  [][]int32 // block of the graph -> for each of Next its place in Layout.Flow; nil likewise
}

// Arrangement says how a series is drawn.
type Arrangement struct {
	layout.Options
	// Size gives the width and the height of a node, in layout units. A node is drawn as large as the largest of its
	// phases.
	Size func(n *Node) (width, height float64)
	// Blocks draws nodes block by block. A node that changes its block between phases has a place in each of them.
	Blocks bool
	// Earlier is a drawing that is taken as it is where nothing has changed but colours and texts, nil for none. With
	// KeepOrder a graph that has changed keeps its order, too (Options.Before is not used): an extract that grows by a
	// few nodes. Where much has changed, an order that was made for other layers crosses edges twice as often, and
	// keeps nothing where it was.
	Earlier   *Series
	KeepOrder bool
}

// placeKey is what keeps a node at its place from phase to phase.
type placeKey struct{ id, block string }

// routeKey is what makes edges of two phases one.
type routeKey struct {
	from, to         int32
	fromSlot, toSlot int32
	copy             int32 // counts edges between the same slots
}

// union collects the nodes, edges and blocks of several graphs.
type union struct {
	a      Arrangement
	series *Series
	node   map[placeKey]int32
	edge   map[routeKey]int32
	routes []routeKey
	block  map[string]int32
	next   []map[int32]bool
	inputs []int32
	output []int32
}

// Arrange draws a series of graphs, or one. It gives the context's error when that ended.
func Arrange(ctx context.Context, graphs []*Graph, a Arrangement, report func(done, total int64)) (*Series, error) {
	u := &union{a: a, series: &Series{}, node: map[placeKey]int32{}, edge: map[routeKey]int32{}, block: map[string]int32{}}
	for _, g := range graphs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		u.add(g)
	}
	g := &u.series.graph
	for e, r := range u.routes {
		x := &g.Edges[e]
		x.FromX = SlotX(g.Nodes[r.from].Width, r.fromSlot, u.output[r.from])
		x.ToX = SlotX(g.Nodes[r.to].Width, r.toSlot, u.inputs[r.to])
	}
	u.flow(graphs)
	a.Options.Before = nil
	u.series.drawn = a.Options
	if a.Earlier != nil && u.series.sameDrawing(a.Earlier) {
		u.series.Layout = a.Earlier.Layout
		return u.series, nil
	}
	if a.KeepOrder {
		a.Options.Before = u.before()
	}
	var err error
	u.series.Layout, err = layout.Compute(ctx, *g, a.Options, report)
	if err != nil {
		return nil, err
	}
	return u.series, nil
}

// sameDrawing reports whether a drawing of one series serves the other.
func (s *Series) sameDrawing(o *Series) bool {
	return slices.Equal(s.places, o.places) && slices.Equal(s.graph.Nodes, o.graph.Nodes) &&
		slices.Equal(s.graph.Edges, o.graph.Edges) &&
		slices.Equal(s.Names, o.Names) && slices.EqualFunc(s.graph.Next, o.graph.Next, slices.Equal) &&
		reflect.DeepEqual(s.drawn, o.drawn)
}

// SlotX is how far from the left side of a node a slot is: slots of a side divide it evenly.
func SlotX(width float64, slot, slots int32) float64 {
	return width * float64(slot+1) / float64(max(slots, 1)+1)
}

// add adds one graph.
func (u *union) add(g *Graph) {
	p := Phase{Node: make([]int32, len(g.Nodes)), Edge: make([]int32, len(g.Edges))}
	if u.a.Blocks {
		p.Block = make([]int32, len(g.Blocks))
		for b := range g.Blocks {
			p.Block[b] = u.blockOf(g.Blocks[b].Name)
		}
	}
	all := &u.series.graph
	for v := range g.Nodes {
		n := &g.Nodes[v]
		at := placeKey{id: n.ID}
		block := int32(-1)
		if u.a.Blocks && n.Block >= 0 {
			at.block = g.Blocks[n.Block].Name
			block = p.Block[n.Block]
		}
		i, ok := u.node[at]
		if !ok {
			i = int32(len(all.Nodes))
			u.node[at] = i
			u.series.places = append(u.series.places, at)
			all.Nodes = append(all.Nodes, layout.Node{Block: block})
			u.inputs, u.output = append(u.inputs, 0), append(u.output, 1)
		}
		w, h := u.a.Size(n)
		all.Nodes[i].Width, all.Nodes[i].Height = max(all.Nodes[i].Width, w), max(all.Nodes[i].Height, h)
		u.inputs[i], u.output[i] = max(u.inputs[i], n.Inputs), max(u.output[i], n.Outputs)
		p.Node[v] = i
	}
	times := map[routeKey]int32{}
	for e, x := range g.Edges {
		r := routeKey{p.Node[x.From], p.Node[x.To], x.FromSlot, x.ToSlot, 0}
		r.copy = times[r]
		times[routeKey{r.from, r.to, r.fromSlot, r.toSlot, 0}]++
		i, ok := u.edge[r]
		if !ok {
			i = int32(len(all.Edges))
			u.edge[r] = i
			u.routes = append(u.routes, r)
			all.Edges = append(all.Edges, layout.Edge{From: r.from, To: r.to})
		}
		// An edge that many phases have is worth more than one that comes and goes.
		all.Edges[i].Weight = min(all.Edges[i].Weight+1, 8)
		p.Edge[e] = i
	}
	u.series.Phases = append(u.series.Phases, p)
}

// blockOf numbers a block of the union.
func (u *union) blockOf(name string) int32 {
	b, ok := u.block[name]
	if !ok {
		b = int32(len(u.next))
		u.block[name] = b
		u.next = append(u.next, map[int32]bool{})
		u.series.Names = append(u.series.Names, name)
	}
	return b
}

// flow joins the edges between blocks of all phases.
func (u *union) flow(graphs []*Graph) {
	if len(u.next) == 0 {
		return
	}
	for i, g := range graphs {
		for b := range g.Blocks {
			for _, n := range g.Blocks[b].Next {
				u.next[u.series.Phases[i].Block[b]][u.series.Phases[i].Block[n]] = true
			}
		}
	}
	rank := map[[2]int32]int32{}
	for b, next := range u.next {
		var row []int32
		for n := range next {
			row = append(row, n)
		}
		slices.SortFunc(row, cmp.Compare)
		for _, n := range row {
			rank[[2]int32{int32(b), n}] = int32(len(rank))
		}
		u.series.graph.Next = append(u.series.graph.Next, row)
	}
	for i, g := range graphs {
		p := &u.series.Phases[i]
		p.Flow = make([][]int32, len(g.Blocks))
		for b := range g.Blocks {
			for _, n := range g.Blocks[b].Next {
				p.Flow[b] = append(p.Flow[b], rank[[2]int32{p.Block[b], p.Block[n]}])
			}
		}
	}
}

// before is the places of nodes in the earlier drawing.
func (u *union) before() []float64 {
	old := u.a.Earlier
	if old == nil {
		return nil
	}
	x := make([]float64, len(u.series.places))
	for v := range x {
		x[v] = math.NaN()
	}
	for v, at := range old.places {
		if i, ok := u.node[at]; ok {
			x[i] = old.Layout.Nodes[v].Min.X
		}
	}
	return x
}

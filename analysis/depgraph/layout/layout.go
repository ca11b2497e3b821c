package layout

import (
	"context"
	"fmt"
	"math"

	"orrery/traceio"
)

// Point is a point in layout units: those of the sizes of nodes.
type Point struct{ X, Y float64 }

// Rect is an area from its upper left corner Min to its lower right one Max.
type Rect struct{ Min, Max Point }

// Node is the size of one node, and the basic block it belongs to, -1 for none.
type Node struct {
	Width, Height float64
	Block         int32
}

// Edge leaves the bottom of node From and enters the top of node To, at these distances from their left sides. Weight
// is how much shorter and straighter than others it should be; 0 counts as 1.
type Edge struct {
	From, To   int32
	FromX, ToX float64
	Weight     int32

	times int32 // edges between blocks that share this edge to a port; 0 counts as 1
}

// Graph is the input. Next lists, for each block, the blocks that may follow it; an empty Next means that the
// graph is drawn without blocks, whatever its nodes say.
type Graph struct {
	Nodes []Node
	Edges []Edge
	Next  [][]int32
}

// Options steer a drawing; the zero value is usable.
type Options struct {
	NodeGap  float64 // least room between neighbours of a layer; 0 means 12
	LayerGap float64 // least room between layers; 0 means 36
	EdgeGap  float64 // least room around the bends of an edge; 0 means 8
	Long     int     // edges over more layers are cut: only their ends are drawn; 0 cuts none
	Stub     float64 // length of what is drawn of a cut edge at either end; 0 means half of LayerGap
	// BlockPad is the margin around the nodes of a block, 0 means NodeGap; BlockHead is room above them for its name.
	BlockPad, BlockHead float64
	// Before gives the x of nodes of an earlier drawing, so that a graph that grew keeps its order; NaN where a node is
	// new. Nil, or one for each node.
	Before []float64

	// Effort scales the work for fewer crossings after the first order: 0.05 is enough for a preview. 0 means 1.
	Effort float64

	share float64 // of the usual work that this drawing may take
}

// Route is how one edge is drawn. A cut edge has two pieces: Points is the stub that leaves its start, End the one that
// arrives at its target; both run downwards. Otherwise End is nil and Points runs from start to target.
type Route struct {
	Points, End []Point
	Back        bool // runs from a layer to the same or a higher one
}

// Cut reports whether only the ends are drawn.
func (r Route) Cut() bool { return r.End != nil }

// Layout is a drawing. It is never changed after it was returned.
type Layout struct {
	Bounds    Rect
	Nodes     []Rect  // for each node of the graph
	Layer     []int32 // for each node, counted from the top of its part or of its block
	Routes    []Route // for each edge of the graph
	Blocks    []Rect  // for each block
	Flow      []Route // for each edge from block to block, in the order of Next
	Crossings int64   // crossings of drawn edges, within blocks and between them
	Span      int64   // layers that edges run over, times their weights
}

// defaults fills in what is not set.
func (o Options) defaults() Options {
	or := func(v *float64, d float64) {
		if *v <= 0 {
			*v = d
		}
	}
	or(&o.NodeGap, 12)
	or(&o.LayerGap, 36)
	or(&o.EdgeGap, 8)
	or(&o.Stub, o.LayerGap/2)
	or(&o.BlockPad, o.NodeGap)
	or(&o.Effort, 1)
	return o
}

// Compute draws a graph. It returns an error for edges that join no nodes and for sizes that are no numbers, and the
// context's when that ended; report, which may be nil, gets nodes done and in all.
func Compute(ctx context.Context, g Graph, o Options, report func(done, total int64)) (*Layout, error) {
	if err := check(g, o); err != nil {
		return nil, err
	}
	if report == nil {
		report = func(int64, int64) {}
	}
	o = o.defaults()
	o.share = o.Effort
	m := scratchPool.Get().(*scratch)
	m.used = 0
	defer scratchPool.Put(m)
	if len(g.Next) > 0 {
		return m.drawBlocks(ctx, g, o, report)
	}
	return m.drawParts(ctx, g, o, nil, report)
}

// drawParts draws without basic blocks. Pins, if there are any, hold nodes in the first or the last layer.
func (m *scratch) drawParts(ctx context.Context, g Graph, o Options, pins []pin,
	report func(done, total int64)) (*Layout, error) {
	out := &Layout{
		Nodes:  make([]Rect, len(g.Nodes)),
		Layer:  make([]int32, len(g.Nodes)),
		Routes: make([]Route, len(g.Edges)),
	}
	defer m.release(m.arena)
	parts := m.split(g)
	if pins != nil {
		parts = []*part{m.whole(g)}
		parts[0].pins = pins
	}
	if report == nil {
		report = func(int64, int64) {}
	}
	done := int64(0)
	for _, p := range parts {
		if err := p.draw(ctx, g, o, out); err != nil {
			return nil, err
		}
		done += int64(len(p.node))
		report(done, int64(len(g.Nodes)))
	}
	out.pack(parts, o)
	return out, nil
}

var nan = math.NaN()

// pin holds a port of a basic block in its first or last layer.
type pin int8

const (
	free pin = iota
	first
	last
)

// check is the error of a graph that cannot be drawn.
func check(g Graph, o Options) error {
	n := int32(len(g.Nodes))
	fault := func(format string, a ...any) error {
		return &traceio.Error{Msg: fmt.Sprintf(format, a...), Hint: "a graph's nodes are counted from 0"}
	}
	size := func(v float64) bool { return v >= 0 && v <= math.MaxFloat32 }
	for i, v := range g.Nodes {
		if !size(v.Width) || !size(v.Height) {
			return fault("node %d cannot be %g wide and %g high", i, v.Width, v.Height)
		}
		if len(g.Next) > 0 && (v.Block < -1 || int(v.Block) >= len(g.Next)) {
			return fault("node %d is in block %d of %d", i, v.Block, len(g.Next))
		}
	}
	for i, e := range g.Edges {
		if e.From < 0 || e.From >= n || e.To < 0 || e.To >= n {
			return fault("edge %d joins nodes %d and %d of %d", i, e.From, e.To, n)
		}
		if math.Abs(e.FromX) > math.MaxFloat32 || math.Abs(e.ToX) > math.MaxFloat32 || e.FromX != e.FromX ||
			e.ToX != e.ToX || e.Weight < 0 {
			return fault("edge %d cannot have slots at %g and %g and weigh %d", i, e.FromX, e.ToX, e.Weight)
		}
	}
	for i, next := range g.Next {
		for _, b := range next {
			if b < 0 || int(b) >= len(g.Next) {
				return fault("block %d is followed by block %d of %d", i, b, len(g.Next))
			}
		}
	}
	if o.Before != nil && len(o.Before) != len(g.Nodes) {
		return fault("%d earlier places are given for %d nodes", len(o.Before), n)
	}
	return nil
}

package codegraph

import (
	"slices"

	"orrery/analysis/depgraph/layout"
)

// Between is a frame of the transition from another picture: nodes that both have are a share of the way, 0 to 1, from
// where the other had them in the pane, and their edges bend with them; new ones are in their places. from is the
// other's view, to this one's. A frame costs time in proportion to the graph.
func (p *Picture) Between(other *Picture, from, to View, share float64) *Picture {
	was := make(map[string]layout.Point, len(other.Graph.Nodes))
	for v := range other.Graph.Nodes {
		was[other.Graph.Nodes[v].ID] = center(other.Box(v))
	}
	l := *p.Layout
	l.Nodes, l.Routes = slices.Clone(l.Nodes), slices.Clone(l.Routes)
	off := make([]layout.Point, len(p.Graph.Nodes)) // by node, how far from its place
	scale := from.Zoom / to.Zoom
	for v, at := range p.phase.Node {
		old, ok := was[p.Graph.Nodes[v].ID]
		if !ok {
			continue
		}
		now := center(l.Nodes[at])
		start := layout.Point{X: to.Center.X + (old.X-from.Center.X)*scale, Y: to.Center.Y + (old.Y-from.Center.Y)*scale}
		off[v] = layout.Point{X: (1 - share) * (start.X - now.X), Y: (1 - share) * (start.Y - now.Y)}
		l.Nodes[at] = layout.Rect{Min: shifted(l.Nodes[at].Min, off[v], 1), Max: shifted(l.Nodes[at].Max, off[v], 1)}
	}
	for e, at := range p.phase.Edge {
		a, b := off[p.Graph.Edges[e].From], off[p.Graph.Edges[e].To]
		r := &l.Routes[at]
		if r.End != nil { // each piece of a cut edge stays with its node
			r.Points, r.End = bent(r.Points, a, a), bent(r.End, b, b)
			continue
		}
		r.Points = bent(r.Points, a, b)
	}
	q := &Picture{Graph: p.Graph, Faint: p.Faint, Layout: &l, Blocks: p.Blocks, phase: p.phase, nodeOf: p.nodeOf,
		edgeOf: p.edgeOf, flow: p.flow, chase: p.chase,
		heat: p.heat, bounds: p.bounds, kinds: p.kinds, kind: p.kind, text: p.text, lines: p.lines, edges: p.edges}
	q.toned.Store(p.toned.Load())
	return q
}

// bent is a line of which the beginning is shifted by a, the end by b, and what is between them in proportion.
func bent(line []layout.Point, a, b layout.Point) []layout.Point {
	out := make([]layout.Point, len(line))
	for i, at := range line {
		share := float64(i) / float64(max(1, len(line)-1))
		out[i] = shifted(shifted(at, a, 1-share), b, share)
	}
	return out
}

func shifted(p, by layout.Point, share float64) layout.Point {
	return layout.Point{X: p.X + share*by.X, Y: p.Y + share*by.Y}
}

func center(r layout.Rect) layout.Point {
	return layout.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}
}

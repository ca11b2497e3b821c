package codegraph

import (
	"math"

	"orrery/analysis/depgraph/layout"
	"orrery/views/scene"
)

// Target is what lies at a point. Node and Edge are -1 for none; make one with Nowhere.
type Target struct {
	Node     int // of the graph
	Edge     int
	Stub     int // 1: the dot where a cut edge leaves, 2: where it arrives; 0 for neither
	Key      int // number from 1 of the legend's entry, whose category is Category
	Category string
	Small    bool // in the satellite: Place is the point of the layout meant there
	Place    layout.Point
}

// Nowhere is the Target of a point where nothing lies.
func Nowhere() Target { return Target{Node: -1, Edge: -1} }

// Hit is what lies at p.
func Hit(s State, size scene.Size, p scene.Point) Target {
	t := Nowhere()
	if s.Picture == nil || len(s.Picture.Graph.Nodes) == 0 || p.Y < s.Top {
		return t
	}
	for i, k := range s.keys(size) {
		if k.at.Contains(p) {
			t.Key, t.Category = i+1, k.category
			return t
		}
	}
	f := s.frame(size)
	if s.Satellite == Whole {
		f = s.inside(scene.R(0, s.Top, size.W, max(1, size.H-s.Top)), 18)
		t.Small = true
	} else if r, ok := s.small(size); ok && r.Contains(p) {
		in := s.inside(r, 4)
		t.Small, t.Place = true, in.back(p)
		return t
	}
	t.Place = f.back(p)
	s.find(&f, &t)
	return t
}

// Meant is the point of the layout under the pointer in the satellite; outside of it, after a drag, the nearest in it.
func Meant(s State, size scene.Size, p scene.Point) layout.Point {
	if s.Picture == nil {
		return s.View.Center
	}
	r, pad := s.corner(size), 4.0
	if s.Satellite == Whole {
		r, pad = scene.R(0, s.Top, size.W, max(1, size.H-s.Top)), 18
	}
	f := s.inside(r, pad)
	return f.back(scene.Point{X: max(r.Min.X, min(p.X, r.Max.X)), Y: max(r.Min.Y, min(p.Y, r.Max.Y))})
}

// find looks for a node, a stub, an edge, in this order.
func (s *State) find(f *frame, t *Target) {
	p := s.Picture
	if p.index == nil { // nothing can be pointed at during a transition
		return
	}
	if at := p.index.NodeAt(t.Place); at >= 0 && p.nodeOf[at] >= 0 {
		t.Node = int(p.nodeOf[at])
		return
	}
	// The index has the nodes and edges of all graphs of the series: those of others are skipped.
	reach := 5 / max(f.view.Zoom, 1e-9)
	near := layout.Rect{Min: layout.Point{X: t.Place.X - reach, Y: t.Place.Y - reach},
		Max: layout.Point{X: t.Place.X + reach, Y: t.Place.Y + reach}}
	nodes, edges := p.index.Within(near, nil, nil)
	for _, at := range nodes {
		if b := p.Layout.Nodes[at]; p.nodeOf[at] >= 0 && t.Place.X >= b.Min.X && t.Place.X < b.Max.X &&
			t.Place.Y >= b.Min.Y && t.Place.Y < b.Max.Y {
			t.Node = int(p.nodeOf[at])
			return
		}
	}
	best := reach
	for _, at := range edges {
		e := p.edgeOf[at]
		if e < 0 {
			continue
		}
		r := &p.Layout.Routes[at]
		if r.Cut() && len(r.Points) > 0 && len(r.End) > 0 {
			ends := [2]layout.Point{r.Points[len(r.Points)-1], r.End[0]}
			for i, q := range ends {
				if d := distance(t.Place, q, q); d < best {
					best, t.Edge, t.Stub = d, int(e), i+1
				}
			}
		}
		for _, piece := range [2][]layout.Point{r.Points, r.End} {
			for i := 1; i < len(piece); i++ {
				if d := distance(t.Place, piece[i-1], piece[i]); d+2/max(f.view.Zoom, 1e-9) < best {
					best, t.Edge, t.Stub = d, int(e), 0
				}
			}
		}
	}
}

// distance is that of a point from a piece of a line.
func distance(p, a, b layout.Point) float64 {
	dx, dy := b.X-a.X, b.Y-a.Y
	t := 0.0
	if l := dx*dx + dy*dy; l > 0 {
		t = max(0, min(1, ((p.X-a.X)*dx+(p.Y-a.Y)*dy)/l))
	}
	x, y := p.X-a.X-t*dx, p.Y-a.Y-t*dy
	return math.Hypot(x, y)
}

// Follow is the node at the other end of a cut edge from its stub.
func (p *Picture) Follow(t Target) int {
	if t.Edge < 0 || t.Stub == 0 {
		return -1
	}
	if t.Stub == 1 {
		return int(p.Graph.Edges[t.Edge].To)
	}
	return int(p.Graph.Edges[t.Edge].From)
}

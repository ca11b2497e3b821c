// Package codegraph draws the graph of a compiler as T. Würthinger, C. Wimmer and H. Mössenböck ("Visualization of
// program dependence graphs", 2008) show it: nodes in layers, inputs at their top and outputs at their bottom, long
// edges cut to stubs, basic blocks around their nodes, neighbours of opened nodes semi-transparent, and the whole graph
// small in a corner. In: a display graph with its layout (analysis/depgraph) and a view; out: a display list, and for a
// point what is there.
//
// The cost of a frame depends on what is in view: from afar nodes are boxes without text and edges straight lines.
package codegraph

import (
	"math"
	"slices"
	"strconv"
	"sync/atomic"

	"orrery/analysis/depgraph"
	"orrery/analysis/depgraph/layout"
	"orrery/traceio/irgraph"
	"orrery/views/palette"
	"orrery/views/scene"
)

// Picture is one graph of a series with its layout. It is immutable but for the cached colours; making it costs time in
// proportion to the graph, so that frames do not.
type Picture struct {
	Graph  *depgraph.Graph
	Faint  []bool // by node: only a neighbour of an opened node; nil for none
	Layout *layout.Layout
	Blocks []string // by block of the layout: its name, "" where this graph has none; nil without blocks

	index  *layout.Index // nil during a transition from another picture
	phase  depgraph.Phase
	nodeOf []int32 // node of the layout -> node of the graph, -1 where this graph has none
	edgeOf []int32
	flow   map[int32]bool // edges from block to block that this graph has
	chase  *depgraph.Chase
	heat   map[string]*amounts
	bounds layout.Rect           // of what this graph has
	kinds  []string              // categories there are, in order
	kind   []int32               // by node: its category
	text   []string              // by node: the text of its box
	lines  []int32               // by node: its source line, 0 for none
	edges  [][]int32             // by node: its edges
	toned  atomic.Pointer[tones] // those of the last frame
}

// amounts are the numbers of the nodes under a key.
type amounts struct {
	of   []float64 // NaN where a node has none
	most float64
}

// NewPicture is graph i of a series. faint may be nil; index is that of the series' layout, which its pictures share.
func NewPicture(g *depgraph.Graph, faint []bool, s *depgraph.Series, i int, index *layout.Index) *Picture {
	p := &Picture{Graph: g, Faint: faint, Layout: s.Layout, index: index, phase: s.Phases[i], heat: map[string]*amounts{}}
	p.nodeOf, p.edgeOf = missing(len(s.Layout.Nodes)), missing(len(s.Layout.Routes))
	for v, at := range p.phase.Node {
		p.nodeOf[at] = int32(v)
	}
	for e, at := range p.phase.Edge {
		p.edgeOf[at] = int32(e)
	}
	if p.phase.Block != nil {
		p.Blocks = make([]string, len(s.Names))
		p.flow = map[int32]bool{}
		for b, at := range p.phase.Block {
			p.Blocks[at] = g.Blocks[b].Name
			for _, f := range p.phase.Flow[b] {
				p.flow[f] = true
			}
		}
	}
	p.chase = depgraph.FindChase(g)
	for _, key := range []string{Misses, References} {
		p.heat[key] = amountsOf(g, key)
	}
	p.sort()
	p.text = make([]string, len(g.Nodes))
	for v := range g.Nodes {
		p.text[v] = Text(&g.Nodes[v])
	}
	p.lines = make([]int32, len(g.Nodes))
	for v := range g.Nodes {
		line, _ := strconv.Atoi(g.Nodes[v].Properties.Get(irgraph.KeyLine))
		p.lines[v] = int32(line)
	}
	p.edges = make([][]int32, len(g.Nodes))
	for e, x := range g.Edges {
		p.edges[x.From] = append(p.edges[x.From], int32(e))
		if x.To != x.From {
			p.edges[x.To] = append(p.edges[x.To], int32(e))
		}
	}
	p.bounds = p.extent()
	return p
}

// Chases is how many nodes are on a cycle of a phi and a load.
func (p *Picture) Chases() int { return p.chase.Count }

func missing(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = -1
	}
	return out
}

// extent is the area of the graph's own nodes, blocks and edges; that of the whole drawing where it has none.
func (p *Picture) extent() layout.Rect {
	empty := layout.Rect{Min: layout.Point{X: math.Inf(1), Y: math.Inf(1)},
		Max: layout.Point{X: math.Inf(-1), Y: math.Inf(-1)}}
	r := empty
	grow := func(b layout.Rect) {
		r.Min.X, r.Min.Y = min(r.Min.X, b.Min.X), min(r.Min.Y, b.Min.Y)
		r.Max.X, r.Max.Y = max(r.Max.X, b.Max.X), max(r.Max.Y, b.Max.Y)
	}
	for _, at := range p.phase.Node {
		grow(p.Layout.Nodes[at])
	}
	for _, at := range p.phase.Block {
		grow(p.Layout.Blocks[at])
	}
	if r == empty {
		return p.Layout.Bounds
	}
	route := func(x *layout.Route) {
		for _, points := range [2][]layout.Point{x.Points, x.End} {
			along(points, func(at layout.Point) {
				grow(layout.Rect{Min: at, Max: at})
			}, func(at layout.Point) bool {
				return at.X >= r.Min.X && at.X <= r.Max.X && at.Y >= r.Min.Y && at.Y <= r.Max.Y
			})
		}
	}
	for _, at := range p.phase.Edge {
		route(&p.Layout.Routes[at])
	}
	for at := range p.flow {
		route(&p.Layout.Flow[at])
	}
	return r
}

// Box is where a node of the graph is in the layout.
func (p *Picture) Box(node int) layout.Rect { return p.Layout.Nodes[p.phase.Node[node]] }

// Properties of nodes that come from an open recording.
const (
	References = "references"
	Misses     = "misses"
	Stride     = "stride"
)

// Measures of a node's box.
const (
	textSize = 11.0
	tall     = 24.0
	narrow   = 34.0
	widest   = 260.0
)

// Text is the text of a node's box: its ID, which other texts refer to, and what it does.
func Text(n *depgraph.Node) string {
	name := n.Name()
	if name == n.ID {
		return name
	}
	return n.ID + "  " + name
}

// Measure is how large a node is drawn, in layout units.
func Measure(n *depgraph.Node) (width, height float64) {
	slots := float64(max(n.Inputs, n.Outputs))
	w := scene.Measure(scene.Sans, textSize, Text(n)) + 20
	return min(widest, max(narrow, w, 7*slots+6)), tall
}

// ColorBy is what gives nodes their colour.
type ColorBy uint8

// What colours stand for.
const (
	ByFilters    ColorBy = iota // what the filters say
	ByMisses                    // how often the node misses
	ByReferences                // how often it refers to memory
)

// ColorNames are the keys of the ColorBys, in their order.
var ColorNames = []string{"filters", "misses", "references"}

// key is the property that a colouring shows, "" for none.
func (c ColorBy) key() string {
	return []string{"", Misses, References}[c]
}

// View is the visible part of the layout: its point in the middle of the pane, and how many units of the pane one of
// the layout takes.
type View struct {
	Center layout.Point
	Zoom   float64
}

// Satellite is how the whole graph is shown beside, or in place of, the part in view.
type Satellite uint8

// The ways to see the whole.
const (
	Corner Satellite = iota // small in a corner, when not all of it is in view
	Whole                   // in the whole pane, with a frame around the part in view
	Hidden
)

// State is everything that the picture depends on.
type State struct {
	Theme     palette.Theme
	Picture   *Picture // nil: Empty is shown
	View      View
	Color     ColorBy
	Level     string // of the cache whose misses are shown: "L1"
	Satellite Satellite
	Top       float64 // units above that are a bar's

	Selected  depgraph.Set
	Lit       depgraph.Set    // found by a search, nil for none
	Marked    depgraph.Set    // bookmarks
	Dim       map[string]bool // categories that are dimmed
	Hover     Target
	HoverLine int // nodes of this source line are highlighted, 0 for none
	HoverFile string
	Empty     string
}

// Fit is the view that shows the whole graph in a pane.
func (p *Picture) Fit(size scene.Size, top float64) View {
	w, h := p.bounds.Max.X-p.bounds.Min.X, p.bounds.Max.Y-p.bounds.Min.Y
	room := scene.Size{W: max(1, size.W-36), H: max(1, size.H-top-50)}
	zoom := min(room.W/max(w, 1), room.H/max(h, 1), 1.4)
	return View{Center: layout.Point{X: (p.bounds.Min.X + p.bounds.Max.X) / 2, Y: (p.bounds.Min.Y + p.bounds.Max.Y) / 2},
		Zoom: zoom}
}

// FitNodes is the view that shows some nodes, no closer than closest.
func (p *Picture) FitNodes(ids depgraph.Set, size scene.Size, top, closest float64) (View, bool) {
	r, found := layout.Rect{}, false
	for v := range p.Graph.Nodes {
		if !ids.Has(p.Graph.Nodes[v].ID) {
			continue
		}
		b := p.Box(v)
		if !found {
			r, found = b, true
		}
		r.Min.X, r.Min.Y = min(r.Min.X, b.Min.X), min(r.Min.Y, b.Min.Y)
		r.Max.X, r.Max.Y = max(r.Max.X, b.Max.X), max(r.Max.Y, b.Max.Y)
	}
	zoom := min((size.W-80)/max(r.Max.X-r.Min.X, 1), (size.H-top-90)/max(r.Max.Y-r.Min.Y, 1), closest)
	return View{Center: layout.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}, Zoom: zoom}, found
}

// Zoomed is the view closer by a factor, with the point of the pane at p staying where it is.
func (v View) Zoomed(size scene.Size, top float64, at scene.Point, factor float64) View {
	f := frame{view: v, mid: middle(size, top)}
	under := f.back(at)
	v.Zoom = max(0.002, min(v.Zoom*factor, 8))
	v.Center.X = under.X - (at.X-f.mid.X)/v.Zoom
	v.Center.Y = under.Y - (at.Y-f.mid.Y)/v.Zoom
	return v
}

// Towards is a view on the way from v to w: 0 gives v, 1 gives w. Zoom goes by factors.
func (v View) Towards(w View, share float64) View {
	if !(v.Zoom > 0) || share >= 1 {
		return w
	}
	zoom := v.Zoom * math.Pow(w.Zoom/v.Zoom, share)
	return View{Center: layout.Point{X: v.Center.X + share*(w.Center.X-v.Center.X),
		Y: v.Center.Y + share*(w.Center.Y-v.Center.Y)}, Zoom: zoom}
}

// frame places layout points in the pane.
type frame struct {
	view View
	mid  scene.Point
	size scene.Size
	top  float64
}

func middle(size scene.Size, top float64) scene.Point {
	return scene.Point{X: size.W / 2, Y: top + (size.H-top)/2}
}

func (s *State) frame(size scene.Size) frame {
	return frame{view: s.View, mid: middle(size, s.Top), size: size, top: s.Top}
}

func (f *frame) at(p layout.Point) scene.Point {
	return scene.Point{X: f.mid.X + (p.X-f.view.Center.X)*f.view.Zoom, Y: f.mid.Y + (p.Y-f.view.Center.Y)*f.view.Zoom}
}

func (f *frame) back(p scene.Point) layout.Point {
	z := max(f.view.Zoom, 1e-9)
	return layout.Point{X: f.view.Center.X + (p.X-f.mid.X)/z, Y: f.view.Center.Y + (p.Y-f.mid.Y)/z}
}

func (f *frame) rect(r layout.Rect) scene.Rect {
	return scene.Rect{Min: f.at(r.Min), Max: f.at(r.Max)}
}

// seen is the part of the layout that the pane shows.
func (f *frame) seen() layout.Rect {
	return layout.Rect{Min: f.back(scene.Point{X: -8, Y: f.top - 8}),
		Max: f.back(scene.Point{X: f.size.W + 8, Y: f.size.H + 8})}
}

// category is a node's entry in the legend: in a difference its state, else its category, "other" where it has none.
func category(n *depgraph.Node) string {
	if c := n.Properties.Get(depgraph.KeyState); c != "" {
		return c
	}
	if c := n.Properties.Get(irgraph.KeyCategory); c != "" {
		return c
	}
	return "other"
}

// sort groups the nodes by category.
func (p *Picture) sort() {
	all := make([]string, len(p.Graph.Nodes))
	for v := range all {
		all[v] = category(&p.Graph.Nodes[v])
	}
	p.kinds = slices.Clone(all)
	slices.Sort(p.kinds)
	p.kinds = slices.Compact(p.kinds)
	p.kind = make([]int32, len(all))
	for v, c := range all {
		at, _ := slices.BinarySearch(p.kinds, c)
		p.kind[v] = int32(at)
	}
}

// Start is a view, at a zoom, of the place with the most nodes.
func (p *Picture) Start(size scene.Size, top, zoom float64) View {
	w, h := size.W/zoom, (size.H-top)/zoom
	nodes := p.phase.Node
	step := max(1, len(nodes)/300) // a sample of the places is good enough
	best, most := View{Zoom: zoom}, -1
	for i := 0; i < len(nodes); i += step {
		b := p.Layout.Nodes[nodes[i]]
		center := layout.Point{X: within((b.Min.X+b.Max.X)/2, p.bounds.Min.X, p.bounds.Max.X, w),
			Y: within(b.Min.Y+h*0.4, p.bounds.Min.Y, p.bounds.Max.Y, h)}
		n := 0
		for k := 0; k < len(nodes); k += step {
			o := p.Layout.Nodes[nodes[k]]
			if o.Min.X > center.X-w/2 && o.Max.X < center.X+w/2 && o.Min.Y > center.Y-h/2 && o.Max.Y < center.Y+h/2 {
				n++
			}
		}
		if n > most {
			most, best.Center = n, center
		}
	}
	return best
}

// Within is the view moved so that it has no more than a margin beside the graph, where there is more of the graph.
func (p *Picture) Within(v View, size scene.Size, top float64) View {
	z := max(v.Zoom, 1e-9)
	v.Center.X = within(v.Center.X, p.bounds.Min.X, p.bounds.Max.X, size.W/z)
	v.Center.Y = within(v.Center.Y, p.bounds.Min.Y, p.bounds.Max.Y, (size.H-top)/z)
	return v
}

// within is the middle of a span of the given width around x that leaves no more than a margin beside low to high.
func within(x, low, high, width float64) float64 {
	const margin = 20
	if high-low+2*margin <= width {
		return (low + high) / 2
	}
	return max(low-margin+width/2, min(x, high+margin-width/2))
}

// Contains reports whether a point of the layout is in view.
func (v View) Contains(at layout.Point, size scene.Size, top float64) bool {
	f := frame{view: v, mid: middle(size, top), size: size, top: top}
	p := f.at(at)
	return p.X >= 0 && p.X <= size.W && p.Y >= top && p.Y <= size.H
}

// ShowsAny reports whether any node is in view.
func (p *Picture) ShowsAny(v View, size scene.Size, top float64) bool {
	return p.CountInView(v, size, top) > 0
}

// CountInView is how many nodes are in view, if only in part.
func (p *Picture) CountInView(v View, size scene.Size, top float64) (n int) {
	f := frame{view: v, mid: middle(size, top), size: size, top: top}
	area := f.seen()
	for _, at := range p.phase.Node {
		if b := p.Layout.Nodes[at]; b.Max.X > area.Min.X && b.Min.X < area.Max.X && b.Max.Y > area.Min.Y &&
			b.Min.Y < area.Max.Y {
			n++
		}
	}
	return n
}

// ShowsReadable reports whether all of these nodes, and at least one, are in view and large enough to read.
func (p *Picture) ShowsReadable(v View, size scene.Size, top float64, ids depgraph.Set) bool {
	return v.Zoom >= readable && p.ShowsAll(v, size, top, ids)
}

// ShowsAll reports whether all of these nodes, and at least one, are in view.
func (p *Picture) ShowsAll(v View, size scene.Size, top float64, ids depgraph.Set) bool {
	f := frame{view: v, mid: middle(size, top), size: size, top: top}
	some := false
	for i := range p.Graph.Nodes {
		if ids.Has(p.Graph.Nodes[i].ID) {
			r := f.rect(p.Box(i))
			if r.Min.X < 0 || r.Min.Y < top || r.Max.X > size.W || r.Max.Y > size.H {
				return false
			}
			some = true
		}
	}
	return some
}

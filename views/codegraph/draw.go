package codegraph

import (
	"fmt"
	"image/color"
	"math"

	"orrery/analysis/depgraph/layout"
	"orrery/views/palette"
	"orrery/views/scene"
)

// From what zoom on details are drawn.
const (
	readable = 0.5  // texts: some 5.5 pixels tall
	rounded  = 0.32 // corners and borders
	curved   = 0.2  // edges as curves
	slotted  = 0.75 // slots
)

// Scene draws the state into the room given.
func Scene(s State, size scene.Size) scene.Drawing {
	d := scene.Drawing{Size: size, Background: s.Theme.Panel}
	if s.Picture == nil || len(s.Picture.Graph.Nodes) == 0 {
		text := s.Empty
		if s.Picture != nil {
			text = "No node is left. Uncheck filters, or show all nodes (Ctrl+Shift+A)."
		}
		d.Say(text, s.Theme.Dim)
		return d
	}
	if s.Satellite == Whole {
		s.drawWhole(&d, size)
		return d
	}
	group := scene.Group{Clip: scene.R(0, s.Top, size.W, max(0, size.H-s.Top))}
	f := s.frame(size)
	group.Shapes = s.contents(&f)
	d.Add(group)
	s.drawLegend(&d, size)
	s.drawSatellite(&d, size)
	return d
}

// contents is the graph itself: blocks, edges, nodes.
func (s *State) contents(f *frame) []scene.Shape {
	p := s.Picture
	nodes, edges := p.within(f.seen())
	shapes := s.drawBlocks(f)
	shapes = append(shapes, s.drawEdges(f, edges)...)
	return append(shapes, s.drawNodes(f, nodes)...)
}

// within is the nodes and edges of the layout that may show in an area.
func (p *Picture) within(area layout.Rect) (nodes, edges []int32) {
	if b := p.bounds; p.index == nil || area.Min.X <= b.Min.X && area.Min.Y <= b.Min.Y && area.Max.X >= b.Max.X &&
		area.Max.Y >= b.Max.Y {
		return p.phase.Node, p.phase.Edge
	}
	return p.index.Within(area, nil, nil)
}

// drawBlocks is the basic blocks and the ways between them.
func (s *State) drawBlocks(f *frame) (out []scene.Shape) {
	p := s.Picture
	t := &s.Theme
	fill, line := palette.Mix(t.Panel, t.Background, 0.8), palette.Mix(t.Panel, t.Line, 0.9)
	if t.Dark {
		fill = palette.Mix(t.Panel, t.Background, 0.6)
	}
	for b, name := range p.Blocks {
		r := f.rect(p.Layout.Blocks[b])
		if name == "" || r.Max.X < 0 || r.Max.Y < 0 || r.Min.X > f.size.W || r.Min.Y > f.size.H {
			continue
		}
		if f.view.Zoom < rounded {
			out = append(out, scene.Fill{Path: scene.Box(r), Color: fill})
			continue
		}
		path := scene.RoundBox(r, min(8, 8*f.view.Zoom))
		out = append(out, scene.Fill{Path: path, Color: fill}, scene.Stroke{Path: path, Width: 1, Color: line})
		if f.view.Zoom >= readable {
			out = append(out, s.blockName(f, r, name))
		}
	}
	if len(p.flow) == 0 {
		return out
	}
	c := scene.Curves{Width: min(2.4, max(1, 2.4*f.view.Zoom)), Colors: []color.NRGBA{palette.Mix(t.Panel, t.Dim, 0.55)}}
	heads := scene.Path{}
	for i := range p.Layout.Flow {
		r := &p.Layout.Flow[i]
		if !p.flow[int32(i)] || len(r.Points) < 2 {
			continue
		}
		c.Starts = append(c.Starts, len(c.Points))
		c.Points = f.trace(c.Points, r.Points, f.view.Zoom >= curved)
		arrow(&heads, c.Points[len(c.Points)-1], 5*min(1.4, f.view.Zoom))
	}
	return append(out, c, scene.Fill{Path: heads, Color: c.Colors[0]})
}

// blockName is the name of a block at its upper left corner; where that is out of view, as near to it as there is a
// part of the block.
func (s *State) blockName(f *frame, r scene.Rect, name string) scene.Text {
	zoom := f.view.Zoom
	wide := scene.Measure(scene.Bold, 11*zoom, name) + 16*zoom
	x := max(r.Min.X, min(0, r.Max.X-wide))
	y := max(r.Min.Y, min(f.top, r.Max.Y-20*zoom))
	return scene.Text{At: scene.Point{X: x + 8*zoom, Y: y + 14*zoom}, Face: scene.Bold, Size: 11 * zoom,
		Color: s.Theme.Dim, Max: max(1, r.Max.X-x-16*zoom), S: name}
}

// arrow appends the head of an arrow that points downwards to p.
func arrow(to *scene.Path, p scene.Point, half float64) {
	to.Move(p.X, p.Y)
	to.Line(p.X-half*0.72, p.Y-half*1.7)
	to.Line(p.X+half*0.72, p.Y-half*1.7)
	to.Close()
}

// strokes are the edges of one width, by colour.
type strokes struct {
	width float64
	of    map[color.NRGBA]*stroke
	order []*stroke
	last  *stroke // most edges have the colour of the one before
}

// stroke is the edges of one colour with the arrows where they arrive.
type stroke struct {
	curves scene.Curves
	heads  scene.Path
}

func (k *strokes) with(ink color.NRGBA) *stroke {
	if k.last != nil && k.last.curves.Colors[0] == ink {
		return k.last
	}
	if k.last = k.of[ink]; k.last != nil {
		return k.last
	}
	if k.of == nil {
		k.of = map[color.NRGBA]*stroke{}
	}
	s := &stroke{curves: scene.Curves{Width: k.width, Colors: []color.NRGBA{ink}}}
	k.of[ink], k.last = s, s
	k.order = append(k.order, s)
	return s
}

func (k *strokes) shapes() (out []scene.Shape) {
	for _, s := range k.order {
		out = append(out, s.curves)
	}
	for _, s := range k.order {
		if len(s.heads.Points) > 0 {
			out = append(out, scene.Fill{Path: s.heads, Color: s.curves.Colors[0]})
		}
	}
	return out
}

// mostInk bounds how long all edges of a picture are together, in units, where they cannot be told apart: more is a
// blot, and takes more time to draw than a frame has.
const mostInk = 120_000

// every says that of the edges in view one in how many is drawn: a power of two, so that those which are drawn stay
// while the graph is moved, and others join them as it comes closer.
func (s *State) every(f *frame, edges []int32) int {
	if f.view.Zoom >= curved {
		return 1
	}
	ink := 0.0
	for _, at := range edges {
		r := &s.Picture.Layout.Routes[at]
		for _, piece := range [2][]layout.Point{r.Points, r.End} {
			if n := len(piece); n > 0 {
				a, b := f.at(piece[0]), f.at(piece[n-1])
				ink += min(math.Abs(a.X-b.X), f.size.W) + min(math.Abs(a.Y-b.Y), f.size.H)
			}
		}
	}
	n := 1
	for ink/float64(n) > mostInk {
		n *= 2
	}
	return n
}

// drawn reports whether an edge is among the one in n that are drawn.
func drawn(e int32, n int) bool {
	return uint32(e)*2654435761>>12&uint32(n-1) == 0 // multiplicative hashing: neighbours do not go together
}

// drawEdges is the edges in view: those of what is selected or under the pointer on top.
func (s *State) drawEdges(f *frame, edges []int32) []scene.Shape {
	p := s.Picture
	zoom := f.view.Zoom
	below, above := strokes{width: min(1.5, max(0.5, 1.3*zoom))}, strokes{width: min(2.4, max(1, 2*zoom))}
	var ends scene.Discs
	every := s.every(f, edges)
	tone := s.tones().edge
	thin := 1.0
	if len(edges)/every > 500 && zoom < curved {
		thin = max(0.4, math.Sqrt(500*float64(every)/float64(len(edges)))) // where lines pile up, density reads as tone
	}
	for _, at := range edges {
		e := p.edgeOf[at]
		if e < 0 {
			continue
		}
		hot := s.lightEdge(int(e))
		if every > 1 && !hot && !p.chase.Edges[e] && !drawn(e, every) {
			continue
		}
		r, x := &p.Layout.Routes[at], &p.Graph.Edges[e]
		ink, k := tone[e], &below
		switch {
		case p.chase.Edges[e]:
			k = &above
			ink = s.Theme.Accent
		case hot:
			k = &above
			ink = palette.Mix(ink, s.Theme.Text, 0.35)
		case s.ghost(x.From) || s.ghost(x.To):
			ink = palette.Alpha(ink, 0.4)
		case thin < 1:
			ink = palette.Alpha(ink, thin)
		}
		for i, piece := range [][]layout.Point{r.Points, r.End} {
			if len(piece) < 2 {
				continue
			}
			c := k.with(ink)
			begin := len(c.curves.Points)
			c.curves.Starts = append(c.curves.Starts, begin)
			c.curves.Points = f.trace(c.curves.Points, piece, zoom >= curved)
			last := c.curves.Points[len(c.curves.Points)-1]
			if zoom < rounded {
				continue
			}
			if i == 1 || !r.Cut() {
				arrow(&c.heads, last, 4*min(1.3, zoom))
			}
			if r.Cut() {
				stub := last
				if i == 1 {
					stub = c.curves.Points[begin]
				}
				ends.Centers = append(ends.Centers, stub)
				ends.Colors = append(ends.Colors, ink)
			}
		}
	}
	out := append(below.shapes(), above.shapes()...)
	if every > 1 {
		out = append(out, scene.Text{At: scene.Point{X: 12, Y: f.size.H - legendRow - 14}, Size: legendSize,
			Color: s.Theme.Dim, S: fmt.Sprintf("from afar, one edge in %d is drawn", every)})
	}
	if len(ends.Centers) > 0 {
		ends.Radii = []float64{stubRadius * min(1.2, zoom)}
		out = append(out, ends)
	}
	return out
}

// stubRadius is the size of the dot at the end of a cut edge, in layout units.
const stubRadius = 3.2

// lightEdge reports whether an edge belongs to what is selected or under the pointer.
func (s *State) lightEdge(e int) bool {
	x := &s.Picture.Graph.Edges[e]
	if s.Hover.Edge == e || s.Hover.Node == int(x.From) || s.Hover.Node == int(x.To) {
		return true
	}
	if len(s.Selected) == 0 || len(s.Selected) > 12 {
		return false
	}
	return s.Selected.Has(s.Picture.Graph.Nodes[x.From].ID) || s.Selected.Has(s.Picture.Graph.Nodes[x.To].ID)
}

// ghost reports whether a node is drawn semi-transparent: a neighbour only, or of a category that steps back.
func (s *State) ghost(v int32) bool {
	return s.Picture.Faint != nil && s.Picture.Faint[v] || len(s.Dim) > 0 && s.Dim[s.Picture.kinds[s.Picture.kind[v]]]
}

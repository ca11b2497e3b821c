package codegraph

import (
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
	nodes, edges := p.index.Within(f.seen(), nil, nil)
	shapes := s.drawBlocks(f)
	shapes = append(shapes, s.drawEdges(f, edges)...)
	return append(shapes, s.drawNodes(f, nodes)...)
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
			out = append(out, scene.Text{At: scene.Point{X: r.Min.X + 8*f.view.Zoom, Y: r.Min.Y + 14*f.view.Zoom}, Face: scene.Bold, Size: 11 * f.view.Zoom, Color: t.Dim, Max: max(1, r.W()-16*f.view.Zoom), S: name})
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

// arrow appends the head of an arrow that points downwards to p.
func arrow(to *scene.Path, p scene.Point, half float64) {
	to.Move(p.X, p.Y)
	to.Line(p.X-half*0.72, p.Y-half*1.7)
	to.Line(p.X+half*0.72, p.Y-half*1.7)
	to.Close()
}

// strokes are the edges of one width.
type strokes struct {
	curves scene.Curves
	heads  map[color.NRGBA]*scene.Path
	order  []color.NRGBA
}

func (k *strokes) add(points []scene.Point, ink color.NRGBA) {
	k.curves.Starts = append(k.curves.Starts, len(k.curves.Points))
	k.curves.Points = append(k.curves.Points, points...)
	for range points {
		k.curves.Colors = append(k.curves.Colors, ink)
	}
}

// head puts an arrow where an edge arrives.
func (k *strokes) head(p scene.Point, half float64, ink color.NRGBA) {
	if k.heads[ink] == nil {
		if k.heads == nil {
			k.heads = map[color.NRGBA]*scene.Path{}
		}
		k.heads[ink] = &scene.Path{}
		k.order = append(k.order, ink)
	}
	arrow(k.heads[ink], p, half)
}

func (k *strokes) shapes() (out []scene.Shape) {
	if len(k.curves.Points) > 0 {
		out = append(out, k.curves)
	}
	for _, ink := range k.order {
		out = append(out, scene.Fill{Path: *k.heads[ink], Color: ink})
	}
	return out
}

// drawEdges is the edges in view: those of what is selected or under the pointer on top.
func (s *State) drawEdges(f *frame, edges []int32) []scene.Shape {
	p := s.Picture
	zoom := f.view.Zoom
	below := strokes{curves: scene.Curves{Width: min(1.5, max(0.5, 1.3*zoom))}}
	above := strokes{curves: scene.Curves{Width: min(2.4, max(1, 2*zoom))}}
	var ends, ghosts scene.Discs
	var buffer []scene.Point
	thin := 1.0
	if len(edges) > 3000 {
		thin = max(0.3, math.Sqrt(3000/float64(len(edges)))) // where lines pile up, density reads as tone
	}
	for _, at := range edges {
		e := p.edgeOf[at]
		if e < 0 {
			continue
		}
		r, x := &p.Layout.Routes[at], &p.Graph.Edges[e]
		ink, k := s.edgeTone(int(e)), &below
		hot := s.lightEdge(int(e))
		switch {
		case hot:
			k = &above
			ink = palette.Mix(ink, s.Theme.Text, 0.35)
		case p.chase.Edges[e]:
			k = &above
			ink = s.Theme.Accent
		case s.ghost(x.From) || s.ghost(x.To):
			ink = palette.Alpha(ink, 0.4)
		case thin < 1:
			ink = palette.Alpha(ink, thin)
		}
		for i, piece := range [][]layout.Point{r.Points, r.End} {
			if len(piece) < 2 {
				continue
			}
			buffer = f.trace(buffer[:0], piece, zoom >= curved)
			k.add(buffer, ink)
			last := buffer[len(buffer)-1]
			if (i == 1 || !r.Cut()) && zoom >= rounded {
				k.head(last, 4*min(1.3, zoom), ink)
			}
			if r.Cut() && zoom >= rounded {
				stub := last
				if i == 1 {
					stub = buffer[0]
				}
				list := &ends
				if s.ghost(x.From) || s.ghost(x.To) {
					list = &ghosts
				}
				list.Centers = append(list.Centers, stub)
				list.Colors = append(list.Colors, ink)
			}
		}
	}
	out := append(below.shapes(), above.shapes()...)
	for _, d := range []scene.Discs{ends, ghosts} {
		if len(d.Centers) > 0 {
			d.Radii = []float64{stubRadius * min(1.2, zoom)}
			out = append(out, d)
		}
	}
	return out
}

// stubRadius is the size of the dot at the end of a cut edge, in layout units.
const stubRadius = 3.2

// lightEdge tells whether an edge belongs to what is selected or under the pointer.
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

// ghost tells whether a node is drawn semi-transparent: a neighbour only, or of a category that steps back.
func (s *State) ghost(v int32) bool {
	return s.Picture.Faint != nil && s.Picture.Faint[v] || len(s.Dim) > 0 && s.Dim[category(&s.Picture.Graph.Nodes[v])]
}

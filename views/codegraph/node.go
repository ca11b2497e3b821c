package codegraph

import (
	"image/color"

	"orrery/traceio/irgraph"
	"orrery/views/palette"
	"orrery/views/scene"
)

// batch is boxes of one colour and border, drawn as one shape each for fill and border.
type batch struct {
	fill, border color.NRGBA
	path         scene.Path
}

// drawNodes is the boxes in view with their texts and slots.
func (s *State) drawNodes(f *frame, nodes []int32) []scene.Shape {
	p := s.Picture
	zoom := f.view.Zoom
	fine := zoom >= rounded
	looks := map[[2]color.NRGBA]*batch{}
	var order []*batch
	var texts, marks []scene.Shape
	var slots scene.Discs
	var flat scene.Boxes
	if !fine {
		flat = scene.Boxes{Rects: make([]scene.Rect, 0, len(nodes)), Colors: make([]color.NRGBA, 0, len(nodes))}
	}
	tone := s.tones()
	for _, at := range nodes {
		v := p.nodeOf[at]
		if v < 0 {
			continue
		}
		r := f.rect(p.Layout.Nodes[at])
		fill, border := tone.fill[v], tone.border[v]
		ghost := s.ghost(v)
		if ghost {
			fill, border = palette.Mix(fill, s.Theme.Panel, 0.72), palette.Mix(border, s.Theme.Panel, 0.62)
		}
		var ink color.NRGBA
		if zoom >= readable {
			if ink = s.ink(fill); ghost {
				ink = palette.Alpha(ink, 0.5)
			}
		}
		if !fine {
			flat.Rects, flat.Colors = append(flat.Rects, r), append(flat.Colors, border)
		} else {
			look := [2]color.NRGBA{fill, border}
			b := looks[look]
			if b == nil {
				b = &batch{fill: fill, border: border}
				looks[look] = b
				order = append(order, b)
			}
			box := scene.RoundBox(r, min(5, 5*zoom))
			b.path.Ops, b.path.Points = append(b.path.Ops, box.Ops...), append(b.path.Points, box.Points...)
		}
		marks = append(marks, s.mark(int(v), r, zoom)...)
		if zoom >= slotted {
			s.addSlots(&slots, f, int(v), at, border)
		}
		if zoom >= readable {
			texts = append(texts, scene.Text{At: scene.Point{X: r.Center().X, Y: r.Center().Y + scene.Middle(scene.Sans,
				textSize*zoom)}, Size: textSize * zoom,
				Color: ink, Align: 0.5, Max: max(1, r.W()-8*zoom), S: p.text[v]})
		}
	}
	var out []scene.Shape
	if len(flat.Rects) > 0 {
		out = append(out, flat)
	}
	for _, b := range order {
		out = append(out, scene.Fill{Path: b.path, Color: b.fill}, scene.Stroke{Path: b.path, Width: 1, Color: b.border})
	}
	out = append(out, marks...)
	if len(slots.Centers) > 0 {
		slots.Radii = []float64{2.2 * min(1.3, zoom)}
		out = append(out, slots)
	}
	return append(out, texts...)
}

// addSlots is the dots of a node's inputs and outputs that edges use.
func (s *State) addSlots(d *scene.Discs, f *frame, v int, at int32, ink color.NRGBA) {
	p := s.Picture
	b := p.Layout.Nodes[at]
	for _, e := range p.edges[v] {
		x := &p.Layout.Routes[p.phase.Edge[e]]
		if len(x.Points) == 0 {
			continue
		}
		end := x.Points[0]
		if int(p.Graph.Edges[e].To) == v {
			end = x.Points[len(x.Points)-1]
			if x.Cut() {
				end = x.End[len(x.End)-1]
			}
			end.Y = b.Min.Y
		} else {
			end.Y = b.Max.Y
		}
		d.Centers = append(d.Centers, f.at(end))
		d.Colors = append(d.Colors, ink)
	}
}

// mark is the outlines of a box: selected, found, bookmarked, under the pointer, part of a pointer chase.
func (s *State) mark(v int, r scene.Rect, zoom float64) (out []scene.Shape) {
	n := &s.Picture.Graph.Nodes[v]
	around := func(by, width float64, ink color.NRGBA) {
		room := scene.R(r.Min.X-by, r.Min.Y-by, r.W()+2*by, r.H()+2*by)
		out = append(out, scene.Stroke{Path: scene.RoundBox(room, min(5+by, (5+by)*max(zoom, 0.4))),
			Width: width, Color: ink})
	}
	if s.Picture.chase.Nodes[v] && zoom >= rounded {
		around(3, 1.2, palette.Alpha(s.Theme.Accent, 0.55))
	}
	switch {
	case s.Selected.Has(n.ID):
		around(1, 2, s.Theme.Accent)
	case s.Hover.Node == v:
		around(0.5, 1.4, s.Theme.Text)
	case s.Lit.Has(n.ID):
		around(2, 1.5, palette.Qualitative(s.Theme, 0))
	case s.onHoverLine(v):
		around(1, 1.2, palette.Alpha(s.Theme.Text, 0.6))
	}
	if s.Marked.Has(n.ID) {
		x, y, h := r.Max.X-9*zoom, r.Min.Y-1, 9*max(zoom, 0.5)
		flag := scene.Path{}
		flag.Move(x, y)
		flag.Line(x+5*zoom, y)
		flag.Line(x+5*zoom, y+h)
		flag.Line(x+2.5*zoom, y+h*0.68)
		flag.Line(x, y+h)
		flag.Close()
		out = append(out, scene.Fill{Path: flag, Color: s.Theme.Accent})
	}
	return out
}

// onHoverLine reports whether a node comes from the source line under the pointer.
func (s *State) onHoverLine(v int) bool {
	p := s.Picture
	return s.HoverLine > 0 && p.lines[v] == int32(s.HoverLine) &&
		irgraph.SameFile(p.Graph.Nodes[v].Properties.Get(irgraph.KeyFile), s.HoverFile)
}

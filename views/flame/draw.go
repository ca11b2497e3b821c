package flame

import (
	"fmt"
	"image/color"
	"slices"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/views/controls"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

const (
	// Bar is how tall the bar with the words and the filter is, which is drawn where Top leaves room for it.
	Bar = 27.0

	row    = 18.0
	pad    = 10.0
	narrow = 2.5 // boxes of siblings that are narrower are drawn as one
	letter = 10.5
)

// box is a node as it is placed, or several siblings that are too narrow each.
type box struct {
	node  *heap.Node
	way   []int
	at    scene.Rect
	above bool         // of the one that fills the width
	more  []*heap.Node // in place of node
}

// boxes places the nodes: the way to the focus in full width, and below it everything. Siblings stand in the order of
// the tree, those that are too narrow to be seen after the others, together.
func boxes(s *State, size scene.Size) (out []box) {
	if s.Root == nil || s.Metric.Of(&s.Root.Total) == 0 {
		return nil
	}
	nodes := s.Nodes()
	last := len(nodes) - 1
	y, wide := s.Top+6-s.Scroll, size.W-2*pad
	for i, n := range nodes[:last] {
		out = append(out, box{node: n, way: s.Focus[:i:i], at: scene.R(pad, y, wide, row), above: true})
		y += row
	}
	var place func(n *heap.Node, way []int, x, y, w float64)
	place = func(n *heap.Node, way []int, x, y, w float64) {
		out = append(out, box{node: n, way: way, at: scene.R(x, y, w, row)})
		all := float64(s.Metric.Of(&n.Total))
		if y += row; y > size.H || all == 0 {
			return
		}
		var few []*heap.Node
		little := 0.0
		for i, c := range n.Children {
			part := w * float64(s.Metric.Of(&c.Total)) / all
			switch {
			case part >= narrow:
				place(c, append(way[:len(way):len(way)], i), x, y, part)
				x += part
			case part > 0:
				few = append(few, c)
				little += part
			}
		}
		if little >= 1 {
			out = append(out, box{way: way, at: scene.R(x, y, little, row), more: few})
		}
	}
	place(nodes[last], s.Focus[:last:last], pad, y, wide)
	return out
}

// Scene draws the state into the room given.
func Scene(s State, size scene.Size) scene.Drawing {
	d := scene.Drawing{Size: size, Background: s.Theme.Panel}
	s.Found = s.found()
	s.dims = s.Found == nil && s.Root != nil && s.lit(s.Root)
	if s.Top >= Bar {
		s.drawBar(&d, size)
	}
	all := boxes(&s, size)
	if len(all) == 0 {
		s.drawNothing(&d, size)
		return d
	}
	group := scene.Group{Clip: scene.R(0, s.Top+4, size.W, max(0, size.H-s.Top-4))}
	for i := range all {
		if all[i].at.Max.Y > s.Top {
			group.Shapes = append(group.Shapes, s.draw(&all[i])...)
		}
	}
	d.Add(group)
	return d
}

func (s *State) drawNothing(d *scene.Drawing, size scene.Size) {
	text := "Nothing here: no " + Words(s.Metric) + "."
	switch {
	case s.Root == nil && s.Empty != "":
		text = s.Empty
	case s.Root == nil:
		text = "Gathering call stacks …"
	}
	lines := scene.Wrap(scene.Sans, 12, text, max(40, size.W-4*pad))
	y := max(s.Top+20, size.H/2-9*float64(len(lines)-1))
	for i, line := range lines {
		d.Add(scene.Text{At: scene.Point{X: size.W / 2, Y: y + 18*float64(i)}, Size: 12, Color: s.Theme.Dim, Align: 0.5,
			Max: size.W - 2*pad, S: line})
	}
}

// field is where the filter is written; beside it stands the summary of the graph, where there is room for both.
func (s *State) field(size scene.Size) scene.Rect {
	left := s.Taken + 14
	if summary := scene.Measure(scene.Sans, letter, Summary(*s)) + 14; size.W-pad-left-summary >= 90 {
		left += summary
	}
	return controls.RightTextField(left, size.W-pad, 4, 19)
}

func (s *State) drawBar(d *scene.Drawing, size scene.Size) {
	if s.Root == nil {
		return
	}
	f := s.field(size)
	d.Add(controls.TextField{Theme: s.Theme, Text: s.Filter, Hint: "find functions", Typing: s.Typing}.Shapes(f)...)
	right := size.W - pad
	if f.W() > 0 {
		right = f.Min.X - 10
	}
	if x := s.Taken + 14; right-x > 60 {
		d.Add(scene.Text{At: scene.Point{X: x, Y: 13.5 + scene.Middle(scene.Sans, letter)}, Size: letter, Color: s.Theme.Dim,
			Max: right - x, S: Summary(*s)})
	}
}

// draw is one box. What the filter does not light, and functions beside one that is selected, step back.
func (s *State) draw(b *box) []scene.Shape {
	r := b.at
	r.Max.Y--
	if r.W() > 3 {
		r.Max.X--
	}
	if b.node == nil {
		return s.drawMore(b, r)
	}
	col := s.color(b.node)
	thing := Thing(b.node)
	chosen := s.chosen(b.node)
	switch {
	case b.above:
		col = palette.Mix(col, s.Theme.Panel, 0.55)
	case s.Found != nil && !s.Found.Nodes[b.node] && b.node != s.Root:
		col = palette.Mix(col, s.Theme.Panel, 0.75)
	case s.dims && !chosen:
		col = palette.Mix(col, s.Theme.Panel, 0.5)
	}
	out := []scene.Shape{scene.Fill{Path: scene.RoundBox(r, min(2, r.W()/3)), Color: col}}
	inner := scene.R(r.Min.X+0.75, r.Min.Y+0.75, r.W()-1.5, r.H()-1.5)
	switch {
	case inner.W() <= 0:
	case chosen, s.Found != nil && s.Found.Nodes[b.node]:
		out = append(out, scene.Stroke{Path: scene.RoundBox(inner, 2), Width: 1.5, Color: s.Theme.Accent})
	case s.Over == b.node, s.Hover == thing && thing.What != link.Nothing:
		out = append(out, scene.Stroke{Path: scene.RoundBox(inner, 2), Width: 1, Color: s.Theme.Text})
	}
	if r.W() > 24 {
		out = append(out, s.label(b, r, col)...)
	}
	return out
}

// chosen reports whether a node is what is selected: the function, or, of a place that allocates, a call that leads
// nowhere else.
func (s *State) chosen(n *heap.Node) bool {
	switch s.Selected.What {
	case link.Function:
		return Thing(n) == s.Selected
	case link.Region:
		return n.Site >= 0 && n.Site < len(s.Places) && s.Places[n.Site] == s.Selected.Name
	}
	return false
}

// lit reports whether anything from a node on is selected.
func (s *State) lit(n *heap.Node) bool {
	return s.chosen(n) || slices.ContainsFunc(n.Children, s.lit)
}

// label is a box's name and, where there is room, its amount and share.
func (s *State) label(b *box, r scene.Rect, back color.NRGBA) []scene.Shape {
	name := traceio.ShortFunction(b.node.Name)
	if b.node == s.Root {
		name = "all allocations"
	}
	base := r.Center().Y + scene.Middle(scene.Sans, letter)
	text := ink(back)
	out := []scene.Shape{scene.Text{At: scene.Point{X: r.Min.X + 5, Y: base}, Size: letter, Color: text,
		Max: r.W() - 8, S: name}}
	v := s.Metric.Of(&b.node.Total)
	figures := amount(s.Metric, v) + "  " + share(v, s.Metric.Of(&s.Root.Total))
	if scene.Measure(scene.Sans, letter, name)+scene.Measure(scene.Sans, letter, figures)+24 < r.W() {
		out = append(out, scene.Text{At: scene.Point{X: r.Max.X - 6, Y: base}, Size: letter,
			Color: palette.Mix(text, back, 0.25), Align: 1, S: figures})
	}
	return out
}

// drawMore is a box that stands for several.
func (s *State) drawMore(b *box, r scene.Rect) []scene.Shape {
	col := palette.Mix(palette.Others(s.Theme), s.Theme.Panel, 0.75)
	out := []scene.Shape{scene.Fill{Path: scene.Box(r), Color: col}}
	if s.Found != nil {
		for _, n := range b.more {
			if s.Found.under(n) {
				out = append(out, scene.Fill{Path: scene.Box(scene.R(r.Min.X, r.Max.Y-3, r.W(), 3)), Color: s.Theme.Accent})
				break
			}
		}
	}
	if text := fmt.Sprintf("%d more", len(b.more)); r.W() > scene.Measure(scene.Sans, letter, text)+8 {
		out = append(out, scene.Text{At: scene.Point{X: r.Center().X, Y: r.Center().Y + scene.Middle(scene.Sans, letter)},
			Size: letter, Color: s.Theme.Dim, Align: 0.5, S: text})
	}
	return out
}

// under reports whether anything from a node on is lit.
func (f *Found) under(n *heap.Node) bool {
	return f.Nodes[n] || slices.ContainsFunc(n.Children, f.under)
}

// ink is black or white, whichever can be read on a colour.
func ink(c color.NRGBA) color.NRGBA {
	if palette.Brightness(c) > 128 {
		return color.NRGBA{R: 12, G: 14, B: 18, A: 255}
	}
	return color.NRGBA{R: 245, G: 247, B: 250, A: 255}
}

// Tall is how tall the whole graph is below Top.
func Tall(s State, size scene.Size) float64 {
	most := 0.0
	for _, b := range boxes(&s, scene.Size{W: size.W, H: 1e6, Scale: 1}) {
		most = max(most, b.at.Max.Y+s.Scroll-s.Top)
	}
	return most
}

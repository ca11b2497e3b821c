// Package flame draws where in the program something comes from as a flame graph: a box for each function on the way, as wide as
// what was done below it, callers above those that they call. In: a tree of calls with a number each (for allocations, heap.Tree)
// and the node that fills the width; out: a display list, and for a point the node there.
package flame

import (
	"fmt"
	"image/color"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// State is everything that the graph shows.
type State struct {
	Theme  palette.Theme
	Root   *heap.Node // nil while it is being made
	Metric heap.Metric
	Focus  []int                  // the way from the root to the node that fills the width: numbers of children
	Colors map[string]color.NRGBA // of functions that have one in the other views; the others are grey
	Top    float64                // units above that are another's
	Scroll float64                // how far the graph is moved up

	Hover    link.Thing
	Selected link.Thing
}

// Target is what lies under the pointer. Way leads to its node, as State.Focus does; it is nil where there is none.
type Target struct {
	Thing link.Thing
	Way   []int
	Lines []string
}

const (
	row    = 18.0
	pad    = 10.0
	narrow = 1.0 // narrower boxes are left out: the gap beside their siblings stands for them
)

// box is a node as it is placed.
type box struct {
	node *heap.Node
	way  []int
	at   scene.Rect
}

// boxes places the nodes: the way to the focus in full width, and below it everything.
func boxes(s *State, size scene.Size) (out []box) {
	if s.Root == nil || s.Metric.Of(&s.Root.Total) == 0 {
		return nil
	}
	n, way := s.Root, []int(nil)
	y := s.Top + 6 - s.Scroll
	wide := size.W - 2*pad
	for _, i := range s.Focus {
		if i < 0 || i >= len(n.Children) {
			break
		}
		out = append(out, box{n, way, scene.R(pad, y, wide, row)})
		n, way = n.Children[i], append(way[:len(way):len(way)], i)
		y += row
	}
	var place func(n *heap.Node, way []int, x, y, w float64)
	place = func(n *heap.Node, way []int, x, y, w float64) {
		if w < narrow || y > size.H {
			return
		}
		out = append(out, box{n, way, scene.R(x, y, w, row)})
		all := float64(s.Metric.Of(&n.Total))
		for i, c := range n.Children {
			part := w * float64(s.Metric.Of(&c.Total)) / all
			place(c, append(way[:len(way):len(way)], i), x, y+row, part)
			x += part
		}
	}
	place(n, way, pad, y, wide)
	return out
}

// Scene draws the state into the room given.
func Scene(s State, size scene.Size) scene.Drawing {
	d := scene.Drawing{Size: size, Background: s.Theme.Panel}
	all := boxes(&s, size)
	if len(all) == 0 {
		text := "Nothing here has any " + Words(s.Metric) + "."
		if s.Root == nil {
			text = "Gathering call stacks …"
		}
		d.Add(scene.Text{At: scene.Point{X: size.W / 2, Y: size.H / 2}, Size: 12, Color: s.Theme.Dim, Align: 0.5, Max: size.W - 2*pad, S: text})
		return d
	}
	group := scene.Group{Clip: scene.R(0, s.Top+4, size.W, max(0, size.H-s.Top-4))}
	for i := range all {
		group.Shapes = append(group.Shapes, s.draw(&all[i])...)
	}
	d.Add(group)
	return d
}

// draw is one box. With something selected, boxes of other functions step back.
func (s *State) draw(b *box) []scene.Shape {
	col, known := s.Colors[b.node.Name]
	if !known {
		col = palette.Mix(palette.Others(s.Theme), s.Theme.Panel, 0.45)
	}
	thing := thingOf(b.node)
	chosen := s.Selected.What == link.Function && s.Selected == thing
	if s.Selected.What == link.Function && !chosen {
		col = palette.Mix(col, s.Theme.Panel, 0.5)
	}
	r := b.at
	r.Max.Y--
	if r.W() > 3 {
		r.Max.X--
	}
	out := []scene.Shape{scene.Fill{Path: scene.Box(r), Color: col}}
	switch {
	case chosen:
		out = append(out, scene.Stroke{Path: scene.Box(r), Width: 1.5, Color: s.Theme.Accent})
	case s.Hover == thing && thing.What != link.Nothing:
		out = append(out, scene.Stroke{Path: scene.Box(r), Width: 1, Color: s.Theme.Text})
	}
	if r.W() > 24 {
		name := traceio.ShortFunction(b.node.Name)
		out = append(out, scene.Text{At: scene.Point{X: r.Min.X + 4, Y: r.Center().Y + scene.Middle(scene.Sans, 10.5)}, Size: 10.5, Color: ink(col), Max: r.W() - 6, S: name})
	}
	return out
}

// ink is black or white, whichever can be read on a colour.
func ink(c color.NRGBA) color.NRGBA {
	if 299*int(c.R)+587*int(c.G)+114*int(c.B) > 128_000 {
		return color.NRGBA{R: 12, G: 14, B: 18, A: 255}
	}
	return color.NRGBA{R: 245, G: 247, B: 250, A: 255}
}

// thingOf is a node's identity in the other views; the root has none.
func thingOf(n *heap.Node) link.Thing {
	if n.Frame == (traceio.Frame{}) {
		return link.Thing{}
	}
	return link.Thing{What: link.Function, Name: n.Name}
}

// Hit tells what lies at p.
func Hit(s State, size scene.Size, p scene.Point) Target {
	if p.Y < s.Top+4 {
		return Target{}
	}
	for _, b := range boxes(&s, size) {
		if b.at.Contains(p) {
			return Target{Thing: thingOf(b.node), Way: append([]int{}, b.way...), Lines: describe(&s, b.node)}
		}
	}
	return Target{}
}

// describe is the lines of a node's tooltip.
func describe(s *State, n *heap.Node) []string {
	lines := []string{n.Name}
	if n.Frame.File != "" && n.Frame.Line > 0 {
		lines = append(lines, fmt.Sprintf("%s:%d", n.Frame.File, n.Frame.Line))
	}
	all, own := s.Metric.Of(&n.Total), s.Metric.Of(&n.Self)
	share := 100 * float64(all) / float64(max(s.Metric.Of(&s.Root.Total), 1))
	lines = append(lines, fmt.Sprintf("%s, %.1f %% of all; %s here", amount(s.Metric, all), share, amount(s.Metric, own)))
	c := &n.Total
	return append(lines, fmt.Sprintf("%s blocks, %s; %s at the peak, %s never freed, %s temporary", words.Count(c.Blocks), words.Bytes(c.Bytes), words.Bytes(c.PeakBytes), words.Bytes(c.LiveBytes), words.Count(c.Temporary)))
}

// amount is a number of a metric with its unit.
func amount(m heap.Metric, v uint64) string {
	switch m {
	case heap.ByBlocks, heap.ByTemporary, heap.ByCrossed:
		return words.Count(v) + " blocks"
	}
	return words.Bytes(v)
}

// Metrics are those that a graph can show, in the order in which they are offered.
var Metrics = []heap.Metric{heap.ByBytes, heap.ByBlocks, heap.ByPeak, heap.ByLeaked, heap.ByTemporary, heap.ByWaste, heap.ByCrossed}

// Words names what a metric counts for people: "bytes at the peak".
func Words(m heap.Metric) string {
	switch m {
	case heap.ByBlocks:
		return "blocks"
	case heap.ByPeak:
		return "bytes at the peak"
	case heap.ByLeaked:
		return "bytes never freed"
	case heap.ByTemporary:
		return "temporary blocks"
	case heap.ByWaste:
		return "wasted bytes"
	case heap.ByCrossed:
		return "blocks freed by another thread"
	}
	return "bytes"
}

// Tall is how tall the whole graph is below Top.
func Tall(s State, size scene.Size) float64 {
	most := 0.0
	for _, b := range boxes(&s, scene.Size{W: size.W, H: 1e6, Scale: 1}) {
		most = max(most, b.at.Max.Y+s.Scroll-s.Top)
	}
	return most
}

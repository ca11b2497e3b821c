// Package flame draws where in the program something comes from as a flame graph: a box for each function on the way,
// as wide as what was done below it, callers above those that they call. In: a tree of calls with a number each (for
// allocations, heap.Tree) and the node that fills the width; out: a display list, and for a point the node there.
package flame

import (
	"image/color"
	"slices"

	"orrery/analysis/heap"
	"orrery/views/link"
	"orrery/views/palette"
)

// ColorBy says what a box has its colour from.
type ColorBy uint8

// What colours stand for.
const (
	ByFunction ColorBy = iota // the function: the same in every recording
	ByFile                    // the source file; the function where that is unknown, as it is of a library
	BySite                    // the place that allocates: that of the other views, grey where there are several below
)

// ColorNames are the keys of the ColorBys, in their order.
var ColorNames = []string{"function", "file", "site"}

// State is everything that the graph shows.
type State struct {
	Theme  palette.Theme
	Root   *heap.Node // nil while it is being made
	Metric heap.Metric
	Focus  []int // the way from the root to the node that fills the width: numbers of children
	Color  ColorBy
	Sites  []color.NRGBA // by number of the site, for BySite
	Places []string      // by number of the site, the region that it is in the other views
	Top    float64       // units above that are another's, or the bar's: see Bar
	Taken  float64       // of the bar, units at its left that are another's
	Scroll float64       // how far the graph is moved up

	Filter string // lights the functions whose name has all of its words, whatever their case
	Typing bool   // the keyboard is the filter's
	Found  *Found // what Search gives for the state; nil computes it

	Hover    link.Thing
	Selected link.Thing
	Over     *heap.Node // under the pointer
	Empty    string     // said while there is no tree; "" is that it is being made

	dims bool // what is not selected steps back
}

// Nodes are the nodes from the root to the one that fills the width, as far as the tree has them.
func (s *State) Nodes() []*heap.Node {
	if s.Root == nil {
		return nil
	}
	out := []*heap.Node{s.Root}
	for _, i := range s.Focus {
		n := out[len(out)-1]
		if i < 0 || i >= len(n.Children) {
			break
		}
		out = append(out, n.Children[i])
	}
	return out
}

// Follow is the way in another tree to the node that has the same names on the way to it, as far as there is one: a
// choice outlives the tree that it was made in.
func Follow(from, to *heap.Node, way []int) []int {
	var out []int
	for _, i := range way {
		if from == nil || to == nil || i < 0 || i >= len(from.Children) {
			break
		}
		from = from.Children[i]
		k := slices.IndexFunc(to.Children, func(c *heap.Node) bool { return c.Name == from.Name })
		if k < 0 {
			break
		}
		to = to.Children[k]
		out = append(out, k)
	}
	return out
}

// color is a node's.
func (s *State) color(n *heap.Node) color.NRGBA {
	grey := palette.Mix(palette.Others(s.Theme), s.Theme.Panel, 0.62)
	switch {
	case n == s.Root:
		return grey
	case s.Color == BySite:
		if n.Site < 0 || n.Site >= len(s.Sites) {
			return grey
		}
		return palette.Mix(s.Sites[n.Site], s.Theme.Panel, 0.3)
	case s.Color == ByFile && n.Frame.File != "":
		return palette.Named(s.Theme, n.Frame.File)
	}
	return palette.Named(s.Theme, n.Name)
}

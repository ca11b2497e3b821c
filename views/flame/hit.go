package flame

import (
	"fmt"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/scene"
)

// Target is what lies under the pointer. Way leads to its node, as State.Focus does; it is nil where there is none. Of
// a box that stands for several it leads to the node above them, and Node is nil.
type Target struct {
	Filter bool
	Thing  link.Thing
	Node   *heap.Node
	Way    []int
	Lines  []string
}

// Thing is a node's identity in the other views; the root has none.
func Thing(n *heap.Node) link.Thing {
	if n.Frame == (traceio.Frame{}) {
		return link.Thing{}
	}
	return link.OfFunction(n.Name)
}

// Hit returns what lies at p.
func Hit(s State, size scene.Size, p scene.Point) Target {
	if s.Top >= Bar && s.Root != nil && s.field(size).Contains(p) {
		return Target{Filter: true, Lines: []string{"lights the functions that have these words in their names",
			"Escape clears it"}}
	}
	if p.Y < s.Top+4 {
		return Target{}
	}
	for _, b := range boxes(&s, size) {
		switch {
		case !b.at.Contains(p):
		case b.node == nil:
			return Target{Way: append([]int{}, b.way...), Lines: gathered(&s, b.more)}
		default:
			return Target{Node: b.node, Thing: Thing(b.node), Way: append([]int{}, b.way...), Lines: describe(&s, b.node)}
		}
	}
	return Target{}
}

// gathered is the lines of the tooltip of siblings that are drawn as one box, the first of them by name.
func gathered(s *State, nodes []*heap.Node) []string {
	var all uint64
	for _, n := range nodes {
		all += s.Metric.Of(&n.Total)
	}
	lines := []string{fmt.Sprintf("%d functions that are too narrow here: %s, %s of all", len(nodes),
		amount(s.Metric, all), share(all, s.Metric.Of(&s.Root.Total)))}
	if len(nodes) == 1 {
		lines[0] = "1 function that is" + lines[0][len("1 functions that are"):]
	}
	for i, n := range nodes {
		if i == 5 {
			lines = append(lines, "…")
			break
		}
		lines = append(lines, n.Name+", "+amount(s.Metric, s.Metric.Of(&n.Total)))
	}
	return append(lines, "click to widen what calls them")
}

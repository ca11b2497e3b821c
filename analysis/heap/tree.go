package heap

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"orrery/traceio"
)

// Metric is one number of a Cost.
type Metric uint8

// The metrics of a cost.
const (
	ByBytes Metric = iota
	ByBlocks
	ByPeak
	ByLeaked
	ByTemporary
	ByWaste
	ByCrossed
	metrics
)

var metricKeys = [metrics]string{"bytes", "blocks", "peak", "leaked", "temporary", "waste", "crossed"}

// String gives "bytes", "blocks", "peak", "leaked", "temporary", "waste" or "crossed".
func (m Metric) String() string { return metricKeys[min(m, metrics-1)] }

// ParseMetric finds a metric by its name.
func ParseMetric(name string) (Metric, bool) {
	i := slices.Index(metricKeys[:], name)
	return Metric(max(i, 0)), i >= 0
}

// Of is the metric's number in a cost.
func (m Metric) Of(c *Cost) uint64 {
	return [metrics]uint64{c.Bytes, c.Blocks, c.PeakBytes, c.LiveBytes, c.Temporary, c.WasteBytes,
		c.Crossed}[min(m, metrics-1)]
}

// Node is a place in the tree of calls that lead to allocations: what a flame graph draws.
type Node struct {
	Name     string        // function, module or address
	Frame    traceio.Frame // where in the function; the first of those that are one node
	Total    Cost          // of the node and everything below
	Self     Cost          // of the blocks whose stack ends here
	Children []*Node       // the most bytes first
	// where all blocks of the node and below were allocated: indexes Heap.Sites; -1 for more than one place
	Site int

	byName map[string]*Node
}

// Tree is all allocations by call stack, from the outermost call in. Functions that were inlined are calls too; the
// allocator's own functions are left out.
func (h *Heap) Tree() *Node {
	root := &Node{Name: "all", Site: noSite}
	sites := h.stackSites()
	names := map[traceio.Addr][]traceio.Frame{}
	for id := range h.stacks {
		c := &h.stacks[id]
		if c.Blocks == 0 {
			continue
		}
		frames := h.frames(traceio.StackID(id), names)
		n := root
		n.add(c, sites[id])
		for i := len(frames) - 1; i >= 0; i-- {
			n = n.child(frames[i])
			n.add(c, sites[id])
		}
		n.Self.plus(c)
	}
	root.sortChildren()
	if root.Site == noSite {
		root.Site = several
	}
	return root
}

// What Node.Site is when it is no site.
const (
	several = -1
	noSite  = -2 // before the first
)

// stackSites is the site that each stack stands for.
func (h *Heap) stackSites() []int {
	out := make([]int, len(h.stacks))
	for i, site := range h.sites {
		out[i] = int(site)
	}
	return out
}

// add counts a stack that goes through the node.
func (n *Node) add(c *Cost, site int) {
	n.Total.plus(c)
	switch n.Site {
	case noSite:
		n.Site = site
	case site:
	default:
		n.Site = several
	}
}

// frames is a stack's frames by name, innermost first.
func (h *Heap) frames(id traceio.StackID, known map[traceio.Addr][]traceio.Frame) (out []traceio.Frame) {
	if h.Program == nil || int(id) >= len(h.Program.Stacks) || len(h.Program.Stacks[id]) == 0 {
		return []traceio.Frame{{Function: "unknown code"}}
	}
	for _, ret := range h.Program.Stacks[id] {
		at, ok := known[ret]
		if !ok {
			at = h.callFrames(ret)
			known[ret] = at
		}
		out = append(out, at...)
	}
	n := 0
	for n < len(out)-1 && allocator(out[n].Function) {
		n++
	}
	return out[n:]
}

// callFrames is the frames of one call; one without any name is called by its module, or its address.
func (h *Heap) callFrames(ret traceio.Addr) []traceio.Frame {
	site := h.Program.CallerAt(ret)
	if site != nil {
		var out []traceio.Frame
		for _, f := range site.Frames {
			if f.Function != "" {
				f.Function = traceio.ShortFunction(f.Function)
				out = append(out, f)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	for _, m := range h.Program.Modules {
		if ret >= m.Low && ret < m.High {
			return []traceio.Frame{{Function: path.Base(m.Path)}}
		}
	}
	return []traceio.Frame{{Function: ret.String()}}
}

func (n *Node) child(f traceio.Frame) *Node {
	if c := n.byName[f.Function]; c != nil {
		return c
	}
	if n.byName == nil {
		n.byName = map[string]*Node{}
	}
	c := &Node{Name: f.Function, Frame: f, Site: noSite}
	n.byName[f.Function] = c
	return c
}

// sortChildren orders the children.
func (n *Node) sortChildren() {
	n.Children = slices.SortedFunc(maps.Values(n.byName), func(a, b *Node) int {
		return cmp.Or(cmp.Compare(b.Total.Bytes, a.Total.Bytes), cmp.Compare(a.Name, b.Name))
	})
	n.byName = nil
	for _, c := range n.Children {
		c.sortChildren()
	}
}

// Folded writes the tree as folded stacks, the text that flame graph tools read: "main;parse;push 4096", one line for
// each stack with a number other than 0.
func (n *Node) Folded(w io.Writer, m Metric) error {
	out := bufio.NewWriter(w)
	for _, c := range n.Children {
		c.fold(out, "", m)
	}
	return out.Flush()
}

func (n *Node) fold(w *bufio.Writer, above string, m Metric) {
	line := above + strings.NewReplacer(";", ":", "\n", " ").Replace(n.Name)
	if v := m.Of(&n.Self); v > 0 {
		fmt.Fprintf(w, "%s %d\n", line, v)
	}
	for _, c := range n.Children {
		c.fold(w, line+";", m)
	}
}

package filter

import (
	"github.com/dop251/goja"

	"orrery/analysis/depgraph"
)

// handle is a node as a script sees it. It goes by number: once the script has removed, merged or split nodes, it must ask for new
// handles.
type handle struct {
	Id   string
	Name string

	r     *run
	v     int32
	sized int // nodes when it was made
}

// handles are those of the selected nodes, or of all when no arguments are given.
func (r *run) handles(a args) goja.Value {
	mark := make([]bool, len(r.g.Nodes))
	if len(a.v) > 0 {
		mark, _ = r.match(a).Nodes(r.g)
	}
	var all []any
	for v := range r.g.Nodes {
		if len(a.v) == 0 || mark[v] {
			all = append(all, r.handle(int32(v)))
		}
	}
	r.result.Nodes += len(all)
	return r.vm.NewArray(all...)
}

func (r *run) handle(v int32) *handle {
	n := &r.g.Nodes[v]
	return &handle{Id: n.ID, Name: n.Name(), r: r, v: v, sized: len(r.g.Nodes)}
}

// node is what the handle stands for.
func (h *handle) node() *depgraph.Node {
	if h.sized != len(h.r.g.Nodes) || h.r.g.Nodes[h.v].ID != h.Id {
		h.r.fail("node %q: nodes were removed, merged or added since nodes() was called; call it again", h.Id)
	}
	return &h.r.g.Nodes[h.v]
}

// Get is the value of a property, "" when there is none.
func (h *handle) Get(key string) string { return text(h.node(), key) }

// Set gives the node a property.
func (h *handle) Set(key, value string) {
	n := h.node()
	n.Properties = n.Properties.With(key, value)
}

// Color colours the node.
func (h *handle) Color(name string) {
	c, ok := parse(name)
	if !ok {
		h.r.fail("color: %q is no colour; say red, \"#f80\" or rgb(255, 136, 0)", name)
	}
	h.node().Color = c
}

// Inputs are the nodes whose edges lead here, in the order of the edges.
func (h *handle) Inputs() []*handle {
	h.node()
	var all []*handle
	for _, e := range h.r.g.Edges {
		if e.To == h.v {
			all = append(all, h.r.handle(e.From))
		}
	}
	return all
}

// Uses are the nodes that edges lead to from here.
func (h *handle) Uses() []*handle {
	h.node()
	var all []*handle
	for _, e := range h.r.g.Edges {
		if e.From == h.v {
			all = append(all, h.r.handle(e.To))
		}
	}
	return all
}

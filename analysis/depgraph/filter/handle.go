package filter

import (
	"slices"

	"github.com/dop251/goja"

	"orrery/analysis/depgraph"
)

// handle is a node as a script sees it: id, name, get(KEY), set(KEY, VALUE), color(COLOR), inputs() and uses(). It is
// an index: once the script has removed, merged or split nodes, it must get new handles. It implements
// goja.DynamicObject, so that a loop over thousands of nodes creates only what it reads.
type handle struct {
	id    string
	r     *run
	v     int32
	sized int // nodes when it was made
}

// handles are handles of the selected nodes, or of all when no arguments are given.
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

func (r *run) handle(v int32) *goja.Object {
	return r.vm.NewDynamicObject(&handle{id: r.g.Nodes[v].ID, r: r, v: v, sized: len(r.g.Nodes)})
}

// members are what a handle has, in the order of Keys.
var members = []string{"id", "name", "get", "set", "color", "inputs", "uses"}

// Get implements goja.DynamicObject.
func (h *handle) Get(key string) goja.Value {
	switch key {
	case "id":
		return h.r.vm.ToValue(h.id)
	case "name":
		return h.r.vm.ToValue(h.node().Name())
	}
	if m := h.r.methods[key]; m != nil {
		return m
	}
	return nil
}

// Set implements goja.DynamicObject: a node's properties are changed by its method set.
func (h *handle) Set(key string, _ goja.Value) bool {
	h.r.fail("a node's %s cannot be assigned; use set(%q, VALUE)", key, key)
	return false
}

// Has implements goja.DynamicObject.
func (h *handle) Has(key string) bool { return slices.Contains(members, key) }

// Delete implements goja.DynamicObject.
func (h *handle) Delete(string) bool { return false }

// Keys implements goja.DynamicObject.
func (h *handle) Keys() []string { return members }

// node is what the handle stands for.
func (h *handle) node() *depgraph.Node {
	if h.sized != len(h.r.g.Nodes) || h.r.g.Nodes[h.v].ID != h.id {
		h.r.fail("node %q: nodes were removed, merged or added since nodes() was called; call it again", h.id)
	}
	return &h.r.g.Nodes[h.v]
}

// defineMethods makes what all handles share.
func (r *run) defineMethods() {
	r.methods = map[string]goja.Value{}
	for name, f := range map[string]func(h *handle, a args) goja.Value{
		"get": func(h *handle, a args) goja.Value { return r.vm.ToValue(text(h.node(), a.text(0))) },
		"set": func(h *handle, a args) goja.Value {
			n := h.node()
			n.Properties = n.Properties.With(a.text(0), a.text(1))
			return goja.Undefined()
		},
		"color": func(h *handle, a args) goja.Value {
			h.node().Color = a.color(0)
			return goja.Undefined()
		},
		"inputs": func(h *handle, _ args) goja.Value { return h.joined(0) },
		"uses":   func(h *handle, _ args) goja.Value { return h.joined(1) },
	} {
		r.methods[name] = r.vm.ToValue(func(call goja.FunctionCall) goja.Value {
			if o, ok := call.This.(*goja.Object); ok {
				if h, ok := o.Export().(*handle); ok {
					return f(h, args{r, name, call.Arguments})
				}
			}
			r.fail("%s is a method of nodes", name)
			return nil
		})
	}
}

// joined are a node's inputs, with way 0, or its uses, with way 1, in the order of the edges.
func (h *handle) joined(way int) goja.Value {
	h.node()
	var all []any
	for _, v := range h.r.neighbours(way)[h.v] {
		all = append(all, h.r.handle(v))
	}
	return h.r.vm.NewArray(all...)
}

// neighbours are by node those before it (way 0) or behind it (way 1), counted again when the graph's edges are others.
func (r *run) neighbours(way int) [][]int32 {
	if n := &r.near; n.nodes != len(r.g.Nodes) || n.edges != len(r.g.Edges) || n.changes != r.changes {
		*n = around{nodes: len(r.g.Nodes), edges: len(r.g.Edges), changes: r.changes}
		for k := range n.by {
			n.by[k] = make([][]int32, n.nodes)
		}
		for _, e := range r.g.Edges {
			n.by[0][e.To] = append(n.by[0][e.To], e.From)
			n.by[1][e.From] = append(n.by[1][e.From], e.To)
		}
	}
	return r.near.by[way]
}

// around remembers neighbours, and of which graph.
type around struct {
	nodes, edges, changes int
	by                    [2][][]int32
}

package depgraph

import (
	"orrery/traceio/irgraph"
)

// KeyState is the property that a difference gives every node and edge, and its values.
const (
	KeyState = "state"
	Same     = "same"
	Changed  = "changed"
	New      = "new"
	Deleted  = "deleted"
)

// Before is the prefix of the key of a property's former value: "was:line".
const Before = "was:"

// Difference is a snapshot with the nodes and edges of two: those of b as they are, then those of a that b no longer
// has. All have the property state; a changed node also has the former values of its properties under "was:". A deleted
// node whose ID a node of b has too gets an apostrophe after it. Blocks are those of b; deleted nodes are in the block
// of the same name if there is one.
func Difference(a, b *irgraph.Snapshot, p Pairing) *irgraph.Snapshot {
	d := &irgraph.Snapshot{Name: a.Name + " -> " + b.Name, Properties: b.Properties}
	was := make([]int32, len(b.Nodes))
	for w := range was {
		was[w] = -1
	}
	for v, w := range p {
		if w >= 0 {
			was[w] = int32(v)
		}
	}
	used := map[string]bool{}
	for w, n := range b.Nodes {
		used[n.ID] = true
		if v := was[w]; v < 0 {
			n.Properties = n.Properties.With(KeyState, New)
		} else {
			n.Properties = changedProperties(a.Nodes[v].Properties, n.Properties)
		}
		d.Nodes = append(d.Nodes, n)
	}
	blocks := map[string]int32{}
	for i, x := range b.Blocks {
		blocks[x.Name] = int32(i)
	}
	at := make([]int32, len(a.Nodes))
	for v, n := range a.Nodes {
		if at[v] = p[v]; at[v] >= 0 {
			continue
		}
		at[v] = int32(len(d.Nodes))
		for used[n.ID] {
			n.ID += "'"
		}
		used[n.ID] = true
		n.Properties = n.Properties.With(KeyState, Deleted)
		if i, ok := blocks[blockName(a, n.Block)]; ok {
			n.Block = i
		} else {
			n.Block = -1
		}
		d.Nodes = append(d.Nodes, n)
	}
	d.Edges = edgeDifference(a, b, at)
	d.Blocks = make([]irgraph.Block, len(b.Blocks))
	for i, x := range b.Blocks {
		d.Blocks[i] = x
		for v := len(b.Nodes); v < len(d.Nodes); v++ {
			if d.Nodes[v].Block == int32(i) {
				d.Blocks[i].Nodes = append(d.Blocks[i].Nodes[:len(d.Blocks[i].Nodes):len(d.Blocks[i].Nodes)], int32(v))
			}
		}
	}
	return d
}

func blockName(s *irgraph.Snapshot, block int32) string {
	if block < 0 {
		return ""
	}
	return s.Blocks[block].Name
}

// changedProperties are those of a node in both: the new ones, and the former values of those that differ.
func changedProperties(old, now irgraph.Properties) irgraph.Properties {
	state := Same
	all := now
	for _, q := range old {
		if value, ok := now.Lookup(q.Key); !ok || value != q.Value {
			state = Changed
			all = all.With(Before+q.Key, q.Value)
		}
	}
	for _, q := range now {
		if _, ok := old.Lookup(q.Key); !ok {
			state = Changed
		}
	}
	return all.With(KeyState, state)
}

// edgeDifference is the edges of b, then those of a that b does not have; at is where nodes of a are in the difference.
// Edges are equal when they join the same slots and have the same type.
func edgeDifference(a, b *irgraph.Snapshot, at []int32) []irgraph.Edge {
	type key struct {
		from, to, fromSlot, toSlot int32
		kind                       string
	}
	left := map[key]int{}
	of := func(e irgraph.Edge) key {
		return key{e.From, e.To, e.FromSlot, e.ToSlot, e.Properties.Get(irgraph.KeyType)}
	}
	moved := make([]irgraph.Edge, len(a.Edges))
	for i, e := range a.Edges {
		e.From, e.To = at[e.From], at[e.To]
		moved[i] = e
		left[of(e)]++
	}
	all := make([]irgraph.Edge, 0, len(b.Edges))
	for _, e := range b.Edges {
		state := New
		if k := of(e); left[k] > 0 {
			left[k]--
			state = Same
		}
		e.Properties = e.Properties.With(KeyState, state)
		all = append(all, e)
	}
	for _, e := range moved {
		if k := of(e); left[k] > 0 {
			left[k]--
			e.Properties = e.Properties.With(KeyState, Deleted)
			all = append(all, e)
		}
	}
	return all
}

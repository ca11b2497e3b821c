// Package depgraph works on the graphs of compilers as T. Würthinger, C. Wimmer and H. Mössenböck ("Visualization of
// program dependence graphs", 2008) show them: snapshots of package irgraph go in; display graphs that filters may
// change, the difference of two snapshots, an approximate schedule, the places of a whole series of phases and the set
// of nodes a user has opened come out. Snapshots themselves are never changed.
package depgraph

import (
	"image/color"
	"slices"

	"orrery/traceio/irgraph"
)

// Graph is what is displayed of a snapshot: a copy that filters remove from, add to, merge, split and colour.
type Graph struct {
	Name   string
	Nodes  []Node
	Edges  []Edge
	Blocks []Block

	whole *Graph // what Set.Extract took this from, nil for a whole graph
}

// Node is a displayed node.
type Node struct {
	ID         string // distinct within the graph; merged nodes have the ID of their first
	Properties irgraph.Properties
	Block      int32   // indexes Graph.Blocks, -1 for none
	Of         []int32 // the snapshot's nodes behind it: one, several when merged, none when a filter added it
	Inputs     int32   // slots on its top
	Outputs    int32   // slots on its bottom, at least one
	Color      color.NRGBA
}

// Edge is a displayed edge. Of indexes the snapshot's edges, -1 when a filter added it.
type Edge struct {
	From, To         int32
	FromSlot, ToSlot int32
	Properties       irgraph.Properties
	Of               int32
	Color            color.NRGBA
}

// Block is a basic block.
type Block struct {
	Name string
	Next []int32
}

// Colored reports whether a filter has set a colour; others are the theme's.
func Colored(c color.NRGBA) bool { return c.A != 0 }

// Display makes the display graph of a snapshot.
func Display(s *irgraph.Snapshot) *Graph {
	g := &Graph{Name: s.Name, Nodes: make([]Node, len(s.Nodes)), Edges: make([]Edge, len(s.Edges)),
		Blocks: make([]Block, len(s.Blocks))}
	of := make([]int32, len(s.Nodes))
	for v, n := range s.Nodes {
		of[v] = int32(v)
		g.Nodes[v] = Node{ID: n.ID, Properties: n.Properties, Block: n.Block, Of: of[v : v+1 : v+1]}
	}
	for e, x := range s.Edges {
		g.Edges[e] = Edge{From: x.From, To: x.To, FromSlot: x.FromSlot, ToSlot: x.ToSlot,
			Properties: x.Properties, Of: int32(e)}
	}
	for b, x := range s.Blocks {
		g.Blocks[b] = Block{Name: x.Name, Next: x.Successors}
	}
	g.CountSlots()
	return g
}

// CountSlots sets the numbers of slots that the edges need.
func (g *Graph) CountSlots() {
	for v := range g.Nodes {
		g.Nodes[v].Inputs, g.Nodes[v].Outputs = 0, 1
	}
	for _, e := range g.Edges {
		from, to := &g.Nodes[e.From], &g.Nodes[e.To]
		from.Outputs = max(from.Outputs, e.FromSlot+1)
		to.Inputs = max(to.Inputs, e.ToSlot+1)
	}
}

// Clone is a copy that shares nothing that can be changed.
func (g *Graph) Clone() *Graph {
	c := *g
	c.Nodes, c.Edges, c.Blocks = slices.Clone(g.Nodes), slices.Clone(g.Edges), slices.Clone(g.Blocks)
	return &c
}

// Keep drops the nodes for which keep is false, with their edges; the others keep their order.
func (g *Graph) Keep(keep []bool) {
	place := make([]int32, len(g.Nodes))
	nodes := g.Nodes[:0]
	for v := range place {
		place[v] = -1
		if keep[v] {
			place[v] = int32(len(nodes))
			nodes = append(nodes, g.Nodes[v])
		}
	}
	clear(g.Nodes[len(nodes):])
	g.Nodes = nodes
	edges := g.Edges[:0]
	for _, e := range g.Edges {
		if e.From, e.To = place[e.From], place[e.To]; e.From >= 0 && e.To >= 0 {
			edges = append(edges, e)
		}
	}
	clear(g.Edges[len(edges):])
	g.Edges = edges
}

// Name is a node's name, or its ID when it has none.
func (n *Node) Name() string {
	if name := n.Properties.Get(irgraph.KeyName); name != "" {
		return name
	}
	return n.ID
}

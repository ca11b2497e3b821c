package layouttest

import (
	"math/rand/v2"

	"orrery/analysis/depgraph/layout"
)

// Size of the nodes of made graphs.
const (
	Width  = 60
	Height = 24
)

// nodes makes so many of one size.
func nodes(n int) []layout.Node {
	all := make([]layout.Node, n)
	for i := range all {
		all[i] = layout.Node{Width: Width, Height: Height, Block: -1}
	}
	return all
}

// edge joins the middles of two nodes.
func edge(from, to int) layout.Edge {
	return layout.Edge{From: int32(from), To: int32(to), FromX: Width / 2, ToX: Width / 2}
}

// Layered makes a random graph of n nodes in some layers; each of about m edges leads down a few layers, one most
// often.
func Layered(seed uint64, n, layers, m int) layout.Graph {
	r := rand.New(rand.NewPCG(seed, 7))
	g := layout.Graph{Nodes: nodes(n)}
	used := map[[2]int]bool{}
	at := func(layer int) int { return layer*n/layers + r.IntN((layer+1)*n/layers-layer*n/layers) }
	for range m {
		far := 1
		for far < layers-1 && r.IntN(4) == 0 {
			far++
		}
		from := r.IntN(layers - far)
		a, b := at(from), at(from+far)
		if !used[[2]int{a, b}] {
			used[[2]int{a, b}] = true
			g.Edges = append(g.Edges, edge(a, b))
		}
	}
	return g
}

// Compiled makes a graph like those of a compiler: operations in the order of a program take one to three operands,
// mostly recent ones, sometimes a constant that many use; every eighth hangs in a chain of effects; loops close with an
// edge upwards to a phi.
func Compiled(seed uint64, n int) layout.Graph {
	r := rand.New(rand.NewPCG(seed, 11))
	g := layout.Graph{Nodes: nodes(n)}
	constants := max(2, n/20)
	effect := constants
	phi := -1
	for v := constants + 1; v < n; v++ {
		for range 1 + r.IntN(5)/2 {
			far := 1
			for far < v-constants && r.IntN(10) != 0 {
				far += 1 + r.IntN(2)
			}
			from := max(constants, v-far)
			if r.IntN(8) == 0 {
				from = r.IntN(constants)
			}
			g.Edges = append(g.Edges, edge(from, v))
		}
		if v%8 == 0 {
			g.Edges = append(g.Edges, edge(effect, v))
			effect = v
		}
		switch {
		case v%40 == 5:
			phi = v
		case v%40 == 30 && phi >= 0:
			g.Edges = append(g.Edges, edge(v, phi))
		}
	}
	return g
}

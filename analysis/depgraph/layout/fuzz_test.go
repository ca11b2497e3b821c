package layout_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"orrery/analysis/depgraph/layout"
)

// patience ends a layout that has looked at its context more often than any small graph needs: by count, so that a slow
// machine has as much of it as a fast one.
type patience struct {
	context.Context
	left int
}

func (p *patience) Err() error {
	if p.left--; p.left < 0 {
		return context.Canceled
	}
	return nil
}

// tiny reads a small graph from bytes: how many nodes, how many blocks, how far edges may run and how thorough the
// layout is; then a byte for each node, and three for each edge.
func tiny(data []byte) (layout.Graph, layout.Options) {
	next := func() int {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return int(b)
	}
	n, blocks := 1+next()%24, next()%8
	how := next()
	g := layout.Graph{Nodes: make([]layout.Node, n)}
	for v := range g.Nodes {
		b := next()
		g.Nodes[v] = layout.Node{Width: 60, Height: float64(10 + b/8), Block: int32(b%8%(blocks+1)) - 1}
	}
	for len(data) > 0 {
		e := layout.Edge{From: int32(next() % n), To: int32(next() % n)}
		slots := next()
		e.FromX, e.ToX, e.Weight = float64(slots%4*20), float64(slots/4%4*20), int32(slots/16%4)
		g.Edges = append(g.Edges, e)
	}
	for b := range blocks {
		g.Next = append(g.Next, nil)
		if b+1 < blocks {
			g.Next[b] = []int32{int32(b + 1)}
		}
		if how>>(b%4)&1 != 0 {
			g.Next[b] = append(g.Next[b], int32((b+how)%blocks))
		}
	}
	return g, layout.Options{Long: how >> 4 % 4 * 2, Effort: []float64{0.02, 0.3}[how>>7]}
}

// straight is the outer graph of blocks of a function without branches: one below the other, with edges from every slot
// of one to every slot of the next that cross, whatever the order.
func straight() []byte {
	data := []byte{3, 0, 1 << 7, 0, 0, 0, 0}
	for v := range byte(3) {
		data = append(data, v, v+1, 3<<2, v, v+1, 3, v, v+1, 1|2<<2)
	}
	return data
}

// FuzzLayout draws tiny graphs, most of them in blocks.
func FuzzLayout(f *testing.F) {
	f.Add([]byte{})
	f.Add(straight())
	for i := range uint64(40) {
		r := rand.New(rand.NewPCG(i, 1))
		data := make([]byte, 4+r.IntN(80))
		for k := range data {
			data[k] = byte(r.IntN(256))
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 150 {
			return
		}
		g, o := tiny(data)
		l, err := layout.Compute(&patience{context.Background(), 1 << 20}, g, o, nil)
		if err != nil {
			t.Fatalf("the layout of %+v does not end: %v", g, err)
		}
		within(t, g, l)
		sound(t, g, l)
	})
}

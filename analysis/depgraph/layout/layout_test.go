package layout_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"orrery/analysis/depgraph/layout"
	"orrery/analysis/depgraph/layout/layouttest"
)

func draw(t *testing.T, g layout.Graph, o layout.Options) *layout.Layout {
	t.Helper()
	o.Effort = 0.05
	l, err := layout.Compute(context.Background(), g, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// What must hold of every drawing: nodes lie apart and inside the bounds, edges begin and end at their slots, edges run
// downwards unless they run back.
func sound(t *testing.T, g layout.Graph, l *layout.Layout) {
	t.Helper()
	for v, a := range l.Nodes {
		if a.Min.X < l.Bounds.Min.X-1e-6 || a.Min.Y < l.Bounds.Min.Y-1e-6 || a.Max.X > l.Bounds.Max.X+1e-6 ||
			a.Max.Y > l.Bounds.Max.Y+1e-6 {
			t.Fatalf("node %d at %v is outside the bounds %v", v, a, l.Bounds)
		}
		if a.Max.X-a.Min.X < g.Nodes[v].Width-1e-6 || a.Max.Y-a.Min.Y < g.Nodes[v].Height-1e-6 {
			t.Fatalf("node %d has the size of %v, want %v", v, a, g.Nodes[v])
		}
		for w := range v {
			b := l.Nodes[w]
			if a.Min.X < b.Max.X-1e-6 && b.Min.X < a.Max.X-1e-6 && a.Min.Y < b.Max.Y-1e-6 && b.Min.Y < a.Max.Y-1e-6 {
				t.Fatalf("nodes %d at %v and %d at %v overlap", v, a, w, b)
			}
		}
	}
	near := func(p, q layout.Point) bool { return math.Abs(p.X-q.X)+math.Abs(p.Y-q.Y) < 1e-6 }
	for i, r := range l.Routes {
		e := g.Edges[i]
		from, to := l.Nodes[e.From], l.Nodes[e.To]
		last := r.Points
		if r.Cut() {
			last = r.End
		}
		if start, end := (layout.Point{X: from.Min.X + e.FromX, Y: from.Max.Y}), (layout.Point{X: to.Min.X + e.ToX,
			Y: to.Min.Y}); !near(r.Points[0], start) || !near(last[len(last)-1], end) {
			t.Fatalf("edge %d runs %v ... %v, want %v to %v", i, r.Points, r.End, start, end)
		}
		for j := 1; j < len(r.Points) && !r.Back; j++ {
			if r.Points[j].Y < r.Points[j-1].Y {
				t.Fatalf("edge %d runs upwards: %v", i, r.Points)
			}
		}
		// Edges leave and arrive downwards, those to higher layers too.
		if r.Points[0].Y >= r.Points[1].Y || last[len(last)-1].Y <= last[len(last)-2].Y {
			t.Fatalf("edge %d does not run downwards at its ends: %v ... %v", i, r.Points, r.End)
		}
	}
}

// Blocks lie apart and hold their nodes and nobody else's.
func within(t *testing.T, g layout.Graph, l *layout.Layout) {
	t.Helper()
	overlap := func(a, b layout.Rect) bool {
		return a.Min.X < b.Max.X-1e-6 && b.Min.X < a.Max.X-1e-6 && a.Min.Y < b.Max.Y-1e-6 && b.Min.Y < a.Max.Y-1e-6
	}
	for i, b := range l.Blocks {
		for v, n := range l.Nodes {
			in := n.Min.X >= b.Min.X && n.Max.X <= b.Max.X && n.Min.Y >= b.Min.Y && n.Max.Y <= b.Max.Y
			if own := int(g.Nodes[v].Block) == i; own != in || !own && overlap(n, b) {
				t.Fatalf("node %d of block %d at %v, block %d at %v", v, g.Nodes[v].Block, n, i, b)
			}
		}
		for j := range i {
			if overlap(b, l.Blocks[j]) {
				t.Fatalf("blocks %d and %d overlap", i, j)
			}
		}
	}
}

// blocked puts the nodes of a compiled graph into blocks of some twenty, the last of them outside, with flow between
// them.
func blocked(seed uint64, n int) layout.Graph {
	g := layouttest.Compiled(seed, n)
	count := n/20 - 1
	for v := range g.Nodes {
		if b := v / 20; b < count {
			g.Nodes[v].Block = int32(b)
		}
	}
	g.Next = make([][]int32, count)
	for b := range count - 1 {
		g.Next[b] = []int32{int32(b + 1)}
		if b%3 == 0 && b+3 < count {
			g.Next[b] = append(g.Next[b], int32(b+3))
		}
		if b%4 == 3 {
			g.Next[b] = append(g.Next[b], int32(b-2))
		}
	}
	return g
}

func TestDrawingsAreSoundAndCrossAsOftenAsTheirLinesDo(t *testing.T) {
	loop := layouttest.Compiled(3, 12)
	loop.Edges = append(loop.Edges, layout.Edge{From: 4, To: 4, FromX: 30, ToX: 30})
	slots := layouttest.Compiled(5, 120)
	for i := range slots.Edges {
		slots.Edges[i].FromX = float64(10 + 20*(i%3))
		slots.Edges[i].ToX = float64(5 + 10*(i%6))
		slots.Nodes[slots.Edges[i].To].Height = float64(20 + i%7*5)
	}
	for _, c := range []struct {
		name string
		g    layout.Graph
		o    layout.Options
	}{
		{"nothing", layout.Graph{}, layout.Options{}},
		{"one node", layout.Graph{Nodes: []layout.Node{{Width: 10, Height: 10}}}, layout.Options{}},
		{"to itself", loop, layout.Options{}},
		{"layered", layouttest.Layered(1, 200, 12, 320), layout.Options{}},
		{"dense", layouttest.Layered(2, 60, 6, 300), layout.Options{}},
		{"compiled", layouttest.Compiled(1, 150), layout.Options{}},
		{"compiled, cut", layouttest.Compiled(1, 300), layout.Options{Long: 6}},
		{"slots", slots, layout.Options{}},
		{"blocks", blocked(7, 200), layout.Options{}},
		{"blocks, cut", blocked(8, 300), layout.Options{Long: 5, BlockHead: 16}},
		{"scattered", layouttest.Layered(9, 150, 5, 80), layout.Options{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := draw(t, c.g, c.o)
			within(t, c.g, l)
			sound(t, c.g, l)
			if n := layouttest.Crossings(layouttest.Lines(l)); n != l.Crossings {
				t.Errorf("the lines cross %d times, the layout says %d", n, l.Crossings)
			}
		})
	}
}

func TestRefusesWhatCannotBeDrawn(t *testing.T) {
	two := []layout.Node{{Width: 1, Height: 1}, {Width: 1, Height: 1}}
	for _, c := range []struct {
		name string
		g    layout.Graph
		o    layout.Options
		want string
	}{
		{"dangling", layout.Graph{Nodes: two, Edges: []layout.Edge{{From: 0, To: 2}}}, layout.Options{},
			"edge 0 joins nodes 0 and 2 of 2"},
		{"no number", layout.Graph{Nodes: []layout.Node{{Width: math.NaN()}}}, layout.Options{}, "node 0"},
		{"no slot", layout.Graph{Nodes: two, Edges: []layout.Edge{{From: 0, To: 1, ToX: math.Inf(1)}}},
			layout.Options{}, "edge 0"},
		{"no block", layout.Graph{Nodes: []layout.Node{{Block: 3}}, Next: [][]int32{{0}}}, layout.Options{},
			"node 0 is in block 3 of 1"},
		{"no next", layout.Graph{Nodes: []layout.Node{{}}, Next: [][]int32{{4}}}, layout.Options{}, "block 0"},
		{"other places", layout.Graph{Nodes: two}, layout.Options{Before: []float64{1}}, "1 earlier places"},
	} {
		if _, err := layout.Compute(context.Background(), c.g, c.o, nil); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestStopsWhenTheContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := layout.Compute(ctx, layouttest.Compiled(1, 400), layout.Options{},
		nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func BenchmarkDraw250Nodes(b *testing.B)      { benchmark(b, 250, layout.Options{}) }
func BenchmarkDraw1000Nodes(b *testing.B)     { benchmark(b, 1000, layout.Options{}) }
func BenchmarkDraw10000NodesCut(b *testing.B) { benchmark(b, 10000, layout.Options{Long: 10}) }
func BenchmarkPreviewOf250Nodes(b *testing.B) { benchmark(b, 250, layout.Options{Effort: 0.05}) }

func benchmark(b *testing.B, n int, o layout.Options) {
	g := layouttest.Compiled(1, n)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := layout.Compute(context.Background(), g, o, nil); err != nil {
			b.Fatal(err)
		}
	}
}

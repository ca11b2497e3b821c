package layout_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"orrery/analysis/depgraph/layout"
	"orrery/analysis/depgraph/layout/layouttest"
)

func TestIndexFindsWhatASearchThroughAllFinds(t *testing.T) {
	g := layouttest.Compiled(4, 300)
	l := draw(t, g, layout.Options{Long: 8})
	x := layout.NewIndex(l)
	r := rand.New(rand.NewPCG(1, 5))
	hits, lines := 0, 0
	for range 2000 {
		p := layout.Point{X: l.Bounds.Max.X * (1.1*r.Float64() - 0.05), Y: l.Bounds.Max.Y * (1.1*r.Float64() - 0.05)}
		want := -1
		for v, n := range l.Nodes {
			if p.X >= n.Min.X && p.X <= n.Max.X && p.Y >= n.Min.Y && p.Y <= n.Max.Y {
				want = v
			}
		}
		if got := x.NodeAt(p); got != want {
			t.Fatalf("at %v is node %d, want %d", p, got, want)
		}
		if want >= 0 {
			hits++
		}
		// Points on an edge's line find an edge, and it passes there.
		e := l.Routes[r.IntN(len(l.Routes))].Points
		i, f := 1+r.IntN(len(e)-1), r.Float64()
		q := layout.Point{X: e[i-1].X + f*(e[i].X-e[i-1].X), Y: e[i-1].Y + f*(e[i].Y-e[i-1].Y)}
		if x.EdgeAt(q, 1) < 0 {
			t.Fatalf("no edge at %v", q)
		}
		area := layout.Rect{Min: p, Max: layout.Point{X: p.X + 300, Y: p.Y + 200}}
		nodes, edges := x.Within(area, nil, nil)
		for v, n := range l.Nodes {
			if n.Min.X < area.Max.X && n.Max.X > area.Min.X && n.Min.Y < area.Max.Y && n.Max.Y > area.Min.Y &&
				!slices.Contains(nodes, int32(v)) {
				t.Fatalf("node %d at %v is missing in %v", v, n, area)
			}
		}
		for k, route := range l.Routes {
			for _, a := range route.Points {
				if a.X > area.Min.X && a.X < area.Max.X && a.Y > area.Min.Y && a.Y < area.Max.Y &&
					!slices.Contains(edges, int32(k)) {
					t.Fatalf("edge %d through %v is missing in %v", k, a, area)
				}
			}
		}
		lines += len(edges)
	}
	if hits < 20 || lines < 2000 {
		t.Errorf("only %d hits and %d edges: the test tests nothing", hits, lines)
	}
}

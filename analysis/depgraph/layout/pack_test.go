package layout

import (
	"context"
	"testing"
)

// Parts that no edge joins do not overlap, and the drawing is not much larger than they are together.
func TestPartsArePackedTightly(t *testing.T) {
	var g Graph
	area := 0.0
	for k := range 120 { // chains of one to six nodes
		for i := range 1 + k%6 {
			g.Nodes = append(g.Nodes, Node{Width: 60, Height: 24, Block: -1})
			area += (60 + 3*12) * (24 + 36)
			if i > 0 {
				n := int32(len(g.Nodes))
				g.Edges = append(g.Edges, Edge{From: n - 2, To: n - 1, FromX: 30, ToX: 30})
			}
		}
	}
	l, err := Compute(context.Background(), g, Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range l.Nodes {
		for _, b := range l.Nodes[:i] {
			if a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y {
				t.Fatalf("nodes at %v and %v overlap", a, b)
			}
		}
		if a.Max.X > l.Bounds.Max.X || a.Max.Y > l.Bounds.Max.Y {
			t.Fatalf("the node at %v is outside of %v", a, l.Bounds)
		}
	}
	if got := l.Bounds.Max.X * l.Bounds.Max.Y; got > 2*area {
		t.Errorf("the drawing takes %.0f, its parts %.0f", got, area)
	}
}

package depgraph

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"orrery/analysis/depgraph/layout"
	"orrery/traceio/irgraph"
)

func size(n *Node) (float64, float64) { return 20 + 6*float64(len(n.Name())), 24 }

func arrange(t *testing.T, a Arrangement, graphs ...*Graph) *Series {
	t.Helper()
	a.Size, a.Effort = size, 0.05
	s, err := Arrange(context.Background(), graphs, a, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// phases are a series in which each phase drops some nodes and adds others.
func phases() []*Graph {
	var all []*Graph
	for i := range 5 {
		g := Display(sea(7, 120))
		keep := make([]bool, len(g.Nodes))
		for v := range keep {
			keep[v] = v%(7+i) != i
		}
		g.Keep(keep)
		all = append(all, g)
	}
	return all
}

func TestKeptNodesDoNotMoveFromPhaseToPhase(t *testing.T) {
	all := phases()
	s := arrange(t, Arrangement{}, all...)
	at := map[string]layout.Rect{}
	kept := 0
	for i, g := range all {
		p := s.Phases[i]
		used := map[int32]bool{}
		for v, n := range g.Nodes {
			r := s.Layout.Nodes[p.Node[v]]
			if old, ok := at[n.ID]; ok {
				kept++
				if old != r {
					t.Fatalf("node %s moves from %v to %v", n.ID, old, r)
				}
			}
			at[n.ID] = r
			if used[p.Node[v]] {
				t.Fatalf("two nodes of phase %d are at %v", i, r)
			}
			used[p.Node[v]] = true
		}
		used = map[int32]bool{}
		for e, x := range g.Edges {
			if used[p.Edge[e]] {
				t.Fatalf("two edges of phase %d share a line", i)
			}
			used[p.Edge[e]] = true
			r := s.Layout.Routes[p.Edge[e]]
			from, to := s.Layout.Nodes[p.Node[x.From]], s.Layout.Nodes[p.Node[x.To]]
			if a, b := r.Points[0], r.Points[len(r.Points)-1]; a.Y != from.Max.Y || a.X < from.Min.X || a.X > from.Max.X ||
				b.Y != to.Min.Y || b.X < to.Min.X || b.X > to.Max.X {
				t.Fatalf("edge %d of phase %d runs from %v to %v, its nodes are at %v and %v", e, i, a, b, from, to)
			}
		}
	}
	if kept < 300 {
		t.Errorf("only %d nodes were kept: the test tests nothing", kept)
	}
}

func TestANodeThatChangesItsBlockHasAPlaceInEach(t *testing.T) {
	s := snapshot([][3]string{{"a", "x", "data"}, {"b", "y", "data"}}, "a b 0")
	s.Blocks = []irgraph.Block{{Name: "b1", Nodes: []int32{0}, Successors: []int32{1}}, {Name: "b2", Nodes: []int32{1}}}
	s.Nodes[0].Block, s.Nodes[1].Block = 0, 1
	one, two := Display(s), Display(s)
	two.Nodes[1].Block = 0
	got := arrange(t, Arrangement{Blocks: true}, one, two)
	if len(got.Layout.Nodes) != 3 || !slices.Equal(got.Names, []string{"b1", "b2"}) || got.Phases[0].Flow[0][0] != 0 {
		t.Errorf("%d places in blocks %v, flow %v", len(got.Layout.Nodes), got.Names, got.Phases[0].Flow)
	}
	in := func(v int32, b int) bool {
		n, r := got.Layout.Nodes[v], got.Layout.Blocks[b]
		return n.Min.Y >= r.Min.Y && n.Max.Y <= r.Max.Y
	}
	if !in(got.Phases[0].Node[1], 1) || !in(got.Phases[1].Node[1], 0) {
		t.Error("the node that moved is not in its blocks")
	}
}

// Other colours leave every node where it is; another node, edge, option or effort draws afresh, as without an earlier
// drawing.
func TestAnEarlierDrawingIsTakenAsItIs(t *testing.T) {
	before := arrange(t, Arrangement{}, phases()...)
	coloured := phases()
	for _, g := range coloured {
		for v := range g.Nodes {
			g.Nodes[v].Color.A = 255
		}
	}
	after := arrange(t, Arrangement{Earlier: before}, coloured...)
	if after.Layout != before.Layout {
		t.Error("a graph that has other colours is drawn afresh")
	}
	fewer := phases()
	fewer[0].Keep(make([]bool, len(fewer[0].Nodes)))
	wider := phases()
	wider[1].Nodes[3].Properties = wider[1].Nodes[3].Properties.With(irgraph.KeyName, "a long name of a node")
	for name, c := range map[string]struct {
		graphs []*Graph
		a      Arrangement
	}{"without a phase's nodes": {fewer, Arrangement{}}, "with a wider node": {wider, Arrangement{}},
		"with cut edges": {phases(), Arrangement{Options: layout.Options{Long: 3}}}} {
		alone := arrange(t, c.a, c.graphs...)
		c.a.Earlier = before
		got := arrange(t, c.a, c.graphs...)
		if got.Layout == before.Layout || !slices.Equal(got.Layout.Nodes, alone.Layout.Nodes) {
			t.Errorf("%s: not as it is drawn alone", name)
		}
	}
}

// A set that grows keeps the order of what it showed before.
func TestAnEarlierDrawingKeepsTheOrder(t *testing.T) {
	g := Display(sea(3, 200))
	ids := NewSet("n40", "n41", "n60")
	part, _ := ids.Extract(g)
	before := arrange(t, Arrangement{}, part)
	part, _ = ids.Toggle("n62").Extract(g)
	after := arrange(t, Arrangement{Earlier: before, KeepOrder: true}, part)
	x := map[string]float64{}
	for v, at := range before.places {
		x[at.id] = before.Layout.Nodes[v].Min.X
	}
	for r := range int32(12) {
		var row []int
		for v, layer := range after.Layout.Layer {
			if _, ok := x[after.places[v].id]; ok && layer == r {
				row = append(row, v)
			}
		}
		slices.SortFunc(row, func(a, b int) int {
			return int(after.Layout.Nodes[a].Min.X - after.Layout.Nodes[b].Min.X)
		})
		swapped := 0
		for i := 1; i < len(row); i++ {
			if x[after.places[row[i]].id] < x[after.places[row[i-1]].id] {
				swapped++
			}
		}
		if swapped > len(row)/3 {
			t.Errorf("layer %d: %d of %d neighbours changed places", r, swapped, len(row))
		}
	}
}

func TestArrangeStopsWhenTheContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Arrange(ctx, phases(), Arrangement{Size: size}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestDoubleClicksWalkThroughAGraph(t *testing.T) {
	g := Display(snapshot([][3]string{{"a", "", ""}, {"b", "", ""}, {"c", "", ""}, {"d", "", ""}, {"e", "", ""}}, "a b 0",
		"b c 0", "c d 0", "a c 1", "d e 0"))
	show := func(s Set) string {
		part, only := s.Extract(g)
		text := ""
		for v, n := range part.Nodes {
			text += n.ID
			if only[v] {
				text += "~"
			}
		}
		return fmt.Sprintf("%s %d", text, len(part.Edges))
	}
	for _, c := range []struct {
		name string
		set  Set
		want string
	}{
		{"one", NewSet("b"), "a~bc~ 2"},
		{"a neighbour joins", NewSet("b").Toggle("c"), "a~bcd~ 4"},
		{"a member leaves", NewSet("b", "c").Toggle("b"), "a~b~cd~ 3"},
		{"nothing", NewSet(), " 0"},
		{"stranger", NewSet("zz"), " 0"},
		{"successors", NewSet("a").Grow(g, Successors), "abcd~ 4"},
		{"predecessors of one", NewSet("a", "d").Grow(g, Predecessors, "d"), "ab~cde~ 5"},
		{"all around", NewSet("c").Grow(g, Both), "abcde~ 5"},
		{"without", NewSet("a", "b").Without("a"), "a~bc~ 2"},
	} {
		if got := show(c.set); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if len(g.Nodes) != 5 || len(g.Edges) != 5 {
		t.Error("the graph itself has changed")
	}
}

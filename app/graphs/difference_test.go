package graphs

import (
	"fmt"
	"slices"
	"testing"

	"orrery/analysis/depgraph"
	"orrery/analysis/depgraph/layout"
	"orrery/views/codegraph"
	"orrery/views/palette"
)

func TestDifference(t *testing.T) {
	b := shipped(t, "hotspot.xml")
	b.e.Step(2)
	b.e.ByMisses()
	b.e.compare(0, 0)
	b.settle()
	if b.e.shown.color != codegraph.ByFilters {
		t.Error("misses colour the nodes of a difference")
	}
	states := map[string]int{}
	for _, n := range b.e.picture().Graph.Nodes {
		states[n.Properties.Get(depgraph.KeyState)]++
		if !depgraph.Colored(n.Color) {
			t.Errorf("%s has no colour", n.ID)
		}
	}
	if states[depgraph.New] == 0 || states[depgraph.Deleted] == 0 || states[depgraph.Same] == 0 {
		t.Errorf("states are %v", states)
	}
	said := texts(b.e.code.Draw(size, palette.Dark()).Shapes)
	for state, n := range states {
		if want := fmt.Sprintf("%d %s", n, state); !slices.Contains(said, want) {
			t.Errorf("the legend has no %q among %q", want, said)
		}
	}
	b.e.compare(0, 2)
	b.settle()
	if said := texts(b.e.code.Draw(size, palette.Dark()).Shapes); !slices.Contains(said,
		fmt.Sprintf("%d same", len(b.e.picture().Graph.Nodes))) {
		t.Errorf("where nothing differs the legend says %q", said)
	}
	b.e.endDifference()
	b.settle()
	if b.e.shown.color != codegraph.ByMisses {
		t.Error("behind a difference nodes are not coloured as before it")
	}
	if got := b.e.picture().Graph.Nodes[0].Properties.Get(depgraph.KeyState); got != "" {
		t.Errorf("without a difference a node is %q", got)
	}
}

// A difference that lies beside the pane comes into view.
func TestDifferenceComesIntoView(t *testing.T) {
	b := shipped(t, "list.turbo.json.gz")
	b.e.Step(4)
	b.settle()
	v := b.e.code
	v.Draw(size, palette.Dark())
	differing := func() (all, seen int) {
		p := b.e.picture()
		for i := range p.Graph.Nodes {
			if p.Graph.Nodes[i].Properties.Get(depgraph.KeyState) == depgraph.Deleted {
				r := p.Box(i)
				if all++; v.view.Contains(layout.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}, size, barTall) {
					seen++
				}
			}
		}
		return all, seen
	}
	v.view, _ = b.e.picture().FitNodes(depgraph.NewSet("0"), size, barTall, 1)
	b.e.compare(0, 3)
	b.settle()
	if all, seen := differing(); all == 0 || seen == 0 {
		t.Errorf("%d of %d nodes that are gone are in view", seen, all)
	}
}

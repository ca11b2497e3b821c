package graphs

import (
	"strings"
	"testing"

	"orrery/analysis/depgraph"
	"orrery/views/codegraph"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

// The control flow is as compact as each phase alone: one in which there are the same blocks as in the one before has
// them in the same places, another is drawn by itself, from its entry on.
func TestControlFlowOfEachPhase(t *testing.T) {
	b := shipped(t, "list.turbo.json.gz")
	b.e.decide("places of nodes", func(c *choices) { c.steady = overAll })
	b.settle()
	f, same, other := b.e.flow, 0, 0
	for i := 1; i < len(f.pictures); i++ {
		before, now := f.pictures[i-1], f.pictures[i]
		if sameFlow(before.Graph, now.Graph) {
			same++
			for v := range now.Graph.Nodes {
				if before.Box(v) != now.Box(v) {
					t.Errorf("phase %d: %s has moved", i, now.Graph.Nodes[v].ID)
				}
			}
		} else if other++; len(now.Layout.Nodes) != len(now.Graph.Nodes) && (i+1 == len(f.pictures) ||
			!sameFlow(now.Graph, f.pictures[i+1].Graph)) {
			t.Errorf("phase %d has %d blocks in a drawing of %d", i, len(now.Graph.Nodes), len(now.Layout.Nodes))
		}
	}
	if same < 5 || other < 3 {
		t.Errorf("%d phases have the blocks of the one before, %d others", same, other)
	}
	for i := range b.e.Phases() {
		b.e.Step(i)
		f.Draw(size, palette.Dark())
		entry := f.pictures[i].Graph.Nodes[0].ID
		if !f.pictures[i].ShowsAll(f.view, size, 0, depgraph.NewSet(entry)) {
			t.Errorf("phase %d does not begin at %s", i, entry)
		}
	}
}

// Blocks that the compiler has not made are said to be approximate, in the graph and in the control flow; its own are
// not.
func TestApproximateBlocksAreSaidToBe(t *testing.T) {
	b := shipped(t, "hotspot.xml")
	b.e.decide("blocks", func(c *choices) { c.blocks = true })
	for phase, guessed := range []bool{true, true, false} {
		b.e.Step(phase)
		b.settle()
		for _, c := range []string{b.e.code.Caption(), b.e.flow.Caption()} {
			if strings.Contains(c, "approximate") != guessed {
				t.Errorf("phase %d is told as %q", phase, c)
			}
		}
	}
}

// The sheet of a node tells its inputs and uses in all of the graph, also where only what is open is drawn.
func TestSheetsTellOfTheWholeGraph(t *testing.T) {
	b := shipped(t, "golist.ssa.gz")
	sheet := func(id string) (note string) {
		b.e.selected = depgraph.NewSet(id)
		for _, x := range (&propertiesView{e: b.e}).state(palette.Dark()).Things {
			note += x.Name + ": " + x.Note + "; "
		}
		return note
	}
	want := map[string]string{}
	for _, n := range b.e.picture().Graph.Nodes {
		want[n.ID] = sheet(n.ID)
	}
	all := len(want)
	open := b.e.picture().Graph.Nodes[all/2].ID
	b.e.decide("open", func(c *choices) { c.set = depgraph.NewSet(open) })
	b.settle()
	some := b.e.picture().Graph.Nodes
	if len(some) >= all || len(some) < 2 {
		t.Fatalf("%d of %d nodes are drawn", len(some), all)
	}
	for _, n := range some {
		if got := sheet(n.ID); got != want[n.ID] {
			t.Errorf("of an extract the sheet says %q, of all nodes %q", got, want[n.ID])
		}
	}
}

// A pane that shows all of a graph shows all of it after it has grown or shrunk, and one that was zoomed stays where it
// was.
func TestWholeGraphsFollowTheirPane(t *testing.T) {
	b := shipped(t, "golist.ssa.gz")
	code, flow := b.e.code, b.e.flow
	for _, x := range []struct {
		name string
		draw func(scene.Size)
		zoom func()
		view func() codegraph.View
		fit  func(scene.Size) codegraph.View
	}{
		{"the graph", func(s scene.Size) { code.Draw(s, palette.Dark()) },
			func() { code.Zoom(pane.Event{Theme: palette.Dark(), Size: size}, 1.3) },
			func() codegraph.View { return code.view }, func(s scene.Size) codegraph.View {
				return b.e.picture().Fit(s, barTall)
			}},
		{"control flow", func(s scene.Size) { flow.Draw(s, palette.Dark()) }, func() {
			flow.Zoom(pane.Event{Theme: palette.Dark(), Size: size}, 1.3)
		},
			func() codegraph.View { return flow.view }, func(s scene.Size) codegraph.View { return fitFlow(flow.last, s) }},
	} {
		code.Fit()
		flow.Fit()
		x.draw(size)
		for _, s := range []scene.Size{{W: size.W * 2, H: size.H * 3}, {W: size.W / 2, H: size.H}, size} {
			if x.draw(s); x.view() != x.fit(s) {
				t.Errorf("%s in a pane of %g by %g: %+v, want %+v", x.name, s.W, s.H, x.view(), x.fit(s))
			}
		}
		x.zoom()
		was := x.view()
		if x.draw(scene.Size{W: size.W * 2, H: size.H}); x.view() != was {
			t.Errorf("%s was zoomed, and a larger pane changes its view", x.name)
		}
		x.draw(size)
	}
}

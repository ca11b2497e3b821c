package recording

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	analysis "orrery/analysis/findings"
	"orrery/app/shell"
	"orrery/traceio"
	"orrery/traceio/irgraph"
	"orrery/views/codegraph"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

// graphsOf opens a recording and, with the command of the menu, a file of graphs of its program.
func graphsOf(t *testing.T, recording, graphs string) *bench {
	t.Helper()
	b := open(t, recording)
	b.host.OpenFile = func(chosen func(path string)) { chosen("../../testdata/graphs/" + graphs) }
	b.run("graph.open")
	b.settle()
	b.draw(shell.Code, graphSize)
	b.settle()
	return b
}

// graphSize is the room of the graph.
var graphSize = panelSize

// run runs a command of the document's.
func (b *bench) run(id string) {
	b.t.Helper()
	for _, c := range b.Commands() {
		if c.ID == id {
			c.Run()
			return
		}
	}
	b.t.Fatalf("there is no command %s", id)
}

// node is a place in the pane of the graph where a node with a property lies.
func (b *bench) node(key, value string) scene.Point {
	b.t.Helper()
	s := b.compiled.e.State(palette.Dark())
	if s.Picture == nil {
		b.t.Fatal("there is no graph")
	}
	return find(b.t, func(p scene.Point) bool {
		hit := codegraph.Hit(s, graphSize, p)
		return p.X < graphSize.W && hit.Node >= 0 && !hit.Small &&
			s.Picture.Graph.Nodes[hit.Node].Properties.Get(key) == value
	})
}

// TestGraphsOfThisProgram: a file of graphs beside a recording finds the hot instructions, begins where most misses
// are, and has the pointer chase among the findings (of V8's graphs too, see analysis/findings). Taking another
// hierarchy counts again.
func TestGraphsOfThisProgram(t *testing.T) {
	for _, c := range []struct{ recording, graphs, hottest string }{
		{shipped + "golist.orr", "golist.ssa.gz", "MOVQload"},
	} {
		t.Run(c.graphs, func(t *testing.T) {
			b := graphsOf(t, c.recording, c.graphs)
			p := b.compiled.e.State(palette.Dark()).Picture
			if p == nil {
				t.Fatalf("no graph; the window said %q", b.notices)
			}
			hot := p.Hottest(codegraph.ByMisses)
			if hot < 0 || p.Graph.Nodes[hot].Name() != c.hottest {
				t.Fatalf("node %d misses most, want %s", hot, c.hottest)
			}
			if v := b.compiled.e.State(palette.Dark()).View; !p.ShowsAny(v, graphSize, 27) {
				t.Error("no node is in view")
			}
			v := b.noticed
			chase := func() *analysis.Finding {
				for i := range v.list {
					if v.list[i].Kind == analysis.Chase {
						return &v.list[i]
					}
				}
				return nil
			}
			f := chase()
			if f == nil {
				t.Fatalf("no pointer chase among %d findings", len(v.list))
			}
			misses := f.Cost.Misses
			b.hierarchy.Levels[b.hierarchy.Entry(traceio.Load)].Size *= 4096
			b.compiled.recount()
			b.settle()
			if f := chase(); f != nil && f.Cost.Misses >= misses {
				t.Errorf("%d misses in a cache of 4096 times the size, %d before", f.Cost.Misses, misses)
			}
		})
	}
}

// TestNodesBrushThePanes: a node selected in the graph selects its instruction, and spiral, rings, timeline and source
// show that; letting go of it brings back what they showed.
func TestNodesBrushThePanes(t *testing.T) {
	b := graphsOf(t, shipped+"gomatmul.orr", "gomatmul.ssa.gz")
	followers := []shell.Slot{shell.Cycles, shell.Cache, shell.Timeline, shell.Source, shell.Explain}
	before := map[shell.Slot]scene.Drawing{}
	for _, s := range followers {
		before[s] = b.draw(s, graphSize)
	}
	at := b.node(irgraph.KeyName, "MULSDloadidx8")
	b.press(shell.Code, graphSize, at)
	if l := b.link.State(); l.Selected.AsLine() != (link.Thing{What: link.Line, File: "gomatmul.go", Line: 18}) ||
		len(l.Selected.PCs()) != 1 || l.Origin != "graph" {
		t.Fatalf("selected %+v in %q", l.Selected, l.Origin)
	}
	b.settle()
	for _, s := range followers {
		if reflect.DeepEqual(before[s].Shapes, b.draw(s, graphSize).Shapes) {
			t.Errorf("%s shows nothing of the node that is selected", s)
		}
	}
	if !b.shownCode().Key("Escape", 0) || b.link.State().Selected.What != link.Nothing {
		t.Fatal("Escape does not let go of the node")
	}
	b.settle()
	for _, s := range followers {
		if !reflect.DeepEqual(before[s].Shapes, b.draw(s, graphSize).Shapes) {
			t.Errorf("%s is not as it was before", s)
		}
	}
	b.pointedAt(at, before)
	b.toldApart()
	// The other way: what is pointed at in the source lights its nodes.
	b.link.SetHover(link.Thing{What: link.Line, File: "gomatmul.go", Line: 18})
	if s := b.compiled.e.State(palette.Dark()); s.HoverLine != 18 {
		t.Errorf("the graph lights line %d, want 18", s.HoverLine)
	}
}

// pointedAt moves the pointer onto a node of the graph, whose own instruction the spiral and the source then show, and
// away again.
func (b *bench) pointedAt(at scene.Point, before map[shell.Slot]scene.Drawing) {
	b.t.Helper()
	b.shownCode().Moved(pane.Event{Theme: palette.Dark(), At: at, Size: graphSize})
	under := b.link.State().Hover
	if len(under.PCs()) != 1 || under.Line != 18 {
		b.t.Errorf("pointed at is %+v", under)
	}
	lit, found := b.rec.Touched(b.cycles.found, under), b.cyclesView.state(palette.Dark()).Under
	if !slices.Equal(lit, found) || !slices.Contains(lit, true) || !slices.Contains(lit, false) {
		b.t.Errorf("%d of %d windows are told apart", count(found), len(found))
	}
	if reflect.DeepEqual(before[shell.Cycles].Shapes, b.draw(shell.Cycles, graphSize).Shapes) {
		b.t.Error("the spiral shows nothing of the node under the pointer")
	}
	if got := b.source.state(palette.Dark()).Hover; got != under.AsLine() {
		b.t.Errorf("the source has %+v under the pointer", got)
	}
	b.shownCode().Left()
	if !reflect.DeepEqual(before[shell.Cycles].Shapes, b.draw(shell.Cycles, graphSize).Shapes) {
		b.t.Error("the spiral is not as it was before the pointer came")
	}
}

// toldApart holds two nodes of one line, v40 and v55, the loads of the two factors, against a look at every reference:
// in the caches and in the spiral each brushes those of its own instruction. A node that makes no references brushes
// its line, and the sheet says so.
func (b *bench) toldApart() {
	t := b.t
	t.Helper()
	var chosen [2]link.Thing
	for i, id := range []string{"v40", "v55"} {
		b.compiled.e.Search(id, 9)[0].Go()
		b.settle()
		chosen[i] = b.link.State().Selected
		pcs := chosen[i].PCs()
		if len(pcs) != 1 {
			t.Fatalf("node %s selects %+v", id, chosen[i])
		}
		items := b.caches().Items
		want, refs := items.None(), 0
		for k := range b.rec.Blocks() {
			block, err := b.rec.Block(k)
			if err != nil {
				t.Fatal(err)
			}
			for row, pc := range block.PC {
				if block.Kind[row] != traceio.Fetch && pc == pcs[0] {
					refs++
					items.Show(want, block.Addr[row], uint64(block.Size[row]))
				}
			}
		}
		if got := b.rings.mask(b.rings.aside, b.caches(), b.rings.code); refs != 32768 || !slices.Equal(got, want) {
			t.Errorf("of node %s, with %d references, %d glyphs step back, want %d", id, refs, count(got), count(want))
		}
		lit := b.rec.Touched(b.cycles.found, chosen[i])
		for k, a := range b.cycles.found.First {
			if (len(lit) > 0 && lit[k]) != (pcs[0] == a.PC) {
				t.Fatalf("of node %s, window %d at %v is lit: %v", id, k, a.PC, lit)
			}
		}
		if title := b.rec.Explain(palette.Dark(), chosen[i], nil, nil, 0, b.cycles.colors)[0]; title.Lines[0] !=
			"32 768 loads, 0 stores, 24.6\u00a0% of all references" {
			t.Errorf("the explanation of node %s is %q", id, title)
		}
	}
	if chosen[0].AsLine() != chosen[1].AsLine() || chosen[0] == chosen[1] {
		t.Errorf("the nodes are %+v and %+v", chosen[0], chosen[1])
	}
	b.compiled.e.Search("Phi", 30)[0].Go()
	said := written(b.draw(shell.Properties, graphSize))
	if now := b.link.State().Selected; now.What != link.Line || !strings.Contains(said, "makes no references") {
		t.Errorf("a phi, which makes no references, selects %+v, and the sheet has\n%s", now, said)
	}
	b.link.Undo() // back to an instruction, which finds its node again
	b.link.Undo()
	if got := b.compiled.e.State(palette.Dark()).Selected; !got.Has("v40") || len(got) != 1 {
		t.Errorf("after two steps back %v is selected, want v40", got)
	}
	b.shownCode().Key("Escape", 0)
}

func count(marks []bool) (n int) {
	for _, is := range marks {
		if is {
			n++
		}
	}
	return n
}

// A folder with GCC's dumps is attached like a file, all passes of its functions; one without graphs is told.
func TestGraphsOfAFolder(t *testing.T) {
	b := open(t, shipped+"bubble-array-sorted.orr")
	b.host.OpenFolder = func(chosen func(path string)) { chosen("../../testdata/graphs/gcc") }
	b.run("graph.open.folder")
	b.settle()
	if e := b.compiled.e; e.Phases() != 4 {
		t.Errorf("%d phases of GCC's are there, want 4; the window said %q", e.Phases(), b.notices)
	}
	before := len(b.notices)
	b.host.OpenFolder = func(chosen func(path string)) { chosen(t.TempDir()) }
	b.run("graph.open.folder")
	b.settle()
	if len(b.notices) == before {
		t.Error("nothing tells of a folder without graphs")
	}
}

// shownCode is the pane of the graph.
func (b *bench) shownCode() interface {
	pane.Keyer
	pane.Mover
	pane.Leaver
} {
	return b.view(shell.Code).(interface {
		pane.Keyer
		pane.Mover
		pane.Leaver
	})
}

package graphs

import (
	"context"
	"math"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"orrery/analysis/depgraph"
	"orrery/app/jobs"
	"orrery/app/jobs/jobstest"
	"orrery/app/panes"
	"orrery/app/shell"
	"orrery/views/codegraph"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"

	"fyne.io/fyne/v2/test"
)

// bench is a document whose jobs' results are taken on the test's goroutine.
type bench struct {
	*Document
	t       *testing.T
	queue   chan func()
	engine  *jobs.Engine
	notices chan string
	kept    map[string][]string
}

var size = scene.Size{W: 760, H: 400, Scale: 1}

// run opens something and waits until it is drawn.
func run(t *testing.T, open func(host shell.Host) (shell.Document, error)) *bench {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	test.NewTempApp(t)
	b := &bench{t: t, queue: make(chan func(), 1000), notices: make(chan string, 1000), kept: map[string][]string{}}
	b.engine = jobs.New(func(f func()) { b.queue <- f })
	host := shell.Host{Engine: b.engine, Report: func(_, _ int64) {}, Notice: func(s string) { b.notices <- s },
		Log:    func(string, ...any) {},
		Recall: func(name string) []string { return b.kept[name] }, Remember: func(name string, list []string) {
			b.kept[name] = list
		}}
	doc, err := open(host)
	if err != nil {
		t.Fatal(err)
	}
	b.Document = doc.(*Document)
	b.e.effort = 0.02
	b.Watch(func(...shell.Slot) {})
	t.Cleanup(func() { b.Close() })
	b.settle()
	b.draw()
	return b
}

func shipped(t *testing.T, name string) *bench {
	return run(t, func(h shell.Host) (shell.Document, error) {
		return Open(context.Background(), "../../testdata/graphs/"+name, h)
	})
}

// settle runs what the jobs deliver until there are none left.
func (b *bench) settle() { jobstest.Settle(b.engine, b.queue) }

// draw draws all panes.
func (b *bench) draw() {
	for _, p := range b.Views() {
		if d := p.View.Draw(size, palette.Dark()); len(d.Shapes) == 0 {
			b.t.Errorf("%s is empty", p.Slot)
		}
		p.View.Caption()
	}
}

// at is an event on a node of the graph, as near to its middle as something else does not cover it.
func (b *bench) at(id string) pane.Event {
	b.e.code.reveal(depgraph.NewSet(id))
	s := b.e.code.state(palette.Dark())
	for v := range s.Picture.Graph.Nodes {
		if s.Picture.Graph.Nodes[v].ID != id {
			continue
		}
		box, middle := s.Picture.Box(v), b.middle(v)
		for _, share := range []float64{0, -0.2, 0.2, -0.4, 0.4} {
			p := scene.Point{X: middle.X + share*(box.Max.X-box.Min.X)*s.View.Zoom, Y: middle.Y}
			if t := codegraph.Hit(s, size, p); t.Node == v && !t.Small {
				return pane.Event{Theme: palette.Dark(), At: p, Size: size}
			}
		}
	}
	b.t.Fatalf("node %s is nowhere", id)
	return pane.Event{Theme: palette.Dark()}
}

// middle is where in the pane the middle of a node of the picture is.
func (b *bench) middle(v int) scene.Point {
	box, view := b.e.picture().Box(v), b.e.code.view
	return scene.Point{X: size.W/2 + ((box.Min.X+box.Max.X)/2-view.Center.X)*view.Zoom,
		Y: barTall + (size.H-barTall)/2 + ((box.Min.Y+box.Max.Y)/2-view.Center.Y)*view.Zoom}
}

func TestEveryFormatOpens(t *testing.T) {
	for _, name := range []string{"golist.ssa.gz", "golist.ssa.html.gz", "list.turbo.json.gz", "hotspot.xml", "sum.bgv",
		"gcc", "calls.graphml"} {
		if !Is("../../testdata/graphs/" + name) {
			t.Errorf("%s is not taken for graphs", name)
		}
		b := shipped(t, name)
		if p := b.e.picture(); p == nil || len(p.Graph.Nodes) == 0 || int(b.Len()) != b.e.Phases() {
			t.Errorf("%s: nothing is drawn of %d phases", name, b.Len())
		}
		for i := range b.e.Phases() {
			b.link.SetCursor(b.Len() - 1 - b.Len()/2)
			b.e.Step(i)
		}
		b.settle()
		b.draw()
	}
	if Is("../../testdata/recordings/list.orr") || Is("graphs_test.go") {
		t.Error("something else is taken for graphs")
	}
}

// The transport and the panes go through the phases together, and a node that two neighbouring phases have stays where
// it is.
func TestPhases(t *testing.T) {
	b := shipped(t, "gomatmul.ssa.gz")
	b.link.SetCursor(4)
	b.settle()
	was := b.e.picture()
	where := map[string]any{}
	for v := range was.Graph.Nodes {
		where[was.Graph.Nodes[v].ID] = was.Box(v)
	}
	b.e.Step(5)
	b.settle()
	if b.link.State().Cursor != 5 || b.e.phase != 5 {
		t.Fatalf("phase %d, cursor %d", b.e.phase, b.link.State().Cursor)
	}
	same := 0
	for v, n := range b.e.picture().Graph.Nodes {
		if at, ok := where[n.ID]; ok {
			same++
			if at != any(b.e.picture().Box(v)) {
				t.Errorf("%s has moved", n.ID)
			}
		}
	}
	if same < 60 {
		t.Errorf("%d nodes in common", same)
	}
	for _, phase := range []int{54, 30} { // wherever the user goes, something is in view, also while the graph is drawn
		b.e.Step(phase)
		s := b.e.code.state(palette.Dark())
		middle := pane.Event{Theme: palette.Dark(), At: scene.Point{X: 300, Y: 200}, Size: size}
		if hit := b.e.code.hit(middle); s.Picture == nil ||
			b.e.picture() != nil ||
			hit != codegraph.Nowhere() {
			t.Errorf("on the way to phase %d there is %v, pointed at %+v", phase, s.Picture, hit)
		}
		b.draw()
		b.settle()
		b.draw()
		if !b.e.picture().ShowsAny(b.e.code.view, size, barTall) {
			t.Errorf("phase %d shows nothing", phase)
		}
	}
}

// From each phase to the next, of those nodes in view that both have, at least one stays where it is in the pane: all
// while phases change little, and where these are drawn afresh, one around which the others still are. Nodes on their
// way to where they are now end there.
func TestStepsLeaveTheViewWhereItIs(t *testing.T) {
	b := shipped(t, "list.turbo.json.gz")
	places := func() map[string]scene.Point {
		out := map[string]scene.Point{}
		p := b.e.picture()
		for v := range p.Graph.Nodes {
			at := b.middle(v)
			if at.X > 0 && at.X < size.W && at.Y > barTall && at.Y < size.H {
				out[p.Graph.Nodes[v].ID] = at
			}
		}
		return out
	}
	was, all, stayed, alone := map[string]scene.Point{}, 0, 0, 0
	for phase := 3; phase < 11; phase++ {
		b.e.Step(phase)
		b.settle()
		b.e.code.Draw(size, palette.Dark())
		if phase == 3 {
			was = places()
			continue
		}
		now := places()
		held, kept := 0, 0
		for id, at := range was {
			if q, there := now[id]; there {
				kept++
				if math.Hypot(q.X-at.X, q.Y-at.Y) < 0.5 {
					held++
				}
			}
		}
		if held == 0 {
			t.Errorf("on the step to phase %d none of %d nodes in view stays, %d are still in view", phase, len(was), kept)
		}
		if held < kept {
			alone++
		}
		all, stayed, was = all+len(was), stayed+held, now
	}
	if alone > 2 || stayed*2 < all {
		t.Errorf("%d of %d nodes in view stay, in %d steps not all", stayed, all, alone)
	}
}

// A double click opens a node with its neighbours semi-transparent, one on a neighbour adds that, on a member removes
// it; Back goes through all of it.
func TestNavigation(t *testing.T) {
	b := shipped(t, "golist.ssa.gz")
	b.e.Step(54)
	b.settle()
	all := len(b.e.picture().Graph.Nodes)
	b.e.code.DoubleTapped(b.at("v22"))
	b.settle()
	p := b.e.picture()
	want, faint := depgraph.NewSet("v22").Extract(depgraph.Display(b.e.snapshot()))
	if len(p.Graph.Nodes) != len(want.Nodes) || !slices.Equal(p.Faint, faint) {
		t.Fatalf("%d nodes are shown, want %d", len(p.Graph.Nodes), len(want.Nodes))
	}
	b.draw()
	one := b.e.picture()
	b.e.code.DoubleTapped(b.at("v8"))
	b.settle()
	if got := b.e.shown.set; !slices.Equal(got, depgraph.NewSet("v22", "v8")) {
		t.Errorf("open are %v", got)
	}
	b.e.choosing(depgraph.NewSet("v8"))
	b.e.grow("", depgraph.Successors, b.e.selected)
	b.settle()
	grown := len(b.e.shown.set)
	if grown <= 2 {
		t.Errorf("%d are open after the successors of v8", grown)
	}
	b.e.Back()
	b.e.Back()
	b.e.Back()
	b.settle()
	if got := len(b.e.picture().Graph.Nodes); got != all || len(b.e.shown.set) != 0 {
		t.Errorf("at the beginning again are %d nodes, want %d", got, all)
	}
	b.e.Forward()
	b.settle()
	if !slices.Equal(b.e.shown.set, depgraph.NewSet("v22")) || b.e.picture() != one {
		t.Errorf("forward opens %v, in another drawing: %v", b.e.shown.set, b.e.picture() != one)
	}
	b.link.Undo()
	b.settle()
	if len(b.e.shown.set) != 0 {
		t.Errorf("undone, %v is open", b.e.shown.set)
	}
	b.e.open("", b.e.everything().Without("v22"))
	b.settle()
	if b.e.shown.set.Has("v22") || len(b.e.shown.set) != all-1 {
		t.Errorf("%d open of %d, one of which is hidden", len(b.e.shown.set), all)
	}
}

// texts are what a picture says.
func texts(shapes []scene.Shape) (out []string) {
	for _, s := range shapes {
		if x, is := s.(scene.Text); is {
			out = append(out, x.S)
		}
	}
	return out
}

func TestSearch(t *testing.T) {
	b := shipped(t, "golist.ssa.gz")
	b.e.Step(54)
	b.settle()
	for _, c := range []struct{ text, first string }{{"movqload", "v22"}, {"/^ADDQ/", "v17"},
		{"access=load", "v22"}, {"v8", "v8"}} {
		found := b.Search(c.text, 20)
		if len(found) == 0 || !strings.HasPrefix(found[0].Label, c.first) {
			t.Errorf("%s finds %v", c.text, found)
			continue
		}
		if !b.e.lit.Has(c.first) {
			t.Errorf("%s does not light %s", c.text, c.first)
		}
		found[0].Go()
		if !b.e.selected.Has(c.first) {
			t.Errorf("%s selects %v", c.text, b.e.selected)
		}
	}
	if found := b.Search("/(/", 20); len(found) != 1 || found[0].Detail == "" {
		t.Errorf("a broken expression finds %v", found)
	}
	if found := b.Search("regalloc", 20); len(found) == 0 {
		t.Error("a phase is not found")
	}
	b.e.mark()
	kept := b.e.kept(t)
	if len(kept) != 1 {
		t.Errorf("kept bookmarks are %q", kept)
	}
	b.e.choosing(nil)
	b.e.nextMark(1)
	if len(b.e.selected) != 1 {
		t.Errorf("at the bookmark %v is selected", b.e.selected)
	}
}

// Source lines and nodes select each other, also those of what was inlined.
func TestSourceAndNodesSelectEachOther(t *testing.T) {
	b := shipped(t, "golist.ssa.gz")
	v := newSourceView(b.e, panes.NewBase(b.e.set, shell.Source, "Source"))
	v.Draw(size, palette.Dark())
	some := 0
	for i, l := range v.list() {
		if l.Head || len(l.nodes) == 0 {
			continue
		}
		some++
		v.scroll = 0
		v.Pressed(pane.Event{Theme: palette.Dark(), At: scene.Point{X: 50, Y: 4 + 18*float64(i) + 9}, Size: size})
		if !slices.Equal(b.e.selected, l.nodes) {
			t.Errorf("line %s selects %v, want %v", l.Number, b.e.selected, l.nodes)
		}
		if s := v.state(palette.Dark()); !s.Lines[i].Shown {
			t.Errorf("line %s does not show that its nodes are selected", l.Number)
		}
	}
	if some < 3 {
		t.Errorf("%d lines have nodes", some)
	}
	b = shipped(t, "hotspot.xml")
	v = newSourceView(b.e, panes.NewBase(b.e.set, shell.Source, "Source"))
	inlined := 0
	for _, l := range v.list() {
		if l.Head && l.Depth > 0 {
			inlined++
		}
	}
	if inlined == 0 {
		t.Error("no inlined method is listed")
	}
}

// What a compiler sends is listed and drawn as it comes; rubbish is named.
func TestListening(t *testing.T) {
	b := run(t, func(h shell.Host) (shell.Document, error) { return Listen(context.Background(), "127.0.0.1:0", h) })
	if address, ok := Listens("/somewhere/" + from + "127.0.0.1:4444"); !ok || address != "127.0.0.1:4444" {
		t.Errorf("the path means %q", address)
	}
	data, err := os.ReadFile(filepath.Join("../../testdata/graphs", "hotspot.xml"))
	if err != nil {
		t.Fatal(err)
	}
	send := func(data []byte) {
		c, err := net.Dial("tcp", b.live.at)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		var yes [1]byte
		if _, err := c.Read(yes[:]); err != nil || yes[0] != 'y' {
			t.Fatalf("the answer is %q, %v", yes, err)
		}
		if _, err := c.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	until := func(what string, done func() bool) {
		t.Helper()
		for end := time.Now().Add(time.Minute); !done(); {
			select {
			case f := <-b.queue:
				f()
			case <-time.After(10 * time.Millisecond):
			}
			if time.Now().After(end) {
				t.Fatal(what)
			}
		}
	}
	send(data)
	until("nothing has arrived", func() bool { return b.e.picture() != nil && len(b.e.entries) == 1 })
	send([]byte("rubbish"))
	until("rubbish is not named", func() bool { return len(b.notices) > 0 && b.live.trouble != "" })
	send(data)
	until("the second has not arrived", func() bool { return len(b.e.entries) == 2 })
	if data, err = os.ReadFile(filepath.Join("../../testdata/graphs", "sum.bgv")); err != nil {
		t.Fatal(err)
	}
	send(data)
	until("graphs in a group within a group have not arrived", func() bool { return len(b.e.entries) == 3 })
	b.draw()
}

// TestBackIsWhereItWas: back and forward lead to the very view that was left, whatever was drawn in between.
func TestBackIsWhereItWas(t *testing.T) {
	b := shipped(t, "list.turbo.json.gz")
	v := b.e.code
	e := b.at("23")
	v.Zoom(e, 1.7)
	v.DoubleTapped(b.at("23"))
	b.settle()
	whole := b.e.past[len(b.e.past)-1].view
	if len(b.e.shown.set) != 1 || len(b.e.picture().Graph.Nodes) > 8 {
		t.Fatalf("%d nodes are open, %d drawn", len(b.e.shown.set), len(b.e.picture().Graph.Nodes))
	}
	v.Pan(0.3, 0.1)
	open := v.view
	for _, c := range []struct {
		name string
		step func() bool
		want codegraph.View
	}{{"back", b.e.Back, whole}, {"forward", b.e.Forward, open}, {"back again", b.e.Back, whole}} {
		if !c.step() {
			t.Fatalf("%s leads nowhere", c.name)
		}
		b.settle()
		b.draw()
		if v.view != c.want {
			t.Errorf("%s: the view is %v, was %v", c.name, v.view, c.want)
		}
	}
}

// TestSearchOpensWhatIsClosed: where only some nodes are open, a search finds the others too, and opens them.
func TestSearchOpensWhatIsClosed(t *testing.T) {
	b := shipped(t, "list.turbo.json.gz")
	b.e.code.DoubleTapped(b.at("23"))
	b.settle()
	found := b.e.Search("19", 10)
	if len(found) == 0 || !strings.HasPrefix(found[0].Label, "19 ") {
		t.Fatalf("found %+v", found)
	}
	found[0].Go()
	b.settle()
	if !b.e.shown.set.Has("19") || !b.e.shown.set.Has("23") || !b.e.selected.Has("19") {
		t.Errorf("open %v, selected %v", b.e.shown.set, b.e.selected)
	}
	if p := b.e.picture(); !p.ShowsReadable(b.e.code.view, size, barTall, b.e.selected) {
		t.Error("what was found is out of view")
	}
}

package recording

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orrery/analysis/heap"
	"orrery/app/panes/toolbar"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/views/controls"
	"orrery/views/flame"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

// inPane is an event at a point of a pane.
func inPane(p scene.Point) pane.Event {
	return pane.Event{Theme: palette.Dark(), At: p, Size: panelSize}
}

// choosing presses a chip and then the option of its list that has a title.
func choosing(t *testing.T, v interface {
	Pressed(pane.Event)
	chips() []toolbar.Chip
	bar() *toolbar.Bar
}, name, title string) {
	t.Helper()
	bar := v.bar()
	for _, c := range bar.Left(v.chips(), palette.Dark()) {
		if c.Name != name {
			continue
		}
		v.Pressed(inPane(scene.Point{X: c.At.X + 5, Y: c.At.Y + 5}))
		list, at, options := bar.List(bar.Left(v.chips(), palette.Dark()), palette.Dark(), panelSize)
		for i, o := range options {
			if o.Title == title {
				v.Pressed(inPane(scene.Point{X: at.X + 5, Y: at.Y + (float64(i)+0.5)*controls.RowHeight}))
				return
			}
		}
		t.Fatalf("the list %q has no %q: %v", name, title, list.Words)
	}
	t.Fatalf("there is no chip %q", name)
}

// TestAllocations works with the panes of the heap's tables and flame graph, in one document.
func TestAllocations(t *testing.T) {
	b := open(t, shipped+"list.orr")
	for _, row := range []struct {
		name string
		run  func(*testing.T, *bench)
	}{{"flame", flameGraphInThePane}, {"tables", tablesOfTheHeap}, {"two heaps", twoHeaps}, {"lists", listsClose}} {
		t.Run(row.name, func(t *testing.T) { row.run(t, b) })
	}
}

// flameGraphInThePane: a press selects a function and fills the width with it, BackSpace and Escape lead back, and
// every choice is a step.
func flameGraphInThePane(t *testing.T, b *bench) {
	v := b.shown(shell.Flame).(*flameView)
	s := v.state(palette.Dark())
	if s.Root == nil || s.Root.Total.Bytes != b.rec.Heap.TotalBytes {
		t.Fatalf("the tree is %+v", s.Root)
	}
	at := find(t, func(p scene.Point) bool {
		n := flame.Hit(s, panelSize, p).Node
		return n != nil && n.Name == "build_list"
	})
	v.Moved(inPane(at))
	if v.over == nil || b.link.State().Hover.Name != "build_list" || len(v.Tip(inPane(at))) < 4 {
		t.Errorf("over the box %+v is hovered", b.link.State().Hover)
	}
	v.Pressed(inPane(at))
	if got := b.link.State(); got.Selected != (link.Thing{What: link.Function, Name: "build_list"}) ||
		got.Origin != "flame graph" || b.link.Undoable() != "selection" {
		t.Errorf("selected %+v in %q", got.Selected, got.Origin)
	}
	deep := len(v.shown.Now.Focus)
	if nodes := func() []*heap.Node { s := v.state(palette.Dark()); return s.Nodes() }(); deep == 0 ||
		nodes[len(nodes)-1].Name != "build_list" {
		t.Fatalf("the focus is %v", v.shown.Now.Focus)
	}
	if lines := b.source; lines.state(palette.Dark()).Selected.What != link.Line {
		t.Error("the source does not follow the function")
	}
	if !v.Key("BackSpace", 0) || len(v.shown.Now.Focus) != deep-1 || !v.Key("Escape", 0) ||
		len(v.shown.Now.Focus) != deep-2 {
		t.Errorf("back leads to %v", v.shown.Now.Focus)
	}
	v.Fit()
	if v.Key("Escape", 0) || v.Key("BackSpace", 0) {
		t.Error("there is nothing to go back to")
	}
	for b.link.Undoable() == "part of the flame graph" {
		b.link.Undo()
	}
	b.link.Undo()
	if len(v.shown.Now.Focus) != deep {
		t.Errorf("undo leads to %v", v.shown.Now.Focus)
	}
	choosing(t, v, "width", "Width: calls")
	if v.shown.Now.Metric != heap.ByBlocks || b.link.Undoable() != "width of the flame graph" ||
		!strings.HasPrefix(v.Caption(), "calls") {
		t.Errorf("the width is %v, %q", v.shown.Now.Metric, v.Caption())
	}
	v.startTyping()
	for _, r := range "text" {
		v.Key("", r)
	}
	v.Key("Return", 0)
	if s := v.state(palette.Dark()); v.filter.Typing || s.Found == nil || len(s.Found.Nodes) != 1 {
		t.Errorf("the filter %q finds %+v", v.filter.Content, s.Found)
	}
	if !v.Key("Escape", 0) || v.filter.Content != "" {
		t.Error("Escape does not clear the filter")
	}
}

// tablesOfTheHeap: each table is shown with its sentence, sorted and kept; choices are steps.
func tablesOfTheHeap(t *testing.T, b *bench) {
	v := b.shown(shell.Sites).(*sitesView)
	for _, k := range session.AllocationTables[1:7] {
		choosing(t, v, "table", k.Title)
		b.shown(shell.Sites)
		if v.shown.table != k.Key || b.link.Undoable() != "table of the heap" || len(v.told) == 0 {
			t.Errorf("the table is %q with %q", v.shown.table, v.told)
		}
		if k.Key == "use" && (!v.filled() || len(v.sentences(panelSize)) == 0) {
			t.Errorf("the use of blocks has %d rows and says %q", len(v.base.Rows), v.told)
		}
	}
	few := v.few
	v.few = 0
	v.list("leaks")
	if b.draw(shell.Sites, panelSize); !v.making() || v.filled() {
		t.Error("a long table is not made in the background")
	}
	if b.shown(shell.Sites); v.making() || len(v.base.Rows) != len(b.rec.Heap.Leaks()) || v.base.Order == nil {
		t.Errorf("made in the background the table has %d rows", len(v.base.Rows))
	}
	v.few = few
	for v.shown.table != "sites" {
		if !b.link.Undo() {
			t.Fatal("the tables cannot be taken back")
		}
	}
	b.shown(shell.Sites)
	s := v.State(palette.Dark())
	v.Key("Down", 0)
	if got := b.link.State().Selected; got != s.Rows[s.Order[0]].Thing || b.rec.CodeOf(got).What != link.Line {
		t.Errorf("the first row selects %+v", got)
	}
	v.SortOther()
	if now := v.State(palette.Dark()); !now.Upward || b.link.Undoable() != "order of the sites" {
		t.Errorf("the order is by %d, %v", now.Sort, now.Upward)
	}
	out := filepath.Join(t.TempDir(), "t.csv")
	b.host.SaveFile = func(name string, then func(string)) {
		if name != "list-heap-sites.csv" {
			t.Errorf("the file would be called %s", name)
		}
		then(out)
	}
	v.save()
	if data, err := os.ReadFile(out); err != nil || bytes.Count(data, []byte("\n")) != 1+len(b.rec.Heap.Sites) {
		t.Errorf("%v, the file is %q", err, data)
	}
}

// twoHeaps: another run is compared site by site and in words, and let go of again, by steps.
func twoHeaps(t *testing.T, b *bench) {
	v := b.shown(shell.Sites).(*sitesView)
	other := filepath.Join(t.TempDir(), "other.mtrace")
	if err := os.WriteFile(other,
		[]byte("= Start\n@ ./a:(main+0x1)[0x401136] + 0x1000 0x18\n@ ./a:(main+0x2)[0x401140] - 0x1000\n= End\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	b.host.OpenFile = func(then func(string)) { then(other) }
	choosing(t, v, "compare", "Compare with a recording or a log …")
	b.shown(shell.Sites)
	if !v.filled() || len(v.told) != 2 || !strings.HasPrefix(v.told[0], "Against other.mtrace: calls ") {
		t.Fatalf("%d rows, told %q, notices %q", len(v.base.Rows), v.told, b.notices)
	}
	rows := len(v.base.Rows)
	b.link.Undo()
	b.shown(shell.Sites)
	if v.shown.table != "sites" || b.other.Has(other) {
		t.Errorf("after undo the table is %q and the other run %v", v.shown.table, b.other.Has(other))
	}
	b.link.Redo()
	b.shown(shell.Sites)
	if len(v.base.Rows) != rows {
		t.Errorf("after redo there are %d rows, want %d", len(v.base.Rows), rows)
	}
	told := len(b.notices)
	v.compare("no such file")
	b.shown(shell.Sites)
	if len(b.notices) != told+1 || v.filled() {
		t.Errorf("of a file that is not there: %q", b.notices)
	}
	v.compare("")
	if b.shown(shell.Sites); v.shown.table != "sites" || !v.filled() {
		t.Errorf("compared with nothing the table is %q", v.shown.table)
	}
}

// listsClose: whichever pane's list is open.
func listsClose(t *testing.T, b *bench) {
	for _, x := range []struct {
		view pane.Closer
		bar  *toolbar.Bar
	}{{b.rings, &b.rings.Bar}, {b.heap, &b.heap.Bar}, {b.sites, &b.sites.Bar}, {b.flame, &b.flame.Bar},
		{b.cyclesView, &b.cyclesView.bar}} {
		x.bar.Open = "compare"
		if !x.view.CloseList() || x.bar.Open != "" {
			t.Errorf("the list of %T stays open", x.view)
		}
		if x.view.CloseList() {
			t.Errorf("after the list of %T there is another one", x.view)
		}
	}
}

func (v *flameView) bar() *toolbar.Bar { return &v.Bar }
func (v *sitesView) bar() *toolbar.Bar { return &v.Bar }

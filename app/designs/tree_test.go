package designs

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"orrery/analysis/dse"
	"orrery/analysis/dse/search"
	"orrery/analysis/dse/search/mjpeg"
	"orrery/app/jobs"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/traceio/designs"
	"orrery/views/dsetree"
	"orrery/views/filterpanel"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

// tree is the pane of an explorer of the case study, drawn once.
func tree(t *testing.T) (*Explorer, *treeView) {
	t.Helper()
	e := explorer(t)
	v := e.treeView
	v.Draw(paneSize, palette.Dark())
	return e, v
}

// row is how far down a level is drawn.
func row(t *testing.T, v *treeView, level int) float64 {
	t.Helper()
	from := -1.0
	for y := float64(bar); y < paneSize.H; y += 2 {
		switch got := v.hit(at(20, y)).Level; {
		case got == level && from < 0:
			from = y
		case got != level && from >= 0:
			return (from + y) / 2
		}
	}
	t.Fatalf("level %d has no name", level)
	return 0
}

// spot is where a node is drawn.
func spot(t *testing.T, v *treeView, n int32) pane.Event {
	t.Helper()
	y := row(t, v, v.e.tree.Level(n))
	for x := 100.0; x < paneSize.W; x += 3 {
		if got := v.hit(at(x, y)); got.Node == n && got.Merged == 1 {
			return at(x, y)
		}
	}
	t.Fatalf("node %d is nowhere in the picture", n)
	return pane.Event{Theme: palette.Dark()}
}

func shown(e *Explorer) int { return len(e.shade.Layout.Nodes) }

// TestADoubleClickFolds: what is below a node is hidden, counted at its triangle, and comes back with undo.
func TestADoubleClickFolds(t *testing.T) {
	e, v := tree(t)
	all := shown(e)
	n := e.tree.Start[1] + 1
	v.DoubleTapped(spot(t, v, n))
	if got, want := shown(e), all-int(e.tree.Size[n]); got != want {
		t.Errorf("%d nodes are shown, want %d", got, want)
	}
	v.Draw(paneSize, palette.Dark())
	below := spot(t, v, n)
	for y := below.At.Y; y < below.At.Y+40; y++ {
		if got := v.hit(at(below.At.X, y)); got.Triangle {
			v.Pressed(at(below.At.X, y))
			break
		}
	}
	if v.counted != n {
		t.Errorf("the count of node %d is told, want %d", v.counted, n)
	}
	if e.link.Undo(); shown(e) != all {
		t.Error("undo leaves it folded")
	}
	if e.link.Redo(); shown(e) == all {
		t.Error("redo does not fold")
	}
}

// TestLevelsAreDragged: the tree is grown in the new order, and what was folded is folded by its way.
func TestLevelsAreDragged(t *testing.T) {
	e, v := tree(t)
	v.Pressed(at(20, row(t, v, 1)))
	if v.drag.Level != 1 {
		t.Fatal("the level is not taken")
	}
	down := row(t, v, 3)
	v.Dragged(at(20, down), scene.Point{X: 20, Y: 60})
	v.Released(at(20, down))
	if e.tree.Order[0] == 0 || reflect.DeepEqual(e.tree.Order, []int{0, 1, 2, 3}) {
		t.Errorf("the order is %v", e.tree.Order)
	}
	if e.link.Undo(); !reflect.DeepEqual(e.tree.Order, []int{0, 1, 2, 3}) {
		t.Errorf("after undo the order is %v", e.tree.Order)
	}
}

// TestTheSatelliteIsDragged: its frame goes along with the pointer from where it was seized, and comes to the pointer
// from beside.
func TestTheSatelliteIsDragged(t *testing.T) {
	_, v := tree(t)
	v.Draw(paneSize, palette.Dark())
	v.zoom = 4
	v.move(0)
	_, shown := v.room()
	var in, beside []float64
	y := 0.0
	for y = paneSize.H; y > 0 && len(in) == 0; y -= 4 {
		for x := 0.0; x < paneSize.W; x += 2 {
			if p := v.hit(at(x, y)); p.Satellite && p.Place > 0 && p.Place < shown {
				in = append(in, x)
			} else if p.Satellite && p.Place > 2*shown {
				beside = append(beside, x)
			}
		}
	}
	y += 4
	if len(in) < 4 || len(beside) == 0 {
		t.Fatalf("%d columns of the satellite are in its frame, %d beside", len(in), len(beside))
	}
	v.Pressed(at(in[1], y))
	if v.origin != 0 {
		t.Errorf("a press on the frame moves it to %g", v.origin)
	}
	v.Dragged(at(in[1]+10, y), at(in[1], y).At)
	if want := v.hit(at(in[1]+10, y)).Place - v.hit(at(in[1], y)).Place; math.Abs(v.origin-want) > 1e-9 || want <= 0 {
		t.Errorf("the frame goes to %g, want %g", v.origin, want)
	}
	v.Released(at(in[1]+10, y))
	v.Pressed(at(beside[0], y))
	if p := v.hit(at(beside[0], y)).Place; math.Abs(v.origin+shown/2-p) > 1e-9 {
		t.Errorf("from beside the frame comes to %g, want %g", v.origin, p-shown/2)
	}
}

// TestGenerationsPlay: in each generation exactly the designs of it and of those before pass, and those of it are new.
func TestGenerationsPlay(t *testing.T) {
	e, v := tree(t)
	for _, g := range []int32{0, 1, 5} {
		e.Generation(g)
		if got, want := e.Pass().Count(), len(e.space.Until(g)); got != want {
			t.Errorf("generation %d: %d designs, want %d", g, got, want)
		}
		if len(v.fresh) == 0 {
			t.Errorf("generation %d: nothing is new", g)
		}
	}
	e.Generation(dse.None)
	if e.Pass() != nil {
		t.Error("at the end something is hidden")
	}
}

// TestArrowsWalk: each step goes to a neighbour in the tree, and what is there is selected.
func TestArrowsWalk(t *testing.T) {
	e, v := tree(t)
	for _, key := range []string{"Down", "Down", "Down", "Right", "Down", "Down"} {
		before := v.focus
		if !v.Key(key, 0) {
			t.Fatalf("%s is not taken", key)
		}
		if key == "Down" && before >= 0 && e.tree.Parent[v.focus] != before {
			t.Errorf("down from %d is %d, a child of %d", before, v.focus, e.tree.Parent[v.focus])
		}
	}
	if e.Subspace() < 0 {
		t.Error("no subspace is selected below the parameters")
	}
	for range 12 {
		v.Key("Down", 0)
	}
	if v.Key("Up", 0); v.Key("Escape", 0) && v.focus >= 0 {
		t.Error("Escape leaves the focus")
	}
}

// TestMappingIsFiltered: processes, a kind and the button make a condition, which can be taken back.
func TestMappingIsFiltered(t *testing.T) {
	e, _ := tree(t)
	v := e.views[0].View.(*filterView)
	press := func(id string, word int) {
		t.Helper()
		rows := v.state(palette.Dark()).Rows
		i := slices.IndexFunc(rows, func(r filterpanel.Row) bool { return r.ID == id })
		if i < 0 || rows[i].Off || word >= max(1, len(rows[i].Words)) {
			t.Fatalf("no word %d of %q", word, id)
		}
		v.word(rows, filterpanel.Target{Row: i, Part: filterpanel.Word, At: word})
	}
	process := func(name string) int {
		for i, p := range e.space.Platform.Processes {
			if p.Name == name {
				return i
			}
		}
		return -1
	}
	press("task", process("V-Out"))
	press("task", process("VLE"))
	press("kind", int(dse.Together))
	v.constrain()
	want := 0
	c := dse.Constraint{Kind: dse.Together, Processes: []int{process("V-Out"), process("VLE")}}
	for p := range e.space.N {
		if c.Holds(e.space.Set, p) {
			want++
		}
	}
	reversed := dse.Constraint{Kind: dse.Together, Processes: []int{c.Processes[1], c.Processes[0]}}
	if got := e.shown.criteria.mapping; len(got) != 1 || !sameConstraint(got[0], c) && !sameConstraint(got[0], reversed) {
		t.Fatalf("the conditions are %+v", got)
	}
	if got := e.Pass().Count(); got != want || got == e.space.N {
		t.Errorf("%d designs pass, want %d", got, want)
	}
	e.link.Undo()
	if e.Pass() != nil {
		t.Error("the condition stays")
	}
	press("parameter", 0)
	if e.Pass() == nil || e.Pass().Count() == e.space.N {
		t.Error("a value that is switched off still passes")
	}
	e.resetFilter()
	if e.Pass() != nil {
		t.Error("the filter is not taken away")
	}
}

// TestSlidersFilter: a drag of a handle is one step that can be taken back.
func TestSlidersFilter(t *testing.T) {
	e, _ := tree(t)
	v := e.views[0].View.(*filterView)
	size := scene.Size{W: 260, H: 3000, Scale: 1}
	s := v.state(palette.Dark())
	for y := 0.0; y < 400; y += 4 {
		if got := filterpanel.Hit(s, size, scene.Point{X: 240, Y: y}); got.Part == filterpanel.HighHandle &&
			s.Rows[got.Row].ID == "objective" {
			v.Pressed(pane.Event{Theme: palette.Dark(), At: scene.Point{X: 240, Y: y}, Size: size, Button: pane.Primary})
			for x := 220.0; x > 120; x -= 10 {
				v.Dragged(pane.Event{Theme: palette.Dark(), At: scene.Point{X: x, Y: y}, Size: size}, scene.Point{X: 240, Y: y})
			}
			v.Released(pane.Event{Theme: palette.Dark()})
			break
		}
	}
	_, high := e.Limits(0)
	want := 0
	for _, x := range e.space.Norm[0] {
		if x <= high {
			want++
		}
	}
	if high > 0.6 || e.Pass().Count() != want {
		t.Errorf("up to %g pass %d, want %d", high, e.Pass().Count(), want)
	}
	if e.link.Undo(); e.Pass() != nil {
		t.Error("one undo does not take the drag back")
	}
}

// queued is an explorer whose jobs' results wait for settle.
func queued(t *testing.T) (shell.Host, func()) {
	t.Helper()
	queue := make(chan func(), 1000)
	engine := jobs.New(func(f func()) { queue <- f })
	host := shell.Host{Engine: engine, Notice: func(s string) { t.Log(s) }, Log: func(string, ...any) {},
		Report: func(_, _ int64) {}}
	return host, func() {
		t.Helper()
		for guard := time.After(3 * time.Minute); ; {
			select {
			case f := <-queue:
				f()
			case <-guard:
				t.Fatal("jobs do not end")
			case <-time.After(5 * time.Millisecond):
				if len(engine.Running()) == 0 && len(queue) == 0 {
					return
				}
			}
		}
	}
}

// TestASearchGoesOn: paused, resumed and asked for more it finds what an unbroken one finds, and a click runs a design.
func TestASearchGoesOn(t *testing.T) {
	host, settle := queued(t)
	prepare := func(Wanted) func(context.Context) (search.Problem, error) {
		return func(context.Context) (search.Problem, error) { return mjpeg.New(), nil }
	}
	ran := -1
	p := NewPanes(host, link.New(link.State{}), "x", prepare, func() string { return "" },
		Wanted{Generations: 6, Population: 20, Seed: 3}, func(_ *designs.Set, point int) { ran = point })
	p.Watch(func(...shell.Slot) {})
	p.hunt.toggle()
	p.hunt.pause()
	p.hunt.toggle()
	settle()
	if p.hunt.done != 6 || p.hunt.running || p.space == nil {
		t.Fatalf("%d generations are done: %s", p.hunt.done, p.hunt.word())
	}
	o := search.DefaultOptions(mjpeg.New())
	o.Population, o.Seed = 20, 3
	twin, err := search.New(mjpeg.New(), o)
	if err == nil {
		err = twin.Run(context.Background(), 6, nil, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	want, err := twin.Set()
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(p.space.ID, want.ID) || !reflect.DeepEqual(p.space.Objectives, want.Objectives) {
		t.Error("the search that was paused found something else")
	}
	p.treeView.Draw(paneSize, palette.Dark())
	n := p.Explorer.tree.Of[0]
	p.treeView.choose(n)
	if ran != 0 || p.Point() != 0 {
		t.Errorf("a click on design 0 runs %d and selects %d", ran, p.Point())
	}
	p.hunt.toggle()
	settle()
	if p.hunt.done != 56 {
		t.Errorf("%d generations after asking for 50 more", p.hunt.done)
	}
	p.Close()
}

func TestWantedNumbersAreChecked(t *testing.T) {
	for text, why := range map[string]string{"50 100 1 0 60 20": "", "0 100 1 0 60 20": "generations must",
		"x 100 1 0 60 20": "not a number", "50 1 1 0 60 20": "population must", "50 100 1.5 0 60 20": "not a whole",
		"50 100 1 -1 60 20": "from 0 on", "50 100 1 0 NaN 20": "not a number"} {
		_, err := parseWanted([6]string(strings.Fields(text)))
		if (err == nil) != (why == "") || err != nil && !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, want %q", text, err, why)
		}
	}
}

func TestTablesAreToldByTheirContent(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"a.csv", "cores,time,energy\n1,2.5,3\n2,1.5,4\n", true}, {"a.tsv", "cores\ttime\nASIP\t2.5\n", true},
		{"a.json", `{"points": []}`, true}, {"a.json", `[{"x": 1}]`, true},
		{"t.csv", "address,kind,size\n0x1000,load,8\n0x1008,load,8\n", false},
		{"l", " L 1ffeffe7e,8\n S 1ffeffe80,8\n", false},
		{"x.lk", "==0== Lackey, an example Valgrind tool: references exported by Orrery\n L 40008007d0,8\n S 40008007c8,8\n",
			false}, {"g.dot", "digraph G { a -> b }\n", false},
		{"x", "", false}, {"bin", "ORR\x00\x01", false}, {"prose", "Dear all, this is text,\nwithout any number in it.\n",
			false}, {"FUN.tsv", "1.0 2.0\n0.5 3.0\n", true},
	} {
		if got := looksLike([]byte(c.text), c.name); got != c.want {
			t.Errorf("%s %q: %v, want %v", c.name, c.text, got, c.want)
		}
	}
	if !Is("../../testdata/designs/slam.csv") || Is("../../testdata/recordings/list.orr") || Is("/nowhere/a.csv") ||
		!Is(session.DesignExample) {
		t.Error("shipped files are taken for something else")
	}
}

// TestColumnsAreRemembered: other roles make other designs, now and the next time the file is opened.
func TestColumnsAreRemembered(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte("cores,time,energy\n1,2.5,3\n2,1.5,4\n2,x,4\n4,1,9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	host, settle := queued(t)
	kept := map[string][]string{}
	host.Recall = func(name string) []string { return kept[name] }
	host.Remember = func(name string, list []string) { kept[name] = list }
	open := func() *Document {
		doc, err := Open(context.Background(), path, host)
		if err != nil {
			t.Fatal(err)
		}
		doc.Watch(func(...shell.Slot) {})
		settle()
		return doc.(*Document)
	}
	d := open()
	if d.space == nil || d.space.N != 3 || d.space.Refused != 1 || len(d.space.Objectives) != 2 {
		t.Fatalf("%+v", d.set)
	}
	if !strings.Contains(d.Facts(), "1 row rejected") {
		t.Errorf("facts: %s", d.Facts())
	}
	roles := *d.roles
	roles.Columns = append([]designs.ColumnRole(nil), roles.Columns...)
	for i := range roles.Columns {
		switch r := &roles.Columns[i]; r.Title {
		case "time":
			*r = mean(*r, "nothing")
		case "energy":
			*r = mean(*r, "objective, more is better")
		}
	}
	d.reread(&roles, func(err error) {
		if err != nil {
			t.Error(err)
		}
		d.keep(&roles)
	})
	settle()
	for range 2 {
		if d.space.N != 4 || len(d.space.Objectives) != 1 || !d.space.Objectives[0].Maximise {
			t.Errorf("%d designs, objectives %+v", d.space.N, d.space.Objectives)
		}
		d.Close()
		d = open()
	}
	for _, m := range meanings {
		if got := meaning(mean(designs.ColumnRole{Title: "x"}, m.word)); got != m.word {
			t.Errorf("%q is read back as %q", m.word, got)
		}
	}
}

// TestChoicesBelongToTheSpace: what a chip offers can be run, taken back, and drawn.
func TestChoicesBelongToTheSpace(t *testing.T) {
	e, v := tree(t)
	first := e.shown
	for _, chip := range v.chips() {
		for _, o := range chip.List {
			if o.Run != nil && !o.Off && !o.On {
				o.Run()
				if d := v.Draw(paneSize, palette.Light()); len(d.Shapes) == 0 {
					t.Errorf("%s: nothing is drawn", o.Title)
				}
				e.link.Undo()
			}
		}
	}
	if !reflect.DeepEqual(e.shown, first) {
		t.Errorf("after taking all back: %+v, want %+v", e.shown, first)
	}
	if e.shown.look.Tone != dsetree.ByMin {
		t.Error("the tone is not as at first")
	}
}

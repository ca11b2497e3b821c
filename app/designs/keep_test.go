package designs

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orrery/analysis/dse"
	"orrery/app/panes"
	"orrery/app/shell"
	"orrery/views/design"
	"orrery/views/dsetree"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/spread"
	"orrery/views/subspaces"
)

// planted is an explorer with a tree, without a space.
func planted(t *testing.T) *Explorer {
	e := bare(t)
	return e
}

// chooseAll chooses something else than the default in every pane.
func chooseAll(e *Explorer) {
	s := &e.shown
	s.look.Of[dsetree.Face], s.look.Of[dsetree.Side], s.look.Of[dsetree.Glow] = 1, -1, 2
	s.look.Tone, s.look.Edges, s.look.Hexagons = dsetree.ByCoverage, dse.ByGeneration, true
	s.order, s.threshold, s.hideEmpty, s.asOf, s.satellite, s.bird = []int{2, 0, 3, 1}, 0.3, true, true, false, true
	s.folded = map[string]bool{"/parameter 2": true}
	s.criteria = criteria{ranges: []span{{}, {0.1, 0.4}}, distance: span{0, 0.5},
		values: [][]bool{nil, nil, {true, false, true, true, true}}, show: dse.ShowLocal,
		mapping: []dse.Constraint{{Kind: dse.Apart, Processes: []int{0, 3}},
			{Kind: dse.OnType, Processes: []int{3}, Type: "ASIP"}}}
	e.treeView.zoom, e.treeView.origin = 3, 2
	e.side.spread.shown = spreadChoices{spread.Matrix, 2, []int{4, 0, 6}}
	e.side.subspaces.shown = subspacesChoices{subspaces.Dominance, []int32{5, 9, 2}, [2]int{2, 0}, true}
	e.side.design.shown = designChoices{picture: design.Latency, chosen: true}
	e.side.points.shown, e.side.points.Filter.Content = pointsChoices{2, false}, "ASIP"
	e.chosen()
}

func keptBy(e *Explorer) string { return string(e.keeps().message(e)) }

// draw draws all panes, which must not fail whatever was chosen.
func draw(e *Explorer) {
	size := scene.Size{W: 300, H: 200, Scale: 1}
	e.treeView.Draw(size, palette.Dark())
	e.views[0].View.Draw(size, palette.Dark())
	for _, p := range beside(e) {
		p.View.Draw(size, palette.Dark())
		p.View.Caption()
	}
}

// What a design space keeps it takes up again, while it is explored and before it is known.
func TestKeepAndRestore(t *testing.T) {
	space := caseStudy(t)
	a := planted(t)
	a.Take(space)
	fresh := keptBy(a)
	chooseAll(a)
	draw(a)
	want := keptBy(a)
	if a.keepTree(); want == fresh {
		t.Fatal("the choices are not kept")
	}
	for _, early := range []bool{false, true} {
		b := planted(t)
		if !early {
			b.Take(space)
		}
		if _, err := b.restore(json.RawMessage(want)); err != nil {
			t.Fatal(err)
		}
		if got := keptBy(b); got != want {
			t.Errorf("early %t: restored it keeps\n%s, want\n%s", early, got, want)
		}
		if early {
			b.Take(space)
		}
		draw(b)
		if got := keptBy(b); got != want {
			t.Errorf("early %t: drawn it keeps\n%s, want\n%s", early, got, want)
		}
		if got, want := b.Pass().Count(), a.Pass().Count(); got != want || want == 0 {
			t.Errorf("early %t: %d designs pass, want %d", early, got, want)
		}
		if len(b.shade.Layout.Nodes) != len(a.shade.Layout.Nodes) {
			t.Errorf("early %t: %d nodes are shown, want %d", early, len(b.shade.Layout.Nodes), len(a.shade.Layout.Nodes))
		}
		if _, err := b.restore(json.RawMessage(fresh)); err != nil || keptBy(b) != fresh {
			t.Errorf("early %t: what was chosen is not taken back: %v\n%s, want\n%s", early, err, keptBy(b), fresh)
		}
	}
}

// What a session says of another table is taken as far as it makes sense; nonsense changes nothing.
func TestRestoreNonsense(t *testing.T) {
	e := planted(t)
	e.Take(caseStudy(t))
	fresh := keptBy(e)
	for _, text := range []string{``, `{}`, `null`, `{"tree":null,"filter":null}`} {
		if _, err := e.restore(json.RawMessage(text)); err != nil || keptBy(e) != fresh {
			t.Errorf("%s: %v, kept\n%s, want\n%s", text, err, keptBy(e), fresh)
		}
	}
	for _, text := range []string{`[]`, `{"tree":7}`, `{`, `{"filter":{"distance":"far"}}`} {
		if _, err := e.restore(json.RawMessage(text)); err == nil {
			t.Errorf("%s was taken", text)
		}
	}
	for _, text := range []string{
		`{"tree":{"channels":["speed","","","","",""],"tone":"loud","edges":"x","order":["cost","memories"],"threshold":-3,"folded":["/nowhere 3"],"zoom":1e300,"origin":-8}}`,
		`{"tree":{"order":["processors","processors","memories","memory types"],"zoom":500,"origin":1e300}}`,
		`{"filter":{"ranges":[{"objective":"speed","low":0,"high":1},{"objective":"energy","low":0.9,"high":0.1}],"distance":[5,-1],"show":"some"}}`,
		`{"filter":{"hidden":[{"parameter":"color","values":["red"]},{"parameter":"processors","values":["1","2","3","4","5"]}],"mapping":[{"kind":"near"},{"kind":"on","processes":["DCT"],"type":"GPU"},{"kind":"apart","processes":["DCT","X"]}]}}`,
		`{"spread":{"picture":"bars","color":"red","axes":["energy","energy"]},"subspaces":{"picture":"x","chosen":[["9"],[],null],"pair":[-4,900]},"design":{"picture":"y"},"points":{"sort":-7}}`,
		`{"points":{"sort":90000000},"subspaces":{"chosen":[["1","mP","0","none"],["1","mP","0","none"]],"pair":[1,1]}}`,
	} {
		if _, err := e.restore(json.RawMessage(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		draw(e)
	}
}

// A document keeps what its columns mean, and takes that up from a session before it is watched and while it runs; then
// the choices are made among the designs that follow from it.
func TestColumnsAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte("cores,time,energy\n1,2.5,3\n2,1.5,4\n4,1,9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	host, settle := queued(t)
	open := func(state string) *Document {
		doc, err := Open(context.Background(), path, host)
		if err != nil {
			t.Fatal(err)
		}
		d := doc.(*Document)
		if err := d.Restore(json.RawMessage(state)); err != nil {
			t.Error(err)
		}
		d.Watch(func(...shell.Slot) {})
		settle()
		return d
	}
	d := open(`{"columns":{"columns":[{"title":"cores","role":"parameter"},{"title":"time"},{"title":"energy","role":"objective","maximise":true}]},"filter":{"ranges":[{"objective":"energy","low":0.5,"high":1}]}}`)
	check := func(d *Document) {
		t.Helper()
		if len(d.space.Objectives) != 1 || !d.space.Objectives[0].Maximise {
			t.Errorf("objectives %+v", d.space.Objectives)
		}
		if low, high := d.Limits(0); low != 0.5 || high != 1 {
			t.Errorf("the filter is from %g to %g", low, high)
		}
	}
	check(d)
	state := string(d.Keep())
	other := open(``)
	if len(other.space.Objectives) != 2 {
		t.Errorf("a document without a session has %d objectives", len(other.space.Objectives))
	}
	if err := other.Restore(json.RawMessage(state)); err != nil {
		t.Fatal(err)
	}
	settle()
	check(other)
	if got := string(other.Keep()); got != state {
		t.Errorf("restored it keeps\n%s, want\n%s", got, state)
	}
	err := other.Restore(json.RawMessage(`{"columns":{"columns":[{"title":"cores","role":"king"}]}}`))
	if err == nil || !strings.Contains(err.Error(), "a.csv") {
		t.Errorf("columns that mean nothing: %v", err)
	}
	lost := open(`{"columns":{"columns":[{"title":"nowhere","role":"objective"}]}}`)
	if lost.space == nil || lost.space.N != 3 {
		t.Error("a session of another table leaves nothing to see")
	}
}

// The numbers of a search are kept though it has not begun.
func TestSearchIsKept(t *testing.T) {
	host, _ := queued(t)
	e := NewExplorer(host, planted(t).link, "x")
	e.views = panes.Open(e.panes, e, besidePanes)
	p := &Panes{Explorer: e, hunt: newHunt(e, nil, func() string { return "" },
		Wanted{Generations: 6, Population: 20, Seed: 3})}
	state := strings.Replace(string(p.Keep()), `"Generations":6`, `"Generations":9`, 1)
	if err := p.Restore(json.RawMessage(state)); err != nil || p.hunt.want.Generations != 9 || string(p.Keep()) != state {
		t.Errorf("%v, %+v, kept %s, want %s", err, p.hunt.want, p.Keep(), state)
	}
	if err := p.Restore(json.RawMessage(`{"search":{"Generations":0}}`)); err != nil || p.hunt.want.Generations != 9 {
		t.Errorf("%v, a search of no generations: %+v", err, p.hunt.want)
	}
}

package recording

import (
	"encoding/json"
	"testing"

	"orrery/analysis/heap"
	"orrery/analysis/topology"
	flamepane "orrery/app/recording/flame"
	heappane "orrery/app/recording/heap"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/cachesim"
	"orrery/cachesim/simulator"
	"orrery/views/flame"
	"orrery/views/heapmap"
	"orrery/views/palette"
	"orrery/views/scene"
)

// everything chooses something else than the default in every pane.
func everything(b *bench) {
	config, err := cachesim.Preset(cachesim.Presets()[1])
	if err != nil {
		b.t.Fatal(err)
	}
	b.useHierarchy(config)
	v := b.cyclesView
	v.shown.picture, v.shown.colours = asCircle, colours{by: session.ByFunction,
		groups: readGroups([]string{"inner=a.c:4-6,swap"}), hidden: map[string]bool{"main": true}}
	v.splice(2)
	b.cycles.lens = lens{alphabet: topology.Alphabet{Kind: topology.ByBlock, Block: 64}, window: 20, eps: 4, every: 2}
	b.cycles.scale = 3.5
	v.camera = camera{2, 10, -20}
	r := b.rings
	r.shown.tail, r.shown.mean, r.shown.core, r.shown.grain, r.shown.hidden = 64, 500, 1, session.Grain(2),
		map[int]bool{0: true}
	r.shown.weights = []simulator.Weight{{Hit: 2, Miss: -4}, {Hit: 1, Miss: -1}}
	r.shown.against = against{preset: cachesim.Presets()[0]}
	h := b.heap
	h.shown.Now = heappane.Choices{Page: heappane.Times, Color: heapmap.Lifetime, Cushion: heapmap.Parabolic,
		Bar: heapmap.BarOutlined, Alpha: 0.6, Plain: true, Curves: true, Links: true, Softness: 60, Rule: "arenas", Bin: 1,
		Hidden: map[int]bool{1: true, 0: true}, Cursors: []heap.Time{3, 5}, Levels: []float64{0.25}}
	h.base.From, h.base.To, h.base.Low, h.base.High, h.base.Row = 1, 9, 0x1000, 0x2000, 2
	b.curve.shown.By, b.curve.shown.Log = 2, true
	b.table.shown, b.table.Filter.Content = tableChoices{by: "function", sort: 2, upward: true, set: true}, "swap"
	b.sites.shown, b.sites.Filter.Content = sitesChoices{table: "leaks", sort: 1, set: true}, "new"
	b.flame.shown.Now = flamepane.Choices{Metric: heap.ByBytes + 1, Color: flame.BySite}
	b.flame.filter.Content = "vector"
	s := b.source
	s.misses, s.folded, s.scroll = true, map[string]bool{"main": true}, 54
	b.timeline.view.From, b.timeline.view.To = 10, 60
}

// What a document keeps it takes up again, before it is watched as in a new window and while it runs: it then keeps the
// same.
func TestKeepAndRestore(t *testing.T) {
	a := open(t, shipped+"bubble-vector-shuffled.orr")
	fresh := string(a.Keep())
	everything(a)
	want := string(a.Keep())
	if want == fresh {
		t.Fatal("the choices are not kept")
	}
	b := open(t, shipped+"bubble-vector-shuffled.orr")
	if got := string(b.Keep()); got != fresh {
		t.Errorf("another document of the file keeps\n%s, want\n%s", got, fresh)
	}
	if err := b.Restore(json.RawMessage(want)); err != nil {
		t.Fatal(err)
	}
	b.settle()
	if got := string(b.Keep()); got != want {
		t.Errorf("restored it keeps\n%s, want\n%s", got, want)
	}
	if b.caches() == nil || b.caches().Config().Name != a.hierarchy.Name {
		t.Error("the restored hierarchy is not simulated")
	}
	if b.cycles.found == nil || b.cycles.found.Window != 20 {
		t.Error("the restored lens is not used")
	}
	for _, p := range b.Views() {
		p.View.Draw(scene.Size{W: 600, H: 400, Scale: 1}, palette.Dark())
	}
	// a session in which nothing was chosen, of a document that is open
	if err := b.Restore(json.RawMessage(fresh)); err != nil {
		t.Fatal(err)
	}
	b.settle()
	if got := string(b.Keep()); got != fresh {
		t.Errorf("after a session without choices it keeps\n%s, want\n%s", got, fresh)
	}
}

// A state that says nothing changes nothing, one that says nonsense is refused or taken as far as it makes sense;
// whatever it says, the document can be drawn.
func TestRestoreNonsense(t *testing.T) {
	b := open(t, shipped+"list.orr")
	fresh := string(b.Keep())
	if err := b.Restore(json.RawMessage(`{}`)); err != nil || string(b.Keep()) != fresh {
		t.Errorf("an empty state: %v, kept\n%s, want\n%s", err, b.Keep(), fresh)
	}
	for _, text := range []string{`[]`, `{"heap":7}`, `{"cycles":{"rank":"first"}}`, `{`} {
		if err := b.Restore(json.RawMessage(text)); err == nil {
			t.Errorf("the state %s was taken", text)
		}
	}
	for _, text := range []string{
		`{"hierarchy":"nonsense","cycles":{"picture":"Cube","rank":900000,"every":-4,"window":-1,"alphabet":"runes","camera":{"zoom":1e300}}}`,
		`{"cache":{"tail":-5,"mean":0,"core":-3,"filter":"line nowhere.c:*","weights":[{}],"hidden":[-1,9000000],"against":"none"}}`,
		`{"heap":{"show":"two runs","color":"mood","bin":-7,"hidden":[-1,9000000000],"from":-5,"to":-9,"row":-3,"rule":"(","alpha":-4,"softness":-1,"levels":[1e300]}}`,
		`{"table":{"what":"weather","sort":-9},"sites":{"what":"against","than":"nowhere.orr","sort":99},"flame":{"metric":"","color":99,"focus":[-1,7,1000000]}}`,
		`{"source":{"file":"nowhere.c","scroll":-1e300},"timeline":{"from":18446744073709551615,"to":3},"curve":{"by":-1}}`,
	} {
		if err := b.Restore(json.RawMessage(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		b.settle()
		for _, p := range b.Views() {
			p.View.Draw(scene.Size{W: 600, H: 400, Scale: 1}, palette.Dark())
			p.View.Caption()
		}
	}
	var _ shell.Document = b
}

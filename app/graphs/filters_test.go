package graphs

import (
	"os"
	"slices"
	"strings"
	"testing"

	"orrery/analysis/depgraph"
	"orrery/analysis/depgraph/filter"
	"orrery/app/shell"
	"orrery/views/codegraph"
)

// What a script does is seen, one that throws says in which line, and the list is there again when the file is opened
// anew.
func TestFilters(t *testing.T) {
	b := shipped(t, "golist.ssa.gz")
	before := len(b.e.picture().Graph.Nodes)
	list := []filter.Filter{{Name: "no constants", Script: `remove("name", "Const.*")`, On: true},
		{Name: "broken", Script: "\n\nthrow new Error('no')", On: true}}
	b.e.useFilters("test", list)
	b.settle()
	r := b.e.results()
	if got := len(b.e.picture().Graph.Nodes); got >= before || r[0].Nodes != before-got {
		t.Errorf("%d of %d nodes are left, %d selected", got, before, r[0].Nodes)
	}
	if r[1].Err == nil || r[1].Err.Line != 3 {
		t.Errorf("the broken filter says %v", r[1].Err)
	}
	if word := b.e.filterChip().Word; word != "2 filters, 1 stopped" {
		t.Errorf("the chip says %q", word)
	}
	if n := len(b.notices); n != 1 {
		t.Fatalf("%d notices of the broken filter, want one", n)
	}
	if said := <-b.notices; !strings.Contains(said, `"broken"`) || !strings.Contains(said, "Stopped in line 3: ") {
		t.Errorf("the window says %q", said)
	}
	b.e.Step(b.e.Phase() + 1) // where it is stopped as before
	b.settle()
	if len(b.notices) > 0 {
		t.Errorf("the broken filter is told again: %q", <-b.notices)
	}
	for i, o := range b.e.filterChip().List[1:] {
		if !o.Check || o.On != list[i].On {
			t.Errorf("the list of filters shows %q as %v", o.Title, o.On)
		}
	}
	again := New(b.e.host, "again", b.link, func(...shell.Slot) {})
	again.Recall()
	if !slices.Equal(again.shown.filters, list) {
		t.Errorf("kept are %v", again.shown.filters)
	}
}

// The notice of a filter that was stopped does not outlive it.
func TestNoticeOfAStoppedFilterGoesWithIt(t *testing.T) {
	b := shipped(t, "golist.ssa.gz")
	one := filter.Filter{Name: "one", Script: "throw 1", On: true}
	two := filter.Filter{Name: "two", Script: "throw 2", On: true}
	for _, step := range []struct {
		name string
		list []filter.Filter
		want []string // how the notices begin
	}{
		{"both", []filter.Filter{one, two}, []string{`The filter "one" does`, `The filter "two" does`}},
		{"one is left", []filter.Filter{one}, []string{`The filter "one" does`}},
		{"one, off", []filter.Filter{{Name: "one", Script: "throw 1"}}, []string{"No filter is stopped any more."}},
		{"shipped", filter.Shipped(), nil},
		{"one again", []filter.Filter{one}, []string{`The filter "one" does`}},
		{"one with others", append(filter.Shipped(), one), nil},
		{"none", filter.Shipped(), []string{"No filter is stopped any more."}},
	} {
		b.e.useFilters(step.name, step.list)
		b.settle()
		if len(b.notices) != len(step.want) {
			t.Fatalf("%s: %d notices, want %q", step.name, len(b.notices), step.want)
		}
		for _, want := range step.want {
			if said := <-b.notices; !strings.HasPrefix(said, want) {
				t.Errorf("%s: %q, want %s", step.name, said, want)
			}
		}
	}
}

// TestRunawayFilters: a filter that does not end is stopped in the first phase in which it does not, and named in all
// of them; the others still apply.
func TestRunawayFilters(t *testing.T) {
	b := shipped(t, "hotspot.xml")
	b.e.decide("places of nodes", func(c *choices) { c.steady = overAll })
	b.settle()
	before := len(b.e.picture().Graph.Nodes)
	b.e.useFilters("test", []filter.Filter{{Name: "endless", Script: "while (true) {}", On: true},
		{Name: "no constants", Script: `remove("category", "constant")`, On: true}})
	b.settle()
	if n := len(b.e.drawn.Results); n != b.e.Phases() {
		t.Fatalf("%d results of %d phases", n, b.e.Phases())
	}
	first := b.e.drawn.Results[0][0].Err
	for i, r := range b.e.drawn.Results {
		if r[0].Err == nil || r[0].Err != first || r[1].Err != nil {
			t.Errorf("phase %d: %v, %v", i, r[0].Err, r[1].Err)
		}
	}
	if got := len(b.e.picture().Graph.Nodes); got >= before {
		t.Errorf("%d of %d nodes are left", got, before)
	}
}

// Filters that leave little do not leave it at the edge of an empty pane.
func TestWhatFiltersLeaveIsInView(t *testing.T) {
	b := shipped(t, "gomatmul.ssa.gz")
	b.e.Step(0)
	b.settle()
	v := b.e.code
	for x := -400.0; x <= 400; x += 200 {
		b.e.useFilters("none", nil)
		b.settle()
		p := b.e.picture()
		block := slices.IndexFunc(p.Graph.Nodes, func(n depgraph.Node) bool { return n.ID == "b3" })
		v.view = codegraph.View{Center: p.Box(block).Min, Zoom: 1}
		v.view.Center.X += x
		was := v.view
		b.e.useFilters("few", []filter.Filter{{Name: "control", Script: `keep("category", "control")`, On: true}})
		b.settle()
		p = b.e.picture()
		seen, full := p.CountInView(v.view, size, barTall), p.Within(v.view, size, barTall)
		if most := p.CountInView(full, size, barTall); seen < most || seen == 0 {
			t.Errorf("from %v on %d of %d nodes are in view, could be %d", was, seen, len(p.Graph.Nodes), most)
		}
	}
}

func TestProfilesAreKeptOnDisk(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	list, err := loadProfiles()
	if err != nil || len(list) != 1 || list[0].Name != shippedProfile {
		t.Fatalf("at first there are %v, %v", list, err)
	}
	mine := filter.Profile{Name: "mine", Filters: []filter.Filter{{Name: "a", Script: "remove('id', 'v1')", On: true}}}
	if err := saveProfiles(withProfile(withProfile(list, filter.Profile{Name: "mine"}), mine)); err != nil {
		t.Fatal(err)
	}
	list, err = loadProfiles()
	if err != nil || len(list) != 2 || list[1].Name != "mine" || !slices.Equal(list[1].Filters, mine.Filters) {
		t.Fatalf("kept are %v, %v", list, err)
	}
	path, _ := profilePath()
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if list, err = loadProfiles(); err == nil || len(list) != 1 {
		t.Errorf("a damaged file gives %v, %v", list, err)
	}
}

// kept are the bookmarks that are kept with the file.
func (e *Explorer) kept(t *testing.T) []string {
	t.Helper()
	return e.host.Recall("graph.bookmarks")
}

package recording

import (
	"slices"
	"strings"
	"testing"

	analysis "orrery/analysis/findings"
	"orrery/app/shell"
	"orrery/views/link"
	"orrery/views/palette"
)

// TestFindingsArrangeThePanes: choosing a finding selects what it is about for every pane, says why, and can be taken
// back.
func TestFindingsArrangeThePanes(t *testing.T) {
	for name, want := range map[string]link.Thing{
		"matmul-standard": {What: link.Line, File: "./matmul.c", Line: 16},
		"sharing-packed":  {What: link.Address},
		"list":            regionThing("*make_text:text"),
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, shipped+name+".orr")
			v := b.noticed
			for _, size := range sizes {
				b.draw(shell.Findings, size)
			}
			if _, ok := v.found(); !ok || len(v.list) == 0 {
				t.Fatalf("found %t, %d findings", ok, len(v.list))
			}
			if !v.Key("Down", 0) {
				t.Fatal("the arrow does not go through the list")
			}
			got := b.link.State()
			if got.Selected.What != want.What || got.Selected.Name != want.Name || got.Selected.Line != want.Line ||
				got.Origin != "findings" {
				t.Errorf("selected %+v in %q, want %+v", got.Selected, got.Origin, want)
			}
			if lit := v.shown(palette.Dark()).Chosen; lit != 0 {
				t.Errorf("row %d is lit, want the first", lit)
			}
			view := b.view(shell.Explain).(*explainView)
			sections := view.state(palette.Dark()).Sections
			if len(sections) == 0 || sections[0].Title != v.list[0].Title ||
				!strings.Contains(strings.Join(sections[0].Lines, " "), v.list[0].Advice) {
				t.Errorf("explained as %+v", sections)
			}
			v.chosen = -1 // as after a session was opened, which knows what is selected, and where that was done
			if lit := v.shown(palette.Dark()).Chosen; lit != 0 {
				t.Errorf("row %d is lit when the choice comes back, want the first", lit)
			}
			b.link.Undo()
			if b.link.State().Selected.What != link.Nothing || view.state(palette.Dark()).Sections != nil &&
				view.state(palette.Dark()).Sections[0].Title == v.list[0].Title {
				t.Error("the choice cannot be taken back")
			}
			if lit := v.shown(palette.Dark()).Chosen; lit != -1 {
				t.Errorf("row %d stays lit while nothing is selected", lit)
			}
		})
	}
}

// TestAFindingAboutDataDimsTheOthers: of a finding about B, A steps back in the caches though the same line uses it; of
// the line alone neither does.
func TestAFindingAboutDataDimsTheOthers(t *testing.T) {
	b := open(t, shipped+"matmul-standard.orr")
	v := b.noticed
	at := slices.IndexFunc(v.list, func(f analysis.Finding) bool { return slices.Equal(f.Regions, []string{"B"}) })
	if at < 0 {
		t.Fatalf("no finding is about B: %+v", v.list)
	}
	line := v.thing(&v.list[at])
	bright := func() map[string]bool {
		b.draw(shell.Cache, sizes[0])
		b.settle()
		out := map[string]bool{}
		aside := b.rings.mask(b.rings.aside, b.caches(), b.rings.code)
		for i := range b.caches().Items.Len() {
			if r := b.caches().Items.Region(i); r >= 0 && (aside == nil || !aside[i]) {
				out[b.rec.Regions.Regions()[r].Name] = true
			}
		}
		return out
	}
	for _, row := range []struct {
		name   string
		choose func()
		want   map[string]bool // whether it is bright
	}{
		{"the finding", func() { v.choose(at) }, map[string]bool{"A": false, "B": true, "C": false}},
		{"the line", func() { b.link.Clear(); v.chosen = -1; b.link.Select(line, "source") },
			map[string]bool{"A": true, "B": true}},
		{"the finding about that line", func() { v.choose(at) }, map[string]bool{"A": false, "B": true}},
		{"a finding without a region of that name", func() { v.list[at].Regions = []string{"no such thing"}; v.choose(at) },
			map[string]bool{"A": true, "B": true}},
		{"nothing", b.link.Clear, map[string]bool{"A": true, "B": true, "C": true}},
	} {
		row.choose()
		got := bright()
		for name, want := range row.want {
			if got[name] != want {
				t.Errorf("%s: %s is bright: %t, want %t", row.name, name, got[name], want)
			}
		}
	}
}

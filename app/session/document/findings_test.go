package document

import (
	"strings"
	"testing"

	"orrery/app/shell"
	"orrery/views/link"
)

// TestFindingsArrangeThePanes: choosing a finding selects what it is about for every pane, says why, and can be taken back.
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
			if v.state != sought || len(v.list) == 0 {
				t.Fatalf("state %d, %d findings", v.state, len(v.list))
			}
			if !v.Key("Down", 0) {
				t.Fatal("the arrow does not go through the list")
			}
			got := b.link.State()
			if got.Selected.What != want.What || got.Selected.Name != want.Name || got.Selected.Line != want.Line || got.Origin != "findings" {
				t.Errorf("selected %+v in %q, want %+v", got.Selected, got.Origin, want)
			}
			if lit := v.shown(b.theme).Chosen; lit != 0 {
				t.Errorf("row %d is lit, want the first", lit)
			}
			view := b.view(shell.Explain).(*explainView)
			sections := view.state(b.theme).Sections
			if len(sections) == 0 || sections[0].Title != v.list[0].Title || !strings.Contains(strings.Join(sections[0].Lines, " "), v.list[0].Advice) {
				t.Errorf("explained as %+v", sections)
			}
			v.chosen = -1 // as after a session was opened, which knows what is selected, and where that was done
			if lit := v.shown(b.theme).Chosen; lit != 0 {
				t.Errorf("row %d is lit when the choice comes back, want the first", lit)
			}
			b.link.Undo()
			if b.link.State().Selected.What != link.Nothing || view.state(b.theme).Sections != nil && view.state(b.theme).Sections[0].Title == v.list[0].Title {
				t.Error("the choice cannot be taken back")
			}
			if lit := v.shown(b.theme).Chosen; lit != -1 {
				t.Errorf("row %d stays lit while nothing is selected", lit)
			}
		})
	}
}

package designs

import (
	"slices"
	"strings"
	"testing"

	"orrery/app/panes"
	"orrery/app/panes/toolbar"
	"orrery/app/shell"
	"orrery/views/design"
	"orrery/views/palette"
	"orrery/views/scene"
)

// What a menu offers is found in the palette under the same words, unless it depends on the table that is open.
func TestMenuWordsAreCommands(t *testing.T) {
	e := explorer(t)
	tree := e.treeView
	for _, row := range []struct {
		slot     shell.Slot
		commands []shell.Command
		chips    []toolbar.Chip
		but      []string // chips that name objectives
	}{
		{shell.Designs, tree.commands(), tree.chips(), []string{"channels", "search"}},
		{shell.Design, e.side.design.commands(), e.side.design.chips(), nil},
		{shell.Subspaces, e.side.subspaces.commands(), e.side.subspaces.chips(), nil},
		{shell.Spread, e.side.spread.commands(), e.side.spread.chips(), []string{"color"}},
	} {
		options := 0
		for _, c := range row.chips {
			if slices.Contains(row.but, c.Name) {
				continue
			}
			for _, o := range c.List {
				options++
				if !slices.ContainsFunc(row.commands, func(c shell.Command) bool {
					return strings.Contains(strings.ToLower(c.Title), strings.ToLower(o.Title))
				}) {
					t.Errorf("%s: no command is called %q", row.slot, o.Title)
				}
			}
		}
		if options < 2 {
			t.Errorf("%s: %d options", row.slot, options)
		}
	}
	for _, c := range tree.commands() {
		if c.ID == "designs.show.global" {
			if c.Run(); e.shown.criteria.show != 2 {
				t.Errorf("%s shows %v", c.Title, e.shown.criteria.show)
			}
		}
	}
}

// The chip of the details names what is drawn: all of them where there is room and nobody chose, else the mapping; what
// is chosen stays alone however much room there is.
func TestDesignChipNamesWhatIsDrawn(t *testing.T) {
	e := explorer(t)
	v := e.side.design
	small, large := scene.Size{W: 400, H: 300, Scale: 1}, scene.Size{W: 1200, H: 700, Scale: 1}
	check := func(name string, size scene.Size, want design.Picture) {
		t.Helper()
		v.Draw(size, palette.Dark())
		if word := v.chips()[0].Word; v.drawn != want || word != design.Pictures[want] ||
			v.state(palette.Dark(), size).Picture != want {
			t.Errorf("%s: %s is drawn and the chip says %q, want %s", name, design.Pictures[v.drawn], word,
				design.Pictures[want])
		}
	}
	check("at first", small, design.Mapping)
	check("maximised", large, design.All)
	v.Key("Right", 0)
	check("the next one", large, design.Mapping)
	check("the same, small", small, design.Mapping)
	e.link.Undo()
	check("taken back", large, design.All)
	v.turn(int(design.All))
	check("all in little room", small, design.All)
	kept := v.keep()
	other := newDesignView(e, panes.NewBase(e.panes, shell.Design, "Design"))
	if other.restore(kept); other.shown != v.shown {
		t.Errorf("a session brings back %+v, want %+v", other.shown, v.shown)
	}
	if other.restore(newDesignView(e, panes.NewBase(e.panes, shell.Design, "Design")).keep()); other.shown.chosen {
		t.Error("a session chooses what nobody chose")
	}
}

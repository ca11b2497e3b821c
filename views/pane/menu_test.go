package pane

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
)

// drawnMenu is a menu in a line: * is chosen, ! grey, | a separator, and what a line opens stands in brackets.
func drawnMenu(m *fyne.Menu) string {
	var out []string
	for _, it := range m.Items {
		text := it.Label
		switch {
		case it.IsSeparator:
			text = "|"
		case it.Checked:
			text += "*"
		}
		if it.Disabled {
			text += "!"
		}
		if it.ChildMenu != nil {
			text += "[" + drawnMenu(it.ChildMenu) + "]"
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

func TestMenusHaveMarksAndMenus(t *testing.T) {
	run := func() {}
	items := []MenuItem{{}, {Title: "a", Run: run, On: true}, {Title: "b", Run: run, Off: true}, {}, {},
		{Title: "c", Items: []MenuItem{{}, {Title: "d", Run: run}, {Title: "e", Run: run, On: true}}}, {}}
	if got, want := drawnMenu(menuOf(items)), "a* b! | c[d e*]"; got != want {
		t.Errorf("the menu is %q, want %q", got, want)
	}
}

package shell

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// TestHelpTellsOfTheMouse: the page of keys names what the mouse does, with the keys that change it in the heap map,
// and nothing lies over anything else.
func TestHelpTellsOfTheMouse(t *testing.T) {
	b := open1280(t)
	b.reg.Press("?")
	b.settle()
	var said []string
	var all []*label
	for _, o := range b.sheet.body.(*container.Scroll).Content.(*fyne.Container).Objects {
		l := o.(*label)
		said, all = append(said, l.full), append(all, l)
	}
	at := slices.Index(said, "MOUSE IN THE HEAP MAP")
	if at < 0 {
		t.Fatalf("the page says %q", said)
	}
	for _, key := range []string{"Ctrl+click", "Ctrl+Shift+click", "Shift+wheel", "Ctrl+wheel", "Shift+click"} {
		if i := slices.Index(said[at:], key); i < 0 || said[at+i+1] == "" {
			t.Errorf("%s is missing in %q", key, said[at:])
		}
	}
	for i, l := range all {
		for _, other := range all[:i] {
			if l.Position() == other.Position() {
				t.Errorf("%q lies over %q", l.full, other.full)
			}
		}
	}
}

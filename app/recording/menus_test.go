package recording

import (
	"slices"
	"strings"
	"testing"

	"orrery/app/shell"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

// entriesOf is the lines of a menu and of the menus in it, without separators and what opens those.
func entriesOf(items []pane.MenuItem) (out []pane.MenuItem) {
	for _, it := range items {
		switch {
		case len(it.Items) > 0:
			out = append(out, entriesOf(it.Items)...)
		case it.Title != "":
			out = append(out, it)
		}
	}
	return out
}

// A context menu has at most a dozen lines and what can be done with the thing under the pointer; what is chosen has a
// mark and is not grey.
func TestMenusAreShortAndMarkWhatIsChosen(t *testing.T) {
	size, marked := scene.Size{W: 700, H: 420, Scale: 1}, map[shell.Slot]int{}
	for _, path := range []string{"list.orr", "gomatmul.orr"} {
		b := open(t, shipped+path)
		for _, p := range b.views {
			m, ok := p.View.(pane.Menuer)
			if !ok {
				continue
			}
			b.draw(p.Slot, size)
			b.settle()
			for _, at := range []scene.Point{{X: 350, Y: 210}, {X: 120, Y: 120}} {
				items := m.Menu(pane.Event{Theme: palette.Dark(), At: at, Size: size})
				lines := 0
				for i, it := range items {
					if it.Title != "" {
						lines++
					} else if i == len(items)-1 || items[i+1].Title == "" {
						t.Errorf("%s: the menu has two separators in a row, or one at its end", p.Slot)
					}
				}
				if lines > 14 {
					t.Errorf("%s: the menu has %d lines", p.Slot, lines)
				}
				for _, it := range entriesOf(items) {
					if it.On {
						marked[p.Slot]++
					}
					if it.On && it.Off || it.Run == nil {
						t.Errorf("%s: %q is chosen and grey, or does nothing", p.Slot, it.Title)
					}
				}
			}
		}
	}
	for _, slot := range []shell.Slot{shell.Heap, shell.Cycles, shell.Cache, shell.Flame, shell.Sites} {
		if marked[slot] == 0 {
			t.Errorf("%s: nothing in the menu is marked as chosen", slot)
		}
	}
}

// What does something once is never marked as chosen: it is grey while there is nothing to do. What is on or off has a
// box.
func TestHeapActionsAreNotChosen(t *testing.T) {
	b := open(t, shipped+"list.orr")
	v := b.heap
	for _, step := range []struct {
		name  string
		do    func()
		ready []string
	}{
		{"at first", func() {}, nil},
		{"with a cursor", func() { v.mark(100, 1) }, []string{"cursors"}},
		{"with a hidden class", func() { v.toggle(1) }, []string{"classes", "cursors"}},
	} {
		step.do()
		var ready []string
		for _, o := range v.lookChip().List {
			switch o.ID {
			case "cursors", "classes":
				if o.On {
					t.Errorf("%s: %q looks chosen", step.name, o.Title)
				}
				if !o.Off {
					ready = append(ready, o.ID)
				}
			case "curves", "links":
				if !o.Check {
					t.Errorf("%q has no box", o.Title)
				}
			}
		}
		if slices.Sort(ready); !slices.Equal(ready, step.ready) {
			t.Errorf("%s: %q can be done, want %q", step.name, ready, step.ready)
		}
	}
}

// G says why there is no graph to open, and opens one where there is.
func TestGraphOfALineSaysWhyNot(t *testing.T) {
	for _, row := range []struct {
		path string
		pick link.Thing
		want string
	}{
		{"list.orr", link.Thing{}, "No line is selected"},
		{"list.orr", link.OfLine("list.c", 31), "There is no compiler's graph of the selected line"},
		{"gomatmul.orr", link.Thing{}, "No line is selected"},
	} {
		b := open(t, shipped+row.path)
		thing := row.pick
		for _, name := range b.rec.SourceFiles() {
			if thing.What == link.Line && strings.HasSuffix(name, thing.File) {
				thing.File = name
			}
		}
		if thing.What != link.Nothing {
			b.link.Select(thing, "source")
		}
		b.notices = nil
		b.run("graph.line")
		if len(b.notices) != 1 || !strings.HasPrefix(b.notices[0], row.want) {
			t.Errorf("%s, %v: it says %q, want %q", row.path, thing, b.notices, row.want)
		}
	}
}

package recording

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orrery/app/shell"
	"orrery/traceio"
	"orrery/views/heapmap"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/table"
)

// TestErrorsLeadToTheirEvents: a press on a row of the table of errors, the keys that go through it, and a press on an
// error's mark in the map all bring the time cursor to the erroneous event, and the explanation speaks of that.
func TestErrorsLeadToTheirEvents(t *testing.T) {
	path := filepath.Join(t.TempDir(), "e.mtrace")
	text := "= Start\n@ ./l:[0x11] + 0x1000 0x40\n@ ./l:[0x12] + 0x1040 0x40\n@ ./l:[0x13] - 0x1000\n@ ./l:[0x14] - " +
		"0x1000\n@ ./l:[0x15] - 0x9999\n@ ./l:[0x16] - 0x1040\n= End\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	b := open(t, path)
	b.sites.list("errors")
	v := b.shown(shell.Sites).(*sitesView)
	want := []struct {
		at  traceio.Seq
		say string
	}{{3, "Event 3 frees 0x1000 in error, double-free: freed a second time l+0x14 Block #0 "},
		{4, "Event 4 frees 0x9999 in error, unknown-free: freed, but never allocated l+0x15"}}
	check := func(how string, i int) {
		t.Helper()
		b.settle()
		said := written(b.draw(shell.Explain, scene.Size{W: 900, H: 500, Scale: 1}))
		if at := b.link.State().Cursor; at != want[i].at || !strings.HasPrefix(said, want[i].say) ||
			heapmap.ErrorOf(b.rec.Heap, b.link.State().Selected) != i {
			t.Errorf("%s: error %d leads to event %d, want %d, and %q", how, i, at, want[i].at, said)
		}
		b.link.Clear()
		b.link.SetCursor(0)
	}
	for i := range want {
		s := v.State(palette.Dark())
		at := find(t, func(p scene.Point) bool { return table.Hit(s, v.upper(panelSize), p).Row == i })
		e := inPane(at)
		e.Button = pane.Primary
		v.Pressed(e)
		check("the row", i)
	}
	for i := range want {
		for range i + 1 {
			v.Key("Down", 0)
		}
		check("the keys", i)
	}
	m := b.heap
	b.shown(shell.Heap)
	for i := range want {
		at := find(t, func(p scene.Point) bool {
			return m.hit(inPane(p)).Thing == heapmap.ErrorThing(b.rec.Heap, i)
		})
		e := inPane(at)
		e.Button = pane.Primary
		m.Pressed(e)
		m.Released(e)
		check("the mark", i)
	}
}

// TestUntouchedBytesAreSought: what tooltips and the explanation tell of a block's bytes is found as soon as a block is
// pointed at or selected, whatever colours the map has, and both say it.
func TestUntouchedBytesAreSought(t *testing.T) {
	for _, how := range []string{"pointed at", "selected"} {
		b := open(t, shipped+"list.orr")
		b.Watch(func(...shell.Slot) {})
		b.settle()
		thing := heapmap.BlockThing(b.rec.Heap, 100)
		if how == "selected" {
			b.link.Select(thing, "heap")
		} else {
			b.link.SetHover(thing)
		}
		b.draw(shell.Explain, panelSize)
		b.settle()
		if b.knownUse() == nil {
			t.Fatalf("of a block that is %s nobody seeks the bytes", how)
		}
		b.link.Select(thing, "heap")
		told := heapmap.NeverTouched(b.rec.Heap, b.knownUse(), 100)
		tip := strings.Join(heapmap.Describe(b.heap.state(palette.Dark()), 100), " ")
		if said := written(b.draw(shell.Explain, panelSize)); told == "" || !strings.Contains(said, told) ||
			!strings.Contains(tip, told) {
			t.Errorf("%q is not both in the explanation %q and in the tooltip %q", told, said, tip)
		}
	}
	b := open(t, shipped+"list.orr")
	b.Watch(func(...shell.Slot) {})
	b.link.SetHover(link.Thing{What: link.Address, Low: 0x1000, High: 0x1001})
	b.draw(shell.Explain, panelSize)
	b.draw(shell.Heap, panelSize)
	if b.settle(); b.knownUse() != nil {
		t.Error("references are followed into blocks that nobody asks of")
	}
}

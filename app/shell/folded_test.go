package shell

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// idleDocument is a fake document some of whose views have nothing to show.
type idleDocument struct {
	*fakeDocument
	why map[Slot]string
}

func newIdle(why map[Slot]string) *idleDocument {
	d := &idleDocument{newFake("a.orr", 840), why}
	for i, p := range d.views {
		d.views[i].Idle = func() string { return d.why[p.Slot] }
	}
	return d
}

// tabsOf lists the tabs that are seen, the one in front in brackets, with the folded ones behind a plus:
// "[heap]+designs".
func tabsOf(d *dock) string {
	var out []string
	for _, g := range d.groups {
		var tabs []string
		for _, t := range g.tabs {
			if t == g.front() {
				tabs = append(tabs, "["+string(t.slot)+"]")
			} else {
				tabs = append(tabs, string(t.slot))
			}
		}
		text := strings.Join(tabs, " ")
		for _, s := range g.folded {
			text += "+" + string(s)
		}
		out = append(out, text)
	}
	return strings.Join(out, " | ")
}

// TestEmptyTabsAreFolded walks through what the tabs of views with nothing to show do: fold, give their room away, come
// when they are asked for or have something, stay where they are asked for in a session, and not in the next recording.
func TestEmptyTabsAreFolded(t *testing.T) {
	b := openSmall(t)
	why := map[Slot]string{Heap: "no allocations", Designs: "no search yet", Gallery: "no references"}
	doc := newIdle(why)
	b.add("/a.orr", ready{doc: doc}, time.Now())
	b.settle()
	d := b.front().dock
	steps := []struct {
		name string
		do   func()
		want string
	}{
		{"at first", func() {}, "[recording] | [cycles]+gallery | [cache] | [source]+heap+designs | [explain] | [timeline]"},
		{"one is asked for", func() { b.reg.Run("view.show.heap") },
			"[recording] | [cycles]+gallery | [cache] | [heap]+designs | [source] | [explain] | [timeline]"},
		{"another one", func() { d.bring(Designs) },
			"[recording] | [cycles]+gallery | [cache] | [designs]+heap | [source] | [explain] | [timeline]"},
		{"there is something", func() { delete(why, Heap); doc.watch(Heap) },
			"[recording] | [cycles]+gallery | [cache] | heap [designs] | [source] | [explain] | [timeline]"},
		{"and no longer", func() { why[Heap] = "gone"; doc.watch() },
			"[recording] | [cycles]+gallery | [cache] | [designs]+heap | [source] | [explain] | [timeline]"},
		{"out of its window", func() { d.bring(Heap); d.toggleOwn(Heap); d.toggleOwn(Heap) },
			"[recording] | [cycles]+gallery | [cache] | [heap]+designs | [source] | [explain] | [timeline]"},
		{"moved", func() { d.move(Heap, d.root.leaves()[0], onto) },
			"recording [heap] | [cycles]+gallery | [cache] | [source]+designs | [explain] | [timeline]"},
	}
	for _, s := range steps {
		s.do()
		b.settle()
		if got := tabsOf(d); got != s.want {
			t.Errorf("%s: %s, want %s", s.name, got, s.want)
		}
		for slot, x := range d.tabs {
			seen := strings.Contains(strings.ReplaceAll(s.want, "+"+string(slot), ""), string(slot))
			if x.pane.Visible() && !seen {
				t.Errorf("%s: the pane %s is visible behind its folded tab", s.name, slot)
			}
		}
	}
	for _, g := range d.groups {
		if len(g.folded) > 0 && (g.chip == nil || g.chip.word.full != fmt.Sprintf("+%d", len(g.folded)) ||
			!strings.Contains(strings.Join(g.chip.tips(), " "), why[g.folded[0]])) {
			t.Errorf("the chip of %v says nothing of them", g.folded)
		}
	}

	d.move(Source, d.root.leaves()[0], onto)
	d.bring(Source)
	d.bring(Heap) // between two others
	again := newDock(b.window, newIdle(map[Slot]string{Heap: "no allocations"}), nil, nil)
	again.arrange(d.arrangement())
	if got := tabsOf(again); !strings.Contains(got, "recording [heap] source") {
		t.Errorf("a session leads to %s, was %s", got, tabsOf(d))
	}
	again.load(d.save())
	if got := tabsOf(again); strings.Contains(got, "[heap]") || !strings.Contains(got, "[recording] source") {
		t.Errorf("the next recording shows the empty heap that this one was asked for: %s", got)
	}

	all := map[Slot]string{}
	for _, p := range doc.views {
		all[p.Slot] = "nothing"
	}
	bare := newDock(b.window, newIdle(all), nil, nil)
	bare.build()
	if got := tabsOf(bare); strings.Contains(got, "+") || !strings.Contains(got, "[heap]") {
		t.Errorf("where nothing at all is to be shown %s is", got)
	}
}

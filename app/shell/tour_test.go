package shell

import (
	"strings"
	"testing"
)

// TestTour goes through the tour by the key and back, with what the user opens in between; past its end it begins anew.
func TestTour(t *testing.T) {
	b := openSmall(t)
	paths := files(t, "a.orr", "b.orr")
	b.opt.Tour = []Stop{{Path: paths[0], Pane: Heap, Title: "The heap", Look: "Click a block.", Paper: "a paper"},
		{Path: paths[1], Pane: Source, Title: "Source", Look: "Click a line."}}
	if err := b.reg.Add(b.tour.commands()...); err != nil {
		t.Fatal(err)
	}
	b.bringFront(-1)
	if b.welcome.tour == nil || b.welcome.tour.word.full != "Take the tour, 2 stops" {
		t.Fatal("the welcome page offers no tour")
	}
	at := func(path string, s Slot, says ...string) {
		t.Helper()
		b.settle()
		d := b.front()
		if d == nil || d.path != path || b.stage.Active() != d.dock.tabs[s].pane || !b.banner.Visible() {
			t.Fatalf("the tour is not at %s of %s", s, path)
		}
		for _, want := range says {
			if !strings.Contains(b.banner.full, want) {
				t.Errorf("at %s it says %q, want %q in it", s, b.banner.full, want)
			}
		}
	}
	b.reg.Press("F2")
	at(paths[0], Heap, "1 of 2", "The heap. Click a block.", "(a paper)", "F2 goes on")
	b.reg.Press("F2")
	at(paths[1], Source, "2 of 2", "Click a line.")
	if strings.Contains(b.banner.full, "goes on") {
		t.Error("the last stop goes on")
	}
	b.open("/r/other.orr")
	b.settle()
	b.reg.Press("Shift+F2")
	at(paths[0], Heap)
	b.reg.Press("F2")
	if b.reg.Press("F2"); b.front() != nil || b.banner.Visible() {
		t.Error("past the last stop there is no welcome page")
	}
	b.reg.Press("F2")
	at(paths[0], Heap, "1 of 2")
	if len(b.notices) != 0 {
		t.Errorf("the tour is among the errors and notices: %v", b.notices)
	}
}

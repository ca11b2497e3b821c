package shell

import (
	"slices"
	"testing"
	"time"
)

// TestEveryLateRepaintRevives: what Fyne forgot in a repaint of half a minute and more is painted anew, also where the
// repaint before it began a moment earlier.
func TestEveryLateRepaintRevives(t *testing.T) {
	b := openSmall(t)
	b.settle()
	for _, row := range []struct {
		name     string
		reminded time.Time
		took     time.Duration
		want     int
	}{
		{"a fast one", time.Time{}, aging / 4, 0},
		{"a late one", time.Time{}, aging, 1},
		{"a late one behind another", time.Now().Add(time.Hour), aging, 2},
	} {
		b.repaints.reminded, b.repaints.awaited = row.reminded, time.Time{}
		b.repaints.begun()
		if b.repaints.awaited.IsZero() {
			t.Fatalf("%s: nobody awaits its end", row.name)
		}
		b.repaints.awaited = b.repaints.awaited.Add(-row.took)
		b.settle()
		if got := len(b.events("revived")); got != row.want {
			t.Errorf("%s: everything was painted anew %d times, want %d", row.name, got, row.want)
		}
	}
}

// TestPanelsOutliveTheirRenderer: Fyne drops the renderer of what it has not painted for a minute and asks for another;
// the panels, their places and their colours stay.
func TestPanelsOutliveTheirRenderer(t *testing.T) {
	b := openSmall(t)
	b.add("/a.orr", ready{doc: newFake("a.orr", 840)}, time.Now())
	b.settle()
	d := b.front().dock
	before := slices.Clone(d.groups)
	d.CreateRenderer()
	if !slices.Equal(before, d.groups) {
		t.Error("the panels are others")
	}
	for _, g := range d.groups {
		if g.back.FillColor != b.look.Panel || g.back.Size() != g.Size() {
			t.Errorf("the panel of %s is %v in %v, want %v in %v", g.front().slot, g.back.Size(), g.back.FillColor,
				g.Size(), b.look.Panel)
		}
	}
}

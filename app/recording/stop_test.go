package recording

import (
	"strings"
	"testing"

	"orrery/app/shell"
	"orrery/views/vector"
)

// TestCancelledWorkSaysSo: after Escape the views say what was cancelled and how to go on, and F5 goes on.
func TestCancelledWorkSaysSo(t *testing.T) {
	b := begin(t, shipped+"matmul-standard.orr")
	b.engine.CancelAll()
	b.Stopped()
	b.settle()
	size := sizes[2]
	said := func(slot shell.Slot) bool {
		return strings.Contains(string(vector.SVG(b.draw(slot, size))), "Press F5")
	}
	for _, slot := range []shell.Slot{shell.Cycles, shell.Cache} {
		if !said(slot) {
			t.Errorf("the pane %s does not say how to go on after its work was cancelled", slot)
		}
	}
	for _, c := range b.Commands() {
		if c.ID == "document.again" {
			if !c.Enabled() {
				t.Error("what was cancelled cannot be taken up")
			}
			c.Run()
		}
	}
	b.settle()
	for _, slot := range []shell.Slot{shell.Cycles, shell.Cache} {
		if said(slot) {
			t.Errorf("the pane %s still says that its work was cancelled", slot)
		}
	}
	if b.cycles.count() == 0 || b.caches() == nil || b.misses() == nil {
		t.Error("taken up again, the work gives no result")
	}
}

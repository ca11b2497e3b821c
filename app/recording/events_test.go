package recording

import (
	"strings"
	"testing"

	"orrery/app/shell"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

// TestEventsOnly opens a log of allocations: every view draws, those of references say why they are empty, and time is
// moved through the events.
func TestEventsOnly(t *testing.T) {
	b := open(t, "../../traceio/heaplog/testdata/sample.heaptrack")
	n := b.rec.Extent()
	if b.Len() != n || n != 98 || b.Link().State().Window != (link.Range{To: n}) ||
		!strings.HasPrefix(b.Facts(), "98 events · 1 thread") {
		t.Errorf("length %d of %d, window %v, facts %q", b.Len(), n, b.Link().State().Window, b.Facts())
	}
	for _, p := range b.Views() {
		for _, size := range sizes {
			b.draw(p.Slot, size)
		}
		p.View.Caption()
	}
	size := scene.Size{W: 900, H: 500, Scale: 1}
	const why = "no data references"
	for _, slot := range []shell.Slot{shell.Cycles, shell.Cache, shell.Gallery} {
		if text := written(b.draw(slot, size)); !strings.Contains(text, why) {
			t.Errorf("%s says %q", slot, text)
		}
	}
	for _, slot := range []shell.Slot{shell.Heap, shell.Timeline, shell.Recording, shell.Explain} {
		if text := written(b.draw(slot, size)); strings.Contains(text, why) || text == "" {
			t.Errorf("%s says %q", slot, text)
		}
	}
	for _, at := range []traceio.Seq{0, 50, n - 1} {
		b.Link().SetCursor(at)
		b.settle()
		if text := written(b.draw(shell.Explain, size)); !strings.Contains(text, "Event") {
			t.Errorf("at event %d the explanation is %q", at, text)
		}
	}
	// A press in the map and a drag in the timeline.
	for _, slot := range []shell.Slot{shell.Heap, shell.Timeline, shell.Cache, shell.Cycles} {
		v := b.view(slot)
		e := pane.Event{Theme: palette.Dark(), Size: size, At: scene.Point{X: 450, Y: 250}, Button: pane.Primary}
		if p, ok := v.(interface{ Pressed(pane.Event) }); ok {
			p.Pressed(e)
		}
		if p, ok := v.(interface {
			Scrolled(pane.Event, float64, float64)
		}); ok {
			p.Scrolled(e, 0, 1)
		}
	}
	if at := b.Link().State().Cursor; at >= n {
		t.Errorf("the cursor is at %d of %d", at, n)
	}
	if len(b.notices) > 0 {
		t.Errorf("notices %q", b.notices)
	}
}

// written is what a drawing says.
func written(d scene.Drawing) string {
	var all []string
	for _, s := range d.Shapes {
		if text, ok := s.(scene.Text); ok {
			all = append(all, text.S)
		}
	}
	return strings.Join(all, " ")
}

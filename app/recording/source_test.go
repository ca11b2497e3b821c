package recording

import (
	"testing"

	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/source"
)

// The line that the pane follows stays in view when the pane gets smaller, as it does beside another recording, unless
// the user has scrolled it away; a file with neither a selected line nor the cursor's opens at its hottest one.
func TestSourceOpensAtTheLine(t *testing.T) {
	b := open(t, shipped+"list.orr")
	v := b.source
	tall, low := scene.Size{W: 300, H: 1200, Scale: 1}, scene.Size{W: 300, H: 140, Scale: 1}
	inView := func(size scene.Size, line int) bool {
		s := v.state(palette.Dark())
		return s.Scroll == source.Reveal(s, size, line)
	}
	b.link.Select(link.Thing{What: link.Line, File: v.state(palette.Dark()).File, Line: 95}, "table")
	v.Draw(tall, palette.Dark())
	v.Draw(low, palette.Dark())
	if !inView(low, 95) {
		t.Errorf("in less room line 95 is out of view at scroll %g", v.scroll)
	}
	v.scroll = 0
	v.Draw(low, palette.Dark())
	v.Draw(scene.Size{W: 300, H: 120, Scale: 1}, palette.Dark())
	if v.scroll != 0 {
		t.Errorf("the user's scroll became %g with the pane's size", v.scroll)
	}
}

func TestSourceOpensAtTheHottestLine(t *testing.T) {
	b := open(t, shipped+"bubble-vector-shuffled.orr")
	v := b.source
	room := scene.Size{W: 300, H: 140, Scale: 1}
	v.file = v.state(palette.Dark()).Files[0] // as after a press on its name
	for b.lineAt(b.link.State().Cursor).File == v.file {
		b.link.SetCursor(b.link.State().Cursor + 1)
	}
	v.scroll, v.shown = 0, link.Thing{}
	v.Draw(room, palette.Dark())
	s, line := v.state(palette.Dark()), v.hottest()
	for n, h := range s.Heat {
		if h.References > s.Heat[line].References {
			t.Errorf("line %d has %d references, the hottest, %d, %d", n, h.References, line, s.Heat[line].References)
		}
	}
	if s.Now != 0 || len(s.Heat) == 0 || s.Scroll == 0 || s.Scroll != source.Reveal(s, room, line) {
		t.Errorf("with %d lines of references the hottest, %d, is out of view at scroll %g (the cursor is in line %d)",
			len(s.Heat), line, s.Scroll, s.Now)
	}
}

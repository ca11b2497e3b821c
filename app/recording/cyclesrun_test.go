package recording

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orrery/app/shell"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/phases"
	"orrery/views/scene"
)

// TestC17RunIsEnteredAndLeft goes from the phases of a run into a phase, into one of its own phases, into an exact
// window, and back; every step can be taken back too.
func TestC17RunIsEnteredAndLeft(t *testing.T) {
	b := open(t, shipped+"sharing-packed.orr")
	v := b.cyclesView
	v.show(asRun)
	b.draw(shell.Cycles, cyclesPane)
	b.settle()
	s := v.run.state(v, palette.Dark(), cyclesPane)
	if len(s.Phases) < 3 || s.Span != (link.Range{To: b.rec.Len()}) || !strings.Contains(s.Note, "approximate") {
		t.Fatalf("%d phases in %v, note %q: %s", len(s.Phases), s.Span, s.Note, s.Empty)
	}
	longest := 0
	for i, p := range s.Phases {
		if q := s.Phases[longest].Span; p.Span.To-p.Span.From > q.To-q.From {
			longest = i
		}
	}
	e := pane.Event{Theme: palette.Dark(), Size: cyclesPane}
	for e.At = (scene.Point{X: 20, Y: 75}); phases.Hit(s, e.Size, e.At).Phase != longest; e.At.X++ {
		if e.At.X > cyclesPane.W {
			t.Fatal("the longest phase is nowhere in the picture")
		}
	}
	v.Moved(e)
	if tip := v.Tip(e); len(tip) < 2 || !strings.Contains(strings.Join(tip, " "), "sharing.c:") {
		t.Errorf("the tooltip of the phase says %q", tip)
	}
	v.Pressed(e)
	if got := b.link.State().Selected; got.What != link.Time || got.Span != s.Phases[longest].Span {
		t.Errorf("a press selects %+v", got)
	}
	row := pane.Event{Theme: palette.Dark(), Size: cyclesPane}
	for row.At = (scene.Point{X: 20, Y: cyclesPane.H - 40}); phases.Hit(s, row.Size, row.At).Kind < 0; row.At.Y-- {
		if row.At.Y < 0 {
			t.Fatal("there is no row of a kind")
		}
	}
	v.Pressed(row)
	if stands := v.run.phases(b.Document).Standing(phases.Hit(s, row.Size, row.At).Kind); v.run.chosen != stands ||
		b.link.State().Selected.Span != s.Phases[stands].Span {
		t.Errorf("a press on a kind chooses phase %d, want %d, which stands for it", v.run.chosen, stands)
	}
	v.DoubleTapped(e)
	b.draw(shell.Cycles, cyclesPane)
	b.settle()
	inner := v.run.state(v, palette.Dark(), cyclesPane)
	if inner.Span != s.Phases[longest].Span || len(inner.Path) != 2 {
		t.Fatalf("entered %v on the way %q, want %v", inner.Span, inner.Path, s.Phases[longest].Span)
	}
	v.step(1)
	for depth := 2; v.run.way.window.Empty(); depth++ {
		if depth > 9 {
			t.Fatal("there is no exact window at the end of the way")
		}
		v.run.enter(v, 0)
		b.draw(shell.Cycles, cyclesPane)
		b.settle()
	}
	w := v.run.way.window
	if q := b.cycles.found.Request; v.shown.picture != asSpiral || b.link.State().Window != w || q.From != w.From ||
		q.Count != int(w.To-w.From) || w.To-w.From > whole {
		t.Errorf("picture %d of window %v, analysed %+v", v.shown.picture, w, b.cycles.found.Request)
	}
	out := 0
	for ; b.Escape(); out++ {
		b.settle()
	}
	if got := b.link.State().Window; got != (link.Range{To: b.rec.Len()}) || v.shown.picture != asRun || out < 2 ||
		v.run.way.depth != 0 {
		t.Errorf("Escape leads %d times outwards to window %v, picture %d", out, got, v.shown.picture)
	}
	for range out {
		b.link.Undo()
	}
	if b.settle(); b.link.State().Window != w || v.run.way.window != w {
		t.Errorf("undo leads to window %v, want %v", b.link.State().Window, w)
	}
}

// TestALongRoundIsSeenAndEntered: of a list that is walked ten times the picture of the run tells ten turns, and the
// window that is entered is analysed as one though it is long.
func TestALongRoundIsSeenAndEntered(t *testing.T) {
	var log strings.Builder
	ref := func(pc, addr int) { fmt.Fprintf(&log, "I  %08x,4\n L %08x,8\n", 0x400000+4*pc, addr) }
	for i := range 3000 {
		ref(1, 0x100000+8*(i*7919%4096))
		ref(2, 0x200000+24*(i*104729%5000))
	}
	const nodes, rounds = 1400, 10
	for range rounds {
		ref(3, 0x300000)
		for i := range nodes {
			ref(4, 0x500000+32*(i*613%nodes))
			ref(5, 0x500000+32*(i*613%nodes)+8)
		}
	}
	path := filepath.Join(t.TempDir(), "shop.lackey")
	if err := os.WriteFile(path, []byte(log.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	b := open(t, path)
	v := b.cyclesView
	v.show(asRun)
	b.draw(shell.Cycles, cyclesPane)
	b.settle()
	p := v.run.phases(b.Document)
	if p == nil {
		t.Fatalf("there are no phases: %s", v.run.why(b.Document))
	}
	s := v.run.state(v, palette.Dark(), cyclesPane)
	row := slices.IndexFunc(s.Kinds, func(k phases.Kind) bool {
		return strings.Contains(strings.Join(k.Words, " "), "by address")
	})
	if row < 0 || !strings.Contains(strings.Join(s.Phases[p.Standing(row)].Tip, "\n"), "10 turns") ||
		!strings.Contains(s.Note, "1 000 to 16 000") {
		t.Fatalf("kinds %+v, note %q", s.Kinds, s.Note)
	}
	at := &p.Phases[p.Standing(row)]
	v.run.standing(v, at)
	b.settle()
	w := link.Range{From: at.WindowFrom, To: at.WindowTo}
	if q := b.cycles.found.Request; q.From != w.From || q.Count != int(w.To-w.From) || b.cycles.found.Recurring() < 0 {
		t.Errorf("entered %v, analysed %+v, %s", w, q, b.cycles.caption())
	}
	if !v.run.leave(v) || v.shown.picture != asRun {
		t.Error("there is no way out")
	}
}

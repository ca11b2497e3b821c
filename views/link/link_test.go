package link

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"orrery/traceio"
)

func TestSettersIgnoreEqualValues(t *testing.T) {
	l := New(State{Window: Range{0, 100}})
	news := 0
	l.Subscribe(func(_, _ State) { news++ })
	block := Thing{What: Block, ID: 4}
	for range 2 {
		l.SetCursor(7)
		l.SetWindow(Range{10, 20})
		l.Select(block, "heap map")
		l.SetHover(Thing{What: Line, File: "a.c", Line: 3})
	}
	if news != 4 {
		t.Errorf("four changes, each made twice, told %d times, want 4", news)
	}
	if got := l.State(); got.Origin != "heap map" || got.Selected != block || got.Cursor != 7 {
		t.Errorf("state %+v", got)
	}
}

func TestEchoesDieOut(t *testing.T) {
	l := New(State{})
	calls := 0
	l.Subscribe(func(_, now State) { calls++; l.SetCursor(now.Cursor) })
	l.Subscribe(func(_, now State) { l.SetCursor(now.Cursor) })
	l.SetCursor(5)
	if calls != 1 {
		t.Errorf("a listener that sets what it heard was called %d times, want 1", calls)
	}
}

func TestCancelledListenerIsSilent(t *testing.T) {
	l := New(State{})
	var heard []int
	l.Subscribe(func(_, _ State) { heard = append(heard, 1) })
	var cancel func()
	cancel = l.Subscribe(func(_, _ State) { heard = append(heard, 2); cancel() })
	l.Subscribe(func(_, _ State) { heard = append(heard, 3) })
	l.SetCursor(1)
	l.SetCursor(2)
	if want := []int{1, 2, 3, 1, 3}; !reflect.DeepEqual(heard, want) {
		t.Errorf("heard %v, want %v", heard, want)
	}
}

// TestUndoWalksBackExactly makes random undoable steps and takes them back and forth; the twin is a plain list of the
// states that were seen.
func TestUndoWalksBackExactly(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	l := New(State{Window: Range{0, 1000}})
	seen := []State{l.State()}
	for range 150 {
		if r.IntN(2) == 0 {
			l.SetWindow(Range{0, l.State().Window.To + 1})
		} else {
			l.Select(Thing{What: Block, ID: len(seen)}, "test")
		}
		seen = append(seen, l.State())
	}
	for i := len(seen) - 2; i >= 0; i-- {
		if !l.Undo() || l.State() != seen[i] {
			t.Fatalf("undo to step %d gives %+v, want %+v", i, l.State(), seen[i])
		}
	}
	if l.Undo() {
		t.Error("undo beyond the beginning succeeded")
	}
	for i := 1; i < len(seen); i++ {
		if !l.Redo() || l.State() != seen[i] {
			t.Fatalf("redo to step %d gives %+v, want %+v", i, l.State(), seen[i])
		}
	}
	l.Undo()
	l.Clear()
	if l.Redo() {
		t.Error("redo after a new step succeeded")
	}
}

func TestUndoKeepsCursorAndHover(t *testing.T) {
	l := New(State{})
	l.Select(Thing{What: Region, Name: "a"}, "legend")
	l.SetCursor(42)
	l.Undo()
	if s := l.State(); s.Cursor != 42 || s.Selected.What != Nothing {
		t.Errorf("after undo %+v, want cursor 42 and nothing selected", s)
	}
}

func TestADragIsOneUndoableStep(t *testing.T) {
	l := New(State{Window: Range{0, 100}})
	l.SetWindow(Range{10, 20})
	for to := traceio.Seq(21); to < 40; to++ {
		l.SlideWindow(Range{10, to})
	}
	l.Undo()
	if got := l.State().Window; got != (Range{0, 100}) {
		t.Errorf("one undo after a drag gives %v, want the window before it", got)
	}
}

// TestPutIsNoStep goes to a place as a session does, alone and as a part of a step.
func TestPutIsNoStep(t *testing.T) {
	l := New(State{Window: Range{0, 100}})
	news := 0
	l.Subscribe(func(_, _ State) { news++ })
	line := Thing{What: Line, File: "a.c", Line: 3}
	l.Put(Range{10, 20}, 15, line, "source")
	l.Put(Range{}, 15, line, "source") // an empty window changes nothing
	if s := l.State(); s.Window != (Range{10, 20}) || s.Cursor != 15 || s.Selected != line || s.Origin != "source" ||
		news != 1 || l.Undoable() != "" {
		t.Errorf("put gives %+v, told %d times, step %q", s, news, l.Undoable())
	}
	l.SetWindow(Range{12, 13})
	place := Range{10, 20}
	Choose(l, "session", &place, Range{50, 60}, func() { l.Put(place, 15, Thing{}, "heap") })
	if s := l.State(); s.Window != (Range{50, 60}) || s.Origin != "" {
		t.Errorf("the step leads to %+v", s)
	}
	l.Undo()
	if l.Undo(); l.State().Window != (Range{10, 20}) || l.State().Selected != line {
		t.Errorf("two steps back lead to %+v", l.State())
	}
	l.Redo()
	l.Redo()
	if l.State().Window != (Range{50, 60}) {
		t.Errorf("two steps forth lead to %+v", l.State())
	}
	if l.Forget(); l.Undo() || l.Redo() {
		t.Error("there is a step after all were forgotten")
	}
}

func TestMomentAndLapseEndWithTheNextCursor(t *testing.T) {
	l := New(State{})
	l.SetMoment(5, 0.25)
	if s := l.State(); s.Cursor != 5 || s.Part != 0.25 || s.Stride != 1 {
		t.Errorf("a moment gives %+v", s)
	}
	l.SetLapse(90, 64)
	if s := l.State(); s.Cursor != 90 || s.Part != 1 || s.Stride != 64 {
		t.Errorf("a lapse gives %+v", s)
	}
	l.SetCursor(90)
	if s := l.State(); s.Part != 1 || s.Stride != 1 {
		t.Errorf("the cursor set by hand gives %+v", s)
	}
}

func TestSettingsOfViewsAreNamedSteps(t *testing.T) {
	l := New(State{Window: Range{0, 100}})
	colour, told := "line", []string{}
	set := func(to string) { Choose(l, "colours", &colour, to, func() { told = append(told, colour) }) }
	set("function")
	l.SetWindow(Range{10, 20})
	set("region")
	colour = "thread" // a drag goes on
	for _, want := range []struct{ step, colour string }{{"colours", "function"}, {"range of time", "function"},
		{"colours", "line"}} {
		if got := l.Undoable(); got != want.step {
			t.Errorf("the next step back is called %q, want %q", got, want.step)
		}
		if l.Undo(); colour != want.colour {
			t.Errorf("colour by %q after taking back %s, want %q", colour, want.step, want.colour)
		}
	}
	if l.Undoable() != "" || l.State().Window != (Range{0, 100}) {
		t.Errorf("after all steps back %q is left, window %v", l.Undoable(), l.State().Window)
	}
	for l.Redoable() != "" {
		l.Redo()
	}
	if colour != "thread" || l.State().Window != (Range{10, 20}) {
		t.Errorf("after all steps forth colour by %q in window %v", colour, l.State().Window)
	}
	if want := []string{"function", "region", "function", "line", "function", "thread"}; !reflect.DeepEqual(told, want) {
		t.Errorf("told of %v, want %v", told, want)
	}
	set("file")
	if l.Redo() {
		t.Error("redo after a new step succeeded")
	}
}

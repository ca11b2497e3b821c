package shell

import (
	"fmt"
	"testing"
	"time"

	"orrery/views/link"

	"fyne.io/fyne/v2"
)

// Counterpart makes the fake find everything but what is called "only".
func (d *fakeDocument) Counterpart(t link.Thing) (link.Thing, bool) { return t, t.Name != "only" }

// Two recordings lie side by side, each with its timeline; the keys mean the one that has the keyboard, and code that
// is selected in one is selected in the other.
func TestCompare(t *testing.T) {
	b := openAt(t, fyne.NewSize(1000, 400), files(t, "a.orr", "b.orr", "c.orr")...)
	b.bringFront(0)
	left := b.front()
	usual := left.dock.save()
	b.reg.Press("Ctrl+Shift+D")
	b.settle()
	right := b.other(left)
	if right == nil || !left.dock.Visible() || !right.dock.Visible() {
		t.Fatal("there is nothing beside the recording")
	}
	if a, c := left.dock.Size().Width, right.dock.Size().Width; a != c || a < 450 || right.dock.Position().X < a {
		t.Errorf("widths %g and %g, the right one at %v", a, c, right.dock.Position())
	}
	for _, d := range []*opened{left, right} {
		if !d.dock.tabs[Timeline].pane.Visible() || !d.transport.Visible() {
			t.Errorf("%s has no timeline", d.path)
		}
	}
	line := link.Thing{What: link.Line, File: "bubble.cpp", Line: 4}
	left.doc.Link().Select(line, "source")
	if s := right.doc.Link().State(); s.Selected != line || s.Origin != "source of "+left.doc.Name() {
		t.Errorf("beside %+v is selected, from %q", s.Selected, s.Origin)
	}
	right.doc.Link().Select(link.Thing{What: link.Function, Name: "only"}, "source")
	if left.doc.Link().State().Selected != line {
		t.Error("what the other does not have must leave its selection")
	}
	right.doc.Link().Clear()
	if left.doc.Link().State().Selected.What != link.Nothing {
		t.Error("clearing one must clear the other")
	}
	left.doc.Link().SetCursor(100)
	b.stage.Activate(right.dock.tabs[Source].pane) // the pointer has come there
	b.reg.Press("End")
	if b.front() != right || right.doc.Link().State().Cursor != 839 || left.doc.Link().State().Cursor != 100 {
		t.Errorf("End in the right one led to %d and %d", left.doc.Link().State().Cursor, right.doc.Link().State().Cursor)
	}
	b.reg.Press("M")
	if got := right.doc.(*fakeDocument).ran; fmt.Sprint(got) != "[mark]" {
		t.Errorf("its command ran %v", got)
	}
	draws := left.dock.tabs[Cache].view.(*fakeView).draws
	left.doc.Link().SetCursor(101)
	b.settle()
	if left.dock.tabs[Cache].view.(*fakeView).draws == draws {
		t.Error("the one without the keyboard is not drawn")
	}
	s := b.sessions.snapshot()
	if s.Beside < 0 || s.Documents[s.Beside].Path != left.path || s.Documents[s.Front].Path != right.path {
		t.Errorf("the session has %d beside %d", s.Beside, s.Front)
	}
	file := t.TempDir() + "/x.orrery"
	b.sessions.write(file)
	b.settle()
	c := openAt(t, fyne.NewSize(1000, 400))
	c.open(file)
	c.settle()
	if o := c.other(c.front()); o == nil || o.path != left.path || c.front().path != right.path || c.pair[0] != o {
		t.Errorf("restored, %v lies beside", o)
	}
	b.reg.Press("Ctrl+Tab")
	b.settle()
	if n := len(b.shown()); n != 1 && b.front() != left && b.front() != right {
		t.Errorf("%d documents are shown", n)
	}
	b.bringFront(0)
	for range 3 {
		if b.other(b.front()) != nil {
			break
		}
		b.nextDocument()
	}
	b.reg.Press("Ctrl+Shift+D")
	b.settle()
	if len(b.shown()) != 1 || left.dock.save() != usual {
		t.Errorf("alone again %d documents are shown, arranged\n%s, was\n%s", len(b.shown()), left.dock.save(), usual)
	}
}

// Both of a pair play, each at its speed; closing one leaves the other.
func TestPairPlaysAndCloses(t *testing.T) {
	b := openSmall(t, files(t, "a.orr", "b.orr")...)
	left, right := b.docs[0], b.docs[1]
	b.comparison.show(left, right)
	now := time.Unix(9, 0)
	left.player.toggle(now)
	right.player.toggle(now)
	for range 30 {
		now = now.Add(time.Second / 60)
		for _, d := range b.shown() {
			d.player.advance(now)
		}
	}
	if a, c := left.doc.Link().State().Cursor, right.doc.Link().State().Cursor; a < 10 || a != c {
		t.Errorf("half a second led to %d and %d", a, c)
	}
	b.reg.Run("file.close")
	b.settle()
	if len(b.docs) != 1 || len(b.shown()) != 1 || b.pair[0] != nil || !b.front().dock.Visible() {
		t.Errorf("%d documents, %d shown", len(b.docs), len(b.shown()))
	}
}

// Files that are opened together stand in the order in which they were asked for, whichever is read first; the last one
// is in front, and beside each other the first one is at the left.
func TestFilesThatAreOpenedTogether(t *testing.T) {
	b := openAt(t, fyne.NewSize(1000, 400), "/recordings/a.slow", "/recordings/b.orr")
	if len(b.docs) != 2 || b.docs[0].path != "/recordings/a.slow" || b.front() != b.docs[1] {
		t.Fatalf("%d documents, %s in front", len(b.docs), b.front().path)
	}
	front := b.front()
	b.reg.Press("Ctrl+Shift+D")
	b.settle()
	if b.pair[0] != b.docs[0] || b.pair[1] != front || b.front() != front {
		t.Errorf("beside each other %s is at the left, %s in front", b.pair[0].path, b.front().path)
	}
	b.reg.Press("Ctrl+Shift+D")
	b.settle()
	if b.front() != front || b.other(front) != nil {
		t.Errorf("alone again is %s", b.front().path)
	}
	b.open("/recordings/c.orr")
	b.settle()
	if b.front() != b.docs[2] || b.front().path != "/recordings/c.orr" {
		t.Errorf("what is opened later has %s in front of it", b.front().path)
	}
}

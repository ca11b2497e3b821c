package shell

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"orrery/app/shell/saved"
	"orrery/traceio"
	"orrery/views/link"

	"fyne.io/fyne/v2"
)

// files makes files that exist, so that a session finds them.
func files(t testing.TB, names ...string) (list []string) {
	t.Helper()
	dir := t.TempDir()
	for _, n := range names {
		path := filepath.Join(dir, n)
		if err := os.WriteFile(path, []byte(n), 0o644); err != nil {
			t.Fatal(err)
		}
		list = append(list, path)
	}
	return list
}

// used opens two recordings and changes everything that a session keeps.
func used(t testing.TB) (b *bench, paths []string) {
	paths = files(t, "a.orr", "b.orr")
	b = openSmall(t, paths...)
	for i, d := range b.docs {
		if d.path == paths[1] {
			b.bringFront(i)
		}
	}
	d := b.front()
	d.doc.Link().SetWindow(link.Range{From: 100, To: 700})
	d.doc.Link().Select(link.Thing{What: link.Line, File: "bubble.cpp", Line: 7}, "source")
	d.doc.Link().SetCursor(333)
	d.player.speed = 4
	b.fake().chosen = "spiral"
	d.dock.move(Source, d.dock.root.leaves()[0], onto)
	d.dock.toggle("left")
	d.dock.toggleOwn(Heap)
	b.bookmarks.keep(d, saved.Bookmark{Name: "swap", Place: saved.PlaceOf(d.doc.Link().State())})
	b.stage.Activate(d.dock.tabs[Cache].pane)
	b.appearance.setTheme("light")
	b.settle()
	return b, paths
}

// state is a snapshot as text, without what differs between runs.
func state(t testing.TB, w *window) string {
	t.Helper()
	data, err := w.sessions.snapshot().Bytes("")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A session that is saved in one window is the same in another one.
func TestSessionIsRestored(t *testing.T) {
	a, paths := used(t)
	want := state(t, a.window)
	file := filepath.Join(filepath.Dir(paths[0]), "x.orrery")
	a.sessions.write(file)
	a.settle()
	if n := len(a.events("session-saved")); n != 1 {
		t.Fatalf("saved %d times", n)
	}
	b := openSmall(t)
	b.opt.Theme = ""
	b.open(file)
	b.settle()
	if got := state(t, b.window); got != want {
		t.Errorf("restored\n%s\nwant\n%s", got, want)
	}
	d := b.front()
	if d.path != paths[1] || d.dock.own[Heap] == nil || b.fake().chosen != "spiral" || b.look.Name != "light" ||
		d.doc.Link().State().Cursor != 333 {
		t.Errorf("in front %s, own windows %v, chosen %q, theme %s", d.path, d.dock.own, b.fake().chosen, b.look.Name)
	}
	b.reg.Run("session.save")
	b.settle()
	if b.sessions.path != file || len(b.events("session-saved")) != 1 {
		t.Error("Ctrl+S does not save a session where it came from")
	}
	d.doc.Link().SetCursor(5)
	b.open(file) // again: what is open goes where the session says
	b.settle()
	if len(b.docs) != 2 || d.doc.Link().State().Cursor != 333 {
		t.Errorf("%d documents, cursor %d after opening the session of what is open", len(b.docs),
			d.doc.Link().State().Cursor)
	}
}

// A document that a session has opened has nothing to undo; one that was open goes there in one step, and the steps
// before it still lead where they did.
func TestUndoAcrossASession(t *testing.T) {
	a, paths := used(t)
	file := filepath.Join(filepath.Dir(paths[0]), "x.orrery")
	a.sessions.write(file)
	a.settle()
	b := openSmall(t)
	b.open(file)
	b.settle()
	d, fake := b.front(), b.fake()
	l := d.doc.Link()
	kept := func() string {
		s := l.State()
		return fmt.Sprint(fake.chosen, s.Window, s.Selected.Line, s.Origin, d.dock.own[Heap] != nil)
	}
	want := kept()
	if b.reg.Run("edit.undo"); l.Undoable() != "" || kept() != want {
		t.Fatalf("undo of %q after a session has opened leads to %s, was %s", l.Undoable(), kept(), want)
	}
	var seen []string
	step := func(f func()) {
		seen = append(seen, kept())
		f()
		b.settle()
	}
	step(func() { link.Choose(l, "picture", &fake.chosen, "circle", func() {}) })
	step(func() { l.SetWindow(link.Range{From: 1, To: 9}) })
	step(func() { l.Select(link.Thing{What: link.Line, File: "bubble.cpp", Line: 3}, "heap") })
	d.dock.bringBack(Heap)
	step(func() { b.open(file) })
	if kept() != want || l.Undoable() != "session" {
		t.Fatalf("the session leads to %s, want %s; the step is called %q", kept(), want, l.Undoable())
	}
	step(func() { l.SetWindow(link.Range{From: 3, To: 5}) })
	last := kept()
	for i := len(seen) - 1; i >= 0; i-- {
		if l.Undo(); kept() != strings.Replace(seen[i], "true", fmt.Sprint(d.dock.own[Heap] != nil), 1) {
			t.Errorf("step %d back leads to %s, want %s", i, kept(), seen[i])
		}
	}
	if l.Undo() {
		t.Error("there is a step before the first")
	}
	for l.Redo() {
	}
	if kept() != last {
		t.Errorf("all steps forth lead to %s, want %s", kept(), last)
	}
}

// What cannot be read is one sentence, and nothing that was open is lost.
func TestBrokenSessions(t *testing.T) {
	a, paths := used(t)
	dir := filepath.Dir(paths[0])
	good, err := a.sessions.snapshot().Bytes(dir)
	if err != nil {
		t.Fatal(err)
	}
	before := state(t, a.window)
	for _, c := range []struct{ name, data, want string }{
		{"cut", string(good[:len(good)/2]), "the session ends too early"},
		{"newer", strings.Replace(string(good), `"orrery-session": 1`, `"orrery-session": 2`, 1),
			"written by a newer Orrery"},
		{"wrong", `{"orrery-session":1,"documents":[{"path":7}]}`, "cannot be a number"},
	} {
		path := filepath.Join(dir, c.name+saved.Ending)
		if err := os.WriteFile(path, []byte(c.data), 0o644); err != nil {
			t.Fatal(err)
		}
		a.open(path)
		a.settle()
		if last := a.notices[len(a.notices)-1].text; !strings.Contains(last, c.want) || !strings.Contains(last, path) ||
			!strings.Contains(last, "open") {
			t.Errorf("%s: told %q", c.name, last)
		}
		if got := state(t, a.window); got != before {
			t.Errorf("%s: the window has become\n%s", c.name, got)
		}
	}
	a.sessions.write(filepath.Join(dir, "no", "such", "folder", "x.orrery"))
	a.settle()
	if last := a.notices[len(a.notices)-1].text; !strings.Contains(last, "not saved") ||
		!strings.Contains(last, "Ctrl+Shift+S") {
		t.Errorf("told %q", last)
	}
	if got := state(t, a.window); got != before {
		t.Error("a failure to save has changed the window")
	}
}

// A full disk is told in a sentence with the remedy, by Ctrl+S and by what is kept for a crash; nothing changes, what
// was in the file before is still there, and when there is room again the next change is kept.
func TestFullDisk(t *testing.T) {
	a, paths := used(t)
	dir := filepath.Dir(paths[0])
	full := filepath.Join(dir, "full.orrery")
	if err := os.Symlink("/dev/full", full); err != nil {
		t.Fatal(err)
	}
	before := state(t, a.window)
	a.sessions.write(full)
	a.settle()
	last := a.notices[len(a.notices)-1].text
	if !strings.Contains(last, "not saved") || !strings.Contains(last, "full.orrery: no space left on device") ||
		!strings.Contains(last, "free some room") {
		t.Errorf("told %q", last)
	}
	if state(t, a.window) != before || a.sessions.path != "" {
		t.Errorf("a full disk has changed the window, or its session is %q", a.sessions.path)
	}

	a.startAutosave(filepath.Join(dir, "kept"), true)
	a.autosave.after = time.Millisecond
	room := a.autosave.path
	told := func() (n int) {
		a.settle()
		for _, x := range a.notices {
			if strings.Contains(x.text, "cannot be kept") && strings.Contains(x.text, "no space left on device") &&
				strings.Contains(x.text, "Ctrl+Shift+S") {
				n++
			}
		}
		return n
	}
	a.autosave.path = full
	for i := range 2 { // the sentence comes once
		a.front().doc.Link().SetCursor(traceio.Seq(10 + i))
		a.sessionChanged()
		waitFor(t, a, func() bool { return told() == 1 && a.autosave.timer == nil && a.autosave.last == nil })
	}
	a.autosave.path = room
	a.front().doc.Link().SetCursor(50)
	a.sessionChanged()
	waitFor(t, a, func() bool {
		s, err := saved.Read(room)
		return err == nil && s.Documents[s.Front].Place.Cursor == 50 && !a.autosave.warned
	})
	if n := told(); n != 1 {
		t.Errorf("the full disk was told %d times, want once", n)
	}
	a.autosave.end()
}

// waitFor runs what is dispatched until something is the case.
func waitFor(t testing.TB, b *bench, is func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(time.Millisecond) {
		b.settle()
		if is() {
			return
		}
		if time.Now().After(end) {
			t.Fatal("waited in vain")
		}
	}
}

// A file that has moved is asked for, stays in the session while it is not found, and opens where it is; one that has
// changed is told.
func TestMovedAndChanged(t *testing.T) {
	a, paths := used(t)
	file := filepath.Join(filepath.Dir(paths[0]), "x.orrery")
	a.sessions.write(file)
	a.settle()
	moved := filepath.Join(t.TempDir(), "elsewhere.orr")
	if err := os.Rename(paths[1], moved); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(paths[0], []byte("another run"), 0o644); err != nil {
		t.Fatal(err)
	}
	b := openSmall(t)
	b.open(file)
	b.settle()
	all := fmt.Sprint(b.notices)
	if !strings.Contains(all, "no longer at "+paths[1]) || !strings.Contains(all, "a.orr is not what it was") ||
		!b.sheet.Visible() {
		t.Errorf("told %s, asked: %t", all, b.sheet.Visible())
	}
	b.sheet.dismiss()
	if len(b.docs) != 1 || len(b.sessions.missing) != 1 || !strings.Contains(state(t, b.window), paths[1]) {
		t.Errorf("%d documents, missing %v", len(b.docs), b.sessions.missing)
	}
	d := b.sessions.missing[0] // as the dialog answers
	b.sessions.missing = nil
	b.sessions.wanted[moved] = &wanted{Document: d, rank: 1, front: true}
	b.open(moved)
	b.settle()
	if b.front().path != moved || b.front().doc.Link().State().Cursor != 333 || b.fake().chosen != "spiral" {
		t.Errorf("found, the recording is at %d", b.front().doc.Link().State().Cursor)
	}
}

// keeps waits until a window has kept its session, and gives what it kept.
func keeps(b *bench, want int) *saved.Session {
	b.t.Helper()
	for end := time.Now().Add(time.Minute); len(b.events("session-kept")) < want; b.settle() {
		if time.Now().After(end) {
			b.t.Fatal("the session is not kept")
		}
		time.Sleep(20 * time.Millisecond)
	}
	s, err := saved.Read(b.autosave.path)
	if err != nil {
		b.t.Fatal(err)
	}
	return s
}

// A run that ends without closing leaves its session to the next one; one that ends well, or still runs, does not.
func TestRecovery(t *testing.T) {
	dir := t.TempDir()
	a, _ := used(t)
	a.startAutosave(dir, true)
	a.autosave.after = time.Millisecond
	a.sessionChanged()
	if s := keeps(a, 1); len(s.Documents) != 2 {
		t.Fatalf("kept %+v", s)
	}
	b := openSmall(t)
	b.startAutosave(dir, true)
	b.settle()
	if len(b.docs) != 0 || len(b.notices) != 0 {
		t.Error("the session of a window that is open was taken")
	}
	b.autosave.end()
	a.autosave.lock.Close() // as the kernel does
	c := openSmall(t)
	c.opt.Theme = ""
	c.startAutosave(dir, true)
	c.settle()
	if got, want := state(t, c.window), state(t, a.window); got != want {
		t.Errorf("recovered\n%s\nwant\n%s", got, want)
	}
	if !strings.Contains(fmt.Sprint(c.notices),
		"did not end well the last time; what was open is open again (2 recordings)") {
		t.Errorf("told %v", c.notices)
	}
	if s, err := saved.Read(c.autosave.path); err != nil || s.Restoring != 1 {
		t.Errorf("while it restores it has kept %+v, %v", s, err)
	}
	c.autosave.end()
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("after a good end %v is left", left)
	}
}

// A session that ends the run which restores it is not restored for ever, nor one that is broken; both are kept.
func TestRecoveryGivesUp(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"again and again", `{"orrery-session":1,"restoring":2,"documents":[{"path":"/r/a.orr"}]}`,
			"the last runs ended while they restored it"},
		{"broken", `{"orrery-session":1,"docu`, "the session ends too early"},
	} {
		dir := t.TempDir()
		name := filepath.Join(dir, "running-1-1.orrery")
		for _, f := range []string{name, name + ".lock"} {
			if err := os.WriteFile(f, []byte(c.data), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		b := openSmall(t)
		b.startAutosave(dir, true)
		b.settle()
		aside := filepath.Join(dir, "unrestored-1-1.orrery")
		if all := fmt.Sprint(b.notices); len(b.docs) != 0 || !strings.Contains(all, c.want) ||
			!strings.Contains(all, aside) || !there(aside) || there(name) {
			t.Errorf("%s: told %s", c.name, all)
		}
		b.autosave.end()
	}
}

// A folder in which nothing can be written costs the recovery, one sentence, and nothing else.
func TestNowhereToKeep(t *testing.T) {
	at := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(at, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	b := openSmall(t, files(t, "a.orr")...)
	b.startAutosave(filepath.Join(at, "below"), true)
	b.sessionChanged()
	b.settle()
	if len(b.notices) != 1 || !strings.Contains(b.notices[0].text, "Ctrl+S") || b.front() == nil {
		t.Errorf("told %v", b.notices)
	}
	dir := t.TempDir()
	b.startAutosave(dir, true)
	b.autosave.path, b.autosave.after = filepath.Join(dir, "gone", "x.orrery"), time.Millisecond // as on a full disk
	b.front().doc.Link().SetCursor(9)
	for end := time.Now().Add(time.Minute); len(b.notices) < 2 && time.Now().Before(end); b.settle() {
		time.Sleep(50 * time.Millisecond)
	}
	if last := b.notices[len(b.notices)-1].text; !strings.Contains(last, "Ctrl+Shift+S") {
		t.Errorf("told %q", last)
	}
}

// Bookmarks bring the cursor, the window and the selection back, from the menu and from the search entry, in another
// run too.
func TestBookmarks(t *testing.T) {
	b := openSmall(t, files(t, "a.orr")...)
	l := b.front().doc.Link()
	l.Select(link.Thing{What: link.Region, Name: "a"}, "recording")
	l.SetWindow(link.Range{From: 20, To: 400})
	l.SetCursor(77)
	b.reg.Press("Ctrl+B")
	e := b.win.Canvas().Focused().(interface {
		fyne.Focusable
		SetText(string)
	})
	e.SetText("first swap")
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if b.sheet.Visible() {
		t.Error("Return must close the sheet")
	}
	was := l.State()
	l.SetCursor(1)
	l.Clear()
	l.SetWindow(link.Range{To: 840})
	b.reg.Press("Ctrl+F")
	b.search.SetText("frst")
	b.search.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if now := l.State(); now != was {
		t.Errorf("search led to %+v, want %+v", now, was)
	}
	path := b.front().path
	b.reg.Run("file.close")
	b.open(path)
	b.settle()
	if list := b.front().bookmarks; len(list) != 1 || list[0].Name != "first swap" || list[0].Cursor != 77 {
		t.Errorf("opened again the recording has the bookmarks %+v", list)
	}
	b.bookmarks.forget(b.front(), "first swap")
	if len(b.bookmarks.choices("")) != 0 {
		t.Error("a forgotten bookmark is still there")
	}
}

// Keep and Restore make the fake a Keeper.
func (d *fakeDocument) Keep() json.RawMessage {
	data, _ := json.Marshal(d.chosen)
	return data
}

func (d *fakeDocument) Restore(data json.RawMessage) error { return json.Unmarshal(data, &d.chosen) }

// A pane goes into a window of its own and comes back to where it was, by command and by closing the window.
func TestOwnWindow(t *testing.T) {
	b := openSmall(t, files(t, "a.orr")...)
	d := b.front().dock
	whole := d.save()
	for _, s := range []Slot{Heap, Timeline, Recording} {
		b.stage.Activate(d.tabs[s].pane)
		b.reg.Press("Ctrl+Shift+W")
		b.settle()
		o := d.own[s]
		if o == nil || !d.tabs[s].pane.Visible() || b.stage.Active() != d.tabs[s].pane {
			t.Fatalf("%s is not in a window of its own", s)
		}
		for _, g := range d.groups {
			for _, x := range g.tabs {
				if x.slot == s {
					t.Errorf("%s has still a tab in the docks", s)
				}
			}
		}
		draws := b.view(s).draws
		b.fake().link.SetCursor(b.fake().link.State().Cursor + 1)
		b.settle()
		o.win.Canvas().Capture()
		if b.view(s).draws == draws {
			t.Errorf("%s in its own window does not follow the link", s)
		}
	}
	var boxes []box
	for _, g := range d.groups {
		if g.Visible() {
			boxes = append(boxes, box{g.Position().X, g.Position().Y, g.Size().Width, g.Size().Height})
		}
	}
	checkBoxes(t, "panels without three", boxes, d.Size())
	o := d.own[Heap]
	d.bringBack(Heap)
	if d.own[Heap] != nil || o.box.Objects != nil {
		t.Error("the heap is still in its window")
	}
	b.reg.Run("view.own.back")
	b.settle()
	b.stage.Activate(nil)
	if got := d.save(); got != whole {
		t.Errorf("all back, the arrangement is\n%s, was\n%s", got, whole)
	}
	if s := b.fake().link.State(); s.Cursor != traceio.Seq(3) {
		t.Errorf("the cursor is at %d", s.Cursor)
	}
}

// TestEachKindHasItsArrangement: what was done to the panes of a recording says nothing of those of a design space,
// though the first of both is the list at the left.
func TestEachKindHasItsArrangement(t *testing.T) {
	recording, designs := &dock{order: []Slot{Recording, Cycles, Designs}},
		&dock{order: []Slot{Recording, Designs, Points}}
	if again := (&dock{order: []Slot{Recording, Cycles, Designs}}); again.pref() != recording.pref() ||
		designs.pref() == recording.pref() {
		t.Errorf("arrangements are kept as %q, %q and %q", recording.pref(), again.pref(), designs.pref())
	}
}

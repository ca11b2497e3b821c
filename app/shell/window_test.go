package shell

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"orrery/traceio"
	"orrery/views/link"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
)

// bench is a window on Fyne's software driver. Functions that other goroutines dispatch wait in queue until
// settle runs them, as they would on the interface's goroutine.
type bench struct {
	*window
	t     testing.TB
	queue chan func()
	log   string
}

func open1280(t testing.TB, files ...string) *bench {
	t.Helper()
	return openAt(t, fyne.NewSize(1280, 800), files...)
}

// openSmall is open1280 for tests that do not look: the software driver paints a small window in a fraction of the
// time.
func openSmall(t testing.TB, files ...string) *bench {
	t.Helper()
	return openAt(t, fyne.NewSize(400, 240), files...)
}

func openAt(t testing.TB, size fyne.Size, files ...string) *bench {
	t.Helper()
	a := test.NewTempApp(t)
	b := &bench{t: t, queue: make(chan func(), 10_000), log: filepath.Join(t.TempDir(), "events")}
	log, err := openEventLog(b.log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(log.close)
	opt := Options{Open: fakeOpen, Theme: "dark", Version: "test", Examples: []Example{
		{Name: "Bubble sort", What: "Ten comparisons, six swaps: two cycles.", Path: "/shipped/bubble.orr"},
		{Name: "Matrix", What: "Rows against columns.", Path: "/shipped/matrix.orr"}}}
	w, err := newWindow(a, opt, log, func(f func()) { b.queue <- f })
	if err != nil {
		t.Fatal(err)
	}
	b.window = w
	w.win.Resize(size)
	for _, f := range files {
		w.open(f)
	}
	b.settle()
	return b
}

// settle runs what was dispatched until no job runs and nothing waits to be run, and repaints. A job is listed as
// running until its delivery has been run, and the engine dispatches a call of its watcher after every job that ends
// without one: so there is always something to wait for in queue.
func (b *bench) settle() {
	b.t.Helper()
	guard := time.After(2 * time.Minute)
	for len(b.engine.Running()) > 0 || len(b.queue) > 0 {
		select {
		case f := <-b.queue:
			f()
		case <-guard:
			b.t.Fatalf("jobs do not end: %v", b.engine.Running())
		}
	}
	b.win.Canvas().Capture()
}

// events reads the event log: all events with this name.
func (b *bench) events(name string) []map[string]any {
	b.t.Helper()
	f, err := os.Open(b.log)
	if err != nil {
		b.t.Fatal(err)
	}
	defer f.Close()
	var out []map[string]any
	for s := bufio.NewScanner(f); s.Scan(); {
		var e map[string]any
		if err := json.Unmarshal(s.Bytes(), &e); err != nil {
			b.t.Fatalf("event log: %v: %s", err, s.Text())
		}
		if e["event"] == name {
			out = append(out, e)
		}
	}
	return out
}

func (b *bench) fake() *fakeDocument { return b.front().doc.(*fakeDocument) }

func (b *bench) view(s Slot) *fakeView { return b.front().dock.tabs[s].view.(*fakeView) }

func TestMaximisedPanelGoesOnWithItsOtherTabs(t *testing.T) {
	b := open1280(t, "/recordings/bubble.orr")
	d := b.front().dock
	d.maximise(Heap)
	b.settle()
	for _, g := range d.groups {
		if i := slices.Index(g.node.Tabs, Designs); i >= 0 && slices.Contains(g.node.Tabs, Heap) {
			g.choose(g.tabs[i])
		}
	}
	b.settle()
	if d.full != Designs || !d.tabs[Designs].pane.Visible() || d.tabs[Heap].pane.Visible() {
		t.Errorf("%q is maximised after a press on the tab of designs; designs visible: %v, heap: %v", d.full,
			d.tabs[Designs].pane.Visible(), d.tabs[Heap].pane.Visible())
	}
}

func TestOpenDrawsEverything(t *testing.T) {
	b := open1280(t, "/recordings/bubble.orr")
	if b.front() == nil || b.front().doc.Name() != "/recordings/bubble.orr" {
		t.Fatal("the file is not in front")
	}
	for slot, tab := range b.front().dock.tabs {
		v := tab.view.(*fakeView)
		if hidden := slot == Designs; (v.draws > 0) == hidden {
			t.Errorf("%s was drawn %d times; hidden behind another tab: %v", slot, v.draws, hidden)
		}
	}
	// pixels may be late on a busy machine
	for end := time.Now().Add(time.Minute); b.front().undrawn != nil && time.Now().Before(end); {
		b.settle()
	}
	for _, name := range []string{"window-shown", "document-opened", "document-drawn"} {
		if len(b.events(name)) != 1 {
			t.Errorf("event %s was logged %d times, want once", name, len(b.events(name)))
		}
	}
	if got := b.head.facts.full; got != "840 references · 1 thread" {
		t.Errorf("header says %q", got)
	}
}

// TestEveryPaneFollows changes the link and counts: all visible pictures are drawn once in the next frame.
func TestEveryPaneFollows(t *testing.T) {
	b := open1280(t, "/recordings/bubble.orr")
	before := map[Slot]int{}
	for s := range b.front().dock.tabs {
		before[s] = b.view(s).draws
	}
	for i := range 30 {
		b.fake().link.SetCursor(traceio.Seq(100 + i))
	}
	b.settle()
	for s, n := range before {
		want := n + 1
		if s == Designs {
			want = n
		}
		if got := b.view(s).draws; got != want {
			t.Errorf("%s: %d draws after 30 cursor moves in one frame, want %d", s, got, want)
		}
	}
	if got := b.front().position.full; got != "129 of 840" {
		t.Errorf("the position says %q, want 129 of 840", got)
	}
}

func TestErrorsKeepWhatIsOpen(t *testing.T) {
	b := open1280(t, "/recordings/bubble.orr", "/recordings/run.bad", "/recordings/run.panic")
	if len(b.docs) != 1 || b.front() == nil {
		t.Fatalf("%d documents open, want the good one", len(b.docs))
	}
	var texts []string
	for _, n := range b.notices {
		texts = append(texts, n.text)
	}
	all := strings.Join(texts, "\n")
	for _, want := range []string{
		`/recordings/run.bad:12: load size "x" is not a number; was the file cut? record again with`,
		"opening run.panic stopped on an internal error"} {
		if !strings.Contains(all, want) {
			t.Errorf("no notice has %q in\n%s", want, all)
		}
	}
	if !b.banner.Visible() {
		t.Error("the banner is not shown")
	}
	b.key(fyne.KeyEscape)
	if b.banner.Visible() {
		t.Error("Escape must dismiss the banner")
	}
	b.reg.Run("help.log")
	if !b.sheet.Visible() {
		t.Error("the log pane is not shown")
	}
}

func TestCancelOpening(t *testing.T) {
	b := open1280(t)
	b.open("/recordings/run.slow")
	for len(b.engine.Running()) > 0 && b.engine.Running()[0].Progress.Done == 0 {
		time.Sleep(5 * time.Millisecond)
	}
	b.working()
	if s := b.status.text.full; !strings.Contains(s, "opening run.slow · ") || !b.status.cancel.Visible() {
		t.Errorf("the status line says %q", s)
	}
	b.key(fyne.KeyEscape)
	b.settle()
	if len(b.docs) != 0 || len(b.notices) != 0 {
		t.Errorf("%d documents and %d notices after a cancellation; it is no failure", len(b.docs), len(b.notices))
	}
	b.working()
	if s := b.status.text.full; !strings.HasPrefix(s, "Ready.") {
		t.Errorf("the status line says %q", s)
	}
}

func TestKeys(t *testing.T) {
	b := openAt(t, fyne.NewSize(800, 500), "/recordings/bubble.orr")
	d := b.fake()
	for range 3 {
		b.win.Canvas().OnTypedRune()('.')
	}
	b.win.Canvas().OnTypedRune()(',')
	b.key(fyne.KeyRight)
	if got := d.link.State().Cursor; got != 3 {
		t.Errorf("cursor %d after three steps on, one back, one on; want 3", got)
	}
	b.key(fyne.KeyEnd)
	b.key(fyne.KeyRight)
	if got := d.link.State().Cursor; got != 839 {
		t.Errorf("cursor %d at the end, want 839", got)
	}
	b.key(fyne.KeyHome)
	if got := d.link.State().Cursor; got != 0 {
		t.Errorf("cursor %d at the beginning", got)
	}
	d.link.Select(link.Thing{What: link.Line, File: "bubble.cpp", Line: 5}, "source")
	b.typed(&fyne.ShortcutUndo{})
	if d.link.State().Selected.What != link.Nothing {
		t.Error("Ctrl+Z must take the selection back")
	}
	if b.reg.Press("Ctrl+Z") {
		t.Error("there is something to undo where nothing was done")
	}
	b.typed(&desktop.CustomShortcut{KeyName: "Z", Modifier: fyne.KeyModifierControl | fyne.KeyModifierShift})
	if d.link.State().Selected.Line != 5 {
		t.Error("Ctrl+Shift+Z must bring it again")
	}
	if b.reg.Press("Ctrl+Y") {
		t.Error("there is something to redo where all was done again")
	}
	b.key(fyne.KeyEscape)
	if d.link.State().Selected.What != link.Nothing {
		t.Error("Escape must clear the selection")
	}
	b.key("1")
	b.key("W")
	b.key("W")
	if z := b.view(Cycles).zoom; z < 1.5 || z > 1.6 {
		t.Errorf("zoom %g after W twice, want 1.25 squared", z)
	}
	b.key("0")
	if z := b.view(Cycles).zoom; z != 1 {
		t.Errorf("zoom %g after 0", z)
	}
	b.key("1")
	if b.front().dock.full != Cycles {
		t.Error("1 on the active pane must maximise it")
	}
	b.settle()
	b.key(fyne.KeyEscape)
	if b.front().dock.full != "" {
		t.Error("Escape must restore")
	}
	b.key("M")
	if fmt.Sprint(d.ran) != "[mark]" {
		t.Errorf("the document's command ran %v", d.ran)
	}
	b.key("L")
	b.settle()
	if b.look.Name != "light" || b.view(Heap).theme != "light" {
		t.Errorf("themes %s and %s after L", b.look.Name, b.view(Heap).theme)
	}
	b.win.Canvas().OnTypedRune()('?')
	if !b.sheet.Visible() {
		t.Error("? must show the keys")
	}
	b.settle()
}

func TestPlay(t *testing.T) {
	b := openAt(t, fyne.NewSize(800, 500), "/recordings/bubble.orr")
	p, d := b.front().player, b.fake()
	if p.name() != "x4" {
		t.Errorf("840 references play at %s, want x4: 21 seconds", p.name())
	}
	now := time.Unix(100, 0)
	p.toggle(now)
	for range 100 { // a second and a third at 75 frames a second
		now = now.Add(time.Second / 75)
		p.advance(now)
	}
	if got := d.link.State().Cursor; got != 54 {
		t.Errorf("cursor %d after 1.333 s at 40 a second, want 54: 0 was done already", got)
	}
	if got := d.link.State().Part; got <= 0 || got >= 1 {
		t.Errorf("part %g of a reference at 40 a second, want something between", got)
	}
	d.link.SetCursor(400) // the user scrubs meanwhile
	now = now.Add(100 * time.Millisecond)
	p.advance(now)
	if got := d.link.State().Cursor; got != 405 {
		t.Errorf("cursor %d, want 405: playing goes on where the user put it", got)
	}
	p.advance(now.Add(time.Hour))
	if got := d.link.State().Cursor; got != 415 {
		t.Errorf("cursor %d, want 415: a stall counts as a quarter of a second", got)
	}
	p.speed = speeds - 1
	for range 100 {
		now = now.Add(time.Hour)
		p.advance(now)
	}
	if got := d.link.State().Cursor; got != 839 || p.playing {
		t.Errorf("cursor %d, playing %v; want stopped at 839", got, p.playing)
	}
	if got := d.link.State().Part; got != 1 {
		t.Errorf("stopped at the end with part %g, want the reference done", got)
	}
	p.toggle(now)
	if got := d.link.State().Cursor; got != 0 || !p.playing {
		t.Errorf("cursor %d, playing %v; play at the end starts over", got, p.playing)
	}
	if p := newPlayer(&fakeDocument{n: 20_000_000}); p.rate()*35 < 20e6 {
		t.Errorf("20 million references at %g a second take longer than 35 s", p.rate())
	}
}

func TestSearch(t *testing.T) {
	b := openAt(t, fyne.NewSize(800, 500), "/recordings/bubble.orr")
	b.reg.Press("Ctrl+P")
	b.search.SetText("> thme dark")
	if n := len(b.search.list.list); n != 0 {
		t.Errorf("%d commands match nonsense", n)
	}
	b.search.SetText("> standard")
	if l := b.search.list.list; len(l) == 0 || l[0].label != "Standard arrangement" {
		t.Fatalf("the palette offers %v", l)
	}
	b.search.SetText("> recording")
	if l := b.search.list.list; len(l) == 0 || l[0].off {
		t.Errorf("Return would run nothing: %v", l)
	}
	b.search.SetText("> standard")
	b.search.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if ev := b.events("command"); ev[len(ev)-1]["id"] != "view.reset" {
		t.Errorf("the last command is %v", ev[len(ev)-1])
	}
	if b.win.Canvas().Focused() != nil {
		t.Error("the keyboard must go back to the panes")
	}
	b.reg.Press("Ctrl+F")
	b.search.SetText("0x4010")
	b.search.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if fmt.Sprint(b.fake().ran) != "[found 0x4010]" {
		t.Errorf("the document was asked %v", b.fake().ran)
	}
	b.settle()
}

func TestSeveralDocuments(t *testing.T) {
	b := openAt(t, fyne.NewSize(800, 500), "/recordings/a.orr")
	b.open("/recordings/b.orr")
	b.settle()
	b.open("/recordings/a.orr") // again: only brought to the front
	b.settle()
	if len(b.docs) != 2 || b.front().path != "/recordings/a.orr" {
		t.Fatalf("%d documents, %s in front", len(b.docs), b.front().path)
	}
	a, second := b.fake(), b.docs[1].doc.(*fakeDocument)
	draws := second.views[2].View.(*fakeView).draws
	second.link.SetCursor(7)
	second.watch()
	b.settle()
	if got := second.views[2].View.(*fakeView).draws; got != draws {
		t.Error("a document behind another one was drawn")
	}
	b.reg.Run("file.close")
	b.settle()
	if a.closed != 1 || second.closed != 0 || b.front().doc != Document(second) {
		t.Errorf("closed %d and %d times", a.closed, second.closed)
	}
	if got := second.views[2].View.(*fakeView).draws; got == draws {
		t.Error("what changed behind must be drawn when it comes to the front")
	}
	b.reg.Run("file.close")
	b.settle()
	if b.front() != nil || len(b.body.Objects) != 1 || b.body.Objects[0] != fyne.CanvasObject(b.welcome.scroll) {
		t.Error("without documents the welcome page is shown")
	}
	if recent := b.app.Preferences().StringList(prefRecent); fmt.Sprint(recent) !=
		"[/recordings/b.orr /recordings/a.orr]" {
		t.Errorf("recent files %v", recent)
	}
}

// TestNoOverlap lays the window out at many sizes: no two visible panels overlap, none leaves the window, no text of
// the header meets another.
func TestNoOverlap(t *testing.T) {
	b := openAt(t, fyne.NewSize(800, 500), "/recordings/bubble.orr")
	for _, z := range []fyne.Size{{Width: 1280, Height: 800}, {Width: 1920, Height: 1080}, {Width: 1000, Height: 700},
		{Width: 760, Height: 480}, {Width: 3840, Height: 2160}} {
		b.win.Resize(z)
		d := b.front().dock
		var boxes []box
		for _, g := range d.groups {
			if g.Visible() {
				boxes = append(boxes, box{g.Position().X, g.Position().Y, g.Size().Width, g.Size().Height})
			}
		}
		for _, s := range d.strips {
			if s.Visible() {
				boxes = append(boxes, s.node.at)
			}
		}
		checkBoxes(t, fmt.Sprintf("panels at %v", z), boxes, d.Size())
		var row []box
		for _, o := range b.head.words {
			row = append(row, box{o.Position().X, 0, o.Size().Width, 1})
		}
		for _, o := range []fyne.CanvasObject{b.search, b.head.docs, b.head.facts, b.head.name} {
			if o.Visible() {
				row = append(row, box{o.Position().X, 0, o.Size().Width, 1})
			}
		}
		checkBoxes(t, fmt.Sprintf("header at %v", z), row, fyne.NewSize(z.Width, 1))
	}
	b.win.Resize(fyne.NewSize(1000, 700))
	d := b.front().dock
	if !d.strips[1].Visible() || d.strips[0].Visible() {
		t.Error("at 1000 the right side is folded and the left one is not")
	}
	d.bring(Source)
	if d.strips[1].Visible() {
		t.Error("asking for a pane of a folded side must unfold it")
	}
}

func checkBoxes(t *testing.T, what string, list []box, room fyne.Size) {
	t.Helper()
	for i, a := range list {
		if a.x < -0.5 || a.y < -0.5 || a.x+a.w > room.Width+0.5 || a.y+a.h > room.Height+0.5 || a.w < 1 || a.h < 1 {
			t.Errorf("%s: %+v does not fit into %v", what, a, room)
		}
		for _, c := range list[:i] {
			if a.x < c.x+c.w-0.5 && c.x < a.x+a.w-0.5 && a.y < c.y+c.h-0.5 && c.y < a.y+a.h-0.5 {
				t.Errorf("%s: %+v and %+v overlap", what, a, c)
			}
		}
	}
}

func TestNoDisplay(t *testing.T) {
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	err := Run(Options{Open: fakeOpen})
	if err == nil || !strings.Contains(err.Error(), "orrery render") {
		t.Errorf("without a display: %v; want a sentence that names orrery render", err)
	}
}

func TestThemeFor(t *testing.T) {
	for _, c := range []struct {
		name    string
		desktop fyne.ThemeVariant
		want    string
	}{{"dark", 1, "dark"}, {"light", 0, "light"}, {"system", 0, "dark"}, {"system", 1, "light"}, {"", 1, "dark"}} {
		if got := themeFor(c.name, c.desktop); got.Name != c.want {
			t.Errorf("theme %q on desktop %d is %s, want %s", c.name, c.desktop, got.Name, c.want)
		}
	}
}

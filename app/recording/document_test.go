package recording

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"orrery/app/jobs"
	"orrery/app/jobs/jobstest"
	"orrery/app/shell"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"

	"fyne.io/fyne/v2/test"
)

const shipped = "../../testdata/recordings/"

// bench is a document under test with the interface's goroutine played by the test's own.
type bench struct {
	*Document
	t       testing.TB
	queue   chan func()
	engine  *jobs.Engine
	notices []string
	changed map[shell.Slot]int
	drawn   map[shell.Slot]scene.Size
}

func open(t testing.TB, path string) *bench {
	t.Helper()
	b := begin(t, path)
	b.settle()
	return b
}

// begin is open that leaves the jobs running.
func begin(t testing.TB, path string) *bench {
	t.Helper()
	test.NewTempApp(t)
	b := &bench{t: t, queue: make(chan func(), 1000), changed: map[shell.Slot]int{}, drawn: map[shell.Slot]scene.Size{}}
	b.engine = jobs.New(func(f func()) { b.queue <- f })
	type result struct {
		doc shell.Document
		err error
	}
	done := make(chan result, 1)
	host := shell.Host{Engine: b.engine, Report: func(_, _ int64) {},
		Notice: func(s string) { b.notices = append(b.notices, s) }, Log: func(string, ...any) {}}
	go func() {
		doc, err := Open(context.Background(), path, host)
		done <- result{doc, err}
	}()
	for {
		select {
		case f := <-b.queue:
			f()
		case r := <-done:
			if r.err != nil {
				t.Fatal(r.err)
			}
			b.Document = r.doc.(*Document)
			b.Watch(func(slots ...shell.Slot) {
				for _, s := range slots {
					b.changed[s]++
				}
			})
			t.Cleanup(func() { b.Close() })
			return b
		}
	}
}

// settle runs what the jobs deliver until there are none left, and draws the panes again that were drawn, as the window
// does: what they read then can begin further jobs.
func (b *bench) settle() {
	jobstest.Settle(b.engine, b.queue)
	for range 4 {
		for slot, size := range b.drawn {
			b.view(slot).Draw(size, palette.Dark())
		}
		if len(b.engine.Running()) == 0 {
			return
		}
		jobstest.Settle(b.engine, b.queue)
	}
}

func (b *bench) view(slot shell.Slot) shell.View {
	for _, p := range b.Views() {
		if p.Slot == slot {
			return p.View
		}
	}
	b.t.Fatalf("there is no view in slot %s", slot)
	return nil
}

var sizes = []scene.Size{{W: 390, H: 330, Scale: 1}, {W: 170, H: 320, Scale: 1}, {W: 900, H: 700, Scale: 2},
	{W: 1200, H: 90, Scale: 1}}

func (b *bench) draw(slot shell.Slot, size scene.Size) scene.Drawing {
	b.drawn[slot] = size
	return b.view(slot).Draw(size, palette.Dark())
}

// TestEveryViewDrawsEverywhere draws all views of all kinds of recording at all sizes and in both themes.
func TestEveryViewDrawsEverywhere(t *testing.T) {
	for _, name := range []string{"bubble-vector-shuffled", "bubble-array-sorted", "list", "matmul-blocked"} {
		b := open(t, shipped+name+".orr")
		for _, p := range b.Views() {
			for _, theme := range []palette.Theme{palette.Dark(), palette.Light()} {
				for _, size := range sizes {
					d := p.View.Draw(size, theme)
					if d.Size != size || d.Background != theme.Panel || len(d.Shapes) == 0 {
						t.Errorf("%s: %s at %v in %s: size %v, %d shapes", name, p.View.Title(), size, theme.Name, d.Size, len(d.Shapes))
					}
				}
			}
		}
		if len(b.notices) > 0 {
			t.Errorf("%s: %q", name, b.notices)
		}
	}
}

// TestEveryViewFollows changes the link and wants those pictures to change that show what has changed.
func TestEveryViewFollows(t *testing.T) {
	b := open(t, shipped+"list.orr")
	size := scene.Size{W: 500, H: 400, Scale: 1}
	block := func() link.Thing { // one that the spiral shows
		for _, a := range b.cycles.found.First {
			if _, id := b.rec.Regions.Locate(a.Addr, a.Seq); id >= 0 {
				return link.Thing{What: link.Block, ID: id, Low: b.rec.Heap.Block(id).Low, High: b.rec.Heap.Block(id).High()}
			}
		}
		t.Fatal("no block is used")
		return link.Thing{}
	}
	line := link.Thing{What: link.Line, File: "list.c", Line: 31}
	for _, c := range []struct {
		name   string
		change func()
		follow []shell.Slot
	}{
		{"the cursor moves", func() { b.link.SetCursor(100_000) }, []shell.Slot{shell.Cycles, shell.Cache, shell.Heap,
			shell.Timeline, shell.Explain, shell.Source}},
		{"a time-lapse plays", func() { b.link.SetLapse(100_000, 64) }, []shell.Slot{shell.Cache}},
		{"a line is selected", func() { b.link.Select(line, "source") }, []shell.Slot{shell.Source, shell.Cycles,
			shell.Explain, shell.Timeline, shell.Cache}},
		{"the selection is cleared", b.link.Clear, []shell.Slot{shell.Source, shell.Cycles, shell.Explain,
			shell.Timeline, shell.Cache}},
		{"a block is selected", func() { b.link.Select(block(), "heap") }, []shell.Slot{shell.Heap, shell.Explain,
			shell.Timeline, shell.Cycles}},
		{"a region is selected", func() { b.link.Select(link.Thing{What: link.Region, Name: "seed"}, "recording") },
			[]shell.Slot{shell.Recording, shell.Explain, shell.Cache, shell.Cycles}},
		{"a stretch is selected", func() { b.link.SetWindow(link.Range{From: 50_000, To: 50_600}); b.settle() },
			[]shell.Slot{shell.Timeline, shell.Cycles, shell.Gallery}},
	} {
		before := map[shell.Slot]scene.Drawing{}
		for _, s := range c.follow {
			before[s] = b.draw(s, size)
		}
		c.change()
		b.settle()
		for _, s := range c.follow {
			if reflect.DeepEqual(before[s], b.draw(s, size)) {
				t.Errorf("when %s, the picture in %s stays the same", c.name, s)
			}
		}
	}
}

// press sends a press and release to a view at a point.
func (b *bench) press(slot shell.Slot, size scene.Size, at scene.Point) {
	v := b.view(slot)
	v.(pane.Presser).Pressed(pane.Event{Theme: palette.Dark(), At: at, Size: size})
	if r, ok := v.(pane.Releaser); ok {
		r.Released(pane.Event{Theme: palette.Dark(), At: at, Size: size})
	}
}

// TestTimelineScrubsAndSelects drags in the timeline with and without Shift.
func TestTimelineScrubsAndSelects(t *testing.T) {
	b := open(t, shipped+"bubble-vector-shuffled.orr")
	size := scene.Size{W: 1200, H: 90, Scale: 1}
	b.draw(shell.Timeline, size)
	v := b.view(shell.Timeline).(*timelineView)
	v.Pressed(pane.Event{Theme: palette.Dark(), At: scene.Point{X: 600, Y: 50}, Size: size})
	first := b.link.State().Cursor
	v.Dragged(pane.Event{Theme: palette.Dark(), At: scene.Point{X: 900, Y: 50}, Size: size}, scene.Point{X: 600, Y: 50})
	if second := b.link.State().Cursor; first == 0 || second <= first {
		t.Errorf("scrubbing moved the cursor to %d and then to %d", first, second)
	}
	shift := pane.Mods{Shift: true}
	v.Pressed(pane.Event{Theme: palette.Dark(), At: scene.Point{X: 300, Y: 50}, Size: size, Mods: shift})
	for x := 320.0; x <= 700; x += 20 {
		v.Dragged(
			pane.Event{Theme: palette.Dark(), At: scene.Point{X: x, Y: 50}, Size: size, Mods: shift},
			scene.Point{X: 300, Y: 50},
		)
	}
	w := b.link.State().Window
	if w.From == 0 || w.To >= b.Len() || w.To <= w.From {
		t.Errorf("a Shift drag selects %v", w)
	}
	b.settle()
	if q := b.cycles.found.Request; q.From != w.From || q.Count != int(w.To-w.From) {
		t.Errorf("cycles were found from %d, %d references; want %v", q.From, q.Count, w)
	}
	b.link.Undo()
	if got := b.link.State().Window; got != (link.Range{To: b.Len()}) {
		t.Errorf("one undo after the drag gives the window %v", got)
	}
}

// TestGalleryMorphs chooses cards and drags the slider.
func TestGalleryMorphs(t *testing.T) {
	b := open(t, shipped+"bubble-array-reversed.orr")
	size := scene.Size{W: 180, H: 320, Scale: 1}
	if b.cycles.count() < 2 {
		t.Fatalf("%d parameterizations", b.cycles.count())
	}
	before := b.draw(shell.Cycles, sizes[0])
	v := b.view(shell.Gallery).(*galleryView)
	y := size.H - 14
	v.Pressed(pane.Event{Theme: palette.Dark(), At: scene.Point{X: 90, Y: y}, Size: size})
	if m := b.cycles.morph; m < 0.4 || m > 0.6 || b.cycles.from == b.cycles.to {
		t.Errorf("a press in the middle of the slider gives morph %.2f from %d to %d", m, b.cycles.from, b.cycles.to)
	}
	half := b.draw(shell.Cycles, sizes[0])
	v.Dragged(pane.Event{Theme: palette.Dark(), At: scene.Point{X: 400, Y: 10}, Size: size}, scene.Point{X: 90, Y: y})
	if b.cycles.morph != 1 {
		t.Errorf("dragging to the right end gives morph %.2f", b.cycles.morph)
	}
	end := b.draw(shell.Cycles, sizes[0])
	if reflect.DeepEqual(before, half) || reflect.DeepEqual(half, end) || reflect.DeepEqual(before, end) {
		t.Error("the spiral does not follow the morph")
	}
}

// TestClicksSelect presses on a line, a region and a block, and undoes it all.
func TestClicksSelect(t *testing.T) {
	b := open(t, shipped+"list.orr")
	size := scene.Size{W: 500, H: 400, Scale: 1}
	b.draw(shell.Source, size)
	b.press(shell.Source, size, scene.Point{X: 100, Y: 30})
	if s := b.link.State(); s.Selected.What != link.Line || s.Origin != "source" {
		t.Errorf("a press on a source line selects %+v", s.Selected)
	}
	b.draw(shell.Recording, size)
	b.press(shell.Recording, size, scene.Point{X: 50, Y: 36})
	if s := b.link.State(); s.Selected.What != link.Region || s.Origin != "recording" {
		t.Errorf("a press on a region selects %+v", s.Selected)
	}
	b.draw(shell.Heap, size)
	hit := false
	for y := 60.0; y < 300 && !hit; y += 3 {
		b.press(shell.Heap, size, scene.Point{X: 300, Y: y})
		hit = b.link.State().Selected.What == link.Block
	}
	if !hit {
		t.Error("no press down the middle of the heap map selects a block")
	}
	for b.link.Undo() {
	}
	if s := b.link.State(); s.Selected.What != link.Nothing {
		t.Errorf("after undoing everything %+v is selected", s.Selected)
	}
}

// TestSeekFindsTheNextReference compares the search for a line's references with walking through all of them.
func TestSeekFindsTheNextReference(t *testing.T) {
	b := open(t, shipped+"bubble-array-shuffled.orr")
	line := link.Thing{What: link.Line, File: "bubble.c", Line: 19}
	var want []traceio.Seq
	for s := range b.Len() {
		if b.lineAt(s) == line {
			want = append(want, s)
		}
	}
	if len(want) < 5 {
		t.Fatalf("line 19 makes %d references", len(want))
	}
	b.link.SetCursor(0)
	for _, w := range want {
		b.seek(line, 1)
		b.settle()
		if got := b.link.State().Cursor; got != w {
			t.Fatalf("the next reference is %d, want %d", got, w)
		}
	}
	b.seek(line, 1)
	b.settle()
	if len(b.notices) != 1 || !strings.Contains(b.notices[0], "no further") {
		t.Errorf("beyond the last reference: %q", b.notices)
	}
	for i := len(want) - 2; i >= 0; i-- {
		b.seek(line, -1)
		b.settle()
		if got := b.link.State().Cursor; got != want[i] {
			t.Fatalf("the previous reference is %d, want %d", got, want[i])
		}
	}
}

// TestLossIsToldAndTheRestOpens opens a recording that was cut.
func TestLossIsToldAndTheRestOpens(t *testing.T) {
	data, err := os.ReadFile(shipped + "list.orr")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "cut.orr")
	if err := os.WriteFile(path, data[:len(data)*2/3], 0o644); err != nil {
		t.Fatal(err)
	}
	b := open(t, path)
	if b.Len() == 0 || len(b.notices) == 0 {
		t.Errorf("%d references, told %q", b.Len(), b.notices)
	}
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	test.NewTempApp(t)
	path := filepath.Join(t.TempDir(), "x.orr")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	engine := jobs.New(nil)
	defer engine.Wait()
	_, err := Open(context.Background(), path, shell.Host{Engine: engine, Report: func(_, _ int64) {},
		Notice: func(string) {}, Log: func(string, ...any) {}})
	if err == nil || !strings.Contains(err.Error(), "empty") {
		t.Errorf("an empty file gives %v", err)
	}
}

func TestSearchFindsNames(t *testing.T) {
	b := open(t, shipped+"list.orr")
	for _, text := range []string{"seed", "list.c:31", "*MAKE_TEXT"} {
		found := b.Search(text, 5)
		if len(found) == 0 || len(found) > 5 {
			t.Errorf("%q finds %d things", text, len(found))
			continue
		}
		found[0].Go()
		if s := b.link.State(); s.Selected.What == link.Nothing || s.Origin != "search" {
			t.Errorf("going to %q selects %+v", text, s.Selected)
		}
	}
	// there are index_list:t and others, used more
	if found := b.Search("list", 5); len(found) < 2 || found[0].Label != "list" {
		t.Errorf(`"list" finds %+v`, found)
	}
	if found := b.Search("no such thing", 5); len(found) != 0 {
		t.Errorf("nonsense finds %v", found)
	}
}

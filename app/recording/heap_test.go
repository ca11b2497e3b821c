package recording

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"orrery/app/jobs"
	heappane "orrery/app/recording/heap"
	"orrery/app/shell"
	"orrery/views/heapmap"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

var heapPane = scene.Size{W: 1100, H: 420, Scale: 1}

// Every choice of the pane draws, is a step with a name, and is taken back by Undo.
func TestHeapChoicesAreSteps(t *testing.T) {
	b := open(t, shipped+"containers.orr")
	v := b.heap
	steps := 0
	for _, c := range v.chips() {
		for _, o := range c.List {
			if o.On || o.Off || o.ID == "pair" || o.ID == "own" {
				continue
			}
			before := v.Caption() + v.chipWords()
			o.Run()
			b.settle()
			b.draw(shell.Heap, heapPane)
			b.settle()
			name := b.link.Undoable()
			if name == "" {
				t.Errorf("%q is no step", o.Title)
				continue
			}
			steps++
			b.link.Undo()
			b.settle()
			if after := v.Caption() + v.chipWords(); after != before {
				t.Errorf("%q (%s), taken back, leaves %q, not %q", o.Title, name, after, before)
			}
			if b.link.Redo(); b.link.Undoable() != name {
				t.Errorf("%q is not done again", o.Title)
			}
			b.settle()
			b.link.Undo()
		}
	}
	if steps < 25 {
		t.Errorf("only %d choices", steps)
	}
	if len(b.notices) > 0 {
		t.Errorf("notices %q", b.notices)
	}
}

// chipWords is what the chips say.
func (v *heapView) chipWords() string {
	var all []string
	for _, c := range v.chips() {
		all = append(all, c.Word)
	}
	return strings.Join(all, "|")
}

// A drag of alpha is one step, and the picture follows it.
func TestHeapSlider(t *testing.T) {
	b := open(t, shipped+"containers.orr")
	v := b.heap
	b.draw(shell.Heap, heapPane)
	box := v.sliderBox(heapPane)
	at := func(share float64) pane.Event {
		return pane.Event{
			Theme:  palette.Dark(),
			Size:   heapPane,
			At:     scene.Point{X: box.Min.X + share*box.W(), Y: box.Center().Y},
			Button: pane.Primary,
		}
	}
	v.Pressed(at(0.2))
	for _, share := range []float64{0.4, 0.6, 0.99} {
		v.Dragged(at(share), at(0.2).At)
		b.draw(shell.Heap, heapPane)
	}
	if v.shown.Now.Alpha < 1.5 || !strings.Contains(v.Caption(), "alpha 2") {
		t.Errorf("dragged to the end alpha is %g, %q", v.shown.Now.Alpha, v.Caption())
	}
	if b.link.Undo(); v.shown.Now.Alpha != heapmap.DefaultAlpha {
		t.Errorf("taken back alpha is %g", v.shown.Now.Alpha)
	}
	if b.link.Undoable() != "" {
		t.Errorf("one drag left %q", b.link.Undoable())
	}
}

// Control and a click set a cursor, and take it away again; a press on a bin's title shows it alone.
func TestHeapCursorsAndBins(t *testing.T) {
	b := open(t, shipped+"containers.orr")
	v := b.heap
	v.turn(heappane.Addresses)
	b.draw(shell.Heap, heapPane)
	b.settle()
	v.turn(heappane.Map)
	e := pane.Event{
		Theme:  palette.Dark(),
		Size:   heapPane,
		At:     scene.Point{X: 500, Y: 200},
		Button: pane.Primary,
		Mods:   pane.Mods{Control: true},
	}
	v.Pressed(e)
	if len(v.shown.Now.Cursors) != 1 {
		t.Fatalf("cursors %v", v.shown.Now.Cursors)
	}
	e.Mods.Shift = true
	v.Pressed(e)
	if len(v.shown.Now.Levels) != 1 || v.shown.Now.Levels[0] < 0.2 || v.shown.Now.Levels[0] > 0.8 {
		t.Errorf("levels %v", v.shown.Now.Levels)
	}
	e.Mods.Shift = false
	v.Pressed(e)
	if len(v.shown.Now.Cursors) != 0 {
		t.Errorf("pressed again, cursors are %v", v.shown.Now.Cursors)
	}
	v.turn(heappane.Bars)
	b.draw(shell.Heap, heapPane)
	found := false
	for y := 30.0; y < 400 && !found; y += 4 {
		p := pane.Event{Theme: palette.Dark(), Size: heapPane, At: scene.Point{X: 50, Y: y}, Button: pane.Primary}
		if found = v.hit(p).Part == heapmap.BinTitle; found {
			v.Pressed(p)
		}
	}
	if !found || v.shown.Now.Bin == 0 || v.shown.Now.Page != heappane.Map || !strings.Contains(v.Caption(), "bin ") {
		t.Errorf("a press on a bin shows %+v, %q", v.shown, v.Caption())
	}
	if items := v.Menu(pane.Event{Theme: palette.Dark(), Size: heapPane}); len(entriesOf(items)) < 10 ||
		items[0].Title != "Show all bins in the map" {
		t.Errorf("the menu has %d lines", len(items))
	}
}

// A click in the map selects the block and goes to its time; a drag moves the map by as much and leaves both.
func TestHeapDragIsNoClick(t *testing.T) {
	b := open(t, shipped+"list.orr")
	v := b.heap
	b.draw(shell.Heap, heapPane)
	at := func(x float64) pane.Event {
		return pane.Event{Theme: palette.Dark(), Size: heapPane, At: scene.Point{X: x, Y: 200}, Button: pane.Primary}
	}
	v.Scrolled(at(600), 0, 30)
	var block link.Thing
	x := 300.0
	for ; x < 900 && block.What != link.Block; x += 5 {
		block = v.hit(at(x)).Thing
	}
	x -= 5
	if block.What != link.Block {
		t.Fatal("no block is found")
	}
	from := v.base.From
	v.Pressed(at(x))
	v.Dragged(at(x-2), at(x).At)
	v.Dragged(at(x-60), at(x).At)
	v.Released(at(x - 60))
	if s := b.link.State(); s.Cursor != 0 || s.Selected.What != link.Nothing || v.base.From <= from {
		t.Errorf("a drag leads to %d, selects %+v, and shows %d on", s.Cursor, s.Selected, v.base.From)
	}
	if under := v.hit(at(x - 60)).Thing; under != block {
		t.Errorf("%+v was seized, %+v is under the pointer", block, under)
	}
	v.Pressed(at(x - 60))
	v.Dragged(at(x-61), at(x-60).At) // a hand is not quite still
	v.Released(at(x - 61))
	if s := b.link.State(); s.Cursor == 0 || s.Selected != block {
		t.Errorf("a click leads to %d and selects %+v", s.Cursor, s.Selected)
	}
}

// Two runs are drawn one below the other over one time; things of the other one cannot be selected.
func TestHeapPair(t *testing.T) {
	b := open(t, shipped+"containers.orr")
	v := b.heap
	v.compareWith(shipped + "list.orr")
	b.settle()
	d := b.draw(shell.Heap, heapPane)
	b.settle()
	if text := written(d); v.shown.Now.Page != heappane.Pair || !strings.Contains(text, "below list.orr") {
		t.Fatalf("it shows %q", text)
	}
	mine, other, _ := v.pair(heapPane, palette.Dark(), heapPane.W)
	if mine.Until != other.Until || mine.Peak != other.Peak || mine.Until < mine.Heap.Axis.End ||
		other.Until < other.Heap.Axis.End {
		t.Errorf("scales %d and %d, %d and %d", mine.Until, other.Until, mine.Peak, other.Peak)
	}
	v.shown.Choose("colours of the heap", func(c *heappane.Choices) { c.Color = heapmap.BinOf })
	b.draw(shell.Heap, heapPane)
	b.settle()
	v.toggle(0)
	ours, theirs, _ := v.pair(heapPane, palette.Dark(), heapPane.W)
	first, same := v.draw.Legend(ours)[0], 0
	for i, e := range v.second.draw.Legend(theirs) {
		if e.Name == first.Name {
			same++
			if e.Color != first.Color || !theirs.Hidden[i] {
				t.Errorf("bin %s has %v in one run and %v in the other, hidden %v", e.Name, first.Color, e.Color, theirs.Hidden)
			}
		}
	}
	if same != 1 {
		t.Errorf("bin %s is %d times in the other run", first.Name, same)
	}
	b.link.Undo()
	b.link.Undo()
	if h := heapmap.Height(mine); h != heapmap.Height(other) || h < mine.Heap.Spans[0].Size() ||
		h < other.Heap.Spans[0].Size() {
		t.Errorf("one map is %d bytes of addresses high, the other %d", h, heapmap.Height(other))
	}
	for y := 225.0; y < 400; y += 7 {
		for x := 80.0; x < 1000; x += 41 {
			e := pane.Event{Theme: palette.Dark(), Size: heapPane, At: scene.Point{X: x, Y: y}}
			if got := v.hit(e); got.Thing.What != link.Nothing {
				t.Fatalf("a thing of the other run answers: %+v", got.Thing)
			}
		}
	}
	below := pane.Event{Theme: palette.Dark(), Size: heapPane, At: scene.Point{X: 500, Y: 300}, Button: pane.Primary}
	v.Scrolled(below, 0, 30)
	from, to := v.base.From, v.base.To
	v.Pressed(below)
	if v.Released(below); v.hit(below).Part != heapmap.Map || to <= from || v.d.link.State().Cursor != 0 {
		t.Errorf("the wheel over the other run shows %d to %d, a press there moves the cursor to %d", from, to,
			v.d.link.State().Cursor)
	}
	v.Pressed(below)
	v.Dragged(pane.Event{Theme: palette.Dark(), Size: heapPane, At: scene.Point{X: 480, Y: 300}}, below.At)
	if moved := float64(v.base.From-from) / float64(to-from); moved < 0.02 || moved > 0.025 {
		t.Errorf("a drag of 20 pixels in the other run moves both by a share of %g", moved)
	}
	words := pane.Event{
		Theme:  palette.Dark(),
		Size:   heapPane,
		At:     scene.Point{X: 300, Y: heapPane.H / 2},
		Button: pane.Primary,
	}
	if tip := strings.Join(v.Tip(words), "|"); !strings.HasSuffix(tip, "click: the sites of both runs in a table") {
		t.Errorf("the words between them say %q", tip)
	}
	if v.Pressed(words); v.d.sites.shown != (sitesChoices{table: "against", than: shipped + "list.orr"}) {
		t.Errorf("a press on the words between them shows %+v in the table", v.d.sites.shown)
	}
	b.link.Undo()
	b.link.Undo()
	if v.shown.Now.Page != heappane.Map {
		t.Errorf("taken back it shows %s", heappane.Pages.Values[v.shown.Now.Page].ID)
	}
	plain := filepath.Join(t.TempDir(), "plain.lackey")
	if err := os.WriteFile(plain, []byte(strings.Repeat("I  04000000,4\n L 1ffefff0,8\n", 50)), 0o644); err != nil {
		t.Fatal(err)
	}
	v.compareWith(plain)
	b.settle()
	if len(b.notices) != 1 || !strings.Contains(b.notices[0], "no allocations") {
		t.Errorf("a run without allocations is told as %q", b.notices)
	}
}

// The references inside the selected block are as many as the block has in all.
func TestHeapLooksIntoTheSelectedBlock(t *testing.T) {
	b := open(t, shipped+"list.orr")
	v := b.heap
	most := 0
	for i, u := range b.rec.Use.Blocks {
		if u.References() > b.rec.Use.Blocks[most].References() {
			most = i
		}
	}
	b.link.Select(heapmap.BlockThing(b.rec.Heap, most), "test")
	b.draw(shell.Heap, heapPane)
	b.settle()
	in, _, _ := v.inside.Newest()
	if in == nil || in.Block != most {
		t.Fatalf("block %d is selected, and inside is %+v", most, in)
	}
	sum := uint64(0)
	for _, row := range in.Counts {
		for _, n := range row {
			sum += uint64(n)
		}
	}
	if want := b.rec.Use.Blocks[most].References(); sum < want {
		t.Errorf("%d references inside, want at least %d", sum, want)
	}
}

// A heap of more blocks than are painted at once comes in tiles, and the pane is told when there are more of them.
func TestHeapComesInTiles(t *testing.T) {
	b := open(t, shipped+"containers.orr")
	v := b.heap
	b.settle()
	v.draw.Later = true
	before := b.changed[shell.Heap]
	for range 200 {
		v.draw.Scene(v.state(palette.Dark()), heapPane)
		if !v.draw.Lacks() {
			break
		}
		v.work(&v.draw, "heap map")
		b.settle()
	}
	if v.draw.Lacks() || b.changed[shell.Heap] == before {
		t.Errorf("something is lacking still, after %d pictures", b.changed[shell.Heap]-before)
	}
}

// While long jobs hold all processors, as they do after a recording was opened, the map of a large heap comes all the
// same, and what a frame lacked when another one was drawn meanwhile comes too.
func TestHeapIsDrawnBesideLongJobs(t *testing.T) {
	var log strings.Builder
	log.WriteString("= Start\n")
	for i := range 3 * atOnce {
		a := 0x405000 + 64*(i*7919%2000)
		fmt.Fprintf(&log, "@ ./prog:[0x%x] + 0x%x 0x%x\n@ ./prog:[0x401136] - 0x%x\n", 0x401100+i%5*16, a, 8+i%40, a)
	}
	path := filepath.Join(t.TempDir(), "many.mtrace")
	if err := os.WriteFile(path, []byte(log.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	b := open(t, path)
	if n := b.rec.Heap.Count(); n <= atOnce {
		t.Fatalf("%d blocks are painted at once", n)
	}
	hold := make(chan struct{})
	for i := range 4 * runtime.GOMAXPROCS(0) {
		jobs.Start(b.engine, fmt.Sprint("long ", i), "holding a processor",
			func(ctx context.Context, _ func(done, total int64)) (bool, error) {
				select {
				case <-hold:
				case <-ctx.Done():
				}
				return true, nil
			}, func(bool, error) {})
	}
	defer b.settle()
	defer close(hold)
	drawn := func() (tiles int) {
		for _, x := range b.draw(shell.Heap, heapPane).Shapes {
			if g, ok := x.(scene.Group); ok {
				for _, x := range g.Shapes {
					if i, ok := x.(scene.Image); ok && i.Name == "heap blocks over time and address" {
						tiles++
					}
				}
			}
		}
		return tiles
	}
	v := b.heap
	for step, change := range []func(){
		func() {}, func() {
			v.window(heapmap.Zoom(v.state(palette.Dark()), heapPane, scene.Point{X: 500, Y: 200}, 3, true, true))
		},
		func() { v.shown.Choose("colours", func(c *heappane.Choices) { c.Color = heapmap.Size }) },
	} {
		change()
		drawn()
		heapPane := heapPane
		heapPane.W += 7 // another frame before the first one is ready: its size is still changing
		b.draw(shell.Heap, heapPane)
		guard := time.After(3 * time.Minute)
		for drawn() == 0 || v.draw.Lacks() {
			select {
			case f := <-b.queue:
				f()
			case <-guard:
				t.Fatalf("step %d: %d tiles after a minute, jobs %v", step, drawn(), b.engine.Running())
			}
		}
	}
}

// References inside a block and bins that were cancelled are taken up by F5, not before.
func TestHeapGoesOnAfterF5(t *testing.T) {
	b := open(t, shipped+"containers.orr")
	v := b.heap
	b.link.Select(heapmap.BlockThing(b.rec.Heap, 3), "heap")
	b.draw(shell.Heap, heapPane)
	v.shown.Choose("bins of the heap", func(c *heappane.Choices) { c.Rule = "arenas" })
	b.engine.CancelAll()
	b.Stopped()
	b.settle()
	b.draw(shell.Heap, heapPane)
	b.settle()
	rule := binning{b.rec.Heap, "arenas"}
	block := inside{b.rec, b.rec.Heap, 3}
	if v.inside.Has(block) || v.bins.Has(rule) {
		t.Fatalf("cancelled work went on by itself: inside %v, bins %v", v.inside.Has(block), v.bins.Has(rule))
	}
	b.again()
	b.draw(shell.Heap, heapPane)
	b.settle()
	for range 3 {
		b.draw(shell.Heap, heapPane)
		b.settle()
	}
	if h, known := binned(v.bins, b.rec.Heap, "arenas"); !known || !v.inside.Has(inside{b.rec, h, 3}) {
		t.Errorf("after F5 the bins are known: %t", known)
	}
}

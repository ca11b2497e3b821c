package document

import (
	"reflect"
	"testing"
	"time"

	"orrery/app/session"
	"orrery/app/shell"
	"orrery/views/chooser"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/source"
	"orrery/views/spiral"
)

var cyclesPane = scene.Size{W: 640, H: 480, Scale: 1}

// TestC5C10ChooserChangesThePicture presses every word of the chooser and wants four different pictures, the projection once it
// is computed.
func TestC5C10ChooserChangesThePicture(t *testing.T) {
	b := open(t, shipped+"bubble-array-shuffled.orr")
	v := b.view(shell.Cycles).(*cyclesView)
	var drawn []scene.Drawing
	for i := range pictureNames {
		row, at := v.choosers(palette.Dark(), cyclesPane)
		p := scene.Point{X: at.X, Y: at.Y + 5}
		for chooser.Hit(row, at, p) != i {
			if p.X++; p.X > cyclesPane.W {
				t.Fatalf("no %s in the chooser", pictureNames[i])
			}
		}
		b.press(shell.Cycles, cyclesPane, p)
		b.draw(shell.Cycles, cyclesPane)
		b.settle()
		drawn = append(drawn, b.draw(shell.Cycles, cyclesPane))
		for k := range i {
			if reflect.DeepEqual(drawn[k], drawn[i]) {
				t.Errorf("%s looks like %s", pictureNames[i], pictureNames[k])
			}
		}
		for _, small := range sizes {
			b.draw(shell.Cycles, small)
		}
	}
	if b.cycles.extras.plane == nil || len(b.cycles.extras.plane.Place) != b.cycles.found.Times {
		t.Error("the projection did not come")
	}
}

// TestC8ColoursGoThroughAllChoices presses the colour's word until it is at the beginning again.
func TestC8ColoursGoThroughAllChoices(t *testing.T) {
	b := open(t, shipped+"bubble-array-shuffled.orr")
	v := b.view(shell.Cycles).(*cyclesView)
	seen := map[session.ColorBy]bool{}
	for !seen[v.shown.by] {
		seen[v.shown.by] = true
		if d := b.draw(shell.Cycles, cyclesPane); len(d.Shapes) < 5 {
			t.Errorf("%s: %d shapes", v.shown.by, len(d.Shapes))
		}
		_, at, ok := v.colorChooser(palette.Dark(), cyclesPane)
		if !ok {
			t.Fatal("no room for the colours")
		}
		b.press(shell.Cycles, cyclesPane, scene.Point{X: at.X + 5, Y: at.Y + 5})
	}
	if want := len(session.ColorChoices) - 1; len(seen) != want { // all but the group, of which there is none
		t.Errorf("%d choices were met, want %d: %v", len(seen), want, seen)
	}
	v.group(0, session.Member{File: "bubble.c", Low: 16, High: 16})
	v.group(1, session.Member{File: "bubble.c", Low: 17, High: 17})
	v.group(0, session.Member{File: "bubble.c", Low: 17, High: 17})
	if g := v.shown.groups; v.shown.by != session.ByGroup || len(g[0].Members) != 2 || len(g[1].Members) != 0 {
		t.Errorf("groups %+v", v.shown.groups)
	}
	v.hide("group A")
	b.draw(shell.Cycles, cyclesPane)
	if !v.base.Keys[0].Hidden {
		t.Error("the hidden group is shown")
	}
}

// TestC8SourceHasTheColoursAndFolds: lines of a function have its colour when cycles are coloured by function; folded, the text is shorter.
func TestC8SourceHasTheColoursAndFolds(t *testing.T) {
	b := open(t, shipped+"bubble-array-shuffled.orr")
	b.view(shell.Cycles).(*cyclesView).color(session.ByFunction)
	v := b.view(shell.Source).(*sourceView)
	before := v.state(palette.Dark())
	seen := map[string]any{}
	for n, h := range before.Heat {
		if ink, ok := seen[h.Function]; ok && ink != h.Color {
			t.Errorf("line %d of %s has another colour than the others", n, h.Function)
		}
		seen[h.Function] = h.Color
	}
	long := source.Overflow(before, scene.Size{W: 400, H: 100})
	v.foldAll(true)
	if short := source.Overflow(v.state(palette.Dark()), scene.Size{W: 400, H: 100}); short >= long {
		t.Errorf("folded the text is %g long, unfolded %g", short, long)
	}
	b.draw(shell.Source, cyclesPane)
	v.foldAll(false)
	if again := source.Overflow(v.state(palette.Dark()), scene.Size{W: 400, H: 100}); again != long {
		t.Errorf("unfolded again the text is %g long, before %g", again, long)
	}
}

// TestC14BrushSelectsTimeAsOneStep drags with Shift and takes it back with one undo.
func TestC14BrushSelectsTimeAsOneStep(t *testing.T) {
	b := open(t, shipped+"bubble-array-shuffled.orr")
	v := b.view(shell.Cycles).(*cyclesView)
	b.draw(shell.Cycles, cyclesPane)
	from := scene.Point{X: 320, Y: 130}
	e := pane.Event{Size: cyclesPane, At: from, Mods: pane.Mods{Shift: true}}
	v.Pressed(e)
	for y := 130.0; y > 40; y -= 10 {
		e.At.Y = y
		v.Dragged(e, from)
	}
	got := b.link.State().Selected
	if got.What != link.Time || got.Span != spiral.Brush(v.state(palette.Dark()), cyclesPane, from, e.At) {
		t.Fatalf("selected %+v", got)
	}
	if !b.link.Undo() || b.link.State().Selected.What != link.Nothing {
		t.Errorf("one undo leaves %+v", b.link.State().Selected)
	}
}

// TestC3DiagramChoosesTheClass presses a bar and wants its class in the picture; a drag brushes scales.
func TestC3DiagramChoosesTheClass(t *testing.T) {
	b := open(t, shipped+"bubble-array-shuffled.orr")
	v := b.view(shell.Cycles).(*cyclesView)
	v.show(asDiagram)
	b.draw(shell.Cycles, cyclesPane)
	e := pane.Event{Size: cyclesPane}
	for x := 330.0; x < 640; x += 4 {
		for y := 30.0; y < 300; y += 2 {
			e.At = scene.Point{X: x, Y: y}
			if v.hitBar(e).Bar == 3 {
				v.Moved(e)
				v.Pressed(e)
				if p := &b.cycles.found.Parameterizations[b.cycles.to]; p.Rank != 4 || v.bar != 3 {
					t.Fatalf("the press shows rank %d, hover %d", p.Rank, v.bar)
				}
				b.cycles.stop()
				e.At.X += 60
				v.Dragged(e, scene.Point{X: x, Y: y})
				if !(v.high > v.low) {
					t.Errorf("the drag brushes %g to %g", v.low, v.high)
				}
				return
			}
		}
	}
	t.Error("the fourth bar is nowhere")
}

// TestC18ExpandAndCollapse hangs a class on the spiral and takes it off again.
func TestC18ExpandAndCollapse(t *testing.T) {
	b := open(t, shipped+"bubble-array-shuffled.orr")
	v := b.view(shell.Cycles).(*cyclesView)
	before := b.draw(shell.Cycles, cyclesPane)
	reach := func(rank int, goal float64) {
		v.splice(rank)
		for range 200 {
			if v.grown(rank) == goal {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Fatalf("the class of rank %d is expanded by %g, want %g", rank, v.grown(rank), goal)
	}
	reach(3, 1)
	if reflect.DeepEqual(before, b.draw(shell.Cycles, cyclesPane)) {
		t.Error("the picture does not change")
	}
	reach(3, 0)
	if !reflect.DeepEqual(before, b.draw(shell.Cycles, cyclesPane)) {
		t.Error("something is left of the loops")
	}
}

// TestC11SamplingSpansMoreTime uses one of ten references: as many, of a stretch ten times as long.
func TestC11SamplingSpansMoreTime(t *testing.T) {
	b := open(t, shipped+"bubble-array-sorted.orr")
	v := b.view(shell.Cycles).(*cyclesView)
	for _, item := range v.Menu(pane.Event{Size: cyclesPane}) {
		if item.Title == "Use one of 10 references" {
			item.Run()
		}
	}
	b.settle()
	if b.cycles.asked.Every != 10 {
		t.Errorf("asked for %+v", b.cycles.asked)
	}
	long := link.State{Window: link.Range{To: 100 * stretch}, Cursor: 42 * stretch}
	if q := b.cycles.request(long); q.Every != 10 || q.Count != 10*stretch || q.From > 42*stretch || q.From+10*stretch <= 42*stretch {
		t.Errorf("around %d: %+v", long.Cursor, q)
	}
}

package recording

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"orrery/app/panes"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/source"
	"orrery/views/spiral"
)

var cyclesPane = scene.Size{W: 640, H: 480, Scale: 1}

// TestC5C10ChooserChangesThePicture presses every word of the chooser and wants four different pictures, the projection
// once it is computed.
func TestC5C10ChooserChangesThePicture(t *testing.T) {
	b := open(t, shipped+"bubble-array-shuffled.orr")
	v := b.view(shell.Cycles).(*cyclesView)
	var drawn []scene.Drawing
	for i := range pictureNames {
		row, at := v.choices(palette.Dark())
		p := scene.Point{X: at.X, Y: at.Y + 5}
		for row.Hit(at, p) != i {
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
	if p, _, ok := b.cycles.extras.plane.Newest(); !ok || len(p.Place) != b.cycles.found.Times {
		t.Error("the projection did not come")
	}
}

// press presses a word of a list: first the chip that opens it.
func (b *bench) pick(chip, title string) {
	b.t.Helper()
	v := b.cyclesView
	for _, c := range v.controls(palette.Dark(), cyclesPane) {
		if c.Name == chip {
			b.press(shell.Cycles, cyclesPane, scene.Point{X: c.At.X + 5, Y: c.At.Y + 5})
		}
	}
	list, at, options := v.bar.List(v.controls(palette.Dark(), cyclesPane), palette.Dark(), cyclesPane)
	for i, o := range options {
		if o.Title == title {
			b.press(shell.Cycles, cyclesPane,
				scene.Point{X: at.X + 5, Y: at.Y + list.Height()*(float64(i)+0.5)/float64(len(options))})
			b.settle()
			return
		}
	}
	b.t.Fatalf("there is no choice %q in the list of %s", title, chip)
}

// TestC8ColoursGoThroughAllChoices picks every colour from the list.
func TestC8ColoursGoThroughAllChoices(t *testing.T) {
	b := open(t, shipped+"bubble-array-shuffled.orr")
	v := b.view(shell.Cycles).(*cyclesView)
	for _, c := range session.ColorChoices {
		b.pick("colours", "Colour by "+c.Title)
		if want := c.By == session.ByGroup; (v.shown.colours.by != c.By) != want { // of which there is none
			t.Errorf("picking %s gives %s", c.By, v.shown.colours.by)
		}
		if d := b.draw(shell.Cycles, cyclesPane); len(d.Shapes) < 5 {
			t.Errorf("%s: %d shapes", c.By, len(d.Shapes))
		}
	}
	v.group(0, session.Member{File: "bubble.c", Low: 16, High: 16})
	v.group(1, session.Member{File: "bubble.c", Low: 17, High: 17})
	v.group(0, session.Member{File: "bubble.c", Low: 17, High: 17})
	if g := v.shown.colours.groups; v.shown.colours.by != session.ByGroup || len(g[0].Members) != 2 ||
		len(g[1].Members) != 0 {
		t.Errorf("groups %+v", v.shown.colours.groups)
	}
	v.hide("group A")
	b.draw(shell.Cycles, cyclesPane)
	if !v.base.Keys[0].Hidden {
		t.Error("the hidden group is shown")
	}
}

// TestC8SourceHasTheColoursAndFolds: lines of a function have its colour when cycles are coloured by function; folded,
// the text is shorter.
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
	e := pane.Event{Theme: palette.Dark(), Size: cyclesPane, At: from, Mods: pane.Mods{Shift: true}}
	v.Pressed(e)
	for y := 130.0; y > 40; y -= 10 {
		e.At.Y = y
		v.Dragged(e, from)
	}
	got := b.link.State().Selected
	if got.What != link.Time || got.Span != spiral.Brush(v.state(palette.Dark()), inner(cyclesPane), from, e.At) {
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
	e := pane.Event{Theme: palette.Dark(), Size: cyclesPane}
	for x := 330.0; x < 640; x += 4 {
		for y := 30.0; y < 300; y += 2 {
			e.At = scene.Point{X: x, Y: y}
			if v.hitBar(e).Bar == 3 {
				v.Moved(e)
				v.Pressed(e)
				if p := &b.cycles.found.Parameterizations[b.cycles.to]; p.Rank != 4 || v.hovered != 3 {
					t.Fatalf("the press shows rank %d, hover %d", p.Rank, v.hovered)
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

// TestC18ExpandAndCollapse hangs a class on the spiral and takes it off again, by the palette's commands.
func TestC18ExpandAndCollapse(t *testing.T) {
	b := open(t, shipped+"bubble-array-shuffled.orr")
	v := b.view(shell.Cycles).(*cyclesView)
	before := b.draw(shell.Cycles, cyclesPane)
	reach := func(rank int, goal float64) {
		for _, c := range v.commands() {
			if c.ID == fmt.Sprintf("cycles.splice.%d", rank) && c.Enabled() {
				c.Run()
			}
		}
		for range 12_000 {
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
	v.show(asCircle)
	for _, c := range v.commands() {
		if strings.HasPrefix(c.ID, "cycles.splice.") && c.Enabled() {
			t.Errorf("%q is offered on a circle", c.Title)
		}
	}
}

// TestC11SamplingSpansMoreTime uses one of ten references: as many, of a stretch ten times as long.
func TestC11SamplingSpansMoreTime(t *testing.T) {
	b := open(t, shipped+"bubble-array-sorted.orr")
	b.pick("sampling", "Use one of 10 references")
	if b.cycles.asked.Every != 10 {
		t.Errorf("asked for %+v", b.cycles.asked)
	}
	long := link.State{Window: link.Range{To: 100 * stretch}, Cursor: 42 * stretch}
	if q := b.cycles.request(long); q.Every != 10 || q.Count != 10*stretch || q.From > 42*stretch ||
		q.From+10*stretch <= 42*stretch {
		t.Errorf("around %d: %+v", long.Cursor, q)
	}
}

// TestA3ChoicesAreUndoableSteps changes everything that the pane lets one choose, takes it all back and repeats it.
func TestA3ChoicesAreUndoableSteps(t *testing.T) {
	b := open(t, shipped+"bubble-array-shuffled.orr")
	v, c := b.cyclesView, &b.cycles
	type seen struct {
		picture cyclesPicture
		by      session.ColorBy
		lens    lens
		scale   float64
		to      int
		hidden  bool
		spliced bool
		request session.CyclesRequest
	}
	look := func() seen {
		b.settle()
		return seen{v.shown.picture, v.shown.colours.by, c.lens, c.scale, c.to, v.shown.colours.hidden["stack"],
			v.shown.spliced[2], c.found.Request}
	}
	steps := []struct {
		name string
		do   func()
	}{
		{"scale of the angles", func() { v.stepScale(1) }},
		{"spliced cycles", func() { v.splice(2) }},
		{"colours", func() { b.pick("colours", "Colour by region") }},
		{"what is hidden", func() { v.hide("stack") }},
		{"parameterization", func() { c.choose(b.Document, 1) }},
		{"what makes references equal", func() { b.pick("alphabet", "Compare by address and kind") }},
		{"length of windows", func() { b.pick("window", "Windows of 5 references") }},
		{"largest scale", func() { b.pick("eps", "Scales up to 4 edits") }},
		{"sampling", func() { b.pick("sampling", "Use one of 2 references") }},
		{"picture of the cycles", func() { v.show(asCircle) }},
	}
	states := []seen{look()}
	for _, s := range steps {
		s.do()
		states = append(states, look())
		if got := b.link.Undoable(); got != s.name || states[len(states)-1] == states[len(states)-2] {
			t.Errorf("the step is called %q, want %q; before %+v, after %+v", got, s.name, states[len(states)-2],
				states[len(states)-1])
		}
	}
	for i := len(steps) - 1; i >= 0; i-- {
		b.link.Undo()
		if got := look(); got != states[i] {
			t.Errorf("undo of %s gives %+v, want %+v", steps[i].name, got, states[i])
		}
	}
	for i := range steps {
		b.link.Redo()
		if got := look(); got != states[i+1] {
			t.Errorf("redo of %s gives %+v, want %+v", steps[i].name, got, states[i+1])
		}
	}
	c.stop()
}

// TestScaleSliderMovesTheAngles drags the knob from end to end: the angles are those of the scale, which is told, and
// the drag is one step.
func TestScaleSliderMovesTheAngles(t *testing.T) {
	b := open(t, shipped+"bubble-array-reversed.orr")
	v, c := b.cyclesView, &b.cycles
	knob, room, words, ok := v.knob(palette.Dark(), cyclesPane)
	if !ok || words != "scale 2" {
		t.Fatalf("the slider says %q", words)
	}
	birth := c.target().Theta
	from := scene.Point{X: knob.X(room, knob.Low), Y: room.Center().Y}
	e := pane.Event{Theme: palette.Dark(), Size: cyclesPane, At: from}
	v.Pressed(e)
	for _, want := range c.scales() {
		e.At.X = knob.X(room, want)
		v.Dragged(e, from)
		b.settle()
		p := c.target()
		direct, err := c.found.Result.At(t.Context(), p.Rank, want)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, words, _ := v.knob(palette.Dark(), cyclesPane); p.Scale != want || words != fmt.Sprintf("scale %g", want) ||
			!reflect.DeepEqual(p.Theta, direct.Theta) {
			t.Errorf("at scale %g the angles are of scale %g, and the slider says %q", want, p.Scale, words)
		}
	}
	if reflect.DeepEqual(birth, c.target().Theta) {
		t.Error("the angles are the same from end to end")
	}
	if c.choose(b.Document, 1); c.target().Rank == 2 {
		b.settle()
		if s := c.scales(); c.target().Scale != s[len(s)-1] {
			t.Errorf("another class is shown at %g, want the largest of its scales up to that chosen, %g",
				c.target().Scale, s[len(s)-1])
		}
	}
	c.stop()
	b.link.Undo()
	b.link.Undo()
	b.settle()
	if c.stop(); c.target().Scale != knob.Low || !reflect.DeepEqual(birth, c.target().Theta) {
		t.Errorf("undo leaves the angles at scale %g, want those of birth", c.target().Scale)
	}
}

// TestScaleLineInTheBarcode drags the line in the diagram.
func TestScaleLineInTheBarcode(t *testing.T) {
	b := open(t, shipped+"bubble-array-reversed.orr")
	v, c := b.cyclesView, &b.cycles
	v.show(asDiagram)
	e := pane.Event{Theme: palette.Dark(), Size: cyclesPane, At: scene.Point{Y: 200}}
	for e.At.X = 340; !v.hitBar(e).Grip; e.At.X++ {
		if e.At.X > cyclesPane.W {
			t.Fatal("no line in the barcode")
		}
	}
	from := e.At
	v.Pressed(e)
	for v.hitBar(e).Scale < 5 {
		e.At.X++
	}
	v.Dragged(e, from)
	b.settle()
	if c.target().Scale != 5 || v.low < v.high || b.link.Undoable() != "scale of the angles" {
		t.Errorf("the drag leaves the scale at %g, brush %g to %g", c.target().Scale, v.low, v.high)
	}
}

// TestC19AcceptThinsWhatACycleExplains accepts the inner cycle: fewer references are used, which is told, another cycle
// is found, and undo gives the first picture back.
func TestC19AcceptThinsWhatACycleExplains(t *testing.T) {
	b := open(t, shipped+"sharing-packed.orr")
	v, c := b.cyclesView, &b.cycles
	b.link.SetWindow(link.Range{From: 1000, To: 1600})
	b.settle()
	used, turns := c.found.Used, c.target().Turns
	for n := 1; n <= 2; n++ {
		before := c.found.Used
		v.accept()
		b.settle()
		if c.found.Used >= before || c.accepted().count() != n {
			t.Fatalf("%d references are used after accepting %d, before %d; %d are accepted", c.found.Used, n, before,
				c.accepted().count())
		}
		if want := fmt.Sprintf("%d of %d references used", c.found.Used, used); !strings.Contains(c.caption(), want) {
			t.Errorf("the caption %q does not say %q", c.caption(), want)
		}
	}
	if c.target().Turns >= turns/2 {
		t.Errorf("%.1f turns of #1 are left of %.1f", c.target().Turns, turns)
	}
	v.show(asPlane)
	b.draw(shell.Cycles, cyclesPane)
	b.settle()
	if p, _, ok := c.extras.plane.Newest(); !ok || len(p.Place) != c.found.Times {
		t.Errorf("the projection is not of the references that are left: %s", fmt.Sprint(c.extras.plane.Err()))
	}
	b.pick("accepted", "Keep one of 2 turns")
	more := c.found.Used
	b.pick("accepted", "Take all back")
	if c.found.Used != used || more >= used {
		t.Errorf("%d references are used after all was taken back, want %d", c.found.Used, used)
	}
	b.link.Undo()
	b.settle()
	if c.found.Used != more {
		t.Errorf("undo gives %d references, want %d", c.found.Used, more)
	}
	b.link.SetWindow(link.Range{From: 1000, To: 1200})
	b.settle()
	if c.found.Used != 200 || c.accepted().count() != 0 {
		t.Errorf("in another range %d references are used and %d cycles accepted", c.found.Used, c.accepted().count())
	}
}

// TestC19AcceptThatThinsNothingIsTold: the sweeps of a bubble sort are all of different lengths.
func TestC19AcceptThatThinsNothingIsTold(t *testing.T) {
	b := open(t, shipped+"bubble-array-reversed.orr")
	b.cyclesView.accept()
	b.settle()
	if len(b.notices) != 1 || !strings.Contains(b.notices[0], "leaves out nothing") {
		t.Errorf("told %q", b.notices)
	}
}

// TestC8GroupsAreKept makes groups, takes one back and opens the recording again.
func TestC8GroupsAreKept(t *testing.T) {
	kept := map[string][]string{}
	b := open(t, shipped+"bubble-array-sorted.orr")
	v := b.cyclesView
	b.host.Recall, b.host.Remember = func(name string) []string { return kept[name] }, func(name string, list []string) {
		kept[name] = list
	}
	v.group(0, session.Member{File: "bubble.c", Low: 16, High: 16})
	v.group(0, session.Member{Function: "main"})
	v.group(1, session.Member{File: "bubble.c", Low: 17, High: 17})
	b.link.Undo()
	if want := []string{"group A=bubble.c:16,main"}; !reflect.DeepEqual(kept["groups"], want) {
		t.Errorf("kept %q, want %q", kept["groups"], want)
	}
	again := newCyclesView(b.Document, panes.NewBase(b.set, shell.Cycles, "Cycles"))
	again.recall()
	if !reflect.DeepEqual(again.shown.colours.groups, v.shown.colours.groups) || len(again.shown.colours.groups) != 1 {
		t.Errorf("recalled %+v, want %+v", again.shown.colours.groups, v.shown.colours.groups)
	}
}

// TestBadInputIsSaidInThePicture: why there is no cycle, and what to change, in a sentence of each picture that has no
// cycle to draw.
func TestBadInputIsSaidInThePicture(t *testing.T) {
	trace := func(n int, addr func(i int) int) string {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, " L %x,8\n", 0x1000+8*addr(i))
		}
		path := filepath.Join(t.TempDir(), "run.lackey")
		if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, row := range []struct {
		path, says string
		lens       lens
	}{
		{trace(9, func(i int) int { return i }), "9 references are too few for windows of 10: a cycle needs at least 13; " +
			"choose a longer range, sample less, or use a smaller window.", lens{}},
		{trace(500, func(int) int { return 0 }),
			"All 491 windows are the same: there is nothing to tell apart; choose a longer range or a finer alphabet.", lens{}},
		{trace(400, func(i int) int { return i }), "No class of windows of 10 at any scale; choose another range, another " +
			"window, or a coarser alphabet such as block:64 or line.", lens{}},
		{trace(400, func(i int) int { return i }),
			"No class of windows of 10 at scales up to 3; allow larger scales: choose a larger eps, or none.", lens{eps: 3}},
		{trace(400, func(i int) int { return i }), "Eps 1 connects no two points: the smallest distance is 2; allow larger " +
			"scales: choose a larger eps, or none.", lens{eps: 1}},
	} {
		b := open(t, row.path)
		b.cycles.lens = row.lens
		b.cycles.follow(b.Document)
		b.settle()
		for p := range pictureNames {
			if cyclesPicture(p) == asRun { // has phases all the same
				continue
			}
			b.cyclesView.shown.picture = cyclesPicture(p)
			var said []string
			for _, shape := range b.draw(shell.Cycles, cyclesPane).Shapes {
				if text, ok := shape.(scene.Text); ok {
					said = append(said, text.S)
				}
			}
			if all := strings.Join(said, " "); !strings.Contains(all, row.says) {
				t.Errorf("%s: the picture says %q, want %q", pictureNames[p], all, row.says)
			}
		}
	}
}

// TestTheCaptionSaysFirstOfWhichReferencesItIs: a narrow pane cuts its end, and what is analysed must not be taken for
// what is selected.
func TestTheCaptionSaysFirstOfWhichReferencesItIs(t *testing.T) {
	b := open(t, shipped+"matmul-standard.orr")
	q := b.cycles.found.Request
	if got, want := b.cyclesView.Caption(), spanned(q.From, q.From+traceio.Seq(q.Count))+
		" · #"; q.Count >= int(b.rec.Len()) || !strings.HasPrefix(got, want) {
		t.Errorf("of %d references %d are analysed, which the caption calls %q, want %q first",
			b.rec.Len(), q.Count, got, want)
	}
	if got := open(t, shipped+"bubble-vector-shuffled.orr").cyclesView.Caption(); !strings.HasPrefix(got, "#1 of ") {
		t.Errorf("where all is analysed the caption is %q", got)
	}
}

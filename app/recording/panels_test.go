package recording

import (
	"bytes"
	"image/gif"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orrery/app/shell"
	"orrery/cachesim"
	"orrery/traceio"
	"orrery/views/curve"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/table"

	"fyne.io/fyne/v2"
)

var panelSize = scene.Size{W: 640, H: 420, Scale: 1}

// shown draws a pane until what it asks for is there.
func (b *bench) shown(slot shell.Slot) shell.View {
	for range 3 { // what arrives can ask for more
		b.draw(slot, panelSize)
		b.settle()
	}
	b.draw(slot, panelSize)
	return b.view(slot)
}

// sheet lets the document show sheets and tells which one is open.
func (b *bench) sheet() *string {
	title := ""
	b.host.Present = func(t string, _ fyne.CanvasObject, _ fyne.Size) { title = t }
	b.host.Dismiss = func() { title = "" }
	b.host.Focus = func(fyne.Focusable) {}
	return &title
}

// find is the first point of a pane, from the upper left, of which something is true.
func find(t testing.TB, is func(p scene.Point) bool) scene.Point {
	t.Helper()
	for y := 1.0; y < panelSize.H; y += 3 {
		for x := 1.0; x < panelSize.W; x += 3 {
			if p := (scene.Point{X: x, Y: y}); is(p) {
				return p
			}
		}
	}
	t.Fatal("nothing in the pane is it")
	return scene.Point{}
}

// TestPressingTheCurveOffersASize: the form opens with that size in the nearest level, and nothing changes until it is
// applied.
func TestPressingTheCurveOffersASize(t *testing.T) {
	b := open(t, shipped+"bubble-vector-shuffled.orr")
	open := b.sheet()
	v := b.shown(shell.Curve).(*curveView)
	if m, _ := v.found(); m == nil || m.Preview || len(v.levels) == 0 || len(v.levels[0].Sets) == 0 {
		t.Fatalf("the curve is %+v with levels %+v", m, v.levels)
	}
	s := v.state(palette.Dark())
	at := find(t, func(p scene.Point) bool { return curve.Hit(s, panelSize, p).Bytes == 128 })
	before := b.hierarchy
	v.Pressed(pane.Event{Theme: palette.Dark(), At: at, Size: panelSize})
	if *open != "Cache hierarchy" || b.hierarchy.TOML() != before.TOML() {
		t.Errorf("the sheet is %q, the hierarchy %s", *open, b.hierarchy.Name)
	}
	set := find(t, func(p scene.Point) bool { return curve.Hit(s, panelSize, p).Thing.What == link.Set })
	v.Pressed(pane.Event{Theme: palette.Dark(), At: set, Size: panelSize})
	if got := b.link.State(); got.Selected.What != link.Set || got.Origin != "curve" {
		t.Errorf("selected %+v in %q", got.Selected, got.Origin)
	}
}

// TestHierarchiesAreSteps: what the form applies is simulated, and Undo brings the one before back.
func TestHierarchiesAreSteps(t *testing.T) {
	b := open(t, shipped+"bubble-vector-shuffled.orr")
	open := b.sheet()
	before := b.hierarchy
	f := newHierarchyForm(b.Document, before)
	entry := before.Entry(traceio.Load)
	*open = "Cache hierarchy"
	size := f.cells[cellKey{false, entry, "size"}].(interface{ SetText(string) })
	size.SetText("768B")
	if !f.apply.Disabled() || !strings.HasPrefix(f.said.Text, "Level L1D: size = 768B") || !f.mark.Visible() {
		t.Fatalf("768B: applicable %v, said %q", !f.apply.Disabled(), f.said.Text)
	}
	f.use()
	if *open == "" || b.hierarchy.TOML() != before.TOML() {
		t.Fatal("what cannot be was applied")
	}
	size.SetText("1KiB")
	if f.apply.Disabled() || f.mark.Visible() {
		t.Fatalf("1KiB: %q", f.said.Text)
	}
	f.use()
	b.settle()
	if *open != "" || b.hierarchy.Levels[entry].Size != cachesim.KiB || b.caches().Config().Levels[entry].Size !=
		cachesim.KiB || b.hierarchy.Name != before.Name+", changed" {
		t.Fatalf("the sheet is %q; simulated is %+v", *open, b.caches().Config())
	}
	if b.link.Undoable() != "hierarchy" || !b.link.Undo() {
		t.Fatal("it is not a step")
	}
	b.settle()
	if b.hierarchy.TOML() != before.TOML() || b.caches().Config().TOML() != before.TOML() {
		t.Errorf("after Undo the hierarchy is %s", b.hierarchy.TOML())
	}
	b.link.Redo()
	b.settle()
	if b.caches().Config().Levels[entry].Size != cachesim.KiB {
		t.Error("Redo did not bring it back")
	}
	steps := b.link.Undoable()
	b.useHierarchy(b.hierarchy)
	if b.link.Undoable() != steps || len(b.engine.Running()) > 0 {
		t.Error("the same hierarchy is a step")
	}
}

// TestFailedSimulationSays: a hierarchy that cannot be simulated is told in the pane, the picture that stands stays,
// and F5 tries again.
func TestFailedSimulationSays(t *testing.T) {
	b := open(t, shipped+"bubble-array-sorted.orr")
	good, drawn := b.hierarchy, b.caches()
	b.hierarchy.Levels = nil
	b.simulate()
	b.settle()
	if b.caches() != drawn || !strings.Contains(b.rings.pending(), "failed") {
		t.Errorf("over the picture stands %q", b.rings.pending())
	}
	fault := b.simulated.Err()
	if said := b.rings.simulating(); !strings.Contains(said, fault.Error()) || !strings.Contains(said, "F5") {
		t.Errorf("the pane says %q", said)
	}
	b.hierarchy = good
	b.again()
	b.settle()
	if b.caches() == nil || b.simulated.Err() != nil || b.rings.pending() != "" {
		t.Errorf("after F5: %v, %q", b.simulated.Err(), b.rings.pending())
	}
}

// TestConfigurationsAreKept: a form writes what it says, and reads it again; a file that cannot be leaves the form
// alone.
func TestConfigurationsAreKept(t *testing.T) {
	b := open(t, shipped+"bubble-array-sorted.orr")
	b.sheet()
	dir := t.TempDir()
	path := filepath.Join(dir, "mine.toml")
	b.host.SaveFile = func(name string, then func(string)) { then(path) }
	f := newHierarchyForm(b.Document, b.hierarchy)
	f.usePreset("example")
	if !strings.Contains(f.source.Text, "manual") {
		t.Errorf("the source of the preset is %q", f.source.Text)
	}
	f.write()
	want, err := cachesim.Preset("example")
	if err != nil {
		t.Fatal(err)
	}
	f.usePreset("tiny")
	f.load(path)
	b.settle()
	if f.config.Levels[1].Size != want.Levels[1].Size || len(f.form.Levels) != len(want.Levels) {
		t.Errorf("the file gave %+v", f.config)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(want.TOML(), "ways = 2", "ways = 3", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	f.load(path)
	b.settle()
	if f.config.Levels[0].Ways != 2 || !strings.Contains(f.said.Text, "mine.toml:3: ") &&
		!strings.Contains(f.said.Text, "mine.toml:4: ") {
		t.Errorf("a file that cannot be: %q, and the form says %+v", f.said.Text, f.config.Levels[0])
	}
	f.add(false)
	f.add(true)
	if f.apply.Disabled() || len(f.config.Levels) != 4 || len(f.config.TLBs) != 1 {
		t.Errorf("with a level and a TLB more: %q", f.said.Text)
	}
	for range 4 {
		f.remove(false, 0)
	}
	if !f.apply.Disabled() || !strings.HasPrefix(f.said.Text, "Level is missing") {
		t.Errorf("without levels: %q", f.said.Text)
	}
}

// TestTableAnswersTheKeyboard: rows are gone through, the filter is written, orders are steps, and the file is what is
// seen.
func TestTableAnswersTheKeyboard(t *testing.T) {
	b := open(t, shipped+"bubble-vector-shuffled.orr")
	v := b.shown(shell.Table).(*tableView)
	if !v.filled() {
		t.Fatalf("there is no table: %v", v.counts.Err())
	}
	rows := func() []int { return table.Arrange(v.State(palette.Dark())) }
	s := v.State(palette.Dark())
	if !v.Key("Down", 0) || b.link.State().Selected != s.Rows[rows()[0]].Thing {
		t.Errorf("the first row is not selected but %+v", b.link.State().Selected)
	}
	v.Key("Down", 0)
	v.Key("Up", 0)
	if b.link.State().Selected != s.Rows[rows()[0]].Thing {
		t.Error("down and up is not where it began")
	}
	if v.Key("W", 0) || v.Key("", 'w') || v.Key("Escape", 0) {
		t.Error("keys of the window are taken")
	}
	v.StartTyping()
	for _, r := range "swapped x" {
		if !v.Key(strings.ToUpper(string(r)), 0) || !v.Key("", r) {
			t.Fatalf("%q was not taken", r)
		}
	}
	v.Key("BackSpace", 0)
	v.Key("BackSpace", 0)
	if got := v.State(palette.Dark()); got.Filter != "swapped" || len(rows()) == 0 || len(rows()) == len(got.Rows) {
		t.Fatalf("the filter %q leaves %d of %d rows", got.Filter, len(rows()), len(got.Rows))
	}
	v.Key("Return", 0)
	out := filepath.Join(t.TempDir(), "t.csv")
	b.host.SaveFile = func(name string, then func(string)) {
		if name != "bubble-vector-shuffled-line.csv" {
			t.Errorf("the file would be called %s", name)
		}
		then(out)
	}
	v.save()
	data, err := os.ReadFile(out)
	if err != nil || bytes.Count(data, []byte("\n")) != 1+len(rows()) {
		t.Errorf("%v, the file is %q", err, data)
	}
	if v.Filter.Typing || !v.Key("Escape", 0) || v.Filter.Content != "" {
		t.Error("Escape does not clear the filter")
	}
	was := v.State(palette.Dark()).Sort
	v.SortNext()
	if v.State(palette.Dark()).Sort != was+1 || b.link.Undoable() != "order of the table" {
		t.Errorf("sorted by %d, the step is %q", v.State(palette.Dark()).Sort, b.link.Undoable())
	}
	b.link.Undo()
	if v.State(palette.Dark()).Sort != was {
		t.Error("the order is not taken back")
	}
	for _, by := range []string{"function", "region", "set"} {
		v.by(by)
		b.shown(shell.Table)
		if v.found() == nil || v.found().By != by || !v.filled() {
			t.Errorf("by %s there is no table", by)
		}
	}
}

// TestFilmsFromTheWindow: the form tells what cannot be, and a film is made of the view as it is, or leaves nothing
// when it is cancelled.
func TestFilmsFromTheWindow(t *testing.T) {
	b := open(t, shipped+"bubble-vector-shuffled.orr")
	b.sheet()
	out := filepath.Join(t.TempDir(), "film.gif")
	f := newFilmForm(b.Document)
	if got := b.filmable(); !slices.Equal(got, []string{filmRings, filmSpiral, filmHeap}) {
		t.Errorf("%q can be filmed", got)
	}
	for _, row := range []struct{ key, text, want string }{
		{"from", "x", `From = "x" cannot be; write a whole number`},
		{"to", "99999", "The film's span ends at 99999, beyond the recording's end"},
		{"speed", "0", "A speed of 0 references a frame cannot be"}, {"rate", "51", "51 frames a second cannot be"},
		{"size", "big", `Size = "big" cannot be; write WIDTHxHEIGHT`},
		{"out", "film.doc", "A film cannot be called film.doc"},
	} {
		was := f.texts[row.key].Text
		f.texts[row.key].SetText(row.text)
		b.settle()
		if !f.apply.Disabled() || !strings.HasPrefix(f.said.Text, row.want) {
			t.Errorf("%s = %s: %q, want %s", row.key, row.text, f.said.Text, row.want)
		}
		f.texts[row.key].SetText(was)
	}
	for key, text := range map[string]string{"from": "100", "to": "130", "speed": "3", "size": "200x180", "out": out} {
		f.texts[key].SetText(text)
	}
	b.settle()
	if f.apply.Disabled() || f.said.Text != "10 frames, 0.4 seconds" {
		t.Fatalf("said %q", f.said.Text)
	}
	for _, view := range b.filmable() {
		f.view.SetSelected(view)
		f.use()
		b.settle()
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatalf("%s: %v, notices %q", view, err, b.notices)
		}
		if g, err := gif.DecodeAll(bytes.NewReader(data)); err != nil || len(g.Image) != 10 || g.Config.Width != 200 {
			t.Errorf("%s: %v", view, err)
		}
		os.Remove(out)
	}
	f.use()
	b.stopFilming()
	if list, _ := os.ReadDir(filepath.Dir(out)); len(list) > 0 {
		t.Errorf("%v is left of a film that was cancelled", list)
	}
}

// TestHeatOfMisses: the source pane shows misses when asked, as a step.
func TestHeatOfMisses(t *testing.T) {
	b := open(t, shipped+"bubble-vector-shuffled.orr")
	v := b.source
	v.heat(true)
	if !v.state(palette.Dark()).ByMisses || b.link.Undoable() != "heat of the lines" {
		t.Error("the heat is not that of misses")
	}
	b.link.Undo()
	if v.state(palette.Dark()).ByMisses {
		t.Error("it is not taken back")
	}
}

// TestKeptPicturesHaveNoControls: what can only be pressed in the window is not on a picture that is saved.
func TestKeptPicturesHaveNoControls(t *testing.T) {
	b := open(t, shipped+"bubble-vector-shuffled.orr")
	for slot, word := range map[shell.Slot]string{shell.Cycles: "ISOMAP", shell.Cache: "all data", shell.Heap: "bins"} {
		v := b.shown(slot)
		if !drawn(v.Draw(panelSize, palette.Dark()), word) {
			t.Errorf("%s has no control %q in the window", slot, word)
		}
		kept := panelSize
		kept.Paper = true
		if drawn(v.Draw(kept, palette.Dark()), word) {
			t.Errorf("%s is kept with the control %q", slot, word)
		}
	}
}

// drawn tells whether a drawing has a text.
func drawn(d scene.Drawing, text string) bool {
	return slices.ContainsFunc(d.Shapes, func(s scene.Shape) bool {
		t, ok := s.(scene.Text)
		return ok && t.S == text
	})
}

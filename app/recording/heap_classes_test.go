package recording

import (
	"strings"
	"testing"

	heappane "orrery/app/recording/heap"
	"orrery/app/shell"
	"orrery/views/heapmap"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

// press presses where the heap's pane answers with a part of the legend; false where there is none.
func (v *heapView) pressLegend(part heapmap.Part, entry int, shift bool) bool {
	for x := 10.0; x < heapPane.W; x += 3 {
		e := pane.Event{
			Theme:  palette.Dark(),
			Size:   heapPane,
			At:     scene.Point{X: x, Y: 12},
			Button: pane.Primary,
			Mods:   pane.Mods{Shift: shift},
		}
		if t := v.hit(e); t.Part == part && (part == heapmap.LegendRest || t.Entry == entry) {
			v.Pressed(e)
			return true
		}
	}
	return false
}

// A press on a class of the legend shows it alone, with Shift it hides it; a second press takes that back. Classes
// without room stand in a list.
func TestHeapLegend(t *testing.T) {
	b := open(t, shipped+"containers.orr")
	v := b.heap
	b.draw(shell.Heap, heapPane)
	if !v.pressLegend(heapmap.LegendPart, 1, false) || b.link.State().Selected.What != link.Region {
		t.Fatalf("a press on a site selects %+v", b.link.State().Selected)
	}
	if v.pressLegend(heapmap.LegendPart, 1, false); b.link.State().Selected.What != link.Nothing {
		t.Errorf("pressed again %+v is selected", b.link.State().Selected)
	}
	v.shown.Choose("colours of the heap", func(c *heappane.Choices) { c.Color = heapmap.Freed })
	b.draw(shell.Heap, heapPane)
	all := len(v.draw.Legend(v.state(palette.Dark())))
	if !v.pressLegend(heapmap.LegendRest, 0, false) {
		t.Fatal("the legend does not tell of the classes without room")
	}
	d := b.draw(shell.Heap, heapPane)
	if text := written(d); !strings.Contains(text, "Show all classes") || strings.Count(text, " block") < all {
		t.Errorf("the list of classes is %q", text)
	}
	list := v.classes(palette.Dark()).List
	if len(list) != all+1 || !list[0].Off {
		t.Fatalf("%d classes in a list of %d", all, len(list))
	}
	list[all].Run()
	if !v.shown.Now.Hidden[all-1] || v.classes(palette.Dark()).List[all].On || v.Bar.Open != classesList {
		t.Errorf("the last class is not hidden: %v, or its list is closed", v.shown.Now.Hidden)
	}
	v.classes(palette.Dark()).List[0].Run()
	if len(v.shown.Now.Hidden) != 0 {
		t.Errorf("all classes are wanted, and %v are hidden", v.shown.Now.Hidden)
	}
	if !v.CloseList() || v.Bar.Open != "" {
		t.Error("the list stays open")
	}
	// Bins are nothing in the other views.
	v.shown.Choose("colours of the heap", func(c *heappane.Choices) { c.Color = heapmap.BinOf })
	b.draw(shell.Heap, heapPane)
	v.pressLegend(heapmap.LegendPart, 0, false)
	if n := len(v.draw.Legend(v.state(palette.Dark()))); len(v.shown.Now.Hidden) != n-1 || v.shown.Now.Hidden[0] {
		t.Errorf("of %d bins %v are hidden", n, v.shown.Now.Hidden)
	}
	if v.pressLegend(heapmap.LegendPart, 0, false); len(v.shown.Now.Hidden) != 0 {
		t.Errorf("pressed again %v are hidden", v.shown.Now.Hidden)
	}
	if v.pressLegend(heapmap.LegendPart, 0, true); len(v.shown.Now.Hidden) != 1 {
		t.Errorf("with Shift %v are hidden", v.shown.Now.Hidden)
	}
}

// The sheet says what is wrong with a rule; a good one sorts the blocks and stays in the list.
func TestHeapRuleOfOnesOwn(t *testing.T) {
	b := open(t, shipped+"containers.orr")
	b.sheet()
	v := b.heap
	f := newRuleForm(v)
	if f.apply.Disabled() {
		t.Errorf("the example is wrong: %s", f.said.Text)
	}
	f.text.SetText("small: weight <= 64")
	if f.use(); !f.apply.Disabled() || !strings.Contains(f.said.Text, "weight") || v.shown.Now.Rule != "" {
		t.Errorf("a wrong rule: %q, taken as %q", f.said.Text, v.shown.Now.Rule)
	}
	const rule = "small: size <= 64; rest: *"
	f.text.SetText(rule)
	f.use()
	b.draw(shell.Heap, heapPane)
	b.settle()
	if bins := v.heap().Bins; v.shown.Now.Rule != rule || len(bins) != 2 || bins[0].Name != "small" {
		t.Fatalf("the rule %q gives the bins %v", v.shown.Now.Rule, bins)
	}
	v.sortBy("")
	found := 0
	for _, o := range v.binsChip().List {
		if strings.HasSuffix(o.Title, rule) {
			found++
			o.Run()
		}
	}
	if found != 1 || v.shown.Now.Rule != rule || v.binsChip().Word != "own bins" {
		t.Errorf("the rule stands in the list %d times; chosen there it is %q", found, v.shown.Now.Rule)
	}
	if f := newRuleForm(v); f.text.Text != rule {
		t.Errorf("the sheet begins with %q", f.text.Text)
	}
}

// The colour of bytes never touched waits for the references to be followed.
func TestHeapUntouched(t *testing.T) {
	b := open(t, shipped+"list.orr")
	v := b.heap
	v.shown.Choose("colours of the heap", func(c *heappane.Choices) { c.Color = heapmap.Untouched })
	b.draw(shell.Heap, heapPane)
	b.settle()
	s := v.state(palette.Dark())
	if s.Usage == nil || len(s.Usage.Blocks) != s.Heap.Count() {
		t.Fatalf("the use of blocks is %v", s.Usage)
	}
	if text := written(b.draw(shell.Heap, heapPane)); !strings.Contains(text, "bytes never touched") ||
		!strings.Contains(text, "100 %") {
		t.Errorf("the legend says %q", text)
	}
}

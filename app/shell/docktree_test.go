package shell

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

var allSlots = []Slot{Recording, Gallery, Findings, Cycles, Cache, Heap, Source, Explain, Designs, Code, Timeline}

// outline writes a tree on one line: rows in [], columns in (), tabs joined by +.
func outline(n *node) string {
	if n == nil {
		return "nothing"
	}
	if n.leaf() {
		var s []string
		for _, t := range n.Tabs {
			s = append(s, string(t))
		}
		return strings.Join(s, "+")
	}
	var s []string
	for _, k := range n.Kids {
		s = append(s, outline(k))
	}
	if n.Column {
		return "(" + strings.Join(s, " ") + ")"
	}
	return "[" + strings.Join(s, " ") + "]"
}

func TestStandardArrangement(t *testing.T) {
	for _, c := range []struct {
		name  string
		slots []Slot
		want  string
	}{
		{"all", allSlots, "([(recording gallery findings) ([cycles cache] heap+designs+code) (source explain)] timeline)"},
		{"one picture", []Slot{Cycles, Timeline}, "(cycles timeline)"},
		{"heap only", []Slot{Heap, Source, Recording}, "[recording heap source]"},
		{"unknown slot", []Slot{Cycles, "weather"}, "[cycles weather]"},
		{"nothing", nil, "nothing"},
	} {
		if got := outline(standard(all(c.slots))); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestDrop(t *testing.T) {
	for _, c := range []struct {
		name string
		slot Slot
		to   Slot
		zone zone
		want string
	}{
		{"as a tab", Cache, Cycles, onto,
			"([(recording gallery findings) (cycles+cache heap+designs+code) (source explain)] timeline)"},
		{"beside", Designs, Heap, after,
			"([(recording gallery findings) ([cycles cache] [heap+code designs]) (source explain)] timeline)"},
		{"above", Heap, Cycles, above,
			"([(recording gallery findings) ([(heap cycles) cache] designs+code) (source explain)] timeline)"},
		{"onto itself", Heap, Heap, onto,
			"([(recording gallery findings) ([cycles cache] heap+designs+code) (source explain)] timeline)"},
		{"out of its own tabs", Code, Heap, below,
			"([(recording gallery findings) ([cycles cache] (heap+designs code)) (source explain)] timeline)"},
	} {
		root := standard(all(allSlots))
		var to *node
		for _, l := range root.leaves() {
			if slices.Contains(l.Tabs, c.to) {
				to = l
			}
		}
		if got := outline(root.drop(c.slot, to, c.zone)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestRandomMoves moves panes about at random: none is ever lost or doubled, the tree stays in normal form, leaves
// never overlap, dividers keep the total, and saving and restoring gives the same tree.
func TestRandomMoves(t *testing.T) {
	rng := rand.New(rand.NewSource(11))
	root := standard(all(allSlots))
	for step := range 2000 {
		leaves := root.leaves()
		root = root.drop(allSlots[rng.Intn(len(allSlots))], leaves[rng.Intn(len(leaves))], zone(rng.Intn(5)))
		root.place(box{0, 0, 1280, 800})
		var inner []*node
		root.walk(func(n *node) {
			if !n.leaf() {
				inner = append(inner, n)
			}
		})
		if len(inner) > 0 {
			n := inner[rng.Intn(len(inner))]
			n.move(rng.Intn(len(n.Kids)-1), float32(rng.Intn(400)-200))
			root.place(box{0, 0, 1280, 800})
		}
		var seen []Slot
		root.walk(func(n *node) {
			seen = append(seen, n.Tabs...)
			if !n.leaf() && (len(n.Kids) < 2 || len(n.Tabs) > 0) {
				t.Fatalf("step %d: not in normal form: %s", step, outline(root))
			}
		})
		slices.Sort(seen)
		want := slices.Clone(allSlots)
		slices.Sort(want)
		if !slices.Equal(seen, want) {
			t.Fatalf("step %d: panes %v", step, seen)
		}
		data, err := json.Marshal(root)
		if err != nil {
			t.Fatal(err)
		}
		back, err := restore(string(data), allSlots)
		if err != nil || outline(back) != outline(root) {
			t.Fatalf("step %d: restored %s from %s: %v", step, outline(back), outline(root), err)
		}
	}
}

func TestPlaceFillsTheRoom(t *testing.T) {
	for _, z := range []box{{0, 0, 1280, 736}, {0, 0, 1920, 1000}, {0, 0, 800, 500}} {
		root := standard(all(allSlots))
		root.place(z)
		area := float32(0)
		for _, l := range root.leaves() {
			area += l.at.w * l.at.h
			if l.at.w < 24 || l.at.h < header {
				t.Errorf("at %v: %v has %v", z, l.Tabs, l.at)
			}
		}
		if share := area / (z.w * z.h); share < 0.95 || share > 1 {
			t.Errorf("at %v the panels cover %.3f of the room", z, share)
		}
	}
}

func TestRestoreRefuses(t *testing.T) {
	good, _ := json.Marshal(standard(all(allSlots)))
	for _, c := range []struct{ name, saved string }{
		{"empty", ""}, {"cut", string(good[:len(good)/2])}, {"a list", "[1,2]"},
		{"a missing pane", `{"tabs":["cycles"],"weight":1}`},
		{"null kids", `{"kids":[null,null],"weight":1}`},
	} {
		if n, err := restore(c.saved, allSlots); err == nil {
			t.Errorf("%s: restored %s", c.name, outline(n))
		}
	}
	if n, err := restore(string(good), []Slot{Cycles, Timeline}); err != nil || outline(n) != "(cycles timeline)" {
		t.Errorf("fewer panes than saved: %s, %v", outline(n), err)
	}
}

func FuzzRestore(f *testing.F) {
	good, _ := json.Marshal(standard(all(allSlots)))
	f.Add(string(good))
	f.Add(`{"kids":[{"tabs":["cycles","cycles"]},{"tabs":["heap"],"shown":-7,"weight":-1}],"weight":1e38}`)
	f.Fuzz(func(t *testing.T, saved string) {
		n, err := restore(saved, []Slot{Cycles, Heap})
		if err != nil {
			return
		}
		n.place(box{0, 0, 1280, 800})
		for _, l := range n.leaves() {
			if l.Shown < 0 || l.Shown >= len(l.Tabs) {
				t.Errorf("tab %d of %d is shown", l.Shown, len(l.Tabs))
			}
			if !(l.at.w >= 0 && l.at.h >= 0) {
				t.Errorf("%v lies at %v", l.Tabs, l.at)
			}
		}
	})
}

func TestZoneAt(t *testing.T) {
	b := box{100, 100, 400, 400}
	for _, c := range []struct {
		x, y float32
		want zone
	}{{300, 300, onto}, {110, 300, before}, {490, 300, after}, {300, 150, above}, {300, 490, below}, {300, 110, onto}} {
		if got := zoneAt(b, c.x, c.y); got != c.want {
			t.Errorf("at %g, %g: zone %d, want %d", c.x, c.y, got, c.want)
		}
	}
}

func TestRegistry(t *testing.T) {
	var ran []string
	r := NewRegistry(func(id string) { ran = append(ran, id) })
	off := false
	do := func() {}
	if err := r.Add(Command{ID: "a", Title: "A", Keys: "Ctrl+Shift+Z", Run: do}, Command{ID: "b", Title: "B", Keys: "+ =",
		Run: do, Enabled: func() bool { return !off }}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []Command{{ID: "a", Run: do}, {ID: "c", Keys: "shift+ctrl+z", Run: do}, {ID: "d"}} {
		if err := r.Add(c); err == nil {
			t.Errorf("%+v was added", c)
		}
	}
	for _, c := range []struct {
		key  string
		want bool
	}{{"shift+ctrl+Z", true}, {"Ctrl+Z", false}, {"+", true}, {"=", true}, {"", false}} {
		if got := r.Press(c.key); got != c.want {
			t.Errorf("key %q ran something: %v", c.key, got)
		}
	}
	off = true
	if r.Press("+") || r.Run("nothing") {
		t.Error("a disabled or unknown command ran")
	}
	r.Remove("a")
	if r.Press("Ctrl+Shift+Z") || len(r.All()) != 1 {
		t.Error("a removed command is still there")
	}
	if fmt.Sprint(ran) != "[a b b]" {
		t.Errorf("ran %v", ran)
	}
}

// TestKeysAreUnique registers the commands of the window and of panes: no key may mean two things, every key named by
// the issue has one.
func TestKeysAreUnique(t *testing.T) {
	r := NewRegistry(nil)
	w := &window{}
	if err := r.Add(append(w.commands(), w.showCommands(newFake("a.orr", 840).views)...)...); err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, c := range r.All() {
		if c.Title == "" {
			t.Errorf("%s has no title", c.ID)
		}
		for _, k := range strings.Fields(c.Keys) {
			have[Key(k)] = true
		}
	}
	for _, k := range strings.Fields(
		"Space , . W S A D 0 1 2 3 4 5 Escape Ctrl+Z Ctrl+Shift+Z Ctrl+O Ctrl+Q Ctrl+P Ctrl+F L ?") {
		if !have[Key(k)] {
			t.Errorf("key %s does nothing", k)
		}
	}
}

func TestFuzzy(t *testing.T) {
	for _, c := range []struct {
		pattern, s string
		want       bool
	}{{"", "Quit", true}, {"zi", "Zoom in", true}, {"zoomout", "Zoom out", true}, {"xq", "Quit", false},
		{"ld", "Light or dark", true},
		{"level", "Designs: colour nodes by the average below", false}, {"picture", "Save the picture", true},
		{"erage bel", "Colour nodes by the average below", true}, {"ex", "Next pane", false},
		{"frst", "The first swap", true}, {"pctre", "Save the picture", true},
		{"aaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "Aaaaaaaaaa aaaaaaaaaaa aaaaaaaaaaa aaaaaaaaaa aaaaaaaaaa aaaaaaaaaa aaaaaaaaaa",
			false}} {
		if _, ok := fuzzy(c.pattern, c.s); ok != c.want {
			t.Errorf("%q in %q: %v", c.pattern, c.s, ok)
		}
	}
	a, _ := fuzzy("zi", "Zoom in")
	b, _ := fuzzy("zi", "Resizing it")
	if a <= b {
		t.Errorf("beginnings of words must win: %d against %d", a, b)
	}
	a, _ = fuzzy("ex", "Open the example")
	b, _ = fuzzy("ex", "Next pane")
	if a <= b {
		t.Errorf("they must win behind other words, too: %d against %d", a, b)
	}
}

// TestCommandsAreFound by words of their titles and of what they are also called, mixed; of alike ones, one that can
// run first; without words in the order of the menus.
func TestCommandsAreFound(t *testing.T) {
	r := NewRegistry(nil)
	nothing := func() {}
	if err := r.Add(
		Command{ID: "a", Title: "Expand the cycle of #1", Run: nothing, Enabled: func() bool { return false }},
		Command{ID: "b", Title: "Expand the cycle of #2", Run: nothing},
		Command{ID: "c", Title: "Draw as Run", Also: "whole overview", Run: nothing},
		Command{ID: "d", Title: "Save the picture", Also: "export", Run: nothing},
		Command{ID: "f", Title: "Designs: show global Pareto points only", Run: nothing},
		Command{ID: "e", Title: "Quit", Run: nothing}); err != nil {
		t.Fatal(err)
	}
	s := &search{ui: &window{reg: r}}
	for text, want := range map[string]string{"": "Expand the cycle of #2", "expand": "Expand the cycle of #2",
		"whole run": "Draw as Run", "run over": "Draw as Run", "expo": "Save the picture", "exp pict": "Save the picture",
		"global pareto points only": "Designs: show global Pareto points only",
		"pareto global":             "Designs: show global Pareto points only"} {
		if got := s.commands(text); len(got) == 0 || got[0].label != want {
			t.Errorf("%q finds %+v, want %s first", text, got, want)
		}
	}
}

func TestHelpColumnsAreEven(t *testing.T) {
	k := &keysPage{}
	for _, n := range []int{4, 6, 12, 9, 3, 1, 5} {
		k.rows = append(k.rows, make([][2]*label, n))
	}
	for most, want := range map[int]int{1: 54, 2: 28, 3: 25, 7: 14, 20: 14} {
		tall := map[int]int{}
		for i, c := range k.columns(most) {
			if tall[c] += len(k.rows[i]) + 2; c >= most {
				t.Errorf("%d columns: section %d is in column %d", most, i, c)
			}
		}
		longest := 0
		for _, n := range tall {
			longest = max(longest, n)
		}
		if longest != want {
			t.Errorf("%d columns: the longest has %d lines, want %d", most, longest, want)
		}
	}
}

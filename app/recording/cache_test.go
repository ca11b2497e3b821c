package recording

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"orrery/app/session"
	"orrery/app/shell"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/vector"
)

// TestCachePane shares one document, which takes longer to open than to look at.
func TestCachePane(t *testing.T) {
	b := open(t, shipped+"matmul-standard.orr")
	for _, row := range []struct {
		name string
		test func(*testing.T, *bench)
	}{
		{"choices", cacheChoicesAreUndone},
		{"filter", cacheFilterIsTyped},
		{"glyphs", func(t *testing.T, b *bench) {
			cacheGlyphTells(t, b, 20_000, link.Address, "B[5][11]", "B, 8 bytes", "in L1D since t 20 000",
				"load at t 20 000, matmul.c:16")
		}},
		{"comparison", cacheComparesInStep},
		{"cancelled", cancelledChoicesSaySo},
	} {
		t.Run(row.name, func(t *testing.T) { row.test(t, b) })
	}
}

// TestCacheGlyphOfTheHeap: a glyph of the heap selects its block.
func TestCacheGlyphOfTheHeap(t *testing.T) {
	cacheGlyphTells(t, open(t, shipped+"list.orr"), 100_000, link.Block, "block #", "in L1D", "list.c:")
}

// cacheChoicesAreUndone makes every kind of choice of the cache pane, takes all back and makes them again; pictures and
// settings must be those of before and after.
func cacheChoicesAreUndone(t *testing.T, b *bench) {
	b.link.SetCursor(20_000)
	v, size := b.rings, scene.Size{W: 700, H: 600, Scale: 1}
	picture := func() string {
		b.settle()
		return string(vector.SVG(b.draw(shell.Cache, size)))
	}
	type state struct {
		shown   cacheChoices
		picture string
	}
	seen := []state{{v.shown, picture()}}
	for _, step := range []struct {
		name string
		make func()
	}{
		{"length of pathlines", func() { v.setTail(64) }},
		{"span of the temperature", func() { v.setMean(20) }},
		{"what a glyph stands for", func() { v.setGrain(session.BlockGrain) }},
		{"what a glyph stands for", func() { v.setGrain(session.PageGrain) }},
		{"weights of the temperature", func() { v.weigh(1, false) }},
		{"weights of the temperature", func() { v.weigh(2, true) }},
		{"regions shown", func() { v.toggle([]int{b.rec.Regions.Find("A")}) }},
		{"regions shown", func() { v.isolate([]int{b.rec.Regions.Find("B")}) }},
		{"data shown", func() { v.showAll() }},
		{"data shown", func() { v.only(session.ParseCacheFilter("A, line matmul.c:16")) }},
		{"comparison", func() { v.compare(against{preset: "tiny"}) }},
		{"comparison", func() { v.compare(against{file: shipped + "matmul-transposed.orr"}) }},
		{"data shown", func() { v.only(session.ParseCacheFilter("B")) }},
	} {
		step.make()
		if got := b.link.Undoable(); got != step.name {
			t.Errorf("the last step is %q, want %q", got, step.name)
		}
		now := state{v.shown, picture()}
		if now.picture == seen[len(seen)-1].picture {
			t.Errorf("%s changes nothing in the picture", step.name)
		}
		seen = append(seen, now)
	}
	check := func(i int, how string) {
		if got := picture(); !reflect.DeepEqual(v.shown, seen[i].shown) || got != seen[i].picture {
			t.Errorf("%s to step %d gives %+v, want %+v, the same picture %v", how, i, v.shown, seen[i].shown,
				got == seen[i].picture)
		}
	}
	for i := len(seen) - 2; i >= 0; i-- {
		b.link.Undo()
		check(i, "undo")
	}
	for i := 1; i < len(seen); i++ {
		b.link.Redo()
		check(i, "redo")
	}
	for range len(seen) - 1 {
		b.link.Undo()
	}
	if b.settle(); len(b.notices) > 0 {
		t.Errorf("%q", b.notices)
	}
}

// cacheFilterIsTyped: the search entry filters the picture, and refuses names that nothing has.
func cacheFilterIsTyped(t *testing.T, b *bench) {
	if got := b.Search("show A, line matmul.c:16", 9); len(got) == 0 || !strings.Contains(got[0].Label,
		"only A, line matmul.c:16") {
		t.Fatalf("the filter is answered by %+v", got)
	} else {
		got[0].Go()
	}
	b.settle()
	hidden := b.rings.look().Hidden
	shown := 0
	for i, h := range hidden {
		if !h {
			shown++
			if name := b.rec.Regions.Regions()[b.caches().Items.Region(i)].Name; name != "A" {
				t.Errorf("an item of %s is shown", name)
			}
		}
	}
	if shown != 256 {
		t.Errorf("%d items are shown, want the 256 of A", shown)
	}
	if got := b.Search("show nonesuch", 9); len(got) == 0 || !strings.Contains(got[0].Label, `"nonesuch"`) {
		t.Errorf("a name that nothing has is answered by %+v", got)
	}
	b.Search("show", 9)[0].Go()
	if b.rings.look().Hidden != nil {
		t.Error("the filter stays")
	}
}

// cacheGlyphTells: a glyph's tooltip names item, region, residency, history and line; a press selects its bytes or, on
// the heap, its block; its menu leads on.
func cacheGlyphTells(t *testing.T, b *bench, at traceio.Seq, what link.What, tip ...string) {
	size := scene.Size{W: 900, H: 700, Scale: 1}
	b.link.SetCursor(at)
	b.draw(shell.Cache, size)
	e, found := pane.Event{Theme: palette.Dark(), Size: size, Button: pane.Primary}, false
	for y := 280.0; y < 450 && !found; y += 7 { // in L1
		for x := 370.0; x < 530 && !found; x += 7 {
			e.At = scene.Point{X: x, Y: y}
			if b.rings.hit(e).Item < 0 {
				continue
			}
			text := strings.ReplaceAll(strings.Join(b.rings.Tip(e), "\n"), "\u202f", " ")
			found = !slices.ContainsFunc(tip, func(w string) bool { return !strings.Contains(text, w) })
		}
	}
	if !found {
		t.Fatalf("no glyph says %q", tip)
	}
	b.rings.Pressed(e)
	if got := b.link.State().Selected; got.What != what {
		t.Errorf("a press selects %+v", got)
	}
	var menu []string
	for _, item := range entriesOf(b.rings.Menu(e)) {
		menu = append(menu, item.Title)
	}
	for _, want := range []string{"Select the line that used it last", "Select all of", "Show only",
		"Go to its last use before", "Show all data"} {
		if !slices.ContainsFunc(menu, func(title string) bool { return strings.HasPrefix(title, want) }) {
			t.Errorf("the menu of a glyph is %q, without %q", menu, want)
		}
	}
}

// cacheComparesInStep: beside the document's picture stands that of the other run, at the same share of the run, with
// the difference in words below; the pointer finds glyphs in both.
func cacheComparesInStep(t *testing.T, b *bench) {
	v, size := b.rings, scene.Size{W: 1200, H: 700, Scale: 1}
	b.link.SetCursor(20_000)
	for _, row := range []struct {
		of   against
		at   traceio.Seq
		want []string
	}{
		{against{preset: "desktop"}, 20_000,
			[]string{">desktop<", "L3", "L1D misses 4 930 times in default and 98 times in desktop"}},
		{against{file: shipped + "matmul-blocked.orr"}, 20_000 * 67_433 / 47_701,
			[]string{">matmul-blocked<", "in matmul-standard and 578 times in matmul-blocked"}},
	} {
		v.compare(row.of)
		text := string(vector.SVG(b.draw(shell.Cache, size)))
		if !strings.Contains(text, "Comparing with") {
			t.Errorf("%+v: nothing says that the comparison is being made", row.of)
		}
		b.settle()
		text = string(vector.SVG(b.draw(shell.Cache, size)))
		for _, want := range row.want {
			if !strings.Contains(text, want) {
				t.Errorf("%+v: the picture lacks %q", row.of, want)
			}
		}
		whole := b.link.State().Window
		b.link.SetWindow(link.Range{From: 19_000, To: 21_000})
		if text := string(vector.SVG(b.draw(shell.Cache, size))); !strings.Contains(text,
			"In the window, references 19 000 to 21 000") || !strings.Contains(text, "line that changes most there") {
			t.Errorf("%+v: nothing tells how the runs differ in the window", row.of)
		}
		b.link.SetWindow(whole)
		b.draw(shell.Table, size)
		b.settle()
		if text := string(vector.SVG(b.draw(shell.Table, size))); !strings.Contains(text, ">in "+row.of.title()[:4]) ||
			!strings.Contains(text, ">change<") {
			t.Errorf("%+v: the table does not compare", row.of)
		}
		if got := v.baseline().at(b.caches(), 20_000); got != row.at {
			t.Errorf("%+v: reference 20000 is in step with %d, want %d", row.of, got, row.at)
		}
		var glyphs [2]int
		for y := 40.0; y < size.H; y += 36 {
			for x := 10.0; x < size.W; x += 36 {
				if hit := v.hit(pane.Event{Theme: palette.Dark(), At: scene.Point{X: x, Y: y}, Size: size}); hit.Item >= 0 {
					glyphs[int(2*x/size.W)]++
				}
			}
		}
		if min(glyphs[0], glyphs[1]) < 5 {
			t.Errorf("%+v: the pointer finds %v glyphs at left and right", row.of, glyphs)
		}
	}
	v.compare(against{file: shipped + "nonesuch.orr"})
	b.settle()
	if len(b.notices) != 1 || !v.shown.against.nothing() {
		t.Errorf("a recording that is not there: %q, %+v", b.notices, v.shown.against)
	}
}

// cancelledChoicesSaySo: when what follows from a choice is cancelled, the pane says so and F5 goes on.
func cancelledChoicesSaySo(t *testing.T, b *bench) {
	v, size := b.rings, scene.Size{W: 1200, H: 700, Scale: 1}
	text := func() string { return string(vector.SVG(b.draw(shell.Cache, size))) }
	for _, row := range []struct {
		what   string
		choose func()
	}{
		{"Dividing memory", func() { v.setGrain(session.PageGrain) }},
		{"Looking for A", func() { v.only(session.ParseCacheFilter("A")) }},
		{"Comparing with", func() { v.compare(against{preset: "desktop"}) }},
	} {
		row.choose()
		b.engine.CancelAll()
		b.Stopped()
		b.settle()
		if got := text(); !strings.Contains(got, row.what) || !strings.Contains(got, "Press F5") {
			t.Errorf("%s: cancelled, the pane does not say how to go on", row.what)
		}
		b.again()
		b.settle()
		if got := text(); strings.Contains(got, row.what) || strings.Contains(got, "Press F5") {
			t.Errorf("%s: taken up again, the pane still speaks of it", row.what)
		}
	}
}

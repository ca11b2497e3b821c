package recording

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"orrery/app/shell"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

// TestNoTooltipRepeatsItself points at the whole picture of the caches, at the first reference and later, beside
// another hierarchy and alone: no line stands twice, nothing is counted in "1 references", and what a picture says of a
// level is true of its own caches.
func TestNoTooltipRepeatsItself(t *testing.T) {
	b := open(t, shipped+"bubble-vector-shuffled.orr")
	size := scene.Size{W: 700, H: 500, Scale: 1}
	for _, row := range []struct {
		name    string
		against against
		at      traceio.Seq
		want    []string // lines that some tooltip has
	}{
		{"first", against{}, 0, []string{"in memory only", "not used before", "in L1D since t 0"}},
		{"later", against{}, 700, []string{"in L1D since t 0"}},
		{"beside", against{preset: "tiny"}, 0, []string{"in memory only", "not used before"}},
	} {
		b.link.SetCursor(row.at)
		b.rings.compare(row.against)
		b.settle()
		b.draw(shell.Cache, size)
		seen := map[string]bool{}
		for y := 30.0; y < size.H; y += 7 {
			for x := 2.0; x < size.W; x += 5 {
				e := pane.Event{Theme: palette.Dark(), At: scene.Point{X: x, Y: y}, Size: size}
				tip := b.rings.Tip(e)
				said := map[string]bool{}
				for _, line := range tip {
					if said[line] || strings.Contains(line, " 1 references") {
						t.Fatalf("%s: the tooltip at %g, %g is %q", row.name, x, y, tip)
					}
					said[line], seen[line] = true, true
				}
				if held := slices.ContainsFunc(tip, func(l string) bool {
					return strings.Contains(l, " set ") && strings.Contains(l, " rank ")
				}); held && said["in memory only"] {
					t.Fatalf("%s: the tooltip at %g, %g is %q", row.name, x, y, tip)
				}
			}
		}
		for _, want := range row.want {
			if !seen[want] {
				t.Errorf("%s: no tooltip says %q", row.name, want)
			}
		}
	}
}

// TestTheOtherRunsGlyphsTellOfItsCaches: the tooltip of a glyph in the picture beside tells since when the caches of
// that run have it.
func TestTheOtherRunsGlyphsTellOfItsCaches(t *testing.T) {
	b := open(t, shipped+"matmul-standard.orr")
	size := scene.Size{W: 900, H: 500, Scale: 1}
	b.link.SetCursor(20_000)
	for _, other := range []against{{preset: "desktop"}, {file: shipped + "matmul-transposed.orr"}} {
		b.rings.compare(other)
		b.draw(shell.Cache, size)
		b.settle()
		seen := map[traceio.Addr]bool{} // glyphs by their lowest address: the story of one costs a simulation
		for y := 30.0; y < size.H; y += 8 {
			for x := size.W/2 + 4; x < size.W; x += 8 {
				e := pane.Event{Theme: palette.Dark(), At: scene.Point{X: x, Y: y}, Size: size}
				under, is := b.rings.under(e)
				if !is || under.High == under.Low || seen[under.Low] || len(seen) == 20 {
					continue
				}
				r := b.rings.baseline()
				want, err := r.caches.Story(under.Low, under.High, r.at(b.caches(), 20_000))
				if err != nil {
					t.Fatal(err)
				}
				tip := b.rings.Tip(e)
				if len(tip) == 0 { // a chip lies over it
					continue
				}
				for _, line := range append(want.Residency(), r.caches.Of.History(&want)...) {
					if !slices.Contains(tip, line) {
						t.Fatalf("%s: the tooltip at %g, %g is %q, want %q in it", other.title(), x, y, tip, line)
					}
				}
				seen[under.Low] = true
			}
		}
		if len(seen) < 20 {
			t.Errorf("%s: %d glyphs have a tooltip, want 20", other.title(), len(seen))
		}
	}
}

// TestALineKeepsItsNumber: the explanation of a line in a file with a long name is headed by all of it that tells it
// apart, in a narrow pane too, and where the recording has no text of it the panes say so.
func TestALineKeepsItsNumber(t *testing.T) {
	b := open(t, shipped+"bubble-vector-shuffled.orr")
	at := slices.IndexFunc(b.cycles.found.Lines, func(id int32) bool {
		return id >= 0 && strings.HasSuffix(b.rec.Lines.At(id).File, "stl_vector.h")
	})
	if at < 0 {
		t.Fatal("no window begins in stl_vector.h")
	}
	l := b.rec.Lines.At(b.cycles.found.Lines[at])
	b.link.Select(link.Thing{What: link.Line, File: l.File, Line: l.Line}, "cycles")
	b.settle()
	for _, width := range []float64{150, 240, 500} {
		var text []string
		for _, shape := range b.draw(shell.Explain, scene.Size{W: width, H: 900, Scale: 1}).Shapes {
			if s, ok := shape.(scene.Text); ok {
				text = append(text, s.S)
			}
		}
		all := strings.Join(text, " ")
		for _, want := range []string{fmt.Sprintf("stl_vector.h:%d", l.Line), "its text is not in this recording"} {
			if !strings.Contains(all, want) {
				t.Errorf("%g wide: the explanation lacks %q: %q", width, want, all)
			}
		}
		if strings.Contains(all, "…") {
			t.Errorf("%g wide: the explanation is cut: %q", width, all)
		}
	}
	if got, want := b.view(shell.Source).Caption(), fmt.Sprintf("no text of stl_vector.h:%d",
		l.Line); !strings.HasPrefix(got, want) {
		t.Errorf("the source is called %q, want %q first", got, want)
	}
	own := b.lineAt(b.rec.Len() - 1)
	b.link.Select(own, "source")
	if got := b.view(shell.Source).Caption(); strings.Contains(got, "no text") {
		t.Errorf("beside the line %+v the source is called %q", own, got)
	}
}

// TestAnotherExplanationIsReadFromItsBeginning: what is scrolled stays while the cursor moves, and what is said of
// another line begins at its top.
func TestAnotherExplanationIsReadFromItsBeginning(t *testing.T) {
	b := open(t, shipped+"matmul-standard.orr")
	v, size := b.view(shell.Explain).(*explainView), scene.Size{W: 160, H: 60, Scale: 1}
	lines := []link.Thing{{What: link.Line, File: "matmul.c", Line: 16}, {What: link.Line, File: "matmul.c", Line: 17}}
	for i := range lines { // by their names in the recording
		for k := range b.rec.Lines.Len() {
			if l := b.rec.Lines.At(int32(k)); strings.HasSuffix(l.File, lines[i].File) && l.Line == lines[i].Line {
				lines[i].File = l.File
			}
		}
	}
	b.link.Select(lines[0], "source")
	b.draw(shell.Explain, size)
	v.Scrolled(pane.Event{Theme: palette.Dark()}, 0, -3)
	if b.draw(shell.Explain, size); v.scroll == 0 {
		t.Fatal("the explanation does not scroll")
	}
	was := v.scroll
	b.link.SetCursor(1234)
	if b.draw(shell.Explain, size); v.scroll != was {
		t.Errorf("the cursor moves the explanation from %g to %g", was, v.scroll)
	}
	b.link.Select(lines[1], "source")
	if b.draw(shell.Explain, size); v.scroll != 0 {
		t.Errorf("what is said of the next line begins at %g", v.scroll)
	}
}

// TestTimelineByHand: a double click fits before it drops anything, and the guide goes with a drag.
func TestTimelineByHand(t *testing.T) {
	b := open(t, shipped+"bubble-vector-shuffled.orr")
	v, size := b.view(shell.Timeline).(*timelineView), scene.Size{W: 800, H: 120, Scale: 1}
	stretch := link.Range{From: 100, To: 400}
	b.link.SetWindow(stretch)
	b.draw(shell.Timeline, size)
	at := pane.Event{Theme: palette.Dark(), At: scene.Point{X: 300, Y: 60}, Size: size}
	v.Zoom(at, 4)
	for _, want := range []struct {
		view   bool // zoomed
		window link.Range
	}{{false, stretch}, {false, link.Range{To: b.rec.Extent()}}} {
		v.DoubleTapped(at)
		if got := b.link.State().Window; got != want.window || !v.view.Empty() != want.view {
			t.Errorf("a double click leaves the stretch %v, zoomed to %v, want %v, zoomed %v", got, v.view,
				want.window, want.view)
		}
	}
	from := pane.Event{Theme: palette.Dark(), At: scene.Point{X: 200, Y: 60}, Size: size}
	to := pane.Event{Theme: palette.Dark(), At: scene.Point{X: 700, Y: 60}, Size: size}
	v.Moved(from)
	v.Pressed(from)
	before := *v.hover
	v.Dragged(to, from.At)
	if want := v.hit(to).Seq; v.hover == nil || *v.hover != want {
		t.Errorf("after a drag the guide stands at %d, was at %d, want %d", *v.hover, before, want)
	}
}

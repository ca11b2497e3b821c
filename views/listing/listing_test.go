package listing

import (
	"testing"

	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

func state() State[link.Thing] {
	row := func(name, value string) Row[link.Thing] {
		return Row[link.Thing]{Color: palette.Qualitative(palette.Dark(), 0), Name: name, Value: value,
			Thing: link.Thing{What: link.Region, Name: name}}
	}
	stack := row("stack", "1 024")
	stack.Fold, stack.Note = Unfolded, "2 variables"
	return State[link.Thing]{Theme: palette.Dark(), Groups: []Group[link.Thing]{
		{Title: "REGIONS", Rows: []Row[link.Thing]{stack, row("a", "412"),
			row("a region with a name that is far too long for the list", "96")}},
		{Title: "THREADS", Rows: []Row[link.Thing]{row("main", "1")}},
	}}
}

// TestHitFindsWhatIsDrawn walks down the list and wants every row once, in order, and none in the headings.
func TestHitFindsWhatIsDrawn(t *testing.T) {
	for _, scroll := range []float64{0, 13, 40} {
		s, size := state(), scene.Size{W: 180, H: 400, Scale: 1}
		s.Scroll = scroll
		var names []string
		for y := 0.5; y < size.H; y++ {
			row := Hit(s, size, scene.Point{X: 50, Y: y})
			if row == nil {
				continue
			}
			if len(names) == 0 || names[len(names)-1] != row.Name {
				names = append(names, row.Name)
			}
		}
		want := 4
		if len(names) != want || names[len(names)-1] != "main" {
			t.Errorf("scrolled by %g: rows %q, want %d that end with main", scroll, names, want)
		}
	}
}

// TestTextStaysInside checks that no text of a row reaches into its neighbour or out of the list.
func TestTextStaysInside(t *testing.T) {
	for _, width := range []float64{90, 180, 400} {
		size := scene.Size{W: width, H: 200, Scale: 1}
		spans := map[float64][][2]float64{} // by baseline: what is written there
		for _, shape := range Scene(state(), size).Shapes {
			text, ok := shape.(scene.Text)
			if !ok {
				continue
			}
			w := scene.Measure(text.Face, text.Size, scene.Ellipsis(text.Face, text.Size, text.S, text.Max))
			from, to := text.At.X-text.Align*w, text.At.X+(1-text.Align)*w
			if from < 0 || to > width {
				t.Errorf("width %g: %q spans %.1f to %.1f", width, text.S, from, to)
			}
			for _, o := range spans[text.At.Y] {
				if from < o[1] && o[0] < to {
					t.Errorf("width %g: %q spans %.1f to %.1f, where %.1f to %.1f is written already", width, text.S,
						from, to, o[0], o[1])
				}
			}
			spans[text.At.Y] = append(spans[text.At.Y], [2]float64{from, to})
		}
	}
}

func TestEmptyListSaysSo(t *testing.T) {
	d := Scene(State[link.Thing]{Theme: palette.Light(), Empty: "Nothing here yet. Record a program first."},
		scene.Size{W: 120, H: 100, Scale: 1})
	if len(d.Shapes) < 2 {
		t.Errorf("%d lines of text, want the sentence wrapped", len(d.Shapes))
	}
}

// TestRevealBringsARowIntoView: of a list that is too long the row is seen afterwards, one that is seen already stays
// where it is, and what is not in the list moves nothing.
func TestRevealBringsARowIntoView(t *testing.T) {
	type key struct{ group, row int }
	s := State[key]{Theme: palette.Dark()}
	for g := range 3 {
		group := Group[key]{Title: "GROUP"}
		for i := range 20 {
			group.Rows = append(group.Rows, Row[key]{Name: "row", Thing: key{g + 1, i}})
		}
		s.Groups = append(s.Groups, group)
	}
	size := scene.Size{W: 180, H: 150, Scale: 1}
	for _, from := range []float64{0, 300, Height(s) - size.H} {
		for g := range s.Groups {
			for i := range s.Groups[g].Rows {
				s.Scroll = from
				want := s.Groups[g].Rows[i].Thing
				place := func() (at scene.Rect) {
					each(s, size, func(r scene.Rect, group, row int) {
						if group == g && row == i {
							at = r
						}
					})
					return at
				}
				seen := func() bool { r := place(); return r.H() > 0 && r.Min.Y >= 0 && r.Max.Y <= size.H }
				was := seen()
				s.Scroll = Reveal(s, size, want)
				if !seen() || was && s.Scroll != from || s.Scroll < 0 || s.Scroll > Height(s)-size.H {
					t.Fatalf("from %g row %v is at %v, scrolled to %g", from, want, place(), s.Scroll)
				}
			}
		}
		s.Scroll = from
		if got := Reveal(s, size, key{9, 9}); got != from {
			t.Errorf("what is not in the list scrolls it from %g to %g", from, got)
		}
	}
}

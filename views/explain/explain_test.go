package explain

import (
	"strings"
	"testing"

	"orrery/views/palette"
	"orrery/views/scene"
)

// TestEverythingIsSaidInside wants every word of every section on the picture, inside its width, below what comes
// before.
func TestEverythingIsSaidInside(t *testing.T) {
	s := State{Theme: palette.Dark(), Sections: []Section{
		{Title: "Cycle #1", Lines: []string{"6.0 turns, 63 references a turn", "bubble.cpp:5 58 %, bubble.cpp:6 27 %"}},
		{Title: "few bytes of each block of particle are ever used", Lines: []string{"keep them apart"}},
		{Title: "a[2]", Chip: palette.Qualitative(palette.Dark(), 1), Lines: []string{"touched by every sweep"}},
	}}
	for _, width := range []float64{120, 200, 500} {
		size := scene.Size{W: width, H: 600, Scale: 1}
		var words []string
		y := 0.0
		for _, shape := range Scene(s, size).Shapes {
			text, ok := shape.(scene.Text)
			if !ok {
				continue
			}
			words = append(words, strings.Fields(text.S)...)
			if text.At.Y <= y || text.At.X+scene.Measure(text.Face, text.Size, scene.Ellipsis(text.Face, text.Size, text.S,
				text.Max)) > width {
				t.Errorf("width %g: %q at %v overlaps or leaves the picture", width, text.S, text.At)
			}
			y = text.At.Y
		}
		want := "Cycle #1 6.0 turns, 63 references a turn bubble.cpp:5 58 %, bubble.cpp:6 27 % few bytes of each block of " +
			"particle are ever used keep them apart a[2] touched by every sweep"
		if got := strings.Join(words, " "); got != want {
			t.Errorf("width %g: %q, want %q", width, got, want)
		}
		if h := Height(s, size); h < y || h > y+20 {
			t.Errorf("width %g: height %g, but the last line is at %g", width, h, y)
		}
	}
}

func TestNothingSelectedSaysWhatToDo(t *testing.T) {
	d := Scene(State{Theme: palette.Light(), Empty: "Select a line to read about it."},
		scene.Size{W: 300, H: 100, Scale: 1})
	if len(d.Shapes) != 1 {
		t.Errorf("%d shapes, want one line of text", len(d.Shapes))
	}
}

package source

import (
	"strings"
	"testing"

	"orrery/views/golden"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

const program = `#include <stddef.h>

/* Sorts n numbers by letting the larger of two neighbours rise. */
static void sort(int *a, size_t n)
{
	for (size_t i = 0; i + 1 < n; i++) {
		for (size_t j = 0; j + 1 < n - i; j++) {
			if (a[j] > a[j + 1]) {
				int held = a[j]; /* the larger one */
				a[j] = a[j + 1];
				a[j + 1] = held;
			}
		}
	}
}
`

// example is a program of which one line runs now and one is selected.
func example(theme palette.Theme) State {
	s := State{Theme: theme, File: "src/bubble.c", Text: Lines(program), Heat: map[int]Heat{}, Now: 10,
		Selected: link.Thing{What: link.Line, File: "src/bubble.c", Line: 8}}
	for i, line := range []int{8, 9, 10, 11, 7, 6} {
		h := Heat{References: 120 / uint64(i*i+1), Function: "sort", Color: palette.Qualitative(theme, i)}
		if line == 8 || line == 11 {
			h.Misses = h.References / 5
		}
		s.Heat[line] = h
	}
	return s
}

// byMisses shows the misses in place of the references.
func byMisses(s State) State {
	s.ByMisses = true
	return s
}

// The pictures of a few states as SVG. A change shows in the difference of the files; look at them in a browser before
// accepting it with -update.
func TestGoldens(t *testing.T) {
	tabbed := example(palette.Light())
	tabbed.Files, tabbed.Scroll = []string{"src/bubble.c", "src/main.c"}, 40
	for _, row := range []struct {
		name string
		s    State
		room scene.Size
	}{
		{"narrow-dark", example(palette.Dark()), scene.Size{W: 250, H: 330, Scale: 1}},
		{"narrow-light", tabbed, scene.Size{W: 250, H: 200, Scale: 1}},
		{"wide-dark", example(palette.Dark()), scene.Size{W: 420, H: 330, Scale: 1}},
		{"misses-dark", byMisses(example(palette.Dark())), scene.Size{W: 420, H: 330, Scale: 1}},
		{"wide-light", tabbed, scene.Size{W: 420, H: 330, Scale: 1}},
	} {
		t.Run(row.name, func(t *testing.T) { golden.Check(t, row.name, Scene(row.s, row.room)) })
	}
}

// TestCutTextIsInTheTooltip: what the ellipsis hides can be read by pointing at it, and only that.
func TestCutTextIsInTheTooltip(t *testing.T) {
	s := example(palette.Dark())
	for _, w := range []float64{120, 250, 359, 360, 420, 900} {
		room := scene.Size{W: w, H: 400, Scale: 1}
		cut := 0
		for _, shape := range Scene(s, room).Shapes {
			g, ok := shape.(scene.Group)
			if !ok {
				continue
			}
			for _, inner := range g.Shapes {
				text, ok := inner.(scene.Text)
				if !ok || text.Align == 1 {
					continue
				}
				if text.At.X+min(text.Max, scene.Measure(text.Face, text.Size, text.S)) > w {
					t.Errorf("%g wide: %q leaves the pane", w, text.S)
				}
				tip := strings.Join(Hit(s, room, scene.Point{X: 50, Y: text.At.Y - 3}).Lines, "\n")
				hidden := scene.Ellipsis(text.Face, text.Size, text.S, text.Max) != text.S
				if hidden != strings.Contains(tip, "\n"+text.S+"\n") {
					t.Errorf("%g wide: %q is cut: %v; its tooltip: %q", w, text.S, hidden, tip)
				}
				if hidden {
					cut++
				}
			}
		}
		if w == 120 && cut == 0 || w == 900 && cut > 0 {
			t.Errorf("%g wide: %d lines are cut", w, cut)
		}
	}
}

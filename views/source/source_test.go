package source

import (
	"fmt"
	"testing"

	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

func state(lines int) State {
	s := State{Theme: palette.Dark(), File: "a.c", Files: []string{"a.c", "lib/b.c"}, Heat: map[int]Heat{}, Now: 3}
	for i := range lines {
		s.Text = append(s.Text, fmt.Sprintf("    statement(%d);", i))
	}
	s.Heat[2] = Heat{References: 10, Function: "main", Color: palette.Qualitative(s.Theme, 0)}
	s.Heat[3] = Heat{References: 40, Misses: 4, Function: "main", Color: palette.Qualitative(s.Theme, 1)}
	return s
}

func TestTabsExpandToColumns(t *testing.T) {
	for in, want := range map[string]string{"\tx": "    x", "a\tb": "a   b", "abcd\te": "abcd    e", "no tab": "no tab",
		"\t\ty": "        y"} {
		if got := Lines(in + "\r\n"); len(got) != 1 || got[0] != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

// TestHitIsTheLineDrawnThere takes each line number's text from the picture and asks what lies there.
func TestHitIsTheLineDrawnThere(t *testing.T) {
	room := scene.Size{W: 300, H: 200, Scale: 1}
	for _, scroll := range []float64{0, 7, 300} {
		s := state(60)
		s.Scroll = scroll
		seen := 0
		for _, shape := range Scene(s, room).Shapes {
			g, ok := shape.(scene.Group)
			if !ok {
				continue
			}
			for _, inner := range g.Shapes {
				text, ok := inner.(scene.Text)
				if !ok || text.Align != 1 || text.At.Y-4 < place(&s, room).head || text.At.Y-4 >= room.H {
					continue
				}
				seen++
				got := Hit(s, room, scene.Point{X: 100, Y: text.At.Y - 4})
				if fmt.Sprint(got.Thing.Line) != text.S || got.Thing.File != "a.c" {
					t.Errorf("scrolled by %g: the line drawn as %s is hit as %+v", scroll, text.S, got.Thing)
				}
			}
		}
		if seen < 8 {
			t.Errorf("scrolled by %g: %d lines in 200 units", scroll, seen)
		}
	}
}

func TestRevealBringsTheLineIntoView(t *testing.T) {
	room := scene.Size{W: 300, H: 200, Scale: 1}
	for _, line := range []int{1, 2, 30, 59, 60} {
		for _, scroll := range []float64{0, 400, 900} {
			s := state(60)
			s.Scroll = scroll
			s.Scroll = Reveal(s, room, line)
			y := place(&s, room).head + row*float64(line-1) - s.Scroll
			if y < place(&s, room).head-1 || y+row > room.H+1 {
				t.Errorf("line %d from scroll %g is at %g after Reveal", line, scroll, y)
			}
			if again := Reveal(s, room, line); again != s.Scroll {
				t.Errorf("Reveal of a visible line moves from %g to %g", s.Scroll, again)
			}
		}
	}
}

func TestTabsNameFiles(t *testing.T) {
	s, room := state(5), scene.Size{W: 300, H: 200, Scale: 1}
	for i, tab := range layTabs(&s, room) {
		if got := Hit(s, room, tab.Center()); got.File != s.Files[i] || got.Thing.What != link.Nothing {
			t.Errorf("tab %d gives %+v", i, got)
		}
	}
}

func TestTooltipSaysWhatTheLineDoes(t *testing.T) {
	s, room := state(5), scene.Size{W: 300, H: 200, Scale: 1}
	l := place(&s, room)
	at := func(line int) []string {
		return Hit(s, room, scene.Point{X: 100, Y: l.head + row*(float64(line)-0.5)}).Lines
	}
	if got := fmt.Sprint(at(3)); got != "[a.c:3 in main 40 references 4 misses in the first level]" {
		t.Errorf("line 3: %s", got)
	}
	if got := fmt.Sprint(at(1)); got != "[a.c:1 makes no recorded references]" {
		t.Errorf("line 1: %s", got)
	}
}

func TestNoTextSaysSo(t *testing.T) {
	d := Scene(State{Theme: palette.Light(), Empty: "This recording has no source text."},
		scene.Size{W: 300, H: 200, Scale: 1})
	if len(d.Shapes) == 0 {
		t.Error("nothing is said")
	}
}

// TestManyFiles: however many files there are and however little room, tabs lie beside each other inside the pane, the
// file that is shown has one, and every other can be reached from tab to tab.
func TestManyFiles(t *testing.T) {
	for _, n := range []int{2, 5, 40} {
		for _, w := range []float64{120, 250, 700} {
			s := State{Theme: palette.Dark(), Text: []string{"x"}}
			for i := range n {
				s.Files = append(s.Files, fmt.Sprintf("src/file%02d.c", i))
			}
			s.File = s.Files[0]
			room := scene.Size{W: w, H: 200, Scale: 1}
			for steps := 1; s.File != s.Files[n-1]; steps++ {
				own, next := false, ""
				list := layTabs(&s, room)
				for i, a := range list {
					own = own || s.Files[a.file] == s.File && a.word == ""
					if s.Files[a.file] > s.File && (next == "" || s.Files[a.file] < next) {
						next = s.Files[a.file]
					}
					if a.Min.X < 0 || a.Max.X > w {
						t.Fatalf("%d files, %g wide: a tab from %g to %g", n, w, a.Min.X, a.Max.X)
					}
					if hit := Hit(s, room, a.Center()); hit.File != s.Files[a.file] {
						t.Fatalf("%d files, %g wide: the tab of %s leads to %q", n, w, s.Files[a.file], hit.File)
					}
					for _, b := range list[:i] {
						if a.Min.X < b.Max.X && b.Min.X < a.Max.X {
							t.Fatalf("%d files, %g wide: tabs overlap", n, w)
						}
					}
				}
				if !own || next == "" || steps > n {
					t.Fatalf("%d files, %g wide: at %s its own tab is there: %v, the next is %q", n, w, s.File, own, next)
				}
				s.File = next
			}
		}
	}
}

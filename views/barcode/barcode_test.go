package barcode

import (
	"math"
	"strings"
	"testing"

	"orrery/views/golden"
	"orrery/views/palette"
	"orrery/views/scene"
)

var pane = scene.Size{W: 640, H: 400, Scale: 1}

func example() State {
	s := State{Theme: palette.Dark(), Top: 10, Unit: "edits", Current: 1, Other: -1, Hover: -1,
		Caption: "window 10 · address"}
	for i, b := range [][2]float64{{2, 9}, {2, 9}, {3, 9}, {2, 6}, {5, 8}, {4, math.Inf(1)}, {6, 7},
		{2, 3}, {2, 3}, {2, 3}} {
		bar := Bar{Birth: b[0], Death: b[1], Shown: -1}
		if i < 5 {
			bar.Shown, bar.Turns = i, float64(20-3*i)/2
		}
		s.Bars = append(s.Bars, bar)
	}
	s.Bars[6].Note = "it does not lift to the integers"
	return s
}

// Every class can be met in both pictures where it is drawn, and the two name the same one.
func TestC3PicturesAreLinked(t *testing.T) {
	s := example()
	for _, size := range []scene.Size{pane, {W: 420, H: 700, Scale: 1}} {
		f := frames(&s, size)
		if len(f) != 2 || f[0].bars || !f[1].bars {
			t.Fatalf("%v: frames %+v", size, f)
		}
		at := spots(&s, &f[0])
		for i, b := range s.Bars {
			if got := Hit(s, size, at[i]); got.Bar != i {
				t.Errorf("%v: the diagram's point of class %d is class %d", size, i, got.Bar)
			}
			x := f[1].x((b.Birth + min(b.Death, 10)) / 2)
			row, first := min(i, 7), min(i, 7) // the last three are alike and share a row
			got := Hit(s, size, scene.Point{X: x, Y: f[1].rowY(row)})
			if got.Bar != first || math.Abs(got.Scale-(b.Birth+min(b.Death, 10))/2) > 1e-9 {
				t.Errorf("%v: bar %d is class %d at scale %g", size, i, got.Bar, got.Scale)
			}
		}
	}
	if got := Hit(s, pane, scene.Point{X: 1, Y: 1}); got.Bar >= 0 || !math.IsNaN(got.Scale) {
		t.Errorf("the corner is %+v", got)
	}
}

// The first class at a place lies exactly where birth and death put it, the others within a cell of it.
func TestC3DiagramPlacesBirthAndDeath(t *testing.T) {
	s := example()
	f := frames(&s, pane)[0]
	seen := map[[2]float64]bool{}
	for i, p := range spots(&s, &f) {
		b := s.Bars[i]
		want := scene.Point{X: f.Min.X + f.W()*b.Birth/10, Y: f.Max.Y - f.H()*min(b.Death, 10)/10}
		limit := f.W() / 10 / 2
		if key := [2]float64{b.Birth, b.Death}; !seen[key] {
			limit, seen[key] = 1e-9, true
		}
		if d := math.Hypot(p.X-want.X, p.Y-want.Y); d > limit {
			t.Errorf("class %d is %.2f from its place", i, d)
		}
	}
}

func TestC3TipsTellTheClass(t *testing.T) {
	s := example()
	for i, want := range map[int]string{1: "#2  8.5 turns\nfrom 2 to 9 edits, persistence 7\nclick to show it",
		5: "#6\nborn at 4 edits, alive at the largest scale",
		6: "#7\nfrom 6 to 7 edits, persistence 1\nit does not lift to the integers"} {
		if got := strings.Join(tip(&s, i), "\n"); got != want {
			t.Errorf("class %d: %q, want %q", i, got, want)
		}
	}
}

func TestC14BrushDimsWhatLivesElsewhere(t *testing.T) {
	s := example()
	s.Low, s.High = 6, 7
	for i, b := range s.Bars {
		want := b.Birth < 7 && b.Death > 6
		if got := s.ink(i).A == 255; i != s.Current && got != want {
			t.Errorf("class %d, %g to %g, is bright: %v", i, b.Birth, b.Death, got)
		}
	}
}

func TestManyBarsAndBadNumbers(t *testing.T) {
	s := example()
	for range 5000 {
		s.Bars = append(s.Bars, Bar{Birth: 2, Death: 3, Shown: -1})
	}
	d := Scene(s, pane)
	if len(d.Shapes) > 600 {
		t.Errorf("%d shapes for 5000 classes", len(d.Shapes))
	}
	s.Bars = []Bar{{Birth: 0, Death: 0}, {Birth: math.NaN(), Death: math.NaN()}}
	s.Current, s.Hover, s.Top = 7, 9, math.Inf(1)
	for _, size := range []scene.Size{{}, {W: 1, H: 1}, {W: 60, H: 900}, {W: 3000, H: 20}} {
		Scene(s, size)
		Hit(s, size, scene.Point{X: 10, Y: 10})
	}
}

func TestGoldenPictures(t *testing.T) {
	states := map[string]func() (State, scene.Size){
		"dark": func() (State, scene.Size) { return example(), pane },
		"light": func() (State, scene.Size) {
			s := example()
			s.Theme, s.Hover, s.Other = palette.Light(), 3, 2
			return s, pane
		},
		"diagram": func() (State, scene.Size) { s := example(); s.Picture = Diagram; return s, pane },
		"bars":    func() (State, scene.Size) { s := example(); s.Picture, s.Low, s.High = Bars, 4, 6; return s, pane },
		"tall":    func() (State, scene.Size) { return example(), scene.Size{W: 320, H: 560, Scale: 1} },
		"empty":   func() (State, scene.Size) { return State{Theme: palette.Dark(), Empty: "Nothing recurs."}, pane },
	}
	for name, make := range states {
		s, size := make()
		golden.Check(t, name, Scene(s, size))
	}
}

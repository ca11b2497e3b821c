package filterpanel

import (
	"testing"

	"orrery/views/golden"
	"orrery/views/palette"
	"orrery/views/scene"
)

func rows() []Row {
	return []Row{
		{Kind: Note, Title: "12 of 34 designs pass. 5 of 6 possible combinations were searched."},
		{Kind: Values, ID: "show", Title: "Show", One: true, Words: []string{"all", "local", "global"},
			On: []bool{true, false, false}},
		{Kind: Head, Title: "OBJECTIVES"},
		{Kind: Range, ID: "time", Title: "time, ms", Value: "1 to 9", Low: 0.25, High: 0.75,
			Bins: []float64{1, 5, 3, 0, 2, 7, 1, 1}},
		{Kind: Values, ID: "cores", Title: "cores", Words: []string{"1", "2", "a long one that is wide", "another long one"},
			On: []bool{true, false, true, true}},
		{Kind: Item, ID: "c", Title: "V-Out, VLE together"},
		{Kind: Button, ID: "reset", Title: "Take all filters away"},
		{Kind: Button, ID: "off", Title: "Add this condition", Off: true},
	}
}

func TestGoldens(t *testing.T) {
	size := scene.Size{W: 220, H: 330, Scale: 1}
	golden.Check(t, "dark", Scene(State{Theme: palette.Dark(), Rows: rows(), Hover: Target{3, LowHandle, 0}}, size))
	golden.Check(t, "light", Scene(State{Theme: palette.Light(), Rows: rows(), Hover: Target{4, Word, 1}, Scroll: 20},
		size))
	golden.Check(t, "empty", Scene(State{Theme: palette.Dark(), Empty: "Nothing to filter."}, size))
}

// Every part of every row answers at the place where it is, and no other row does.
func TestPartsAnswer(t *testing.T) {
	s := State{Theme: palette.Dark(), Rows: rows()}
	size := scene.Size{W: 220, H: 400, Scale: 1}
	found := map[Target]bool{}
	all, _ := places(&s, size)
	for y := 0.0; y < Tall(s, size); y++ {
		for x := 0.0; x < size.W; x += 2 {
			got := Hit(s, size, scene.Point{X: x, Y: y})
			if got.Part == Nothing {
				continue
			}
			if at := all[got.Row].at; y < at.Min.Y || y >= at.Max.Y {
				t.Fatalf("row %d answers at %g, it lies from %g to %g", got.Row, y, at.Min.Y, at.Max.Y)
			}
			found[got] = true
		}
	}
	for _, want := range []Target{{1, Word, 0}, {1, Word, 2}, {3, LowHandle, 0}, {3, HighHandle, 0}, {4, Word, 3},
		{5, Cross, 0}, {6, Press, 0}} {
		if !found[want] {
			t.Errorf("%+v is nowhere", want)
		}
	}
	if found[Target{7, Press, 0}] {
		t.Error("a button that is off can be pressed")
	}
}

// What lies on the slider is the share of its length.
func TestShares(t *testing.T) {
	s := State{Theme: palette.Dark(), Rows: rows()}
	size := scene.Size{W: 220, H: 400, Scale: 1}
	all, _ := places(&s, size)
	_, from, to := all[3].track()
	for x, want := range map[float64]float64{from - 50: 0, from: 0, (from + to) / 2: 0.5, to: 1, to + 50: 1} {
		if got := Share(s, size, 3, x); got < want-1e-9 || got > want+1e-9 {
			t.Errorf("at %g: %g, want %g", x, got, want)
		}
	}
}

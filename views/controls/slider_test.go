package controls

import (
	"math"
	"testing"

	"orrery/views/palette"
	"orrery/views/scene"
)

// A value and the place where it lies are the same thing, ends included, and the knob stands there.
func TestValuesLieWhereTheKnobStands(t *testing.T) {
	room := scene.R(40, 100, 212, RowHeight)
	s := Slider{Theme: palette.Dark(), Low: 2, High: 7, Marks: []float64{2, 3, 4, 5, 6, 7}}
	for v := 2.0; v <= 7; v += 0.25 {
		s.Value = v
		if got := s.ValueAt(room, s.X(room, v)); math.Abs(got-v) > 1e-9 {
			t.Errorf("at the place of %g lies %g", v, got)
		}
		shapes := s.Shapes(room)
		low, high := math.Inf(1), math.Inf(-1)
		for _, p := range shapes[len(shapes)-1].(scene.Fill).Path.Points {
			low, high = min(low, p.X), max(high, p.X)
		}
		if got := (low + high) / 2; math.Abs(got-s.X(room, v)) > 0.01 {
			t.Errorf("the knob of %g stands at %g, want %g", v, got, s.X(room, v))
		}
	}
	for x, want := range map[float64]float64{-1000: 2, 0: 2, 1000: 7} {
		if got := s.ValueAt(room, x); got != want {
			t.Errorf("far off at %g lies %g, want %g", x, got, want)
		}
	}
	one := Slider{Low: 3, High: 3, Value: 3}
	if got := one.ValueAt(room, 50); got != 3 || math.IsNaN(one.X(room, 3)) {
		t.Errorf("a slider with one value gives %g at %g", got, one.X(room, 3))
	}
}

package source

import (
	"testing"

	"orrery/views/scene"
)

// TestC8FoldedFunctionTakesOneRow folds a function of four lines, one of them without references.
func TestC8FoldedFunctionTakesOneRow(t *testing.T) {
	s := state(20)
	room := scene.Size{W: 500, H: 400, Scale: 1}
	for n, f := range map[int]string{2: "main", 3: "main", 8: "sort", 9: "sort", 11: "sort", 15: "main2"} {
		s.Heat[n] = Heat{References: uint64(n), Misses: 1, Function: f}
	}
	s.Folded = map[string]bool{"sort": true, "elsewhere": true}
	visible := s.visible()
	if len(visible) != 17 || visible[7] != 8 || visible[8] != 12 {
		t.Fatalf("rows of lines %v", visible)
	}
	if h, runs, lines := s.heat(8); !runs || lines != 3 || h.References != 28 || h.Misses != 3 {
		t.Errorf("the folded function has %+v in %d lines", h, lines+1)
	}
	y := func(i int) float64 { return place(&s, room).head + row*(float64(i)+0.5) }
	if got := Hit(s, room, scene.Point{X: 90, Y: y(7)}); got.Thing.Line != 8 || got.Function != "sort" {
		t.Errorf("row 7 is %+v", got)
	}
	if got := Hit(s, room, scene.Point{X: 90, Y: y(8)}); got.Thing.Line != 12 {
		t.Errorf("row 8 is line %d", got.Thing.Line)
	}
	for line, want := range map[int]int{1: 0, 8: 7, 10: 7, 11: 7, 12: 8, 20: 16} {
		if got := rowOf(visible, line); got != want {
			t.Errorf("line %d is in row %d, want %d", line, got, want)
		}
	}
	s.Folded = nil
	if h, _, lines := s.heat(8); lines != 0 || h.References != 8 || len(s.visible()) != 20 {
		t.Errorf("unfolded: %+v, %d lines, %d rows", h, lines, len(s.visible()))
	}
}

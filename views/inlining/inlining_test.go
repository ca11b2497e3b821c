package inlining

import (
	"fmt"
	"testing"

	"orrery/views/golden"
	"orrery/views/palette"
	"orrery/views/scene"
)

func sample(theme palette.Theme) State {
	return State{Theme: theme, Over: 3, Lines: []Line{
		{Head: true, Text: "Sum.total"},
		{Number: "3", Text: "aload_1", Count: 2, Shown: true},
		{Number: "4", Text: "invokevirtual Node.value", Count: 1, Heat: 0.4},
		{Head: true, Depth: 1, Text: "Node.value", Number: "inlined at 4"},
		{Depth: 1, Number: "0", Text: "aload_0"},
		{Head: true, Depth: 1, Text: "Node.next", Number: "inlined at 9", Folded: true},
	}}
}

func TestPictures(t *testing.T) {
	size := scene.Size{W: 300, H: 160, Scale: 1}
	for _, theme := range []palette.Theme{palette.Dark(), palette.Light()} {
		golden.Check(t, "method-"+theme.Name, Scene(sample(theme), size))
	}
	golden.Check(t, "empty", Scene(State{Theme: palette.Dark(), Empty: "Nothing is told of the source."}, size))
}

// A line is hit where it is drawn, and scrolling to it brings it into view.
func TestLinesAreHitWhereTheyAreDrawn(t *testing.T) {
	s := State{Theme: palette.Dark()}
	for i := range 200 {
		s.Lines = append(s.Lines, Line{Number: fmt.Sprint(i), Text: "x"})
	}
	size := scene.Size{W: 200, H: 120, Scale: 1}
	for _, line := range []int{0, 3, 77, 199, 100} {
		s.Scroll = Reveal(s, size, line)
		y := 4 + rowTall*(float64(line)+0.5) - s.Scroll
		if y < 0 || y > size.H {
			t.Errorf("line %d is at %g", line, y)
		}
		if got := Hit(s, scene.Point{X: 20, Y: y}); got != line {
			t.Errorf("at line %d is %d", line, got)
		}
	}
	if got := Hit(s, scene.Point{Y: 1e6}); got != -1 {
		t.Errorf("below everything is line %d", got)
	}
}

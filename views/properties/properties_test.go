package properties

import (
	"image/color"
	"testing"

	"orrery/views/golden"
	"orrery/views/palette"
	"orrery/views/scene"
)

var sheet = []Thing{
	{Name: "v22  MOVQload", Note: "2 inputs, 3 uses", Color: color.NRGBA{R: 200, G: 120, B: 40, A: 255},
		Properties: []Property{
			{"name", "MOVQload"},
			{"label", "v22 = MOVQload <*node> v8 v1 : DX, which is long enough for three lines of this narrow sheet"},
			{"misses", "4096"}}},
	{Name: "v17  ADDQload", Properties: []Property{{"line", "36"}}},
}

func TestPictures(t *testing.T) {
	size := scene.Size{W: 280, H: 220, Scale: 1}
	for _, theme := range []palette.Theme{palette.Dark(), palette.Light()} {
		golden.Check(t, "sheet-"+theme.Name, Scene(State{Theme: theme, Things: sheet}, size))
	}
	golden.Check(t, "empty", Scene(State{Theme: palette.Dark(), Empty: "Select nodes."}, size))
}

// Every property is hit where it is drawn, also when the sheet is scrolled to its end.
func TestPropertiesAreHitWhereTheyAreDrawn(t *testing.T) {
	size := scene.Size{W: 280, H: 90, Scale: 1}
	s := State{Theme: palette.Dark(), Things: sheet}
	for _, s.Scroll = range []float64{0, Overflow(s, size)} {
		all, _ := rows(&s, size)
		for _, r := range all {
			got := Hit(s, size, scene.Point{X: 100, Y: r.y + r.h/2 - s.Scroll})
			if r.key < 0 && got != nil || r.key >= 0 && (got == nil || *got != s.Things[r.thing].Properties[r.key]) {
				t.Errorf("scrolled by %g, row %d of %d hits %v", s.Scroll, r.key, r.thing, got)
			}
		}
		if last := all[len(all)-1]; s.Scroll > 0 && last.y+last.h-s.Scroll > size.H {
			t.Error("the last property cannot be scrolled to")
		}
	}
}

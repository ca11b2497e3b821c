package graphs

import (
	"math"
	"testing"

	"orrery/views/codegraph"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

// The frame of the satellite goes along with the pointer from where it was seized, and stays at the satellite's edge
// when the pointer leaves that; a press beside the frame brings it there.
func TestSatelliteIsDragged(t *testing.T) {
	b := shipped(t, "list.turbo.json.gz")
	b.draw()
	v := b.e.code
	s := v.state(palette.Dark())
	at := func(x, y float64) pane.Event {
		return pane.Event{Theme: palette.Dark(), Size: size, At: scene.Point{X: x, Y: y}, Button: pane.Primary}
	}
	small := func(x, y float64) bool { return codegraph.Hit(s, size, at(x, y).At).Small }
	var in, beside scene.Point
	for y := 0.0; y < size.H; y += 2 {
		for x := 0.0; x < size.W; x += 2 {
			if !small(x, y) || !small(x+8, y+8) || !small(x-8, y-8) {
				continue
			}
			if v.view.Contains(codegraph.Meant(s, size, scene.Point{X: x, Y: y}), size, barTall) {
				in = scene.Point{X: x, Y: y}
			} else {
				beside = scene.Point{X: x, Y: y}
			}
		}
	}
	if in.X == 0 || beside.X == 0 {
		t.Fatalf("in the frame lies %v, beside it %v", in, beside)
	}
	was := v.view.Center
	v.Pressed(at(in.X, in.Y))
	if v.view.Center != was {
		t.Errorf("a press on the frame moves it from %v to %v", was, v.view.Center)
	}
	per := codegraph.Meant(s, size, scene.Point{X: in.X + 1, Y: in.Y}).X - codegraph.Meant(s, size, in).X
	for _, by := range []scene.Point{{X: -3, Y: 2}, {X: 4, Y: 0}} {
		v.Dragged(at(in.X-300, in.Y-300), in)
		edge := v.view.Center
		if v.Dragged(at(in.X-400, in.Y-350), in); v.view.Center != edge || edge.X >= was.X {
			t.Errorf("dragged out of the satellite the frame goes from %v to %v, and further out to %v", was,
				edge, v.view.Center)
		}
		v.Dragged(at(in.X+by.X, in.Y+by.Y), in)
		if dx, dy := (v.view.Center.X-was.X)/per, (v.view.Center.Y-was.Y)/per; math.Hypot(dx-by.X, dy-by.Y) > 0.01 {
			t.Errorf("dragged by %v the frame moves by %g, %g", by, dx, dy)
		}
	}
	v.Released(at(in.X, in.Y))
	v.view.Center = was
	v.Pressed(at(beside.X, beside.Y))
	if want := codegraph.Meant(s, size, beside); v.view.Center != want {
		t.Errorf("a press beside the frame leads to %v, want %v", v.view.Center, want)
	}
}

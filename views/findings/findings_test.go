package findings

import (
	"testing"

	"orrery/analysis/findings"
	"orrery/views/golden"
	"orrery/views/palette"
	"orrery/views/scene"
)

func state(t palette.Theme) State {
	return State{Theme: t, Chosen: 1, Hover: 2, List: []findings.Finding{
		{Kind: findings.Spatial, Title: "B is walked across its blocks", Cost: findings.Cost{Share: 0.62}},
		{Kind: findings.Fusion, Title: "stencil.c:23 fetches again what stencil.c:21 has just had",
			Cost: findings.Cost{Share: 0.31}},
		{Kind: findings.Leak, Title: "blocks from a_rather_long_name_of_a_file.c:129 are never freed, and there are more " +
			"of them than the eye can see", Cost: findings.Cost{Share: 0.07}},
	}}
}

func TestPictures(t *testing.T) {
	for _, theme := range []palette.Theme{palette.Dark(), palette.Light()} {
		golden.Check(t, "list-"+theme.Name, Scene(state(theme), scene.Size{W: 230, H: 200, Scale: 1}))
	}
	golden.Check(t, "none", Scene(State{Theme: palette.Dark(), Chosen: -1, Hover: -1,
		Say: "Nothing found: no habit costs 5 % of the time or of the heap."}, scene.Size{W: 230, H: 120, Scale: 1}))
}

// TestHitIsWhereItIsDrawn: rows lie below each other, are hit where they are, and Reveal brings each into the room.
func TestHitIsWhereItIsDrawn(t *testing.T) {
	size := scene.Size{W: 210, H: 80, Scale: 1}
	s := state(palette.Dark())
	rows, bottom := lay(&s, size), 0.0
	for i, r := range rows {
		if r.box.Min.Y < bottom {
			t.Errorf("row %d begins at %g, above the end of the one before at %g", i, r.box.Min.Y, bottom)
		}
		bottom = r.box.Max.Y
		s.Scroll = Reveal(s, size, i)
		at := r.box.Center()
		at.Y -= s.Scroll
		if at.Y-r.box.H()/2 < 0 || at.Y+r.box.H()/2 > size.H || Hit(s, size, at) != i {
			t.Errorf("row %d is at %g when it is revealed, and hit as %d", i, at.Y, Hit(s, size, at))
		}
	}
	if most := Overflow(s, size); s.Scroll > most || most < 20 {
		t.Errorf("scrolled by %g of %g", s.Scroll, most)
	}
	if Hit(s, size, scene.Point{X: 1, Y: 1}) != -1 {
		t.Error("there is nothing in the corner")
	}
}

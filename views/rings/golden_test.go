package rings

import (
	"testing"

	"orrery/traceio"
	"orrery/views/golden"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// The pictures of a few states as SVG. A change shows in the difference of the files; look at them in a browser before
// accepting it with -update.
func TestGoldens(t *testing.T) {
	r := wandering(21, 400)
	small := hierarchies()["paper"]
	it := items(r, 16, false)
	at := func(n int, change func(*State)) State { return state(t, r, replay(t, r, small), it, n, change) }
	few := scene.Size{W: 480, H: 400, Scale: 1}
	for _, row := range []struct {
		name string
		s    State
		size scene.Size
	}{
		{"step-dark", at(300, func(s *State) { s.Frac = 0.4 }), few},
		{"lapse-light", at(380, func(s *State) { s.Theme, s.Speed, s.Frac = palette.Light(), 8, 1 }), few},
		{"selected", at(380, func(s *State) { s.Selected = link.Thing{What: link.Region, Name: "A"} }), few},
		{"set", at(380, func(s *State) { s.Hover = link.Thing{What: link.Set, Name: "L2", ID: 1} }), few},
		{"legend", at(200, func(s *State) { s.Mean = 20 }), scene.Size{W: 900, H: 360, Scale: 1}},
		{"fetches", state(t, r, replay(t, r, hierarchies()["split, three"]), items(r, 16, true), 200,
			func(s *State) { s.Fetches, s.Names = true, nil }), few},
		{"zoomed", at(300, func(s *State) { s.Zoom, s.Pan = 3, scene.Point{X: 120, Y: -90} }), few},
		{"small-regions", at(300, func(s *State) {
			s.Items = NewItems(16, s.Items.addr, func(a traceio.Addr) int { return int(a>>6) % 40 }, nil)
			s.Regions = nil
			for i := range 40 {
				s.Regions = append(s.Regions, Region{Name: "r" + itoa(i), Color: palette.Qualitative(s.Theme, i),
					Count: uint64(i * i), Hidden: i == 7})
			}
		}), few},
		{"start", at(0, func(s *State) { s.Frac = 0 }), few},
		{"empty", State{Theme: palette.Dark(), Items: NewItems(8, nil, func(traceio.Addr) int { return 0 }, nil)}, few},
	} {
		t.Run(row.name, func(t *testing.T) { golden.Check(t, row.name, Scene(row.s, row.size)) })
	}
}

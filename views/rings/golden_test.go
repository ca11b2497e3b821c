package rings

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/vector"
)

var update = flag.Bool("update", false, "write the golden files anew")

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
		{"fetches", state(t, r, replay(t, r, hierarchies()["split, three"]), items(r, 16, true), 200, func(s *State) { s.Fetches, s.Names = true, nil }), few},
		{"start", at(0, func(s *State) { s.Frac = 0 }), few},
		{"empty", State{Theme: palette.Dark(), Items: NewItems(8, nil, func(traceio.Addr) int { return 0 }, nil)}, few},
	} {
		t.Run(row.name, func(t *testing.T) { golden(t, row.name, vector.SVG(Scene(row.s, row.size))) })
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name+".svg")
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		beside := filepath.Join("testdata", name+".got.svg")
		if err := os.WriteFile(beside, got, 0o644); err != nil {
			t.Error(err)
		}
		t.Errorf("%s is not what is drawn now, %s; if that is right: go test ./views/rings -run TestGoldens -update", path, beside)
	}
}

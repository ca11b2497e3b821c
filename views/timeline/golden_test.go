package timeline

import (
	"bytes"
	"flag"
	"math"
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
	lanes := func(th palette.Theme) State {
		s := sample(210, 4)
		s.Theme = th
		s.Lanes[0].Color = th.Miss
		heap := Lane{Name: "heap bytes", Unit: "bytes", Step: 40, Color: palette.Qualitative(th, 0)}
		for i := range 21 {
			heap.Values = append(heap.Values, float64(i*i*100))
		}
		heap.Values[9] = math.NaN()
		phases := Lane{Name: "phases", Bands: []Band{{link.Range{To: 300}, "fill", palette.Qualitative(th, 1)}, {link.Range{From: 300, To: 840}, "sort", palette.Qualitative(th, 2)}}}
		s.Lanes = append(s.Lanes, heap, phases)
		s.Cursor, s.Window = 529, link.Range{From: 350, To: 487}
		s.Marks = []Mark{{Seq: 200, Text: "begin", Color: th.Accent}}
		return s
	}
	whole, zoomed, long := lanes(palette.Dark()), lanes(palette.Light()), sample(3000, 640)
	zoomed.View = link.Range{From: 480, To: 600}
	hover := traceio.Seq(500)
	zoomed.Hover, zoomed.Chosen = &hover, link.Range{From: 450, To: 580}
	long.Note = "indexing 41 %"
	for _, row := range []struct {
		name string
		s    State
		size scene.Size
	}{
		{"whole-dark", whole, scene.Size{W: 800, H: 140, Scale: 1}},
		{"zoomed-light", zoomed, scene.Size{W: 800, H: 140, Scale: 1}},
		{"long", long, scene.Size{W: 500, H: 80, Scale: 1}},
		{"low", whole, scene.Size{W: 400, H: 56, Scale: 1}},
		{"empty", State{Theme: palette.Dark()}, scene.Size{W: 800, H: 140, Scale: 1}},
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
		t.Errorf("%s is not what is drawn now, %s; if that is right: go test ./views/timeline -run TestGoldens -update", path, beside)
	}
}

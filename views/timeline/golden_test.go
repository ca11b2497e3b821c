package timeline

import (
	"math"
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
	lanes := func(th palette.Theme) State {
		s := sample(210, 4)
		s.Theme = th
		s.Lanes[0].Color = th.Miss
		heap := Lane{Name: "heap bytes", Unit: "bytes", Step: 40, Color: palette.Qualitative(th, 0)}
		for i := range 21 {
			heap.Values = append(heap.Values, float64(i*i*100))
		}
		heap.Values[9] = math.NaN()
		phases := Lane{Name: "phases", Bands: []Band{{link.Range{To: 300}, "fill", palette.Qualitative(th, 1)},
			{link.Range{From: 300, To: 840}, "sort", palette.Qualitative(th, 2)}}}
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
		t.Run(row.name, func(t *testing.T) { golden.Check(t, row.name, Scene(row.s, row.size)) })
	}
}

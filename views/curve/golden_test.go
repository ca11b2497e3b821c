package curve

import (
	"math"
	"testing"

	"orrery/views/golden"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// example is a curve with a cliff at 48 KiB and three levels around it.
func example(theme palette.Theme) State {
	s := State{Theme: theme, Block: 64, Over: -1}
	for _, w := range []int{0, 1, 4, 16} {
		l := Line{Ways: w}
		for bytes := uint64(64 * max(1, w)); bytes <= 4<<20; bytes *= 2 {
			soft := 1 / (1 + math.Pow(float64(bytes)/(48<<10), 1.2+0.2*float64(min(w, 8))))
			if w == 0 {
				soft = 1 / (1 + math.Pow(float64(bytes)/(48<<10), 4))
			}
			l.Points = append(l.Points, Point{bytes, 0.004 + 0.4*soft})
		}
		s.Lines = append(s.Lines, l)
	}
	for i, sets := range []int{64, 512, 2048} {
		l := Level{Name: []string{"L1D", "L2", "L3"}[i], Bytes: []uint64{32 << 10, 256 << 10, 2 << 20}[i], Ways: 8, Block: 64,
			Ratio: []float64{0.31, 0.02, 0.004}[i]}
		for k := range sets {
			n := uint64(1000 + 700*math.Sin(float64(k)*9/float64(sets)))
			if k == sets/3 {
				n *= 3
			}
			l.Sets = append(l.Sets, Set{Requests: n, Blocks: n / 50, Misses: n / 4, Conflict: n / 9})
		}
		s.Levels = append(s.Levels, l)
	}
	return s
}

// The pictures of a few states as SVG.
func TestGoldens(t *testing.T) {
	dark, light, small := example(palette.Dark()), example(palette.Light()), example(palette.Dark())
	dark.Selected = link.Thing{What: link.Set, Name: "L2", ID: 170}
	light.Log, light.By, light.Pointer, light.Hover = true, Conflicts, 128<<10,
		link.Thing{What: link.Set, Name: "L1D", ID: 21}
	small.Lines, small.Preview, small.Note = small.Lines[:1], true, "the exact curve is being computed"
	for _, row := range []struct {
		name string
		s    State
		size scene.Size
	}{
		{"dark", dark, scene.Size{W: 560, H: 440, Scale: 1}},
		{"light", light, scene.Size{W: 900, H: 520, Scale: 1}},
		{"preview", small, scene.Size{W: 300, H: 190, Scale: 1}},
		{"empty", State{Theme: palette.Dark(), Empty: "The miss ratio of caches of every size will be here."},
			scene.Size{W: 300, H: 190, Scale: 1}},
	} {
		t.Run(row.name, func(t *testing.T) { golden.Check(t, row.name, Scene(row.s, row.size)) })
	}
}

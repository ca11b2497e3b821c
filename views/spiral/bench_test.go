package spiral

import (
	"fmt"
	"testing"

	"orrery/views/palette"
	"orrery/views/raster"
	"orrery/views/scene"
)

var large = scene.Size{W: 900, H: 800, Scale: 1}

// The shapes that long recordings take: few turns, a turn for each thousand windows, as many turns as are drawn line by
// line to the end of a morph to half as many again, those that on the way come to lie closer, and turns so close that
// they fill the disc.
var benched = []struct {
	n     int
	turns float64
}{{1000, 16}, {100_000, 6}, {100_000, 100}, {100_000, 172}, {100_000, 230}, {100_000, 2000}, {100_000, 20_000}}

func BenchmarkScene(b *testing.B) {
	for _, row := range benched {
		b.Run(fmt.Sprintf("%d windows, %g turns", row.n, row.turns), func(b *testing.B) {
			s := loop(row.n, row.turns, 3, palette.Dark())
			s.Legend = true
			b.ReportAllocs()
			for b.Loop() {
				Scene(s, large)
			}
		})
	}
}

func BenchmarkRender(b *testing.B) {
	for _, row := range benched {
		b.Run(fmt.Sprintf("%d windows, %g turns", row.n, row.turns), func(b *testing.B) {
			s := loop(row.n, row.turns, 3, palette.Dark())
			s.Legend = true
			d := Scene(s, large)
			im := raster.Render(d, 1, nil)
			b.ReportAllocs()
			for b.Loop() {
				im = raster.Render(d, 1, im)
			}
		})
	}
}

func BenchmarkHit(b *testing.B) {
	s := loop(100_000, 2000, 3, palette.Dark())
	b.ReportAllocs()
	for b.Loop() {
		Hit(s, large, scene.Point{X: 620, Y: 300})
	}
}

package spread

import (
	"fmt"
	"testing"

	"orrery/analysis/dse"
	"orrery/views/palette"
	"orrery/views/scene"
)

// What a frame of a million points costs: drawn anew after a change of the filter, and when only the pointer moved.
func BenchmarkScene(b *testing.B) {
	s := example(b, palette.Dark(), 1_000_000)
	size := scene.Size{W: 1200, H: 500, Scale: 1}
	f := dse.NewFilter(s.Table.Space)
	f.Normalised(0, 0, 0.6)
	s.Pass = f.Pass()
	for s.Picture = range Volume {
		for _, change := range []bool{true, false} {
			b.Run(fmt.Sprintf("%s/filter=%v", Pictures[s.Picture], change), func(b *testing.B) {
				s.Cache = new(Cache)
				Scene(s, size)
				b.ReportAllocs()
				for b.Loop() {
					if change {
						s.Version++
					}
					Scene(s, size)
				}
			})
		}
	}
}

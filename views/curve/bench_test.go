package curve

import (
	"testing"

	"orrery/views/palette"
	"orrery/views/scene"
)

// BenchmarkScene draws the curve with the sets of a large last level: 32 768 in a strip of a thousand pixels.
func BenchmarkScene(b *testing.B) {
	s := example(palette.Dark())
	for len(s.Levels[2].Sets) < 1<<15 {
		s.Levels[2].Sets = append(s.Levels[2].Sets, s.Levels[2].Sets...)
	}
	size := scene.Size{W: 1200, H: 700, Scale: 1}
	b.ReportAllocs()
	for b.Loop() {
		Scene(s, size)
	}
}

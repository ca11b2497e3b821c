package table

import (
	"testing"

	"orrery/views/palette"
	"orrery/views/scene"
)

// BenchmarkScene draws a screenful of a table of 10 000 rows that are in order already, BenchmarkArrange puts them in
// order.
func BenchmarkScene(b *testing.B) {
	s := example(palette.Dark(), 10_000)
	s.Order = Arrange(s)
	s.Scroll = 90_000
	size := scene.Size{W: 1200, H: 800, Scale: 1}
	b.ReportAllocs()
	for b.Loop() {
		Scene(s, size)
	}
}

func BenchmarkArrange(b *testing.B) {
	s := example(palette.Dark(), 10_000)
	b.ReportAllocs()
	for b.Loop() {
		Arrange(s)
	}
}

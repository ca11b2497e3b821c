package topology

import (
	"context"
	"testing"
)

func BenchmarkAnalyzeQuicksort800(b *testing.B) {
	symbols := oracleSymbols(b, 39000, 800)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Analyze(context.Background(), symbols, Options{Top: -1}, nil); err != nil {
			b.Fatal(err)
		}
	}
}

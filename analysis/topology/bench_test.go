package topology

import (
	"context"
	"testing"
)

func benchmark(b *testing.B, symbols []uint32, opt Options) {
	b.Helper()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Analyze(context.Background(), symbols, opt, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func recorded(b *testing.B, name string, sel Selection) []uint32 {
	b.Helper()
	symbols, _, err := Symbols(context.Background(), openRecording(b, name), sel, nil)
	if err != nil {
		b.Fatal(err)
	}
	return symbols
}

func BenchmarkQuicksort800(b *testing.B) {
	benchmark(b, oracleSymbols(b, 39000, 800), Options{})
}

// Dragging a window of 1000 records over a matrix multiply: the first stage, coarser first stage, and what follows on release.
func BenchmarkMultiply1000(b *testing.B) {
	address := Selection{Count: 1000}
	block := Selection{Count: 1000, Alphabet: Alphabet{Kind: ByBlock, Block: 64}}
	for _, row := range []struct {
		name string
		sel  Selection
		opt  Options
	}{
		{"barcode", address, Options{Top: -1}},
		{"full", address, Options{}},
		{"eps4top3", address, Options{Eps: 4, Top: 3}},
		{"block64", block, Options{}},
	} {
		b.Run(row.name, func(b *testing.B) { benchmark(b, recorded(b, "matmul-standard", row.sel), row.opt) })
	}
}

func BenchmarkMultiplyWholeByLandmarks(b *testing.B) {
	benchmark(b, recorded(b, "matmul-standard", Selection{}), Options{Landmarks: 1000, Top: 3})
}

func BenchmarkDistances(b *testing.B) {
	c := makeCloud(oracleSymbols(b, 39000, 800), DefaultWindow)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.distances(context.Background(), func(int64) {}); err != nil {
			b.Fatal(err)
		}
	}
	n := len(c.start)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n*(n-1)/2), "ns/pair")
}

func BenchmarkPoints500(b *testing.B) {
	points := spherePoints(500)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := AnalyzePoints(context.Background(), points, Options{}, nil); err != nil {
			b.Fatal(err)
		}
	}
}

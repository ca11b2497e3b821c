package topology

import (
	"context"
	"math"
	"slices"
	"syscall"
	"testing"
	"time"

	"orrery/traceio"
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

// Dragging a window of 1000 records over a matrix multiply: the first stage, coarser first stage, and what follows on
// release.
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

// cpuTime is what this process has used of the processors so far.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkDrag takes a first look at windows of 1000 records from all parts of a recording, one after the other and
// then between them; the metric is what 95 of 100 of them need at most, from the recording to the coordinates, in
// milliseconds of this process's CPU time.
func BenchmarkDrag(b *testing.B) {
	particles, _ := particleCode(200, 24, 1)
	for _, row := range []struct {
		name string
		rec  Recording
		sel  Selection
	}{
		{"particles", particles, Selection{}},
		{"multiply", openRecording(b, "matmul-standard"), Selection{}},
		{"multiply by block", openRecording(b, "matmul-standard"), Selection{Alphabet: Alphabet{Kind: ByBlock, Block: 64}}},
		{"blocked multiply", openRecording(b, "matmul-blocked"), Selection{}},
		{"list", openRecording(b, "list"), Selection{}},
		{"lua", openRecording(b, "lua-queens"), Selection{}},
		{"containers", openRecording(b, "containers"), Selection{}},
		{"material points", openRecording(b, "mpm-60"), Selection{}},
		{"merge sort", openRecording(b, "sort-merge"), Selection{}},
	} {
		b.Run(row.name, func(b *testing.B) {
			b.ReportAllocs()
			var took []time.Duration
			sel := row.sel
			sel.Count = 1000
			for b.Loop() {
				start := cpuTime()
				symbols, _, err := Symbols(context.Background(), row.rec, sel, nil)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := Quick(context.Background(), symbols, func(a Alphabet) ([]uint32, error) {
					coarse := sel
					coarse.Alphabet = a
					symbols, _, err := Symbols(context.Background(), row.rec, coarse, nil)
					return symbols, err
				}, Options{}, nil); err != nil {
					b.Fatal(err)
				}
				took = append(took, cpuTime()-start)
				// The golden section of what is left of the recording: windows from everywhere, however few are looked
				// at.
				share := math.Mod(float64(len(took))*(math.Phi-1), 1)
				sel.From = traceio.Seq(share * float64(row.rec.Len()-1000))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "median-ms")
		})
	}
}

// BenchmarkOverview: a million references of the particle code, phases, windows, classes and turns.
func BenchmarkOverview(b *testing.B) {
	rec, _ := particleCode(500, 40, 9)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Look(context.Background(), rec, OverviewOptions{}, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(rec.Len()), "references")
}

// BenchmarkSlider moves the most persistent class of 1000 records of a matrix multiply to and fro between two scales.
func BenchmarkSlider(b *testing.B) {
	res, err := Analyze(context.Background(), recorded(b, "matmul-standard", Selection{Count: 1000}), Options{}, nil)
	if err != nil {
		b.Fatal(err)
	}
	scales := res.Scales(1)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := res.At(context.Background(), 1, scales[i%2]); err != nil {
			b.Fatal(err)
		}
	}
}

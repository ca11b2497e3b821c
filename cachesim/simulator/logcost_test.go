package simulator

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	. "orrery/cachesim"
)

// BenchmarkLog tells what a log of all events costs: the processor time of RunLog as a multiple of Run's, the median of
// rounds in which one follows the other. Recordings that a run is through with in no time are left out.
func BenchmarkLog(b *testing.B) {
	compare := func(name string, rec recording) {
		for _, preset := range []string{"default", "desktop"} {
			c, err := Preset(preset)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(name+"/"+preset, func(b *testing.B) {
				plain, logged := fresh(b, c), fresh(b, c)
				var log Log
				passes := 1 + 2<<20/rec.rows()
				var ratios []float64
				for range max(3, b.N) {
					start := cpuSeconds(b)
					for range passes {
						for _, x := range rec {
							plain.Run(x)
						}
					}
					middle := cpuSeconds(b)
					for range passes {
						for _, x := range rec {
							logged.RunLog(x, &log)
						}
					}
					ratios = append(ratios, (cpuSeconds(b)-middle)/(middle-start))
				}
				slices.Sort(ratios)
				b.ReportMetric(ratios[len(ratios)/2], "times-Run")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
	for _, w := range workloads {
		compare(w.name, collect(2<<20, w.refs))
	}
	paths, err := filepath.Glob("../../testdata/recordings/*.orr")
	if err != nil {
		b.Fatal(err)
	}
	for _, path := range paths {
		if rec := inMemory(b, path); rec.rows() >= 10*chunk {
			compare(strings.TrimSuffix(filepath.Base(path), ".orr"), rec)
		}
	}
}

package spread

import (
	"fmt"
	"syscall"
	"testing"

	"orrery/analysis/dse"
	"orrery/views/palette"
	"orrery/views/scene"
)

// What a frame of a million points costs: drawn anew after a change of the filter, with images left for later, and when
// only the pointer moved.
func BenchmarkScene(b *testing.B) {
	s := example(b, palette.Dark(), 1_000_000)
	size := scene.Size{W: 1200, H: 500, Scale: 1}
	f := dse.NewFilter(s.Table.Space)
	f.Normalised(0, 0, 0.6)
	s.Pass = f.Pass()
	for s.Picture = range Volume {
		for _, c := range []struct{ change, later bool }{{true, false}, {true, true}, {false, false}} {
			b.Run(fmt.Sprintf("%s/filter=%v/later=%v", Pictures[s.Picture], c.change, c.later), func(b *testing.B) {
				s.Cache = new(Cache)
				Scene(s, size)
				s.Cache.Later = c.later
				b.ReportAllocs()
				from, n := processor(), 0
				for b.Loop() {
					if n++; c.change {
						s.Version++
					}
					Scene(s, size)
				}
				b.ReportMetric(float64(processor()-from)/1e6/float64(n), "cpu-ms/op")
			})
		}
	}
}

func processor() int64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return u.Utime.Nano() + u.Stime.Nano()
}

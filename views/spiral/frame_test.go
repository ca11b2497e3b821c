package spiral

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"orrery/views/palette"
	"orrery/views/raster"
)

// BenchmarkFrame is all work of one frame of a morph: from the state to pixels. cpu-ms/op is processor time, however many
// processors share it; 16 is a frame.
func BenchmarkFrame(b *testing.B) {
	for _, row := range benched {
		b.Run(fmt.Sprintf("%d windows, %g turns", row.n, row.turns), func(b *testing.B) {
			s := loop(row.n, row.turns, 3, palette.Dark())
			s.To = even(row.n, row.turns*1.5)
			s.Legend = true
			im := raster.Render(Scene(s, large), 1, nil)
			began, frame := cpu(), 0
			b.ReportAllocs()
			for b.Loop() {
				frame++
				s.Morph = float64(frame%60) / 60
				im = raster.Render(Scene(s, large), 1, im)
			}
			b.ReportMetric(float64((cpu()-began).Microseconds())/1000/float64(b.N), "cpu-ms/op")
		})
	}
}

func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

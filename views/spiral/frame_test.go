package spiral

import (
	"fmt"
	"math"
	"syscall"
	"testing"
	"time"

	"orrery/views/palette"
	"orrery/views/raster"
	"orrery/views/scene"
)

// BenchmarkFrame is all work of one frame of a morph: from the state to pixels. cpu-ms/op is processor time, however
// many processors share it; 16 is a frame.
func BenchmarkFrame(b *testing.B) {
	for _, row := range benched {
		b.Run(fmt.Sprintf("%d windows, %g turns", row.n, row.turns), func(b *testing.B) {
			s := loop(row.n, row.turns, 3, palette.Dark())
			morph(b, s, row.turns)
		})
	}
}

// BenchmarkFrameCircle is the same of a circular plot with its contours.
func BenchmarkFrameCircle(b *testing.B) {
	for _, row := range benched {
		b.Run(fmt.Sprintf("%d windows, %g turns", row.n, row.turns), func(b *testing.B) {
			s := loop(row.n, row.turns, 3, palette.Dark())
			s.Shape = Circle
			morph(b, s, row.turns)
		})
	}
}

// BenchmarkFramePlane is the same of a projection, of windows that are all in different places, and of some that come
// again and again.
func BenchmarkFramePlane(b *testing.B) {
	for _, row := range []struct{ n, places int }{{1000, 1000}, {100_000, 4000}, {100_000, 100_000}} {
		b.Run(fmt.Sprintf("%d windows, %d places", row.n, row.places), func(b *testing.B) {
			s := loop(row.n, 100, 3, palette.Dark())
			s.Shape, s.Place = Plane, make([]scene.Point, row.n)
			for i := range s.Place {
				sin, cos := math.Sincos(2 * math.Pi * s.From.Turns[i])
				r := 3 + math.Sin(float64(i*7919%row.places))
				s.Place[i] = scene.Point{X: r * cos, Y: r * sin}
				if i >= row.places {
					s.Place[i] = s.Place[i%row.places]
				}
			}
			morph(b, s, 100)
		})
	}
}

// morph draws frames on the way to another parameterization.
func morph(b *testing.B, s State, turns float64) {
	s.To = even(len(s.Seq), turns*1.5)
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
}

func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

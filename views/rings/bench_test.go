package rings

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"orrery/cachesim"
	"orrery/traceio"
	"orrery/views/raster"
	"orrery/views/scene"
)

// crowd is a recording that touches n items of 8 bytes in three arrays again and again, at scattered places.
func crowd(n, length int) *recorded {
	r := &recorded{size: 4096}
	at := uint64(1)
	for i := range length {
		at = at*6364136223846793005 + 1442695040888963407
		k := int(at>>33) % n
		if i < n {
			k = i
		}
		r.add(traceio.Addr(0x10000+8*k), traceio.Load, 8)
	}
	return r
}

// processor is the time that this process has used on all processors.
func processor(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkFrame makes frames as the window does while it plays: state, display list, pixels at 1280 x 1000. The number
// of glyphs is that of the memory ring; those in caches come on top. The figure to look at is cpu-ms/op, the time on
// all processors.
func BenchmarkFrame(b *testing.B) {
	desktop := cachesim.Config{Name: "desktop", Levels: []cachesim.Level{
		{Name: "L1", Kind: cachesim.Data, Size: 32 * cachesim.KiB, Ways: 8, Block: 64},
		{Name: "L2", Kind: cachesim.Unified, Size: 256 * cachesim.KiB, Ways: 8, Block: 64}}}
	for _, n := range []int{20_000, 100_000} {
		r := crowd(n, 2*n)
		p := replay(b, r, desktop)
		it := items(r, 8, false)
		size := scene.Size{W: 1280, H: 1000, Scale: 1}
		for _, tail := range []int{0, 16, 64} {
			s := state(b, r, p, it, 2*n-1000, func(s *State) { s.Tail, s.Names = tail, nil })
			dst := raster.Render(Scene(s, size), 1, nil)
			step := func(i int) {
				s.At = traceio.Seq(2*n - 1000 + i%500)
				if err := s.Load(p, r); err != nil {
					b.Fatal(err)
				}
			}
			measure := func(name string, f func(i int)) {
				b.Run(fmt.Sprintf("%d glyphs, tail %d, %s", n, tail, name), func(b *testing.B) {
					b.ReportAllocs()
					began := processor(b)
					for i := range b.N {
						f(i)
					}
					b.ReportMetric(float64(processor(b)-began)/float64(b.N)/1e6, "cpu-ms/op")
				})
			}
			measure("list", func(int) { Scene(s, size) })
			measure("all", func(i int) {
				step(i)
				raster.Render(Scene(s, size), 1, dst)
			})
		}
	}
}

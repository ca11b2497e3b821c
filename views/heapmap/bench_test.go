package heapmap

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"
	"time"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/views/palette"
	"orrery/views/scene"
)

// masses is a legal heap of n blocks of twelve sites and eight bins over two pools, made piece by piece: most are small
// and short-lived, as in programs.
func masses(n int) *heap.Heap {
	r := rand.New(rand.NewPCG(uint64(n), 3))
	b := heap.NewBuilder(n, n)
	slots := 1 << 16
	live := make([]bool, slots)
	var log []traceio.Alloc
	seq := traceio.Seq(0)
	for made := 0; made < n; {
		k := int(float64(slots) * r.Float64() * r.Float64() * r.Float64())
		a := traceio.Addr(0x10000 + 128*k)
		if k%5 == 0 {
			a += 64 << 20
		}
		e := traceio.Alloc{Seq: seq, Addr: a, Op: traceio.Free, Stack: traceio.StackID(k % 4)}
		if !live[k] {
			e.Op, e.Size, e.Stack = traceio.Malloc, uint64(1+r.IntN(120)), traceio.StackID(k%12)
			e.Usable = max(24, (e.Size+7)/16*16+8)
			made++
		}
		live[k] = !live[k]
		seq++
		if log = append(log, e); len(log) == 1<<12 {
			b.Add(log)
			log = log[:0]
		}
	}
	b.Add(log)
	return b.Heap(program())
}

var kept = map[int]func() *heap.Heap{}

// massesOnce keeps the largest heap for all benchmarks.
func massesOnce(n int) *heap.Heap {
	if kept[n] == nil {
		clear(kept)
		kept[n] = sync.OnceValue(func() *heap.Heap { h := masses(n); h.Order(); return h })
	}
	return kept[n]()
}

// spent is the processor time that the process has used.
func spent() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// reportCPU reports processor time an iteration: other work on the machine does not count.
func reportCPU(b *testing.B, since time.Duration) {
	b.ReportMetric(float64(spent()-since)/1e6/float64(b.N), "CPU-ms/op")
}

var sizes = []int{100_000, 1_000_000, 10_000_000}

var wide = scene.Size{W: 1920, H: 1080, Scale: 1}

// The whole view from scratch, classes and image, and a part of it.
func BenchmarkPaint(b *testing.B) {
	for _, n := range sizes {
		h := massesOnce(n)
		for _, part := range []heap.Time{1, 10} {
			b.Run(fmt.Sprintf("%d blocks, 1/%d", n, part), func(b *testing.B) {
				s := State{Theme: palette.Dark(), Heap: h, To: h.Axis.End}
				if part > 1 {
					s.From = h.Axis.End - h.Axis.End/part
					s.Low, s.High = h.Spans[0].Low, h.Spans[0].Low+traceio.Addr(h.Spans[0].Size()/uint64(part))
				}
				l := newLayout(&s, wide)
				c := newColoring(&s)
				b.ReportAllocs()
				from := spent()
				for b.Loop() {
					newLook(&s, c, nil).paint(l.plotFrame(), startWorkers(2), nil)
				}
				reportCPU(b, from)
			})
		}
		b.Run(fmt.Sprintf("%d blocks, classes", n), func(b *testing.B) {
			s := State{Theme: palette.Dark(), Heap: h}
			from := spent()
			for b.Loop() {
				newColoring(&s)
			}
			reportCPU(b, from)
		})
	}
}

// What it costs that something is chosen, or that some blocks are not to be seen: the whole view and one tile of it.
func BenchmarkPart(b *testing.B) {
	for _, n := range sizes {
		for _, row := range []struct {
			name   string
			change func(s *State)
		}{
			{"all", func(*State) {}},
			{"site chosen", func(s *State) { s.Selected = SiteThing(&s.Heap.Sites[1]) }},
			{"site chosen, by size", func(s *State) { s.Color, s.Selected = Size, SiteThing(&s.Heap.Sites[1]) }},
			{"class hidden", func(s *State) { s.Color, s.Hidden = BinOf, []bool{true} }},
			{"one bin", func(s *State) { s.Bin = 2 }},
		} {
			b.Run(fmt.Sprintf("%d blocks, %s", n, row.name), func(b *testing.B) {
				s := State{Theme: palette.Dark(), Heap: massesOnce(n)}
				row.change(&s)
				l, c := newLayout(&s, wide), newColoring(&s)
				look := newLook(&s, c, nil)
				f := l.plotFrame()
				from := spent()
				for b.Loop() {
					look.paint(f, startWorkers(2), nil)
				}
				reportCPU(b, from)
			})
		}
	}
}

// What the interface's goroutine does for a frame, and how long the rest takes after the window came to rest.
func BenchmarkFrame(b *testing.B) {
	for _, n := range sizes {
		h := massesOnce(n)
		s := State{Theme: palette.Dark(), Heap: h}
		start := func(whole bool) (*Renderer, State) {
			r := &Renderer{Later: true}
			settle(r, s)
			if whole {
				return r, s
			}
			return r, Zoom(Zoom(s, wide, scene.Point{X: 900, Y: 700}, 8, true, false), wide,
				scene.Point{X: 900, Y: 700}, 4, false, true)
		}
		b.Run(fmt.Sprintf("%d blocks, whole from scratch", n), func(b *testing.B) { // classes, map, strip and all
			b.ReportAllocs()
			from := spent()
			for b.Loop() {
				start(true)
			}
			reportCPU(b, from)
		})
		measure := func(name string, whole bool, move func(s State, i int) State) {
			b.Run(fmt.Sprintf("%d blocks, %s", n, name), func(b *testing.B) {
				r, s := start(whole)
				settle(r, s)
				for i := range 2 { // the second alpha keeps strokes
					settle(r, move(s, i))
				}
				var thread, rest, longest, worst time.Duration
				b.ReportAllocs()
				from := spent()
				for i := 0; b.Loop(); i++ {
					s = move(s, i)
					t := time.Now()
					r.Scene(s, wide)
					longest, thread = max(longest, time.Since(t)), thread+time.Since(t)
					t = time.Now()
					settle(r, s)
					worst, rest = max(worst, time.Since(t)), rest+time.Since(t)
				}
				reportCPU(b, from)
				b.ReportMetric(float64(thread)/1e6/float64(b.N), "thread-ms/op")
				b.ReportMetric(float64(longest)/1e6, "longest-thread-ms")
				b.ReportMetric(float64(rest)/1e6/float64(b.N), "rest-ms/op")
				b.ReportMetric(float64(worst)/1e6, "longest-rest-ms")
			})
		}
		measure("panning", false, func(s State, i int) State { return Pan(s, wide, 0.05-0.1*float64(i/8%2), 0) })
		measure("zooming", false, func(s State, i int) State {
			return Zoom(s, wide, scene.Point{X: 900, Y: 500}, 1.25-0.45*float64(i%2), true, true)
		})
		measure("the whole, up to 1.4 times", true, func(_ State, i int) State { // at 1 to 1.4 times, never twice the same
			share := math.Mod(0.618*float64(i+1), 1)
			return Zoom(s, wide, scene.Point{X: 200 + 1500*share, Y: 900 - 800*share}, 1+0.4*share, true, true)
		})
		alpha := func(s State, i int) State {
			s.Alpha = 0.3 + 0.01*float64(i%20)
			return s
		}
		measure("alpha", false, alpha)
		measure("alpha of the whole", true, alpha)
	}
}

// settle makes frames until none lacks anything.
func settle(r *Renderer, s State) {
	for r.Scene(s, wide); r.Lacks(); r.Scene(s, wide) {
		if err := r.Work(context.Background(), time.Second); err != nil {
			panic(err)
		}
	}
}

func BenchmarkHit(b *testing.B) {
	for _, n := range sizes {
		s := State{Theme: palette.Dark(), Heap: massesOnce(n)}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var r Renderer
			r.Hit(s, wide, scene.Point{})
			b.ReportAllocs()
			from := spent()
			x := 0
			for b.Loop() {
				x = (x + 137) % 1500
				r.Hit(s, wide, scene.Point{X: 100 + float64(x), Y: 100 + float64(x/5)})
			}
			reportCPU(b, from)
		})
	}
}

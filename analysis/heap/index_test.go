package heap

import (
	"context"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"

	"orrery/traceio"
)

// The index's twin looks at every block, in logs with addresses and times too far apart to be packed, too.
func TestWithinAgainstScan(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 91))
		log, end := randomLog(r, 5000, false)
		if seed > 0 {
			for i := range log {
				log[i].Seq <<= 30 * (seed - 1)
				if seed == 3 && log[i].Op == traceio.Malloc && r.IntN(50) == 0 {
					log[i].Size = 1 << 40
				}
			}
			end <<= 30 * (seed - 1)
		}
		h := analyze(t, log, end, nil)
		for range 200 {
			from, low := Time(r.Uint64N(uint64(end))), log[r.IntN(len(log))].Addr+traceio.Addr(r.IntN(64))
			to, high := from, low
			if r.IntN(2) == 0 {
				to, high = from+Time(r.Uint64N(uint64(end)/20)), low+traceio.Addr(r.IntN(10000))
			}
			var got, want []int
			h.Within(from, to, low, high, func(id int) { got = append(got, id) })
			for id := range h.Count() {
				b := h.Block(id)
				if wide := from < to && b.To == b.From && b.From >= from; b.From <= to && (b.To > from || wide) &&
					b.Low <= high && b.High() > low {
					want = append(want, id)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d: within [%d, %d] and [%v, %v] are %v, want %v", seed, from, to, low, high, got, want)
			}
		}
	}
}

// tenMillion is a heap of ten million blocks: a program that keeps some thousands of each of several sizes.
func tenMillion(b *testing.B) *Heap {
	r := rand.New(rand.NewPCG(7, 7))
	const n = 10_000_000
	h := NewBuilder(n, n)
	var slots []traceio.Addr
	for i := range 200_000 {
		slots = append(slots, traceio.Addr(0x5555_0000_0000+i*160))
	}
	live := make([]bool, len(slots))
	events := make([]traceio.Alloc, 0, 4096)
	for made := 0; made < n; {
		i := r.IntN(len(slots))
		if r.IntN(4) > 0 { // most go on near the last
			i = (made * 7 % 5000) + r.IntN(200)
		}
		e := traceio.Alloc{Addr: slots[i], Size: uint64(16 + i%9*16)}
		if live[i] {
			e.Op, e.Size = traceio.Free, 0
		} else {
			made++
		}
		live[i] = !live[i]
		if events = append(events, e); len(events) == cap(events) {
			h.Add(events)
			events = events[:0]
		}
	}
	h.Add(events)
	return h.Heap(nil)
}

// cpuTime reports the processor time of each round, which other programs on the machine change less than the clock's.
func cpuTime(b *testing.B) func() {
	used := func() float64 {
		var r syscall.Rusage
		_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
		return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e6
	}
	began := used()
	return func() { b.ReportMetric((used()-began)/float64(b.N), "cpu-ms/op") }
}

// BenchmarkBrush asks ten million blocks a thousand times which one is under the pointer, and which are in a rectangle
// of a few pixels of a screen that shows all of the heap's time and a hundredth of its addresses.
func BenchmarkBrush(b *testing.B) {
	h := tenMillion(b)
	h.Order()
	x := h.Extent()
	r := rand.New(rand.NewPCG(1, 1))
	b.Run("point", func(b *testing.B) {
		b.ReportAllocs()
		defer cpuTime(b)()
		for b.Loop() {
			for range 1000 {
				h.BlockAt(Time(r.Int64N(int64(h.Axis.End))), x.Low+traceio.Addr(r.Uint64N(x.Size())))
			}
		}
	})
	b.Run("rectangle", func(b *testing.B) {
		b.ReportAllocs()
		defer cpuTime(b)()
		n := 0
		for b.Loop() {
			for range 1000 {
				t, a := Time(r.Int64N(int64(h.Axis.End))), x.Low+traceio.Addr(r.Uint64N(x.Size()))
				h.Within(t, t+h.Axis.End/4000, a, a+traceio.Addr(x.Size()/100000), func(int) { n++ })
			}
		}
	})
	b.Run("build", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			newIndex(h, h.byAddress())
		}
	})
	b.Run("curves", func(b *testing.B) {
		for b.Loop() {
			if _, err := h.Curves(context.Background(), 0, h.Axis.End, 256); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// What sites have by blocks is what a look at each block gives, unknown stacks included.
func TestBySite(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	log, end := randomLog(r, 5000, false)
	prog := &traceio.Program{Stacks: [][]traceio.Addr{nil}}
	for i := range 9 {
		pc := traceio.Addr(0x401000 + 16*i)
		prog.Sites = append(prog.Sites, traceio.Site{PC: pc, Frames: []traceio.Frame{{Function: string(rune('a' + i))}}})
		prog.Stacks = append(prog.Stacks, []traceio.Addr{pc + 1})
	}
	for i := range log {
		log[i].Stack = traceio.StackID(r.IntN(12)) // three of them unknown
	}
	h := analyze(t, log, end, prog)
	of := make([]uint8, len(h.Sites))
	for i := range of {
		of[i] = uint8(200 - i)
	}
	got := h.BySite(of)
	if len(h.Sites) < 5 || len(got) != h.Count() {
		t.Fatalf("%d sites, %d of %d blocks", len(h.Sites), len(got), h.Count())
	}
	for i, id := range h.Order() {
		if want := of[h.SiteOf(int(id))]; got[i] != want {
			t.Fatalf("block %d has %d, want %d", id, got[i], want)
		}
	}
}

package heap

import (
	"context"
	"math/rand/v2"
	"testing"

	"orrery/traceio"
)

// The curves' twin replays the log for each column and asks the slow fragmentation.
func TestCurvesAgainstReplay(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 11))
		log, end := randomLog(r, 400, false)
		for i := range log {
			log[i].Latency = traceio.Ticks(r.IntN(3) * r.IntN(500))
		}
		h := analyze(t, log, end, nil)
		from, to, n := Time(r.IntN(50)), Time(end)-Time(r.IntN(20)), 1+r.IntN(40)
		c, err := h.Curves(context.Background(), from, to, n)
		if err != nil {
			t.Fatal(err)
		}
		bin := func(e *traceio.Alloc) int { return binOf(e.Usable) }
		for i := range n {
			start, next := from+Time(float64(to-from)*float64(i)/float64(n)), from+Time(float64(to-from)*float64(i+1)/float64(n))
			for k := -1; k < len(h.Bins); k++ {
				want := Point{At: start}
				got := c.Total[i]
				if k >= 0 {
					got = c.Bins[k][i]
				}
				in := func(e *traceio.Alloc) bool { return k < 0 || h.Bins[k].Name == binName(bin(e)) }
				low, high := ^uint64(0), uint64(0)
				live := map[traceio.Addr]traceio.Alloc{}
				note := func() {
					sum := uint64(0)
					for _, e := range live {
						if in(&e) {
							sum += e.Size
						}
					}
					low, high = min(low, sum), max(high, sum)
				}
				began := false
				for _, e := range log {
					if Time(e.Seq) >= next {
						break
					}
					if Time(e.Seq) >= start && !began {
						note()
						began = true
					}
					what := e
					if e.Op == traceio.Free {
						what = live[e.Addr]
						delete(live, e.Addr)
					} else {
						live[e.Addr] = e
					}
					if began && in(&what) {
						want.Events++
						if e.Latency > 0 {
							want.Answered++
							want.Latency += e.Latency
							want.Slowest = max(want.Slowest, e.Latency)
						}
						note()
					}
				}
				if !began {
					note()
				}
				want.Low, want.High = low, high
				var within *Span
				for a, e := range live {
					if !in(&e) {
						continue
					}
					want.Blocks++
					want.Bytes += e.Size
					want.Waste += e.Usable - e.Size
					if within == nil {
						within = &Span{Low: a, High: a}
					}
					within.Low, within.High = min(within.Low, a), max(within.High, a+traceio.Addr(max(e.Size, 1)))
				}
				fragmentation := 0.0
				if within != nil {
					fragmentation = scatter(slowSpans(live), within)
				}
				if got.Fragmentation() != fragmentation {
					t.Fatalf("seed %d, bin %d, column %d: fragmentation %g, want %g", seed, k, i, got.Fragmentation(), fragmentation)
				}
				got.Free, got.Largest = 0, 0
				if got != want {
					t.Fatalf("seed %d, bin %d, column %d:\n got  %+v\n want %+v", seed, k, i, got, want)
				}
			}
		}
	}
}

// Blocks of terabytes are measured like others.
func TestCurvesOfLargeBlocks(t *testing.T) {
	h := analyze(t, []traceio.Alloc{malloc(0, 0x1000, 5<<32), malloc(1, 0x1000+5<<32+0x100, 8), malloc(2, 0x1000+5<<32+0x200, 8), free(5, 0x1000), malloc(6, 0x1000, 6<<30)}, 10, nil)
	c, err := h.Curves(context.Background(), 0, 10, 10)
	if err != nil {
		t.Fatal(err)
	}
	for i := range c.Total {
		if got, want := c.Total[i].Fragmentation(), h.Fragmentation(Time(i)); got != want {
			t.Errorf("at %d: %g, want %g", i, got, want)
		}
	}
}

func binName(class int) string {
	name, _ := sizeClass(class)
	return name
}

// slowSpans is what is set aside, in order.
func slowSpans(live map[traceio.Addr]traceio.Alloc) []Span {
	var out []Span
	for a, e := range live {
		out = append(out, Span{Low: a, High: a + traceio.Addr(max(e.Usable, 1))})
	}
	return join(out, chunkHead)
}

func BenchmarkCurves(b *testing.B) {
	log, end := randomLog(rand.New(rand.NewPCG(1, 1)), 200000, false)
	h := analyze(b, log, end, nil)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := h.Curves(context.Background(), 0, h.Axis.End, 256); err != nil {
			b.Fatal(err)
		}
	}
}

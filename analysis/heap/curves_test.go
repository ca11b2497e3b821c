package heap

import (
	"context"
	"math"
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
			start, next := from+Time(math.Ceil(float64(to-from)*float64(i)/float64(n))),
				from+Time(math.Ceil(float64(to-from)*float64(i+1)/float64(n)))
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
				if got.Worst < fragmentation {
					t.Fatalf("seed %d, bin %d, column %d: the worst fragmentation is %g, at the end it is %g", seed, k, i,
						got.Worst, fragmentation)
				}
				got.Free, got.Largest, got.Worst, got.WorstAt = 0, 0, 0, 0
				if got != want {
					t.Fatalf("seed %d, bin %d, column %d:\n got  %+v\n want %+v", seed, k, i, got, want)
				}
			}
		}
	}
}

// The worst fragmentation is nowhere less than at the peaks, and it is what stands there at that time.
func TestWorstFragmentation(t *testing.T) {
	for seed := range uint64(6) {
		log, end := randomLog(rand.New(rand.NewPCG(seed, 12)), 400, false)
		h := analyze(t, log, end, nil)
		if seed%2 == 1 {
			r, err := ParseRule("", "threads")
			if err == nil {
				h, err = h.Rebin(context.Background(), r)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		c, err := h.Curves(context.Background(), 0, h.Axis.End, 1+int(seed))
		if err != nil {
			t.Fatal(err)
		}
		for k := -1; k < len(h.Bins); k++ {
			points, atPeak := c.Total, h.PeakFragmentation
			if k >= 0 {
				points, atPeak = c.Bins[k], h.Bins[k].Fragmentation
			}
			at := func(when Time) float64 {
				var within *Span
				h.Within(when, when, 0, ^traceio.Addr(0), func(id int) {
					b := h.Block(id)
					if k >= 0 && h.Bin(id) != k {
						return
					}
					if within == nil {
						within = &Span{Low: b.Low, High: b.Low}
					}
					within.Low, within.High = min(within.Low, b.Low), max(within.High, h.blocks.high(int32(id)))
				})
				if within == nil {
					return 0
				}
				return scatter(h.liveSpans(when), within)
			}
			worst := 0.0
			for i := range points {
				p := &points[i]
				if worst = max(worst, p.Worst); p.Worst > 0 && p.WorstAt < p.At || p.Worst != at(p.WorstAt) && p.Worst > 0 {
					t.Errorf("seed %d, bin %d, column %d: %g at %d, want %g", seed, k, i, p.Worst, p.WorstAt, at(p.WorstAt))
				}
				for _, peak := range h.peaks() {
					if end := h.Axis.End; (i+1 == len(points) || peak < points[i+1].At) && peak >= p.At && peak < end &&
						p.Worst < at(peak) {
						t.Errorf("seed %d, bin %d, column %d: worst is %g, at the peak at %d it is %g", seed, k, i,
							p.Worst, peak, at(peak))
					}
				}
			}
			if worst < atPeak {
				t.Errorf("seed %d, bin %d: worst is %g, at the heap's peak it is %g", seed, k, worst, atPeak)
			}
		}
	}
}

// Columns narrower than a unit of time: each event is in the first of those that begin not before it, and no time is
// left out.
func TestNarrowCurves(t *testing.T) {
	h := analyze(t, []traceio.Alloc{malloc(0, 0x1000, 32), malloc(1, 0x2000, 64), free(2, 0x1000)}, 3, nil)
	c, err := h.Curves(context.Background(), 0, 3, 7)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []Point{{At: 0, Bytes: 32, Events: 1}, {At: 1, Bytes: 32}, {At: 1, Bytes: 96, Events: 1},
		{At: 2, Bytes: 96}, {At: 2, Bytes: 64, Events: 1}, {At: 3, Bytes: 64}, {At: 3, Bytes: 64}} {
		if p := c.Total[i]; p.At != want.At || p.Bytes != want.Bytes || p.Events != want.Events {
			t.Errorf("column %d: at %d %d bytes after %d events, want %d, %d, %d", i, p.At, p.Bytes, p.Events, want.At,
				want.Bytes, want.Events)
		}
	}
}

// Blocks of terabytes are measured like others.
func TestCurvesOfLargeBlocks(t *testing.T) {
	h := analyze(t, []traceio.Alloc{malloc(0, 0x1000, 5<<32), malloc(1, 0x1000+5<<32+0x100, 8),
		malloc(2, 0x1000+5<<32+0x200, 8), free(5, 0x1000), malloc(6, 0x1000, 6<<30)}, 10, nil)
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

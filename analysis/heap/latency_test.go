package heap

import (
	"math/rand/v2"
	"slices"
	"testing"

	"orrery/traceio"
)

func TestBuckets(t *testing.T) {
	for i := range latencyBuckets {
		floor := BucketFloor(i)
		if got := bucketOf(uint32(floor)); got != i {
			t.Fatalf("%d ns are in bucket %d, want %d", floor, got, i)
		}
		if i > 0 {
			if got := bucketOf(uint32(floor - 1)); got != i-1 {
				t.Fatalf("%d ns are in bucket %d, want %d", floor-1, got, i-1)
			}
		}
	}
	if got := bucketOf(1<<32 - 1); got != latencyBuckets-1 {
		t.Errorf("the longest latency is in bucket %d of %d", got, latencyBuckets)
	}
}

func TestLatencyAgainstSorting(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 41))
	log, end := randomLog(r, 3000, false)
	for i := range log {
		if r.IntN(5) > 0 {
			log[i].Latency = traceio.Ticks(20 + r.IntN(1<<r.IntN(20)))
		}
	}
	h := analyze(t, log, end, nil)
	all := h.Latency()
	if got := h.Latency()[0]; got.Op != traceio.Malloc || got.Bin != -1 {
		t.Fatalf("the first histogram is of %v, bin %d", got.Op, got.Bin)
	}
	for i := range all {
		g := &all[i]
		var want []traceio.Ticks
		live := map[traceio.Addr]int{}
		born := 0
		for k := range log {
			e := &log[k]
			id := born
			if e.Op == traceio.Free {
				id = live[e.Addr]
			} else {
				live[e.Addr] = born
				born++
			}
			if alloc, free := h.Latencies(id); e.Op == traceio.Malloc && alloc != e.Latency || e.Op == traceio.Free &&
				free != e.Latency {
				t.Fatalf("block %d took %d and %d ns, the event %d", id, alloc, free, e.Latency)
			}
			if e.Op == g.Op && e.Latency > 0 && (g.Bin < 0 || h.Bin(id) == g.Bin) {
				want = append(want, e.Latency)
			}
		}
		slices.Sort(want)
		sum := traceio.Ticks(0)
		for _, x := range want {
			sum += x
		}
		if g.Count != uint64(len(want)) || g.Total != sum || g.Slowest != want[len(want)-1] ||
			g.Mean() != sum/traceio.Ticks(len(want)) {
			t.Fatalf("op %d, bin %d: %d in %d ns, at most %d; want %d in %d, %d", g.Op, g.Bin, g.Count, g.Total, g.Slowest,
				len(want), sum, want[len(want)-1])
		}
		for _, q := range []float64{0, 0.5, 0.9, 0.99} {
			got, exact := g.Quantile(q), want[int(q*float64(len(want)))]
			if got < exact || float64(got) > 1.26*float64(exact)+1 {
				t.Errorf("op %d, bin %d: the quantile %g is %d, want %d to a quarter", g.Op, g.Bin, q, got, exact)
			}
		}
	}
	if got := analyze(t, []traceio.Alloc{malloc(1, 16, 1)}, 10, nil).Latency(); got != nil {
		t.Errorf("nobody measured, and yet %v", got)
	}
}

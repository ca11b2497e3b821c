package heap

import (
	"math/bits"

	"orrery/traceio"
)

// Histogram counts how long the allocator took to answer. Bucket i holds latencies from BucketFloor(i) ns on.
type Histogram struct {
	Op      traceio.AllocOp
	Bin     int // -1 for all
	Count   uint64
	Total   traceio.Ticks
	Slowest traceio.Ticks
	Buckets [latencyBuckets]uint64
}

const (
	latencyFine    = 2 // bits below the leading one: four buckets from one power of two to the next
	latencyBuckets = (32-latencyFine)<<latencyFine + 1<<latencyFine
)

// bucketOf is the bucket of a latency.
func bucketOf(ns uint32) int {
	if ns < 1<<latencyFine {
		return int(ns)
	}
	shift := bits.Len32(ns) - 1 - latencyFine
	return (shift+1)<<latencyFine + int(ns>>shift)&(1<<latencyFine-1)
}

// BucketFloor is the shortest latency in bucket i.
func BucketFloor(i int) traceio.Ticks {
	if i < 1<<latencyFine {
		return traceio.Ticks(i)
	}
	return traceio.Ticks(1<<latencyFine+i&(1<<latencyFine-1)) << (i>>latencyFine - 1)
}

// Mean is the average latency.
func (g *Histogram) Mean() traceio.Ticks {
	if g.Count == 0 {
		return 0
	}
	return g.Total / traceio.Ticks(g.Count)
}

// Quantile is the latency that a share q of all does not exceed, to the width of a bucket (a quarter of a power of
// two).
func (g *Histogram) Quantile(q float64) traceio.Ticks {
	left := uint64(q * float64(g.Count))
	for i, n := range g.Buckets {
		if left < n || left == n && i == latencyBuckets-1 {
			return min(BucketFloor(i+1), g.Slowest)
		}
		left -= n
	}
	return g.Slowest
}

// Latency is the histograms of the allocator's answers, nil when nobody measured: for allocations and frees, first over
// all, then by bin. Those without a measurement are left out.
func (h *Heap) Latency() []Histogram {
	l := h.history.latency
	if len(l) == 0 {
		return nil
	}
	all := make([][2]Histogram, len(h.Bins)+1)
	note := func(op traceio.AllocOp, id int32, ns uint32) {
		for _, k := range []int{0, h.Bin(int(id)) + 1} {
			g := &all[k][op]
			g.Count++
			g.Total += traceio.Ticks(ns)
			g.Slowest = max(g.Slowest, traceio.Ticks(ns))
			g.Buckets[bucketOf(ns)]++
		}
	}
	for s := (state{}); s.event < len(l); {
		ns := l[s.event]
		died, born := s.step(h)
		switch {
		case ns == 0:
		case born >= 0:
			note(traceio.Malloc, born, ns)
		case died >= 0:
			note(traceio.Free, died, ns)
		}
	}
	var out []Histogram
	for k := range all {
		for op := range all[k] {
			if g := &all[k][op]; g.Count > 0 {
				g.Op, g.Bin = traceio.AllocOp(op), k-1
				out = append(out, *g)
			}
		}
	}
	return out
}

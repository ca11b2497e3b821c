package session

import (
	"fmt"
	"strconv"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/table"
	"orrery/views/words"
)

// latencies lists how long the allocator took to answer, for allocations and frees, over all and by bin.
func (t *allocationTable) latencies() {
	h := t.a.Heap
	list := h.Latency()
	low, high := span(list)
	nanoseconds := func(title, tip string, of func(g *heap.Histogram) traceio.Ticks) cells[heap.Histogram] {
		return cells[heap.Histogram]{Column: table.Column{Title: title, Tip: tip}, of: func(g heap.Histogram) float64 {
			return float64(of(&g))
		}}
	}
	quantile := func(q float64) func(g *heap.Histogram) traceio.Ticks {
		return func(g *heap.Histogram) traceio.Ticks { return g.Quantile(q) }
	}
	fill(t.s, list, []cells[heap.Histogram]{
		{table.Column{Title: "answers", Tip: "calls whose response time was measured"}, func(g heap.Histogram) float64 {
			return count(g.Count)
		}},
		nanoseconds("median ns", "nanoseconds that half of the calls take at most", quantile(0.5)),
		nanoseconds("90 %", "nanoseconds that 90 % of the calls take at most", quantile(0.9)),
		nanoseconds("99 %", "nanoseconds that 99 % of the calls take at most", quantile(0.99)),
		nanoseconds("slowest", "nanoseconds that the slowest call takes", func(g *heap.Histogram) traceio.Ticks {
			return g.Slowest
		}),
		nanoseconds("in all", "nanoseconds in all calls together", func(g *heap.Histogram) traceio.Ticks { return g.Total }),
	}, func(g heap.Histogram) table.Row {
		row := table.Row{Name: answers(g.Op) + ", all bins", Note: bars(&g, low, high),
			Thing: link.OfBytes(h.Extent().Low, h.Extent().High)}
		if g.Bin >= 0 {
			b := &h.Bins[g.Bin]
			row.Name, row.Thing.Low, row.Thing.High = answers(g.Op)+", bin "+b.Name, b.Low, b.High
		}
		return row
	})
}

func answers(op traceio.AllocOp) string {
	if op == traceio.Free {
		return "frees"
	}
	return "allocations"
}

// octave is the power of two in nanoseconds that bucket i of a histogram lies in.
func octave(i int) int {
	n := 0
	for f := heap.BucketFloor(i); f > 1; f >>= 1 {
		n++
	}
	return n
}

// span is the octaves in which any of the histograms has answers: from low up to but without high.
func span(list []heap.Histogram) (low, high int) {
	low = 64
	for k := range list {
		for i, n := range list[k].Buckets {
			if n > 0 {
				low, high = min(low, octave(i)), max(high, octave(i)+1)
			}
		}
	}
	return min(low, high), high
}

// bars draws a histogram, a bar for each doubling of the time: "64 ns ▁█▅▂·▁ 4 µs".
func bars(g *heap.Histogram, low, high int) string {
	sums := make([]uint64, high-low)
	var most uint64
	for i, n := range g.Buckets {
		if n > 0 {
			at := &sums[octave(i)-low]
			*at += n
			most = max(most, *at)
		}
	}
	return duration(1<<low) + " " + steps(sums, most) + " " + duration(1<<high)
}

// duration is nanoseconds with a unit in which they are few.
func duration(ns uint64) string {
	for _, unit := range []string{"ns", "µs", "ms"} {
		if ns < 1000 {
			return strconv.FormatUint(ns, 10) + " " + unit
		}
		ns /= 1000
	}
	return strconv.FormatUint(ns, 10) + " s"
}

func (a *Allocating) toldLatency() string {
	list := a.Heap.Latency()
	if len(list) == 0 {
		return "The log does not tell how long the allocator took to answer."
	}
	text := ""
	for i := range list {
		if g := &list[i]; g.Bin < 0 {
			if text != "" {
				text += " "
			}
			text += fmt.Sprintf("Half of %s take at most %s, 99 %% at most %s; the slowest takes %s.",
				words.Plural(g.Count, map[bool]string{true: "free", false: "allocation"}[g.Op == traceio.Free]),
				duration(uint64(g.Quantile(0.5))), duration(uint64(g.Quantile(0.99))), duration(uint64(g.Slowest)))
		}
	}
	return text
}

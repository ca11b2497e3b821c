package caches

import (
	"orrery/cachesim/model"
)

// Worth is what a design makes of a recording.
type Worth struct {
	Time   float64 // average access time, ns
	Energy float64 // nJ for each request of the processor
	Area   float64 // mm²

	Leakage float64 // nJ of Energy
	Memory  float64 // nJ of Energy: what memory takes
	Levels  []model.StageTotals
}

// Weigh prices the counts of a design's levels (see Simulator.Totals). The average access time is that of
// cachesim.Totals: a request costs the access time of every level that it reaches, and memory's if it gets there (t1 +
// m1 (t2 + m2 (t3 + m3 tm)) with miss ratios of what the processor waits for). Energy is that of the accesses, a read
// or a write for each request and a write for each block that is filled in, of the blocks that memory takes and gives,
// and of what leaks over the time of all requests. Area is the sum over the levels.
func Weigh(d Design, totals []model.StageTotals, costs *Costs, memory Memory) (Worth, error) {
	w := Worth{Levels: totals}
	requests := float64(totals[0].Reads + totals[0].Writes)
	last := totals[len(totals)-1]
	var time, dynamic, leak float64
	for i, l := range d.Levels {
		cost, err := costs.Of(l.Size, l.Ways, d.Block)
		if err != nil {
			return w, err
		}
		t := totals[i]
		waited := float64(t.Reads - t.Ahead)
		if i == 0 {
			waited += float64(t.Writes)
		}
		time += waited * cost.Access
		dynamic += float64(t.Reads)*cost.Read + float64(t.Writes+t.Misses()+t.Prefetches)*cost.Write
		leak += cost.Leak
		w.Area += cost.Area
	}
	time += float64(last.Below.Reads-last.BelowAhead) * memory.Time
	if requests == 0 {
		return w, nil
	}
	const milliwattNanosecond = 1e-3 // nanojoules
	w.Time = time / requests
	w.Leakage = leak * w.Time * milliwattNanosecond
	w.Memory = float64(last.Below.Reads+last.Below.Writes) * memory.Energy / requests
	w.Energy = dynamic/requests + w.Leakage + w.Memory
	return w, nil
}

package cachesim

import "orrery/traceio"

// Totals are the counts of everything run so far. AMAT is the time of all requests on the way to the data, divided by
// the requests of the processor: each request to a level where references enter costs that level's latency, each read
// or fetch of a lower level or of memory costs theirs, and so do the TLBs and walks. Write-backs, stores that go on and
// prefetches are off that way and cost nothing.
func (h *Hierarchy) Totals() Totals { return h.counts().totals(h.config) }

// tally is everything that is counted.
type tally struct {
	rows   uint64
	memory Traffic
	levels []Counts
	ahead  []uint64 // by level, then of memory: requests that nobody waits for
	pages  *tally   // nil: no translation
}

func (h *Hierarchy) counts() tally {
	n := len(h.levels)
	t := tally{rows: h.rows, memory: h.memory, levels: make([]Counts, n), ahead: make([]uint64, n+1)}
	for i, l := range h.levels {
		c := Counts{
			Reads: l.requests[traceio.Load], Writes: l.requests[traceio.Store], Fetches: l.requests[traceio.Fetch],
			ReadMisses: l.misses[traceio.Load], WriteMisses: l.misses[traceio.Store] + l.misses[allOf],
			FetchMisses: l.misses[traceio.Fetch],
			Evictions:   l.evictions, WriteBacks: l.writeBacks,
			VictimHits: l.victimHits, Fills: l.fills, Prefetches: l.prefetches, Useful: l.useful,
			Invalidations: l.invalidations, Interventions: l.interventions, Upgrades: l.upgrades,
		}
		if l.classes != nil {
			c.Compulsory, c.Capacity, c.Conflict, c.Coherence = l.classes.compulsory, l.classes.capacity, l.classes.conflict,
				l.classes.coherence
		}
		t.levels[i], t.ahead[i] = c, l.ahead
	}
	t.ahead[n] = h.memoryAhead
	if h.pages != nil {
		pages := h.pages.counts()
		t.pages = &pages
	}
	return t
}

// noCounts is the tally of an empty hierarchy.
func (h *Hierarchy) noCounts() tally {
	t := tally{levels: make([]Counts, len(h.levels)), ahead: make([]uint64, len(h.levels)+1)}
	if h.pages != nil {
		pages := h.pages.noCounts()
		t.pages = &pages
	}
	return t
}

func (h *Hierarchy) setCounts(t tally) {
	h.rows, h.memory = t.rows, t.memory
	for i, l := range h.levels {
		c := t.levels[i]
		l.requests = [4]uint64{traceio.Load: c.Reads, traceio.Store: c.Writes, traceio.Fetch: c.Fetches}
		l.misses = [4]uint64{traceio.Load: c.ReadMisses, traceio.Store: c.WriteMisses, traceio.Fetch: c.FetchMisses}
		l.evictions, l.writeBacks = c.Evictions, c.WriteBacks
		l.victimHits, l.fills, l.prefetches, l.useful = c.VictimHits, c.Fills, c.Prefetches, c.Useful
		l.invalidations, l.interventions, l.upgrades = c.Invalidations, c.Interventions, c.Upgrades
		l.ahead = t.ahead[i]
	}
	h.memoryAhead = t.ahead[len(h.levels)]
	if h.pages != nil {
		h.pages.setCounts(*t.pages)
	}
}

func (t tally) totals(c Config) Totals {
	out := Totals{References: t.rows, Levels: t.levels, Memory: t.memory}
	out.Time, out.AMAT = c.times(t)
	if t.pages != nil {
		out.TLBs, out.Walks = t.pages.levels, t.pages.memory.Reads
		time, mean := c.Translation().PerCore().times(*t.pages)
		out.Time, out.AMAT = out.Time+time, out.AMAT+mean
	}
	return out
}

// times is the time of all requests of the processor and of one on average.
func (c Config) times(t tally) (time, mean float64) {
	var requests float64
	for i, l := range c.Levels {
		n := float64(t.levels[i].Reads + t.levels[i].Fetches - t.ahead[i])
		if c.enters(i) {
			n += float64(t.levels[i].Writes)
			requests += n
		}
		time += n * l.Latency
	}
	time += float64(t.memory.Reads-t.ahead[len(c.Levels)]) * c.Memory.Latency
	if requests == 0 {
		return 0, 0
	}
	return time, time / requests
}

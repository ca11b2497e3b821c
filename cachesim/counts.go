package cachesim

// Counts are the totals of one level. A request is a read, a write (a write-back from the level above is one) or a
// fetch; a reference that crosses blocks is one request per block. The four classes are 0 unless Classify was called;
// then they add up to all misses.
type Counts struct {
	Fetches     uint64 `json:"fetches"`
	Reads       uint64 `json:"reads"`
	Writes      uint64 `json:"writes"`
	FetchMisses uint64 `json:"fetch_misses"`
	ReadMisses  uint64 `json:"read_misses"`
	WriteMisses uint64 `json:"write_misses"`
	Evictions   uint64 `json:"evictions"`   // valid blocks replaced, clean or dirty
	WriteBacks  uint64 `json:"write_backs"` // dirty ones among them
	Compulsory  uint64 `json:"compulsory"`  // the block was never asked for before
	Capacity    uint64 `json:"capacity"`    // a fully associative cache of this size and policy misses too
	Conflict    uint64 `json:"conflict"`    // it would have hit
	Coherence   uint64 `json:"coherence"`   // another core's write had taken the block away

	VictimHits    uint64 `json:"victim_hits"`   // requests that the victim buffer served; no misses
	Fills         uint64 `json:"fills"`         // blocks that an exclusive level took from above; no requests
	Prefetches    uint64 `json:"prefetches"`    // blocks fetched ahead; no requests here, but reads below
	Useful        uint64 `json:"useful"`        // of them, how many were asked for before they left
	Invalidations uint64 `json:"invalidations"` // blocks lost to a level below (inclusion) or to another core's write
	Interventions uint64 `json:"interventions"` // dirty blocks written down because another core asked for them
	Upgrades      uint64 `json:"upgrades"`      // stores to a block that other cores may have had, too
}

// Requests is fetches + reads + writes.
func (c Counts) Requests() uint64 { return c.Fetches + c.Reads + c.Writes }

// Misses is the misses of all kinds.
func (c Counts) Misses() uint64 { return c.FetchMisses + c.ReadMisses + c.WriteMisses }

// Plus is the sum of the counts of two levels.
func (c Counts) Plus(d Counts) Counts {
	return Counts{
		Fetches: c.Fetches + d.Fetches, Reads: c.Reads + d.Reads, Writes: c.Writes + d.Writes,
		FetchMisses: c.FetchMisses + d.FetchMisses, ReadMisses: c.ReadMisses + d.ReadMisses,
		WriteMisses: c.WriteMisses + d.WriteMisses,
		Evictions:   c.Evictions + d.Evictions, WriteBacks: c.WriteBacks + d.WriteBacks,
		Compulsory: c.Compulsory + d.Compulsory, Capacity: c.Capacity + d.Capacity, Conflict: c.Conflict + d.Conflict,
		Coherence:  c.Coherence + d.Coherence,
		VictimHits: c.VictimHits + d.VictimHits, Fills: c.Fills + d.Fills, Prefetches: c.Prefetches + d.Prefetches,
		Useful:        c.Useful + d.Useful,
		Invalidations: c.Invalidations + d.Invalidations, Interventions: c.Interventions + d.Interventions,
		Upgrades: c.Upgrades + d.Upgrades,
	}
}

// Traffic counts transfers between the last levels and main memory: blocks read, blocks and single stores written.
type Traffic struct {
	Reads  uint64 `json:"reads"`
	Writes uint64 `json:"writes"`
}

// Totals are the counts of a whole hierarchy, Levels in the order of Config.Levels.
type Totals struct {
	References uint64 // fetches + loads + stores given, whether a level takes them or not
	Levels     []Counts
	Memory     Traffic
	TLBs       []Counts // in the order of Config.TLBs, core by core; a store is a read of its page's entry
	Walks      uint64   // through the page tables
	Time       float64  // of all requests on the way to the data, nanoseconds
	AMAT       float64  // average memory access time, nanoseconds; see Config.Totals
}

// Tally is everything that an engine counts.
type Tally struct {
	Rows   uint64
	Memory Traffic
	Levels []Counts
	Ahead  []uint64 // by level, then of memory: requests that nobody waits for
}

// Totals are the counts as people ask for them; pages are those of Translation, nil when it is not simulated. AMAT is
// the time of all requests on the way to the data, divided by the requests of the processor: each request to a level
// where references enter costs that level's latency, each read or fetch of a lower level or of memory costs theirs, and
// so do the TLBs and walks. Write-backs, stores that go on and prefetches are off that way and cost nothing.
func (c Config) Totals(t Tally, pages *Tally) Totals {
	out := Totals{References: t.Rows, Levels: t.Levels, Memory: t.Memory}
	out.Time, out.AMAT = c.times(t)
	if pages != nil {
		out.TLBs, out.Walks = pages.Levels, pages.Memory.Reads
		time, mean := c.Translation().PerCore().times(*pages)
		out.Time, out.AMAT = out.Time+time, out.AMAT+mean
	}
	return out
}

// times is the time of all requests of the processor and of one on average.
func (c Config) times(t Tally) (time, mean float64) {
	var requests float64
	for i, l := range c.Levels {
		n := float64(t.Levels[i].Reads + t.Levels[i].Fetches - t.Ahead[i])
		if c.Enters(i) {
			n += float64(t.Levels[i].Writes)
			requests += n
		}
		time += n * l.Latency
	}
	time += float64(t.Memory.Reads-t.Ahead[len(c.Levels)]) * c.Memory.Latency
	if requests == 0 {
		return 0, 0
	}
	return time, time / requests
}

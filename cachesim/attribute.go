package cachesim

import "orrery/traceio"

// Attribution counts by key: a source line, a function, a region, whatever the caller numbered from 0. Reads, Writes
// and Fetches are references of the processor, each counted once. Misses and WriteBacks are those of the levels, by
// level and key: each belongs to the reference that was being served, write-backs that it caused included, so that over
// all keys they add up to the level's Misses and WriteBacks.
type Attribution struct {
	Fetches []uint64
	Reads   []uint64
	Writes  []uint64
	Misses  [][]uint64

	WriteBacks [][]uint64             // by level and key: dirty blocks that leave the level
	Hits       [][]uint64             // by level and key, when Classify was called: requests that the level answered
	Classes    [][][NumClasses]uint64 // by level, key and Class, when Classify was called: misses
}

// NewAttribution has room for the given number of keys.
func NewAttribution(c Config, keys int) *Attribution {
	a := &Attribution{Fetches: make([]uint64, keys), Reads: make([]uint64, keys), Writes: make([]uint64, keys)}
	for range c.PerCore().Levels {
		a.Misses = append(a.Misses, make([]uint64, keys))
		a.WriteBacks = append(a.WriteBacks, make([]uint64, keys))
		a.Hits = append(a.Hits, make([]uint64, keys))
		a.Classes = append(a.Classes, make([][NumClasses]uint64, keys))
	}
	return a
}

// chunk is the number of rows whose events are held at a time.
const chunk = 1 << 12

// RunKeyed is Run and adds to a; keys[i] is the key of row i, negative for rows that nobody asked about.
func (h *Hierarchy) RunKeyed(b *traceio.Block, keys []int32, a *Attribution) {
	keys = keys[:b.Len()]
	byKind := [3][]uint64{traceio.Load: a.Reads, traceio.Store: a.Writes, traceio.Fetch: a.Fetches}
	for i, k := range keys {
		if k >= 0 {
			byKind[b.Kind[i]][k]++
		}
	}
	defer func(before bool) { h.thorough = before }(h.thorough)
	h.thorough = h.thorough || h.classed // every hit is told
	h.runChanges(b, func(e *Event) {
		k := keys[e.Row]
		if k < 0 {
			return
		}
		switch e.Op {
		case Miss, Allocate:
			a.Misses[e.Level][k]++
			a.Classes[e.Level][k][e.Class]++
		case Hit, VictimHit, Promote:
			a.Hits[e.Level][k]++
		case WriteBack:
			a.WriteBacks[e.Level][k]++
		}
	})
}

// runChanges is Run and tells of the events without ranks, those left out that run decides by itself.
func (h *Hierarchy) runChanges(b *traceio.Block, tell func(e *Event)) {
	for from := 0; from < b.Len(); from += chunk {
		to := min(from+chunk, b.Len())
		if h.brief() {
			h.runLog(b, from, to, 0, &h.ownLog)
			h.scratch = h.ownLog.changes(h.scratch[:0], func(*level, traceio.Kind, uint64) {})
		} else {
			h.listen(&sink{events: h.scratch[:0], self: true})
			h.run(b, from, to, nil)
			h.scratch = h.sink.events
			h.listen(nil)
		}
		for i := range h.scratch {
			tell(&h.scratch[i])
		}
	}
}

// SetCounts are the totals of one set: requests for its blocks, and blocks that it pushed out.
type SetCounts struct {
	Fetches, Reads, Writes, Misses, Evictions, WriteBacks uint64

	Classes [NumClasses]uint64 // misses by Class, when Classify was called
}

// NewSetCounts has one element for each set of each level: [level][set].
func NewSetCounts(c Config) [][]SetCounts {
	var sets [][]SetCounts
	for _, l := range c.PerCore().Levels {
		sets = append(sets, make([]SetCounts, l.Sets()))
	}
	return sets
}

// RunSets is Run and adds every request to the counts of its set. What the victim buffer does for a block counts for
// the block's set.
func (h *Hierarchy) RunSets(b *traceio.Block, sets [][]SetCounts) {
	for from := 0; from < b.Len(); from += chunk {
		h.runLog(b, from, min(from+chunk, b.Len()), 0, &h.ownLog)
		h.scratch = h.ownLog.changes(h.scratch[:0], func(l *level, kind traceio.Kind, line uint64) {
			sets[l.served>>1][line&l.mask].request(kind)
		})
		for i := range h.scratch {
			e := &h.scratch[i]
			l := h.levels[e.Level]
			sets[e.Level][uint64(e.Line)>>(l.bits&63)&l.mask].add(e, uint64(e.Set) > l.mask)
		}
	}
}

// add takes an event into account; inBuffer tells that it happened in the victim buffer.
func (s *SetCounts) add(e *Event, inBuffer bool) {
	if e.Op == WriteBack {
		s.WriteBacks++
	}
	switch e.Op {
	case Evict, WriteBack:
		if !inBuffer {
			s.Evictions++
		}
		return
	case Miss, Allocate:
		s.Misses++
		s.Classes[e.Class]++
	case Hit, VictimHit, Promote:
	default:
		return
	}
	s.request(e.Kind)
}

func (s *SetCounts) request(k traceio.Kind) {
	switch k {
	case traceio.Load:
		s.Reads++
	case traceio.Store:
		s.Writes++
	case traceio.Fetch:
		s.Fetches++
	}
}

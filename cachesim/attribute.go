package cachesim

import "orrery/traceio"

// Attribution counts by key: a source line, a function, a region, whatever the caller numbered from 0. Reads, Writes and
// Fetches are references of the processor, each counted once. Misses are those of the levels, by level and key: a miss
// belongs to the reference that was being served, write-backs that it caused included, so that over all keys they add up to the
// level's Misses.
type Attribution struct {
	Fetches []uint64
	Reads   []uint64
	Writes  []uint64
	Misses  [][]uint64
}

// NewAttribution has room for the given number of keys.
func NewAttribution(c Config, keys int) *Attribution {
	a := &Attribution{Fetches: make([]uint64, keys), Reads: make([]uint64, keys), Writes: make([]uint64, keys)}
	for range c.Levels {
		a.Misses = append(a.Misses, make([]uint64, keys))
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
	for from := 0; from < b.Len(); from += chunk {
		h.listen(&sink{events: h.scratch[:0], self: true})
		h.run(b, from, min(from+chunk, b.Len()), nil)
		h.scratch = h.sink.events
		h.listen(nil)
		for _, e := range h.scratch {
			if k := keys[e.Row]; k >= 0 && (e.Op == Miss || e.Op == Allocate) {
				a.Misses[e.Level][k]++
			}
		}
	}
}

// SetCounts are the totals of one set.
type SetCounts struct{ Fetches, Reads, Writes, Misses, Evictions uint64 }

// NewSetCounts has one element for each set of each level: [level][set].
func NewSetCounts(c Config) [][]SetCounts {
	var sets [][]SetCounts
	for _, l := range c.Levels {
		sets = append(sets, make([]SetCounts, l.Sets()))
	}
	return sets
}

// RunSets is Run and adds every request to the counts of its set.
func (h *Hierarchy) RunSets(b *traceio.Block, sets [][]SetCounts) {
	for from := 0; from < b.Len(); from += chunk {
		h.scratch = h.runEvents(b, from, min(from+chunk, b.Len()), b.First, h.scratch[:0])
		for _, e := range h.scratch {
			sets[e.Level][e.Set].add(e)
		}
	}
}

func (s *SetCounts) add(e Event) {
	switch e.Op {
	case Evict, WriteBack:
		s.Evictions++
		return
	case Miss, Allocate:
		s.Misses++
	}
	switch e.Kind {
	case traceio.Load:
		s.Reads++
	case traceio.Store:
		s.Writes++
	case traceio.Fetch:
		s.Fetches++
	}
}

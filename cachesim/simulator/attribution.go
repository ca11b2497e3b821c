package simulator

import (
	"orrery/cachesim"
	"orrery/traceio"
)

// Attribution counts by key: a source line, a function, a region, whatever the caller numbered from 0. Reads, Writes
// and Fetches are references of the processor, each counted once. Misses and WriteBacks are those of the levels, by
// level and key: each belongs to the reference that was being served, write-backs that it caused included, so that over
// all keys they add up to the level's Misses and WriteBacks.
type Attribution struct {
	Fetches []uint64
	Reads   []uint64
	Writes  []uint64
	Misses  [][]uint64

	WriteBacks [][]uint64                      // by level and key: dirty blocks that leave the level
	Hits       [][]uint64                      // by level and key: requests that the level answered
	Classes    [][][cachesim.NumClasses]uint64 // by level, key and Class, when Classify was called: misses
}

// NewAttribution has room for the given number of keys.
func NewAttribution(c cachesim.Config, keys int) *Attribution {
	a := &Attribution{Fetches: make([]uint64, keys), Reads: make([]uint64, keys), Writes: make([]uint64, keys)}
	for range c.PerCore().Levels {
		a.Misses = append(a.Misses, make([]uint64, keys))
		a.WriteBacks = append(a.WriteBacks, make([]uint64, keys))
		a.Hits = append(a.Hits, make([]uint64, keys))
		a.Classes = append(a.Classes, make([][cachesim.NumClasses]uint64, keys))
	}
	return a
}

// RunKeyed is Run and adds to a; keys[i] is the key of row i, negative for rows that nobody asked about.
func (h *Hierarchy) RunKeyed(b *traceio.Block, keys []int32, a *Attribution) {
	keys = keys[:b.Len()]
	h.translate(b, 0, b.Len())
	h.caches.follow(b, 0, b.Len(), func(b *traceio.Block, row, end int, events []cachesim.Event) {
		for i, key := range keys[row:end] {
			if key >= 0 {
				a.reference(b.Kind[row+i], key)
			}
		}
		for row < end {
			quiet, rowEvents, rest := split(end, events)
			for ; row < quiet; row++ {
				if entry := h.caches.entry(b, row); keys[row] >= 0 && entry >= 0 {
					a.Hits[entry][keys[row]]++
				}
			}
			for i := range rowEvents {
				if keys[row] >= 0 {
					a.add(&rowEvents[i], keys[row])
				}
			}
			events, row = rest, row+1
		}
	})
}

func (a *Attribution) reference(kind traceio.Kind, key int32) {
	switch kind {
	case traceio.Load:
		a.Reads[key]++
	case traceio.Store:
		a.Writes[key]++
	case traceio.Fetch:
		a.Fetches[key]++
	}
}

func (a *Attribution) add(e *cachesim.Event, key int32) {
	switch e.Op {
	case cachesim.Miss, cachesim.Allocate:
		a.Misses[e.Level][key]++
		a.Classes[e.Level][key][e.Class]++
	case cachesim.Hit, cachesim.VictimHit, cachesim.Promote:
		a.Hits[e.Level][key]++
	case cachesim.WriteBack:
		a.WriteBacks[e.Level][key]++
	}
}

// SetCounts are the totals of one set: requests for its blocks, and blocks that it pushed out.
type SetCounts struct {
	Fetches, Reads, Writes, Misses, Evictions, WriteBacks uint64

	Classes [cachesim.NumClasses]uint64 // misses by Class, when Classify was called
}

// NewSetCounts has one element for each set of each level: [level][set].
func NewSetCounts(c cachesim.Config) [][]SetCounts {
	var sets [][]SetCounts
	for _, l := range c.PerCore().Levels {
		sets = append(sets, make([]SetCounts, l.Sets()))
	}
	return sets
}

// RunSets is Run and adds every request to the counts of its set. What the victim buffer does for a block counts for
// the block's set.
func (h *Hierarchy) RunSets(b *traceio.Block, sets [][]SetCounts) {
	h.translate(b, 0, b.Len())
	s := &h.caches
	shifts := make([]uint, len(sets))
	for i, l := range s.config.Levels {
		shifts[i] = l.Block.Log2()
	}
	index := func(level int, addr traceio.Addr) uint64 {
		return uint64(addr) >> (shifts[level] & 63) & uint64(len(sets[level])-1)
	}
	s.follow(b, 0, b.Len(), func(b *traceio.Block, row, end int, events []cachesim.Event) {
		for row < end {
			quiet, rowEvents, rest := split(end, events)
			for ; row < quiet; row++ {
				if entry := s.entry(b, row); entry >= 0 {
					sets[entry][index(entry, b.Addr[row])].request(b.Kind[row])
				}
			}
			for i := range rowEvents {
				e := &rowEvents[i]
				sets[e.Level][index(int(e.Level), e.Line)].add(e, int(e.Set) == len(sets[e.Level]))
			}
			events, row = rest, row+1
		}
	})
}

// add takes an event into account; inBuffer tells that it happened in the victim buffer.
func (s *SetCounts) add(e *cachesim.Event, inBuffer bool) {
	if e.Op == cachesim.WriteBack {
		s.WriteBacks++
	}
	switch e.Op {
	case cachesim.Evict, cachesim.WriteBack:
		if !inBuffer {
			s.Evictions++
		}
		return
	case cachesim.Miss, cachesim.Allocate:
		s.Misses++
		s.Classes[e.Class]++
	case cachesim.Hit, cachesim.VictimHit, cachesim.Promote:
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

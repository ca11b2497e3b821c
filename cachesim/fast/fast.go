// Package fast simulates the plain case of a memory hierarchy: LRU or FIFO levels, write-back, with allocation on a
// write miss, neither inclusive nor exclusive, no prefetcher, no victim buffer, no private levels of several cores. Its
// counts, events and states are those of package model, which simulates everything; TestFast and TestFastOfRecordings
// in package simulator hold the one against the other. It takes a half to a fourteenth of the model's time: on preset
// desktop a third for loops that stay in the first level, an eighth for a matrix product that does not.
//
// What makes it fast: no level of a plain hierarchy changes one above it. So some thousand references pass the first
// levels together, then what these ask of the next level passes that, and so on (batch.go). Requests come to each level
// in the same order as if every reference went down by itself. A block keeps its way as long as it stays, and a way
// predictor finds it without a search (tags.go); victims of wide sets come from an order that is kept (wide.go). What
// happened is kept as a note for each miss, from which a Log makes events when they are read (log.go, order.go).
package fast

import (
	"math/bits"
	"unsafe"

	"orrery/cachesim"
	"orrery/traceio"
)

// Hierarchy is a plain hierarchy at work. One goroutine at a time may use it.
type Hierarchy struct {
	config  cachesim.Config
	tags    []tag    // of all levels; see tags.go
	predict []uint32 // of all levels: where a block probably is, in bytes behind the first tag
	levels  []*level
	entry   [4]*level     // by traceio.Kind: where references enter; nil: no level takes them
	first   []*level      // the levels where references enter, each once
	paths   [4]accessPath // by traceio.Kind
	bits    uint          // log2 of the block size of the first levels
	misses  missQueue     // of the level in progress, for the level below
	asked   missQueue     // of the level above, for the level in progress
	noting  bool          // a Log is in progress
	rows    []int32       // of the Log in progress: those that the access path did not decide
	reads   uint64        // of memory
	writes  uint64
	total   uint64 // rows
}

// level is one cache at work.
type level struct {
	index int
	mask  uint64 // sets-1
	ways  uint64
	bits  uint   // log2 of the block size
	shift uint   // block number >> shift is the block number in next
	base  uint64 // its first tag
	wide  wideSets
	fifo  bool
	next  *level // nil: memory

	predictBase, predictMask uint64
	exact                    bool // the way predictor knows of every block; see tags.go

	writeBack uint64   // what a write-back from here is to the level below: a store, of all of the block or of a part
	notes     []uint64 // of the Log in progress, one for each request
	ordered   bool     // that Log keeps the order of the sets, so that notes of hits have no ranks

	requests   [3]uint64 // by traceio.Kind
	misses     [4]uint64 // by purpose
	evictions  uint64
	writeBacks uint64
}

// Serves tells whether the package can simulate a configuration, which has the levels of every core.
func Serves(c cachesim.Config) bool {
	for i, l := range c.Levels {
		plain := (l.Policy == "" || l.Policy == cachesim.LRU || l.Policy == cachesim.FIFO) &&
			(l.Write == "" || l.Write == cachesim.Back) && !l.NoAllocate &&
			(l.Inclusion == "" || l.Inclusion == cachesim.NINE) &&
			l.Prefetch == cachesim.NoPrefetch && l.VictimBlocks == 0 && c.CoreOf(i) < 0
		if !plain {
			return false
		}
	}
	data, fetch := c.Entry(traceio.Load), c.Entry(traceio.Fetch)
	return data < 0 || fetch < 0 || data == fetch ||
		c.Levels[data].Block == c.Levels[fetch].Block && c.Next(data) == c.Next(fetch)
}

// New is an empty hierarchy of a valid configuration that the package Serves.
func New(c cachesim.Config) *Hierarchy {
	h := &Hierarchy{config: c}
	at, entries := uint64(1), 1
	for i, l := range c.Levels {
		n := &level{index: i, mask: uint64(l.Sets() - 1), ways: uint64(l.Ways), bits: l.Block.Log2(),
			fifo: l.Policy == cachesim.FIFO, base: at, writeBack: allOf,
			wide: newWideSets(uint64(l.Sets()), uint64(l.Ways))}
		blocks := uint64(l.Sets() * l.Ways)
		at += blocks
		n.predictBase, n.predictMask = uint64(entries), uint64(predictorEntries(blocks)-1)
		entries += predictorEntries(blocks)
		h.levels = append(h.levels, n)
	}
	h.tags, h.predict = make([]tag, at), make([]uint32, entries)
	for i, l := range h.levels {
		if n := c.Next(i); n < len(h.levels) {
			l.next = h.levels[n]
			if l.shift = l.next.bits - l.bits; l.shift != 0 {
				l.writeBack = uint64(traceio.Store)
			}
		}
	}
	for k := traceio.Load; k <= traceio.Fetch; k++ {
		i := c.Entry(k)
		if i < 0 {
			continue
		}
		l := h.levels[i]
		if h.entry[k] = l; len(h.first) == 0 || h.first[0] != l {
			if h.bits = l.bits; k != traceio.Store {
				h.first = append(h.first, l)
			}
		}
		h.paths[k] = newAccessPath(l, k)
	}
	h.Reset()
	return h
}

// predictorEntries is how many entries a level's way predictor has, a power of two: the more the fewer blocks share
// one, but those of a large level have to lie close in the processor's own caches.
func predictorEntries(blocks uint64) int {
	const least, few, many = 1 << 12, 1 << 10, 1 << 14 // entries, and blocks
	each := 8
	if blocks > few {
		each = 4
	}
	if blocks > many {
		each = 2
	}
	return max(1<<bits.Len64(blocks-1)*each, least)
}

// Config is the configuration, with the levels of every core.
func (h *Hierarchy) Config() cachesim.Config { return h.config }

// Words is the state, all that changes but the counts: a copy of it is a checkpoint.
func (h *Hierarchy) Words() []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(h.tags))), len(h.tags)*int(tagBytes/8))
}

// Restored is to be called after Words was written to. The way predictors and the orders of wide sets are no part
// of it.
func (h *Hierarchy) Restored() {
	for _, l := range h.levels {
		l.exact = false
		clear(l.wide.sets)
	}
}

// Reset empties all levels and sets all counts to 0.
func (h *Hierarchy) Reset() {
	clear(h.tags)
	clear(h.predict)
	h.SetTally(cachesim.Tally{Levels: make([]cachesim.Counts, len(h.levels))})
	for _, l := range h.levels {
		l.exact = !l.fifo
		clear(l.wide.sets)
	}
}

// Tally is everything that was counted.
func (h *Hierarchy) Tally() cachesim.Tally {
	t := cachesim.Tally{Rows: h.total, Memory: cachesim.Traffic{Reads: h.reads, Writes: h.writes},
		Ahead: make([]uint64, len(h.levels)+1)}
	for _, l := range h.levels {
		t.Levels = append(t.Levels, cachesim.Counts{
			Reads: l.requests[traceio.Load], Writes: l.requests[traceio.Store], Fetches: l.requests[traceio.Fetch],
			ReadMisses: l.misses[traceio.Load], WriteMisses: l.misses[traceio.Store] + l.misses[allOf],
			FetchMisses: l.misses[traceio.Fetch], Evictions: l.evictions, WriteBacks: l.writeBacks,
		})
	}
	return t
}

// SetTally puts the counts to what they were.
func (h *Hierarchy) SetTally(t cachesim.Tally) {
	h.total, h.reads, h.writes = t.Rows, t.Memory.Reads, t.Memory.Writes
	for i, l := range h.levels {
		c := t.Levels[i]
		l.requests = [3]uint64{traceio.Load: c.Reads, traceio.Store: c.Writes, traceio.Fetch: c.Fetches}
		l.misses = [4]uint64{traceio.Load: c.ReadMisses, traceio.Store: c.WriteMisses, traceio.Fetch: c.FetchMisses}
		l.evictions, l.writeBacks = c.Evictions, c.WriteBacks
	}
}

// Snapshot is what the levels hold, set after set, the blocks in order of rank.
func (h *Hierarchy) Snapshot() (words []uint64, shared [][]uint64) {
	for _, l := range h.levels {
		for set := range l.mask + 1 {
			from, to := l.set(set)
			n := len(words)
			words = append(words, make([]uint64, l.ways)...)
			rankedWords(h.tags[from:to], words[n:])
		}
	}
	return words, nil
}

// Package model simulates every memory hierarchy that a cachesim.Config can describe, in the plainest way: one
// reference after the other, each request a call, each set a few words that are searched. It is the engine to read, and
// what package fast is held against.
//
// A reference enters in Hierarchy.row (model.go), which decides a repetition of a set's last request at once, and
// becomes one request for each block that it touches. access.go has what a request does to a level: hit, miss, fetch
// from below, what is pushed out, and the rules of inclusive and exclusive levels and of victim buffers. Which block
// leaves a full set says a Policy (policy.go, a file for each). prefetch.go fetches ahead, coherence.go keeps the
// levels of several cores coherent. All that happens leaves by Hierarchy.emit (events.go), which counts it and adds it
// to the stream of events. All state is in one array of words, so that a checkpoint is a copy of what changed in it.
//
// A Stage is one level by itself, for hierarchies that share their upper levels.
package model

import (
	"orrery/cachesim"
	"orrery/traceio"
)

// Hierarchy is a hierarchy at work. One goroutine at a time may use it.
type Hierarchy struct {
	config  cachesim.Config // with the levels of every core
	words   []uint64        // the state of all levels: a copy of it is a checkpoint
	levels  []*level
	entries [][3]*level // by core and traceio.Kind: where references enter; nil: no level takes them
	private [][]*level  // by core: its own levels, where cores are kept coherent; nil elsewhere
	memory  cachesim.Traffic
	rows    uint64

	// of the reference in progress
	pc, addr uint64
	ahead    bool // a prefetch is in progress
	stream   stream

	memoryAhead uint64 // reads of memory by prefetchers
	observer    Observer
}

// level is one cache at work.
type level struct {
	index int
	mask  uint64 // sets-1
	ways  uint64
	bits  uint     // log2 of the block size
	shift uint     // block number >> shift is the block number in next
	next  *level   // nil: main memory
	above []*level // all levels above
	core  int      // 1 + its core; 0: all share it
	flags uint64   // that the upper end of a word has

	policy        Policy
	blocks        []uint64 // set after set
	metadata      []uint64 // likewise
	metadataWords uint64   // of a set
	buffer        Set      // of victims
	draws         []uint64 // one word: how many random numbers were drawn
	seed          uint64
	strides       []uint64 // the table of a stride prefetcher, or nil

	recent, recentDirty []uint64 // by set; see Set.remember

	through, noAllocate, inclusive, exclusive, nextLine bool

	enters bool // the processor asks it
	// a level below has to be asked even for blocks that are written whole
	mustFetch bool

	requests, misses [3]uint64       // by traceio.Kind
	counts           cachesim.Counts // all others
	ahead            uint64          // requests of prefetchers above, for which no processor waits
}

// New is an empty hierarchy of a valid configuration.
func New(c cachesim.Config) *Hierarchy {
	c = c.PerCore()
	h := &Hierarchy{config: c}
	for i, l := range c.Levels {
		p := newPolicy(c, l)
		h.levels = append(h.levels, &level{
			index: i, mask: uint64(l.Sets() - 1), ways: uint64(l.Ways), bits: l.Block.Log2(), core: c.CoreOf(i) + 1,
			flags: c.Flags(l), policy: p, metadataWords: uint64(p.Metadata(l.Ways)), seed: uint64(l.Seed),
			through: l.Write == cachesim.WriteThrough, noAllocate: l.NoAllocate,
			inclusive: l.Inclusion == cachesim.Inclusive, exclusive: l.Inclusion == cachesim.Exclusive,
			nextLine: l.Prefetch == cachesim.NextLine, enters: c.Enters(i),
		})
	}
	for i, l := range h.levels {
		if n := c.Next(i); n < len(h.levels) {
			l.next = h.levels[n]
			l.shift = l.next.bits - l.bits
		}
	}
	for _, l := range h.levels {
		for n := l.next; n != nil; n = n.next {
			n.above = append(n.above, l)
			l.mustFetch = l.mustFetch || n.inclusive || n == l.next && n.exclusive
		}
	}
	n := 0
	h.layOut(func(words int) []uint64 { n += words; return nil })
	h.words = make([]uint64, n)
	n = 0
	h.layOut(func(words int) []uint64 { n += words; return h.words[n-words : n : n] })
	h.open()
	return h
}

// layOut gives the levels their parts of the words. All that changes in a level beside its counts is there.
func (h *Hierarchy) layOut(part func(words int) []uint64) {
	for i, l := range h.levels {
		c := h.config.Levels[i]
		l.blocks = part(c.Sets() * c.Ways)
		l.metadata = part(c.Sets() * int(l.metadataWords))
		l.draws = part(1)
		victims := &level{flags: l.flags}
		l.buffer = Set{Blocks: part(c.VictimBlocks), level: victims, policy: lru{}, number: int32(c.Sets())}
		if c.Prefetch == cachesim.Stride {
			l.strides = part(tableEntries * entryWords)
		}
		l.recent, l.recentDirty = make([]uint64, l.mask+1), make([]uint64, l.mask+1)
	}
}

// open finds where references enter, and what each core has for itself.
func (h *Hierarchy) open() {
	for core := range h.config.CoreCount() {
		var entries [3]*level
		for k := range entries {
			if i := h.config.EntryOf(core, traceio.Kind(k)); i >= 0 {
				entries[k] = h.levels[i]
			}
		}
		h.entries = append(h.entries, entries)
	}
	if h.config.Cores <= 1 || h.config.Translates() {
		return
	}
	h.private = make([][]*level, h.config.Cores)
	for _, l := range h.levels {
		if l.core > 0 {
			h.private[l.core-1] = append(h.private[l.core-1], l)
		}
	}
}

// Config is the configuration, with the levels of every core.
func (h *Hierarchy) Config() cachesim.Config { return h.config }

// Words is the state, all that changes but the counts: a copy of it is a checkpoint.
func (h *Hierarchy) Words() []uint64 { return h.words }

// Restored is to be called after Words was written to.
func (h *Hierarchy) Restored() {
	for _, l := range h.levels {
		clear(l.recent)
		clear(l.recentDirty)
	}
}

// Reset empties all levels and sets all counts to 0.
func (h *Hierarchy) Reset() {
	clear(h.words)
	h.Restored()
	h.SetTally(cachesim.Tally{Levels: make([]cachesim.Counts, len(h.levels)), Ahead: make([]uint64, len(h.levels)+1)})
}

// Tally is everything that was counted.
func (h *Hierarchy) Tally() cachesim.Tally {
	t := cachesim.Tally{Rows: h.rows, Memory: h.memory}
	for _, l := range h.levels {
		c := l.counts
		c.Reads, c.Writes, c.Fetches = l.requests[traceio.Load], l.requests[traceio.Store], l.requests[traceio.Fetch]
		c.ReadMisses, c.WriteMisses, c.FetchMisses = l.misses[traceio.Load], l.misses[traceio.Store],
			l.misses[traceio.Fetch]
		t.Levels, t.Ahead = append(t.Levels, c), append(t.Ahead, l.ahead)
	}
	t.Ahead = append(t.Ahead, h.memoryAhead)
	return t
}

// SetTally puts the counts to what they were.
func (h *Hierarchy) SetTally(t cachesim.Tally) {
	h.rows, h.memory, h.memoryAhead = t.Rows, t.Memory, t.Ahead[len(h.levels)]
	for i, l := range h.levels {
		c := t.Levels[i]
		l.requests = [3]uint64{traceio.Load: c.Reads, traceio.Store: c.Writes, traceio.Fetch: c.Fetches}
		l.misses = [3]uint64{traceio.Load: c.ReadMisses, traceio.Store: c.WriteMisses, traceio.Fetch: c.FetchMisses}
		l.counts, l.ahead = c, t.Ahead[i]
	}
}

// Snapshot is what the levels hold; see cachesim.Engine.
func (h *Hierarchy) Snapshot() (words []uint64, shared [][]uint64) {
	if h.private != nil {
		shared = make([][]uint64, len(h.levels))
	}
	for i, l := range h.levels {
		if l.core > 0 && shared != nil {
			shared[i] = l.sharedBlocks()
		}
		for set := range l.mask + 1 {
			words = l.set(set).ranked(words)
		}
		words = l.buffer.ranked(words)
	}
	return words, shared
}

// Run simulates rows [from, to) of a block and counts them.
func (h *Hierarchy) Run(b *traceio.Block, from, to int) {
	h.rows += uint64(to - from)
	for row := from; row < to; row++ {
		h.row(b, row)
	}
}

// row is one reference. That most of them are for the block that their set was asked for last is decided at once,
// unless all events are wanted or an observer is there.
func (h *Hierarchy) row(b *traceio.Block, row int) {
	kind, addr := b.Kind[row]&3, uint64(b.Addr[row])
	core := 0
	if len(h.entries) > 1 {
		core = h.config.Core(b.Thread[row])
	}
	l := h.entries[core][kind]
	if l == nil {
		return
	}
	line := addr >> (l.bits & 63)
	if l.strides == nil && !h.stream.ranks && h.observer == nil &&
		addr&(1<<l.bits-1)+uint64(b.Size[row]) <= 1<<l.bits && l.repeated(line, kind == traceio.Store) {
		l.requests[kind]++
		return
	}
	h.pc, h.stream.row = uint64(b.PC[row]), int32(row)
	if h.observer != nil {
		h.observer.Reference(b, row)
	}
	h.reference(l, b.Addr[row], b.Size[row], kind)
}

// reference is one reference of the processor, split where it crosses blocks: the first part first, with all that it
// causes below.
func (h *Hierarchy) reference(l *level, addr traceio.Addr, size uint16, kind traceio.Kind) {
	low, high := cachesim.Extent(addr, size)
	for line := low >> l.bits; ; line++ {
		first := line << l.bits
		whole := kind == traceio.Store && first >= low && first|(1<<l.bits-1) <= high
		h.addr = max(low, first)
		if h.private != nil && l.core > 0 {
			h.coherently(l, line, kind, whole)
		} else {
			h.access(l, line, kind, whole)
		}
		if line == high>>l.bits {
			return
		}
	}
}

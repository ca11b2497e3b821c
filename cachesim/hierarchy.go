package cachesim

import (
	"math/bits"
	"unsafe"

	"orrery/traceio"
)

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
	AMAT       float64  // average memory access time, nanoseconds; see Hierarchy.Totals
}

// A line's word: block number << 2 | valid | dirty. The zero word is an empty way.
const (
	dirtyBit = 1
	validBit = 2
	lineBits = 2
)

// level is one cache at work.
type level struct {
	mask  uint64 // sets-1
	ways  uint64
	bits  uint   // log2 of the block size
	shift uint   // block number >> shift is the block number in next
	backs uint64 // what a question about a victim has beside its block number
	find  search

	base     uint64 // of a plain level, as the next four: the place of its first block, see ground
	hintBase uint64
	hintMask uint64
	pair     uint64   // 1 where hints are every other one
	sweeps   sweeps   // of wide sets
	rings    []uint64 // by set; nil: the level has none
	mark     uint64   // marked where it has
	hinted   bool     // the hints are up to date, and the block of a hint would leave last of those that share it

	served  Served         // when this level has the data
	notes   []uint64       // of the log in progress, one for each request; see Log
	cursor  unsafe.Pointer // where a march puts the next note
	march   *march         // nil where there is none
	ordered bool           // that log keeps the order of the sets, so that notes tell no ranks
	next    *level         // nil: main memory

	requests   [4]uint64 // by traceio.Kind
	misses     [4]uint64
	evictions  uint64
	writeBacks uint64
	classes    *classifier // nil: no miss classes

	structure
}

// structure is what only structured levels use, but for what tells of themselves.
type structure struct {
	lines                                     []uint64 // in the hierarchy's arena, set after set
	rule                                      rule
	through, noAllocate, inclusive, exclusive bool
	nextLine                                  bool
	entry                                     bool // the processor asks it
	// a level below has to be asked even for blocks that are written whole
	mustFetch           bool
	core                int      // 1 + its core; 0: all share it
	top                 uint64   // the flags that the upper end of a word has
	above               []*level // all levels above
	markWords           uint64   // of a set
	marks               []uint64
	draws               []uint64 // one word: how many random numbers were drawn
	seed                uint64
	buffer              set // of victims
	future              *foreseen
	table               []uint64 // of a stride prefetcher, or nil
	recent, recentDirty []uint64 // by set; see remember; nil where nobody asks for them
	turns               []turn   // scratch of order
	filled              []uint64 // scratch of filled

	victimHits, fills, prefetches, useful, invalidations, interventions, upgrades uint64

	ahead uint64 // requests of prefetchers above, which nobody waits for
}

// lineOf is the block number of a word.
func (l *level) lineOf(word uint64) uint64 { return word &^ l.top >> lineBits }

// search says which find function serves a level.
type search uint8

const (
	plainLRU search = iota
	plainFIFO
	structured
)

// entry is what the inner loop needs to know of the level where one kind of reference enters.
type entry struct {
	lines []uint64 // the block of each set for which a request changes nothing, where somebody asks for it; see repeats
	mask  uint64
	bits  uint
	dirty uint64 // dirtyBit for stores
	block uint64 // bytes
	inner uint64 // block-1: the bits of an address inside its block
	level *level // nil: nobody takes this kind
}

// listen makes all that follows send its events to s; nil ends it.
func (h *Hierarchy) listen(s *sink) {
	h.sink = s
	h.watched, h.ranking = h.classed || s != nil, s != nil
}

// Hierarchy is a simulated memory hierarchy with its state. One goroutine at a time may use it.
type Hierarchy struct {
	config Config   // with the levels of every core
	arena  []uint64 // the state of all levels: a copy of it is a checkpoint
	ground
	levels   []*level
	entries  [4]entry // by traceio.Kind; the fourth spares a bounds check
	memory   Traffic
	rows     uint64
	classed  bool
	stale    bool  // what levels remember of the last requests is not that of the last ones
	watched  bool  // classed, or sink != nil
	each     bool  // prefetchers want to know every reference's instruction
	thorough bool  // no reference is decided without asking its level
	plain    bool  // no level is structured
	passes   bool  // see together
	ranking  bool  // look tells the ranks of what it finds
	noting   bool  // a Log is in progress: levels keep notes
	sink     *sink // nil: no events wanted
	scratch  []Event
	queue    queue // scratch of passAll, as the next three
	answered queue
	front    front
	march    march    // of rows
	marching bool     // rows go that way
	doorways []*level // where rows enter
	fifo     bool     // of a level where rows enter
	marks    []uint8
	ownLog   Log      // scratch of runEvents and runChanges
	order    []uint64 // see change
	newOrder []uint64

	pc, addr    uint64 // of the reference in progress, for prefetchers
	ahead       bool   // a prefetch is in progress
	memoryAhead uint64 // reads of memory by prefetchers

	cores    [][4]entry // nil with one core
	private  [][]*level // by core: its own levels
	coherent bool       // cores tell each other
	sharing  *sharing   // nil: nobody asks about false sharing

	pages *Hierarchy // address translation; nil: none
	loads []traceio.Kind
}

func log2(s Size) uint { return uint(bits.TrailingZeros64(uint64(s))) }

// Config is what the hierarchy was made of.
func (h *Hierarchy) Config() Config { return h.config }

// Classify makes every later Run sort misses into compulsory, capacity and conflict; call it before the first one.
func (h *Hierarchy) Classify() {
	h.classed, h.watched = true, true
	h.open(true)
	for _, l := range h.levels {
		l.classes = newClassifier(int((l.mask+1)*l.ways), l.rule == ruleFIFO)
	}
	if h.pages != nil {
		h.pages.Classify()
	}
}

// Reset empties all levels and sets all counts to 0.
func (h *Hierarchy) Reset() {
	clear(h.arena)
	h.forget(true)
	h.setCounts(h.noCounts())
	if h.classed {
		h.Classify()
	}
}

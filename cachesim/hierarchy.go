package cachesim

import (
	"math/bits"

	"orrery/traceio"
)

// Counts are the totals of one level. A request is a read, a write (a write-back from the level above is one) or a fetch;
// a reference that crosses blocks is one request per block. The three classes are 0 unless Classify was called; then
// they add up to all misses.
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
}

// Requests is fetches + reads + writes.
func (c Counts) Requests() uint64 { return c.Fetches + c.Reads + c.Writes }

// Misses is the misses of all kinds.
func (c Counts) Misses() uint64 { return c.FetchMisses + c.ReadMisses + c.WriteMisses }

// Traffic counts block transfers between the last levels and main memory.
type Traffic struct {
	Reads  uint64 `json:"reads"`
	Writes uint64 `json:"writes"`
}

// Totals are the counts of a whole hierarchy, Levels in the order of Config.Levels.
type Totals struct {
	References uint64 // fetches + loads + stores given, whether a level takes them or not
	Levels     []Counts
	Memory     Traffic
	AMAT       float64 // average memory access time, nanoseconds; see Hierarchy.Totals
}

// A line's word: block number << 2 | valid | dirty. The zero word is an empty way.
const (
	dirtyBit = 1
	validBit = 2
	lineBits = 2
)

// level is one cache at work. Its lines live in the hierarchy's arena, set after set; within a set the order is that of
// eviction: the word at index ways-1 leaves next, and the empty ones are at the end.
type level struct {
	lines  []uint64
	mask   uint64 // sets-1
	ways   uint64
	bits   uint // log2 of the block size
	shift  uint // block number >> shift is the block number in next
	find   search
	served Served // when this level has the data
	next   *level // nil: main memory

	requests   [4]uint64 // by traceio.Kind
	misses     [4]uint64
	evictions  uint64
	writeBacks uint64
	classes    *classifier // nil: no miss classes
}

// search says which find function serves a level.
type search uint8

const (
	lruAny search = iota
	lru8
	fifoAny
)

func searchOf(l Level) search {
	switch {
	case l.Policy == FIFO:
		return fifoAny
	case l.Ways == 8:
		return lru8
	}
	return lruAny
}

// entry is what the inner loop needs to know of the level where one kind of reference enters.
type entry struct {
	lines []uint64
	mask  uint64
	ways  uint64
	bits  uint
	dirty uint64 // dirtyBit for stores
	block uint64 // bytes
	inner uint64 // block-1: the bits of an address inside its block
	level *level // nil: nobody takes this kind
}

// listen makes all that follows send its events to s; nil ends it.
func (h *Hierarchy) listen(s *sink) {
	h.sink = s
	h.watched = h.classed || s != nil
}

// Hierarchy is a simulated memory hierarchy with its state. One goroutine at a time may use it.
type Hierarchy struct {
	config  Config
	arena   []uint64 // the state of all levels: a copy of it is a checkpoint
	levels  []*level
	entries [4]entry // by traceio.Kind; the fourth spares a bounds check
	memory  Traffic
	rows    uint64
	classed bool
	watched bool  // classed or sink != nil
	sink    *sink // nil: no events wanted
	scratch []Event
}

// New is an empty hierarchy, or the *FieldError of Validate.
func New(c Config) (*Hierarchy, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	h := &Hierarchy{config: c}
	words := 0
	for _, l := range c.Levels {
		words += l.Sets() * l.Ways
	}
	h.arena = make([]uint64, words)
	at := 0
	for i, l := range c.Levels {
		n := l.Sets() * l.Ways
		h.levels = append(h.levels, &level{
			lines: h.arena[at : at+n : at+n], mask: uint64(l.Sets() - 1), ways: uint64(l.Ways), bits: log2(l.Block),
			find: searchOf(l), served: Served(i) * 2,
		})
		at += n
	}
	for i, l := range h.levels {
		if n := c.Next(i); n < len(h.levels) {
			l.next = h.levels[n]
			l.shift = l.next.bits - l.bits
		}
	}
	for k := traceio.Load; k <= traceio.Fetch; k++ {
		if i := c.Entry(k); i >= 0 {
			l := h.levels[i]
			h.entries[k] = entry{lines: l.lines, mask: l.mask, ways: l.ways, bits: l.bits, block: 1 << l.bits, inner: 1<<l.bits - 1, level: l}
		}
	}
	h.entries[traceio.Store].dirty = dirtyBit
	return h, nil
}

func log2(s Size) uint { return uint(bits.TrailingZeros64(uint64(s))) }

// Config is what the hierarchy was made of.
func (h *Hierarchy) Config() Config { return h.config }

// Classify makes every later Run sort misses into compulsory, capacity and conflict; call it before the first one.
func (h *Hierarchy) Classify() {
	h.classed, h.watched = true, true
	for _, l := range h.levels {
		l.classes = newClassifier(len(l.lines), l.find == fifoAny)
	}
}

// Reset empties all levels and sets all counts to 0.
func (h *Hierarchy) Reset() {
	clear(h.arena)
	h.setCounts(tally{levels: make([]Counts, len(h.levels))})
	if h.classed {
		h.Classify()
	}
}

// Totals are the counts of everything run so far. AMAT is the time of all requests on the way to the data, divided by the
// requests of the processor: each request to a level where references enter costs that level's latency, each read or
// fetch of a lower level or of memory costs theirs. Write-backs are off that way and cost nothing.
func (h *Hierarchy) Totals() Totals {
	t := h.counts()
	return Totals{References: t.rows, Levels: t.levels, Memory: t.memory, AMAT: h.config.amat(t)}
}

// tally is everything that is counted.
type tally struct {
	rows   uint64
	memory Traffic
	levels []Counts
}

func (h *Hierarchy) counts() tally {
	t := tally{rows: h.rows, memory: h.memory, levels: make([]Counts, len(h.levels))}
	for i, l := range h.levels {
		c := Counts{
			Reads: l.requests[traceio.Load], Writes: l.requests[traceio.Store], Fetches: l.requests[traceio.Fetch],
			ReadMisses: l.misses[traceio.Load], WriteMisses: l.misses[traceio.Store], FetchMisses: l.misses[traceio.Fetch],
			Evictions: l.evictions, WriteBacks: l.writeBacks,
		}
		if l.classes != nil {
			c.Compulsory, c.Capacity, c.Conflict = l.classes.compulsory, l.classes.capacity, l.classes.conflict
		}
		t.levels[i] = c
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
	}
}

func (c Config) amat(t tally) float64 {
	var time, requests float64
	data, fetch := c.Entry(traceio.Load), c.Entry(traceio.Fetch)
	for i, l := range c.Levels {
		n := float64(t.levels[i].Reads + t.levels[i].Fetches)
		if i == data || i == fetch {
			n += float64(t.levels[i].Writes)
			requests += n
		}
		time += n * l.Latency
	}
	time += float64(t.memory.Reads) * c.Memory.Latency
	if requests == 0 {
		return 0
	}
	return time / requests
}

package cachesim

import (
	"math/bits"
	"slices"

	"orrery/traceio"
)

// Engine is a memory hierarchy at work. Package model has one for every configuration, package fast one for plain
// hierarchies; both count the same, give the same events and hold the same state. One goroutine at a time may use it.
type Engine interface {
	Config() Config
	// Run simulates rows [from, to) of a block and counts them.
	Run(b *traceio.Block, from, to int)
	// Record is Run and keeps what happened, in the memory of an old Stream of the same engine, or of none. seq is that of
	// the first data reference at or after row from. Without ranks, events have none, there are no Moves, and of a row
	// that hits where it enters there may be no event at all.
	Record(b *traceio.Block, from, to int, seq traceio.Seq, ranks bool, old Stream) Stream
	// Snapshot is what the levels hold: the words of each level, set after set and then its victim buffer, each in order
	// of rank with the empty ways last. Where cores are kept coherent, shared is by level the blocks in state S,
	// ascending; nil elsewhere.
	Snapshot() (words []uint64, shared [][]uint64)
	Tally() Tally
	SetTally(Tally)
	// Words is all that changes but the counts: a copy of it is a checkpoint. Who writes to it calls Restored.
	Words() []uint64
	Restored()
	Reset()
}

// Stream is what happened while rows were run: the one stream of events that everything is derived from which is more
// than a count.
type Stream interface {
	// Events appends every event, in order of cause and effect.
	Events(events []Event) []Event
}

// A block in a set is a word: its number above WordBits, and the flags below. An empty way is 0. The two flags at the
// upper end are used in levels whose blocks are large enough to leave those bits free; see Config.Flags.
const (
	WordDirty  = 1
	WordValid  = 2
	WordBits   = 2
	WordShared = 1 << 62 // other cores may have the block
	WordAhead  = 1 << 63 // a prefetcher fetched it, and no request came for it yet
)

// Flags are those that the upper end of a word of level l has.
func (c Config) Flags(l Level) uint64 {
	flags := uint64(0)
	if l.Prefetch != NoPrefetch {
		flags |= WordAhead
	}
	if c.Cores > 1 && !l.Shared && !c.pages {
		flags |= WordShared
	}
	return flags
}

// Extent is the first and the last byte of a reference. A size of 0 counts as one byte; a reference over the end of the
// address space ends there.
func Extent(addr traceio.Addr, size uint16) (low, high uint64) {
	low = uint64(addr)
	high = low + max(uint64(size), 1) - 1
	if high < low {
		high = ^uint64(0)
	}
	return low, high
}

// Log2 is the logarithm of a power of two.
func (s Size) Log2() uint { return uint(bits.TrailingZeros64(uint64(s))) }

// Future tells when blocks are asked for again; see MINPolicy.
type Future interface {
	// Next is when a block is asked for next after a time, and Never when it is not. Times count the requests of a set;
	// those for the block that it was asked for last change nothing and do not count.
	Next(line, now uint64) uint64
}

// Never is a time that does not come.
const Never = uint64(1<<32 - 1)

// WithFuture is the configuration with what MINPolicy has to know.
func (c Config) WithFuture(f Future) Config {
	c.future = f
	return c
}

// NeedsFuture tells whether a level has MINPolicy.
func (c Config) NeedsFuture() bool {
	return slices.ContainsFunc(c.Levels, func(l Level) bool { return l.Policy == MINPolicy })
}

// NoFuture is the error of a configuration that needs a Future and has none.
func (c Config) NoFuture(why string) error {
	return &FieldError{Level: 0, Name: c.Levels[0].Name, Field: "policy", Value: quote(string(MINPolicy)),
		Want: "it knows the future, and " + why}
}

// Future is what WithFuture gave, or nil.
func (c Config) Future() Future { return c.future }

// Package cachesim is the contract of the simulator: the configuration of a memory hierarchy, the events that happen in
// it, what is counted, and the interface of the engines that run a recording's references through one.
//
//	cachesim            Config, Event, Counts, Engine
//	cachesim/model      an engine for every configuration, to be read
//	cachesim/fast       an engine for plain ones, to be fast: the same counts, events and states
//	cachesim/simulator  consumers of an engine's events: who had the data, counts by line and set, miss classes,
//	                    replays, temperatures; and what bounds a hierarchy: MIN, stack distances, sharing between cores
//
// One reference: a store of 8 bytes at 0x1234 in a hierarchy of L1D and L2, both with blocks of 64 bytes.
//
//  1. It enters where Config.Entry says: L1D. It lies in block 0x48 alone; one that crosses blocks would be split,
//     first part first with all that it causes below. It does not cover the block.
//  2. L1D does not have the block: Event{Level: 0, Op: Miss, Kind: Store, From: -1, To: 0}. The block takes the place
//     of the last of its set and is dirty.
//  3. The level below is asked for the block; the fetch for a store is a read there. L2 has it: Event{Level: 1,
//     Op: Hit, Kind: Load, From: 3, To: 0}, which says that its rank was 3 and is 0.
//  4. What was pushed out of L1D leaves: Event{Level: 0, Op: WriteBack, From: 7, To: -1} if it was dirty, and then L2
//     gets a store of a whole block, which no processor waits for (Self is false).
//
// The counts are those of these events: a write and a write miss, an eviction and a write-back in L1D; a read and a
// write in L2. The reference was Served by L2. Counting follows Dinero IV, so that numbers can be compared: on a miss
// the fetch comes first, then the write-back of the victim; a write that covers a whole block allocates without
// fetching; levels are neither inclusive nor exclusive unless they say so.
//
// The events and the cache temperature are those of Choudhury and Rosen, "Abstract Visualization of Runtime Memory
// Behavior". Other papers stand where they are used.
package cachesim

import (
	"fmt"
	"path/filepath"
	"strings"

	"orrery/traceio"
)

// Kind says which references a level takes.
type Kind string

// The kinds of level.
const (
	Instruction Kind = "instruction"
	Data        Kind = "data"
	Unified     Kind = "unified"
)

// Policy says which block of a full set leaves.
type Policy string

// The replacement policies. Empty ways are filled first, whatever the policy is.
const (
	LRU    Policy = "lru"    // least recently used
	FIFO   Policy = "fifo"   // first in, first out
	Random Policy = "random" // any block, by a generator that starts from the level's Seed
	// a binary tree of bits over the ways, each pointing away from the half used last; ways are a power of two
	TreePLRU Policy = "plru"
	// one bit a way, set by use; the first way without leaves; when all are set, all others are cleared
	BitPLRU Policy = "bitplru"
	SRRIP   Policy = "srrip" // static re-reference interval prediction, 2 bits, hit priority (Jaleel et al., ISCA 2010)
	BRRIP   Policy = "brrip" // bimodal RRIP of the same paper: a new block is predicted distant, one in 32 (by Seed) long
)

// MINPolicy evicts the block that is asked for again last (Belady 1966). It knows the future, so it is for one level
// alone and a recording that is finished: see Foresee.
const MINPolicy Policy = "min"

// ParsePolicy reads a policy by its name, or by another that it goes by.
func ParsePolicy(name string) Policy {
	switch name {
	case "tree-plru":
		return TreePLRU
	case "bit-plru":
		return BitPLRU
	}
	return Policy(name)
}

// Policies are all that a cache can have, the usual first.
func Policies() []Policy { return []Policy{LRU, FIFO, Random, TreePLRU, BitPLRU, SRRIP, BRRIP} }

// Write says when a store reaches the level below.
type Write string

// The write modes.
const (
	Back         Write = "back"    // a store stays in the level; its block is written down when it is evicted
	WriteThrough Write = "through" // every store goes on to the level below, and blocks are never dirty
)

// Writes are both of them.
func Writes() []Write { return []Write{Back, WriteThrough} }

// Inclusion says how a level's content relates to the levels above it.
type Inclusion string

// The inclusion policies.
const (
	// neither: a block fetched on a miss enters every level on its way, and no eviction touches another level
	NINE      Inclusion = "nine"
	Inclusive Inclusion = "inclusive" // the level has all that the levels above have: what it evicts, they lose
	Exclusive Inclusion = "exclusive" // the level takes what leaves the levels above, and gives it up when they ask for it
)

// Inclusions are all of them.
func Inclusions() []Inclusion { return []Inclusion{NINE, Inclusive, Exclusive} }

// Prefetcher says what a level fetches before it is asked for it.
type Prefetcher string

// The prefetchers.
const (
	NoPrefetch Prefetcher = ""
	NextLine   Prefetcher = "next-line" // on a miss, the block after it
	// a reference prediction table by instruction (Chen and Baer 1995): two equal strides in a row, and the next is
	// fetched
	Stride Prefetcher = "stride"
)

// Prefetchers are all of them, none first.
func Prefetchers() []Prefetcher { return []Prefetcher{NoPrefetch, NextLine, Stride} }

// Level configures one cache. The zero values of Policy, Write, Inclusion and NoAllocate mean lru, back, nine and
// allocation on a write miss.
type Level struct {
	Name   string
	Kind   Kind
	Size   Size // bytes of data: a multiple of Block*Ways with a power of two of sets
	Ways   int
	Block  Size // bytes, a power of two
	Policy Policy
	Write  Write
	// "allocate = false" in the file: a store that misses goes to the level below and leaves this one as it is
	NoAllocate   bool
	Inclusion    Inclusion
	Next         string // name of the level below, "memory", or "": the first unified level that follows
	Prefetch     Prefetcher
	VictimBlocks int     // blocks of a fully associative LRU buffer that takes what leaves the sets (Jouppi 1990); 0: none
	Latency      float64 // of a request to this level, nanoseconds
	Seed         int64   // of Random and BRRIP
	Shared       bool    // one for all cores; with Cores > 1 every other level is there once for each core

	core int // after PerCore: 1 + the core that the level belongs to; 0: all
}

// Sets is the number of sets.
func (l Level) Sets() int {
	if l.Block == 0 || l.Ways <= 0 {
		return 0
	}
	return int(l.Size / l.Block / Size(l.Ways))
}

// String gives "L1D 32KiB 8-way 64B lru".
func (l Level) String() string {
	return fmt.Sprintf("%s %v %d-way %v %s", l.Name, l.Size, l.Ways, l.Block, l.policy())
}

func (l Level) policy() Policy {
	if l.Policy == "" {
		return LRU
	}
	return l.Policy
}

// MainMemory is what lies below the last level; for address translation, the walk through the page tables.
type MainMemory struct {
	Latency float64 // nanoseconds
}

// TLB configures one translation buffer: a cache of page addresses. Fetches, loads and stores enter at the first ones,
// like at the levels; what the last one misses is a walk.
type TLB struct {
	Name    string
	Kind    Kind
	Entries int // Ways times a power of two
	Ways    int
	Page    Size // bytes, a power of two
	Policy  Policy
	Next    string // as of a Level; the name for what is below the last is "memory" here, too
	Latency float64
	Seed    int64
}

// Config is a hierarchy: its levels, faster before slower, and the memory below them. It is a plain value; New and
// Validate refuse what cannot exist.
type Config struct {
	Name   string // of the preset or file, for people
	Cores  int    // 0 and 1: one; thread t of the recording runs on core t modulo Cores
	Levels []Level
	Memory MainMemory
	TLBs   []TLB      // none: translation is not simulated
	Walk   MainMemory // what a miss in the last TLB costs

	pages  bool   // the levels are TLBs: see Translation
	future Future // of the only level, with MINPolicy
}

// Timed tells whether the configuration says how long accesses take: without a latency of memory all of them would take
// no time.
func (c Config) Timed() bool { return c.Memory.Latency > 0 }

// Brief names the configuration with the caches that data passes, so that nobody takes them for others: "default (L1D
// 512B, L2 4KiB)".
func (c Config) Brief() string { return fmt.Sprintf("%s (%s)", filepath.Base(c.Name), c.Caches()) }

// Caches lists the caches that data passes: "L1D 512B, L2 4KiB".
func (c Config) Caches() string {
	var caches []string
	for i := c.Entry(traceio.Load); i >= 0 && i < len(c.Levels); i = c.Next(i) {
		name, _, _ := strings.Cut(c.Levels[i].Name, "#")
		caches = append(caches, name+" "+c.Levels[i].Size.String())
	}
	return strings.Join(caches, ", ")
}

// Next is the index of the level below level i; len(c.Levels) stands for main memory. The configuration must be valid.
func (c Config) Next(i int) int {
	n, err := c.next(i)
	if err != nil {
		return len(c.Levels)
	}
	return n
}

// Entry is the index of the level where references of kind k enter, those of the first core where there are several; -1
// when the hierarchy ignores them: fetches when no first level is for instructions.
func (c Config) Entry(k traceio.Kind) int { return c.EntryOf(0, k) }

// Depth is the ring of level i, counted from the processor: 0 for the levels where references enter, otherwise one more
// than the deepest level above. Depth(len(c.Levels)) is that of main memory.
func (c Config) Depth(i int) int {
	d := 0
	for j := range c.Levels {
		if j != i && c.Next(j) == i {
			d = max(d, c.Depth(j)+1)
		}
	}
	return d
}

// Index is the index of the level with that name, len(c.Levels) for "memory", -1 when there is none.
func (c Config) Index(name string) int {
	if name == MemoryName {
		return len(c.Levels)
	}
	for i, l := range c.Levels {
		if l.Name == name {
			return i
		}
	}
	return -1
}

package cachesim

import "orrery/traceio"

// Op says what happened to a block in a level.
type Op uint8

// The operations. Every request to a level gives one Hit, Miss, Allocate, VictimHit or Promote; what enters a full set
// pushes its last block out, and after the requests that the entering causes below, an Evict or WriteBack tells where
// that block went. Plain hierarchies (LRU or FIFO, write-back, NINE, nothing beside) have the first five only.
const (
	Hit Op = iota // found at rank From, now at rank To
	// not found; fetched from below, now at rank To, or To < 0: it passes by and the set does not change
	Miss
	Allocate  // not found, but written whole: takes its place at rank To and nothing is fetched
	Evict     // the block that was pushed out goes: clean, or to the victim buffer, which then tells of a Fill
	WriteBack // the block that was pushed out goes and, being dirty, is written to the level below
	Prefetch  // a prefetcher fetched the block; it enters at rank To
	// the block enters at rank To from beside or above: the victim buffer's sets, a level above an exclusive one
	Fill
	VictimHit  // found in the victim buffer at rank From, which it leaves for its set
	Promote    // found in an exclusive level at rank From, which it leaves for the level above
	Invalidate // the block leaves rank From because a level below lost it (inclusion) or another core wrote to it
	Share      // another core reads the dirty block: it is written to the level below and stays clean at rank From = To
	Move       // the eviction order changed: the block at rank From is now at rank To
	Through    // a store to the block goes on to the level below (write-through, or no allocation); nothing moves
)

// String gives "hit", "miss", "write-back", "victim hit" and so on.
func (o Op) String() string {
	return [...]string{"hit", "miss", "allocate", "evict", "write-back", "prefetch", "fill", "victim hit", "promote",
		"invalidate", "share", "move", "through"}[o]
}

// Class is why a request missed; see Counts.
type Class uint8

// The classes. Unclassed is what everything is until Hierarchy.Classify was called, and what does not miss.
const (
	Unclassed Class = iota
	Compulsory
	Capacity
	Conflict
	Coherence
	NumClasses
)

// Event is one thing that happened in one level. Ranks count from 0, the block that stays longest, to Ways-1, the next
// victim; -1 is outside the level. How a set changes follows from the ranks alone, whatever the policy is:
//
//	From < 0, To >= 0   the block enters at To; those from To on go back by one, and in a full set the last is pushed out
//	From >= 0, To >= 0  the block moves; those between go back (To < From) or forward by one
//	From >= 0, To < 0   Evict, WriteBack: it was pushed out already; all others: it leaves; those behind go up by one
//	both < 0            nothing moves
//
// Set is the set of the block. The victim buffer of a level is one more set of it, Set = Sets(), with VictimBlocks
// ways.
type Event struct {
	Seq   traceio.Seq  // the data reference in whose service it happened; for a fetch, the one that follows
	Line  traceio.Addr // first address of the block
	Row   int32        // row of the reference in its Block
	Set   int32
	From  int32
	To    int32
	Level uint8 // index into Config.Levels of the hierarchy's own configuration
	Op    Op
	Kind  traceio.Kind // what the level was asked for; a write-back from above arrives as a store
	// asked by the processor or for its miss; false in the service of a write-back, a prefetch or another core
	Self  bool
	Dirty bool  // the block is dirty after the event; of one that leaves: when it left
	Class Class // of a Miss or Allocate; Coherence of an Invalidate by another core
}

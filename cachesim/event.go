package cachesim

import "orrery/traceio"

// Op says what happened to a block in a level.
type Op uint8

// The operations. Every request to a level gives one Hit, Miss or Allocate; a Miss or Allocate in a full set is followed,
// after the requests it causes below, by one Evict or WriteBack of the victim.
const (
	Hit       Op = iota // found at rank From, now at rank To
	Miss                // not found; fetched from the level below, now at rank To
	Allocate            // not found, but written whole: takes its place at rank To and nothing is fetched
	Evict               // a clean block left from rank From
	WriteBack           // a dirty block left from rank From and is written to the level below
)

// String gives "hit", "miss", "allocate", "evict" or "write-back".
func (o Op) String() string { return [...]string{"hit", "miss", "allocate", "evict", "write-back"}[o] }

// Event is one thing that happened in one level. Ranks count from 0, the block that stays longest, to Ways-1, the next
// victim; -1 is outside the level. A block that enters or moves to rank To pushes those between back by one.
type Event struct {
	Seq   traceio.Seq  // the data reference in whose service it happened; for a fetch, the one that follows
	Line  traceio.Addr // first address of the block
	Row   int32        // row of the reference in its Block
	Set   int32
	From  int32
	To    int32
	Level uint8 // index into Config.Levels
	Op    Op
	Kind  traceio.Kind // what the level was asked for; a write-back from above arrives as a store
	Self  bool         // asked by the processor or for its miss; false in the service of a write-back
}

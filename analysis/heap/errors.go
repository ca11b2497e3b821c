package heap

import "orrery/traceio"

// ErrorKind says what is wrong with an event of the log.
type ErrorKind uint8

// The kinds of error.
const (
	DoubleFree   ErrorKind = iota // the address was a block's and has been freed already
	UnknownFree                   // the address never was a block's
	Overlap                       // a new block covers part of a live one
	InnerFree                     // the address is within a live block, not at its beginning
	DeadRealloc                   // a block was reallocated that is freed, or never was one
	HugeBlock                     // more was asked for than there are addresses
	NegativeSize                  // the size is that of a negative number
	BackInTime                    // the event is older than the one before it
	kinds
	noError = kinds
)

var kindKeys = [kinds]string{"double-free", "unknown-free", "overlap", "inner-free", "realloc-of-freed", "huge-block", "negative-size", "time-backwards"}

var kindWhys = [kinds]string{
	"blocks freed that had been freed already",
	"addresses freed that never were a block's; the log may begin late",
	"blocks that cover part of a live one; the log may miss frees",
	"addresses freed that lie inside a block",
	"reallocations of what was freed, or never a block",
	"blocks larger than all memory; they count with no bytes",
	"blocks of a negative size; they count with no bytes",
	"events older than the one before them; they count as of its time",
}

// String gives a stable key: "double-free", "unknown-free", "overlap".
func (k ErrorKind) String() string {
	if k >= kinds {
		return "unknown"
	}
	return kindKeys[k]
}

// Why says in words what the events of a kind are.
func (k ErrorKind) Why() string {
	if k >= kinds {
		return ""
	}
	return kindWhys[k]
}

// Error is one event that a correct program and a complete log cannot have. It does not end the analysis.
type Error struct {
	Kind   ErrorKind
	Event  int // index into the log
	Seq    traceio.Seq
	At     Time
	Addr   traceio.Addr
	Size   uint64 // as the log claims it
	Thread traceio.Thread
	Stack  traceio.StackID
	Block  int // the block concerned: freed before, covered, or without a size; -1 when there is none
}

// maxErrors bounds the list of errors; the counts go on.
const maxErrors = 10000

// maxSize is the largest block that a program can have: half of its 47 bits of addresses.
const maxSize = 1 << 46

// ErrorCount is how many events of one kind of error the log has.
func (h *Heap) ErrorCount(k ErrorKind) uint64 {
	if k >= kinds {
		return 0
	}
	return h.errors[k]
}

// errorCount is how many events are in error.
func (h *Heap) errorCount() (n uint64) {
	for _, k := range h.errors {
		n += k
	}
	return n
}

// ErrorCounts gives the counts of all kinds that occur, by their keys.
func (h *Heap) ErrorCounts() map[string]uint64 {
	out := map[string]uint64{}
	for k, n := range h.errors {
		if n > 0 {
			out[ErrorKind(k).String()] = n
		}
	}
	return out
}

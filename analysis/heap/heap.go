// Package heap turns a log of allocator events into blocks, rectangles of time and address, and into everything that is
// said about them: occupancy, waste, fragmentation, bins, allocation sites, errors in the log, and an index that finds the
// blocks in a window. Definitions follow S. Moreta and A. Telea, "Visualizing Dynamic Memory Allocations", section 3; where
// the paper's allocator has fixed bins, ours are the size classes of glibc.
package heap

import (
	"orrery/traceio"
)

// Block is one allocation with its free. Its number is its index in Heap.Blocks, which is in order of allocation.
type Block struct {
	Low    traceio.Addr
	Size   uint64      // bytes asked for
	Usable uint64      // bytes the allocator set aside, at least Size; estimated when the log does not tell
	Alloc  traceio.Seq // the block lives from reference Alloc on,
	Free   traceio.Seq // up to but without reference Free; the end of the log when Leaked
	From   Time        // the same on the heap's axis
	To     Time        //
	Born   traceio.Ticks
	Died   traceio.Ticks

	AllocStack traceio.StackID
	FreeStack  traceio.StackID
	Site       int32 // indexes Heap.Sites
	FreeSite   int32 // indexes Heap.FreeSites, -1 when never freed
	Thread     traceio.Thread
	FreeThread traceio.Thread
	Bin        int16 // indexes Heap.Bins
	Leaked     bool  // still live at the end of the log
}

// High is the first address after the bytes asked for; a block of no bytes still has an address of its own.
func (b *Block) High() traceio.Addr { return b.Low + traceio.Addr(max(b.Size, 1)) }

// Waste is the bytes set aside that nobody asked for.
func (b *Block) Waste() uint64 { return b.Usable - b.Size }

// Heap is the immutable result of Analyze.
type Heap struct {
	Blocks    []Block
	Bins      []Bin  // size classes that occur, smallest first
	Sites     []Site // places that allocate, most bytes first
	FreeSites []Site // places that free; Blocks and Bytes count what they freed
	Errors    []Error
	Axis      Axis
	Spans     []Span // the address ranges that blocks ever used, without the gaps over MaxGap

	Allocations uint64 // malloc and kin; a failed one does not count
	Frees       uint64 // frees of live blocks
	TotalBytes  uint64 // sum of all sizes asked for
	PeakBytes   uint64 // most bytes asked for that were live at one time
	PeakTime    traceio.Seq
	PeakAt      Time // PeakTime on the axis

	PeakFragmentation float64 // at PeakAt

	LiveBytes    uint64
	LeakedBlocks uint64
	Temporary    uint64 // blocks freed by the next heap event of the thread that allocated them
	Threads      int
	Estimated    bool // no event told usable bytes: waste follows glibc's rule

	errors    [kinds]uint64
	occupancy steps
	index     index
	ends      []int32 // blocks in the order in which they were freed
	shift     uint    // low bits that are zero in every block's address
}

// Span is a range of addresses, [Low, High), and the number of blocks that ever stood in it.
type Span struct {
	Low, High traceio.Addr
	Blocks    int
}

// Size is the number of bytes.
func (s Span) Size() uint64 { return uint64(s.High - s.Low) }

// MaxGap is the largest stretch of unused addresses that stays on the address axis and counts as free space of the heap;
// what is wider separates pools (brk area, arenas, mapped blocks), which have nothing to do with each other.
const MaxGap = 1 << 20

// ErrorKind says what is wrong with an event of the log.
type ErrorKind uint8

// The kinds of error.
const (
	DoubleFree  ErrorKind = iota // the address was a block's and has been freed already
	UnknownFree                  // the address never was a block's
	Overlap                      // a new block covers part of a live one
	kinds
)

// String gives a stable key: "double-free", "unknown-free", "overlap".
func (k ErrorKind) String() string {
	return [...]string{"double-free", "unknown-free", "overlap", "unknown"}[min(k, kinds)]
}

// Error is one event that a correct program and a complete log cannot have. It does not end the analysis.
type Error struct {
	Kind   ErrorKind
	Event  int // index into the log
	Seq    traceio.Seq
	At     Time
	Addr   traceio.Addr
	Size   uint64
	Thread traceio.Thread
	Stack  traceio.StackID
	Block  int // the block concerned: freed before, or covered; -1 when there is none
}

// maxErrors bounds the list of errors; the counts go on.
const maxErrors = 10000

// ErrorCount is how many events of one kind of error the log has.
func (h *Heap) ErrorCount(k ErrorKind) uint64 {
	if k >= kinds {
		return 0
	}
	return h.errors[k]
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

// Extent reaches from the lowest to the highest address that a block ever used; empty without blocks.
func (h *Heap) Extent() Span {
	if len(h.Spans) == 0 {
		return Span{}
	}
	return Span{h.Spans[0].Low, h.Spans[len(h.Spans)-1].High, len(h.Blocks)}
}

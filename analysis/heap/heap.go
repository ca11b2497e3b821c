// Package heap turns a log of allocator events into blocks, rectangles of time and address, and into everything that is
// said about them: occupancy, waste, fragmentation, bins, allocation sites, errors in the log, and an index that finds
// the blocks in a window. Definitions follow S. Moreta and A. Telea, "Visualizing Dynamic Memory Allocations", section
// 3; where the paper's allocator has fixed bins, ours are the size classes of glibc or whatever a Rule says.
//
// A log of millions of events is kept in some twelve bytes an event: columns of what each allocation was, two bits for
// each event, and its time where the clock moves. Which event made a block follows from the bits, and the order of
// frees from the events that ended the blocks. The state at any moment is found from the next of the notes that are
// taken every 64 events.
package heap

import (
	"orrery/traceio"
)

// Block is one allocation with its free: see Heap.Block.
type Block struct {
	Low  traceio.Addr
	Size uint64 // bytes asked for
	From Time   // the block lives from here on the heap's axis,
	To   Time   // up to but without this; the axis' end when Leaked

	AllocStack traceio.StackID
	FreeStack  traceio.StackID
	Site       int32  // indexes Heap.Sites
	waste      uint32 // bytes set aside beyond Size; estimated when the log does not tell
	Thread     traceio.Thread
	FreeThread traceio.Thread
	Leaked     bool // still live at the end of the log
	Temporary  bool // freed by the next heap event of the thread that allocated it
	cut        bool // ended by another block in its place: its free is missing from the log
}

// High is the first address after the bytes asked for; a block of no bytes still has an address of its own.
func (b Block) High() traceio.Addr { return b.Low + traceio.Addr(max(b.Size, 1)) }

// Waste is the bytes set aside that nobody asked for.
func (b Block) Waste() uint64 { return uint64(b.waste) }

// Usable is the bytes that the allocator set aside, at least Size; estimated when the log does not tell.
func (b Block) Usable() uint64 { return b.Size + uint64(b.waste) }

// Freed tells whether the log has the block's free.
func (b Block) Freed() bool { return !b.Leaked && !b.cut }

// Crossed tells whether another thread freed the block than allocated it.
func (b Block) Crossed() bool { return b.Freed() && b.Thread != b.FreeThread }

// reach is the first address after what the allocator set aside.
func (b Block) reach() traceio.Addr {
	return reach(b.Low, b.Usable())
}

func reach(low traceio.Addr, usable uint64) traceio.Addr {
	high := low + traceio.Addr(max(usable, 1))
	if high < low {
		return ^traceio.Addr(0)
	}
	return high
}

// Heap is the immutable result of Analyze.
type Heap struct {
	Bins      []Bin  // classes that occur, in the order of their rule
	Rule      *Rule  // what tells the bins
	Sites     []Site // places that allocate, most bytes first
	FreeSites []Site // places that free; Blocks and Bytes count what they freed
	Errors    []Error
	Axis      Axis
	Spans     []Span // the address ranges that blocks ever used, without the gaps over MaxGap
	Links     []Link // reallocations, in order of time
	Program   *traceio.Program

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
	Crossed      uint64 // blocks freed by another thread than allocated them
	Threads      int
	Estimated    bool // no event told usable bytes: waste follows glibc's rule

	errors  [kinds]uint64
	blocks  blocks
	history history
	leaked  []int32        // blocks that were never freed
	bins    []int16        // by block: indexes Bins; nil for the classes of glibc, which follow from the blocks,
	number  [classes]int16 // and then by class
	stacks  []Cost         // by StackID
	sites   []int32        // by StackID: indexes Sites
	frees   []int32        // by StackID: indexes FreeSites
	index   *lazyIndex
	shift   uint // low bits that are zero in every block's address
}

// Bin is the bin of block id: indexes Bins.
func (h *Heap) Bin(id int) int { return int(h.bin(int32(id))) }

func (h *Heap) bin(id int32) int16 {
	if h.bins != nil {
		return h.bins[id]
	}
	return h.number[binOf(h.blocks.usable(id))]
}

// Alloc is the reference at which a block begins to live.
func (h *Heap) Alloc(b Block) traceio.Seq { return h.Axis.Seq(b.From) }

// Free is the reference up to but without which a block lives; the end of the recording when it was never freed.
func (h *Heap) Free(b Block) traceio.Seq { return h.Axis.Seq(b.To) }

// FreeSite is the place that freed a block, as an index of FreeSites; -1 when the log has no free of it.
func (h *Heap) FreeSite(b Block) int {
	if !b.Freed() || len(h.frees) == 0 {
		return -1
	}
	id := b.FreeStack
	if int(id) >= len(h.frees) {
		id = 0
	}
	return int(h.frees[id])
}

// Processes are those whose blocks stand in the heap, by number; nil where there is one.
func (h *Heap) Processes() []traceio.Process {
	if h.Program == nil || len(h.Program.Processes) < 2 {
		return nil
	}
	return h.Program.Processes
}

// Process is the number of the process that an address of the heap belongs to, and the address as that process has it.
func (h *Heap) Process(a traceio.Addr) (k int, own traceio.Addr) {
	all := h.Processes()
	if all == nil {
		return 0, a
	}
	k, own = a.Process()
	return min(k, len(all)-1), own
}

// Len is the number of events of the log, those in error included.
func (h *Heap) Len() int { return h.history.n }

// Span is a range of addresses, [Low, High), and the number of blocks that ever stood in it.
type Span struct {
	Low, High traceio.Addr
	Blocks    int
}

// Size is the number of bytes.
func (s Span) Size() uint64 { return uint64(s.High - s.Low) }

// MaxGap is the largest stretch of unused addresses that stays on the address axis and counts as free space of the
// heap; what is wider separates pools (brk area, arenas, mapped blocks), which have nothing to do with each other.
const MaxGap = 1 << 20

// Extent reaches from the lowest to the highest address that a block ever used; empty without blocks.
func (h *Heap) Extent() Span {
	if len(h.Spans) == 0 {
		return Span{}
	}
	return Span{h.Spans[0].Low, h.Spans[len(h.Spans)-1].High, h.Count()}
}

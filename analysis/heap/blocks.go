package heap

import (
	"math"
	"math/bits"

	"orrery/traceio"
)

// blocks keeps the blocks of a log column by column, in 20 bytes each where the log tells no more than addresses, sizes
// and the stacks of allocations: which event made one is the history's to say, an event's number stands for its time,
// and what frees have is kept by free. While the log is read the columns have room for more than n blocks.
type blocks struct {
	n       int
	low     []traceio.Addr
	stacks  []traceio.StackID // who allocated each
	ends    []blockEnd
	waste   []uint32         // bytes set aside beyond the size; nil where they are estimated
	threads []traceio.Thread // who allocated each; nil while thread 0 is the only one
	passing []uint64         // a bit for each block: freed by the next event of its thread
	cuts    []uint64         // and for each one that another in its place ended; nil when none was
	large   map[int32]uint64 // sizes that are too large for a blockEnd

	freeStacks  []traceio.StackID // of the blocks that ended, in that order; nil while all are 0
	freeThreads []traceio.Thread
}

// blockEnd is what the end of a block needs: bytes asked for, MaxUint32 for more than that, and the event that ended
// it.
type blockEnd struct {
	bytes uint32
	died  uint32
}

// alive is a blockEnd's end while there is none.
const alive = math.MaxUint32

func newBlocks(expected int) blocks {
	expected += min(expected, mostAhead) // what is asked for before it is known how much of it makes blocks
	return blocks{low: make([]traceio.Addr, expected), stacks: make([]traceio.StackID, expected),
		ends: make([]blockEnd, expected), passing: make([]uint64, expected/64)}
}

// reserve makes room for n more blocks.
func (b *blocks) reserve(n int) {
	b.low, b.stacks, b.ends, b.passing = roomy(b.low, b.n+n), roomy(b.stacks, b.n+n), roomy(b.ends, b.n+n),
		roomy(b.passing, (b.n+n)/64+1)
	if b.waste != nil {
		b.waste = roomy(b.waste, b.n+n)
	}
	if b.threads != nil {
		b.threads = roomy(b.threads, b.n+n)
	}
	if b.cuts != nil {
		b.cuts = roomy(b.cuts, len(b.passing))
	}
}

// roomy is a slice of at least n entries, and twice as many as there were when it has to be another one.
func roomy[T any](s []T, n int) []T {
	if n <= len(s) {
		return s
	}
	longer := make([]T, max(n, 2*len(s)))
	copy(longer, s)
	return longer
}

// trim takes away the room that is left.
func (b *blocks) trim() {
	b.low, b.stacks, b.ends = b.low[:b.n], b.stacks[:b.n], b.ends[:b.n]
}

// addMore notes of a new block what the columns that every log needs have no room for.
func (b *blocks) addMore(id int, e *traceio.Alloc, size uint64, waste uint32) {
	if size >= math.MaxUint32 {
		b.ends[id].bytes = math.MaxUint32
		if b.large == nil {
			b.large = map[int32]uint64{}
		}
		b.large[int32(id)] = size
	}
	if e.Thread != 0 || b.threads != nil {
		b.threads = roomy(b.threads, len(b.low))
		b.threads[id] = e.Thread
	}
	if e.Usable > 0 || b.waste != nil {
		b.recordWaste(waste)
	}
}

// recordWaste notes the waste of the block that was added last, as the log has it.
func (b *blocks) recordWaste(waste uint32) {
	if b.waste == nil {
		b.waste = make([]uint32, len(b.low))
		for id := range b.n - 1 {
			b.waste[id] = b.estimate(int32(id))
		}
	}
	b.waste[b.n-1] = waste
}

// freed notes what the k-th end was.
func (b *blocks) freed(k int, stack traceio.StackID, thread traceio.Thread, expected int) {
	if stack != 0 || b.freeStacks != nil {
		if b.freeStacks == nil {
			b.freeStacks = make([]traceio.StackID, max(expected, k+1))
		}
		b.freeStacks = roomy(b.freeStacks, k+1)
		b.freeStacks[k] = stack
	}
	if thread != 0 || b.freeThreads != nil {
		if b.freeThreads == nil {
			b.freeThreads = make([]traceio.Thread, max(expected, k+1))
		}
		b.freeThreads = roomy(b.freeThreads, k+1)
		b.freeThreads[k] = thread
	}
}

// size is the bytes that were asked for.
func (b *blocks) size(id int32) uint64 {
	if n := b.ends[id].bytes; n != math.MaxUint32 {
		return uint64(n)
	}
	return b.large[id]
}

func (b *blocks) wasted(id int32) uint64 {
	if b.waste != nil {
		return uint64(b.waste[id])
	}
	return uint64(b.estimate(id))
}

func (b *blocks) estimate(id int32) uint32 {
	size := b.size(id)
	return uint32(usableOf(size) - size)
}

func (b *blocks) usable(id int32) uint64 { return b.size(id) + b.wasted(id) }

func (b *blocks) high(id int32) traceio.Addr { return b.low[id] + traceio.Addr(max(b.size(id), 1)) }

// reach is Block.reach.
func (b *blocks) reach(id int32) traceio.Addr { return reach(b.low[id], b.usable(id)) }

func (b *blocks) thread(id int32) traceio.Thread {
	if b.threads != nil {
		return b.threads[id]
	}
	return 0
}

func (b *blocks) leaked(id int32) bool { return b.ends[id].died == alive }

func (b *blocks) temporary(id int32) bool { return b.passing[id/64]>>(id%64)&1 != 0 }

func (b *blocks) cut(id int32) bool { return b.cuts != nil && b.cuts[id/64]>>(id%64)&1 != 0 }

// cutCount is how many blocks were cut.
func (b *blocks) cutCount() (n int) {
	for _, word := range b.cuts {
		n += bits.OnesCount64(word)
	}
	return n
}

// Count is the number of blocks.
func (h *Heap) Count() int { return h.blocks.n }

// Block is a block by its number, from 0 up to but without Count. Blocks are numbered in order of allocation.
func (h *Heap) Block(id int) Block {
	n, t := int32(id), &h.blocks
	b := Block{Low: t.low[id], Size: t.size(n), From: h.from(n), To: h.to(n), AllocStack: t.stacks[id], Site: h.SiteOf(id),
		waste:  uint32(t.wasted(n)),
		Thread: t.thread(n), Leaked: t.leaked(n), Temporary: t.temporary(n), cut: t.cut(n)}
	if b.Freed() {
		b.FreeStack, b.FreeThread = h.freedBy(n)
	}
	return b
}

// SiteOf is the place that allocated block id: indexes Sites.
func (h *Heap) SiteOf(id int) int32 { return h.SiteOfStack(h.blocks.stacks[id]) }

// SiteOfStack is the place that allocates what a stack allocates: indexes Sites.
func (h *Heap) SiteOfStack(s traceio.StackID) int32 { return h.sites[h.knownStack(s)] }

// StackOf is the stack that allocated block id.
func (h *Heap) StackOf(id int) traceio.StackID { return h.blocks.stacks[id] }

// Size is Block.Size of block id.
func (h *Heap) Size(id int) uint64 { return h.blocks.size(int32(id)) }

// Born is how many blocks were allocated before time t, which are those with the lowest numbers.
func (h *Heap) Born(t Time) int {
	return h.history.birthsBefore(h.eventAfter(t - 1))
}

// from is Block.From.
func (h *Heap) from(id int32) Time { return h.time(h.birth(int(id))) }

// to is Block.To.
func (h *Heap) to(id int32) Time {
	if died := h.blocks.ends[id].died; died != alive {
		return h.time(int(died))
	}
	return h.Axis.End
}

// moment is a time as events: the first one behind it, how many blocks were made before that, and whether blocks live
// then that were never freed.
type moment struct {
	after uint32
	born  uint32
	leaks bool
}

func (h *Heap) moment(t Time) moment {
	after := h.eventAfter(t)
	return moment{uint32(after), uint32(h.history.birthsBefore(after)), h.Axis.End > t}
}

// lives tells whether a block is live then.
func (m moment) lives(b *blocks, id int32) bool {
	died := b.ends[id].died
	return uint32(id) < m.born && died >= m.after && (died != alive || m.leaks)
}

// crossed is Block.Crossed.
func (h *Heap) crossed(id int32) bool {
	t := &h.blocks
	if t.threads == nil && t.freeThreads == nil || t.leaked(id) || t.cut(id) {
		return false
	}
	_, thread := h.freedBy(id)
	return thread != t.thread(id)
}

// freedBy is the stack and the thread of the event that freed a block.
func (h *Heap) freedBy(id int32) (stack traceio.StackID, thread traceio.Thread) {
	t := &h.blocks
	if t.freeStacks == nil && t.freeThreads == nil {
		return 0, 0
	}
	k := h.history.deathsBefore(int(t.ends[id].died))
	if k < len(t.freeStacks) {
		stack = t.freeStacks[k]
	}
	if k < len(t.freeThreads) {
		thread = t.freeThreads[k]
	}
	return stack, thread
}

package region

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"orrery/analysis/heap"
	"orrery/traceio"
)

// Recording is the part of an open recording that is read here.
type Recording interface {
	Blocks() int
	Block(i int) (*traceio.Block, error)
}

// Hints is what the references tell about memory that no module and no allocation explains.
type Hints struct {
	Stacks   []StackRange // in order of thread, at most one each
	Pointers []Pointer    // in order of thread, the thread pointer first

	calls   *calls   // what happened on those stacks; nil when the program tells of no variables on the stack
	holders findings // the stores of pointers to the heap's blocks
}

// StackRange is the stack of one thread, [Low, High).
type StackRange struct {
	Thread    traceio.Thread
	Low, High traceio.Addr
}

// Pointer is a thread's pointer to the memory that only this thread uses, or where a library's part of that memory begins.
type Pointer struct {
	Thread  traceio.Thread
	Library int // 0: the thread pointer; else the number of the library's module plus 1
	At      traceio.Addr
}

// Scan reads the recording for stacks. Nothing in a recording says where a stack is, so the rule is: of the addresses that
// lie in no module and in no part of the heap, cut into areas wherever more than a megabyte is not used, the area that a
// thread uses most is its stack, if no thread before has it. It holds because compiled code spills, passes and returns
// through the stack all the time, while what else is left unexplained (thread-local storage, the allocator's maps) is
// used rarely. The stack then reaches from the end of the area's highest page down to its lowest, at most 8 MiB (the
// usual limit), so that pages which a long recording's sample missed belong to it too.
//
// Where nothing tells of allocations (traces of other tools) the heap is left unexplained too, and busy. There a thread's
// stack is the highest of its areas that has at least a sixty-fourth of its references: Linux and valgrind put stacks
// above everything else.
//
// Thread pointers are certain: instructions with an address at a fixed distance from the pointer tell it; so it is with the
// variables that a library has for a thread.
//
// Recordings of more than 256 blocks are sampled evenly, always in the same places. Where the program tells of variables on
// the stack or which instructions are calls, all blocks are then read: for calls and returns, and for what holds the
// blocks of the heap. report is told blocks.
func Scan(ctx context.Context, rec Recording, prog *traceio.Program, h *heap.Heap, report func(done, total int64)) (Hints, error) {
	look := NewSample(prog)
	for _, i := range Sampled(rec.Blocks()) {
		if err := ctx.Err(); err != nil {
			return Hints{}, err
		}
		if report != nil {
			report(int64(i), int64(rec.Blocks()))
		}
		b, err := rec.Block(i)
		if err != nil {
			return Hints{}, fmt.Errorf("looking for stacks in block %d: %w", i, err)
		}
		look.Add(b)
	}
	hints := look.Hints(h)
	stacks := hints.Stacks
	c := newCode(prog)
	frames, held := newCalls(rec, c, stacks), newHolders(prog, h, c)
	if err := follow(ctx, rec, frames, held, report); err != nil {
		return Hints{}, err
	}
	hints.calls = frames
	if held != nil && held.next == len(h.Blocks) { // or the log and the heap are not of one piece
		hints.holders = held.sites
	}
	return hints, nil
}

const (
	pageBits  = 12
	stackGap  = 1 << 20
	stackSize = 8 << 20
)

type pageOf struct {
	thread traceio.Thread
	page   traceio.Addr
}

// scanBlock counts a block's data references by thread and page. Pages used lately are counted in front of the map.
func scanBlock(b *traceio.Block, pages map[pageOf]uint64) {
	const slots = 1 << 9
	var recent [slots]struct {
		page pageOf
		n    uint64
	}
	for i, k := range b.Kind {
		if k == traceio.Fetch {
			continue
		}
		p := pageOf{b.Thread[i], b.Addr[i] >> pageBits}
		r := &recent[(p.page^p.page>>9)%slots]
		if r.page != p {
			if r.n > 0 {
				pages[r.page] += r.n
			}
			r.page, r.n = p, 0
		}
		r.n++
	}
	for i := range recent {
		if r := &recent[i]; r.n > 0 {
			pages[r.page] += r.n
		}
	}
}

// area is a run of pages without a wide gap.
type area struct {
	low, high traceio.Addr // pages, high inclusive
	use       map[traceio.Thread]uint64
}

func findStacks(pages map[pageOf]uint64, prog *traceio.Program, h *heap.Heap) []StackRange {
	keys := make([]pageOf, 0, len(pages))
	threads := map[traceio.Thread]bool{}
	for p := range pages {
		if !explained(p.page, prog, h) {
			keys = append(keys, p)
			threads[p.thread] = true
		}
	}
	slices.SortFunc(keys, func(a, b pageOf) int { return cmp.Or(cmp.Compare(a.page, b.page), cmp.Compare(a.thread, b.thread)) })
	var areas []area
	for _, k := range keys {
		n := len(areas)
		if n == 0 || k.page-areas[n-1].high > stackGap>>pageBits {
			areas = append(areas, area{low: k.page, use: map[traceio.Thread]uint64{}})
			n++
		}
		areas[n-1].high = k.page
		areas[n-1].use[k.thread] += pages[k]
	}
	order := make([]traceio.Thread, 0, len(threads))
	for t := range threads {
		order = append(order, t)
	}
	slices.Sort(order)
	taken := make([]bool, len(areas))
	knows := h != nil && len(h.Blocks) > 0 || prog != nil && prog.Recorder == "qemu" // our recorder logs every allocation
	var out []StackRange
	for _, t := range order {
		all := uint64(0)
		for i := range areas {
			all += areas[i].use[t]
		}
		best := -1
		for i := range areas {
			use := areas[i].use[t]
			if taken[i] || use == 0 || !knows && use < all/64 {
				continue
			}
			if best < 0 || !knows || use > areas[best].use[t] {
				best = i
			}
		}
		if best < 0 {
			continue
		}
		taken[best] = true
		high := (areas[best].high + 1) << pageBits
		low := areas[best].low << pageBits
		if reach := high - min(high, stackSize); reach < low && clear(reach, low, prog, h) {
			low = reach
		}
		out = append(out, StackRange{Thread: t, Low: low, High: high})
	}
	return out
}

// explained tells whether a page belongs to a module or lies among heap blocks.
func explained(page traceio.Addr, prog *traceio.Program, h *heap.Heap) bool {
	low := page << pageBits
	return !clear(low, low+1<<pageBits, prog, h)
}

// clear tells whether nothing in [low, high) belongs to a module or lies among heap blocks.
func clear(low, high traceio.Addr, prog *traceio.Program, h *heap.Heap) bool {
	if prog != nil {
		for i := range prog.Modules {
			if m := &prog.Modules[i]; low < m.High && high > m.Low {
				return false
			}
		}
	}
	if h != nil {
		for _, s := range h.Spans {
			if low < s.High+1<<pageBits && high+1<<pageBits > s.Low {
				return false
			}
		}
	}
	return true
}

package region

import (
	"cmp"
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
	Made     []Made       // in order of address; nil for programs that make no code while they run

	calls *calls // what happened on those stacks; nil when the program tells of no variables on the stack
}

// StackRange is the stack of one thread, [Low, High).
type StackRange struct {
	Thread    traceio.Thread
	Low, High traceio.Addr
}

// Pointer is a thread's pointer to the memory that only this thread uses, or where a library's part of that memory
// begins.
type Pointer struct {
	Thread  traceio.Thread
	Library int // 0: the thread pointer; else the number of the library's module plus 1
	At      traceio.Addr
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

// pageUse is what a thread does to a page.
type pageUse struct {
	n       uint64 // data references
	stores  uint64
	entered uint64 // calls that stored their return address there
}

func (u *pageUse) add(v pageUse) {
	u.n, u.stores, u.entered = u.n+v.n, u.stores+v.stores, u.entered+v.entered
}

// scanBlock counts a block's data references by thread and page. Pages used lately are counted in front of the map.
func scanBlock(b *traceio.Block, pages map[pageOf]pageUse) {
	const slots = 1 << 9
	var recent [slots]struct {
		page pageOf
		use  pageUse
	}
	flush := func(p pageOf, use pageUse) {
		sum := pages[p]
		sum.add(use)
		pages[p] = sum
	}
	for i, k := range b.Kind {
		if k == traceio.Fetch {
			continue
		}
		p := pageOf{b.Thread[i], b.Addr[i] >> pageBits}
		r := &recent[(p.page^p.page>>9)%slots]
		if r.page != p {
			if r.use.n > 0 {
				flush(r.page, r.use)
			}
			r.page, r.use = p, pageUse{}
		}
		r.use.n++
		if k == traceio.Store {
			r.use.stores++
		}
	}
	for i := range recent {
		if r := &recent[i]; r.use.n > 0 {
			flush(r.page, r.use)
		}
	}
	for i := range b.Marks {
		if m := &b.Marks[i]; m.Kind == traceio.Enter {
			flush(pageOf{m.Thread, traceio.Addr(m.Value) >> pageBits}, pageUse{entered: 1})
		}
	}
}

// area is a run of pages without a wide gap.
type area struct {
	low, high traceio.Addr // pages, high inclusive
	use       map[traceio.Thread]pageUse
}

// areasOf are the areas of the pages that nothing explains, in order of address, and the threads that use them.
func areasOf(pages map[pageOf]pageUse, prog *traceio.Program, h *heap.Heap) (areas []area, threads []traceio.Thread) {
	keys := make([]pageOf, 0, len(pages))
	for p := range pages {
		if !explained(p.page, prog, h) {
			keys = append(keys, p)
			threads = append(threads, p.thread)
		}
	}
	slices.SortFunc(keys, func(a, b pageOf) int {
		return cmp.Or(cmp.Compare(a.page, b.page), cmp.Compare(a.thread, b.thread))
	})
	for _, k := range keys {
		n := len(areas)
		if n == 0 || k.page-areas[n-1].high > stackGap>>pageBits {
			areas = append(areas, area{low: k.page, use: map[traceio.Thread]pageUse{}})
			n++
		}
		areas[n-1].high = k.page
		use := areas[n-1].use[k.thread]
		use.add(pages[k])
		areas[n-1].use[k.thread] = use
	}
	slices.Sort(threads)
	return areas, slices.Compact(threads)
}

func findStacks(areas []area, order []traceio.Thread, makes bool, prog *traceio.Program, h *heap.Heap) []StackRange {
	weight := func(u pageUse) uint64 { return u.n }
	if makes {
		weight = func(u pageUse) uint64 { return u.entered<<40 + u.stores }
	}
	better := func(i, best int, t traceio.Thread) bool {
		use := weight(areas[i].use[t])
		return use > 0 && (best < 0 || use > weight(areas[best].use[t]))
	}
	switch {
	case prog != nil && prog.Recorder == "qemu": // it knows all modules and logs every allocation
	case prog != nil && len(prog.Modules) > 0 && h != nil && h.Count() > 0:
	case prog != nil && prog.Recorder == "hooks":
		better = highest(areas, order)
	default:
		better = proven(areas, prog)
	}
	taken := make([]bool, len(areas))
	var out []StackRange
	for _, t := range order {
		best := -1
		for i := range areas {
			if !taken[i] && better(i, best, t) {
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

// highest prefers the area that lies highest of those that have a sixty-fourth of a thread's references.
func highest(areas []area, order []traceio.Thread) func(i, best int, t traceio.Thread) bool {
	all := map[traceio.Thread]uint64{}
	for _, t := range order {
		for i := range areas {
			all[t] += areas[i].use[t].n
		}
	}
	return func(i, _ int, t traceio.Thread) bool { n := areas[i].use[t].n; return n > 0 && n >= all[t]/64 }
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

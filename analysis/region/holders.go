package region

import (
	"slices"
	"strings"

	"orrery/analysis/heap"
	"orrery/traceio"
)

// A recording has no values, so nothing says directly where a pointer goes. But compiled code puts the result of a call
// away at once: the first store of 8 bytes that the caller makes right behind the call of the allocator, before it calls
// anything else, is the pointer's. The blocks of a place in the program are named after what was stored to, if
//
//   - every block of the place shows such a store (those that nothing was recorded of aside),
//   - one instruction made them all, and
//   - they went to one variable that is a pointer, to elements of one array of pointers, or to one field of such.
//
// "p = malloc(8)" gives "*p". Everything else keeps the name of its place: "heap@list.c:22".
const (
	holderReach = 48 // bytes of code behind the call in which the store must stand
	holderWait  = 64 // references that its thread may make before it
	samples     = 16 // stores kept of each site, from its beginning and its end
)

// holder is what is known of the stores that put the blocks of one site away.
type holder struct {
	pc     traceio.Addr // of the instruction, 0 before the first
	failed bool
	first  []stored
	last   [samples / 2]stored
	n      int
}

// stored is one store of a pointer.
type stored struct {
	addr traceio.Addr
	seq  traceio.Seq
}

// waiting is a block whose pointer has not been stored yet.
type waiting struct {
	site int32
	ret  traceio.Addr // where its allocation returns to; 0: nothing is waiting
	left int          // references that may still come before the store
}

// holders finds the stores. It walks along with the references.
type holders struct {
	heap    *heap.Heap
	code    *code
	rets    []traceio.Addr // by stack: where the call that counts returns to, 0 for none
	sites   []holder
	threads []waiting
	next    int // of the heap's blocks
	pending int // threads that wait
}

// newHolders gives nil where calls cannot be told from other instructions, or nothing is allocated.
func newHolders(prog *traceio.Program, h *heap.Heap, c *code) *holders {
	if h == nil || len(h.Blocks) == 0 || c == nil || !c.flows {
		return nil
	}
	s := &holders{heap: h, code: c, sites: make([]holder, len(h.Sites))}
	for _, stack := range prog.Stacks {
		s.rets = append(s.rets, returnsTo(prog, stack))
	}
	return s
}

// returnsTo is where the innermost call in the project's own source returns to; failing that, in the main program.
func returnsTo(prog *traceio.Program, stack []traceio.Addr) traceio.Addr {
	main := traceio.Addr(0)
	for _, ret := range stack {
		at := prog.CallerAt(ret)
		if at == nil {
			continue
		}
		for _, f := range at.Frames {
			if traceio.InProject(f.File) {
				return ret
			}
		}
		if main == 0 && at.Module >= 0 && at.Module < len(prog.Modules) && prog.Modules[at.Module].Main {
			main = ret
		}
	}
	return main
}

// walk takes in a block of references. While no thread waits it looks at allocations only.
func (s *holders) walk(b *traceio.Block) {
	row, at := 0, b.First
	for k := 0; k <= len(b.Allocs); k++ {
		until := ^traceio.Seq(0)
		if k < len(b.Allocs) {
			until = b.Allocs[k].Seq
		}
		for ; s.pending > 0 && row < b.Len() && at < until; row++ {
			if b.Kind[row] != traceio.Fetch {
				s.step(b.Thread[row], b.PC[row], b.Addr[row], b.Size[row], b.Kind[row], at)
				at++
			}
		}
		if k == len(b.Allocs) {
			return
		}
		for ; at < until && row < b.Len(); row++ { // nobody waited for these
			if b.Kind[row] != traceio.Fetch {
				at++
			}
		}
		s.born(&b.Allocs[k])
	}
}

// born takes in an allocation.
func (s *holders) born(e *traceio.Alloc) {
	if e.Op != traceio.Malloc || s.next >= len(s.heap.Blocks) {
		return
	}
	b := &s.heap.Blocks[s.next]
	if b.Alloc != e.Seq || b.Low != e.Addr || b.Thread != e.Thread {
		return // an event that made no block
	}
	s.next++
	for int(e.Thread) >= len(s.threads) {
		s.threads = append(s.threads, waiting{})
	}
	w := &s.threads[e.Thread]
	if w.ret != 0 && w.left < holderWait { // if nothing was recorded since, nothing is known either
		s.sites[w.site].failed = true
	}
	s.done(w)
	if int(e.Stack) < len(s.rets) && s.rets[e.Stack] != 0 {
		*w = waiting{site: b.Site, ret: s.rets[e.Stack], left: holderWait}
		s.pending++
	} else {
		s.sites[b.Site].failed = true
	}
}

// done ends the waiting of a thread.
func (s *holders) done(w *waiting) {
	if w.ret != 0 {
		w.ret = 0
		s.pending--
	}
}

// step takes in one reference while some thread waits.
func (s *holders) step(thread traceio.Thread, pc, a traceio.Addr, size uint16, kind traceio.Kind, at traceio.Seq) {
	if int(thread) >= len(s.threads) || s.threads[thread].ret == 0 {
		return
	}
	w := &s.threads[thread]
	if w.left--; w.left < 0 {
		s.sites[w.site].failed = true
		s.done(w)
		return
	}
	if pc-w.ret >= holderReach || kind != traceio.Store || size != 8 {
		return
	}
	h := &s.sites[w.site]
	if flow := s.code.at(pc).flow; flow != traceio.Plain || h.pc != 0 && h.pc != pc {
		h.failed = true
	} else {
		h.pc = pc
		if len(h.first) < samples/2 {
			h.first = append(h.first, stored{a, at})
		}
		h.last[h.n%len(h.last)] = stored{a, at}
		h.n++
	}
	s.done(w)
}

// holders names the blocks of each site after what holds them, where that is sure.
func (m *Map) holders(sites []holder) {
	taken := map[string]bool{}
	for i := range m.regions {
		taken[m.regions[i].Name] = true
	}
	for site := range sites {
		h := &sites[site]
		if h.failed || h.n == 0 || site >= len(m.sites) {
			continue
		}
		if name := m.holds(slices.Concat(h.first, h.last[:min(h.n, len(h.last))])); name != "" && !taken["*"+name] {
			r := &m.regions[m.sites[site]]
			r.Place, r.Name = r.Name, "*"+name
			taken[r.Name] = true
		}
	}
}

// holds is the common name of the places that stores went to, "" when there is none.
func (m *Map) holds(all []stored) string {
	name, general := "", false
	for _, x := range all {
		id, _, rest := m.locate(x.addr, x.seq)
		r := &m.regions[id]
		if r.Kind != Global && r.Kind != Local {
			return ""
		}
		if r.Kind == Global {
			rest = uint64(x.addr - r.Low)
		}
		if !m.prog.PointerAt(r.Type, rest) {
			return ""
		}
		element := m.prog.Element(r.Name, r.Type, rest)
		switch {
		case name == "" || name == element && !general:
			name = element
		case anyIndex(name) == anyIndex(element):
			name, general = anyIndex(name), true
		default:
			return ""
		}
	}
	return name
}

// anyIndex puts a star for each subscript: "rows[3].at" becomes "rows[*].at".
func anyIndex(name string) string {
	if !strings.Contains(name, "[") {
		return name
	}
	var b strings.Builder
	for {
		head, rest, found := strings.Cut(name, "[")
		b.WriteString(head)
		if !found {
			return b.String()
		}
		index, tail, closed := strings.Cut(rest, "]")
		if !closed || strings.Trim(index, "0123456789*") != "" {
			b.WriteString("[")
			name = rest
			continue
		}
		b.WriteString("[*]")
		name = tail
	}
}

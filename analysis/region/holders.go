package region

import (
	"slices"

	"orrery/analysis/heap"
	"orrery/traceio"
)

// A recording has no values, so nothing says directly where a pointer goes. But compiled code puts the result of a call
// away soon: among the first stores of 8 bytes that the code behind the call of the allocator makes, in its own
// function, is the pointer's. Between the two may be
//
//   - a constructor, which runs elsewhere or, inlined, writes to the block itself;
//   - stores of saved registers, to places on the stack without a name;
//   - the return of a function that only hands the block on: then the store is its caller's, and so on outward.
//
// So each block waits for the store, level by level of the calls that led to its allocation, and collects candidates:
// where lines are known, in the lines of the statement that called. Which one names the blocks of a site is decided
// when places have names: see Map.holders.
const (
	holderOwn   = 96      // data references that the waiting code may make itself,
	holderTotal = 1 << 12 // and that its thread may make
	holderSeen  = 12      // candidates of one block
	holderKinds = 24      // candidates of one site
	holderNest  = 8       // blocks that one thread waits for at a time: a constructor may allocate, too
	holderCalls = 12      // levels of calls
	samples     = 16      // stores kept of each candidate, from its beginning and its end
)

// findings are what is known of all stores.
type findings struct {
	found  []holder // by call that allocates
	failed []bool   // by heap site: it has blocks that nothing can be told of
}

// holder is what is known of the stores that may have put the blocks of one call away. A site may have several: the
// compiler copies code.
type holder struct {
	site   int32
	blocks int // that some of the code around was recorded of
	stores []candidateStore
}

// candidateStore is one instruction that made such stores, in the order of the first ones.
type candidateStore struct {
	pc    traceio.Addr
	sure  bool // it belongs to the statement of the call; otherwise it is just one of the next
	n     int  // blocks
	first []stored
	last  [samples / 2]stored
}

// all are the stores that were kept.
func (c *candidateStore) all() []stored {
	return slices.Concat(c.first, c.last[:min(c.n, len(c.last))])
}

// stored is one store of a pointer.
type stored struct {
	addr traceio.Addr
	seq  traceio.Seq
}

// waiting is a block whose pointer has not been stored yet.
type waiting struct {
	holder    int32
	low, high traceio.Addr // the block
	levels    []level
	at        int // the level that runs
	depth     int // calls that it made to itself
	own       int // references
	pcs       []traceio.Addr
}

// watch is what a thread waits for: the blocks, outermost first, and for a quick look at each reference where the code
// of each lies that runs, and until when it waits.
type watch struct {
	blocks []waiting
	code   [holderNest]struct{ low, size uint64 }
	until  [holderNest]uint64
	now    uint64 // references since something was waited for
}

// look brings the quick look up to date for block k.
func (t *watch) look(k int) {
	l := &t.blocks[k].levels[t.blocks[k].at]
	t.code[k].low, t.code[k].size = uint64(l.low), l.size
}

// holders finds the stores. It walks along with the references.
type holders struct {
	heap    *heap.Heap
	code    *code
	prog    *traceio.Program
	levels  [][]level              // by stack
	calls   map[traceio.Addr]int32 // by where it returns to: an index of sites.sites.found
	sites   findings
	threads []watch
	next    int // of the heap's blocks
	pending int // blocks that wait
	lately  [1 << cacheBits]struct {
		pc   traceio.Addr
		site *traceio.Site
	}
}

// site is the site of an instruction, with a memory of those that ran lately.
func (s *holders) site(pc traceio.Addr) *traceio.Site {
	e := &s.lately[(pc^pc>>cacheBits)&(1<<cacheBits-1)]
	if e.pc != pc {
		e.pc, e.site = pc, s.prog.SiteAt(pc)
	}
	return e.site
}

// newHolders gives nil where calls cannot be told from other instructions, or nothing is allocated.
func newHolders(prog *traceio.Program, h *heap.Heap, c *code) *holders {
	if h == nil || h.Count() == 0 || c == nil || !c.flows {
		return nil
	}
	s := &holders{heap: h, code: c, prog: prog, calls: map[traceio.Addr]int32{},
		sites: findings{failed: make([]bool, len(h.Sites))}}
	known := map[traceio.Addr]level{}
	for _, stack := range prog.Stacks {
		s.levels = append(s.levels, levelsOf(prog, stack, known))
	}
	return s
}

// walk takes in a block of references. While nothing waits it looks at allocations only.
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
	if e.Op != traceio.Malloc || s.next >= s.heap.Count() {
		return
	}
	b := s.heap.Block(s.next)
	if s.heap.Alloc(b) != e.Seq || b.Low != e.Addr || b.Thread != e.Thread {
		return // an event that made no block
	}
	s.next++
	for int(e.Thread) >= len(s.threads) {
		s.threads = append(s.threads, watch{})
	}
	if int(e.Stack) >= len(s.levels) || len(s.levels[e.Stack]) == 0 {
		s.sites.failed[b.Site] = true
		return
	}
	levels, t := s.levels[e.Stack], &s.threads[e.Thread]
	for n := len(t.blocks); n > 0 && !levels[0].inside(&t.blocks[n-1].levels[t.blocks[n-1].at]); n = len(t.blocks) {
		s.close(t, n-1) // its code has gone on to something else
	}
	if len(t.blocks) == holderNest {
		s.close(t, outermost(t.blocks))
	}
	t.blocks = append(t.blocks, waiting{holder: s.holder(b.Site, levels[0].ret), low: b.Low,
		high: b.High(), levels: levels})
	t.until[len(t.blocks)-1] = t.now + holderTotal
	t.look(len(t.blocks) - 1)
	s.pending++
}

// outermost is the index of the block whose code has returned most often: it has the least to wait for.
func outermost(t []waiting) int {
	best := 0
	for k := range t {
		if t[k].at >= t[best].at {
			best = k
		}
	}
	return best
}

// holder is the index of what is known of a call.
func (s *holders) holder(site int32, ret traceio.Addr) int32 {
	i, ok := s.calls[ret]
	if !ok {
		i = int32(len(s.sites.found))
		s.sites.found = append(s.sites.found, holder{site: site})
		s.calls[ret] = i
	}
	if s.sites.found[i].site != site {
		s.sites.failed[site] = true
	}
	return i
}

// close ends the waiting of block k of a thread.
func (s *holders) close(t *watch, k int) {
	if w := &t.blocks[k]; w.own > 0 { // or nothing was recorded, and nothing is known
		s.sites.found[w.holder].blocks++
	}
	s.pending--
	copy(t.code[k:], t.code[k+1:])
	copy(t.until[k:], t.until[k+1:])
	t.blocks = slices.Delete(t.blocks, k, k+1)
}

// step takes in one reference while something waits.
func (s *holders) step(thread traceio.Thread, pc, a traceio.Addr, size uint16, kind traceio.Kind, at traceio.Seq) {
	if int(thread) >= len(s.threads) {
		return
	}
	t := &s.threads[thread]
	t.now++
	for k := len(t.blocks) - 1; k >= 0; k-- {
		over := t.now > t.until[k]
		if c := &t.code[k]; uint64(pc)-c.low < c.size {
			w := &t.blocks[k]
			over = s.own(w, &w.levels[w.at], pc, a, size, kind, at) || over
			t.look(k)
		}
		if over {
			s.close(t, k)
		}
	}
}

// own takes in a reference of the code that a block waits for; over says that the waiting has no end in view.
func (s *holders) own(w *waiting, l *level, pc, a traceio.Addr, size uint16, kind traceio.Kind,
	at traceio.Seq) (over bool) {
	flow := traceio.Plain
	i := s.site(pc)
	if i != nil && size == 8 {
		flow = i.Flow
	}
	switch {
	case flow == traceio.Call && kind == traceio.Store:
		const entry = 12 // bytes that the recorded code may begin behind the entry
		if i.Target != 0 && uint64(i.Target-(l.low-entry)) < l.size+entry {
			w.depth++
		}
		return false
	case flow == traceio.Return && kind == traceio.Load:
		if w.depth > 0 {
			w.depth--
			return false
		}
		w.at++
		if w.at == len(w.levels) {
			w.at--
			return true
		}
		return false
	case w.depth > 0:
		return false
	}
	if w.own++; kind == traceio.Store && size == 8 && flow != traceio.Prolog && (a < w.low || a >= w.high) &&
		!slices.Contains(w.pcs, pc) {
		if sure, ok := l.statement(i, pc); ok {
			w.pcs = append(w.pcs, pc)
			s.sites.found[w.holder].take(pc, sure, stored{a, at})
		}
	}
	return w.own >= holderOwn || len(w.pcs) == holderSeen
}

// take notes a candidate.
func (h *holder) take(pc traceio.Addr, sure bool, x stored) {
	k := slices.IndexFunc(h.stores, func(c candidateStore) bool { return c.pc == pc })
	if k < 0 {
		if len(h.stores) == holderKinds {
			return
		}
		k = len(h.stores)
		h.stores = append(h.stores, candidateStore{pc: pc, sure: sure})
	}
	c := &h.stores[k]
	if len(c.first) < samples/2 {
		c.first = append(c.first, x)
	}
	c.last[c.n%len(c.last)] = x
	c.n++
}

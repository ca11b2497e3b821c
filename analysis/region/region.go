// Package region says what an address is: which global variable and which element of it, which heap block and where it
// was allocated, which variable of which function on a thread's stack, another module's data. In goes a program with
// its variables and modules, its heap and a look at which addresses its threads use and when they call and return; out
// come named regions, the same ones for every view.
package region

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"sync"

	"orrery/analysis/heap"
	"orrery/traceio"
)

// Kind says what a region is made of.
type Kind uint8

// The kinds of region.
const (
	Other     Kind = iota // none of the following
	Global                // one variable with static storage
	Heap                  // the blocks of one allocation site
	Allocator             // heap addresses outside of live blocks: the allocator's own data, and freed memory
	Stack                 // one thread's stack, but for its Locals: return addresses, spilled registers, what has no name
	Module                // data of an executable or library that belongs to no known variable
	Local                 // one variable or parameter of a function, on the stacks, in all calls
	Managed               // the heap of code that was made while the program ran ("JavaScript heap"), or that code itself
)

// String gives "other", "global", "heap", "allocator", "stack", "module", "local" or "managed".
func (k Kind) String() string {
	return [...]string{"other", "global", "heap", "allocator", "stack", "module", "local", "managed",
		""}[min(k, Managed+1)]
}

// Region is a named part of memory. Its name is unique in its Map: link.Thing{What: link.Region, Name: r.Name}
// identifies it in every view.
type Region struct {
	ID        int // index in Map.Regions
	Name      string
	Place     string // of a heap region that is named after what holds its blocks ("*C"): "heap@list.c:22"; "" for others
	Kind      Kind
	Low, High traceio.Addr // its extent; blocks of one site leave gaps in theirs. Both 0 for Other and Local
	Size      uint64       // bytes: of the variable, or of all the site's blocks together
	Type      int          // of a global or local, indexes Program.Types
	Site      int          // of a heap region, indexes Heap.Sites; -1 otherwise
	Thread    int          // of a stack; -1 otherwise
}

// Map answers what an address is. It is immutable and safe for several goroutines.
type Map struct {
	regions []Region
	prog    *traceio.Program
	heap    *heap.Heap

	ranges    []span // globals, stacks, modules and what made code uses: disjoint, in order of address
	made      []Made
	sites     []int32 // region of each heap site
	allocator int32
	other     int32

	frames  *calls // nil when nothing is known of variables on the stacks
	frame   locals
	threads []int32 // by region: the thread whose stack it is, -1 for others
	pure    []int32 // by thread: the region of its stack if nothing else ever lies there, else -1
	lock    sync.Mutex
	at      *cursor // for single questions, under lock
}

// span is a piece of a region.
type span struct {
	low, high traceio.Addr
	region    int32
}

// New names the memory of a program. h may be nil for recordings without allocations, prog for those without a program;
// hints come from a Sample, or are the zero value when nothing is known of the stacks.
func New(prog *traceio.Program, h *heap.Heap, hints Hints) *Map {
	if prog == nil {
		prog = &traceio.Program{}
	}
	if h == nil {
		h = &heap.Heap{}
	}
	m := &Map{prog: prog, heap: h, made: hints.Made}
	m.globals()
	m.stacks(hints)
	m.modules()
	m.makes()
	m.threadLocals(hints.Pointers)
	slices.SortStableFunc(m.regions, func(a, b Region) int { return cmp.Compare(a.Low, b.Low) })
	m.heapSites()
	if m.frames = hints.calls; m.frames != nil {
		m.locals(m.frames.code)
		m.at = m.frames.cursor()
	}
	m.other = m.add(Region{Name: "other", Kind: Other, Site: -1, Thread: -1})
	m.unique()
	m.flatten()
	m.ownStacks()
	return m
}

// ownStacks tells which regions are stacks whose frames are known.
func (m *Map) ownStacks() {
	m.threads = make([]int32, len(m.regions))
	for i := range m.threads {
		m.threads[i] = -1
	}
	if m.frames == nil {
		return
	}
	m.pure = make([]int32, len(m.frames.own))
	for i := range m.pure {
		m.pure[i] = -1
	}
	for i := range m.regions {
		if m.regions[i].Kind == Stack {
			m.threads[i] = int32(m.regions[i].Thread)
		}
	}
	for i, x := range m.ranges {
		if thread := m.threads[x.region]; thread >= 0 && x.low == m.regions[x.region].Low &&
			x.high == m.regions[x.region].High && m.timeless(i) {
			m.pure[thread] = x.region
		}
	}
}

func (m *Map) add(r Region) int32 {
	r.ID = len(m.regions)
	m.regions = append(m.regions, r)
	return int32(r.ID)
}

func (m *Map) globals() {
	for _, g := range m.prog.Globals {
		if g.Size > 0 {
			m.add(Region{Name: g.Name, Kind: Global, Low: g.Addr, High: g.Addr + traceio.Addr(g.Size), Size: g.Size,
				Type: g.Type, Site: -1, Thread: -1})
		}
	}
}

func (m *Map) stacks(hints Hints) {
	for _, s := range hints.Stacks {
		name := "stack"
		if s.Thread > 0 {
			name = "stack of thread " + strconv.Itoa(int(s.Thread))
		}
		m.add(Region{Name: name, Kind: Stack, Low: s.Low, High: s.High, Size: uint64(s.High - s.Low), Site: -1,
			Thread: int(s.Thread)})
	}
}

func (m *Map) modules() {
	for _, mod := range m.prog.Modules {
		if mod.High > mod.Low {
			m.add(Region{Name: path.Base(mod.Path), Kind: Module, Low: mod.Low, High: mod.High, Size: uint64(mod.High - mod.Low),
				Site: -1, Thread: -1})
		}
	}
}

// heapSites adds one region for each allocation site, in the heap's order, and one for what lies between blocks.
func (m *Map) heapSites() {
	first := len(m.regions)
	for i := range m.heap.Sites {
		s := &m.heap.Sites[i]
		name := "heap"
		if n := s.Name(); n != "unknown code" {
			name += "@" + n
		}
		m.sites = append(m.sites, m.add(Region{Name: name, Kind: Heap, Size: s.Bytes, Site: i, Thread: -1}))
	}
	for i := range m.heap.Count() {
		b := m.heap.Block(i)
		r := &m.regions[first+int(b.Site)]
		if r.High == 0 || b.Low < r.Low {
			r.Low = b.Low
		}
		r.High = max(r.High, b.High())
	}
	m.allocator = -1
	if m.heap.Count() > 0 {
		e := m.heap.Extent()
		m.allocator = m.add(Region{Name: "allocator", Kind: Allocator, Low: e.Low, High: e.High, Site: -1, Thread: -1})
	}
}

// unique settles IDs and puts a number behind names that occur before: static variables of several files.
func (m *Map) unique() {
	seen := map[string]int{}
	for i := range m.regions {
		r := &m.regions[i]
		r.ID = i
		seen[r.Name]++
		for n := seen[r.Name]; n > 1; n++ {
			if name := r.Name + "#" + strconv.Itoa(n); seen[name] == 0 {
				seen[r.Name] = n
				r.Name = name
				seen[name] = 1
				break
			}
		}
	}
}

// Regions are all regions, by ID: globals, stacks and modules in order of address, then heap sites, then variables on
// the stack, then the rest.
func (m *Map) Regions() []Region { return m.regions }

// Find is the ID of the region with that name, -1 when there is none.
func (m *Map) Find(name string) int {
	return slices.IndexFunc(m.regions, func(r Region) bool { return r.Name == name })
}

// Locate is the region that holds address a at reference s, and the heap block if it is in one (-1 otherwise). On a
// stack that is the variable that has a's byte once s has happened; a call's frame begins with the call's own store.
func (m *Map) Locate(a traceio.Addr, s traceio.Seq) (region, block int) {
	region, block, _ = m.locate(a, s)
	return region, block
}

// locate is Locate that tells of a variable on the stack also the offset in it.
func (m *Map) locate(a traceio.Addr, s traceio.Seq) (region, block int, rest uint64) {
	for _, x := range m.heap.Spans {
		if a >= x.Low && a < x.High {
			if id := m.heap.BlockAt(m.heap.Axis.At(s), a); id >= 0 {
				return int(m.sites[m.heap.Block(id).Site]), id, 0
			}
			break
		}
	}
	r := m.static(a)
	if r < 0 {
		r = m.outside(a)
	}
	if m.frames != nil {
		m.lock.Lock()
		defer m.lock.Unlock()
		if t := m.stackAt(m.at, r, s); t != nil {
			if v, rest := m.onStack(t, a); v >= 0 {
				return int(v), -1, rest
			}
		}
	}
	return int(r), -1, 0
}

// stackAt is the stack that an address of region r may lie in when reference s has happened, nil for none.
func (m *Map) stackAt(c *cursor, r int32, s traceio.Seq) *stack {
	if c == nil {
		return nil
	}
	if m.frames.code.moving {
		if k := m.regions[r].Kind; k != Stack && k != Other && k != Allocator || !c.seek(s) {
			return nil
		}
		return c.w.of(c.thread)
	}
	if thread := m.threads[r]; thread >= 0 && c.seek(s) {
		return c.w.of(traceio.Thread(thread))
	}
	return nil
}

// static is the region of a global, stack or module at a, -1 outside of them.
func (m *Map) static(a traceio.Addr) int32 {
	if i := m.search(a); i >= 0 {
		return m.ranges[i].region
	}
	return -1
}

// search is the index of the piece of static memory that holds a, -1 when none does.
func (m *Map) search(a traceio.Addr) int {
	i, _ := slices.BinarySearchFunc(m.ranges, a, func(s span, a traceio.Addr) int {
		if s.high <= a {
			return -1
		}
		return 1
	})
	if i < len(m.ranges) && a >= m.ranges[i].low {
		return i
	}
	return -1
}

// outside is the region of an address that neither a live block nor anything static holds.
func (m *Map) outside(a traceio.Addr) int32 {
	for _, x := range m.heap.Spans {
		// A block's header stands before it, and what the allocator set aside reaches beyond what was asked for.
		if a+16 >= x.Low && a < x.High+64 {
			return m.allocator
		}
	}
	return m.other
}

// At is the region that holds address a at reference s, and the name of the byte: "A[3][7]", "P[3].id",
// "heap@list.c:22 #31 +8" (block 31, offset 8), "bubble:a[3]" (on the stack), "stack", "libc.so.6+0x1c8".
func (m *Map) At(a traceio.Addr, s traceio.Seq) (Region, string) {
	id, block, rest := m.locate(a, s)
	r := m.regions[id]
	switch r.Kind {
	case Global:
		return r, m.prog.Element(r.Name, r.Type, uint64(a-r.Low))
	case Local:
		return r, m.prog.Element(r.Name, r.Type, rest)
	case Heap:
		name := r.Name + " #" + strconv.Itoa(block)
		if off := a - m.heap.Block(block).Low; off > 0 {
			name += " +" + strconv.FormatUint(uint64(off), 10)
		}
		return r, name
	case Module:
		return r, r.Name + "+" + (a - r.Low).String()
	case Other:
		return r, a.String()
	}
	return r, r.Name
}

// Heap is the heap whose blocks the map names, never nil.
func (m *Map) Heap() *heap.Heap { return m.heap }

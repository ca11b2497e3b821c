package region

import (
	"cmp"
	"errors"
	"slices"

	"orrery/analysis/heap"
	"orrery/traceio"
)

// Survey names a recording's memory and counts its references in one pass: it follows the calls on the stacks and what
// holds the blocks of the heap. In go the hints of a Sample and then the recording's blocks, in order; or, of a
// recording that is too long for now, some of its blocks.
type Survey struct {
	m       *Map
	use     *Usage
	look    *Lookup
	held    *holders
	partial bool

	regions, blocks []int32 // of the rows of a block
}

// NewSurvey begins a survey of all blocks.
func NewSurvey(rec Recording, prog *traceio.Program, h *heap.Heap, hints Hints) *Survey {
	c := newCode(prog)
	hints.calls = newCalls(rec, c, hints.Stacks)
	s := newSurvey(prog, h, hints)
	s.held = newHolders(prog, h, c)
	return s
}

// NewGlimpse begins a survey of some blocks, in any order; firsts are the first references of all blocks. Its regions
// are the same as a whole survey's but for their counts and for the names of what pointers hold, which only the whole
// tells.
func NewGlimpse(rec Recording, prog *traceio.Program, h *heap.Heap, hints Hints, firsts []traceio.Seq) *Survey {
	if hints.calls = newCalls(rec, newCode(prog), hints.Stacks); hints.calls != nil {
		hints.calls.firsts, hints.calls.tops = firsts, make([][]int32, len(firsts))
	}
	s := newSurvey(prog, h, hints)
	s.partial = true
	return s
}

func newSurvey(prog *traceio.Program, h *heap.Heap, hints Hints) *Survey {
	m := New(prog, h, hints)
	return &Survey{
		m: m, look: m.Lookup(), use: newUsage(m),
		regions: make([]int32, traceio.MaxBlock), blocks: make([]int32, traceio.MaxBlock),
	}
}

// Add takes in a block and gives the region of each of its rows, -1 for fetches; valid until the next call.
func (s *Survey) Add(b *traceio.Block) []int32 {
	n := b.Len()
	if c := s.look.at; c != nil && !s.partial {
		c.f.firsts, c.f.tops = append(c.f.firsts, b.First), append(c.f.tops, c.f.keep(c.w))
		c.block, c.position = len(c.f.firsts)-1, position{b: b, s: b.First}
		s.look.classifyFrames(b, s.regions[:n], s.blocks[:n])
	} else {
		s.look.Classify(b, s.regions[:n], s.blocks[:n])
	}
	if c := s.look.at; c != nil { // b may hold something else when the next one comes
		c.block, c.position = -1, position{}
	}
	s.use.add(b, s.regions, s.blocks)
	if s.held != nil {
		s.held.walk(b)
	}
	return s.regions[:n]
}

// Done gives what the survey found out, when all blocks are in.
func (s *Survey) Done() (*Map, *Usage) {
	if s.held != nil && s.held.next == s.m.heap.Count() { // or the log and the heap are not of one piece
		s.m.holders(s.held.sites)
	}
	s.use.rank()
	return s.m, s.use
}

// Found is what a Map and its Usage know beyond the program and the heap, as plain data that can be kept.
type Found struct {
	Stacks   []StackRange
	Pointers []Pointer
	Made     []Made
	Framed   bool // the calls on the stacks were followed
	Own      []Reach
	Firsts   []traceio.Seq
	Tops     [][]int32
	Nodes    []Node
	Names    []HeldName
	Regions  []Use
	Blocks   []BlockUse
}

// Reach is the addresses of a thread's stack.
type Reach struct {
	Low  traceio.Addr
	Size uint64
}

// Node is a frame that was open at the beginning of a block, with the number of the frame around it.
type Node struct {
	Slot, PC traceio.Addr
	Fn       int32
	Outer    int32
}

// HeldName is a heap region that is named after what holds its blocks.
type HeldName struct {
	ID          int
	Name, Place string
}

// Keep gives what Restore needs beyond the program and the heap.
func (m *Map) Keep(hints Hints, u *Usage) Found {
	f := Found{Stacks: hints.Stacks, Pointers: hints.Pointers, Made: hints.Made, Regions: u.Regions, Blocks: u.Blocks}
	for _, r := range m.regions {
		if r.Place != "" {
			f.Names = append(f.Names, HeldName{r.ID, r.Name, r.Place})
		}
	}
	if c := m.frames; c != nil {
		f.Framed, f.Firsts, f.Tops = true, c.firsts, c.tops
		for _, r := range c.own {
			f.Own = append(f.Own, Reach{r.low, r.size})
		}
		for _, n := range c.nodes {
			f.Nodes = append(f.Nodes, Node{n.slot, n.pc, n.fn, n.outer})
		}
	}
	return f
}

var errMismatch = errors.New("what was kept belongs to another recording")

// Restore makes the Map and the Usage again that Keep was given, of the same recording.
func Restore(rec Recording, prog *traceio.Program, h *heap.Heap, f Found) (*Map, *Usage, error) {
	hints := Hints{Stacks: f.Stacks, Pointers: f.Pointers, Made: f.Made}
	if c := newCalls(rec, newCode(prog), f.Stacks); (c != nil) != f.Framed {
		return nil, nil, errMismatch
	} else if c != nil {
		if c.restored(f) != nil {
			return nil, nil, errMismatch
		}
		hints.calls = c
	}
	m := New(prog, h, hints)
	if len(f.Regions) != len(m.regions) || len(f.Blocks) != m.heap.Count() {
		return nil, nil, errMismatch
	}
	for _, n := range f.Names {
		if n.ID < 0 || n.ID >= len(m.regions) || m.regions[n.ID].Kind != Heap {
			return nil, nil, errMismatch
		}
		m.regions[n.ID].Name, m.regions[n.ID].Place = n.Name, n.Place
	}
	return m, NewUsage(f.Regions, f.Blocks), nil
}

// NewUsage ranks counts by region that somebody else has made.
func NewUsage(regions []Use, blocks []BlockUse) *Usage {
	u := &Usage{Regions: regions, Blocks: blocks}
	u.rank()
	return u
}

// restored takes the frames that were kept.
func (c *calls) restored(f Found) error {
	if len(f.Firsts) != len(f.Tops) || !slices.IsSorted(f.Firsts) {
		return errMismatch
	}
	c.own = c.own[:0]
	for _, r := range f.Own {
		c.own = append(c.own, reach{r.Low, r.Size})
	}
	for i, n := range f.Nodes {
		if n.Outer < -1 || n.Outer >= int32(i) || n.Fn >= int32(len(c.code.names)) {
			return errMismatch
		}
		c.nodes = append(c.nodes, node{frame{slot: n.Slot, pc: n.PC, fn: n.Fn}, n.Outer})
	}
	for _, tops := range f.Tops {
		for _, top := range tops {
			if top < -1 || int(top) >= len(c.nodes) {
				return errMismatch
			}
		}
		c.tops = append(c.tops, tops[:len(tops):len(tops)])
	}
	c.firsts = f.Firsts
	return nil
}

func newUsage(m *Map) *Usage {
	return &Usage{Regions: make([]Use, len(m.regions)), Blocks: make([]BlockUse, m.heap.Count())}
}

// rank lists the regions that were used.
func (u *Usage) rank() {
	u.Ranked = nil
	for id, r := range u.Regions {
		if r.References() > 0 {
			u.Ranked = append(u.Ranked, id)
		}
	}
	slices.SortStableFunc(u.Ranked, func(a, b int) int {
		return cmp.Compare(u.Regions[b].References(), u.Regions[a].References())
	})
}

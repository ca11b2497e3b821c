package region

import (
	"orrery/analysis/heap"
	"orrery/traceio"
)

// Use is how often something was referenced.
type Use struct {
	Loads, Stores uint64
}

// References is loads and stores together.
func (u Use) References() uint64 { return u.Loads + u.Stores }

// BlockUse is what the references of the recording did to one heap block.
type BlockUse struct {
	Use
	First, Last traceio.Seq // the first and the last reference to it; meaningless when there is none
}

// Usage is the references counted by region and by heap block.
type Usage struct {
	Regions []Use      // by region ID
	Blocks  []BlockUse // by number of the block
	Ranked  []int      // IDs of the regions that were used at all, the most used first, ties in order of ID
}

// add counts a block whose rows lie in these regions and heap blocks.
func (u *Usage) add(b *traceio.Block, regions, blocks []int32) {
	s := b.First
	for row, k := range b.Kind {
		if k == traceio.Fetch {
			continue
		}
		use := &u.Regions[regions[row]]
		if k == traceio.Load {
			use.Loads++
		} else {
			use.Stores++
		}
		if id := blocks[row]; id >= 0 {
			x := &u.Blocks[id]
			if x.References() == 0 {
				x.First = s
			}
			x.Last = s
			if k == traceio.Load {
				x.Loads++
			} else {
				x.Stores++
			}
		}
		s++
	}
}

// Lookup is a Map with a memory of recent answers and of the blocks that live now, for one goroutine. It is fast where
// times mostly grow.
type Lookup struct {
	m      *Map
	sweep  *heap.Sweep
	ranges []int32 // by hash of address: an index of Map.ranges, or -1
	at     *cursor // nil when nothing is known of variables on the stacks
}

const memoryBits = 12

// Lookup makes a look-up with an empty memory.
func (m *Map) Lookup() *Lookup {
	l := &Lookup{m: m, sweep: m.heap.Sweep(), ranges: make([]int32, 1<<memoryBits)}
	for i := range l.ranges {
		l.ranges[i] = -1
	}
	if m.frames != nil {
		l.at = m.frames.cursor()
	}
	return l
}

// Classify tells for every row of a block of references the region's ID and the heap block's number, -1 for none; rows
// of instruction fetches get -1 twice. regions and blocks must be as long as b; blocks may be nil.
func (l *Lookup) Classify(b *traceio.Block, regions, blocks []int32) {
	if l.at != nil && l.at.begin(b) {
		l.classifyFrames(b, regions, blocks)
		return
	}
	s := b.First
	for row, a := range b.Addr {
		if b.Kind[row] == traceio.Fetch {
			regions[row] = -1
			if blocks != nil {
				blocks[row] = -1
			}
			continue
		}
		r, id := l.timed(a, s)
		regions[row] = r
		if blocks != nil {
			blocks[row] = id
		}
		s++
	}
}

// classifyFrames is Classify that follows the frames along the block, at whose beginning l.at stands.
func (l *Lookup) classifyFrames(b *traceio.Block, regions, blocks []int32) {
	c, m := l.at, l.m
	f, w := c.f, c.w
	for row, a := range b.Addr {
		if b.Kind[row] == traceio.Fetch {
			regions[row] = -1
			if blocks != nil {
				blocks[row] = -1
			}
			continue
		}
		if c.mark < len(b.Marks) {
			c.marks(w, row)
		}
		r, id := int32(-1), int32(-1)
		if f.code.moving {
			t, now := w.follow(b.Thread[row], b.PC[row], a, b.Size[row], b.Kind[row])
			if t.near(a) {
				r = m.known(now, t, a)
			}
			if r < 0 {
				r, id = l.timed(a, c.s)
			}
		} else if thread := int(b.Thread[row]); thread < len(f.own) && f.own[thread].holds(a) {
			t := w.of(b.Thread[row])
			now := w.step(t, b.PC[row], a, b.Size[row], b.Kind[row])
			if pure := m.pure[thread]; pure >= 0 {
				r = pure
				if now != nil {
					if v := m.known(now, t, a); v >= 0 {
						r = v
					}
				}
			}
		}
		if r < 0 {
			if r, id = l.timed(a, c.s); m.threads[r] >= 0 {
				if v, _ := m.onStack(w.of(traceio.Thread(m.threads[r])), a); v >= 0 {
					r = v
				}
			}
		}
		regions[row] = r
		if blocks != nil {
			blocks[row] = id
		}
		c.s++
	}
	c.marks(w, b.Len())
	if c.row = b.Len(); c.row > 0 {
		c.thread = b.Thread[c.row-1]
	}
}

// Locate is Map.Locate with the memory: the region that holds address a at reference s, and the heap block or -1.
func (l *Lookup) Locate(a traceio.Addr, s traceio.Seq) (region, block int32) {
	r, id := l.timed(a, s)
	if t := l.m.stackAt(l.at, r, s); t != nil {
		if v, _ := l.m.onStack(t, a); v >= 0 {
			r = v
		}
	}
	return r, id
}

// timed is Locate that knows of no variables on the stacks.
func (l *Lookup) timed(a traceio.Addr, s traceio.Seq) (region, block int32) {
	m := l.m
	slot := uint64(a>>4) * 0x9e3779b97f4a7c15 >> (64 - memoryBits)
	if i := l.ranges[slot]; i >= 0 {
		if x := &m.ranges[i]; a >= x.low && a < x.high {
			return x.region, -1
		}
	}
	if id := l.sweep.BlockAt(m.heap.Axis.At(s), a); id >= 0 {
		return m.sites[m.heap.Block(int(id)).Site], id
	}
	i := m.search(a)
	if i < 0 {
		return m.outside(a), -1
	}
	if m.timeless(i) {
		l.ranges[slot] = int32(i)
	}
	return m.ranges[i].region, -1
}

// timeless tells whether no heap block ever lies in a piece of static memory (as in a stack that was found too large).
func (m *Map) timeless(i int) bool {
	for _, h := range m.heap.Spans {
		if m.ranges[i].low < h.High && m.ranges[i].high > h.Low {
			return false
		}
	}
	return true
}

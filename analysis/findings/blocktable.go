package findings

import (
	"math/bits"

	"orrery/cachesim"
	"orrery/traceio"
)

// blockUse is how one block of memory has been used, as seen by a level.
type blockUse struct {
	addr    traceio.Addr // its first byte, plus 1; 0 for an empty place of the table
	ever    uint64       // grains touched in the whole run
	now     uint64       // grains touched in its present stay in the level; 0 when it is not there
	bytes   uint32       // touched in this stay, the same ones counted again
	stays   uint32       // in the level so far
	by      lineRegion   // that it last entered for
	last    int32        // the line that touched it last
	evictor int32        // the line that last evicted it, -1 for none
	seen    traceio.Seq  // when it was last touched
}

func (s *blockUse) enter(by lineRegion) {
	s.by, s.evictor = by, -1
	s.stays++
}

// touch notes the bytes of the block that the reference of an event covers.
func (s *blockUse) touch(b *traceio.Block, e *cachesim.Event, line int32, grain grain) {
	from, to := b.Addr[e.Row], b.Addr[e.Row]+traceio.Addr(max(1, b.Size[e.Row]))
	from, to = max(from, e.Line), min(to, e.Line+traceio.Addr(grain.block))
	if to <= from {
		return
	}
	low, high := uint(from-e.Line)>>grain.shift, uint(to-1-e.Line)>>grain.shift
	mask := ^uint64(0) >> (63 - (high - low)) << low
	s.now |= mask
	s.ever |= mask
	s.bytes += uint32(to - from)
	s.last, s.seen = line, e.Seq
}

// grain is how finely the use of a block is noted: 1<<shift bytes to a bit, at most 64 bits to a block.
type grain struct {
	block uint64
	shift uint
}

// blockTable is a hash table of the blocks of a recording. When there are too many it keeps a sample, every second,
// fourth, ... block by a hash of its address, each of which then stands for that many.
type blockTable struct {
	grain grain
	size  uint64 // bytes of a block
	table []blockUse
	n     int
	most  int
	mask  uint64 // a block is in the sample when these bits of its hash are 0
}

// mostBlocks bounds the table to some 100 MB.
const mostBlocks = 1 << 20

func newBlocks(size uint64) blockTable {
	g := grain{block: size}
	for size>>g.shift > 64 {
		g.shift++
	}
	return blockTable{grain: g, size: size, table: make([]blockUse, 1<<10), most: mostBlocks}
}

// weight is how many blocks each block of the sample stands for.
func (t *blockTable) weight() uint64 { return t.mask + 1 }

// bytes is how many bytes the grains of a mask are.
func (t *blockTable) bytes(mask uint64) uint64 {
	return uint64(bits.OnesCount64(mask)) << t.grain.shift
}

// hash spreads block addresses: the finalizer of SplitMix64.
func hash(a traceio.Addr) uint64 {
	x := uint64(a)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// find is a block of the sample that is in the table, nil for others. The pointer is good until the next get.
func (t *blockTable) find(a traceio.Addr) *blockUse {
	h := hash(a)
	if h&t.mask != 0 {
		return nil
	}
	if s := t.slot(a, h); s.addr != 0 {
		return s
	}
	return nil
}

// get is a block of the sample, added if it is new; nil for others.
func (t *blockTable) get(a traceio.Addr) *blockUse {
	h := hash(a)
	if h&t.mask != 0 {
		return nil
	}
	s := t.slot(a, h)
	if s.addr != 0 {
		return s
	}
	if 2*t.n >= len(t.table) {
		t.grow()
		if h&t.mask != 0 {
			return nil
		}
		s = t.slot(a, h)
	}
	*s = blockUse{addr: a + 1, last: -1, evictor: -1}
	t.n++
	return s
}

// slot is where a block is or would be.
func (t *blockTable) slot(a traceio.Addr, h uint64) *blockUse {
	for i := h >> 32; ; i++ {
		if s := &t.table[i&uint64(len(t.table)-1)]; s.addr == 0 || s.addr == a+1 {
			return s
		}
	}
}

// grow makes room: a larger table, or half of the blocks.
func (t *blockTable) grow() {
	old := t.table
	if t.n >= t.most {
		t.mask = t.mask<<1 | 1
	} else {
		t.table = make([]blockUse, 2*len(old))
	}
	if len(old) == len(t.table) {
		t.table = make([]blockUse, len(old))
	}
	t.n = 0
	for i := range old {
		if s := &old[i]; s.addr != 0 && hash(s.addr-1)&t.mask == 0 {
			*t.slot(s.addr-1, hash(s.addr-1)) = *s
			t.n++
		}
	}
}

// each calls f for every block of the sample, in an order that depends on the blocks only.
func (t *blockTable) each(f func(s *blockUse)) {
	for i := range t.table {
		if s := &t.table[i]; s.addr != 0 {
			f(s)
		}
	}
}

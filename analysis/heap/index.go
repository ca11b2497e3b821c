package heap

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"orrery/traceio"
)

// Rect is a block as a rectangle: addresses [Low, High), times [From, To).
type Rect struct {
	Low, High traceio.Addr
	From, To  Time
}

// index finds blocks by time and address: rectangles sorted into slabs of equal count by address, within a slab by time,
// and cut into leaves of 64 with a bounding box each.
//
//	address  +---------+------+---+   slab 2, leaves by time
//	         +---+-----+----+-----+   slab 1
//	         +------+-------+-----+   slab 0
//	                           time
type index struct {
	rects  []packed
	ids    []int32
	leaves []Rect // bounding boxes of rects[64*i:64*i+64]
	slabs  []slab
	blocks []Block
}

// packed is a rectangle in 16 bytes: distances from the low corner of its leaf, and extents. far marks one that does not
// fit; its block tells.
type packed struct{ low, size, from, span uint32 }

const far = math.MaxUint32

// lazyIndex is made when it is first asked for: a table of sites needs none.
type lazyIndex struct {
	once sync.Once
	index
}

// find gives the index. The first call costs some tenths of a second for ten million blocks.
func (h *Heap) find() *index {
	if h.index == nil {
		return &index{}
	}
	h.index.once.Do(func() { h.index.index = newIndex(h.Blocks, byAddress(h.Blocks)) })
	return &h.index.index
}

type slab struct {
	box         Rect
	first, last int // leaves
}

const leafSize = 64

// newIndex builds the index of blocks from their order by address. About as many slabs as leaves in each keep both scans
// short.
func newIndex(blocks []Block, order []int32) index {
	n := len(blocks)
	if n == 0 {
		return index{}
	}
	leaves := (n + leafSize - 1) / leafSize
	across := max(1, int(math.Sqrt(float64(leaves)))) // leaves in a slab
	x := index{rects: make([]packed, n), ids: byTime(order, across*leafSize), leaves: make([]Rect, leaves), blocks: blocks}
	for first := 0; first < leaves; first += across {
		s := slab{box: nothing, first: first, last: min(first+across, leaves)}
		for l := s.first; l < s.last; l++ {
			box := &x.leaves[l]
			*box = nothing
			a, b := l*leafSize, min((l+1)*leafSize, n)
			for _, id := range x.ids[a:b] {
				box.cover(rectOf(&blocks[id]))
			}
			for i, id := range x.ids[a:b] {
				x.rects[a+i] = pack(rectOf(&blocks[id]), box)
			}
			s.box.cover(*box)
		}
		x.slabs = append(x.slabs, s)
	}
	return x
}

// byTime sorts each slab of an order of blocks by number, which is time, by dealing the numbers out to their slabs.
func byTime(order []int32, size int) []int32 {
	slabOf := make([]int32, len(order))
	next := make([]int, (len(order)+size-1)/size)
	for s := range next {
		next[s] = s * size
	}
	for i, id := range order {
		slabOf[id] = int32(i / size)
	}
	for id, s := range slabOf {
		order[next[s]] = int32(id)
		next[s]++
	}
	return order
}

// rectOf is a block as the index has it: one that was freed before anything else happened keeps a width of one.
func rectOf(b *Block) Rect { return Rect{b.Low, b.High(), b.From, max(b.To, b.From+1)} }

func pack(r Rect, box *Rect) packed {
	low, size, from, span := uint64(r.Low-box.Low), uint64(r.High-r.Low), uint64(r.From-box.From), uint64(r.To-r.From)
	if max(low, size, from, span) >= far {
		return packed{low: far}
	}
	return packed{uint32(low), uint32(size), uint32(from), uint32(span)}
}

// rect is the rectangle at i of the index, in a leaf with the given box.
func (x *index) rect(i int, box *Rect) Rect {
	p := x.rects[i]
	if p.low == far {
		return rectOf(&x.blocks[x.ids[i]])
	}
	low, from := box.Low+traceio.Addr(p.low), box.From+Time(p.from)
	return Rect{low, low + traceio.Addr(p.size), from, from + Time(p.span)}
}

var nothing = Rect{Low: math.MaxUint64, From: math.MaxInt64, To: math.MinInt64}

func (r *Rect) cover(o Rect) {
	r.Low, r.High = min(r.Low, o.Low), max(r.High, o.High)
	r.From, r.To = min(r.From, o.From), max(r.To, o.To)
}

// meets tells whether the rectangle shares a point with times [from, to] and addresses [low, high], ends included.
func (r *Rect) meets(from, to Time, low, high traceio.Addr) bool {
	return r.From <= to && r.To > from && r.Low <= high && r.High > low
}

// byAddress gives the numbers of blocks in order of address, and of number where addresses are equal: a radix sort of
// 16-bit digits, which skips digits that all addresses share.
func byAddress(blocks []Block) []int32 {
	type entry struct {
		low traceio.Addr
		id  int32
	}
	n := len(blocks)
	from, to := make([]entry, n), make([]entry, n)
	any, all := traceio.Addr(0), ^traceio.Addr(0)
	for i := range blocks {
		from[i] = entry{blocks[i].Low, int32(i)}
		any |= blocks[i].Low
		all &= blocks[i].Low
	}
	differ := any &^ all
	if n < 1<<12 { // counting 65 536 digits would cost more
		slices.SortStableFunc(from, func(a, b entry) int { return cmp.Compare(a.low, b.low) })
		differ = 0
	}
	var count [1<<16 + 1]int32
	for shift := 0; shift < 64; shift += 16 {
		if differ>>shift&0xffff == 0 {
			continue
		}
		clear(count[:])
		for i := range from {
			count[from[i].low>>shift&0xffff+1]++
		}
		for d := 1; d < len(count); d++ {
			count[d] += count[d-1]
		}
		for _, e := range from {
			d := e.low >> shift & 0xffff
			to[count[d]] = e
			count[d]++
		}
		from, to = to, from
	}
	ids := make([]int32, n)
	for i := range from {
		ids[i] = from[i].id
	}
	return ids
}

// overlap calls f with the leaves that share a point with times [from, to] and addresses [low, high], ends included: as
// the range of their entries, and their box.
func (x *index) overlap(from, to Time, low, high traceio.Addr, f func(a, b int, box *Rect)) {
	for i := range x.slabs {
		s := &x.slabs[i]
		if !s.box.meets(from, to, low, high) {
			continue
		}
		for l := s.first; l < s.last; l++ {
			if box := &x.leaves[l]; box.meets(from, to, low, high) {
				f(l*leafSize, min((l+1)*leafSize, len(x.rects)), box)
			}
		}
	}
}

// Within calls f with the number of every block that shares a point with times [from, to] and addresses [low, high], ends
// included. A block that was freed before anything else happened counts where the times are more than a point.
func (h *Heap) Within(from, to Time, low, high traceio.Addr, f func(id int)) {
	x := h.find()
	x.overlap(from, to, low, high, func(a, b int, box *Rect) {
		for k := a; k < b; k++ {
			if r := x.rect(k, box); r.meets(from, to, low, high) {
				// Widened rectangles of blocks without a width must not count as live.
				if b := &x.blocks[x.ids[k]]; b.To > from || b.To > b.From || from < to {
					f(int(x.ids[k]))
				}
			}
		}
	})
}

// Leaves calls f with runs of at most 64 blocks, as rectangles and their numbers, that together hold every block which
// shares a point with times [from, to] and addresses [low, high]; most, not all, of what a run holds does so. A block
// that was freed before anything else happened is one unit of time wide. first is the run's place in Order, for those who
// keep attributes of blocks in that order, where neighbours in the picture are neighbours in memory. f must not keep or
// change what it is given. The first call of all builds the index.
func (h *Heap) Leaves(from, to Time, low, high traceio.Addr, f func(first int, rects []Rect, ids []int32)) {
	x := h.find()
	rects := make([]Rect, leafSize)
	x.overlap(from, to, low, high, func(a, b int, box *Rect) {
		for k := a; k < b; k++ {
			rects[k-a] = x.rect(k, box)
		}
		f(a, rects[:b-a], x.ids[a:b])
	})
}

// Order is the numbers of all blocks in the order of the index: neighbours in address and time stand together.
func (h *Heap) Order() []int32 { return h.find().ids }

// BlockAt is the number of the block that is live at time t and covers address a, -1 when there is none. In a damaged log
// where several do, it is the youngest.
func (h *Heap) BlockAt(t Time, a traceio.Addr) int {
	found := -1
	h.Within(t, t, a, a, func(id int) { found = max(found, id) })
	return found
}

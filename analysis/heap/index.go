package heap

import (
	"math"
	"math/bits"
	"sync"

	"orrery/traceio"
)

// Rect is a block as a rectangle: addresses [Low, High), times [From, To).
type Rect struct {
	Low, High traceio.Addr
	From, To  Time
}

// index finds blocks by time and address: rectangles sorted into slabs of equal count by address, these into rows,
// again by address, a row by time, and cut into leaves of 64 with a bounding box each.
//
//	address  +---------+------+---+   slab 2, leaves by time
//	         +------+-------+-----+   slab 1, second row
//	         +---+-----+----+-----+   slab 1, first row
//	         +------+-------+-----+   slab 0
//	                           time
//
// How many rows a slab has is up to its blocks. If they live long, leaves of one row all overlap in time, and many thin
// rows serve better; if they are short-lived, one row does.
type index struct {
	rects  []Offset
	ids    []int32
	leaves []Rect // bounding boxes of rects[64*i:64*i+64]
	rows   []slab // of leaves
	slabs  []slab // of rows
	heap   *Heap
}

// Offset is a rectangle in 16 bytes: distances from the low corner of its leaf, and extents. A Low of Far marks one
// that does not fit; its block tells.
type Offset struct{ Low, Size, From, Span uint32 }

// Far is Low of rectangles that are too large for an Offset, or too far from their leaf's corner.
const Far = math.MaxUint32

// Leaf is at most 64 blocks that stand together in the index.
type Leaf struct {
	First   int      // place of the first one in Order
	Box     Rect     // around all of them; offsets count from its Low and From
	IDs     []int32  // numbers of the blocks
	Offsets []Offset // their rectangles

	heap *Heap
}

// Rect is the rectangle of the block at i.
func (l *Leaf) Rect(i int) Rect {
	if l.Offsets[i].Low == Far {
		return l.heap.rect(l.IDs[i])
	}
	return l.Offsets[i].rect(&l.Box)
}

func (o Offset) rect(box *Rect) Rect {
	low, from := box.Low+traceio.Addr(o.Low), box.From+Time(o.From)
	return Rect{low, low + traceio.Addr(o.Size), from, from + Time(o.Span)}
}

// lazyIndex is what is made when it is first asked for: a table of sites needs none.
type lazyIndex struct {
	once sync.Once
	index

	endsOnce sync.Once
	ends     []int32 // see Heap.ends

	linksOnce sync.Once
	links     []Link // in order of From
}

// find gives the index. The first call costs some tenths of a second for ten million blocks.
func (h *Heap) find() *index {
	if h.index == nil {
		return &index{}
	}
	h.index.once.Do(func() { h.index.index = newIndex(h, h.byAddress()) })
	return &h.index.index
}

type slab struct {
	box         Rect
	first, last int // leaves of a row, rows of a slab
}

const leafSize = 64

// newIndex builds the index of blocks from their order by address, which it changes. About as many slabs as leaves in
// each keep both scans short.
func newIndex(h *Heap, order []int32) index {
	n := h.Count()
	if n == 0 {
		return index{}
	}
	leaves := (n + leafSize - 1) / leafSize
	across := max(1, int(math.Sqrt(float64(leaves)))) // leaves in a slab
	x := index{rects: make([]Offset, n), ids: order, leaves: make([]Rect, leaves), heap: h}
	l := layout{x: &x, births: make([]uint32, n), whole: Rect{From: h.from(0)}, width: bits.Len(uint(n))}
	births := h.birthsFrom(0)
	for id := range int32(n) {
		l.births[id] = uint32(births.next())
		l.whole.To = max(l.whole.To, h.to(id))
	}
	for first := 0; first < leaves; first += across {
		l.slab(first, min(first+across, leaves))
	}
	return x
}

// rect is a block as the index has it: one that was freed before anything else happened keeps a width of one.
func (h *Heap) rect(id int32) Rect { return h.rectFrom(id, h.from(id)) }

// rectFrom is rect for a block that lives from a time on.
func (h *Heap) rectFrom(id int32, from Time) Rect {
	return Rect{h.blocks.low[id], h.blocks.high(id), from, max(h.to(id), from+1)}
}

func pack(r Rect, box *Rect) Offset {
	low, size, from, span := uint64(r.Low-box.Low), uint64(r.High-r.Low), uint64(r.From-box.From), uint64(r.To-r.From)
	if max(low, size, from, span) >= Far {
		return Offset{Low: Far}
	}
	return Offset{uint32(low), uint32(size), uint32(from), uint32(span)}
}

// rect is the rectangle at i of the index, in a leaf with the given box.
func (x *index) rect(i int, box *Rect) Rect {
	if x.rects[i].Low == Far {
		return x.heap.rect(x.ids[i])
	}
	return x.rects[i].rect(box)
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

// overlap calls f with the leaves that share a point with times [from, to] and addresses [low, high], ends included: as
// the range of their entries, and their box.
func (x *index) overlap(from, to Time, low, high traceio.Addr, f func(a, b int, box *Rect)) {
	for i := range x.slabs {
		s := &x.slabs[i]
		if !s.box.meets(from, to, low, high) {
			continue
		}
		for k := s.first; k < s.last; k++ {
			row := &x.rows[k]
			if !row.box.meets(from, to, low, high) {
				continue
			}
			for l := row.first; l < row.last; l++ {
				box := &x.leaves[l]
				if box.From > to { // as are all that follow: the leaves of a row stand in order of time
					break
				}
				if box.To > from && box.Low <= high && box.High > low {
					f(l*leafSize, min((l+1)*leafSize, len(x.rects)), box)
				}
			}
		}
	}
}

// Within calls f with the number of every block that shares a point with times [from, to] and addresses [low, high],
// ends included. A block that was freed before anything else happened counts where the times are more than a point.
func (h *Heap) Within(from, to Time, low, high traceio.Addr, f func(id int)) {
	h.Touching(from, to, low, high, func(_ int, id int32, r Rect) {
		// Widened rectangles of blocks without a width must not count as live.
		if from < to || r.To > r.From+1 || h.to(id) > h.from(id) {
			f(int(id))
		}
	})
}

// Touching calls f with every block whose rectangle shares a point with times [from, to] and addresses [low, high],
// ends included: its place in Order, its number, and the rectangle. A block that was freed before anything else
// happened is one unit of time wide.
func (h *Heap) Touching(from, to Time, low, high traceio.Addr, f func(at int, id int32, r Rect)) {
	x := h.find()
	x.overlap(from, to, low, high, func(a, b int, box *Rect) {
		// The query as distances from the box's low corner, which is how rectangles are packed.
		const beyond = 1 << 33
		lowest, highest := int64(min(max(low, box.Low)-box.Low, beyond)), int64(min(high-box.Low, beyond))
		first, last := int64(min(max(from, box.From)-box.From, beyond)), int64(min(to-box.From, beyond))
		for k := a; k < b; k++ {
			p := &x.rects[k]
			if p.Low == Far {
				if r := x.rect(k, box); r.meets(from, to, low, high) {
					f(k, x.ids[k], r)
				}
				continue
			}
			// Blocks of a leaf stand in order of time. Which of them meets the query cannot be guessed: signs are put
			// together, for one branch.
			if int64(p.From) > last {
				break
			}
			if (highest-int64(p.Low))|(int64(p.Low)+int64(p.Size)-1-lowest)|(int64(p.From)+int64(p.Span)-1-first) >= 0 {
				f(k, x.ids[k], p.rect(box))
			}
		}
	})
}

// Leaves calls f with leaves that together hold every block which shares a point with times [from, to] and addresses
// [low, high]; most, not all, of what a leaf holds does so. A block that was freed before anything else happened is one
// unit of time wide. A leaf is for those who keep attributes of blocks by their place in Order, where neighbours in the
// picture are neighbours in memory. f must not keep or change what it is given. The first call of all builds the index.
func (h *Heap) Leaves(from, to Time, low, high traceio.Addr, f func(l *Leaf)) {
	x := h.find()
	l := &Leaf{heap: x.heap}
	x.overlap(from, to, low, high, func(a, b int, box *Rect) {
		l.First, l.Box, l.IDs, l.Offsets = a, *box, x.ids[a:b], x.rects[a:b]
		f(l)
	})
}

// Order is the numbers of all blocks in the order of the index: neighbours in address and time stand together.
func (h *Heap) Order() []int32 { return h.find().ids }

// BlockAt is the number of the block that is live at time t and covers address a, -1 when there is none. In a damaged
// log where several do, it is the youngest.
func (h *Heap) BlockAt(t Time, a traceio.Addr) int {
	found := -1
	h.Within(t, t, a, a, func(id int) { found = max(found, id) })
	return found
}

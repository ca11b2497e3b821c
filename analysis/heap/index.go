package heap

import (
	"cmp"
	"math"
	"slices"

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
	rects  []Rect
	ids    []int32
	leaves []Rect // bounding boxes of rects[64*i:64*i+64]
	slabs  []slab
}

type slab struct {
	box         Rect
	first, last int // leaves
}

const leafSize = 64

// newIndex builds the index of blocks from their order by address, which it changes. About as many slabs as leaves in
// each keep both scans short.
func newIndex(blocks []Block, order []int32) index {
	n := len(blocks)
	if n == 0 {
		return index{}
	}
	leaves := (n + leafSize - 1) / leafSize
	across := max(1, int(math.Sqrt(float64(leaves)))) // leaves in a slab
	x := index{rects: make([]Rect, n), ids: order, leaves: make([]Rect, leaves)}
	for first := 0; first < leaves; first += across {
		last := min(first+across, leaves)
		a, b := first*leafSize, min(last*leafSize, n)
		slices.Sort(order[a:b]) // numbers are in order of time
		s := slab{box: nothing, first: first, last: last}
		for i := a; i < b; i++ {
			k := &blocks[order[i]]
			// A block that was freed before anything else happened keeps a width of one.
			r := Rect{k.Low, k.High(), k.From, max(k.To, k.From+1)}
			x.rects[i] = r
			leaf := &x.leaves[i/leafSize]
			if i%leafSize == 0 {
				*leaf = nothing
			}
			leaf.cover(r)
			s.box.cover(r)
		}
		x.slabs = append(x.slabs, s)
	}
	return x
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

// each calls f for every block that shares a point with times [from, to] and addresses [low, high], ends included.
func (x *index) each(from, to Time, low, high traceio.Addr, f func(*Block, int32), blocks []Block) {
	for i := range x.slabs {
		s := &x.slabs[i]
		if !s.box.meets(from, to, low, high) {
			continue
		}
		for l := s.first; l < s.last; l++ {
			if !x.leaves[l].meets(from, to, low, high) {
				continue
			}
			for k := l * leafSize; k < min((l+1)*leafSize, len(x.rects)); k++ {
				// Widened rectangles of blocks without a width must not count as live.
				if b := &blocks[x.ids[k]]; x.rects[k].meets(from, to, low, high) && (b.To > from || b.To > b.From) {
					f(b, x.ids[k])
				}
			}
		}
	}
}

// Leaves calls f with runs of at most 64 blocks, as rectangles and their numbers, that together hold every block which
// shares a point with times [from, to] and addresses [low, high]; most, not all, of what a run holds does so. A block
// that was freed before anything else happened is one unit of time wide. first is the run's place in Order, for those who
// keep attributes of blocks in that order, where neighbours in the picture are neighbours in memory. f must not keep or
// change what it is given.
func (h *Heap) Leaves(from, to Time, low, high traceio.Addr, f func(first int, rects []Rect, ids []int32)) {
	x := &h.index
	for i := range x.slabs {
		s := &x.slabs[i]
		if !s.box.meets(from, to, low, high) {
			continue
		}
		for l := s.first; l < s.last; l++ {
			if x.leaves[l].meets(from, to, low, high) {
				a, b := l*leafSize, min((l+1)*leafSize, len(x.rects))
				f(a, x.rects[a:b], x.ids[a:b])
			}
		}
	}
}

// Order is the numbers of all blocks in the order of the index: neighbours in address and time stand together.
func (h *Heap) Order() []int32 { return h.index.ids }

// BlockAt is the number of the block that is live at time t and covers address a, -1 when there is none. In a damaged log
// where several do, it is the youngest.
func (h *Heap) BlockAt(t Time, a traceio.Addr) int {
	found := int32(-1)
	h.index.each(t, t, a, a, func(_ *Block, id int32) { found = max(found, id) }, h.Blocks)
	return int(found)
}

package heap

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sync"

	"orrery/traceio"
)

// Rect is a block as a rectangle: addresses [Low, High), times [From, To).
type Rect struct {
	Low, High traceio.Addr
	From, To  Time
}

// index finds blocks by time and address: rectangles sorted into slabs of equal count by address, these into rows, again by
// address, a row by time, and cut into leaves of 64 with a bounding box each.
//
//	address  +---------+------+---+   slab 2, leaves by time
//	         +------+-------+-----+   slab 1, second row
//	         +---+-----+----+-----+   slab 1, first row
//	         +------+-------+-----+   slab 0
//	                           time
//
// How many rows a slab has is up to its blocks. If they live long, leaves of one row all overlap in time, and many thin rows
// serve better; if they are short-lived, one row does.
type index struct {
	rects  []packed
	ids    []int32
	leaves []Rect // bounding boxes of rects[64*i:64*i+64]
	rows   []slab // of leaves
	slabs  []slab // of rows
	blocks []Block
}

// packed is a rectangle in 16 bytes: distances from the low corner of its leaf, and extents. far marks one that does not
// fit; its block tells.
type packed struct{ low, size, from, span uint32 }

const far = math.MaxUint32

// lazyIndex is what is made when it is first asked for: a table of sites needs none.
type lazyIndex struct {
	once sync.Once
	index

	linksOnce sync.Once
	links     []Link // in order of From
}

// find gives the index. The first call costs some tenths of a second for ten million blocks.
func (h *Heap) find() *index {
	if h.index == nil {
		return &index{}
	}
	h.index.once.Do(func() { h.index.index = newIndex(h.Blocks, h.byAddress()) })
	return &h.index.index
}

type slab struct {
	box         Rect
	first, last int // leaves of a row, rows of a slab
}

const leafSize = 64

// newIndex builds the index of blocks from their order by address, which it changes. About as many slabs as leaves in each
// keep both scans short.
func newIndex(blocks []Block, order []int32) index {
	n := len(blocks)
	if n == 0 {
		return index{}
	}
	leaves := (n + leafSize - 1) / leafSize
	across := max(1, int(math.Sqrt(float64(leaves)))) // leaves in a slab
	x := index{rects: make([]packed, n), ids: order, leaves: make([]Rect, leaves), blocks: blocks}
	l := layout{x: &x, whole: Rect{From: blocks[0].From}, width: bits.Len(uint(n))}
	for i := range blocks {
		l.whole.To = max(l.whole.To, blocks[i].To)
	}
	for first := 0; first < leaves; first += across {
		l.slab(first, min(first+across, leaves))
	}
	return x
}

// layout lays out one slab after the other.
type layout struct {
	x     *index
	whole Rect    // only its times
	width int     // of a block's number, in bits
	rects []Rect  // of the slab in order of address
	timed []entry // of the slab in order of time: number of the block, and its place in order of address
	other []entry
	open  []Rect // of each row the leaf that is being filled,
	fill  []int  // and with how many
}

// slab lays out leaves [first, last) in as many rows as make a small query meet the fewest of them.
func (l *layout) slab(first, last int) {
	x := l.x
	ids := x.ids[first*leafSize : min(last*leafSize, len(x.ids))]
	l.rects, l.timed = l.rects[:0], l.timed[:0]
	box := nothing
	for place, id := range ids {
		l.rects = append(l.rects, rectOf(&x.blocks[id]))
		l.timed = append(l.timed, entry{uint32(id), int32(place)})
		box.cover(l.rects[place])
	}
	l.other = append(l.other[:0], l.timed...)
	if sorted := radix(l.timed, l.other, l.width); &sorted[0] != &l.timed[0] {
		l.timed, l.other = l.other, l.timed
	}
	rows, best := 1, math.Inf(1)
	for n := 1; n <= 2*(last-first); n *= 4 { // n rows, and at the end one for each leaf
		if cost := l.cost(box, min(n, last-first)); cost < best {
			best, rows = cost, min(n, last-first)
		}
	}
	s := slab{box: box, first: len(x.rows)}
	per := (last - first + rows - 1) / rows
	l.deal(ids, per*leafSize)
	for a := first; a < last; a += per {
		l.row(a, min(a+per, last))
	}
	s.last = len(x.rows)
	x.slabs = append(x.slabs, s)
}

// Queries that the layout is made for: a few pixels wide, a thirty-second of a slab high.
const (
	queryWidth  = 256
	queryHeight = 32
)

// cost is about how many leaves such a query meets if the slab is laid out in rows.
func (l *layout) cost(box Rect, rows int) float64 {
	leaves := (len(l.rects) + leafSize - 1) / leafSize
	per := (leaves + rows - 1) / rows * leafSize
	width, height := float64(l.whole.To-l.whole.From)/queryWidth, float64(box.High-box.Low)/queryHeight
	l.open, l.fill = l.open[:0], l.fill[:0]
	for range rows {
		l.open, l.fill = append(l.open, nothing), append(l.fill, 0)
	}
	sum := 0.0
	end := func(leaf *Rect) {
		sum += (float64(leaf.To-leaf.From) + width) * (float64(leaf.High-leaf.Low) + height)
		*leaf = nothing
	}
	for _, e := range l.timed {
		row := int(e.id) / per
		l.open[row].cover(l.rects[e.id])
		if l.fill[row]++; l.fill[row]%leafSize == 0 {
			end(&l.open[row])
		}
	}
	for row, n := range l.fill {
		if n%leafSize > 0 {
			end(&l.open[row])
		}
	}
	return sum
}

// deal puts the numbers of a slab's blocks into rows of per, each in order of time.
func (l *layout) deal(ids []int32, per int) {
	l.fill = l.fill[:0]
	for a := 0; a < len(ids); a += per {
		l.fill = append(l.fill, a)
	}
	for _, e := range l.timed {
		row := int(e.id) / per
		ids[l.fill[row]] = int32(e.place)
		l.fill[row]++
	}
}

// row makes leaves [first, last), whose blocks are in order of time.
func (l *layout) row(first, last int) {
	x := l.x
	s := slab{box: nothing, first: first, last: last}
	for leaf := first; leaf < last; leaf++ {
		box := &x.leaves[leaf]
		*box = nothing
		a, z := leaf*leafSize, min((leaf+1)*leafSize, len(x.ids))
		for _, id := range x.ids[a:z] {
			box.cover(rectOf(&x.blocks[id]))
		}
		for i, id := range x.ids[a:z] {
			x.rects[a+i] = pack(rectOf(&x.blocks[id]), box)
		}
		s.box.cover(*box)
	}
	x.rows = append(x.rows, s)
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

// byAddress gives the numbers of blocks in order of address, and of number where addresses are equal.
func (h *Heap) byAddress() []int32 {
	n := len(h.Blocks)
	ids := make([]int32, n)
	base := make([]uint64, len(h.Spans)+1) // where a span begins if there is nothing between them
	for i := range h.Spans {
		base[i+1] = base[i] + h.Spans[i].Size()
	}
	if n < 1<<12 || base[len(h.Spans)]>>h.shift > math.MaxUint32 {
		for i := range ids {
			ids[i] = int32(i)
		}
		slices.SortStableFunc(ids, func(a, b int32) int { return cmp.Compare(h.Blocks[a].Low, h.Blocks[b].Low) })
		return ids
	}
	from, to := make([]entry, n), make([]entry, n)
	span := 0
	for i := range h.Blocks {
		low := h.Blocks[i].Low
		if s := &h.Spans[span]; low < s.Low || low >= s.High {
			span = h.pool(low)
		}
		from[i] = entry{uint32((base[span] + uint64(low-h.Spans[span].Low)) >> h.shift), int32(i)}
	}
	from = radix(from, to, bits.Len64(base[len(h.Spans)]>>h.shift))
	for i := range from {
		ids[i] = from[i].id
	}
	return ids
}

// entry is a block by its place among the addresses in use.
type entry struct {
	place uint32
	id    int32
}

// radix sorts by the lowest bits of the places, eleven at a time; it gives one of the two slices.
func radix(from, to []entry, width int) []entry {
	const digit = 11
	for shift := 0; shift < width; shift += digit {
		var count [1<<digit + 1]int
		for i := range from {
			count[from[i].place>>shift&(1<<digit-1)+1]++
		}
		for d := 1; d < len(count); d++ {
			count[d] += count[d-1]
		}
		for _, e := range from {
			d := e.place >> shift & (1<<digit - 1)
			to[count[d]] = e
			count[d]++
		}
		from, to = to, from
	}
	return from
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
				if box := &x.leaves[l]; box.meets(from, to, low, high) {
					f(l*leafSize, min((l+1)*leafSize, len(x.rects)), box)
				}
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

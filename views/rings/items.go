package rings

import (
	"math/bits"
	"slices"

	"orrery/traceio"
)

// Items is the data items of a recording: aligned pieces of memory of one size, each with the region that is its home.
// It is immutable and may be shared by any number of states. Item numbers count in order of address.
type Items struct {
	unit   uint64
	bits   uint // log2 of it
	addr   []traceio.Addr
	region []int32
	slots  []int32 // open addressing by address: item + 1, 0 is free
	shift  uint
	arcs   []arc
	place  []place // by item: where in the arcs it stands
	order  []int32 // the items arc by arc
}

// arc is a part of the memory ring. It belongs to one region, whose number it has (none for data without one), and to
// those that stand with it; or it is the one where the small regions are gathered.
type arc struct {
	region int
	items  int
	first  int   // where they begin in the order
	small  []int // the regions gathered here, in order of address
}

// The numbers of arcs that no single region owns.
const (
	none     = -1
	gathered = -2
)

// maxArcs is how many arcs the memory ring has at most: with more, neither the arcs nor their names could be told
// apart.
const maxArcs = 16

type place struct{ arc, index int32 }

// NewItems makes the items of size unit (a power of two: an element, a cache block, a page) that hold the given
// addresses, in any order and repeated at will. home gives the number of an address's region, negative for none. owner
// gives the region on whose arc an item of a region stands, the variables of a stack on the stack's for instance; nil
// gives each region its own. Arcs come in the order of their first item's address; when there are more than maxArcs,
// the regions with the fewest items share the last one.
func NewItems(unit uint64, touched []traceio.Addr, home func(traceio.Addr) int, owner func(region int,
	a traceio.Addr) int) *Items {
	if unit == 0 || unit&(unit-1) != 0 {
		panic("rings: the unit of items must be a power of two")
	}
	it := &Items{unit: unit, bits: uint(bits.TrailingZeros64(unit))}
	it.addr = make([]traceio.Addr, len(touched))
	for i, a := range touched {
		it.addr[i] = a &^ traceio.Addr(unit-1)
	}
	slices.Sort(it.addr)
	it.addr = slices.Compact(it.addr)
	it.index()
	it.settle(home, owner)
	return it
}

// index fills the table that Find looks in, at most half full.
func (it *Items) index() {
	n := 1 << bits.Len(uint(2*len(it.addr)+1))
	it.slots = make([]int32, n)
	it.shift = uint(64 - bits.TrailingZeros(uint(n)))
	for i, a := range it.addr {
		h := it.hash(a)
		for it.slots[h] != 0 {
			h = (h + 1) & uint64(n-1)
		}
		it.slots[h] = int32(i) + 1
	}
}

// settle gives each region its arc and each item its place there.
func (it *Items) settle(home func(traceio.Addr) int, owner func(int, traceio.Addr) int) {
	it.region = make([]int32, len(it.addr))
	it.place = make([]place, len(it.addr))
	arcOf := map[int]int32{}
	for i, a := range it.addr {
		r := max(none, home(a))
		it.region[i] = int32(r)
		if r >= 0 && owner != nil {
			r = owner(r, a)
		}
		k, ok := arcOf[r]
		if !ok {
			k = int32(len(it.arcs))
			arcOf[r] = k
			it.arcs = append(it.arcs, arc{region: r})
		}
		it.place[i].arc = k
		it.arcs[k].items++
	}
	if len(it.arcs) > maxArcs {
		it.gather()
	}
	it.order = make([]int32, len(it.addr))
	next := make([]int32, len(it.arcs))
	for k := 1; k < len(it.arcs); k++ {
		it.arcs[k].first = it.arcs[k-1].first + it.arcs[k-1].items
	}
	for i := range it.place {
		p := &it.place[i]
		p.index = next[p.arc]
		next[p.arc]++
		it.order[it.arcs[p.arc].first+int(p.index)] = int32(i)
	}
}

// gather puts the regions with the fewest items on one arc, the last one.
func (it *Items) gather() {
	order := make([]int, len(it.arcs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return it.arcs[b].items - it.arcs[a].items })
	keep := make([]bool, len(it.arcs))
	for _, k := range order[:maxArcs-1] {
		keep[k] = true
	}
	var arcs []arc
	rest := arc{region: gathered}
	to := make([]int32, len(it.arcs))
	for k, a := range it.arcs {
		if keep[k] {
			to[k] = int32(len(arcs))
			arcs = append(arcs, a)
			continue
		}
		to[k] = maxArcs - 1
		rest.items += a.items
		rest.small = append(rest.small, a.region)
	}
	it.arcs = append(arcs, rest)
	for i := range it.place {
		it.place[i].arc = to[it.place[i].arc]
	}
}

// owner is the region on whose arc an item stands, none or gathered where that is not one region's.
func (it *Items) owner(i int) int { return it.arcs[it.place[i].arc].region }

// hash spreads an item's address over the table (Fibonacci hashing of the item number).
func (it *Items) hash(a traceio.Addr) uint64 {
	return (uint64(a) >> it.bits * 0x9E3779B97F4A7C15) >> it.shift
}

// Unit is the size of an item in bytes.
func (it *Items) Unit() uint64 { return it.unit }

// Len is the number of items.
func (it *Items) Len() int { return len(it.addr) }

// Addr is the first byte of item i.
func (it *Items) Addr(i int) traceio.Addr { return it.addr[i] }

// Region is the number of the region that item i lies in, -1 for none.
func (it *Items) Region(i int) int { return int(it.region[i]) }

// Find is the item that holds address a, -1 when a was never touched.
func (it *Items) Find(a traceio.Addr) int {
	a &^= traceio.Addr(it.unit - 1)
	for h := it.hash(a); it.slots[h] != 0; h = (h + 1) & uint64(len(it.slots)-1) {
		if i := it.slots[h] - 1; it.addr[i] == a {
			return int(i)
		}
	}
	return -1
}

// after is the item that holds address a, -1 for none, when the one before it in memory is i or there is none (i < 0).
func (it *Items) after(i int, a traceio.Addr) int {
	if i < 0 {
		return it.Find(a)
	}
	if i+1 < len(it.addr) && it.addr[i+1] == a&^traceio.Addr(it.unit-1) {
		return i + 1
	}
	if it.addr[i] == a&^traceio.Addr(it.unit-1) {
		return i
	}
	return -1
}

// None is a mask for State.Hidden that hides every item.
func (it *Items) None() []bool {
	hidden := make([]bool, len(it.addr))
	for i := range hidden {
		hidden[i] = true
	}
	return hidden
}

// Show takes the items that size bytes from address a lie in out of a mask.
func (it *Items) Show(hidden []bool, a traceio.Addr, size uint64) {
	for u, end := a&^traceio.Addr(it.unit-1), a+traceio.Addr(max(1, size))-1; u <= end; u += traceio.Addr(it.unit) {
		if i := it.Find(u); i >= 0 {
			hidden[i] = false
		}
		if u+traceio.Addr(it.unit) < u {
			break
		}
	}
}

// Touched collects the units of memory that a recording touches, for NewItems, in memory proportional to their number.
type Touched struct {
	unit   uint64
	bits   uint // log2 of it
	seen   map[traceio.Addr]struct{}
	recent [recently]traceio.Addr // units seen lately + 1, by their lowest bits: most references go there again
}

// recently is a power of two.
const recently = 1 << 12

// NewTouched collects units of the given size, a power of two.
func NewTouched(unit uint64) *Touched {
	return &Touched{unit: unit, seen: map[traceio.Addr]struct{}{}}
}

// Add takes the data references of a block, or its instruction fetches when fetches is set. fresh, which may be nil, is
// called for every unit that was not touched before, with the row that does.
func (t *Touched) Add(b *traceio.Block, fetches bool, fresh func(row int, unit traceio.Addr)) {
	for i, a := range b.Addr {
		if (b.Kind[i] == traceio.Fetch) == fetches {
			t.take(a, uint64(max(1, b.Size[i])), i, fresh)
		}
	}
}

// take notes the units of one reference.
func (t *Touched) take(a traceio.Addr, size uint64, row int, fresh func(int, traceio.Addr)) {
	end := a + traceio.Addr(size) - 1
	if end < a {
		end = ^traceio.Addr(0) // the last bytes of memory
	}
	for u := a &^ traceio.Addr(t.unit-1); u <= end; u += traceio.Addr(t.unit) {
		if last := &t.recent[uint64(u)/t.unit%recently]; *last != u+1 {
			*last = u + 1
			if _, ok := t.seen[u]; !ok {
				t.seen[u] = struct{}{}
				if fresh != nil {
					fresh(row, u)
				}
			}
		}
		if u+traceio.Addr(t.unit) < u {
			break
		}
	}
}

// Addrs is the units seen, ascending.
func (t *Touched) Addrs() []traceio.Addr {
	all := make([]traceio.Addr, 0, len(t.seen))
	for a := range t.seen {
		all = append(all, a)
	}
	slices.Sort(all)
	return all
}

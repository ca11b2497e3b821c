package heap

import (
	"math"
	"math/bits"
	"slices"
	"sort"

	"orrery/traceio"
)

// Sweep answers which block covers an address at times that mostly grow, in a few nanoseconds: it keeps the live blocks
// painted on pages, a number for every aligned piece of memory, and moves them along with time. Going back repaints the
// live blocks. A Sweep belongs to one goroutine.
type Sweep struct {
	h      *Heap
	slow   bool // blocks overlap or are not aligned: ask the index
	shift  uint
	at     Time
	birth  int  // the next block to be born,
	next   Time // and when; for ever none
	events births
	death  int // the next entry of the ends to die
	pages  map[traceio.Addr]*page
	near   [nearPages]nearPage // the pages seen last
	big    []int32             // live blocks too large to paint, few
}

// bigBlock is the size from which blocks are listed rather than painted: a real program has few, and a damaged log may
// claim a block of a hundred terabytes.
const bigBlock = 4 << 20

const (
	pageShift = 12
	nearPages = 256
)

// page is the blocks in 4 KiB of addresses: one number for all of it, or one for each piece; numbers are from 1, 0 is
// none.
type page struct {
	whole  int32
	pieces []int32
}

type nearPage struct {
	number traceio.Addr
	page   *page
}

// Sweep makes a sweep that stands before the first event.
func (h *Heap) Sweep() *Sweep {
	w := &Sweep{h: h, shift: h.shift, at: -1, pages: map[traceio.Addr]*page{}}
	w.slow = h.errors[Overlap] > 0 || h.shift < 3
	w.begin(0)
	return w
}

// BlockAt is the number of the block that is live at time t and covers address a, -1 when there is none.
func (w *Sweep) BlockAt(t Time, a traceio.Addr) int32 {
	if w.slow {
		return int32(w.h.BlockAt(t, a))
	}
	if t != w.at {
		w.move(t)
	}
	if p := w.page(a>>pageShift, false); p != nil {
		id := p.whole
		if id == 0 && p.pieces != nil {
			id = p.pieces[a&(1<<pageShift-1)>>w.shift]
		}
		if id--; id >= 0 && w.covers(id, t, a) {
			return id
		}
	}
	for _, id := range w.big {
		if w.covers(id, t, a) {
			return id
		}
	}
	return -1
}

func (w *Sweep) covers(id int32, t Time, a traceio.Addr) bool {
	return a >= w.h.blocks.low[id] && a < w.h.blocks.high(id) && t < w.h.to(id)
}

func (w *Sweep) page(number traceio.Addr, make bool) *page {
	n := &w.near[number%nearPages]
	if n.page != nil && n.number == number {
		return n.page
	}
	p := w.pages[number]
	if p == nil {
		if !make {
			return nil
		}
		p = &page{}
		w.pages[number] = p
	}
	*n = nearPage{number, p}
	return p
}

// begin makes block id the next to be born.
func (w *Sweep) begin(id int) {
	w.birth, w.events = id, w.h.birthsFrom(id)
	w.look()
}

// look finds out when the next block is born.
func (w *Sweep) look() {
	if w.next = math.MaxInt64; w.birth < w.h.Count() {
		w.next = w.h.time(w.events.next())
	}
}

// move brings the pages to time t.
func (w *Sweep) move(t Time) {
	h, ends := w.h, w.h.ends()
	if t < w.at {
		w.pages = map[traceio.Addr]*page{}
		w.near = [nearPages]nearPage{}
		w.big = w.big[:0]
		h.Within(t, t, 0, ^traceio.Addr(0), func(id int) { w.paint(int32(id), 0, int32(id)+1) })
		w.begin(h.Born(t + 1))
		w.death = sort.Search(len(ends), func(i int) bool { return h.to(ends[i]) > t })
		w.at = t
		return
	}
	for ; w.death < len(ends); w.death++ {
		id := ends[w.death]
		if h.to(id) > t {
			break
		}
		if int(id) < w.birth { // it has been painted
			w.paint(id, id+1, 0)
		}
	}
	for w.birth < h.Count() && w.next <= t {
		if id := int32(w.birth); h.to(id) > t {
			w.paint(id, 0, id+1)
		}
		w.birth++
		w.look()
	}
	w.at = t
}

// paint replaces the number was by now in all pieces of a block; was 0 replaces whatever there is.
func (w *Sweep) paint(id, was, now int32) {
	low, high := w.h.blocks.low[id], w.h.blocks.high(id)
	if high-low >= bigBlock {
		if now > 0 {
			w.big = append(w.big, now-1)
		} else if i := slices.Index(w.big, was-1); i >= 0 {
			w.big = slices.Delete(w.big, i, i+1)
		}
		return
	}
	for a := low; a < high; {
		number := a >> pageShift
		end := (number + 1) << pageShift
		if end > high || end == 0 { // 0: the last page of all
			end = high
		}
		p := w.page(number, true)
		switch {
		case end-a == 1<<pageShift:
			if was == 0 || p.whole == was {
				p.whole = now
			}
		default:
			if p.pieces == nil {
				p.pieces = make([]int32, 1<<(pageShift-w.shift))
			}
			first := a & (1<<pageShift - 1) >> w.shift
			last := (end - 1) & (1<<pageShift - 1) >> w.shift
			for i := first; i <= last; i++ {
				if was == 0 || p.pieces[i] == was {
					p.pieces[i] = now
				}
			}
		}
		a = end
	}
}

// alignment is the number of low bits that are zero in all of the given addresses' bitwise or, at most 4.
func alignment(all traceio.Addr) uint { return uint(bits.TrailingZeros64(uint64(all) | 1<<4)) }

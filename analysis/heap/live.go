package heap

import (
	"math/bits"

	"orrery/traceio"
)

// live is the set of blocks that are allocated at one moment of the log, by address. Memory is divided into granules,
// aligned pieces so small that no two blocks begin in one, and 64 granules make a page, which knows where blocks begin and
// what they use. So a legal allocation is seen to be legal by a look at one page, which is there anyway, without a look at
// any other block. What is larger than bigBlock is not marked granule by granule: a coarser map, from which nothing is
// taken away, tells where one may lie. Where it does, and where a log is at odds with itself, the nearest block at or below
// an address is found by the pages that have blocks: they are the lowest level of a trie of 64-bit words.
type live struct {
	n      int  // live blocks
	shift  uint // log2 of the granule
	pages  []livePage
	ids    []int32 // of pages with beginnings, 64 each: n+1 while block n stands there, ^n once it is gone, 0 before any
	chunks words   // by the number of chunkSize pages: index of their places over chunkSize, plus 1
	places []int32 // index of a page plus 1
	near   [nearChunks]nearChunk
	trie   [(64 + 5) / 6]words
	coarse words               // by 4 MiB: where a big block has been, in pieces of 64 KiB
	rough  [nearRough]wordSlot // those that were asked for lately
	bulky  Span                // all of these, rounded
	huge   bool                // one has been that is too large even for that, or the marks cannot be relied on
}

type livePage struct {
	number uint64
	starts uint64 // granules where a live block begins
	used   uint64 // granules that live blocks cover
	ids    int32  // index of the page's ids over 64, plus 1
	sticky bool   // blocks have overlapped here: what one uses another may use, and nothing is taken from used any more
}

// nearChunk is a chunk that was used lately, by its number plus 1, and where its places are over chunkSize.
type nearChunk struct{ chunk, at uint64 }

const (
	nearChunks = 512
	nearRough  = 64
	pageBits   = 6
	pageSize   = 1 << pageBits
	chunkBits  = 7
	chunkSize  = 1 << chunkBits
	largeBlock = 64 << 10
	largeBits  = 16
	hugeBlock  = 1 << 30
)

// sizes tells how many bytes the numbered blocks of a set have; one of none has an address all the same.
type sizes interface{ size(id int32) uint64 }

// newLive makes a set for addresses that are multiples of 1<<shift; others make it finer. mallocs is how many blocks are
// expected. There is room for as much heap as they usually take: memory that is never looked at costs nothing, and what grows
// step by step is copied at each.
func newLive(shift uint, mallocs int) *live {
	mallocs = min(mallocs, mostExpected)
	return &live{shift: shift, ids: make([]int32, 0, 8*mallocs), pages: make([]livePage, 0, mallocs/8)}
}

// mostExpected bounds the room that is made in advance.
const mostExpected = 1 << 23

func mix(x uint64) uint64 {
	x *= 0x9e3779b97f4a7c15
	return x ^ x>>32
}

// locate is the index of the page with a number, -1 when there is none. Indexes stay good until refine. The chunks of a heap
// of a hundred megabytes and their places stay close to the processor: the first wait for memory is the page itself.
func (l *live) locate(number uint64) int32 {
	n := &l.near[number>>chunkBits%nearChunks]
	if n.chunk != number>>chunkBits+1 {
		c := l.chunks.get(number >> chunkBits)
		if c == 0 {
			return -1
		}
		*n = nearChunk{number>>chunkBits + 1, c - 1}
	}
	return l.places[n.at<<chunkBits|number%chunkSize] - 1
}

// find is the page with a number, nil when there is none.
func (l *live) find(number uint64) *livePage {
	if page := l.locate(number); page >= 0 {
		return &l.pages[page]
	}
	return nil
}

// make is the page with a number, a new one if need be.
func (l *live) make(number uint64) *livePage {
	if p := l.find(number); p != nil {
		return p
	}
	c := l.chunks.make(number >> chunkBits)
	if *c == 0 {
		l.places = more(l.places, chunkSize)
		*c = uint64(len(l.places) / chunkSize)
	}
	l.pages = more(l.pages, 1)
	l.pages[len(l.pages)-1].number = number
	l.places[(*c-1)<<chunkBits|number%chunkSize] = int32(len(l.pages))
	return &l.pages[len(l.pages)-1]
}

// id is the entry of a granule of a page.
func (l *live) id(p *livePage, granule uint64) *int32 {
	if p.ids == 0 {
		l.ids = more(l.ids, pageSize)
		p.ids = int32(len(l.ids) / pageSize)
	}
	return &l.ids[uint64(p.ids-1)*pageSize+granule%pageSize]
}

// more lengthens a slice by n zeros. It doubles what has become too small: append takes smaller steps, and would copy and
// touch several times as much memory.
func more[T any](s []T, n int) []T {
	if len(s)+n > cap(s) {
		longer := make([]T, len(s), 2*len(s)+n)
		copy(longer, s)
		s = longer
	}
	return s[:len(s)+n]
}

// page is the index of the page of address a, -1 when it has none.
func (l *live) page(a traceio.Addr) int32 { return l.locate(uint64(a) >> l.shift >> pageBits) }

// at is what stands at a, in its page: n+1 for a live block n, ^n for one that is gone, 0 for neither.
func (l *live) at(a traceio.Addr, page int32) int32 {
	key := uint64(a) >> l.shift
	if page < 0 || l.pages[page].ids == 0 || key<<l.shift != uint64(a) {
		return 0
	}
	return l.ids[uint64(l.pages[page].ids-1)*pageSize+key%pageSize]
}

// place puts block id at [low, high), if nothing stands in its way, and tells whether it did. page is the index of the page
// of low, if known. It is clash and insert in one, for the common case of a small block in one page.
func (l *live) place(low, high traceio.Addr, id, page int32) bool {
	key, end := uint64(low)>>l.shift, uint64(high-1)>>l.shift
	if page < 0 || key>>pageBits != end>>pageBits || uint64(low)&(1<<l.shift-1) != 0 || l.huge || l.mayBeLarge(low) {
		return false
	}
	p, bits := &l.pages[page], span(key, end)
	if p.used&bits != 0 || p.ids == 0 {
		return false
	}
	l.n++
	if p.starts == 0 {
		l.mark(p.number)
	}
	p.starts |= 1 << (key % pageSize)
	p.used |= bits
	l.ids[uint64(p.ids-1)*pageSize+key%pageSize] = id + 1
	return true
}

// insert puts block id at [low, high), where no live block begins. clash tells that it overlaps one all the same. blocks are
// all up to it.
func (l *live) insert(low, high traceio.Addr, id int32, clash bool, blocks sizes) {
	if uint64(low)&(1<<l.shift-1) != 0 {
		l.refine(uint(bits.TrailingZeros64(uint64(low))), blocks)
	}
	l.n++
	key := uint64(low) >> l.shift
	p := l.make(key >> pageBits)
	if p.starts == 0 {
		l.mark(p.number)
	}
	p.starts |= 1 << (key % pageSize)
	*l.id(p, key) = id + 1
	l.cover(low, high, p, clash)
}

// cover marks what a block uses. p is the page where it begins; its pages become sticky if it overlaps another block.
func (l *live) cover(low, high traceio.Addr, p *livePage, sticky bool) {
	if high-low >= largeBlock {
		l.large(low, high)
		return
	}
	key, end := uint64(low)>>l.shift, uint64(high-1)>>l.shift
	for {
		p.used |= span(key, end)
		p.sticky = p.sticky || sticky
		if key|(pageSize-1) >= end {
			return
		}
		key = key&^(pageSize-1) + pageSize
		p = l.make(key >> pageBits)
	}
}

// span is the bits of granules [key, end] in the page of key.
func span(key, end uint64) uint64 {
	w := ^uint64(0) << (key % pageSize)
	if end < key|(pageSize-1) {
		w &= 1<<(end%pageSize+1) - 1
	}
	return w
}

// large notes where a large block lies.
func (l *live) large(low, high traceio.Addr) {
	if high-low >= hugeBlock {
		l.huge = true
		return
	}
	if l.coarse.n == 0 {
		l.bulky = Span{Low: low, High: high}
	}
	l.bulky.Low, l.bulky.High = min(l.bulky.Low, low&^(1<<largeBits-1)), max(l.bulky.High, (high-1)|(1<<largeBits-1))
	for key := uint64(low) >> largeBits; key <= uint64(high-1)>>largeBits; key = key&^63 + 64 {
		w := l.coarse.make(key >> 6)
		*w |= span(key, uint64(high-1)>>largeBits)
		l.rough[key>>6%nearRough] = wordSlot{key>>6 + 1, *w}
	}
}

// remove takes away the live block at [low, high), which begins in the given page.
func (l *live) remove(low, high traceio.Addr, page int32) {
	key := uint64(low) >> l.shift
	p := &l.pages[page]
	id := l.id(p, key)
	*id = ^(*id - 1)
	l.n--
	if p.starts &^= 1 << (key % pageSize); p.starts == 0 {
		l.unmark(p.number)
	}
	if high-low >= largeBlock {
		return
	}
	end := uint64(high-1) >> l.shift
	for {
		if !p.sticky {
			p.used &^= span(key, end)
		}
		if key|(pageSize-1) >= end {
			return
		}
		key = key&^(pageSize-1) + pageSize
		p = l.make(key >> pageBits)
	}
}

// clash finds a live block that has addresses of [low, high), -1 if there is none.
func (l *live) clash(low, high traceio.Addr, blocks sizes) int32 {
	if high-low < largeBlock && !l.huge && l.free(low, high) {
		return -1
	}
	if id, at, ok := l.below(high - 1); ok && at+traceio.Addr(max(blocks.size(id), 1)) > low {
		return id
	}
	return -1
}

// free tells that no live block has any of a few addresses. It may be false where none has.
func (l *live) free(low, high traceio.Addr) bool {
	if l.mayBeLarge(low) || l.mayBeLarge(high-1) {
		return false
	}
	key, end := uint64(low)>>l.shift, uint64(high-1)>>l.shift
	for {
		if p := l.find(key >> pageBits); p != nil && p.used&span(key, end) != 0 {
			return false
		}
		if key|(pageSize-1) >= end {
			return true
		}
		key = key&^(pageSize-1) + pageSize
	}
}

func (l *live) mayBeLarge(a traceio.Addr) bool {
	return a >= l.bulky.Low && a <= l.bulky.High && l.coarseAt(a)
}

// coarseAt tells whether a large block has been in the 64 KiB of an address.
func (l *live) coarseAt(a traceio.Addr) bool {
	key := uint64(a) >> largeBits
	n := &l.rough[key>>6%nearRough]
	if n.key != key>>6+1 {
		*n = wordSlot{key>>6 + 1, l.coarse.get(key >> 6)}
	}
	return n.word>>(key%64)&1 != 0
}

// mark tells the trie that a page has blocks.
func (l *live) mark(key uint64) {
	for i := range l.trie {
		w := l.trie[i].make(key >> 6)
		old := *w
		if *w |= 1 << (key & 63); old != 0 {
			return // the levels above know of this word already
		}
		key >>= 6
	}
}

func (l *live) unmark(key uint64) {
	for i := range l.trie {
		w := l.trie[i].make(key >> 6)
		if *w &^= 1 << (key & 63); *w != 0 {
			return
		}
		key >>= 6
	}
}

// below finds the live block that begins nearest to a, at or below it, and where it begins.
func (l *live) below(a traceio.Addr) (id int32, low traceio.Addr, ok bool) {
	key := uint64(a) >> l.shift
	number := key >> pageBits
	if p := l.find(number); p != nil {
		if w := p.starts & (2<<(key%pageSize) - 1); w != 0 {
			id, low = l.last(p, w)
			return id, low, true
		}
	}
	key = number
	for i := range l.trie {
		w := l.trie[i].get(key>>6) & (1<<(key&63) - 1)
		if w == 0 {
			key >>= 6
			continue
		}
		key = key&^63 | uint64(bits.Len64(w)-1)
		for i--; i >= 0; i-- {
			key = key<<6 | uint64(bits.Len64(l.trie[i].get(key))-1)
		}
		p := l.find(key)
		id, low = l.last(p, p.starts)
		return id, low, true
	}
	return 0, 0, false
}

// last is the block that begins at the last of some granules of a page, and where that is.
func (l *live) last(p *livePage, granules uint64) (id int32, low traceio.Addr) {
	granule := uint64(bits.Len64(granules) - 1)
	return *l.id(p, granule) - 1, traceio.Addr((p.number<<pageBits | granule) << l.shift)
}

// refine makes granules smaller.
func (l *live) refine(shift uint, blocks sizes) {
	fine := newLive(shift, 0)
	fine.coarse, fine.bulky, fine.huge, fine.n = l.coarse, l.bulky, l.huge, l.n
	for i := range l.pages {
		p := &l.pages[i]
		fine.huge = fine.huge || p.sticky
		for granule := range uint64(pageSize) {
			if p.ids == 0 {
				break
			}
			id := *l.id(p, granule)
			if id == 0 {
				continue
			}
			low := traceio.Addr((p.number<<pageBits | granule) << l.shift)
			key := uint64(low) >> shift
			q := fine.make(key >> pageBits)
			*fine.id(q, key) = id
			if id > 0 {
				if q.starts == 0 {
					fine.mark(q.number)
				}
				q.starts |= 1 << (key % pageSize)
				fine.cover(low, low+traceio.Addr(max(blocks.size(id-1), 1)), q, false)
			}
		}
	}
	*l = *fine
}

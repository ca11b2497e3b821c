package heap

import (
	"math/bits"

	"orrery/traceio"
)

// live is the set of blocks that are allocated at one moment of the log, by address. Memory is divided into granules,
// aligned pieces so small that no two blocks begin in one, and 64 granules make a page, which knows where blocks begin
// and what they use. So a legal allocation is seen to be legal by a look at one page, which is there anyway, without a
// look at any other block. What is larger than largeBlock is not marked granule by granule: a coarser map, from which
// nothing is taken away, tells where one may lie. Where it does, and where a log is at odds with itself, the nearest
// block at or below an address is found by the pages that have blocks: they are the lowest level of a trie of 64-bit
// words.
//
// glibc aligns blocks to 16 bytes and has none of less than 32: two granules share an id, until two blocks begin there.
type live struct {
	shift   uint // log2 of the granule
	shared  uint // log2 of the granules that share an id: 1 or 0
	pages   []livePage
	numbers []uint64 // of the pages
	// pages where blocks have overlapped: what one uses another may use, and nothing is taken from used any more
	sticky map[int32]bool
	ids    []uint32 // of pages with beginnings: 2n+2, and 1 more for the second granule of two, while block n stands there
	chunks words    // by the number of chunkSize pages: index of their places over chunkSize, plus 1
	places []place
	near   [nearChunks]nearChunk
	trie   [(64 + 5) / 6]words
	coarse words               // by 4 MiB: where a big block has been, in pieces of 64 KiB
	rough  [nearRough]wordSlot // those that were asked for lately
	bulky  Span                // all of these, rounded
	huge   bool                // one has been that is too large even for that, or the marks cannot be relied on
}

type livePage struct {
	starts uint64 // granules where a live block begins
	used   uint64 // granules that live blocks cover
}

// place is where a page and its ids are: the index of the page and that of its ids over their number, both plus 1, 0
// for none.
type place struct{ page, ids int32 }

// spot is the place of an address: indexes in pages and ids, -1 where there is none.
type spot struct{ page, id int32 }

// nearChunk is a chunk that was used lately, by its number plus 1, and where its places are.
type nearChunk struct{ chunk, at uint64 }

const (
	nearChunks = 1024
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

// newLive makes a set for addresses that are multiples of 1<<shift, no two of which are side by side; others make it
// finer. mallocs is how many blocks are expected. There is room for as much heap as they usually take: memory that is
// never looked at costs nothing, and what grows step by step is copied at each.
func newLive(shift uint, mallocs int) *live {
	mallocs = min(mallocs, mostExpected)
	return &live{shift: shift, shared: 1, ids: make([]uint32, 0, 4*mallocs), pages: make([]livePage, 0, mallocs/8),
		numbers: make([]uint64, 0, mallocs/8), places: make([]place, 0, mallocs/8)}
}

// mostExpected bounds the room that is made in advance.
const mostExpected = 1 << 23

func mix(x uint64) uint64 {
	x *= 0x9e3779b97f4a7c15
	return x ^ x>>32
}

// locate is the index in places of the page with a number, -1 when it has none. The chunks of a heap of a hundred
// megabytes and their places stay close to the processor: the first wait for memory is the page itself.
func (l *live) locate(number uint64) int {
	n := &l.near[number>>chunkBits%nearChunks]
	if n.chunk != number>>chunkBits+1 {
		c := l.chunks.get(number >> chunkBits)
		if c == 0 {
			return -1
		}
		*n = nearChunk{number>>chunkBits + 1, (c - 1) << chunkBits}
	}
	return int(n.at | number%chunkSize)
}

// find is the page with a number, nil when there is none.
func (l *live) find(number uint64) *livePage {
	if at := l.locate(number); at >= 0 && l.places[at].page > 0 {
		return &l.pages[l.places[at].page-1]
	}
	return nil
}

// make is the index of the page with a number, a new one if need be, and its place.
func (l *live) make(number uint64) (page int32, at *place) {
	where := l.locate(number)
	if where < 0 {
		c := l.chunks.make(number >> chunkBits)
		l.places = more(l.places, chunkSize)
		*c = uint64(len(l.places) / chunkSize)
		where = int((*c-1)<<chunkBits | number%chunkSize)
		l.places[where] = place{}
	}
	at = &l.places[where]
	if at.page == 0 {
		l.pages, l.numbers = more(l.pages, 1), more(l.numbers, 1)
		l.numbers[len(l.pages)-1], l.pages[len(l.pages)-1] = number, livePage{}
		at.page = int32(len(l.pages))
	}
	return at.page - 1, at
}

// spot is the place of address a. Indexes stay good until refine.
func (l *live) spot(a traceio.Addr) spot {
	key := uint64(a) >> l.shift
	if where := l.locate(key >> pageBits); where >= 0 {
		at := l.places[where]
		return spot{at.page - 1, l.entry(at.ids, key)}
	}
	return spot{-1, -1}
}

// entry is the index in ids of a granule, given the page's place of them; -1 where there is none.
func (l *live) entry(ids int32, key uint64) int32 {
	if ids == 0 {
		return -1
	}
	return (ids-1)<<(pageBits-l.shared) | int32(key%pageSize>>l.shared)
}

// room is spot for an address where a block is about to begin.
func (l *live) room(a traceio.Addr) spot {
	key := uint64(a) >> l.shift
	page, at := l.make(key >> pageBits)
	if at.ids == 0 {
		l.ids = more(l.ids, pageSize>>l.shared)
		at.ids = int32(len(l.ids) >> (pageBits - l.shared))
		l.ids[len(l.ids)-1] = 0 // memory that is read before anything is written there costs two faults
	}
	return spot{page, l.entry(at.ids, key)}
}

// more lengthens a slice by n zeros. It doubles what has become too small: append takes smaller steps, and would copy
// and touch several times as much memory.
func more[T any](s []T, n int) []T {
	if len(s)+n > cap(s) {
		longer := make([]T, len(s), 2*len(s)+n)
		copy(longer, s)
		s = longer
	}
	return s[:len(s)+n]
}

// at is the live block that begins at a, whose spot is given, -1 where none does.
func (l *live) at(a traceio.Addr, s spot) int32 {
	if s.id < 0 || uint64(a)&(1<<l.shift-1) != 0 {
		return -1
	}
	if id := l.ids[s.id]; id&1 == uint32(l.second(uint64(a)>>l.shift)) {
		return int32(id>>1) - 1
	}
	return -1
}

// second is 1 for the second of two granules that share an id.
func (l *live) second(key uint64) uint64 { return key & uint64(l.shared) }

// tryInsert puts block id at [low, high), if nothing stands in its way, and tells whether it did. It is clash and
// insert in one, for the common case.
func (l *live) tryInsert(low, high traceio.Addr, id int32, s spot) bool {
	key, end := uint64(low)>>(l.shift&63), uint64(high-1)>>(l.shift&63)
	if s.id < 0 || uint64(low)&(1<<l.shift-1) != 0 || l.huge || high-low >= largeBlock || l.mayBeLarge(low) {
		return false
	}
	p, granules := &l.pages[s.page], span(key, end)
	if p.used&granules != 0 || p.starts>>((key^uint64(l.shared))%pageSize)&1 != 0 || key|(pageSize-1) < end &&
		!l.across(key, end, high) {
		return false
	}
	p = &l.pages[s.page] // there may be more pages now
	p.used |= granules
	if p.starts == 0 {
		l.mark(key >> pageBits)
	}
	p.starts |= 1 << (key % pageSize)
	l.ids[s.id] = uint32(id+1)<<1 | uint32(l.second(key))
	return true
}

// across is tryInsert for what reaches beyond the first page.
func (l *live) across(key, end uint64, high traceio.Addr) bool {
	if l.mayBeLarge(high - 1) {
		return false
	}
	from := key&^(pageSize-1) + pageSize
	for key = from; key <= end; key += pageSize {
		if page, _ := l.make(key >> pageBits); l.pages[page].used&span(key, end) != 0 {
			return false
		}
	}
	for key = from; key <= end; key += pageSize {
		l.find(key >> pageBits).used |= span(key, end)
	}
	return true
}

// insert puts block id at [low, high), where no live block begins. clash tells that it overlaps one all the same.
// blocks are all up to it. It tells whether spots are other ones than before.
func (l *live) insert(low, high traceio.Addr, id int32, clash bool, blocks sizes) (refined bool) {
	if uint64(low)&(1<<l.shift-1) != 0 {
		l.refine(uint(bits.TrailingZeros64(uint64(low))), blocks)
		refined = true
	}
	s, key := l.room(low), uint64(low)>>l.shift
	if l.shared > 0 && l.pages[s.page].starts>>((key^1)%pageSize)&1 != 0 {
		l.refine(l.shift, blocks)
		s = l.room(low)
		refined = true
	}
	p := &l.pages[s.page]
	if p.starts == 0 {
		l.mark(key >> pageBits)
	}
	p.starts |= 1 << (key % pageSize)
	l.ids[s.id] = uint32(id+1)<<1 | uint32(l.second(key))
	l.cover(low, high, clash)
	return refined
}

// cover marks what a block uses; its pages become sticky if it overlaps another block.
func (l *live) cover(low, high traceio.Addr, sticky bool) {
	if high-low >= largeBlock {
		l.large(low, high)
		return
	}
	key, end := uint64(low)>>l.shift, uint64(high-1)>>l.shift
	for {
		page, _ := l.make(key >> pageBits)
		l.pages[page].used |= span(key, end)
		if sticky {
			if l.sticky == nil {
				l.sticky = map[int32]bool{}
			}
			l.sticky[page] = true
		}
		if key|(pageSize-1) >= end {
			return
		}
		key = key&^(pageSize-1) + pageSize
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

// remove takes away the live block at [low, high), which begins at the given spot.
func (l *live) remove(low, high traceio.Addr, s spot) {
	key, end := uint64(low)>>(l.shift&63), uint64(high-1)>>(l.shift&63)
	p := &l.pages[s.page]
	l.ids[s.id] = 0
	if p.starts &^= 1 << (key % pageSize); p.starts == 0 {
		l.unmark(key >> pageBits)
	}
	switch {
	case high-low >= largeBlock:
	case l.sticky == nil && key|(pageSize-1) >= end:
		p.used &^= span(key, end)
	default:
		l.uncover(key, end)
	}
}

// uncover is the rest of remove for what reaches beyond a page, or stands in a log with overlaps.
func (l *live) uncover(key, end uint64) {
	for {
		at := l.places[l.locate(key>>pageBits)]
		if !l.sticky[at.page-1] {
			l.pages[at.page-1].used &^= span(key, end)
		}
		if key|(pageSize-1) >= end {
			return
		}
		key = key&^(pageSize-1) + pageSize
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
			id, low = l.last(number, w)
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
		id, low = l.last(key, l.find(key).starts)
		return id, low, true
	}
	return 0, 0, false
}

// last is the block that begins at the last of some granules of the page with a number, and where that is.
func (l *live) last(number, granules uint64) (id int32, low traceio.Addr) {
	low = traceio.Addr((number<<pageBits | uint64(bits.Len64(granules)-1)) << l.shift)
	return int32(l.ids[l.spot(low).id]>>1) - 1, low
}

// refine makes granules as small as that, each with an id of its own.
func (l *live) refine(shift uint, blocks sizes) {
	fine := newLive(shift, 0)
	fine.shared = 0
	fine.coarse, fine.bulky, fine.huge = l.coarse, l.bulky, l.huge || len(l.sticky) > 0
	for page, number := range l.numbers {
		for w := l.pages[page].starts; w != 0; w &= w - 1 {
			id, low := l.last(number, w&-w)
			s, key := fine.room(low), uint64(low)>>shift
			fine.ids[s.id] = uint32(id+1) << 1
			p := &fine.pages[s.page]
			if p.starts == 0 {
				fine.mark(key >> pageBits)
			}
			p.starts |= 1 << (key % pageSize)
			fine.cover(low, low+traceio.Addr(max(blocks.size(id), 1)), false)
		}
	}
	*l = *fine
}

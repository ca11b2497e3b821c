package orr

import (
	"math/bits"
	"slices"

	"orrery/traceio"
)

// Coder and decoder remember the same of a block's rows so far. Both go through the same sequence of updates, so a
// prediction that is right for the one is right for the other. A site is an instruction with the size and kind of what
// it does. Sites are numbered from 1 in order of first appearance in the block; 0 is none.

// site is what is the same for all rows of a site.
type site struct {
	pc   uint64
	code uint32 // size<<2 | kind, a traceio.Kind or selfFetch
}

// selfFetch is the kind of a fetch whose address is its PC, as all are where the recorder tells both; such rows store
// no address.
const selfFetch = 3

// slots is how many groups of threads have their own predictions; threads share them modulo slots, which bounds the
// memory whatever a file claims.
const slots = 16

// lane is what is remembered for one slot, by site.
type lane struct {
	hops  []hop   // the decoder's
	ahead []ahead // the coder's
	recs  []rec
	prev  uint32 // site of the last row
	addr  uint64 // address of the last row that has one
	lap   lap    // the coder's

	reach reach      // the decoder's
	fixed []fixedRec // the decoder's, instead of recs for the layouts before layoutWays
}

func (l *lane) reset() {
	l.hops, l.ahead, l.recs, l.fixed, l.reach = l.hops[:0], l.ahead[:0], l.recs[:0], l.fixed[:0], l.reach[:0]
	l.prev, l.addr, l.lap = 0, 0, lap{}
}

// room makes room for all sites of a block, for the decoder.
func (l *lane) room(s *siteTable, layout uint16) {
	if n := s.known; len(l.hops) < n {
		l.hops, l.reach = lengthen(l.hops, n), lengthen(l.reach, n+chunk)
		switch {
		case layout < layoutWays:
			l.fixed = lengthen(l.fixed, n)
		case layout < layoutFirst:
			l.recs = lengthen(l.recs, n)
		default:
			l.straight(s.first[:n])
		}
	}
}

// straight makes each site follow the one before, and expect its first address.
func (l *lane) straight(first []traceio.Addr) {
	n := len(first)
	l.recs = resize(l.recs, n)
	recs, hops, reach := l.recs[:n], l.hops[:n], l.reach[front:][:n]
	for i, addr := range first {
		recs[i] = rec{next: uint64(addr)}
		hops[i].next = uint32(i + 1)
		reach[i] = chunk - 1
	}
	hops[n-1].next = 0 // nothing follows the last
	for i := range min(n, chunk) {
		reach[n-1-i] = uint8(i)
	}
}

// lengthen gives s at least n elements, new ones zero. Its memory doubles at least: sites are found one by one.
func lengthen[S ~[]T, T any](s S, n int) S {
	at := len(s)
	if at >= n {
		return s
	}
	if n > cap(s) {
		s = slices.Grow(s, max(n, 2*cap(s))-at)
	}
	s = s[:n]
	clear(s[at:])
	return s
}

// hop says where the rows of a site led; to the next site by number, as long as nobody knows.
type hop struct {
	next  uint32 // the site that followed most recently
	other uint32 // the one that followed before that
}

// ahead is a hop with what a row must have to be of the site that is next; keyNone as long as nobody knows.
type ahead struct {
	key         Key
	next, other uint32
}

// follow makes site n, whose key is given, the most recent follower.
func (h *ahead) follow(n uint32, key Key) {
	if h.next != n {
		h.key, h.other, h.next = key, h.next, n
	}
}

// rec says what the addresses of a site were like, and by which way the next is predicted. What a hit costs counts: all
// else is found again when a row is missed, by where the site's last one stands. Before its first row a site expects
// the address that its block tells for it.
type rec struct {
	next   uint64 // the address expected, but for what way adds
	step   uint64 // what a hit adds to next: the stride by wayStride, otherwise 0
	stride uint64 // the distance that came twice in a row last
	delta  uint64 // that of the last row missed from the one before it
	// twice 1 + the place of its last row among those of the block that have an address, + 1 where that was missed
	mark uint32
	way  uint32
}

// row is 1 + the place of the site's last row, 0 for none.
func (r *rec) row() uint32 { return r.mark / 2 }

// missed tells that the last row was not predicted.
func (r *rec) missed() bool { return r.mark&1 != 0 }

// open tells that the site changes its way if it is wrong once more, as one does that has gone nowhere yet.
func (r *rec) open() bool { return r.missed() || r.delta == 0 }

// hit tells that row i was predicted.
func (r *rec) hit(i int) {
	r.next += r.step
	r.mark = uint32(2 * (i + 1))
}

// The ways to predict the address of a row of a site. A site changes to the way that was right when its own has been
// wrong twice in a row.
//
// What a row's address is made from is often in sight: what a function does to its frame is as far from the call's own
// store as the last time, and a loop that goes through two arrays by one index that it looks up somewhere is as far
// from both. An array whose elements are twice as long, like a hash chain's links beside the bytes that they are for,
// goes twice as far.
const (
	wayStride = iota // its last address + the stride
	wayBefore        // as far from there as the row before has gone since then
	waySecond        // as far as the row before that has gone
	wayDouble        // twice as far as the row before has gone
	wayGuess         // the guess table
	ways
)

// miss tells that row i has an address, at distance d of the last, that was not predicted, and by which way the site
// goes from now on; the two rows before had the others.
func (r *rec) miss(i int, addr, d, before, second uint64, way uint32) {
	delta := r.delta
	if !r.missed() {
		delta = r.step
	}
	if d == delta {
		r.stride = d
	}
	r.mark, r.delta, r.way, r.step = uint32(2*(i+1)+1), d, way, 0
	switch way {
	case wayStride:
		r.step = r.stride
		addr += r.stride
	case wayBefore:
		addr -= before
	case waySecond:
		addr -= second
	case wayDouble:
		addr -= 2 * before
	}
	r.next = addr
}

// A guess table remembers which address a site had when the data row before it had a given one: the walk through
// a list or a tree repeats itself that way. Rows that go by it and rows that were not predicted are put there.
const guessBits = 13

func guess(site uint32, prev uint64) uint64 {
	return (prev ^ uint64(site)*0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93 >> (64 - guessBits)
}

// After every guessTrial misses of a block, unless one of guessWorth so far was guessed, misses are not put into the
// table any more.
const (
	guessTrial = 4096
	guessWorth = 64
)

func worth(misses, guessed int) bool { return guessed*guessWorth > misses }

// What the control of a row says whose address is not what the way of its site predicts: which other way is right, or
// how many residual bytes follow (lastWidths, prevWidths), zig-zag, and what they are added to.
const (
	fromLast = ways // + index in lastWidths, added to last
	fromPrev = 12   // + index in prevWidths, added to the address of the row before
)

// The numbers of residual bytes that there are controls for; others are rounded up. Four bits hold all controls, so
// they need no code that counts how frequent each is.
var (
	lastWidths = [fromPrev - fromLast]uint8{0, 1, 2, 3, 4, 6, 8}
	prevWidths = [16 - fromPrev]uint8{1, 2, 3, 8}
)

func zigzag(d uint64) uint64   { return d<<1 ^ uint64(int64(d)>>63) }
func unzigzag(z uint64) uint64 { return z>>1 ^ -(z & 1) }

// byteLen is how many bytes z needs, 0 for 0.
func byteLen(z uint64) int { return (bits.Len64(z) + 7) / 8 }

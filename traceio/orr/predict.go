package orr

import (
	"math/bits"
	"slices"
)

// Coder and decoder remember the same of a block's rows so far. Both go through the same sequence of updates, so a prediction
// that is right for the one is right for the other. A site is an instruction with the size and kind of what it does.
// Sites are numbered from 1 in order of first appearance in the block; 0 is none.

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

	reach reach // the decoder's
}

func (l *lane) reset() {
	l.hops, l.ahead, l.recs, l.reach, l.prev, l.addr = l.hops[:0], l.ahead[:0], l.recs[:0], l.reach[:0], 0, 0
}

// grow makes room for sites up to n-1.
func (l *lane) grow(n int) { l.ahead, l.recs = lengthen(l.ahead, n), lengthen(l.recs, n) }

// room is grow for the decoder.
func (l *lane) room(n int) {
	l.hops, l.recs = lengthen(l.hops, n), lengthen(l.recs, n)
	l.reach = lengthen(l.reach, n+chunk)
}

// lengthen gives s at least n elements, new ones zero.
func lengthen[S ~[]T, T any](s S, n int) S {
	at := len(s)
	if at >= n {
		return s
	}
	s = slices.Grow(s, n-at)[:n]
	clear(s[at:])
	return s
}

// hop says where the rows of a site led.
type hop struct {
	next  uint32 // the site that followed most recently
	other uint32 // the one that followed before that
}

// ahead is a hop with what a row must have to be of the site that is next. No row has a key of 0.
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

// rec says what the addresses of a site were like.
type rec struct {
	last   uint64 // of its last row
	delta  uint64 // last minus the one before
	stride uint64 // the delta that came twice in a row last
	rel    uint64 // last minus the address of the row before it, of any site
}

// A guess table remembers which address a site had when the data row before it had a given one: the walk through
// a list or a tree repeats itself that way.
const guessBits = 13

func guess(site uint32, prev uint64) uint64 {
	return (prev ^ uint64(site)*0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93 >> (64 - guessBits)
}

// What the control of a row says whose address is not the last of its site plus the stride: which other prediction was right, or
// how many residual bytes follow (lastWidths, prevWidths), zig-zag, and what they are added to.
const (
	byRel    = 0  // address of the row before + rel of the site
	byGuess  = 1  // the guess table
	fromLast = 2  // + index in lastWidths, added to last
	fromPrev = 10 // + index in prevWidths, added to the address of the row before
)

// The numbers of residual bytes that there are controls for; others are rounded up. Four bits hold all controls, so they need no
// code that counts how frequent each is.
var (
	lastWidths = [fromPrev - fromLast]uint8{0, 1, 2, 3, 4, 5, 6, 8}
	prevWidths = [16 - fromPrev]uint8{1, 2, 3, 4, 6, 8}
)

// The controls of layoutBytes and layoutBits.
const (
	oldStride   = 0  // only in layoutBytes, which has a control byte for every address
	oldRel      = 1  // as byRel
	oldGuess    = 2  // as byGuess
	oldFromLast = 3  // + number of bytes 0..8, as fromLast
	oldFromPrev = 12 // + number of bytes 0..8, as fromPrev
	oldEnd      = 21
)

func zigzag(d uint64) uint64   { return d<<1 ^ uint64(int64(d)>>63) }
func unzigzag(z uint64) uint64 { return z>>1 ^ -(z & 1) }

// byteLen is how many bytes z needs, 0 for 0.
func byteLen(z uint64) int { return (bits.Len64(z) + 7) / 8 }

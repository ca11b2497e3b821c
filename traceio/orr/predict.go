package orr

import (
	"math/bits"

	"orrery/traceio"
)

// A site is what the rows of one instruction have in common. Rows are stored as site numbers, numbered in order of
// first appearance in the block.
type site struct {
	pc   traceio.Addr
	size uint16
	kind uint8 // a traceio.Kind, or selfFetch
}

// selfFetch is the kind of a fetch whose address is its PC, as all are where the recorder tells both; such rows store
// no address.
const selfFetch = 3

// state is what coder and decoder both remember of a site, for one slot of threads. Both go through the same
// sequence of updates, so a prediction that was right for the one is right for the other.
type state struct {
	last    uint64 // address of its last row
	delta   uint64 // last minus the one before
	stride  uint64 // the delta that came twice in a row last
	rel     uint64 // last minus the address of the data row before it, of any site
	next    uint32 // number+1 of the site that followed most recently
	another uint32 // number+1 of the one that followed before that
}

// slots is how many groups of threads have their own predictions; threads share them modulo slots, which bounds the
// memory whatever a file claims.
const slots = 16

// lane is the state of one slot.
type lane struct {
	sites []state // by site number, grown on first use
	prev  uint32  // number+1 of the site of the last row, 0 at first
	addr  uint64  // address of the last data row
}

// at gives the state of site id, which is below sites.
func (l *lane) at(id uint32, sites int) *state {
	if int(id) >= len(l.sites) {
		l.grow(sites)
	}
	return &l.sites[id]
}

func (l *lane) grow(sites int) {
	old := len(l.sites)
	if cap(l.sites) < sites {
		grown := make([]state, old, max(sites, 2*cap(l.sites)))
		copy(grown, l.sites)
		l.sites = grown
	}
	l.sites = l.sites[:sites]
	clear(l.sites[old:])
}

func (l *lane) reset() { l.sites, l.prev, l.addr = l.sites[:0], 0, 0 }

// follow makes id the most recent follower of s.
func (s *state) follow(id uint32) {
	if s.next != id+1 {
		s.another, s.next = s.next, id+1
	}
}

// move takes in the address that a row really had; prev is the address of the data row before it.
func (s *state) move(addr, prev uint64) {
	d := addr - s.last
	if d == s.delta {
		s.stride = d
	}
	s.delta, s.rel, s.last = d, addr-prev, addr
}

// A guess table remembers which address a site had when the data row before it had a given one: the walk through
// a list or a tree repeats itself that way.
const guessBits = 13

func guess(id uint32, prev uint64) uint64 {
	return (prev ^ uint64(id)*0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93 >> (64 - guessBits)
}

// What the control byte of a data row says: which prediction was right, or how many residual bytes follow and what
// they are added to.
const (
	byStride   = 0  // last + stride of the site
	byRel      = 1  // address of the data row before + rel of the site
	byGuess    = 2  // the guess table
	fromLast   = 3  // + number of bytes 0..8, zig-zag, added to last
	fromPrev   = 12 // + number of bytes 0..8, zig-zag, added to the address of the data row before
	controlEnd = 21
)

func zigzag(d uint64) uint64   { return d<<1 ^ uint64(int64(d)>>63) }
func unzigzag(z uint64) uint64 { return z>>1 ^ -(z & 1) }

// byteLen is how many bytes z needs, 0 for 0.
func byteLen(z uint64) int { return (bits.Len64(z) + 7) / 8 }

package orr

import "math/bits"

// rec is what coder and decoder both remember of a site: an instruction with the size and kind of what it does, which
// is the same for all rows of the site, and what its rows were like so far. Both go through the same sequence of
// updates, so a prediction that is right for the one is right for the other. Sites are numbered in order of first
// appearance in the block; a reference to one is its number plus 1, and 0 is none.
type rec struct {
	pc     uint64
	last   uint64 // address of its last row
	delta  uint64 // last minus the one before
	stride uint64 // the delta that came twice in a row last
	rel    uint64 // last minus the address of the data row before it, of any site
	code   uint32 // size<<2 | kind, a traceio.Kind or selfFetch
	next   uint32 // reference to the site that followed most recently
	other  uint32 // and to the one that followed before that
}

// selfFetch is the kind of a fetch whose address is its PC, as all are where the recorder tells both; such rows store
// no address.
const selfFetch = 3

// slots is how many groups of threads have their own predictions; threads share them modulo slots, which bounds the
// memory whatever a file claims.
const slots = 16

// lane is what is remembered for one slot.
type lane struct {
	recs []rec  // by site number, grown on use
	prev uint32 // reference to the site of the last row
	addr uint64 // address of the last data row
}

func (l *lane) reset() { l.recs, l.prev, l.addr = l.recs[:0], 0, 0 }

// grow brings in the sites that the lane does not have yet.
func (l *lane) grow(sites []site) {
	for _, s := range sites[len(l.recs):] {
		l.recs = append(l.recs, rec{pc: s.pc, code: s.code})
	}
}

// site is the fixed part of a rec.
type site struct {
	pc   uint64
	code uint32
}

// follow makes ref the most recent follower of r.
func (r *rec) follow(ref uint32) {
	if r.next != ref {
		r.other, r.next = r.next, ref
	}
}

// move takes in the address that a row really had; prev is the address of the data row before it.
func (r *rec) move(addr, prev uint64) {
	d := addr - r.last
	if d == r.delta {
		r.stride = d
	}
	r.delta, r.rel, r.last = d, addr-prev, addr
}

// A guess table remembers which address a site had when the data row before it had a given one: the walk through
// a list or a tree repeats itself that way.
const guessBits = 13

func guess(ref uint32, prev uint64) uint64 {
	return (prev ^ uint64(ref)*0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93 >> (64 - guessBits)
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

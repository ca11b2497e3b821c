package orr

import "math/bits"

// reside writes the addresses of rows: nothing but a bit where the way of the site predicts them.
func (c *coder) reside(l *lane, refs []uint32) {
	x := &c.comparing
	x.recs, x.addrs, x.guess, x.before = l.recs, c.addrs[:], &c.guess, l.addr
	for len(refs) > 0 {
		x.refs, x.place = refs[:min(64, len(refs))], c.places
		x.noting, x.until = c.guessing, guessTrial-c.controls%guessTrial
		compareRows(x)
		c.correct(x.misses[:bits.OnesCount64(x.missed)])
		at, bit := c.places/64, c.places%64
		c.missed[at] |= x.missed << bit
		c.missed[at+1] |= x.missed >> (64 - bit)
		c.places += x.rows
		if c.right += x.right; x.missed != 0 && c.controls%guessTrial == 0 {
			c.guessing = c.guessing && worth(c.controls, c.right)
		}
		refs = refs[x.rows:]
	}
	l.addr = x.before
}

// aside is by how many bits the residue to the row before must be the shorter one to be taken: a site that is mostly
// told by its own last address has fewer different control bytes.
const aside = 3

// miss is an address that was not predicted.
type miss struct {
	d, e uint64 // its distance from the last of the site, and from that of the row before
	way  uint64 // that would have been right; ways where none is
}

// comparing are rows of a lane.
type comparing struct {
	recs   []rec
	refs   []uint32 // of at most 64 rows
	addrs  []uint64 // of the block, behind a margin
	place  int      // of the first row
	before uint64   // address of the row before, and afterwards of the last
	guess  *[1 << guessBits]uint64
	noting bool // misses, too, are put into the guess table
	until  int  // the miss, counted from 1, that is to be the last row

	rows   int    // that were compared
	missed uint64 // a bit for each
	right  int    // misses that the guess table knew
	misses [64]miss
}

// compareAny finds the misses among rows. What tells a miss best is as good as random.
func compareAny(x *comparing) {
	x.rows, x.missed, x.right = 0, 0, 0
	for n := 0; x.rows < len(x.refs) && n < x.until; x.rows++ {
		ref := x.refs[x.rows]
		r, i := &x.recs[ref], x.place+x.rows
		addr, second := x.addrs[margin+i], x.addrs[margin-2+i]
		if addr == x.expected(r, ref, addr, second) {
			r.hit(i)
			x.before = addr
			continue
		}
		x.missed |= 1 << x.rows
		own := (*[margin]uint64)(x.addrs[r.row():])
		d, gone, way := addr-own[margin-1], x.before-own[margin-2], uint64(ways)
		if x.noting && r.way != wayGuess { // which has missed, and is put down
			if x.swap(ref, addr) == addr {
				way = wayGuess
			}
		}
		if d == 2*gone {
			way = wayDouble
		}
		if d == second-own[margin-3] {
			way = waySecond
		}
		if d == gone {
			way = wayBefore
		}
		if d == r.stride {
			way = wayStride
		}
		x.misses[n] = miss{d, addr - x.before, way}
		if way == wayGuess {
			x.right++
		}
		if way == ways || !r.open() {
			way = uint64(r.way)
		}
		r.miss(i, addr, d, x.before, second, uint32(way))
		x.before = addr
		n++
	}
}

// margin is how many rows before its last one count for a site, and that.
const margin = 3

// expected is what a site expects for a row, two behind one with the second address. What is put into the guess table
// is its own.
func (x *comparing) expected(r *rec, ref uint32, addr, second uint64) uint64 {
	switch r.way {
	case wayBefore:
		return r.next + x.before
	case waySecond:
		return r.next + second
	case wayDouble:
		return r.next + 2*x.before
	case wayGuess:
		return x.swap(ref, addr)
	}
	return r.next
}

// swap gives what the guess table expects for the row of a site, and puts what it has there.
func (x *comparing) swap(ref uint32, addr uint64) uint64 {
	g := &x.guess[guess(ref, x.before)]
	was := *g
	*g = addr
	return was
}

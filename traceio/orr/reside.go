package orr

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"orrery/traceio"
)

// reside undoes coder.reside for rows, at most step, whose addresses are the next of addrs.
func (d *decoder) reside(l *lane, refs []uint32, addrs []traceio.Addr, in *input) error {
	if len(refs) > in.places-in.place {
		return errEnd
	}
	for len(refs) > 0 {
		n := len(refs)
		if in.place < 2 {
			n = min(n, 2-in.place)
		}
		n, misses := d.look(n, in)
		if misses > len(in.control) || in.at > in.end {
			return errEnd
		}
		if in.fixed() {
			d.fixedRows(l, refs[:n], addrs[in.place:], d.tell(misses, in), in)
		} else {
			d.residents(l, refs[:n], addrs, misses, in)
		}
		in.place += n
		refs = refs[n:]
	}
	return nil
}

// look finds which of the next n rows were not predicted, and how many. It takes fewer where the guess table is to be
// judged between.
func (d *decoder) look(n int, in *input) (rows, misses int) {
	trial := guessTrial - in.told%guessTrial
	shift := in.place % 64
	words := in.missed[in.place/64:]
	for k := 0; 64*k < n; k++ {
		missed := words[k]>>shift | words[k+1]<<(64-shift)
		if left := n - 64*k; left < 64 {
			missed &= 1<<left - 1
		}
		more := bits.OnesCount64(missed)
		if misses+more > trial {
			before := rank(missed, trial-misses+1) - 1
			d.missed[k] = missed & (1<<before - 1)
			return 64*k + before, trial
		}
		d.missed[k], misses = missed, misses+more
	}
	return n, misses
}

// rank is how many bits there are up to the nth that is 1, that included.
func rank(x uint64, n int) int {
	for ; n > 1; n-- {
		x &= x - 1
	}
	return bits.TrailingZeros64(x) + 1
}

// residing are rows of a lane.
type residing struct {
	recs    []rec
	refs    []uint32 // of up to step rows
	addrs   []traceio.Addr
	from    int                     // their place in addrs
	stops   []uint32                // the places of the rows that were not predicted, and that behind the last row
	control []byte                  // one for each miss
	residue []byte                  // theirs, and at least 8 bytes; afterwards what they leave
	before  uint64                  // address of the row before, and afterwards of the last
	guess   *[1 << guessBits]uint64 // for the rows that go by it
	noting  bool                    // misses, too, are put into the guess table
	early   bool                    // of layoutWays; see open
}

// residents is reside for rows whose bits are looked at, of which so many are misses.
func (d *decoder) residents(l *lane, refs []uint32, addrs []traceio.Addr, misses int, in *input) {
	x := &d.residing
	x.recs, x.refs, x.addrs, x.from, x.before = l.recs, refs, addrs[:in.place+len(refs)], in.place, l.addr
	x.stops = d.stop(len(refs), in.place)
	x.control, x.residue = in.control[:misses], in.residue[in.at:]
	x.guess, x.noting = &d.guess, in.guesses > 0
	if x.early = in.layout == layoutWays; x.early || in.place < 2 {
		residentAny(x)
	} else {
		residentRows(x)
	}
	l.addr = x.before
	in.guessed += bytes.Count(in.control[:misses], []byte{wayGuess})
	in.control, in.at = in.control[misses:], len(in.residue)-len(x.residue)
	if in.told += misses; misses > 0 && in.told%guessTrial == 0 && !worth(in.told, in.guessed) {
		in.guesses = 0
	}
}

// stop finds the places of those of n rows from a place on that were not predicted, and adds that behind them: four at
// a time, as nobody foresees how many there are.
func (d *decoder) stop(n, from int) []uint32 {
	at := 0
	for k, missed := range d.missed[:(n+63)/64] {
		base, next := uint32(from+64*k), at+bits.OnesCount64(missed)
		for ; at < next; at += 4 {
			four := (*[4]uint32)(d.stops[at:])
			second := missed & (missed - 1)
			third := second & (second - 1)
			fourth := third & (third - 1)
			four[0], four[1] = base+uint32(bits.TrailingZeros64(missed)), base+uint32(bits.TrailingZeros64(second))
			four[2], four[3] = base+uint32(bits.TrailingZeros64(third)), base+uint32(bits.TrailingZeros64(fourth))
			missed = fourth & (fourth - 1)
		}
		at = next
	}
	d.stops[at] = uint32(from + n)
	return d.stops[:at+1]
}

// residentAny finds the addresses of x.
func residentAny(x *residing) {
	for k, ref := range x.refs {
		r, i := &x.recs[ref], x.from+k
		addr := r.next
		if i != int(x.stops[0]) {
			switch r.way {
			case wayBefore:
				addr += x.before
			case waySecond:
				if i >= 2 {
					addr += uint64(x.addrs[i-2])
				}
			case wayDouble:
				addr += 2 * x.before
			case wayGuess:
				addr = x.guess[guess(ref, x.before)]
			}
			r.hit(i)
		} else {
			x.stops = x.stops[1:]
			o := &origins[x.control[0]]
			t := o.tell(x.residue)
			x.control, x.residue = x.control[1:], x.residue[o.width:]
			addr = x.miss(r, ref, i, &t)
		}
		x.addrs[i], x.before = traceio.Addr(addr), addr
	}
}

// miss gives the address of row i, of site ref, that was not predicted.
func (x *residing) miss(r *rec, ref uint32, i int, t *told) (addr uint64) {
	p, noting := pastOf(x.addrs, i, x.before, r.row()), x.noting || r.way == wayGuess
	addr = p.last
	switch {
	case t.base == wayStride:
		addr += r.stride
	case t.base == waySecond:
		addr += p.second - p.lastSecond
	case t.base == wayDouble:
		addr += 2 * (p.before - p.lastBefore)
	case t.base == baseBefore:
		addr = p.before
	case t.base == wayGuess && noting:
		addr = x.guess[guess(ref, p.before)]
	case t.base != baseLast: // nor is anything guessed where nothing is noted
		addr += p.before - p.lastBefore
	}
	addr += t.distance
	if noting {
		x.guess[guess(ref, p.before)] = addr
	}
	way := r.way
	if t.way != wayKept && x.open(r) {
		way = uint32(t.way)
	}
	r.miss(i, addr, addr-p.last, p.before, p.second, way)
	return addr
}

// open is rec.open; in layoutWays only a site without rows is, too.
func (x *residing) open(r *rec) bool { return r.missed() || !x.early && r.delta == 0 || r.row() == 0 }

// past is what a row's address may be near to: those of the rows before, and those of the site's last row and before
// that.
type past struct{ before, second, last, lastBefore, lastSecond uint64 }

// pastOf is the past of row i of addrs, which is of a lane whose row before had the address given; row is the site's.
// The second row before may be of another lane, as may those before the site's last.
func pastOf(addrs []traceio.Addr, i int, before uint64, row uint32) (p past) {
	p.before = before
	if i >= 2 {
		p.second = uint64(addrs[i-2])
	}
	switch {
	case row >= 3:
		p.lastSecond = uint64(addrs[row-3])
		fallthrough
	case row == 2:
		p.lastBefore = uint64(addrs[row-2])
		fallthrough
	case row == 1:
		p.last = uint64(addrs[row-1])
	}
	return p
}

// told is what the control and the residue of a row tell: how far its address is from one of the bases, and by which
// way its site goes from now on.
type told struct {
	distance  uint64
	base, way uint8
}

// tell reads the controls and the residues of the next n rows that were not predicted, at most step.
func (d *decoder) tell(n int, in *input) []told {
	control, residue, origins, out := in.control[:n], in.residue, in.origins, d.told[:n]
	at, strange := in.at, in.strange
	for i, c := range control {
		o := &origins[c]
		out[i] = o.tell(residue[at:])
		at += int(o.width)
		strange |= o.bad
	}
	in.control, in.at, in.strange = in.control[n:], at, strange
	return out
}

// origin is what a control means: so many bytes of residue are added to one of the bases.
type origin struct {
	mask       uint64
	width, bad uint8
	base, way  uint8
}

// tell reads what a control means whose residue is at the front of what is given.
func (o *origin) tell(residue []byte) told {
	return told{unzigzag(binary.LittleEndian.Uint64(residue) & o.mask), o.base, o.way}
}

// The bases beside what the ways predict.
const (
	baseLast   = ways + iota // last of the site
	baseBefore               // the row before
)

// wayKept is the way of a row after which its site goes by the same as before.
const wayKept = 0xff

var origins = func() (o [256]origin) {
	for way := range uint8(ways) {
		o[way].base, o[way].way = way, way
	}
	residuals(o[fromLast:], lastWidths[:], baseLast)
	residuals(o[fromPrev:], prevWidths[:], baseBefore)
	return o
}()

func residuals(o []origin, widths []uint8, base uint8) {
	for i, width := range widths {
		o[i] = origin{mask: 1<<(8*width) - 1, width: width, base: base, way: wayKept}
	}
}

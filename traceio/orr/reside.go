package orr

import (
	"encoding/binary"
	"math/bits"

	"orrery/traceio"
)

// reside undoes coder.reside.
func (d *decoder) reside(l *lane, refs []uint32, addrs []traceio.Addr, in *input) error {
	if len(refs) > in.places-in.place {
		return errEnd
	}
	for len(refs) > 0 {
		n := min(64, len(refs))
		at, shift := in.place/64, in.place%64
		missed := in.missed[at]>>shift | in.missed[at+1]<<(64-shift)
		if n < 64 {
			missed &= 1<<n - 1
		}
		misses := bits.OnesCount64(missed)
		switch {
		case misses == 0:
			l.stride(refs[:n], addrs[:n])
		case misses > len(in.control) || in.at > in.end:
			return errEnd
		default:
			d.residents(l, missed, refs[:n], addrs[:n], in)
		}
		in.place += n
		refs, addrs = refs[n:], addrs[n:]
	}
	return nil
}

// stride gives addresses that are all predicted by the strides of their sites.
func (l *lane) stride(refs []uint32, addrs []traceio.Addr) {
	recs, before := l.recs, l.addr
	addrs = addrs[:len(refs)]
	for i, ref := range refs {
		r := &recs[ref]
		addr := r.last + r.stride
		r.last, r.delta, r.rel = addr, r.stride, addr-before
		before = addr
		addrs[i] = traceio.Addr(addr)
	}
	l.addr = before
}

// residing are up to 64 rows of a lane of which some have addresses that the stride did not predict.
type residing struct {
	recs   []rec
	refs   []uint32
	addrs  []traceio.Addr
	told   []told                  // one for each miss
	missed uint64                  // a bit for each row
	before uint64                  // address of the row before, and afterwards of the last
	guess  *[1 << guessBits]uint64 // nil where nothing is guessed
}

// residents is reside for up to 64 rows and their bits; there are control bytes and residue for them.
func (d *decoder) residents(l *lane, missed uint64, refs []uint32, addrs []traceio.Addr, in *input) {
	x, n := &d.residing, bits.OnesCount64(missed)
	x.recs, x.refs, x.addrs, x.missed, x.before = l.recs, refs, addrs[:len(refs)], missed, l.addr
	x.told, x.guess = d.tell(n, in), nil
	if in.guesses > 0 {
		x.guess = &d.guess
	}
	in.guesses -= n
	residentRows(x)
	l.addr = x.before
}

// residentAny finds the addresses of x.
func residentAny(x *residing) {
	before, told := x.before, x.told
	for i, ref := range x.refs {
		r := &x.recs[ref]
		delta := r.stride
		addr := r.last + delta
		if x.missed>>i&1 != 0 {
			t := &told[0]
			told = told[1:]
			var g *uint64
			if x.guess != nil {
				g = &x.guess[guess(ref, before)]
			}
			switch t.base {
			case baseLast:
				addr = r.last
			case baseBefore:
				addr = before
			case baseRel:
				addr = before + r.rel
			case baseGuess:
				addr = *g
			}
			addr += t.distance
			if g != nil {
				*g = addr
			}
			if delta = addr - r.last; delta == r.delta {
				r.stride = delta
			}
		}
		r.last, r.delta, r.rel = addr, delta, addr-before
		x.addrs[i], before = traceio.Addr(addr), addr
	}
	x.before = before
}

// told is what the control and the residue of a row tell: how far its address is from one of the bases.
type told struct {
	distance uint64
	base     uint8
}

// tell reads the controls and the residues of the next n rows that the stride did not predict, at most 64.
func (d *decoder) tell(n int, in *input) []told {
	control, residue, origins, out := in.control[:n], in.residue, in.origins, d.told[:n]
	at, strange := in.at, in.strange
	for i, c := range control {
		o := &origins[c]
		raw := binary.LittleEndian.Uint64(residue[at:])
		at += int(o.width)
		strange |= o.bad
		out[i] = told{unzigzag(raw & o.mask), o.base}
	}
	in.control, in.at, in.strange = in.control[n:], at, strange
	return out
}

// origin is what a control means: so many bytes of residue are added to one of the bases.
type origin struct {
	mask       uint64
	width, bad uint8
	base       uint8
}

// The bases. A bit tells each of the choices.
const (
	baseLast   = 0 // last of the site
	baseBefore = 1 // the row before
	baseRel    = 3 // that + rel
	baseGuess  = 4 // the guess
)

var origins = func() (o [256]origin) {
	o[byRel].base, o[byGuess].base = baseRel, baseGuess
	for i, width := range lastWidths {
		o[fromLast+i] = residual(width, baseLast)
	}
	for i, width := range prevWidths {
		o[fromPrev+i] = residual(width, baseBefore)
	}
	return o
}()

// oldOrigins are those of layoutBytes and layoutBits.
var oldOrigins = func() (o [256]origin) {
	o[oldRel].base, o[oldGuess].base = baseRel, baseGuess
	for width := range uint8(9) {
		o[oldFromLast+width] = residual(width, baseLast)
		o[oldFromPrev+width] = residual(width, baseBefore)
	}
	o[oldStride].bad = 1
	for c := oldEnd; c < len(o); c++ {
		o[c].bad = 1
	}
	return o
}()

func residual(width, base uint8) origin {
	return origin{mask: 1<<(8*width) - 1, width: width, base: base}
}

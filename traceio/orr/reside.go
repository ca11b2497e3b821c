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

// residents is reside for up to 64 rows and their bits; there are control bytes and residue for them.
func (d *decoder) residents(l *lane, missed uint64, refs []uint32, addrs []traceio.Addr, in *input) {
	guessing := in.guesses > 0
	in.guesses -= bits.OnesCount64(missed)
	told := d.tell(bits.OnesCount64(missed), in)
	recs, before, i := l.recs, l.addr, 0
	addrs = addrs[:len(refs)]
	for {
		end := min(bits.TrailingZeros64(missed), len(refs))
		for ; i < end; i++ {
			r := &recs[refs[i]]
			delta := r.stride
			addr := r.last + delta
			r.last, r.delta, r.rel = addr, delta, addr-before
			addrs[i], before = traceio.Addr(addr), addr
		}
		if missed == 0 {
			break
		}
		missed &= missed - 1
		t := &told[0]
		told = told[1:]
		ref := refs[i]
		r := &recs[ref]
		bases := &d.bases
		bases[0], bases[1], bases[2] = r.last, before, before+r.rel
		if guessing {
			g := &d.guess[guess(ref, before)]
			bases[3] = *g
			*g = bases[t.base&3] + t.distance
		}
		addr := bases[t.base&3] + t.distance
		delta := addr - r.last
		r.stride ^= (r.stride ^ delta) & alike(delta, r.delta) // without a branch: it is as good as random
		r.last, r.delta, r.rel = addr, delta, addr-before
		addrs[i], before = traceio.Addr(addr), addr
		i++
	}
	l.addr = before
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
	base       uint8 // 0 last of the site, 1 row before, 2 that + rel, 3 the guess
}

var origins = func() (o [256]origin) {
	o[byRel].base, o[byGuess].base = 2, 3
	for i, width := range lastWidths {
		o[fromLast+i] = residual(width, 0)
	}
	for i, width := range prevWidths {
		o[fromPrev+i] = residual(width, 1)
	}
	return o
}()

// oldOrigins are those of layoutBytes and layoutBits.
var oldOrigins = func() (o [256]origin) {
	o[oldRel].base, o[oldGuess].base = 2, 3
	for width := range uint8(9) {
		o[oldFromLast+width] = residual(width, 0)
		o[oldFromPrev+width] = residual(width, 1)
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

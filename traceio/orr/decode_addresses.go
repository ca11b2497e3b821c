package orr

import (
	"encoding/binary"
	"math/bits"

	"orrery/traceio"
)

// decodeAddresses undoes encoder.encodeAddresses for at most step references, whose addresses are the next of addrs.
func (d *decoder) decodeAddresses(t *threadState, refs []uint32, addrs []traceio.Addr, in *cursor) error {
	if len(refs) > in.end-in.addressed {
		return errEnd
	}
	x := &d.addresses
	x.states, x.addrs, x.before, x.table, x.predictors = t.addresses, addrs, t.addr, &d.table, &d.predictors
	x.control, x.residual = in.control, in.residual
	for len(refs) > 0 {
		n := len(refs)
		if in.addressed < 2 { // the assembly looks at the two references before
			n = min(n, 2-in.addressed)
		}
		x.sites, x.first, x.misses = refs[:n], in.addressed, d.findMisses(n, in.addressed)
		if len(x.misses)-1 > len(x.control) || len(x.residual) < 8*step {
			return errEnd
		}
		if in.addressed < 2 {
			decodeBatchGeneric(x)
		} else {
			decodeBatch(x)
		}
		x.control = x.control[len(x.misses)-1:]
		in.addressed += n
		refs = refs[n:]
	}
	t.addr, in.control, in.residual = x.before, x.control, x.residual
	return nil
}

// findMisses finds the indexes of those of n references, from one on, whose address was mispredicted, and adds the
// index behind the last reference. It writes four at a time, since how many there are in a word cannot be predicted.
func (d *decoder) findMisses(n, first int) []uint32 {
	at, shift, bitmap := 0, first%64, d.bitmap[first/64:]
	for k := 0; 64*k < n; k++ {
		missed := bitmap[k]>>shift | bitmap[k+1]<<(64-shift)
		if left := n - 64*k; left < 64 {
			missed &= 1<<left - 1
		}
		base, next := uint32(first+64*k), at+bits.OnesCount64(missed)
		for ; at < next; at += 4 {
			four := (*[4]uint32)(d.misses[at:])
			second := missed & (missed - 1)
			third := second & (second - 1)
			fourth := third & (third - 1)
			four[0], four[1] = base+uint32(bits.TrailingZeros64(missed)), base+uint32(bits.TrailingZeros64(second))
			four[2], four[3] = base+uint32(bits.TrailingZeros64(third)), base+uint32(bits.TrailingZeros64(fourth))
			missed = fourth & (fourth - 1)
		}
		at = next
	}
	d.misses[at] = uint32(first + n)
	return d.misses[:at+1]
}

// addressBatch is references of one thread group whose addresses decodeBatch decodes.
type addressBatch struct {
	states     []addressState
	sites      []uint32       // of at most step references
	addrs      []traceio.Addr // the block's; theirs are written from first on
	first      int
	misses     []uint32 // the indexes of mispredicted references, and that behind the last reference
	control    []byte   // one for each of these; decodeBatch leaves it
	residual   []byte   // theirs, and at least 8 bytes for each; afterwards what they leave
	before     uint64   // the address of the reference before; afterwards that of the last
	table      *contextTable
	predictors *[predictors]predictor
}

// decodeBatchGeneric is decodeBatch in Go.
func decodeBatchGeneric(x *addressBatch) {
	var h history
	misses, control := x.misses, x.control
	for k, ref := range x.sites {
		s, i := &x.states[ref], x.first+k
		h.site, h.before, h.second = ref, x.before, secondBefore(x.addrs, i)
		addr := uint64(0)
		if i != int(misses[0]) {
			addr = x.predictors[s.by].predict(s, &h)
			s.hit(i)
		} else {
			addr = x.miss(s, &h, i, control[0])
			misses, control = misses[1:], control[1:]
		}
		x.addrs[i], x.before = traceio.Addr(addr), addr
	}
}

// miss decodes the address of reference i, which was mispredicted.
func (x *addressBatch) miss(s *addressState, h *history, i int, code uint8) (addr uint64) {
	h.lookBack(x.addrs, s.row())
	by := s.by
	if code < predictors {
		addr = x.predictors[code].alternative(s, h)
		if s.open() {
			by = uint32(code)
		}
	} else {
		base := h.last
		if code >= residualFirst {
			base = h.before
		}
		addr = base + unzigzag(binary.LittleEndian.Uint64(x.residual)&residualLengths[code].mask)
		x.residual = x.residual[residualLengths[code].width:]
	}
	*x.table.entry(h.site, h.before) = addr
	s.miss(i, h, addr, by, x.predictors[by])
	return addr
}

// residualLengths is the length of the residual of each control code.
var residualLengths = func() (out [controlCodes]struct{ mask, width uint64 }) {
	for code := range out {
		width := uint64(0)
		switch {
		case code >= residualFirst:
			width = uint64(firstWidths[code-residualFirst])
		case code >= residualLast:
			width = uint64(lastWidths[code-residualLast])
		}
		out[code].mask, out[code].width = 1<<(8*width)-1, width
	}
	return out
}()

package orr

import (
	"encoding/binary"
	"slices"
)

// encodeAddresses encodes the addresses of references of one thread group, whose sites are given: a bit each that says
// whether the address was mispredicted, and for those a control code and residual bytes.
func (e *encoder) encodeAddresses(t *threadState, sites []uint32) {
	h, states, from := &e.history, t.addresses, e.addressed
	h.before = t.addr
	for k, ref := range sites {
		i, s := from+k, &states[ref]
		addr, predicted := uint64(e.addrs[i]), uint64(0)
		h.site, h.second = ref, secondBefore(e.addrs[:], i)
		if s.by < byTable { // as the else case, but without the cost of a dynamic call
			predicted = linear(s.by).predict(s, h)
		} else {
			predicted = e.predictors[s.by].predict(s, h)
		}
		if addr == predicted {
			s.hit(i)
		} else {
			e.missed[i/64] |= 1 << (i % 64)
			e.mispredictedAddress(s, i, addr)
		}
		h.before = addr
	}
	t.addr, e.addressed = h.before, from+len(sites)
}

// mispredictedAddress encodes the address of reference i.
func (e *encoder) mispredictedAddress(s *addressState, i int, addr uint64) {
	h := &e.history
	h.lookBack(e.addrs[:], s.row())
	by := s.by
	if code := e.right(s, addr); code < predictors {
		e.control[e.controls] = uint8(code)
		if s.open() {
			by = uint32(code)
		}
	} else {
		e.residual(addr-h.last, addr-h.before)
	}
	e.controls++
	*e.table.entry(h.site, h.before) = addr
	s.miss(i, h, addr, by, e.predictors[by])
}

// right is the first predictor that would have been right, or predictors.
func (e *encoder) right(s *addressState, addr uint64) int {
	h := &e.history
	for k := range linear(byTable) {
		if k.alternative(s, h) == addr {
			return int(k)
		}
	}
	if e.table.alternative(s, h) == addr {
		return byTable
	}
	return predictors
}

// nearer is by how many bits the residual to the reference before must be shorter than that to the site's last address
// to be taken: with most residuals of a site to the same base there are fewer different control codes.
const nearer = 3

// residual encodes an address by its distances from the site's last address and from that of the reference before.
func (e *encoder) residual(fromLast, fromFirst uint64) {
	z, c := zigzag(fromLast), 0
	if first := zigzag(fromFirst); first < z>>nearer {
		z, c = first, 1
	}
	w := residualCodes[c][byteLen(z)]
	binary.LittleEndian.PutUint64(e.residualBytes[e.residualLen:], z)
	e.residualLen += int(w.width)
	e.control[e.controls] = w.code
}

// residualCode is how a residual is encoded.
type residualCode struct{ code, width uint8 }

// residualCodes are by base (0: the site's last address, 1: the reference before) and number of bytes needed.
var residualCodes = func() (out [2][9]residualCode) {
	for n := range 9 {
		i := slices.IndexFunc(lastWidths[:], func(w uint8) bool { return int(w) >= n })
		out[0][n] = residualCode{residualLast + uint8(i), lastWidths[i]}
		i = slices.IndexFunc(firstWidths[:], func(w uint8) bool { return int(w) >= n })
		out[1][n] = residualCode{residualFirst + uint8(i), firstWidths[i]}
	}
	return out
}()

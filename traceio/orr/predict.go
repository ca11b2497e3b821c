package orr

import (
	"math/bits"
	"slices"

	"orrery/traceio"
)

// Encoder and decoder keep the same state of a block's references so far and update it in the same order, so what the
// encoder found predicted the decoder predicts, too. A reference is predicted in two parts:
//
//	reference =  site                               +  address
//	             instruction, size and kind            by the predictor that was right for this site
//	             predicted: the site that followed     before (stride, move of a neighbour, table)
//	             this one the last time                else: a control code and residual bytes
//	             else: a misprediction record
//
// Sites are numbered from 1 in order of first appearance in the block; 0 is none.

// site is what all references of a site have in common.
type site struct {
	pc   uint64
	code uint32 // size<<2 | kind, a traceio.Kind or selfFetch
}

// selfFetch is the kind of an instruction fetch whose address is its PC, as in every trace that has both. The address
// of such a reference is not stored.
const selfFetch = 3

// threadGroups is the number of predictor states. Threads share them modulo threadGroups, which bounds the memory
// whatever number of threads a file claims.
const threadGroups = 16

// threadState is the predictor state of one group of threads. The slices are indexed by site.
type threadState struct {
	site      uint32 // of the last reference
	addr      uint64 // of the last reference that has an address of its own
	addresses []addressState

	expected []expectedSite // the encoder's next-site predictions
	next     []successors   // the decoder's
	straight straightRuns   // the decoder's
}

func (t *threadState) reset() {
	t.site, t.addr = 0, 0
	t.addresses, t.expected, t.next, t.straight = t.addresses[:0], t.expected[:0], t.next[:0], t.straight[:0]
}

// lengthen gives s at least n elements, new ones zero. Its memory at least doubles: the encoder finds sites one by one.
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

// A predictor predicts the address of a site's next reference. Each site has one; it changes to another that would have
// been right when its own has been wrong twice in a row. A new predictor is a type with these methods and a line in
// newPredictors; decode_addresses_amd64.s knows the linear ones by their coefficients, and the table.
type predictor interface {
	// predict is the address of the next reference of a site that has this predictor.
	predict(s *addressState, h *history) uint64
	// alternative is the address that it predicts when the site has another predictor, which was wrong.
	alternative(s *addressState, h *history) uint64
	// adopt prepares s for predict, after a reference at addr that was mispredicted.
	adopt(s *addressState, h *history, addr uint64)
}

// The predictors, in the order in which the encoder prefers them where several would have been right.
//
// The address of a reference often depends on one that was made just before. A function's stack slots are as far from
// the slot of its call as last time (byFirst); a loop that indexes two arrays by one looked-up index moves equally far
// in both (byFirst, bySecond); elements twice as long, such as a hash chain's links beside 4-byte keys, move twice as
// far (byDouble). A walk through a list or tree repeats the addresses of the walk before (byTable).
const (
	byStride = iota // the site's last address + its stride
	byFirst         // the site's last address + the distance that the first reference before this one has moved since
	bySecond        // the same by the second reference before
	byDouble        // the site's last address + twice the distance of byFirst
	byTable         // the address that followed the same address, at this site, the last time
	predictors
)

func newPredictors(table *contextTable) [predictors]predictor {
	return [predictors]predictor{linear(byStride), linear(byFirst), linear(bySecond), linear(byDouble), table}
}

// addressState is what is remembered of a site's addresses. Before its first reference a site expects the first address
// that the block stores for it. What every predicted reference has to update is next and mark; all else is derived from
// the addresses around mark when one is mispredicted.
type addressState struct {
	next   uint64 // for linear: the address expected, less what the coefficients add
	step   uint64 // added to next by every predicted reference: the stride for byStride, else 0
	stride uint64 // the latest distance that occurred twice in a row
	delta  uint64 // distance of the last mispredicted reference from the site's one before
	mark   uint32 // 2 * (1 + index of the last reference among the block's addresses), + 1 if it was mispredicted
	by     uint32 // its predictor
}

// row is 1 + the index of the site's last reference among the block's addresses, 0 for none.
func (s *addressState) row() uint32 { return s.mark / 2 }

// missed tells whether the last reference was mispredicted.
func (s *addressState) missed() bool { return s.mark&1 != 0 }

// open tells whether another misprediction changes the predictor: after one, and for a site that has not moved yet.
func (s *addressState) open() bool { return s.missed() || s.delta == 0 }

// hit updates the state for reference i, which was predicted.
func (s *addressState) hit(i int) {
	s.next += s.step
	s.mark = uint32(2 * (i + 1))
}

// miss updates the state for reference i, which was mispredicted, at addr. The site has predictor by, which is p, from
// now on.
func (s *addressState) miss(i int, h *history, addr uint64, by uint32, p predictor) {
	delta, d := s.delta, addr-h.last
	if !s.missed() {
		delta = s.step
	}
	if d == delta {
		s.stride = d
	}
	s.mark, s.delta, s.by = uint32(2*(i+1)+1), d, by
	p.adopt(s, h, addr)
}

// history is what predictions are made from, beside the site's state.
type history struct {
	site   uint32
	before uint64 // the address of the reference before, of the same thread group
	second uint64 // the block's address before that, of any thread; 0 for none

	// what lookBack finds: the address of the site's last reference, and the block's two before it
	last, lastBefore, lastSecond uint64
}

// secondBefore is the address two before index i, 0 for none.
func secondBefore(addrs []traceio.Addr, i int) uint64 {
	if i < 2 {
		return 0
	}
	return uint64(addrs[i-2])
}

// lookBack finds the addresses around the last reference of a site, given its row.
func (h *history) lookBack(addrs []traceio.Addr, row uint32) {
	h.last, h.lastBefore, h.lastSecond = 0, 0, 0
	switch {
	case row >= 3:
		h.lastSecond = uint64(addrs[row-3])
		fallthrough
	case row == 2:
		h.lastBefore = uint64(addrs[row-2])
		fallthrough
	case row == 1:
		h.last = uint64(addrs[row-1])
	}
}

// linear is a predictor, by its number, of the form
//
//	last + stride·s.stride + first·(h.before - h.lastBefore) + second·(h.second - h.lastSecond)
//
// of which s.next holds what is known beforehand, so that predict adds only first·h.before + second·h.second.
type linear int

// coefficients are those of the linear predictors; zero for the others. The assembly reads them, too.
var coefficients = struct{ stride, first, second [predictors]uint64 }{
	stride: [predictors]uint64{byStride: 1},
	first:  [predictors]uint64{byFirst: 1, byDouble: 2},
	second: [predictors]uint64{bySecond: 1},
}

func (k linear) predict(s *addressState, h *history) uint64 {
	return s.next + coefficients.first[k]*h.before + coefficients.second[k]*h.second
}

func (k linear) alternative(s *addressState, h *history) uint64 {
	c := &coefficients
	return h.last + c.stride[k]*s.stride + c.first[k]*(h.before-h.lastBefore) + c.second[k]*(h.second-h.lastSecond)
}

func (k linear) adopt(s *addressState, h *history, addr uint64) {
	c := &coefficients
	s.step = c.stride[k] * s.stride
	s.next = addr + s.step - c.first[k]*h.before - c.second[k]*h.second
}

// contextTable remembers the address that a site had after a given address of the reference before: a finite context
// method of order 1. Only mispredicted references change it, as a predicted one would put what is there.
type contextTable [1 << tableBits]uint64

const tableBits = 13

// entry is the table's entry for a site's reference after one at an address.
func (t *contextTable) entry(site uint32, before uint64) *uint64 {
	hash := (before ^ uint64(site)*0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93
	return &t[hash>>(64-tableBits)]
}

func (t *contextTable) predict(_ *addressState, h *history) uint64 { return *t.entry(h.site, h.before) }

func (t *contextTable) alternative(s *addressState, h *history) uint64 { return t.predict(s, h) }

func (t *contextTable) adopt(s *addressState, _ *history, addr uint64) { s.step, s.next = 0, addr }

// The control code of a mispredicted address is four bits, so that no table of code lengths is needed for them:
//
//	0 ... predictors-1              this predictor's alternative is right
//	residualLast + index of width   that many residual bytes, zig-zag, are added to the site's last address
//	residualFirst + index of width  the same, to the address of the reference before
const (
	residualLast  = predictors
	residualFirst = 12
	controlCodes  = 16
)

// The numbers of residual bytes that there are codes for; others are rounded up.
var (
	lastWidths  = [residualFirst - residualLast]uint8{0, 1, 2, 3, 4, 6, 8}
	firstWidths = [controlCodes - residualFirst]uint8{1, 2, 3, 8}
)

func zigzag(d uint64) uint64   { return d<<1 ^ uint64(int64(d)>>63) }
func unzigzag(z uint64) uint64 { return z>>1 ^ -(z & 1) }

// byteLen is how many bytes z needs, 0 for 0.
func byteLen(z uint64) int { return (bits.Len64(z) + 7) / 8 }

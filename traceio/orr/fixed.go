package orr

import "orrery/traceio"

// The layouts before layoutWays, whose sites all keep to the stride, are still read.

// The controls of layoutNibbles, whose sites all keep to the stride.
const (
	fixedRel      = 0  // as wayBefore
	fixedGuess    = 1  // the guess table
	fixedFromLast = 2  // + index in fixedLastWidths, as fromLast
	fixedFromPrev = 10 // + index in fixedPrevWidths, as fromPrev
)

var (
	fixedLastWidths = [fixedFromPrev - fixedFromLast]uint8{0, 1, 2, 3, 4, 5, 6, 8}
	fixedPrevWidths = [16 - fixedFromPrev]uint8{1, 2, 3, 4, 6, 8}
)

// The controls of layoutBytes and layoutBits.
const (
	oldStride   = 0  // only in layoutBytes, which has a control byte for every address
	oldRel      = 1  // as fixedRel
	oldGuess    = 2  // as fixedGuess
	oldFromLast = 3  // + number of bytes 0..8, as fromLast
	oldFromPrev = 12 // + number of bytes 0..8, as fromPrev
	oldEnd      = 21
)

// fixedOrigins are those of layoutNibbles.
var fixedOrigins = func() (o [256]origin) {
	o[fixedRel], o[fixedGuess] = origin{base: wayBefore, way: wayKept}, origin{base: wayGuess, way: wayKept}
	residuals(o[fixedFromLast:], fixedLastWidths[:], baseLast)
	residuals(o[fixedFromPrev:], fixedPrevWidths[:], baseBefore)
	return o
}()

// oldOrigins are those of layoutBytes and layoutBits.
var oldOrigins = func() (o [256]origin) {
	o[oldRel], o[oldGuess] = origin{base: wayBefore, way: wayKept}, origin{base: wayGuess, way: wayKept}
	every := []uint8{0, 1, 2, 3, 4, 5, 6, 7, 8}
	residuals(o[oldFromLast:], every, baseLast)
	residuals(o[oldFromPrev:], every, baseBefore)
	o[oldStride].bad = 1
	for c := oldEnd; c < len(o); c++ {
		o[c].bad = 1
	}
	return o
}()

// fixedRec is the rec of such a site.
type fixedRec struct {
	last   uint64 // of its last row
	delta  uint64 // last minus the one before
	stride uint64 // the delta that came twice in a row last
	rel    uint64 // last minus the address of the row before it, of any site
}

// fixedRows finds the addresses of rows whose bits are looked at, and writes them to the front of addrs.
func (d *decoder) fixedRows(l *lane, refs []uint32, addrs []traceio.Addr, told []told, in *input) {
	before, guessing := l.addr, in.guesses > 0
	in.guesses -= len(told)
	addrs = addrs[:len(refs)]
	for i, ref := range refs {
		r := &l.fixed[ref]
		delta := r.stride
		addr := r.last + delta
		if d.missed[i/64]>>(i%64)&1 != 0 {
			t := &told[0]
			told = told[1:]
			g := &d.guess[guess(ref, before)]
			switch t.base {
			case baseLast:
				addr = r.last
			case baseBefore:
				addr = before
			case wayBefore:
				addr = before + r.rel
			case wayGuess:
				addr = *g
			}
			addr += t.distance
			if guessing {
				*g = addr
			}
			if delta = addr - r.last; delta == r.delta {
				r.stride = delta
			}
		}
		r.last, r.delta, r.rel = addr, delta, addr-before
		addrs[i], before = traceio.Addr(addr), addr
	}
	l.addr = before
}

// split turns the control bytes of layoutBytes into those of layoutBits.
func (d *decoder) split(controls []byte) (missed, control []byte) {
	d.old[0], d.old[1] = resize(d.old[0], (len(controls)+7)/8), d.old[1][:0]
	clear(d.old[0])
	for i, c := range controls {
		if c != oldStride {
			d.old[0][i/8] |= 1 << (i % 8)
			d.old[1] = append(d.old[1], c)
		}
	}
	return d.old[0], d.old[1]
}

// numberedTurns is turnsOf for the layouts before layoutFirst: a symbol is 0 for the other follower, 1 for a new site,
// which is the next by number, and 1 more than its number for another.
func numberedTurns(turns []turn, symbols, runs []uint64, known uint64) bool {
	next, beyond, longest := uint64(1), uint64(0), uint64(0)
	runs, turns = runs[:len(symbols)], turns[:len(symbols)]
	for i, symbol := range symbols {
		fresh := alike(symbol, 1)
		site := symbol - 1 + alike(symbol, 0)&1
		site ^= (site ^ next) & fresh
		next -= fresh
		beyond |= next - site - 1
		longest |= runs[i] | site
		turns[i] = turn{uint32(site), uint32(runs[i])}
	}
	return beyond>>63 == 0 && next <= known && longest>>32 == 0
}

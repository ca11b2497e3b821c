package orr

import (
	"math"

	"orrery/traceio"
)

// siteTable is what is the same for all references of a site, by site; the 0th is none. Sites have their numbers in the
// order of their appearance, so most often the next number follows, and columns are copied from here in chunks: what is
// copied too far, the next chunk writes over.
type siteTable struct {
	known   int // sites, and the 0th; the slices are a chunk longer
	pcs     []traceio.Addr
	sizes   []uint16
	kinds   []traceio.Kind
	first   []traceio.Addr // the address of the first reference
	own     []uint8        // 1 where references store an address, which fetches of their own PC do not
	fetches bool           // some site fetches
	codes   []uint64
	column  []byte // memory of readDeltas
}

// chunk is how many references are copied at once.
const chunk = 16

// read reads the sites of a block of so many references.
func (s *siteTable) read(pcs, codes []byte, rows int) error {
	n := countVarints(codes)
	if n > rows {
		return errRows
	}
	s.size(n + 1)
	numbers, fine := readVarints(s.codes, codes)
	s.codes = numbers
	if !fine || len(numbers) != n || !readDeltas(s.pcs[1:s.known], pcs, &s.column) {
		return errRows
	}
	all, kinds := uint64(0), uint64(0)
	sizes, kindOf, own := s.sizes[1:][:n], s.kinds[1:][:n], s.own[1:][:n]
	for i, code := range numbers {
		all |= code
		kind := code & 3
		fetch := kind >> 1 // 1 for traceio.Fetch and selfFetch
		own[i] = uint8(kind&fetch ^ 1)
		kind &^= fetch
		kinds |= kind
		sizes[i], kindOf[i] = uint16(code>>2), traceio.Kind(kind)
	}
	s.fetches = kinds >= uint64(traceio.Fetch)
	if all >= 1<<18 {
		return errRows
	}
	return nil
}

// readFirst reads the first addresses of those sites whose references store one.
func (s *siteTable) readFirst(col []byte) error {
	own, n := s.own[1:s.known], 0
	for _, one := range own {
		n += int(one)
	}
	first := s.first[:s.known]
	if !readDeltas(first[1:][:n], col, &s.column) {
		return errRows
	}
	first[0] = 0
	if n < len(own) { // spread them out, from the end on
		for i := len(own); i > 0; i-- {
			first[i] = first[n] & -traceio.Addr(own[i-1])
			n -= int(own[i-1])
		}
	}
	return nil
}

// size makes room for n sites, the 0th included.
func (s *siteTable) size(n int) {
	s.known, n = n, n+chunk
	s.pcs, s.sizes, s.kinds, s.own = resize(s.pcs, n), resize(s.sizes, n), resize(s.kinds, n), resize(s.own, n)
	s.first = resize(s.first, n)
}

// successors are the sites that have followed a site.
type successors struct {
	next  uint32 // the last that did; before any has, the next number
	other uint32 // the one before that
}

// straightRuns says for each site how many sites follow it straight on, less than a chunk, when every prediction holds:
//
//	site           1   2   3   4   5
//	next           2   3   4   2   0
//	straight run   3   2   1   0   0        from 1: 2, 3, 4
//
// It has straightMargin elements in front of the 0th site, so that follow can look at a whole chunk.
type straightRuns []uint8

const straightMargin = chunk - 1

// follow updates the runs for site n that has followed ref: the run from ref, and those that lead through it.
func (r straightRuns) follow(ref, n uint32) {
	far := uint8(0)
	if n == ref+1 {
		far = r[straightMargin+n] + 1
	}
	for k := range uint8(chunk) {
		if at := straightMargin + ref - uint32(k); r[at] >= k {
			r[at] = min(k+far, chunk-1)
		}
	}
}

// startDecoding gives a thread group the state of all sites of a block, unless it has it: each is predicted to be
// followed by the next number, and to have its first address.
func (t *threadState) startDecoding(s *siteTable) {
	n := s.known
	if len(t.next) >= n {
		return
	}
	t.next, t.straight = lengthen(t.next, n), lengthen(t.straight, n+chunk)
	t.addresses = resize(t.addresses, n)
	addresses, next, straight := t.addresses[:n], t.next[:n], t.straight[straightMargin:][:n]
	for i, addr := range s.first[:n] {
		addresses[i] = addressState{next: uint64(addr)}
		next[i].next = uint32(i + 1)
		straight[i] = chunk - 1
	}
	next[n-1].next = 0 // nothing follows the last
	for i := range min(n, chunk) {
		straight[n-1-i] = uint8(i)
	}
}

// siteReplay is references of one thread group whose sites replaySites finds, with what these give to the block.
type siteReplay struct {
	next     []successors
	straight straightRuns

	sitePCs   []traceio.Addr // of the siteTable
	siteSizes []uint16
	siteKinds []traceio.Kind

	refs  []uint32 // the sites found; this and the next three with room for a chunk more
	pcs   []traceio.Addr
	sizes []uint16
	kinds []traceio.Kind

	mispredictions []misprediction
	left           int    // afterwards: mispredictions that are not used
	rows           int    // references; afterwards 0, unless a misprediction is missing or a reference has no site
	site, run      uint32 // of the reference before, and afterwards of the last
}

// decodeSites undoes encoder.encodeSites for references [from, to), and tells whether every one has a site.
func (d *decoder) decodeSites(t *threadState, b *traceio.Block, from, to int, in *cursor) bool {
	x, sites, end := &d.replay, &d.sites, to+chunk
	x.next, x.straight = t.next, t.straight
	x.sitePCs, x.siteSizes, x.siteKinds = sites.pcs, sites.sizes, sites.kinds
	x.refs, x.pcs, x.sizes, x.kinds = d.refs[:to-from+chunk], b.PC[from:end], b.Size[from:end], b.Kind[from:end]
	x.mispredictions, x.rows, x.site, x.run = in.mispredictions, to-from, t.site, in.run
	replaySites(x)
	in.mispredictions = in.mispredictions[len(in.mispredictions)-x.left:]
	t.site, in.run = x.site, x.run
	return x.rows == 0
}

// replaySitesGeneric is replaySites in Go.
func replaySitesGeneric(x *siteReplay) {
	at, end, list, run, ref := 0, x.rows, x.mispredictions, x.run, x.site
	for at < end {
		s := &x.next[ref]
		if run > 0 {
			ref, run = s.next, run-1
		} else {
			if len(list) == 0 {
				break
			}
			next := list[0].site
			if next == 0 {
				next = s.other
			}
			s.next, s.other = next, s.next
			x.straight.follow(ref, next)
			ref, run, list = next, list[0].run, list[1:]
		}
		if ref == 0 { // no site has followed this one
			break
		}
		n := 1 + int(min(uint32(x.straight[straightMargin+ref]), run, uint32(end-at-1)))
		for i := range n {
			x.refs[at+i] = ref + uint32(i)
		}
		copy(x.pcs[at:], x.sitePCs[ref:][:n])
		copy(x.sizes[at:], x.siteSizes[ref:][:n])
		copy(x.kinds[at:], x.siteKinds[ref:][:n])
		at, ref, run = at+n, ref+uint32(n-1), run-uint32(n-1)
	}
	x.rows, x.left, x.run, x.site = end-at, len(list), run, ref
}

// misprediction is where another site follows than was predicted.
type misprediction struct {
	site uint32 // that site, or 0 for the other successor
	run  uint32 // how many references follow as predicted then
}

// readMispredictions gives those of a block, behind one that has only the first run.
func (d *decoder) readMispredictions(symbolColumn, runColumn []byte) ([]misprediction, error) {
	symbols, fine := readVarints(d.numbers[0], symbolColumn)
	runs, fineToo := readVarints(d.numbers[1], runColumn)
	d.numbers = [2][]uint64{symbols, runs}
	list := resize(d.mispredictions, len(runs))
	d.mispredictions = list
	if !fine || !fineToo || len(list) != len(symbols)+1 {
		return nil, errRows
	}
	list[0] = misprediction{run: uint32(min(runs[0], math.MaxUint32))}
	if !fromSymbols(list[1:], symbols, runs[1:], uint64(d.sites.known)) {
		return nil, errRows
	}
	return list, nil
}

// fromSymbols undoes siteSymbol without a branch, and tells whether all sites are below known.
func fromSymbols(list []misprediction, symbols, runs []uint64, known uint64) bool {
	last, beyond, longest := uint64(0), uint64(0), uint64(0)
	runs, list = runs[:len(symbols)], list[:len(symbols)]
	for i, symbol := range symbols {
		fresh, site := -(symbol & 1), symbol>>1
		longest |= runs[i] | site
		site += (last + 1) & fresh
		last ^= (last ^ site) & fresh
		beyond |= known - site - 1
		list[i] = misprediction{uint32(site), uint32(runs[i])}
	}
	return beyond>>63 == 0 && longest>>32 == 0
}

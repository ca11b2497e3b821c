package orr

import (
	"math"

	"orrery/traceio"
)

// siteTable is what the sites of a block give to each of their rows, by site; the 0th is none. Sites have their numbers
// in the order of their appearance, so most often the next one follows, and rows are copied from here by the chunk:
// what is copied too much, the next chunk writes over.
type siteTable struct {
	known   int // sites, and the 0th; the slices are a chunk longer
	pcs     []traceio.Addr
	sizes   []uint16
	kinds   []traceio.Kind
	first   []traceio.Addr // that of the first row of each; not before layoutFirst
	own     []uint8        // 1 where rows store an address, which fetches of their own PC do not
	fetches bool           // some site fetches
	columns [2][]uint64
	told    []byte // as readTrails keeps it
}

// chunk is how many rows are copied at once.
const chunk = 16

// read reads the sites of a block of so many rows.
func (s *siteTable) read(pcs, codes []byte, rows int, layout uint16) error {
	n := ends(codes)
	if n > rows {
		return errRows
	}
	s.size(n + 1)
	words, fine := readNumbers(s.columns[1], codes)
	s.columns[1] = words
	if !fine || len(words) != n || !s.readPCs(pcs, layout) {
		return errRows
	}
	all, kinds := uint64(0), uint64(0)
	sizes, kindOf, own := s.sizes[1:][:n], s.kinds[1:][:n], s.own[1:][:n]
	for i, code := range words {
		all |= code
		kind := code & 3
		fetch := kind >> 1 // 2 or 3
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

// readPCs tells whether there are as many as sites.
func (s *siteTable) readPCs(column []byte, layout uint16) bool {
	pcs := s.pcs[1:s.known]
	if layout >= layoutFirst {
		return readTrails(pcs, column, &s.told)
	}
	deltas, fine := readNumbers(s.columns[0], column)
	s.columns[0] = deltas
	if !fine || len(deltas) != len(pcs) {
		return false
	}
	pc := uint64(0)
	for i, z := range deltas {
		pc += unzigzag(z)
		pcs[i] = traceio.Addr(pc)
	}
	return true
}

// size makes room for n sites, the 0th included.
func (s *siteTable) size(n int) {
	s.known, n = n, n+chunk
	s.pcs, s.sizes, s.kinds, s.own = resize(s.pcs, n), resize(s.sizes, n), resize(s.kinds, n), resize(s.own, n)
	s.first = resize(s.first, n)
}

// reach tells, for each site of a lane behind the first chunk-1 elements, how many sites follow straight on: the one
// that followed it most recently is the next number, the one that followed that is the next again, and so on; less than
// a chunk.
type reach []uint8

const front = chunk - 1

// follow tells that site n has followed ref.
func (r reach) follow(ref, n uint32) {
	far := uint8(0)
	if n == ref+1 {
		far = r[front+n] + 1
	}
	for k := range uint8(chunk) {
		if at := front + ref - uint32(k); r[at] >= k {
			r[at] = min(k+far, chunk-1)
		}
	}
}

// following is a part of a lane's rows whose sites are found.
type following struct {
	hops  []hop
	reach reach

	sitePCs   []traceio.Addr
	siteSizes []uint16
	siteKinds []traceio.Kind

	refs  []uint32 // all with room for a chunk more
	pcs   []traceio.Addr
	sizes []uint16
	kinds []traceio.Kind

	turns     []turn
	left      int // turns, afterwards
	rows      int // afterwards 0 unless a turn is missing or a row has no site
	site, run uint32
}

// follow undoes coder.follow for rows [from, to), and tells whether every row has a site.
func (d *decoder) follow(l *lane, b *traceio.Block, from, to int, in *input) bool {
	x, sites, end := &d.following, &d.sites, to+chunk
	x.hops, x.reach = l.hops, l.reach
	x.sitePCs, x.siteSizes, x.siteKinds = sites.pcs, sites.sizes, sites.kinds
	x.refs, x.pcs, x.sizes, x.kinds = d.refs[:to-from+chunk], b.PC[from:end], b.Size[from:end], b.Kind[from:end]
	x.turns, x.rows, x.site, x.run = in.turns, to-from, l.prev, in.run
	followRows(x)
	in.turns = in.turns[len(in.turns)-x.left:]
	l.prev, in.run = x.site, x.run
	return x.rows == 0
}

// followAny finds the sites of x, and what they give to their rows.
func followAny(x *following) {
	at, end, turns, run, ref := 0, x.rows, x.turns, x.run, x.site
	for at < end {
		h := &x.hops[ref]
		if run > 0 {
			ref, run = h.next, run-1
		} else {
			if len(turns) == 0 {
				break
			}
			next := turns[0].site
			if next == 0 {
				next = h.other
			}
			h.next, h.other = next, h.next
			x.reach.follow(ref, next)
			ref, run, turns = next, turns[0].run, turns[1:]
		}
		if ref == 0 { // nothing follows where nothing has been
			break
		}
		n := 1 + int(min(uint32(x.reach[front+ref]), run, uint32(end-at-1)))
		for i := range n {
			x.refs[at+i] = ref + uint32(i)
		}
		copy(x.pcs[at:], x.sitePCs[ref:][:n])
		copy(x.sizes[at:], x.siteSizes[ref:][:n])
		copy(x.kinds[at:], x.siteKinds[ref:][:n])
		at, ref, run = at+n, ref+uint32(n-1), run-uint32(n-1)
	}
	x.rows, x.left, x.run, x.site = end-at, len(turns), run, ref
}

// turn is where rows do not follow as predicted: to which site, or 0 for the other follower, and how many rows follow
// as predicted then.
type turn struct{ site, run uint32 }

// readTurns gives the turns of a block, behind one that tells only the first run.
func (d *decoder) readTurns(symbolColumn, runColumn []byte, layout uint16) ([]turn, error) {
	var fine, too bool
	d.numbers[0], fine = readNumbers(d.numbers[0], symbolColumn)
	d.numbers[1], too = readNumbers(d.numbers[1], runColumn)
	d.turns = resize(d.turns, len(d.numbers[1]))
	if !fine || !too || len(d.turns) != len(d.numbers[0])+1 {
		return nil, errRows
	}
	d.turns[0] = turn{run: uint32(min(d.numbers[1][0], math.MaxUint32))}
	read := turnsOf
	if layout < layoutFirst {
		read = numberedTurns
	}
	if !read(d.turns[1:], d.numbers[0], d.numbers[1][1:], uint64(d.sites.known)) {
		return nil, errRows
	}
	return d.turns, nil
}

// turnsOf undoes symbolOf, and tells whether all sites are below known.
func turnsOf(turns []turn, symbols, runs []uint64, known uint64) bool {
	last, beyond, longest := uint64(0), uint64(0), uint64(0)
	runs, turns = runs[:len(symbols)], turns[:len(symbols)]
	for i, symbol := range symbols {
		fresh, site := -(symbol & 1), symbol>>1
		longest |= runs[i] | site
		site += (last + 1) & fresh
		last ^= (last ^ site) & fresh
		beyond |= known - site - 1
		turns[i] = turn{uint32(site), uint32(runs[i])}
	}
	return beyond>>63 == 0 && longest>>32 == 0
}

// stretch decodes rows [from, to), at most step, which all belong to the lane l.
func (d *decoder) stretch(l *lane, b *traceio.Block, from, to int, in *input) error {
	refs := d.refs[:to-from]
	if !d.follow(l, b, from, to, in) {
		return errRows
	}
	if !d.sites.fetches {
		return d.reside(l, refs, b.Addr, in)
	}
	b.Fetches += fetches(b.Kind[from:to])
	addrs, at := b.Addr[from:to], in.place
	copy(addrs, b.PC[from:to])
	n := d.strip(len(refs))
	if err := d.reside(l, refs[:n], d.bare, in); err != nil {
		return err
	}
	bare := d.bare[at:in.place]
	for k, i := range d.row[:n] {
		addrs[i] = bare[k]
	}
	return nil
}

// strip leaves only those of the first n refs that store an address, and notes their rows; it gives their number.
func (d *decoder) strip(n int) (stripped int) {
	own := d.sites.own
	for i, ref := range d.refs[:n] {
		d.refs[stripped&(step-1)], d.row[stripped&(step-1)] = ref, uint16(i)
		stripped += int(own[ref])
	}
	return stripped
}

// fetches counts the fetches among kinds, of which they alone have the second bit.
func fetches(kinds []traceio.Kind) (n int) {
	for ; len(kinds) >= 8; kinds = kinds[8:] {
		k := kinds[:8]
		n += int(k[0]>>1+k[1]>>1+k[2]>>1+k[3]>>1) + int(k[4]>>1+k[5]>>1+k[6]>>1+k[7]>>1)
	}
	for _, k := range kinds {
		n += int(k >> 1)
	}
	return n
}

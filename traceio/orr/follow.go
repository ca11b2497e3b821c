package orr

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"orrery/traceio"
)

// siteTable is what the sites of a block give to each of their rows, by site; the 0th is none. Sites have their numbers in the order
// of their appearance, so most often the next one follows, and rows are copied from here by the chunk: what is copied too much, the
// next chunk writes over.
type siteTable struct {
	known   int // sites, and the 0th; the slices are a chunk longer
	pcs     []traceio.Addr
	sizes   []uint16
	kinds   []traceio.Kind
	own     []uint8 // 1 where rows store an address, which fetches of their own PC do not
	numbers []uint32
	fetches bool // some site fetches
}

// chunk is how many rows are copied at once.
const chunk = 16

// read reads the sites of a block of so many rows.
func (s *siteTable) read(pcs, codes []byte, rows int) error {
	n := ends(pcs)
	if n > rows {
		return errRows
	}
	s.size(n + 1)
	pc := uint64(0)
	deltas, words := varints{src: pcs}, varints{src: codes}
	all := traceio.Kind(0)
	for i := 1; i < s.known; i++ {
		pc += unzigzag(deltas.number())
		code := words.number()
		if code >= 1<<18 {
			return errRows
		}
		kind := traceio.Kind(code & 3)
		all |= kind
		s.pcs[i], s.sizes[i], s.kinds[i] = traceio.Addr(pc), uint16(code>>2), min(kind, traceio.Fetch)
		s.own[i] = uint8(kind+1)>>2 ^ 1
	}
	s.fetches = all >= traceio.Fetch
	if deltas.bad || words.bad || len(deltas.src)+len(words.src) > 0 {
		return errRows
	}
	return nil
}

// size makes room for n sites, the 0th included.
func (s *siteTable) size(n int) {
	s.known, n = n, n+chunk
	s.pcs, s.sizes, s.kinds, s.own = resize(s.pcs, n), resize(s.sizes, n), resize(s.kinds, n), resize(s.own, n)
	if at := len(s.numbers); at < n {
		s.numbers = resize(s.numbers, 2*n)
		for i := range s.numbers {
			s.numbers[i] = uint32(i)
		}
	}
}

// ends is how many numbers end in a column of varints.
func ends(src []byte) (n int) {
	const more = 0x8080808080808080
	for ; len(src) >= 8; src = src[8:] {
		n += 8 - bits.OnesCount64(binary.LittleEndian.Uint64(src)&more)
	}
	for _, b := range src {
		n += int(b>>7 ^ 1)
	}
	return n
}

// straight has a bit for each site of a lane: whether the one that followed most recently is the next number.
type straight []uint64

// ahead is how many sites follow ref straight on, less than a chunk.
func (s straight) ahead(ref uint32) int {
	at, shift := ref/64, ref%64
	following := s[at]>>shift | s[at+1]<<1<<(63-shift)
	return bits.TrailingZeros64(^following | 1<<(chunk-1))
}

// follow tells that site n has followed ref.
func (s straight) follow(ref, n uint32) {
	bit := uint64(1) << (ref % 64)
	word := s[ref/64] &^ bit
	if n == ref+1 {
		word |= bit
	}
	s[ref/64] = word
}

// follow undoes coder.follow for rows [from, to), and tells whether every row has a site.
func (d *decoder) follow(l *lane, b *traceio.Block, from, to int, in *input) bool {
	hops, sites, ref, run, refs := l.hops, &d.sites, l.prev, in.run, d.refs[:]
	pcs, sizes, kinds := b.PC[from:to+chunk], b.Size[from:to+chunk], b.Kind[from:to+chunk]
	for at, end := 0, to-from; at < end; {
		if run == 0 {
			ref = in.surprise(l, ref)
			run = in.run
		} else {
			ref = hops[ref].next
			run--
		}
		if ref == 0 { // nothing follows where nothing has been
			return false
		}
		copyRefs(chunkOf(refs, at), chunkOf(sites.numbers, int(ref)))
		copyPCs(chunkOf(pcs, at), chunkOf(sites.pcs, int(ref)))
		copySizes(chunkOf(sizes, at), chunkOf(sites.sizes, int(ref)))
		*chunkOf(kinds, at) = *chunkOf(sites.kinds, int(ref))
		more := int(min(uint64(l.straight.ahead(ref)), run, uint64(end-at-1)))
		ref, run = ref+uint32(more), run-uint64(more)
		at += more + 1
	}
	l.prev, in.run = ref, run
	return true
}

// chunkOf is the chunk of s from i on.
func chunkOf[T any](s []T, i int) *[chunk]T {
	_ = s[i+chunk-1]
	return (*[chunk]T)(unsafe.Pointer(&s[i])) // without what slicing costs to give a slice that might be empty
}

// A chunk is copied by 16 bytes, which processors have registers for; of longer arrays Go cannot know that they do not overlap.

func copyRefs(dst, src *[chunk]uint32) {
	*(*[4]uint32)(dst[:4]) = *(*[4]uint32)(src[:4])
	*(*[4]uint32)(dst[4:8]) = *(*[4]uint32)(src[4:8])
	*(*[4]uint32)(dst[8:12]) = *(*[4]uint32)(src[8:12])
	*(*[4]uint32)(dst[12:]) = *(*[4]uint32)(src[12:])
}

func copyPCs(dst, src *[chunk]traceio.Addr) {
	*(*[2]traceio.Addr)(dst[:2]) = *(*[2]traceio.Addr)(src[:2])
	*(*[2]traceio.Addr)(dst[2:4]) = *(*[2]traceio.Addr)(src[2:4])
	*(*[2]traceio.Addr)(dst[4:6]) = *(*[2]traceio.Addr)(src[4:6])
	*(*[2]traceio.Addr)(dst[6:8]) = *(*[2]traceio.Addr)(src[6:8])
	*(*[2]traceio.Addr)(dst[8:10]) = *(*[2]traceio.Addr)(src[8:10])
	*(*[2]traceio.Addr)(dst[10:12]) = *(*[2]traceio.Addr)(src[10:12])
	*(*[2]traceio.Addr)(dst[12:14]) = *(*[2]traceio.Addr)(src[12:14])
	*(*[2]traceio.Addr)(dst[14:]) = *(*[2]traceio.Addr)(src[14:])
}

func copySizes(dst, src *[chunk]uint16) {
	*(*[8]uint16)(dst[:8]) = *(*[8]uint16)(src[:8])
	*(*[8]uint16)(dst[8:]) = *(*[8]uint16)(src[8:])
}

// surprise reads which site came instead of the predicted one and how many follow as predicted then. It gives 0 when
// there is none.
func (in *input) surprise(l *lane, prev uint32) (ref uint32) {
	symbol := in.symbols.number()
	in.run = in.runs.number()
	switch {
	case in.symbols.bad || in.runs.bad:
		return 0
	case symbol >= 2 && symbol <= uint64(in.known):
		ref = uint32(symbol - 1)
	case symbol == 0:
		ref = l.hops[prev].other
	case symbol == 1 && int(in.known) < len(l.hops):
		ref = in.known
		in.known++
	}
	if prev != 0 && ref != 0 {
		l.hops[prev].follow(ref)
		l.straight.follow(prev, ref)
	}
	return ref
}

// stretch decodes rows [from, to), at most step, which all belong to the lane l.
func (d *decoder) stretch(l *lane, b *traceio.Block, from, to int, in *input) error {
	refs, addrs := d.refs[:to-from], b.Addr[from:to]
	if !d.follow(l, b, from, to, in) {
		return errRows
	}
	if !d.sites.fetches {
		return d.reside(l, refs, addrs, in)
	}
	b.Fetches += fetches(b.Kind[from:to])
	copy(addrs, b.PC[from:to])
	n := d.strip(len(refs))
	if err := d.reside(l, refs[:n], d.bare[:n], in); err != nil {
		return err
	}
	for k, i := range d.row[:n] {
		addrs[i] = d.bare[k]
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

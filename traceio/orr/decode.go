package orr

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"github.com/klauspost/compress/huff0"
	"github.com/klauspost/compress/zstd"

	"orrery/traceio"
)

// decoder turns columns back into the rows of a block. It keeps its memory from block to block and serves one goroutine.
type decoder struct {
	zstd    *zstd.Decoder
	huff    huff0.Scratch
	sites   []shape // by site; the 0th is none
	fetches bool    // some site fetches
	lanes   [slots]lane
	guess   [1 << guessBits]uint64
	unused  uint64 // in the place of a guess that nobody asks for
	bufs    [columns][]byte

	refs [step]uint32
	row  [step]uint16 // of refs, when some rows have no address
	bare [step]traceio.Addr
	old  [2][]byte // colMissed and colControl, made from those of layoutBytes

	nibbles []byte // colControl, a byte each

	words   []uint64
	residue []byte

	payload []byte // for whoever reads payloads to decode them here
}

// shape is what a site gives to each of its rows.
type shape struct {
	pc   traceio.Addr
	size uint16
	kind traceio.Kind
	self bool // a fetch that stores no address
}

func newDecoder() (*decoder, error) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderMaxWindow(1<<25))
	if err != nil {
		return nil, err
	}
	return &decoder{zstd: z}, nil
}

var (
	errRows   = errors.New("its columns do not fit together")
	errEnd    = errors.New("a column ends too early")
	errLayout = errors.New("its columns are laid out as by a later version")
)

// most is how many raw bytes each column can have in a block of n rows; more is a damaged or hostile file.
func most(col, n int) int {
	switch col {
	case colPC:
		return 10 * n
	case colSite, colSymbol:
		return 4 * n
	case colThread:
		return 6 * n
	case colRun:
		return 3*n + 3
	case colMissed:
		return (n + 7) / 8
	case colControl:
		return n
	}
	return 8 * n
}

// decode fills b with the n rows of a REF payload; b's First, Start, End and events are the caller's.
func (d *decoder) decode(b *traceio.Block, payload []byte, n int) error {
	if n > traceio.MaxBlock || len(payload) < summaryLen {
		return errRows
	}
	layout := readLayout(payload)
	if layout > layoutNibbles {
		return errLayout
	}
	payload = payload[summaryLen:]
	var cols [columns][]byte
	for i := range cols {
		if i == colMissed && layout == layoutBytes {
			continue
		}
		var err error
		cols[i], payload, err = readColumn(payload, &d.bufs[i], d.zstd, &d.huff, most(i, n))
		if err != nil {
			return fmt.Errorf("column %d: %w", i, err)
		}
	}
	missed, control := cols[colMissed], cols[colControl]
	in := input{symbols: varints{src: cols[colSymbol]}, runs: varints{src: cols[colRun]}, known: 1, places: 8 * len(missed), spare: 8,
		origins: &oldOrigins, guesses: len(control)}
	switch layout {
	case layoutBytes:
		in.places, in.spare = len(control), 1
		missed, control = d.split(control)
	case layoutNibbles:
		d.nibbles = nibbles(d.nibbles, control)
		control = d.nibbles[:min(count(missed), len(d.nibbles))]
		if len(d.nibbles)-len(control) > 1 {
			return errRows
		}
		in.origins, in.guesses = &origins, bytes.LastIndexByte(control, byGuess)+1
	}
	d.words = words(d.words[:0], missed)
	// at the end of the residue more may be looked at than is used
	d.residue = append(append(d.residue[:0], cols[colResidue]...), make([]byte, 8*64+8)...)
	in.missed, in.control, in.residue, in.end = d.words, control, d.residue, len(cols[colResidue])
	if err := d.readSites(cols[colPC], cols[colSite], n); err != nil {
		return err
	}
	size(b, n)
	for i := range d.lanes {
		d.lanes[i].reset()
	}
	clear(d.guess[:])
	return d.rows(b, cols[colThread], &in)
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

// count is how many bits are 1.
func count(bitmap []byte) (n int) {
	for ; len(bitmap) >= 8; bitmap = bitmap[8:] {
		n += bits.OnesCount64(binary.LittleEndian.Uint64(bitmap))
	}
	for _, b := range bitmap {
		n += bits.OnesCount8(b)
	}
	return n
}

// words appends bits as words, and a word more.
func words(dst []uint64, bits []byte) []uint64 {
	for ; len(bits) >= 8; bits = bits[8:] {
		dst = append(dst, binary.LittleEndian.Uint64(bits))
	}
	var last [8]byte
	copy(last[:], bits)
	return append(dst, binary.LittleEndian.Uint64(last[:]), 0)
}

// decodeSites reads only the sites of a REF payload of n rows, into d.sites.
func (d *decoder) decodeSites(payload []byte, n int) error {
	if n > traceio.MaxBlock || len(payload) < summaryLen {
		return errRows
	}
	pcs, rest, err := readColumn(payload[summaryLen:], &d.bufs[colPC], d.zstd, &d.huff, most(colPC, n))
	if err != nil {
		return err
	}
	codes, _, err := readColumn(rest, &d.bufs[colSite], d.zstd, &d.huff, most(colSite, n))
	if err != nil {
		return err
	}
	return d.readSites(pcs, codes, n)
}

// size gives the columns of b exactly n rows.
func size(b *traceio.Block, n int) {
	b.Addr, b.PC = resize(b.Addr, n), resize(b.PC, n)
	b.Size, b.Kind, b.Thread = resize(b.Size, n), resize(b.Kind, n), resize(b.Thread, n)
	b.Fetches = 0
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

func (d *decoder) readSites(pcs, rest []byte, rows int) error {
	d.sites, d.fetches = append(d.sites[:0], shape{}), false
	pc := uint64(0)
	for len(pcs) > 0 {
		delta, n := binary.Uvarint(pcs)
		code, m := binary.Uvarint(rest)
		if n <= 0 || m <= 0 || code >= 1<<18 || len(d.sites) > rows {
			return errRows
		}
		pcs, rest = pcs[n:], rest[m:]
		pc += unzigzag(delta)
		kind := traceio.Kind(code & 3)
		d.fetches = d.fetches || kind >= traceio.Fetch
		d.sites = append(d.sites, shape{traceio.Addr(pc), uint16(code >> 2), min(kind, traceio.Fetch), kind == selfFetch})
	}
	if len(rest) > 0 {
		return errRows
	}
	return nil
}

// input is the state of the columns that the rows are made from.
type input struct {
	run           uint64 // rows that still follow as predicted
	runs, symbols varints
	known         uint32 // sites that have appeared, and the 0th
	origins       *[256]origin
	guesses       int // behind that many controls none is a guess
	missed        []uint64
	place, places int // of the next row with an address; how many there may be
	spare         int // fewer than that many are not used
	control       []byte
	residue       []byte
	at, end       int   // in residue
	strange       uint8 // other than 0: a control byte was none
}

// rows undoes coder.rows.
func (d *decoder) rows(b *traceio.Block, threadRuns []byte, in *input) error {
	in.run = in.runs.next(all)
	threads := varints{src: threadRuns}
	for from, n := 0, len(b.Addr); from < n; {
		thread := traceio.Thread(threads.next(1<<16 - 1))
		length := int(threads.next(uint64(n - from)))
		if threads.bad || length == 0 {
			return errRows
		}
		l := &d.lanes[thread%slots]
		l.grow(len(d.sites))
		for end := from + length; from < end; {
			to := min(from+step, end)
			fill(b.Thread[from:to], thread)
			if err := d.stretch(l, b, from, to, in); err != nil {
				return err
			}
			from = to
		}
	}
	if in.runs.bad || in.symbols.bad || in.run != 0 || in.strange != 0 || in.places-in.place >= in.spare ||
		len(threads.src)+len(in.runs.src)+len(in.symbols.src)+len(in.control) > 0 || in.at != in.end {
		return errRows
	}
	return nil
}

func fill(threads []traceio.Thread, t traceio.Thread) {
	threads[0] = t
	for n := 1; n < len(threads); n *= 2 {
		copy(threads[n:], threads[:n])
	}
}

// stretch decodes rows [from, to), at most step, which all belong to the lane l.
func (d *decoder) stretch(l *lane, b *traceio.Block, from, to int, in *input) error {
	refs, addrs := d.refs[:to-from], b.Addr[from:to]
	if !d.follow(l, refs, b, from, in) {
		return errRows
	}
	if !d.fetches {
		return d.reside(l, refs, addrs, in)
	}
	n := 0
	for i, ref := range refs {
		s := &d.sites[ref]
		if s.kind == traceio.Fetch {
			b.Fetches++
		}
		if s.self {
			addrs[i] = s.pc
			continue
		}
		refs[n], d.row[n] = ref, uint16(i)
		n++
	}
	if err := d.reside(l, refs[:n], d.bare[:n], in); err != nil {
		return err
	}
	for k, i := range d.row[:n] {
		addrs[i] = d.bare[k]
	}
	return nil
}

// follow undoes coder.follow for the rows from on, and tells whether every row has a site.
func (d *decoder) follow(l *lane, refs []uint32, b *traceio.Block, from int, in *input) bool {
	hops, sites, ref, run := l.hops, d.sites, l.prev, in.run
	for len(refs) > 0 {
		if run == 0 {
			if ref = in.surprise(hops, ref); ref == 0 {
				return false
			}
			s := &sites[ref]
			refs[0], b.PC[from], b.Size[from], b.Kind[from] = ref, s.pc, s.size, s.kind
			refs, run, from = refs[1:], in.run, from+1
			continue
		}
		n := int(min(run, uint64(len(refs))))
		pcs, lens, kinds, part := b.PC[from:][:n], b.Size[from:][:n], b.Kind[from:][:n], refs[:n]
		for i := range part {
			// most often the next number follows: looking there does not wait for the hop
			if next := hops[ref].next; next == ref+1 {
				ref++
			} else {
				ref = next
			}
			s := &sites[ref]
			part[i], pcs[i], lens[i], kinds[i] = ref, s.pc, s.size, s.kind
		}
		refs, run, from = refs[n:], run-uint64(n), from+n
		if ref == 0 { // nothing follows where nothing has been
			return false
		}
	}
	l.prev, in.run = ref, run
	return true
}

// surprise reads which site came instead of the predicted one and how many follow as predicted then. It gives 0 when
// there is none.
func (in *input) surprise(hops []hop, prev uint32) (ref uint32) {
	symbol := in.symbols.next(1 << 20)
	in.run = in.runs.next(all)
	switch {
	case in.symbols.bad || in.runs.bad:
		return 0
	case symbol == 0:
		ref = hops[prev].other
	case symbol == 1 && int(in.known) < len(hops):
		ref = in.known
		in.known++
	case symbol >= 2 && symbol <= uint64(in.known):
		ref = uint32(symbol - 1)
	}
	if prev != 0 && ref != 0 {
		hops[prev].follow(ref)
	}
	return ref
}

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
	recs, before := l.recs, l.addr
	control, residue, origins, guesses := in.control, in.residue, in.origins, in.guesses
	at, strange, k := in.at, in.strange, 0
	addrs = addrs[:len(refs)]
	for i, ref := range refs {
		r := &recs[ref]
		delta := r.stride
		if missed&1 != 0 {
			o := &origins[control[k]]
			k++
			g := &d.unused
			if k <= guesses {
				g = &d.guess[guess(ref, before)]
			}
			bases := [...]uint64{r.last, before, before + r.rel, *g}
			raw := binary.LittleEndian.Uint64(residue[at:])
			at += int(o.width)
			strange |= o.bad
			addr := bases[o.base&3] + unzigzag(raw&o.mask)
			*g = addr
			delta = addr - r.last
			if delta == r.delta {
				r.stride = delta
			}
		}
		missed >>= 1
		addr := r.last + delta
		r.last, r.delta, r.rel = addr, delta, addr-before
		before = addr
		addrs[i] = traceio.Addr(addr)
	}
	l.addr, in.control, in.at, in.strange, in.guesses = before, control[k:], at, strange, guesses-k
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

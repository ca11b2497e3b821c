package orr

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"

	"orrery/traceio"
)

// decoder turns columns back into the rows of a block. It keeps its memory from block to block and serves one goroutine.
type decoder struct {
	zstd  *zstd.Decoder
	sites []site
	lanes [slots]lane
	guess [1 << guessBits]uint64
	bufs  [columns][]byte

	payload []byte // for whoever reads payloads to decode them here
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
	errRows = errors.New("its columns do not fit together")
	errEnd  = errors.New("a column ends too early")
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
	payload = payload[summaryLen:]
	var cols [columns][]byte
	for i := range cols {
		var err error
		cols[i], payload, err = readColumn(payload, &d.bufs[i], d.zstd, most(i, n))
		if err != nil {
			return fmt.Errorf("column %d: %w", i, err)
		}
	}
	if err := d.readSites(cols[colPC], cols[colSite], n); err != nil {
		return err
	}
	size(b, n)
	for i := range d.lanes {
		d.lanes[i].reset()
	}
	clear(d.guess[:])
	return d.rows(b, &cols)
}

// decodeSites reads only the sites of a REF payload of n rows, into d.sites.
func (d *decoder) decodeSites(payload []byte, n int) error {
	if n > traceio.MaxBlock || len(payload) < summaryLen {
		return errRows
	}
	pcs, rest, err := readColumn(payload[summaryLen:], &d.bufs[colPC], d.zstd, most(colPC, n))
	if err != nil {
		return err
	}
	codes, _, err := readColumn(rest, &d.bufs[colSite], d.zstd, most(colSite, n))
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
	d.sites = d.sites[:0]
	pc := uint64(0)
	for len(pcs) > 0 {
		delta, n := binary.Uvarint(pcs)
		code, m := binary.Uvarint(rest)
		if n <= 0 || m <= 0 || code >= 1<<18 || len(d.sites) >= rows {
			return errRows
		}
		pcs, rest = pcs[n:], rest[m:]
		pc += unzigzag(delta)
		d.sites = append(d.sites, site{pc, uint32(code)})
	}
	if len(rest) > 0 {
		return errRows
	}
	return nil
}

// rows undoes coder.rows.
func (d *decoder) rows(b *traceio.Block, cols *[columns][]byte) error {
	in := input{
		symbols: varints{src: cols[colSymbol]}, runs: varints{src: cols[colRun]},
		control: cols[colControl], residue: cols[colResidue],
	}
	in.run = in.runs.next(all)
	threads := varints{src: cols[colThread]}
	for from, n := 0, len(b.Addr); from < n; {
		thread := traceio.Thread(threads.next(1<<16 - 1))
		length := int(threads.next(uint64(n - from)))
		if threads.bad || length == 0 {
			return errRows
		}
		to := from + length
		run := b.Thread[from:to]
		for i := range run {
			run[i] = thread
		}
		if err := d.stretch(&d.lanes[thread%slots], b, from, to, &in); err != nil {
			return err
		}
		from = to
	}
	if in.runs.bad || in.symbols.bad || in.run != 0 ||
		len(threads.src)+len(in.runs.src)+len(in.symbols.src)+len(in.control)+len(in.residue) > 0 {
		return errRows
	}
	b.Fetches = in.fetches
	return nil
}

// input is the state of the columns that stretch reads.
type input struct {
	run              uint64 // rows that still follow as predicted
	runs, symbols    varints
	known            uint32 // sites that have appeared
	control, residue []byte
	fetches          int
}

// stretch decodes rows [from, to), which all belong to the lane l.
func (d *decoder) stretch(l *lane, b *traceio.Block, from, to int, in *input) error {
	if len(l.recs) == 0 {
		l.grow(d.sites)
	}
	var (
		addrs, pcs   = b.Addr[from:to], b.PC[from:to]
		sizes, kinds = b.Size[from:to], b.Kind[from:to]
		recs         = l.recs
		ref, before  = l.prev, l.addr
		control      = in.control
		run          = in.run
	)
	for i := range addrs {
		if run > 0 {
			run--
			if ref == 0 {
				return errRows
			}
			ref = recs[ref-1].next
			if ref == 0 {
				return errRows
			}
		} else {
			ref = in.surprise(recs, ref)
			if ref == 0 {
				return errRows
			}
			run = in.run
		}
		r := &recs[ref-1]
		pcs[i], sizes[i] = traceio.Addr(r.pc), uint16(r.code>>2)
		kind := traceio.Kind(r.code & 3)
		if kind >= traceio.Fetch {
			in.fetches++
			if kind == selfFetch {
				addrs[i], kinds[i] = traceio.Addr(r.pc), traceio.Fetch
				continue
			}
		}
		kinds[i] = kind
		if len(control) == 0 {
			return errEnd
		}
		addr := r.last + r.stride
		if control[0] != byStride {
			var ok bool
			if addr, ok = d.address(in, control[0], r, ref, before); !ok {
				return errEnd
			}
		}
		control = control[1:]
		r.move(addr, before)
		before = addr
		addrs[i] = traceio.Addr(addr)
	}
	l.prev, l.addr = ref, before
	in.control, in.run = control, run
	return nil
}

// surprise reads which site came instead of the predicted one and how many follow as predicted then. It gives 0 when
// there is none.
func (in *input) surprise(recs []rec, prev uint32) (ref uint32) {
	symbol := in.symbols.next(1 << 20)
	in.run = in.runs.next(all)
	switch {
	case in.symbols.bad || in.runs.bad:
		return 0
	case symbol == 0 && prev != 0:
		ref = recs[prev-1].other
	case symbol == 1 && in.known < uint32(len(recs)):
		in.known++
		ref = in.known
	case symbol >= 2 && symbol <= uint64(in.known)+1:
		ref = uint32(symbol - 1)
	}
	if prev != 0 && ref != 0 {
		recs[prev-1].follow(ref)
	}
	return ref
}

// address undoes coder.address.
func (d *decoder) address(in *input, control byte, r *rec, ref uint32, before uint64) (addr uint64, ok bool) {
	g := &d.guess[guess(ref, before)]
	switch {
	case control == byRel:
		addr = before + r.rel
	case control == byGuess:
		addr = *g
	case control < controlEnd:
		base, width := r.last, int(control)-fromLast
		if control >= fromPrev {
			base, width = before, int(control)-fromPrev
		}
		if len(in.residue) < width {
			return 0, false
		}
		addr = base + unzigzag(littleEndian(in.residue, width))
		in.residue = in.residue[width:]
	default:
		return 0, false
	}
	*g = addr
	return addr, true
}

// littleEndian reads width bytes, at most eight.
func littleEndian(src []byte, width int) uint64 {
	if len(src) >= 8 {
		return binary.LittleEndian.Uint64(src) & (1<<(8*width) - 1)
	}
	v := uint64(0)
	for i := range width {
		v |= uint64(src[i]) << (8 * i)
	}
	return v
}

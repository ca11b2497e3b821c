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
	if err := readThreads(b.Thread, cols[colThread]); err != nil {
		return err
	}
	for i := range d.lanes {
		d.lanes[i].reset()
	}
	clear(d.guess[:])
	return d.rows(b, cols[colRun], cols[colSymbol], cols[colControl], cols[colResidue])
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
		d.sites = append(d.sites, site{pc: traceio.Addr(pc), size: uint16(code >> 2), kind: uint8(code & 3)})
	}
	if len(rest) > 0 {
		return errRows
	}
	return nil
}

func readThreads(dst []traceio.Thread, col []byte) error {
	for len(dst) > 0 {
		t, n := binary.Uvarint(col)
		if n <= 0 || t >= 1<<16 {
			return errRows
		}
		run, m := binary.Uvarint(col[n:])
		if m <= 0 || run == 0 || run > uint64(len(dst)) {
			return errRows
		}
		col = col[n+m:]
		for i := range run {
			dst[i] = traceio.Thread(t)
		}
		dst = dst[run:]
	}
	if len(col) > 0 {
		return errRows
	}
	return nil
}

func (d *decoder) rows(b *traceio.Block, runs, symbols, control, residue []byte) error {
	n := len(b.Addr)
	addrs, pcs, sizes, kinds, threads := b.Addr[:n], b.PC[:n], b.Size[:n], b.Kind[:n], b.Thread[:n]
	known := uint32(0) // sites that have appeared
	fetches, at := 0, 0
	run, w := binary.Uvarint(runs)
	if w <= 0 {
		return errEnd
	}
	runs = runs[w:]
	for i := range addrs {
		l := &d.lanes[threads[i]%slots]
		var p *state
		if l.prev != 0 {
			p = l.at(l.prev-1, len(d.sites))
		}
		var id uint32
		if run > 0 {
			run--
			if p == nil || p.next == 0 {
				return errRows
			}
			id = p.next - 1
		} else {
			var symbol uint64
			if symbol, w = binary.Uvarint(symbols); w <= 0 {
				return errEnd
			}
			symbols = symbols[w:]
			if run, w = binary.Uvarint(runs); w <= 0 {
				return errEnd
			}
			runs = runs[w:]
			switch {
			case symbol == 0 && p != nil && p.another != 0:
				id = p.another - 1
			case symbol == 1 && known < uint32(len(d.sites)):
				id = known
				known++
			case symbol >= 2 && symbol < uint64(known)+2:
				id = uint32(symbol - 2)
			default:
				return errRows
			}
			if p != nil {
				p.follow(id)
			}
		}
		l.prev = id + 1
		s := &d.sites[id]
		pcs[i], sizes[i] = s.pc, s.size
		if s.kind == selfFetch {
			addrs[i], kinds[i] = s.pc, traceio.Fetch
			fetches++
			continue
		}
		kinds[i] = traceio.Kind(s.kind)
		if s.kind == uint8(traceio.Fetch) {
			fetches++
		}
		if len(control) == 0 {
			return errEnd
		}
		how := control[0]
		control = control[1:]
		st := l.at(id, len(d.sites))
		prev := l.addr
		var addr uint64
		if how == byStride {
			addr = st.last + st.stride
		} else {
			g := &d.guess[guess(id, prev)]
			switch {
			case how == byRel:
				addr = prev + st.rel
			case how == byGuess:
				addr = *g
			case how < controlEnd:
				base, width := st.last, int(how)-fromLast
				if how >= fromPrev {
					base, width = prev, int(how)-fromPrev
				}
				if len(residue)-at < width {
					return errEnd
				}
				addr = base + unzigzag(littleEndian(residue[at:], width))
				at += width
			default:
				return errRows
			}
			*g = addr
		}
		st.move(addr, prev)
		l.addr = addr
		addrs[i] = traceio.Addr(addr)
	}
	if run != 0 || len(runs)+len(symbols)+len(control) > 0 || at != len(residue) {
		return errRows
	}
	b.Fetches = fetches
	return nil
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

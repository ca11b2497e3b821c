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

// decoder turns columns back into the rows of a block. It keeps its memory from block to block and serves one
// goroutine.
type decoder struct {
	zstd  *zstd.Decoder
	huff  huff0.Scratch
	sites siteTable
	lanes [slots]lane
	guess [1 << guessBits]uint64
	bufs  [columns][]byte

	refs [step + chunk]uint32
	row  [step]uint16   // of refs, when some rows have no address
	bare []traceio.Addr // the addresses of rows that have one
	old  [2][]byte      // colMissed and colControl, made from those of layoutBytes

	nibbles []byte // colControl, a byte each

	following following
	turns     []turn
	numbers   [2][]uint64

	told     [step]told
	missed   [step / 64]uint64 // as look finds them
	stops    [step + 8]uint32  // as stop does
	residing residing

	words   []uint64
	residue []byte

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
	case colFirst:
		return 9 * n
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
	if layout > layoutFirst {
		return errLayout
	}
	payload = payload[summaryLen:]
	if layout == layoutWhole {
		return readWhole(b, payload, n)
	}
	var cols [columns][]byte
	for i := range cols {
		if i == colMissed && layout == layoutBytes || i == colFirst && layout < layoutFirst {
			continue
		}
		var err error
		cols[i], payload, err = readColumn(payload, &d.bufs[i], d.zstd, &d.huff, most(i, n))
		if err != nil {
			return fmt.Errorf("column %d: %w", i, err)
		}
	}
	missed, control := cols[colMissed], cols[colControl]
	in := input{layout: layout, places: 8 * len(missed), spare: 8, origins: &oldOrigins, guesses: len(control)}
	switch layout {
	case layoutBytes:
		in.places, in.spare = len(control), 1
		missed, control = d.split(control)
	case layoutNibbles, layoutWays, layoutFirst:
		d.nibbles = nibbles(d.nibbles, control)
		control = d.nibbles[:min(count(missed), len(d.nibbles))]
		if len(d.nibbles)-len(control) > 1 {
			return errRows
		}
		in.origins, in.guesses = &fixedOrigins, bytes.LastIndexByte(control, fixedGuess)+1
	}
	if !in.fixed() {
		in.origins, in.guesses = &origins, 1
	}
	d.words = words(d.words[:0], missed)
	// at the end of the residue more may be looked at than is used
	d.residue = append(append(d.residue[:0], cols[colResidue]...), make([]byte, 8*step+8)...)
	in.missed, in.control, in.residue, in.end = d.words, control, d.residue, len(cols[colResidue])
	if err := d.sites.read(cols[colPC], cols[colSite], n, layout); err != nil {
		return err
	}
	if layout >= layoutFirst {
		if err := d.sites.readFirst(cols[colFirst]); err != nil {
			return err
		}
	}
	turns, err := d.readTurns(cols[colSymbol], cols[colRun], layout)
	if err != nil {
		return err
	}
	in.run, in.turns = turns[0].run, turns[1:]
	size(b, n)
	if d.sites.fetches {
		d.bare = resize(d.bare, n)
	}
	for i := range d.lanes {
		d.lanes[i].reset()
	}
	clear(d.guess[:])
	return d.rows(b, cols[colThread], &in)
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

// decodeSites reads only the instruction addresses of a REF payload of n rows. They are valid until the decoder is used
// again.
func (d *decoder) decodeSites(payload []byte, n int) ([]traceio.Addr, error) {
	if n > traceio.MaxBlock || len(payload) < summaryLen {
		return nil, errRows
	}
	layout, payload := readLayout(payload), payload[summaryLen:]
	if layout == layoutWhole {
		if len(payload) != n*wholeRow {
			return nil, errRows
		}
		d.bare = resize(d.bare, n)
		wholeAddrs(d.bare, payload[8*n:])
		return d.bare, nil
	}
	pcs, rest, err := readColumn(payload, &d.bufs[colPC], d.zstd, &d.huff, most(colPC, n))
	if err != nil {
		return nil, err
	}
	codes, _, err := readColumn(rest, &d.bufs[colSite], d.zstd, &d.huff, most(colSite, n))
	if err != nil {
		return nil, err
	}
	if err := d.sites.read(pcs, codes, n, layout); err != nil {
		return nil, err
	}
	return d.sites.pcs[1:d.sites.known], nil
}

// size gives the columns of b exactly n rows, and those that follow writes room for a chunk more.
func size(b *traceio.Block, n int) {
	b.Addr, b.Thread = resize(b.Addr, n), resize(b.Thread, n)
	b.PC, b.Size, b.Kind = resize(b.PC, n+chunk)[:n], resize(b.Size, n+chunk)[:n], resize(b.Kind, n+chunk)[:n]
	b.Fetches = 0
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// input is the state of the columns that the rows are made from.
type input struct {
	run           uint32 // rows that still follow as predicted
	turns         []turn // that are to come
	layout        uint16
	origins       *[256]origin
	guesses       int // where that is not above 0, misses are not put into the guess table
	told, guessed int // misses so far, and those that were guessed
	missed        []uint64
	place, places int // of the next row with an address; how many there may be
	spare         int // fewer than that many are not used
	control       []byte
	residue       []byte
	at, end       int   // in residue
	strange       uint8 // other than 0: a control byte was none
}

// fixed tells that all sites keep to the stride.
func (in *input) fixed() bool { return in.layout < layoutWays }

// rows undoes coder.rows.
func (d *decoder) rows(b *traceio.Block, threadRuns []byte, in *input) error {
	threads := varints{src: threadRuns}
	for from, n := 0, len(b.Addr); from < n; {
		thread := traceio.Thread(threads.next(1<<16 - 1))
		length := int(threads.next(uint64(n - from)))
		if threads.bad || length == 0 {
			return errRows
		}
		l := &d.lanes[thread%slots]
		l.room(&d.sites, in.layout)
		for end := from + length; from < end; {
			to := min(from+step, end)
			fill(b.Thread[from:to], thread)
			if err := d.stretch(l, b, from, to, in); err != nil {
				return err
			}
			from = to
		}
	}
	if in.run != 0 || in.strange != 0 || in.places-in.place >= in.spare ||
		len(threads.src)+len(in.turns)+len(in.control) > 0 || in.at != in.end {
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

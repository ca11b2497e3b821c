package orr

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"github.com/klauspost/compress/huff0"
	"github.com/klauspost/compress/zstd"

	"orrery/traceio"
)

// decoder turns columns back into the references of a block. It reuses its memory from block to block and serves one
// goroutine.
type decoder struct {
	zstd       *zstd.Decoder
	huff       huff0.Scratch
	sites      siteTable
	threads    [threadGroups]threadState
	table      contextTable
	predictors [predictors]predictor
	bufs       [columns][]byte

	refs      [step + chunk]uint32 // sites of a step's references
	row       [step]uint16         // which of a step's references have an address of their own, if not all
	addressed []traceio.Addr       // the addresses of these

	nibbles        []byte // colControl, a byte each
	replay         siteReplay
	mispredictions []misprediction
	numbers        [2][]uint64
	addresses      addressBatch
	misses         [step + 8]uint32 // of addresses
	bitmap         []uint64         // colMissed
	residual       []byte
	payload        []byte // for whoever reads payloads to decode them here
}

func newDecoder() (*decoder, error) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderMaxWindow(1<<25))
	if err != nil {
		return nil, err
	}
	d := &decoder{zstd: z}
	d.predictors = newPredictors(&d.table)
	return d, nil
}

var (
	errRows = errors.New("its columns do not fit together")
	errEnd  = errors.New("a column ends too early")
	errForm = errors.New("its columns are encoded as by a later version")
)

// maxColumn is how many raw bytes each column can have in a block of n references; more is a damaged or hostile file.
func maxColumn(col, n int) int {
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

// decode fills b with the n references of a REF payload; b's First, Start, End and events are the caller's.
func (d *decoder) decode(b *traceio.Block, payload []byte, n int) error {
	if n > traceio.MaxBlock || len(payload) < summaryLen {
		return errRows
	}
	form, payload := formOf(payload), payload[summaryLen:]
	switch form {
	case formRaw:
		return readRaw(b, payload, n)
	case formPredicted:
	default:
		return errForm
	}
	var cols [columns][]byte
	for i := range cols {
		var err error
		cols[i], payload, err = readColumn(payload, &d.bufs[i], d.zstd, &d.huff, maxColumn(i, n))
		if err != nil {
			return fmt.Errorf("column %d: %w", i, err)
		}
	}
	in, err := d.open(&cols, n)
	if err != nil {
		return err
	}
	size(b, n)
	if d.sites.fetches {
		d.addressed = resize(d.addressed, n)
	}
	for i := range d.threads {
		d.threads[i].reset()
	}
	clear(d.table[:])
	return d.decodeThreads(b, cols[colThread], &in)
}

// cursor is how much of the columns is not decoded yet.
type cursor struct {
	run            uint32 // references whose sites are still as predicted
	mispredictions []misprediction
	addressed, end int // index of the next reference with an address; how many there may be, less than 8 too many
	control        []byte
	residual       []byte // followed by some bytes more
	residualLen    int
}

// open decodes what is by site, and prepares the other columns.
func (d *decoder) open(cols *[columns][]byte, n int) (in cursor, err error) {
	missed := cols[colMissed]
	d.nibbles = nibbles(d.nibbles, cols[colControl])
	in.control = d.nibbles[:min(popCount(missed), len(d.nibbles))]
	if len(d.nibbles)-len(in.control) > 1 {
		return in, errRows
	}
	d.bitmap = words(d.bitmap[:0], missed)
	in.end = 8 * len(missed)
	// reading 8 bytes at once must not pass the end, even for a whole step of misses that have no bytes left
	d.residual = append(append(d.residual[:0], cols[colResidual]...), make([]byte, 8*step+8)...)
	in.residual, in.residualLen = d.residual, len(cols[colResidual])
	if err := d.sites.read(cols[colPC], cols[colSite], n); err != nil {
		return in, err
	}
	if err := d.sites.readFirst(cols[colFirst]); err != nil {
		return in, err
	}
	list, err := d.readMispredictions(cols[colSymbol], cols[colRun])
	if err != nil {
		return in, err
	}
	in.run, in.mispredictions = list[0].run, list[1:]
	return in, nil
}

// popCount is how many bits are 1.
func popCount(bitmap []byte) (n int) {
	for ; len(bitmap) >= 8; bitmap = bitmap[8:] {
		n += bits.OnesCount64(binary.LittleEndian.Uint64(bitmap))
	}
	for _, b := range bitmap {
		n += bits.OnesCount8(b)
	}
	return n
}

// words appends a bitmap as words, and a word more.
func words(dst []uint64, bitmap []byte) []uint64 {
	for ; len(bitmap) >= 8; bitmap = bitmap[8:] {
		dst = append(dst, binary.LittleEndian.Uint64(bitmap))
	}
	var last [8]byte
	copy(last[:], bitmap)
	return append(dst, binary.LittleEndian.Uint64(last[:]), 0)
}

// decodePCs reads only the instruction addresses of a REF payload of n references. They are valid until the decoder is
// used again.
func (d *decoder) decodePCs(payload []byte, n int) ([]traceio.Addr, error) {
	if n > traceio.MaxBlock || len(payload) < summaryLen {
		return nil, errRows
	}
	form, payload := formOf(payload), payload[summaryLen:]
	if form == formRaw {
		if len(payload) != n*rawRow {
			return nil, errRows
		}
		d.addressed = resize(d.addressed, n)
		rawAddrs(d.addressed, payload[8*n:])
		return d.addressed, nil
	}
	pcs, rest, err := readColumn(payload, &d.bufs[colPC], d.zstd, &d.huff, maxColumn(colPC, n))
	if err != nil {
		return nil, err
	}
	codes, _, err := readColumn(rest, &d.bufs[colSite], d.zstd, &d.huff, maxColumn(colSite, n))
	if err != nil {
		return nil, err
	}
	if err := d.sites.read(pcs, codes, n); err != nil {
		return nil, err
	}
	return d.sites.pcs[1:d.sites.known], nil
}

// size gives the columns of b exactly n references; those that replaySites writes have room for a chunk more.
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

// decodeThreads decodes one run of references of a thread after the other.
func (d *decoder) decodeThreads(b *traceio.Block, threadRuns []byte, in *cursor) error {
	runs := varints{src: threadRuns}
	for from, n := 0, len(b.Addr); from < n; {
		thread := traceio.Thread(runs.next(1<<16 - 1))
		length := int(runs.next(uint64(n - from)))
		if runs.bad || length == 0 {
			return errRows
		}
		t := &d.threads[thread%threadGroups]
		t.startDecoding(&d.sites)
		for end := from + length; from < end; {
			to := min(from+step, end)
			fill(b.Thread[from:to], thread)
			if err := d.decodeStep(t, b, from, to, in); err != nil {
				return err
			}
			from = to
		}
	}
	if in.run != 0 || in.end-in.addressed >= 8 || len(runs.src)+len(in.mispredictions)+len(in.control) > 0 ||
		len(d.residual)-len(in.residual) != in.residualLen {
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

// decodeStep decodes references [from, to), at most step, of one thread group.
func (d *decoder) decodeStep(t *threadState, b *traceio.Block, from, to int, in *cursor) error {
	refs := d.refs[:to-from]
	if !d.decodeSites(t, b, from, to, in) {
		return errRows
	}
	if !d.sites.fetches {
		return d.decodeAddresses(t, refs, b.Addr, in)
	}
	b.Fetches += fetches(b.Kind[from:to])
	addrs, at := b.Addr[from:to], in.addressed
	copy(addrs, b.PC[from:to])
	n := d.keepAddressed(len(refs))
	if err := d.decodeAddresses(t, refs[:n], d.addressed, in); err != nil {
		return err
	}
	for k, a := range d.addressed[at:in.addressed] {
		addrs[d.row[k]] = a
	}
	return nil
}

// keepAddressed drops those of the first n refs that have no address of their own, and notes which the others are; it
// gives the number that is left.
func (d *decoder) keepAddressed(n int) (left int) {
	own := d.sites.own
	for i, ref := range d.refs[:n] {
		d.refs[left&(step-1)], d.row[left&(step-1)] = ref, uint16(i)
		left += int(own[ref])
	}
	return left
}

// fetches counts the fetches among kinds; they alone have the second bit.
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

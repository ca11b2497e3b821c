package orr

import (
	"encoding/binary"
	"math"

	"github.com/klauspost/compress/huff0"
	"github.com/klauspost/compress/zstd"

	"orrery/traceio"
)

// encoder turns the references of a block into columns. It reuses its memory from block to block.
type encoder struct {
	zstd       *zstd.Encoder
	huff       huff0.Scratch
	hash       []uint32  // open addressing: site number by the hash of its key; the length is a power of two
	keys       []SiteKey // by site
	first      []uint64  // the address of its first reference, by site
	lastNew    uint32    // the last new site that has a symbol
	pcs        []uint64  // by site, without the 0th
	wide       wideSites
	known      []site // by number, without the 0th
	threads    [threadGroups]threadState
	table      contextTable
	predictors [predictors]predictor
	history    history
	lines      lineSet
	cols       [columns][]byte

	rows, data, stores int
	current            traceio.Thread // of the last reference
	length             int            // how many references it has made in a row
	run                uint64         // references since the last mispredicted site
	addressed          int            // references with an address of their own
	controls           int            // how many of these were mispredicted
	residualLen        int
	low, high          uint64         // of data references
	thread             traceio.Thread // the highest number
	unknownKind        bool           // a reference is neither load nor store nor fetch

	own           [step]Row // made from a block
	sites         [step]uint32
	addrs         [traceio.MaxBlock]traceio.Addr // of the references that have one of their own
	missed        [traceio.MaxBlock / 64]uint64  // bitmap over addrs
	control       [traceio.MaxBlock + 7]byte
	residualBytes [8*traceio.MaxBlock + 8]byte
}

// step is how many references go through one stage before the next stage takes them, while they are in the first cache.
const step = 1024

// The columns of a REF payload, in order.
const (
	colPC       = iota // PCs of sites; see appendDeltas
	colSite            // site codes: varints
	colThread          // (thread, number of references): pairs of varints
	colRun             // how many sites in a row were predicted: varints
	colSymbol          // the site that came instead; see siteSymbol: varints
	colMissed          // a bit for each reference with an address, from bit 0 on: 1 where it was mispredicted
	colControl         // four bits for each bit that is 1, from the low ones on
	colResidual        // residual bytes, little endian
	colFirst           // the addresses of the first references of sites; see appendDeltas
	columns
)

func newEncoder() (*encoder, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(false), zstd.WithWindowSize(1<<19), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, err
	}
	e := &encoder{zstd: z, huff: huff0.Scratch{Reuse: huff0.ReusePolicyNone}, hash: make([]uint32, 1<<10)}
	e.predictors = newPredictors(&e.table)
	return e, nil
}

// encode appends the REF payload of b to dst: summary, then columns, or the references as they are where that is
// shorter.
func (e *encoder) encode(dst []byte, b *traceio.Block) ([]byte, Summary) {
	e.reset()
	for i, n := 0, b.Len(); i < n; {
		to := i + sameThread(b.Thread[i:])
		rows, known := e.wide.append(e.own[:0], b, i, to)
		e.unknownKind = e.unknownKind || !known
		e.add(b.Thread[i], batch{rows: rows, fetches: b.Fetches > 0})
		i = to
	}
	at := len(dst) + summaryLen
	dst, sum := e.finish(dst)
	if len(dst)-at > b.Len()*rawRow && !e.unknownKind {
		dst = appendRaw(dst[:at], b)
		setForm(dst[at-summaryLen:], formRaw)
	}
	return dst, sum
}

// finish appends the payload of the references that were added since the last reset.
func (e *encoder) finish(dst []byte) ([]byte, Summary) {
	e.endThreadRun()
	sum := e.summary()
	e.encodeKnownSites()
	e.cols[colRun] = binary.AppendUvarint(e.cols[colRun], e.run)
	for _, w := range e.missed[:(e.addressed+63)/64] {
		e.cols[colMissed] = binary.LittleEndian.AppendUint64(e.cols[colMissed], w)
	}
	e.cols[colMissed] = e.cols[colMissed][:(e.addressed+7)/8]
	e.cols[colControl] = appendNibbles(e.cols[colControl], e.control[:], e.controls)
	e.cols[colResidual] = e.residualBytes[:e.residualLen]
	dst = sum.append(dst)
	dst = appendUnlessPoor(dst, e.zstd, e.cols[colPC])
	dst = e.appendCodes(dst, e.cols[colSite])
	for _, col := range e.cols[colThread:colMissed] {
		dst = appendColumn(dst, e.zstd, col)
	}
	for _, col := range e.cols[colMissed:] {
		dst = e.appendMixed(dst, col)
	}
	return dst, sum
}

// encodeKnownSites encodes what is stored by site.
func (e *encoder) encodeKnownSites() {
	first := e.first[1:]
	e.pcs, e.first = e.pcs[:0], e.first[:0]
	for i, k := range e.keys[1:] {
		s := e.wide.site(k)
		e.known, e.pcs = append(e.known, s), append(e.pcs, s.pc)
		e.cols[colSite] = binary.AppendUvarint(e.cols[colSite], uint64(s.code))
		if s.code&3 != selfFetch {
			e.first = append(e.first, first[i])
		}
	}
	e.cols[colPC] = appendDeltas(e.cols[colPC], e.pcs)
	e.cols[colFirst] = appendDeltas(e.cols[colFirst], e.first)
}

func (e *encoder) reset() {
	clear(e.hash)
	e.keys, e.first, e.lastNew, e.known = append(e.keys[:0], keyNone), append(e.first[:0], 0), 0, e.known[:0]
	e.wide.reset()
	for i := range e.threads {
		e.threads[i].reset()
		e.grow(&e.threads[i])
	}
	clear(e.table[:])
	clear(e.lines[:])
	clear(e.missed[:])
	for i := range e.cols {
		e.cols[i] = e.cols[i][:0]
	}
	e.rows, e.data, e.stores, e.current, e.length = 0, 0, 0, 0, 0
	e.run, e.addressed, e.controls, e.residualLen = 0, 0, 0, 0
	e.low, e.high, e.thread, e.unknownKind = math.MaxUint64, 0, 0, false
}

// batch is references of one thread that are to be encoded.
type batch struct {
	rows    []Row
	shift   uint    // addresses are shifted left by that many bits
	tag     SiteKey // keys are xored with this
	fetches bool    // some may be fetches
}

// add encodes references of a thread, at most traceio.MaxBlock since the last reset.
func (e *encoder) add(thread traceio.Thread, in batch) {
	if thread != e.current {
		e.endThreadRun()
		e.current = thread
		e.thread = max(e.thread, thread)
	}
	e.rows += len(in.rows)
	e.length += len(in.rows)
	for rows := in.rows; len(rows) > 0; rows = rows[len(in.rows):] {
		in.rows = rows[:min(step, len(rows))]
		e.encodeStep(&e.threads[thread%threadGroups], in)
	}
}

// sameThread is how many of the first references, at most step, are of one thread.
func sameThread(threads []traceio.Thread) int {
	if len(threads) >= step && [step - 1]traceio.Thread(threads) == [step - 1]traceio.Thread(threads[1:]) {
		return step // one memory comparison
	}
	n := min(len(threads), step)
	for i := 1; i < n; i++ {
		if threads[i] != threads[0] {
			return i
		}
	}
	return n
}

// endThreadRun encodes that a run of references of one thread has ended.
func (e *encoder) endThreadRun() {
	if e.length > 0 {
		e.cols[colThread] = binary.AppendUvarint(e.cols[colThread], uint64(e.current))
		e.cols[colThread] = binary.AppendUvarint(e.cols[colThread], uint64(e.length))
	}
	e.length = 0
}

// encodeStep encodes at most step references of one thread group.
func (e *encoder) encodeStep(t *threadState, in batch) {
	stores := e.encodeSites(t, in)
	n := len(in.rows)
	if in.fetches {
		n = e.keepAddressed(in.rows)
	} else {
		e.summarise(e.addrs[e.addressed:][:n], stores)
	}
	e.encodeAddresses(t, e.sites[:n])
}

// keepAddressed drops references whose address is not stored from sites and addrs, and adds those that are no fetches
// to the summary; it gives the number that is left.
func (e *encoder) keepAddressed(rows []Row) (n int) {
	addrs := e.addrs[e.addressed:][:len(rows)]
	for i, r := range rows {
		if r.Key.data() {
			e.summarise(addrs[i:i+1], int(r.Key&KeyStore/KeyStore))
		}
		if r.Key.code() != selfFetch {
			e.sites[n], addrs[n] = e.sites[i], addrs[i]
			n++
		}
	}
	return n
}

// summarise adds data references to the summary.
func (e *encoder) summarise(addrs []traceio.Addr, stores int) {
	low, high := e.low, e.high
	for _, a := range addrs {
		low, high = min(low, uint64(a)), max(high, uint64(a))
		e.lines.add(uint64(a) >> 6)
	}
	e.low, e.high = low, high
	e.stores += stores
	e.data += len(addrs)
}

func (e *encoder) summary() Summary {
	return Summary{
		Loads: uint32(e.data - e.stores), Stores: uint32(e.stores), Fetches: uint32(e.rows - e.data),
		Low: traceio.Addr(e.low), High: traceio.Addr(e.high), Lines: e.lines.count(), Sites: uint32(len(e.keys) - 1),
		LastThread: e.thread,
	}
}

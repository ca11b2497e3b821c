package orr

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"github.com/klauspost/compress/huff0"
	"github.com/klauspost/compress/zstd"

	"orrery/traceio"
)

// coder turns the rows of a block into columns. It keeps its memory from block to block.
type coder struct {
	zstd       *zstd.Encoder
	huff       huff0.Scratch
	table      []uint32 // open addressing: site by the hash of its key; a power of two
	keys       []Key    // by site
	first      []uint64 // the address of its first row
	fresh      uint32   // the last site that has a turn of its own for its first row
	pcs        []uint64 // of sites, without the 0th
	wide       wide
	sites      []site // without the 0th
	lanes      [slots]lane
	guess      [1 << guessBits]uint64
	lines      lineSet
	succession succession
	comparing  comparing
	cols       [columns][]byte

	rows, data, stores int
	current            traceio.Thread // of the last row
	length             int            // rows that it has had in a row
	run                uint64         // rows since the last that did not follow as predicted
	places             int            // rows with an address
	controls           int            // of these, those that were not predicted
	residues           int            // bytes of residue
	guessing           bool           // the guess table is still tried for misses
	right              int            // misses that it knew
	low, high          uint64         // of data references
	thread             traceio.Thread // the highest
	strange            bool           // a row of no known kind

	own     [step]Row // made from a block
	refs    [step]uint32
	addrs   [traceio.MaxBlock + margin]uint64 // of the rows that have one, behind a margin of zeros
	missed  [traceio.MaxBlock/64 + 1]uint64
	control [traceio.MaxBlock + 7]byte
	residue [8*traceio.MaxBlock + 8]byte
}

// step is how many rows go through one stage before the next takes them, while they are still near.
const step = 1024

// The columns of a REF payload, in order.
const (
	colPC     = iota // site PCs; see appendTrails
	colSite          // site codes: varints
	colThread        // (thread, number of rows): varint pairs
	colRun           // how many rows in a row followed as predicted: varints
	colSymbol        // what came instead; see symbolOf: varints
	// one bit per row that stores an address, from bit 0 on: 1 where the way of its site did not predict it
	colMissed
	colControl // four bits per bit that is 1, from the low ones on
	colResidue // residual bytes, little endian
	colFirst   // the addresses of the first rows of the sites that store one; see appendTrails
	columns
)

func newCoder() (*coder, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(false), zstd.WithWindowSize(1<<19), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, err
	}
	return &coder{zstd: z, huff: huff0.Scratch{Reuse: huff0.ReusePolicyNone}, table: make([]uint32, 1<<10)}, nil
}

// encode appends the REF payload of b to dst: summary, then columns.
func (c *coder) encode(dst []byte, b *traceio.Block) ([]byte, Summary) {
	c.reset()
	for i, n := 0, b.Len(); i < n; {
		to := i + one(b.Thread[i:])
		rows, known := c.wide.append(c.own[:0], b, i, to)
		c.strange = c.strange || !known
		c.add(b.Thread[i], fresh{rows: rows, fetches: b.Fetches > 0})
		i = to
	}
	at := len(dst) + summaryLen
	dst, sum := c.finish(dst)
	if len(dst)-at > b.Len()*wholeRow && !c.strange {
		dst = appendWhole(dst[:at], b)
		writeLayout(dst[at-summaryLen:], layoutWhole)
	}
	return dst, sum
}

// finish appends the payload of the rows that were added since the last reset.
func (c *coder) finish(dst []byte) ([]byte, Summary) {
	c.endRun()
	sum := c.summary()
	c.tellSites()
	c.cols[colRun] = binary.AppendUvarint(c.cols[colRun], c.run)
	for _, w := range c.missed[:(c.places+63)/64] {
		c.cols[colMissed] = binary.LittleEndian.AppendUint64(c.cols[colMissed], w)
	}
	c.cols[colMissed] = c.cols[colMissed][:(c.places+7)/8]
	c.cols[colControl] = appendNibbles(c.cols[colControl], c.control[:], c.controls)
	c.cols[colResidue] = c.residue[:c.residues]
	at := len(dst)
	dst = sum.append(dst)
	writeLayout(dst[at:], layoutFirst)
	dst = appendWorth(dst, c.zstd, c.cols[colPC])
	dst = c.appendCodes(dst, c.cols[colSite])
	for _, col := range c.cols[colThread:colMissed] {
		dst = appendColumn(dst, c.zstd, col)
	}
	for _, col := range c.cols[colMissed:] {
		dst = c.appendMixed(dst, col)
	}
	return dst, sum
}

// tellSites writes what is by site.
func (c *coder) tellSites() {
	first := c.first[1:]
	c.pcs, c.first = c.pcs[:0], c.first[:0]
	for i, k := range c.keys[1:] {
		s := c.wide.site(k)
		c.sites, c.pcs = append(c.sites, s), append(c.pcs, s.pc)
		c.cols[colSite] = binary.AppendUvarint(c.cols[colSite], uint64(s.code))
		if s.code&3 != selfFetch {
			c.first = append(c.first, first[i])
		}
	}
	c.cols[colPC] = appendTrails(c.cols[colPC], c.pcs)
	c.cols[colFirst] = appendTrails(c.cols[colFirst], c.first)
}

func (c *coder) reset() {
	clear(c.table)
	c.keys, c.first, c.fresh, c.sites = append(c.keys[:0], keyNone), append(c.first[:0], 0), 0, c.sites[:0]
	c.wide.reset()
	for i := range c.lanes {
		c.lanes[i].reset()
		c.grow(&c.lanes[i])
	}
	clear(c.guess[:])
	clear(c.lines[:])
	clear(c.missed[:])
	for i := range c.cols {
		c.cols[i] = c.cols[i][:0]
	}
	c.rows, c.data, c.stores, c.current, c.length = 0, 0, 0, 0, 0
	c.run, c.places, c.controls, c.residues = 0, 0, 0, 0
	c.guessing, c.right = true, 0
	c.low, c.high, c.thread, c.strange = math.MaxUint64, 0, 0, false
}

// fresh are rows of one thread to be coded, as they are told.
type fresh struct {
	rows    []Row
	shift   uint // addresses stand that many bits above
	tag     Key  // keys are this one away from what they are
	fetches bool // some may be fetches
}

// add codes rows of a thread behind those before, at most traceio.MaxBlock since the last reset.
func (c *coder) add(thread traceio.Thread, in fresh) {
	if thread != c.current {
		c.endRun()
		c.current = thread
		c.thread = max(c.thread, thread)
	}
	c.rows += len(in.rows)
	c.length += len(in.rows)
	for rows := in.rows; len(rows) > 0; rows = rows[len(in.rows):] {
		in.rows = rows[:min(step, len(rows))]
		c.stretch(&c.lanes[thread%slots], in)
	}
}

// one is how many of the first rows, at most step, are of one thread.
func one(threads []traceio.Thread) int {
	if len(threads) >= step && [step - 1]traceio.Thread(threads) == [step - 1]traceio.Thread(threads[1:]) {
		return step // found out many rows at a time
	}
	n := min(len(threads), step)
	for i := 1; i < n; i++ {
		if threads[i] != threads[0] {
			return i
		}
	}
	return n
}

// endRun writes that a run of rows of one thread has ended.
func (c *coder) endRun() {
	if c.length > 0 {
		c.cols[colThread] = binary.AppendUvarint(c.cols[colThread], uint64(c.current))
		c.cols[colThread] = binary.AppendUvarint(c.cols[colThread], uint64(c.length))
	}
	c.length = 0
}

// stretch codes at most step rows, which all belong to the lane l.
func (c *coder) stretch(l *lane, in fresh) {
	for len(in.rows) > 0 {
		n, stores := c.follow(l, in)
		own := n
		if in.fetches {
			own = c.strip(in.rows[:n])
		} else {
			c.measure(c.addrs[margin+c.places:][:n], stores)
		}
		c.reside(l, c.refs[:own])
		if l.lap.rounds > 0 {
			n += c.goRound(l, in, n)
		}
		in.rows = in.rows[n:]
	}
}

// strip leaves only rows that have an address of their own, and measures those that are no fetches; it gives their
// number.
func (c *coder) strip(rows []Row) (n int) {
	addrs := c.addrs[margin+c.places:][:len(rows)]
	for i, r := range rows {
		if r.Key.data() {
			c.measure(addrs[i:i+1], int(r.Key>>2&1))
		}
		if r.Key.code() != selfFetch {
			c.refs[n], addrs[n] = c.refs[i], addrs[i]
			n++
		}
	}
	return n
}

// summary is what measure has counted.
func (c *coder) summary() Summary {
	return Summary{
		Loads: uint32(c.data - c.stores), Stores: uint32(c.stores), Fetches: uint32(c.rows - c.data),
		Low: traceio.Addr(c.low), High: traceio.Addr(c.high), Lines: c.lines.count(), Sites: uint32(len(c.keys) - 1),
		LastThread: c.thread,
	}
}

// correct writes the control bytes and residues of at most 64 misses.
func (c *coder) correct(misses []miss) {
	control := c.control[c.controls:][:len(misses)]
	residues := c.residues
	for i := range misses {
		m := &misses[i]
		z, other := zigzag(m.d), zigzag(m.e)
		nearer := below(other, z>>aside) // the row before is
		z ^= (z ^ other) & nearer
		t := tellings[(byteLen(z)+int(16&nearer))&31]
		how, told := uint64(t.how), below(m.way, ways)
		how ^= (how ^ m.way) & told
		binary.LittleEndian.PutUint64(c.residue[residues:], z)
		residues += int(uint64(t.width) &^ told)
		control[i] = byte(how)
	}
	c.controls += len(misses)
	c.residues = residues
}

// telling is how a miss is told.
type telling struct{ how, width uint8 }

// tellings are by the number of bytes that the residue has, 0..8, plus 16 when it is to the address of the row before.
var tellings = func() (out [32]telling) {
	for n := range 9 {
		i := slices.IndexFunc(lastWidths[:], func(w uint8) bool { return int(w) >= n })
		out[n] = telling{fromLast + uint8(i), lastWidths[i]}
		i = slices.IndexFunc(prevWidths[:], func(w uint8) bool { return int(w) >= n })
		out[16+n] = telling{fromPrev + uint8(i), prevWidths[i]}
	}
	return out
}()

// measure takes data references into the summary.
func (c *coder) measure(addrs []uint64, stores int) {
	low, high := c.low, c.high
	for _, a := range addrs {
		low, high = min(low, a), max(high, a)
		c.lines.add(a >> 6)
	}
	c.low, c.high = low, high
	c.stores += stores
	c.data += len(addrs)
}

// below is all ones where a is less than b, otherwise 0.
func below(a, b uint64) uint64 {
	_, borrow := bits.Sub64(a, b, 0)
	return -borrow
}

// alike is all ones where a and b are equal, otherwise 0.
func alike(a, b uint64) uint64 {
	_, differ := bits.Sub64(0, a^b, 0)
	return differ - 1
}

package orr

import (
	"encoding/binary"
	"math"

	"github.com/klauspost/compress/zstd"

	"orrery/traceio"
)

// coder turns the rows of a block into columns. It keeps its memory from block to block.
type coder struct {
	zstd    *zstd.Encoder
	table   []uint32 // open addressing: reference to a site by its hash
	sites   []site
	lanes   [slots]lane
	guess   [1 << guessBits]uint64
	lines   lineSet
	cols    [columns][]byte
	residue [8 * traceio.MaxBlock]byte
	control [traceio.MaxBlock]byte
}

// The columns of a REF payload, in order.
const (
	colPC      = iota // site PCs: zig-zag varint differences
	colSite           // site codes: varints
	colThread         // (thread, number of rows): varint pairs
	colRun            // how many rows in a row followed as predicted: varints
	colSymbol         // what came instead: 0 the other follower, 1 a new site, 2+n site n: varints
	colControl        // one byte per row that stores an address
	colResidue        // residual bytes, little endian
	columns
)

const tableBits = 17 // twice the most sites a block can have

func newCoder() (*coder, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(false), zstd.WithWindowSize(1<<19), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, err
	}
	return &coder{zstd: z, table: make([]uint32, 1<<tableBits)}, nil
}

// encode appends the REF payload of b to dst: summary, then columns.
func (c *coder) encode(dst []byte, b *traceio.Block) ([]byte, Summary) {
	c.reset()
	sum := c.rows(b)
	prev := uint64(0)
	for _, s := range c.sites {
		c.cols[colPC] = binary.AppendUvarint(c.cols[colPC], zigzag(s.pc-prev))
		c.cols[colSite] = binary.AppendUvarint(c.cols[colSite], uint64(s.code))
		prev = s.pc
	}
	dst = sum.append(dst)
	for _, col := range c.cols {
		dst = appendColumn(dst, c.zstd, col)
	}
	return dst, sum
}

func (c *coder) reset() {
	clear(c.table)
	c.sites = c.sites[:0]
	for i := range c.lanes {
		c.lanes[i].reset()
	}
	clear(c.guess[:])
	clear(c.lines[:])
	for i := range c.cols {
		c.cols[i] = c.cols[i][:0]
	}
}

// rows fills the columns but for those of the sites.
func (c *coder) rows(b *traceio.Block) Summary {
	sum := Summary{Low: math.MaxUint64}
	out := output{control: c.control[:0], residue: c.residue[:0]}
	threads := b.Thread
	for i := 0; i < len(threads); {
		j := i + 1
		for j < len(threads) && threads[j] == threads[i] {
			j++
		}
		c.cols[colThread] = binary.AppendUvarint(c.cols[colThread], uint64(threads[i]))
		c.cols[colThread] = binary.AppendUvarint(c.cols[colThread], uint64(j-i))
		sum.LastThread = max(sum.LastThread, threads[i])
		c.stretch(&c.lanes[threads[i]%slots], b, i, j, &out, &sum)
		i = j
	}
	c.cols[colRun] = binary.AppendUvarint(c.cols[colRun], out.run)
	c.cols[colControl], c.cols[colResidue] = out.control, out.residue
	sum.Lines, sum.Sites = c.lines.count(), uint32(len(c.sites))
	return sum
}

// output is the state of the columns that stretch writes.
type output struct {
	run              uint64 // rows since the last that did not follow as predicted
	control, residue []byte
}

// stretch codes rows [from, to), which all belong to the lane l.
func (c *coder) stretch(l *lane, b *traceio.Block, from, to int, out *output, sum *Summary) {
	var (
		addrs, pcs   = b.Addr[from:to], b.PC[from:to]
		sizes, kinds = b.Size[from:to], b.Kind[from:to]
		recs         = l.recs
		ref, before  = l.prev, l.addr
		control      = out.control
		low, high    = sum.Low, sum.High
		run          = out.run

		loads, stores, fetches uint32
	)
	for i := range addrs {
		addr, pc := uint64(addrs[i]), uint64(pcs[i])
		kind := kinds[i]
		code := uint32(sizes[i])<<2 | uint32(kind)
		if kind == traceio.Fetch && addr == pc {
			code |= selfFetch
		}
		next := uint32(0)
		if ref != 0 {
			next = recs[ref-1].next
		}
		if next != 0 && recs[next-1].pc == pc && recs[next-1].code == code {
			run++
			ref = next
		} else {
			ref = c.surprise(l, ref, site{pc, code}, run)
			run, recs = 0, l.recs
		}
		if code&3 == selfFetch {
			fetches++
			continue
		}
		r := &recs[ref-1]
		switch kind {
		case traceio.Load, traceio.Store:
			stores += uint32(kind)
			loads += 1 - uint32(kind)
			low, high = min(low, addrs[i]), max(high, addrs[i])
			if addr>>6 != r.last>>6 || r.last == 0 {
				c.lines.add(addr >> 6)
			}
		case traceio.Fetch:
			fetches++
		}
		if addr == r.last+r.stride {
			control = append(control, byStride)
		} else {
			control = append(control, c.address(out, r, ref, addr, before))
		}
		r.move(addr, before)
		before = addr
	}
	l.prev, l.addr = ref, before
	out.control, out.run = control, run
	sum.Low, sum.High = low, high
	sum.Loads, sum.Stores, sum.Fetches = sum.Loads+loads, sum.Stores+stores, sum.Fetches+fetches
}

// surprise is for a row that does not follow as predicted: it writes the run of right predictions and which site came
// instead, and gives the reference to that.
func (c *coder) surprise(l *lane, prev uint32, s site, run uint64) (ref uint32) {
	ref, fresh := c.number(s)
	if int(ref) > len(l.recs) {
		l.grow(c.sites)
	}
	symbol := uint64(ref) + 1
	if fresh {
		symbol = 1
	} else if prev != 0 && l.recs[prev-1].other == ref {
		symbol = 0
	}
	c.cols[colRun] = binary.AppendUvarint(c.cols[colRun], run)
	c.cols[colSymbol] = binary.AppendUvarint(c.cols[colSymbol], symbol)
	if prev != 0 {
		l.recs[prev-1].follow(ref)
	}
	return ref
}

// number finds or makes the number of s.
func (c *coder) number(s site) (ref uint32, fresh bool) {
	h := (s.pc*0x9e3779b97f4a7c15 ^ uint64(s.code)) * 0xd6e8feb86659fd93
	for i := h >> (64 - tableBits); ; i = (i + 1) & (1<<tableBits - 1) {
		switch n := c.table[i]; {
		case n == 0:
			c.sites = append(c.sites, s)
			c.table[i] = uint32(len(c.sites))
			return c.table[i], true
		case c.sites[n-1] == s:
			return n, false
		}
	}
}

// address gives the control byte of an address that the stride did not predict, and writes its residue.
func (c *coder) address(out *output, r *rec, ref uint32, addr, before uint64) (control byte) {
	g := &c.guess[guess(ref, before)]
	switch addr {
	case before + r.rel:
		control = byRel
	case *g:
		control = byGuess
	default:
		z, base := zigzag(addr-r.last), fromLast
		if other := zigzag(addr - before); byteLen(other) < byteLen(z) {
			z, base = other, fromPrev
		}
		n := byteLen(z)
		at := len(out.residue)
		out.residue = binary.LittleEndian.AppendUint64(out.residue, z)[:at+n]
		control = byte(base + n)
	}
	*g = addr
	return control
}

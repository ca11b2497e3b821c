package orr

import (
	"encoding/binary"

	"github.com/klauspost/compress/zstd"

	"orrery/traceio"
)

// coder turns the rows of a block into columns. It keeps its memory from block to block.
type coder struct {
	zstd  *zstd.Encoder
	table []uint32 // open addressing: site number+1 by hash of the site
	sites []site
	lanes [slots]lane
	guess [1 << guessBits]uint64
	lines [lineBits / 64]uint64
	cols  [columns][]byte
}

// The columns of a REF payload, in order.
const (
	colPC      = iota // site PCs: zig-zag varint differences
	colSite           // site size<<2|kind: varints
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
	c.threads(b.Thread)
	c.rows(b)
	for _, s := range c.sites {
		c.cols[colSite] = binary.AppendUvarint(c.cols[colSite], uint64(s.size)<<2|uint64(s.kind))
	}
	prev := uint64(0)
	for _, s := range c.sites {
		c.cols[colPC] = binary.AppendUvarint(c.cols[colPC], zigzag(uint64(s.pc)-prev))
		prev = uint64(s.pc)
	}
	sum := c.summary(b)
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
	for i := range c.cols {
		c.cols[i] = c.cols[i][:0]
	}
}

func (c *coder) threads(col []traceio.Thread) {
	out := c.cols[colThread]
	for i := 0; i < len(col); {
		j := i + 1
		for j < len(col) && col[j] == col[i] {
			j++
		}
		out = binary.AppendUvarint(out, uint64(col[i]))
		out = binary.AppendUvarint(out, uint64(j-i))
		i = j
	}
	c.cols[colThread] = out
}

func (c *coder) rows(b *traceio.Block) {
	n := len(b.Addr)
	addrs, pcs, sizes, kinds, threads := b.Addr[:n], b.PC[:n], b.Size[:n], b.Kind[:n], b.Thread[:n]
	run := uint64(0)
	control, residue := c.cols[colControl], c.cols[colResidue]
	for i, addr := range addrs {
		s := site{pc: pcs[i], size: sizes[i], kind: uint8(kinds[i])}
		if s.kind == uint8(traceio.Fetch) && s.pc == addr {
			s.kind = selfFetch
		}
		l := &c.lanes[threads[i]%slots]
		id, ok := c.follow(l, s, run)
		if ok {
			run++
		} else {
			run = 0
		}
		l.prev = id + 1
		if s.kind == selfFetch {
			continue
		}
		control, residue = c.address(control, residue, l, l.at(id, len(c.sites)), id, uint64(addr))
	}
	c.cols[colControl], c.cols[colResidue] = control, residue
	c.cols[colRun] = binary.AppendUvarint(c.cols[colRun], run)
}

// follow finds the number of s and tells whether it was the predicted one; if not, it writes the run of right
// predictions before it and what came instead.
func (c *coder) follow(l *lane, s site, run uint64) (id uint32, predicted bool) {
	var p *state
	if l.prev != 0 {
		p = l.at(l.prev-1, len(c.sites))
		if p.next != 0 && c.sites[p.next-1] == s {
			return p.next - 1, true
		}
	}
	id, fresh := c.number(s)
	symbol := uint64(id) + 2
	if fresh {
		symbol = 1
	} else if p != nil && p.another == id+1 {
		symbol = 0
	}
	c.cols[colRun] = binary.AppendUvarint(c.cols[colRun], run)
	c.cols[colSymbol] = binary.AppendUvarint(c.cols[colSymbol], symbol)
	if p != nil {
		p.follow(id)
	}
	return id, false
}

// number finds or makes the number of s.
func (c *coder) number(s site) (id uint32, fresh bool) {
	h := (uint64(s.pc)*0x9e3779b97f4a7c15 ^ uint64(s.size)<<8 ^ uint64(s.kind)) * 0xd6e8feb86659fd93
	for i := h >> (64 - tableBits); ; i = (i + 1) & (1<<tableBits - 1) {
		switch n := c.table[i]; {
		case n == 0:
			c.sites = append(c.sites, s)
			c.table[i] = uint32(len(c.sites))
			return uint32(len(c.sites) - 1), true
		case c.sites[n-1] == s:
			return n - 1, false
		}
	}
}

// address writes how addr comes about from the predictions.
func (c *coder) address(control, residue []byte, l *lane, s *state, id uint32, addr uint64) ([]byte, []byte) {
	prev := l.addr
	l.addr = addr
	if addr == s.last+s.stride {
		s.move(addr, prev)
		return append(control, byStride), residue
	}
	g := &c.guess[guess(id, prev)]
	switch addr {
	case prev + s.rel:
		control = append(control, byRel)
	case *g:
		control = append(control, byGuess)
	default:
		z, base := zigzag(addr-s.last), byte(fromLast)
		if other := zigzag(addr - prev); byteLen(other) < byteLen(z) {
			z, base = other, fromPrev
		}
		n := byteLen(z)
		control = append(control, base+byte(n))
		residue = binary.LittleEndian.AppendUint64(residue, z)[:len(residue)+n]
	}
	*g = addr
	s.move(addr, prev)
	return control, residue
}

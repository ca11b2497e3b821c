package orr

import (
	"encoding/binary"
	"math"
	"math/bits"

	"orrery/traceio"
)

// Summary says of one block what an overview needs, without decoding it.
type Summary struct {
	Loads, Stores, Fetches uint32
	Low, High              traceio.Addr // data references lie in [Low, High]; High < Low when there are none
	Lines                  uint32       // about how many distinct 64-byte lines the data references touch, within a few per cent
	Sites                  uint32       // distinct (PC, kind, size)
	LastThread             traceio.Thread
}

// summaryLen is the length of a summary in front of the columns: loads, stores, fetches, lines, sites (4 bytes each),
// thread (2), unused (2), low, high (8 each).
const summaryLen = 40

func (s *Summary) append(dst []byte) []byte {
	for _, v := range [...]uint32{s.Loads, s.Stores, s.Fetches, s.Lines, s.Sites, uint32(s.LastThread)} {
		dst = binary.LittleEndian.AppendUint32(dst, v)
	}
	dst = binary.LittleEndian.AppendUint64(dst, uint64(s.Low))
	return binary.LittleEndian.AppendUint64(dst, uint64(s.High))
}

func readSummary(src []byte) (s Summary) {
	u := binary.LittleEndian.Uint32
	s.Loads, s.Stores, s.Fetches, s.Lines, s.Sites = u(src), u(src[4:]), u(src[8:]), u(src[12:]), u(src[16:])
	s.LastThread = traceio.Thread(u(src[20:]))
	s.Low = traceio.Addr(binary.LittleEndian.Uint64(src[24:]))
	s.High = traceio.Addr(binary.LittleEndian.Uint64(src[32:]))
	return s
}

// lineBits is the size of the bitmap for linear counting (Whang, Vander-Zanden, Taylor 1990): n distinct lines leave a
// share e^(-n/m) of m bits clear. With as many bits as a block has rows the error stays near one per cent.
const lineBits = 1 << 16

func (c *coder) summary(b *traceio.Block) Summary {
	s := Summary{Low: math.MaxUint64, Sites: uint32(len(c.sites)), Fetches: uint32(b.Fetches)}
	clear(c.lines[:])
	kinds := b.Kind[:len(b.Addr)]
	for i, a := range b.Addr {
		if kinds[i] == traceio.Fetch {
			continue
		}
		s.Stores += uint32(kinds[i])
		s.Low, s.High = min(s.Low, a), max(s.High, a)
		h := uint64(a) >> 6 * 0x9e3779b97f4a7c15 >> (64 - 16)
		c.lines[h>>6] |= 1 << (h & 63)
	}
	s.Loads = uint32(b.Data()) - s.Stores
	for _, t := range b.Thread {
		s.LastThread = max(s.LastThread, t)
	}
	s.Lines = c.countLines()
	return s
}

func (c *coder) countLines() uint32 {
	set := 0
	for _, w := range c.lines {
		set += bits.OnesCount64(w)
	}
	// All bits set would be an infinite estimate; a block has no more rows than bits.
	clearShare := float64(max(lineBits-set, 1)) / lineBits
	return uint32(math.Round(-lineBits * math.Log(clearShare)))
}

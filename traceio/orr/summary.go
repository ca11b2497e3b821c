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

// lineSet is the bitmap.
type lineSet [lineBits / 64]uint64

func (s *lineSet) add(line uint64) {
	h := line * 0x9e3779b97f4a7c15
	h = (h ^ h>>29) * 0xbf58476d1ce4e5b9 >> (64 - 16)
	s[h>>6] |= 1 << (h & 63)
}

func (s *lineSet) count() uint32 {
	set := 0
	for _, w := range s {
		set += bits.OnesCount64(w)
	}
	// All bits set would be an infinite estimate; a block has no more rows than bits.
	unset := float64(max(lineBits-set, 1)) / lineBits
	return uint32(math.Round(-lineBits * math.Log(unset)))
}

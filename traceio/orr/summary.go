package orr

import (
	"encoding/binary"
	"math"
	"math/bits"

	"orrery/traceio"
)

// Summary is what an overview of a block needs, known without decoding it.
type Summary struct {
	Loads, Stores, Fetches uint32
	Low, High              traceio.Addr // data references lie in [Low, High]; High < Low when there are none
	// about how many distinct 64-byte lines the data references touch, within a few per cent
	Lines      uint32
	Sites      uint32 // distinct (PC, kind, size)
	LastThread traceio.Thread
}

// summaryLen is the length of a summary in front of the columns: loads, stores, fetches, lines, sites (4 bytes each),
// thread (2), form (2), low, high (8 each).
const summaryLen = 40

// How the references of a REF payload are encoded.
const (
	formPredicted = iota // columns, by prediction; see predict.go
	formRaw              // as they are; see raw.go
)

// formOf is the form of a payload of at least summaryLen bytes.
func formOf(payload []byte) uint16 { return binary.LittleEndian.Uint16(payload[22:]) }

func setForm(payload []byte, form uint16) { binary.LittleEndian.PutUint16(payload[22:], form) }

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

// lineSlots is the size of the table for linear counting (Whang, Vander-Zanden, Taylor, "A Linear-Time Probabilistic
// Counting Algorithm for Database Applications", ACM TODS 15(2), 1990): n distinct lines leave a share e^(-n/m) of m
// slots empty. With half as many slots as a block has references the error stays near one per cent, and the table fits
// in the processor's first cache.
const (
	lineBits  = 15
	lineSlots = 1 << lineBits
)

// lineSet is the table. Slots are bytes, which can be set without reading them.
type lineSet [lineSlots]uint8

func (s *lineSet) add(line uint64) {
	h := line * 0x9e3779b97f4a7c15
	h = (h ^ h>>29) * 0xbf58476d1ce4e5b9 >> (64 - lineBits)
	s[h] = 1
}

func (s *lineSet) count() uint32 {
	set := 0
	for i := 0; i < lineSlots; i += 8 {
		set += bits.OnesCount64(binary.LittleEndian.Uint64(s[i:]))
	}
	// If no slot were empty the estimate would be infinite.
	unset := float64(max(lineSlots-set, 1)) / lineSlots
	return uint32(math.Round(-lineSlots * math.Log(unset)))
}

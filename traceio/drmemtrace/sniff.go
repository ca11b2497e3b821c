package drmemtrace

import (
	"bytes"
	"encoding/binary"
)

// An entry is 12 bytes in traces of 64-bit programs and 8 in those of 32-bit ones.
const (
	entry64 = 12
	entry32 = 8
)

// Sniff tells whether head, the first bytes of a file, is a plain trace: a header entry with a small version, then
// entries of known types.
func Sniff(head []byte) bool { return width(head) != 0 }

// width is the length of the entries, 0 when head is no trace.
func width(head []byte) int {
	le := binary.LittleEndian
	if len(head) < 2*entry64 || le.Uint16(head) != typeHeader || le.Uint16(head[2:]) != 0 || head[4] == 0 ||
		le.Uint32(head[4:]) > 255 {
		return 0
	}
	for _, w := range []int{entry64, entry32} {
		if w == entry64 && le.Uint32(head[8:]) != 0 {
			continue
		}
		good := true
		for i := 1; i < 64 && (i+1)*w <= len(head); i++ {
			good = good && le.Uint16(head[i*w:]) <= typeLast+30 // newer versions add types at the end
		}
		switch first := le.Uint16(head[w:]); {
		case good && (first == typeMarker || first == typeThread || first == typePid):
			return w
		}
	}
	return 0
}

// SniffZip tells whether head begins a zip archive whose first member is a chunk of a trace.
func SniffZip(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) && len(head) > 36 && bytes.HasPrefix(head[30:], []byte("chunk."))
}

// Raw tells whether head begins a file as the tracer leaves it behind, which only raw2trace can read: 64-bit entries
// whose first is a header (type 6 of 3 bits, kind 0 or 4 of 5 bits, below them the version in front of or behind the
// file type), followed by thread or process (types 2 and 3) or a marker (type 6, kind 2).
func Raw(head []byte) bool {
	if len(head) < 16 || (head[7] != 6<<5|4 && head[7] != 6<<5|0) {
		return false
	}
	version := head[6]
	if head[7] == 6<<5 {
		version = head[0]
	}
	second := head[15]
	return version > 0 && version < 100 && (second>>5 == 2 || second>>5 == 3 || second == 6<<5|2)
}

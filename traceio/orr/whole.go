package orr

import (
	"encoding/binary"

	"orrery/traceio"
)

// wholeRow is how many bytes a row takes in layoutWhole, whose columns are as they are in a Block, little endian: all
// addresses (8 bytes each), all PCs (8), all sizes (2), all threads (2), all kinds (1). It is for blocks that
// prediction makes longer, where hardly an instruction comes twice.
const wholeRow = 21

// appendWhole appends the rows of b.
func appendWhole(dst []byte, b *traceio.Block) []byte {
	le := binary.LittleEndian
	for _, column := range [...][]traceio.Addr{b.Addr, b.PC} {
		for _, a := range column {
			dst = le.AppendUint64(dst, uint64(a))
		}
	}
	for _, size := range b.Size {
		dst = le.AppendUint16(dst, size)
	}
	for _, thread := range b.Thread {
		dst = le.AppendUint16(dst, uint16(thread))
	}
	for _, kind := range b.Kind {
		dst = append(dst, byte(kind))
	}
	return dst
}

// readWhole undoes appendWhole for n rows.
func readWhole(b *traceio.Block, src []byte, n int) error {
	if len(src) != n*wholeRow {
		return errRows
	}
	size(b, n)
	wholeAddrs(b.Addr, src)
	wholeAddrs(b.PC, src[8*n:])
	wholeShorts(b.Size, src[16*n:])
	wholeShorts(b.Thread, src[18*n:])
	high := byte(0)
	kinds := b.Kind[:n]
	for i, kind := range src[20*n:][:n] {
		kinds[i] = traceio.Kind(kind)
		high = max(high, kind)
	}
	if high > byte(traceio.Fetch) {
		return errRows
	}
	b.Fetches = fetches(b.Kind)
	return nil
}

// wholeAddrs reads the addresses at the front of src, four at a time: one check of bounds is enough for them.
func wholeAddrs(dst []traceio.Addr, src []byte) {
	for ; len(dst) >= 4 && len(src) >= 32; dst, src = dst[4:], src[32:] {
		dst[0] = traceio.Addr(binary.LittleEndian.Uint64(src))
		dst[1] = traceio.Addr(binary.LittleEndian.Uint64(src[8:]))
		dst[2] = traceio.Addr(binary.LittleEndian.Uint64(src[16:]))
		dst[3] = traceio.Addr(binary.LittleEndian.Uint64(src[24:]))
	}
	for i := range dst {
		dst[i] = traceio.Addr(binary.LittleEndian.Uint64(src[8*i:]))
	}
}

// wholeShorts reads the sizes or threads at the front of src.
func wholeShorts[T ~uint16](dst []T, src []byte) {
	for ; len(dst) >= 4 && len(src) >= 8; dst, src = dst[4:], src[8:] {
		x := binary.LittleEndian.Uint64(src)
		dst[0], dst[1], dst[2], dst[3] = T(x), T(x>>16), T(x>>32), T(x>>48)
	}
	for i := range dst {
		dst[i] = T(binary.LittleEndian.Uint16(src[2*i:]))
	}
}

package orr

import (
	"encoding/binary"

	"orrery/traceio"
)

// wholeRow is how many bytes a row takes in layoutWhole, whose columns are as they are in a Block, little endian: all addresses
// (8 bytes each), all PCs (8), all sizes (2), all threads (2), all kinds (1). It is for blocks that prediction makes longer, where
// hardly an instruction comes twice.
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
	src = wholeAddrs(b.Addr, src)
	src = wholeAddrs(b.PC, src)
	sizes, threads, kinds := src[:2*n], src[2*n:4*n], src[4*n:]
	for i := range b.Size {
		b.Size[i] = binary.LittleEndian.Uint16(sizes[2*i:])
		b.Thread[i] = traceio.Thread(binary.LittleEndian.Uint16(threads[2*i:]))
	}
	high := byte(0)
	for i, kind := range kinds {
		b.Kind[i] = traceio.Kind(kind)
		high = max(high, kind)
	}
	if high > byte(traceio.Fetch) {
		return errRows
	}
	b.Fetches = fetches(b.Kind)
	return nil
}

// wholeAddrs reads the addresses at the front of src.
func wholeAddrs(dst []traceio.Addr, src []byte) (rest []byte) {
	for i := range dst {
		dst[i] = traceio.Addr(binary.LittleEndian.Uint64(src[8*i:]))
	}
	return src[8*len(dst):]
}

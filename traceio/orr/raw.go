package orr

import (
	"encoding/binary"

	"orrery/traceio"
)

// rawRow is how many bytes a reference takes in formRaw, whose columns are those of a Block, little endian: all
// addresses (8 bytes each), all PCs (8), all sizes (2), all threads (2), all kinds (1). Blocks that prediction would
// lengthen are stored so: hardly an instruction occurs twice in them.
const rawRow = 21

// appendRaw appends the references of b.
func appendRaw(dst []byte, b *traceio.Block) []byte {
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

// readRaw undoes appendRaw for n references.
func readRaw(b *traceio.Block, src []byte, n int) error {
	if len(src) != n*rawRow {
		return errRows
	}
	size(b, n)
	rawAddrs(b.Addr, src)
	rawAddrs(b.PC, src[8*n:])
	rawShorts(b.Size, src[16*n:])
	rawShorts(b.Thread, src[18*n:])
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

// rawAddrs reads the addresses at the front of src, four at a time: one bounds check is enough for them.
func rawAddrs(dst []traceio.Addr, src []byte) {
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

// rawShorts reads the sizes or threads at the front of src.
func rawShorts[T ~uint16](dst []T, src []byte) {
	for ; len(dst) >= 4 && len(src) >= 8; dst, src = dst[4:], src[8:] {
		x := binary.LittleEndian.Uint64(src)
		dst[0], dst[1], dst[2], dst[3] = T(x), T(x>>16), T(x>>32), T(x>>48)
	}
	for i := range dst {
		dst[i] = T(binary.LittleEndian.Uint16(src[2*i:]))
	}
}

package orr

import (
	"encoding/binary"

	"orrery/traceio"
)

// The PCs of a block's sites, and the addresses of their first references, are stored as differences. Code that hardly
// runs twice touches a few regions in turn: the stack, the heap, tables, functions of another file. So each address is
// stored as its difference from one of a few delta bases, the nearest; it becomes that base's new value.
//
//	addresses   7fff10   5550   7fff18   5558   7fff20
//	base             0      1        0      1        0
//	delta       7fff10   5550       +8     +8       +8
//
// A column of n addresses:
//
//	(n+1)/2 bytes   four bits for each address, the first in the low ones: base | index in deltaWidths << 2
//	the rest        the differences, zig-zag, little endian, each of its width

const deltaBases = 4

// farDelta is the difference from which on an address replaces the base that was not used for the longest time.
const farDelta = 1 << 20

// deltaWidths are the numbers of bytes that a difference can have.
var deltaWidths = [4]uint8{1, 2, 3, 8}

// appendDeltas appends a column of addresses.
func appendDeltas(dst []byte, addrs []uint64) []byte {
	head := len(dst)
	dst = append(dst, make([]byte, (len(addrs)+1)/2)...)
	var bases [deltaBases]uint64
	var used [deltaBases]int
	for i, a := range addrs {
		base, oldest := 0, 0
		z := zigzag(a - bases[0])
		for k := 1; k < deltaBases; k++ {
			if other := zigzag(a - bases[k]); other < z {
				base, z = k, other
			}
			if used[k] < used[oldest] {
				oldest = k
			}
		}
		if z >= farDelta {
			base, z = oldest, zigzag(a-bases[oldest])
		}
		bases[base], used[base] = a, i+1
		width := 0
		for byteLen(z) > int(deltaWidths[width]) {
			width++
		}
		dst[head+i/2] |= byte(base|width<<2) << (i % 2 * 4)
		at := len(dst) + int(deltaWidths[width])
		dst = binary.LittleEndian.AppendUint64(dst, z)[:at]
	}
	return dst
}

// readDeltas undoes appendDeltas, and tells whether col has as many addresses as dst. It copies col to keep.
func readDeltas(dst []traceio.Addr, col []byte, keep *[]byte) bool {
	head := (len(dst) + 1) / 2
	if len(col) < head {
		return false
	}
	*keep = append(append((*keep)[:0], col...), make([]byte, 8)...) // 8 bytes are read for the last, too
	codes, deltas := (*keep)[:head], (*keep)[head:]
	var bases [deltaBases]uint64
	at, end := 0, len(deltas)-8
	for i := range dst {
		if at > end {
			return false
		}
		c := codes[i/2] >> (i % 2 * 4)
		z := binary.LittleEndian.Uint64(deltas[at:])
		width := deltaWidths[c/deltaBases%4]
		at += int(width)
		base := &bases[c%deltaBases]
		*base += unzigzag(z & (1<<(8*width) - 1))
		dst[i] = traceio.Addr(*base)
	}
	return at == end
}

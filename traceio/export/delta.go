package export

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// A block of deltas is four runs of 32, each packed in as many bits as its largest needs.
const (
	deltaBlock = 128
	deltaRun   = 32
)

// appendDeltas encodes numbers as Parquet's DELTA_BINARY_PACKED: how long blocks are, how many runs they have, how many
// numbers follow, the first one; then blocks of the smallest difference, the widths of the runs, and the differences
// above the smallest. Numbers that rise by one take next to nothing.
func appendDeltas(dst []byte, v []uint64) []byte {
	dst = binary.AppendUvarint(dst, deltaBlock)
	dst = binary.AppendUvarint(dst, deltaBlock/deltaRun)
	dst = binary.AppendUvarint(dst, uint64(len(v)))
	if len(v) == 0 {
		return binary.AppendVarint(dst, 0)
	}
	dst = binary.AppendVarint(dst, int64(v[0]))
	var deltas [deltaBlock]int64
	for at := 1; at < len(v); at += deltaBlock {
		n := min(deltaBlock, len(v)-at)
		for i := range n {
			deltas[i] = int64(v[at+i] - v[at+i-1])
		}
		dst = appendDeltaBlock(dst, deltas[:n])
	}
	return dst
}

func appendDeltaBlock(dst []byte, deltas []int64) []byte {
	least := slices.Min(deltas)
	dst = binary.AppendVarint(dst, least)
	widths := len(dst)
	dst = append(dst, make([]byte, deltaBlock/deltaRun)...)
	for run := 0; run*deltaRun < len(deltas); run++ {
		part := deltas[run*deltaRun : min((run+1)*deltaRun, len(deltas))]
		width := 0
		for _, d := range part {
			width = max(width, bits.Len64(uint64(d-least)))
		}
		dst[widths+run] = byte(width)
		at := len(dst)
		dst = append(dst, make([]byte, deltaRun/8*width)...)
		for i, d := range part {
			putBits(dst[at:], i*width, width, uint64(d-least))
		}
	}
	return dst
}

// putBits stores the low width bits of x from bit at of p on, lowest first.
func putBits(p []byte, at, width int, x uint64) {
	for width > 0 {
		n := min(8-at%8, width)
		p[at/8] |= byte(x&(1<<n-1)) << (at % 8)
		x >>= n
		at += n
		width -= n
	}
}

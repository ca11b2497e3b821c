package orr

import (
	"encoding/binary"
	"math/bits"
)

// msbs has the bit of each byte that says in a varint that more bytes follow.
const msbs = 0x8080808080808080

// readVarints reads a column of varints into dst, whose memory it uses. It gives what binary.Uvarint would give one
// after the other, but takes eight bytes at a time and hardly branches, since the lengths cannot be predicted. ok is
// false where one has no end or too many bits.
func readVarints(dst []uint64, src []byte) (numbers []uint64, ok bool) {
	dst = resize(dst, countVarints(src)+8)
	n := 0
	for len(src) >= 8 {
		w := binary.LittleEndian.Uint64(src)
		switch stops := ^w & msbs; stops {
		case msbs:
			eightBytes((*[8]uint64)(dst[n:]), w)
			n, src = n+8, src[8:]
		case 0:
			x, length := binary.Uvarint(src)
			if length <= 0 {
				return dst[:0], false
			}
			dst[n] = x
			n, src = n+1, src[length:]
		default:
			from := 0
			for out := dst[n : n+8]; stops != 0; stops &= stops - 1 {
				to := bits.TrailingZeros64(stops) + 1
				out[0] = joinSevens(w << (64 - to) >> (64 - to + from))
				out, n, from = out[1:], n+1, to
			}
			src = src[from/8:]
		}
	}
	for len(src) > 0 {
		x, length := binary.Uvarint(src)
		if length <= 0 {
			return dst[:0], false
		}
		dst[n] = x
		n, src = n+1, src[length:]
	}
	return dst[:n], true
}

// countVarints is how many numbers end in a column of varints.
func countVarints(src []byte) (n int) {
	for ; len(src) >= 8; src = src[8:] {
		n += 8 - bits.OnesCount64(binary.LittleEndian.Uint64(src)&msbs)
	}
	for _, b := range src {
		n += int(b>>7 ^ 1)
	}
	return n
}

// eightBytes gives each byte of w as a number.
func eightBytes(dst *[8]uint64, w uint64) {
	dst[0], dst[1], dst[2], dst[3] = w&0xff, w>>8&0xff, w>>16&0xff, w>>24&0xff
	dst[4], dst[5], dst[6], dst[7] = w>>32&0xff, w>>40&0xff, w>>48&0xff, w>>56
}

// joinSevens joins the low seven bits of each byte.
func joinSevens(x uint64) uint64 {
	x = x&0x007f007f007f007f | x>>1&0x3f803f803f803f80
	x = x&0x00003fff00003fff | x>>2&0x0fffc0000fffc000
	return x&0xfffffff | x>>4&0xfffffff0000000
}

// varints reads numbers one after the other. After a failure it gives zeros, and bad is true.
type varints struct {
	src []byte
	bad bool
}

func (v *varints) next(limit uint64) uint64 {
	x, n := binary.Uvarint(v.src)
	if n <= 0 || x > limit {
		v.bad, v.src = true, nil
		return 0
	}
	v.src = v.src[n:]
	return x
}

func (v *varints) byte(limit byte) byte {
	if len(v.src) == 0 || v.src[0] > limit {
		v.bad, v.src = true, nil
		return 0
	}
	x := v.src[0]
	v.src = v.src[1:]
	return x
}

const all = 1<<64 - 1

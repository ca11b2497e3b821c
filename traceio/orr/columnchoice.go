package orr

import (
	"encoding/binary"
	"math/bits"

	"github.com/klauspost/compress/huff0"
	"github.com/klauspost/compress/zstd"
)

// Which method a column of references is stored by.

// mixedMin is the length from which appendMixed looks at a sample.
const mixedMin = 1 << 12

// appendMixed appends a column of misses, controls or residuals, the columns that take the longest to compress and to
// decompress. It tries zstd on a sample: where that saves less than half, the column is stored, and where Huffman codes
// are as short as zstd's result it uses those, which decompress in half the time.
func (e *encoder) appendMixed(dst, col []byte) []byte {
	if len(col) < mixedMin {
		return appendUnlessPoor(dst, e.zstd, col)
	}
	const part = mixedMin / 2
	sample := col[len(col)/2:][:part]
	found := len(e.zstd.EncodeAll(sample, dst[len(dst):])) // the bytes behind dst are overwritten later
	if found > part/4 && entropy(sample) <= min(found, part*5/8) {
		if out, ok := e.appendHuffman(dst, col); ok {
			return out
		}
	}
	if found > part/2 {
		return appendStored(dst, col)
	}
	return appendUnlessPoor(dst, e.zstd, col)
}

// codedMin is the length from which Huffman codes are worth their table.
const codedMin = 1 << 10

// appendCodes appends the column of site codes: few different bytes, in which zstd finds few repeated strings.
func (e *encoder) appendCodes(dst, col []byte) []byte {
	const part = codedMin / 2
	if len(col) >= codedMin && entropy(col[len(col)/2:][:part]) <= part*5/8 {
		if out, ok := e.appendHuffman(dst, col); ok {
			return out
		}
	}
	return appendColumn(dst, e.zstd, col)
}

// appendHuffman appends a column in Huffman codes, unless that makes it longer.
func (e *encoder) appendHuffman(dst, col []byte) (out []byte, ok bool) {
	body, _, err := huff0.Compress4X(col, &e.huff)
	if err != nil {
		return dst, false
	}
	dst = binary.AppendUvarint(append(dst, huffman), uint64(len(col)))
	dst = binary.AppendUvarint(dst, uint64(len(body)))
	return append(dst, body...), true
}

// entropy is the order-0 entropy of a column in bytes: the length that Huffman codes come close to.
func entropy(col []byte) int {
	var times [256]uint32
	for _, b := range col {
		times[b]++
	}
	n := uint32(len(col))
	all := uint64(n) * uint64(log2(n))
	for _, k := range times {
		all -= uint64(k) * uint64(log2(k))
	}
	return int(all >> 19)
}

// log2 is the binary logarithm of n, below 1<<15, in 16.16 fixed point, right to eight bits; 0 for 0. Between powers of
// two it is a parabola.
func log2(n uint32) uint32 {
	whole := bits.Len32(n|1) - 1
	f := n << 16 >> whole & 0xffff
	return uint32(whole)<<16 + f + (f*(0x10000-f)>>16)*0x5810>>16
}

// appendUnlessPoor appends a column, compressed if that saves a third.
func appendUnlessPoor(dst []byte, z *zstd.Encoder, col []byte) []byte {
	at := len(dst)
	if dst = appendColumn(dst, z, col); dst[at] == packed && 3*(len(dst)-at) > 2*len(col) {
		return appendStored(dst[:at], col)
	}
	return dst
}

// readHuffman decodes a body of raw bytes into keep.
func readHuffman(body []byte, keep *[]byte, h *huff0.Scratch, raw int) ([]byte, error) {
	if raw > huff0.BlockSizeMax || len(body) >= raw {
		return nil, errColumn
	}
	_, codes, err := huff0.ReadTable(body, h)
	if err != nil {
		return nil, err
	}
	*keep = resize(*keep, raw)
	return h.Decoder().Decompress4X((*keep)[:0:raw], codes)
}

// appendNibbles appends the first n bytes of src, which are below 16, two to a byte. It overwrites up to 7 bytes of src
// behind them.
func appendNibbles(dst, src []byte, n int) []byte {
	size := len(dst) + (n+1)/2
	clear(src[n : n+7])
	for ; n > 0; n, src = n-8, src[8:] {
		x := binary.LittleEndian.Uint64(src)
		x = (x | x>>4) & 0x00ff00ff00ff00ff
		x = (x | x>>8) & 0x0000ffff0000ffff
		dst = binary.LittleEndian.AppendUint32(dst, uint32(x|x>>16))
	}
	return dst[:size]
}

// nibbles undoes appendNibbles. Where n was odd, there is a 0 too many at the end.
func nibbles(dst, src []byte) []byte {
	dst = resize(dst, 2*len(src)+6)
	at := 0
	for ; len(src) >= 4; src, at = src[4:], at+8 {
		spread(dst[at:], binary.LittleEndian.Uint32(src))
	}
	if len(src) > 0 {
		var last [4]byte
		copy(last[:], src)
		spread(dst[at:], binary.LittleEndian.Uint32(last[:]))
	}
	return dst[:at+2*len(src)]
}

// spread writes the eight nibbles of x as bytes.
func spread(dst []byte, x uint32) {
	y := uint64(x)
	y = (y | y<<16) & 0x0000ffff0000ffff
	y = (y | y<<8) & 0x00ff00ff00ff00ff
	y = (y | y<<4) & 0x0f0f0f0f0f0f0f0f
	binary.LittleEndian.PutUint64(dst, y)
}

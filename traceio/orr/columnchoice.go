package orr

import (
	"encoding/binary"
	"math/bits"

	"github.com/klauspost/compress/huff0"
	"github.com/klauspost/compress/zstd"
)

// mixedMin is the length from which a sample decides.
const mixedMin = 1 << 12

// appendMixed appends a column of bits, controls or residues. They cost the most, to be written and to be read: nothing
// is done where a part of them shows that it saves less than half, and Huffman codes alone are read in half the time of
// what zstd makes.
func (e *encoder) appendMixed(dst, col []byte) []byte {
	if len(col) < mixedMin {
		return appendUnlessPoor(dst, e.zstd, col)
	}
	const part = mixedMin / 2
	sample := col[len(col)/2:][:part]
	found := len(e.zstd.EncodeAll(sample, dst[len(dst):])) // behind dst, where it is written over
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

// codedMin is the length from which a column of codes is worth their table.
const codedMin = 1 << 10

// appendCodes appends the column of site codes: few different ones, in an order in which zstd finds little to copy.
func (e *encoder) appendCodes(dst, col []byte) []byte {
	const part = codedMin / 2
	if len(col) >= codedMin && entropy(col[len(col)/2:][:part]) <= part*5/8 {
		if out, ok := e.appendHuffman(dst, col); ok {
			return out
		}
	}
	return appendColumn(dst, e.zstd, col)
}

// appendHuffman appends a column in Huffman codes, if they make it shorter.
func (e *encoder) appendHuffman(dst, col []byte) (out []byte, ok bool) {
	body, _, err := huff0.Compress4X(col, &e.huff)
	if err != nil {
		return dst, false
	}
	dst = binary.AppendUvarint(append(dst, huffman), uint64(len(col)))
	dst = binary.AppendUvarint(dst, uint64(len(body)))
	return append(dst, body...), true
}

// entropy is about how many bytes a column has if each of its bytes has as many bits as it is rare.
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

// log2 is the logarithm of n, below 1<<15, with 16 bits behind the point, of which the first eight are right; 0 for 0.
func log2(n uint32) uint32 {
	whole := bits.Len32(n|1) - 1
	f := n << 16 >> whole & 0xffff
	return uint32(whole)<<16 + f + (f*(0x10000-f)>>16)*0x5810>>16
}

// appendUnlessPoor appends a column that is compressed only where that saves a third.
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

// appendNibbles appends the first n of src, which are below 16, two to a byte. Up to 7 bytes behind them are written
// over.
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

// nibbles undoes appendNibbles, but for a last one that may be 0 and none.
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

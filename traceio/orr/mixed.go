package orr

import (
	"encoding/binary"

	"github.com/klauspost/compress/huff0"
	"github.com/klauspost/compress/zstd"
)

// mixedMin is the length from which a sample decides.
const mixedMin = 1 << 13

// appendMixed appends a column of controls or residues. They cost the most, to be written and to be read: zstd is asked only
// where a part of them shows that it saves half.
func appendMixed(dst []byte, z *zstd.Encoder, col []byte) []byte {
	if len(col) >= mixedMin {
		const part = mixedMin / 4
		sample := col[len(col)/2:][:part]
		if found := len(z.EncodeAll(sample, dst[len(dst):])); found > part/2 { // behind dst, where it is written over
			return appendStored(dst, col)
		}
	}
	return appendWorth(dst, z, col)
}

// appendWorth appends a column that is compressed only where that saves a third: reading it takes longer than all else that is done
// for a site or a miss.
func appendWorth(dst []byte, z *zstd.Encoder, col []byte) []byte {
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

// appendNibbles appends the first n of src, which are below 16, two to a byte. Up to 7 bytes behind them are written over.
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

package orr

import (
	"encoding/binary"
	"errors"

	"github.com/klauspost/compress/huff0"
	"github.com/klauspost/compress/zstd"
)

// A column is stored as method (a byte), raw length (varint), stored length (varint), stored bytes. The methods:
const (
	stored   = 0 // as they are
	packed   = 1 // one zstd frame
	repeated = 2 // one byte, raw length times
	huffman  = 3 // Huffman codes with their table in front, as in zstd; only in columns of rows
)

var errColumn = errors.New("a column is malformed")

func appendColumn(dst []byte, z *zstd.Encoder, col []byte) []byte {
	if len(col) > 1 && same(col) {
		dst = binary.AppendUvarint(append(dst, repeated), uint64(len(col)))
		return append(dst, 1, col[0])
	}
	if len(col) < 32 {
		return appendStored(dst, col)
	}
	// The length of the frame is known only afterwards, so its varint has four bytes whatever it is.
	head := len(dst)
	dst = binary.AppendUvarint(append(dst, packed), uint64(len(col)))
	at := len(dst)
	dst = append(dst, 0x80, 0x80, 0x80, 0)
	body := len(dst)
	dst = z.EncodeAll(col, dst)
	n := len(dst) - body
	if n >= len(col) || n >= 1<<28 {
		return appendStored(dst[:head], col)
	}
	dst[at] |= byte(n & 0x7f)
	dst[at+1] |= byte(n >> 7 & 0x7f)
	dst[at+2] |= byte(n >> 14 & 0x7f)
	dst[at+3] |= byte(n >> 21 & 0x7f)
	return dst
}

func appendStored(dst, col []byte) []byte {
	dst = binary.AppendUvarint(append(dst, stored), uint64(len(col)))
	dst = binary.AppendUvarint(dst, uint64(len(col)))
	return append(dst, col...)
}

func same(col []byte) bool {
	for _, b := range col {
		if b != col[0] {
			return false
		}
	}
	return true
}

// readColumn reads the column at the front of src, of at most limit raw bytes. col is a part of src or of keep, which
// grows as needed. h may be nil where Huffman codes are not allowed.
func readColumn(src []byte, keep *[]byte, z *zstd.Decoder, h *huff0.Scratch, limit int) (col, rest []byte, err error) {
	if len(src) == 0 {
		return nil, nil, errColumn
	}
	method := src[0]
	src = src[1:]
	raw, n := binary.Uvarint(src)
	if n <= 0 || raw > uint64(limit) {
		return nil, nil, errColumn
	}
	src = src[n:]
	length, n := binary.Uvarint(src)
	if n <= 0 || length > uint64(len(src)-n) {
		return nil, nil, errColumn
	}
	body, rest := src[n:n+int(length)], src[n+int(length):]
	switch {
	case method == stored && length == raw:
		return body, rest, nil
	case method == repeated && length == 1:
		col = resize(*keep, int(raw))
		*keep = col
		for i := range col {
			col[i] = body[0]
		}
		return col, rest, nil
	case method == huffman && h != nil:
		if col, err = readHuffman(body, keep, h, int(raw)); err != nil {
			return nil, nil, err
		}
		if uint64(len(col)) == raw {
			return col, rest, nil
		}
	case method == packed:
		// The decoder stops at the capacity, whatever length the frame claims.
		*keep = resize(*keep, int(raw))
		col, err = z.DecodeAll(body, (*keep)[:0:raw])
		if err != nil {
			return nil, nil, err
		}
		if uint64(len(col)) == raw {
			return col, rest, nil
		}
	}
	return nil, nil, errColumn
}

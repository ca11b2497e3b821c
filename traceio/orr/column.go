package orr

import (
	"encoding/binary"
	"errors"

	"github.com/klauspost/compress/huff0"
	"github.com/klauspost/compress/zstd"
)

// How the bytes of a column are stored: method, raw length (varint), stored length (varint), bytes.
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
	// The length of the frame is known only afterwards; its varint gets a fixed width of four bytes.
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

// readColumn takes a column of at most limit raw bytes from the front of src. The column is a part of src or of keep,
// which grows as needed. h may be nil where no column has Huffman codes.
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
		// The decoder stops at the capacity, whatever the frame claims.
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

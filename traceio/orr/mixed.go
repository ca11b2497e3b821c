package orr

import (
	"encoding/binary"

	"github.com/klauspost/compress/huff0"
	"github.com/klauspost/compress/zstd"
)

// mixedMin is the length from which a sample decides.
const mixedMin = 1 << 13

// appendMixed appends a column of control bytes or residues. They cost the most: where zstd would find nothing, which a
// part of them shows, it is not asked.
func appendMixed(dst []byte, z *zstd.Encoder, h *huff0.Scratch, col []byte) []byte {
	if len(col) < mixedMin || len(col) > huff0.BlockSizeMax {
		return appendColumn(dst, z, col)
	}
	const part = mixedMin / 4
	sample := col[len(col)/2:][:part]
	found := len(z.EncodeAll(sample, dst[len(dst):])) // behind dst, where it is written over
	if found < part/8 {
		return appendColumn(dst, z, col)
	}
	coded := part
	if out, _, err := huff0.Compress4X(sample, h); err == nil {
		coded = len(out)
	} else if err != huff0.ErrIncompressible {
		return appendColumn(dst, z, col)
	}
	switch least := part - part/16; {
	case found >= least && coded >= least:
		return appendStored(dst, col)
	case coded < found+part/8:
		if out, _, err := huff0.Compress4X(col, h); err == nil {
			dst = binary.AppendUvarint(append(dst, huffman), uint64(len(col)))
			dst = binary.AppendUvarint(dst, uint64(len(out)))
			return append(dst, out...)
		}
	}
	return appendColumn(dst, z, col)
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

// Package orr writes and reads our own recording file. A file is a header and a chain of blocks, each of which checks
// and decodes on its own:
//
//	+--------+------+-----+-----+-----+-----+-- - - --+------+-----+-----+-----+
//	| header | META | REF | EVT | REF | REF |         | META | PCS | IDX | END |
//	+--------+------+-----+-----+-----+-----+-- - - --+------+-----+-----+-----+
//
//	META  the description of the program: traceio.Program as JSON; the last one counts
//	REF   up to 65536 references of all threads, in one global order
//	EVT   the allocations and marks during the REF before it
//	PCS   every instruction address
//	IDX   where the REFs are
//	END   where META, PCS and IDX are
//
// All numbers are little endian. Blocks of unknown type are skipped. A writer that is killed leaves the chain without
// its end: Open then reads the block headers, checks every checksum, uses the intact blocks and reports what was lost.
//
// References are encoded by prediction in the manner of VPC (Burtscher et al., "The VPC Trace-Compression Algorithms",
// IEEE Transactions on Computers 54(11), 2005): which instruction follows which, and which address it has next; see
// predict.go. Deviations: VPC runs all predictors and codes which one was right for every value, we keep one predictor
// by instruction and code only where it was wrong; and its values are predicted in isolation, ours also by the
// addresses of the references just before. What is left is compressed with zstd or, where that finds little to copy,
// with Huffman codes alone or not at all. Blocks that this would lengthen are stored as they are; see raw.go.
//
// From a reference to the file, and back to a block:
//
//	Packer   pack.go            one block: encoder, events, header, checksum
//	encoder  encode.go          splits a block by threads, keeps the columns
//	         encode_sites.go      which site each reference is of: runs and mispredictions
//	         encode_addresses.go  its address: a bit, or a control code and residual bytes
//	         column.go            columns to bytes
//	Writer   writer.go          blocks to the file, index and end
//	File     file.go            opens by the index; recover.go without it
//	decoder  decode.go          columns of a block, by threads
//	         decode_sites.go      undoes encode_sites.go
//	         decode_addresses.go  undoes encode_addresses.go
package orr

import (
	"encoding/binary"
	"errors"
	"hash/crc32"

	"orrery/traceio"
)

// Version is the format that this package writes and reads. Formats 1 and 2 were never released.
const Version = 3

// magic begins a file. As in PNG, its line ends are changed by programs that copy the file as text.
const magic = "\x89ORR\r\n\x1a\n"

// headerLen is the length of the file header: magic, version (4 bytes), flags (4, zero), reserved (12), CRC-32C of the
// 28 bytes before it.
const headerLen = 32

// Magic tells whether head, the first bytes of a file, are those of a recording.
func Magic(head []byte) bool { return len(head) >= len(magic) && string(head[:len(magic)]) == magic }

func appendFileHeader(dst []byte) []byte {
	at := len(dst)
	dst = append(dst, magic...)
	dst = binary.LittleEndian.AppendUint32(dst, Version)
	dst = append(dst, make([]byte, 16)...)
	return binary.LittleEndian.AppendUint32(dst, checksum(dst[at:]))
}

// blockMagic begins every block header, so that a reader can find the next one behind damage.
const blockMagic = 'O' | 'R'<<8 | 'B'<<16 | 'k'<<24

// blockLen is the length of a block header.
const blockLen = 56

// The types of block.
const (
	typeMeta = 1 + iota
	typeRef
	typeEvt
	typePCs
	typeIdx
	typeEnd
)

// maxPacked is the length of the longest payload. A REF has at most 65536 references of 21 bytes and a little more.
const maxPacked = 1 << 28

// block is a block header:
//
//	 0 magic 4   4 type 1   5 reserved 3   8 rows 4   12 data references 4   16 first Seq 8
//	24 start ticks 8   32 end ticks 8   40 raw length 4   44 packed length 4   48 CRC-32C of the payload 4
//	52 CRC-32C of the 52 bytes before it 4
type block struct {
	kind       uint8
	rows, data uint32
	first      traceio.Seq
	start, end traceio.Ticks
	raw        uint32 // length of the payload when unpacked, for META, PCS and IDX; events for EVT
	packed     uint32
	crc        uint32
}

func (h *block) append(dst []byte) []byte {
	at := len(dst)
	le := binary.LittleEndian
	dst = le.AppendUint32(dst, blockMagic)
	dst = append(dst, h.kind, 0, 0, 0)
	dst = le.AppendUint32(dst, h.rows)
	dst = le.AppendUint32(dst, h.data)
	dst = le.AppendUint64(dst, uint64(h.first))
	dst = le.AppendUint64(dst, uint64(h.start))
	dst = le.AppendUint64(dst, uint64(h.end))
	dst = le.AppendUint32(dst, h.raw)
	dst = le.AppendUint32(dst, h.packed)
	dst = le.AppendUint32(dst, h.crc)
	return le.AppendUint32(dst, checksum(dst[at:]))
}

var errHeader = errors.New("this is no block header")

// readBlock reads a header from the blockLen bytes of src.
func readBlock(src []byte) (h block, err error) {
	le := binary.LittleEndian
	if le.Uint32(src) != blockMagic || le.Uint32(src[52:]) != checksum(src[:52]) {
		return h, errHeader
	}
	h.kind = src[4]
	h.rows, h.data = le.Uint32(src[8:]), le.Uint32(src[12:])
	h.first = traceio.Seq(le.Uint64(src[16:]))
	h.start, h.end = traceio.Ticks(le.Uint64(src[24:])), traceio.Ticks(le.Uint64(src[32:]))
	h.raw, h.packed, h.crc = le.Uint32(src[40:]), le.Uint32(src[44:]), le.Uint32(src[48:])
	if h.packed > maxPacked || h.kind == typeRef && (h.rows > traceio.MaxBlock || h.data > h.rows ||
		h.packed < summaryLen) {
		return h, errHeader
	}
	return h, nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

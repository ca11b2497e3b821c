package export

import "encoding/binary"

// thrift writes the compact protocol of Apache Thrift, in which Parquet keeps its headers and its footer: fields of a
// structure as the distance of their number from the one before and their type, numbers as zigzag varints. Fields must
// be written in the order of their numbers. See thrift-compact-protocol.md of apache/thrift.
type thrift struct {
	buf   []byte
	last  int   // number of the field before
	outer []int // last, of the structures around
}

// The types of a field.
const (
	thriftI32    = 5
	thriftI64    = 6
	thriftBinary = 8
	thriftList   = 9
	thriftStruct = 12
)

func (t *thrift) field(number int, kind byte) {
	if d := number - t.last; d > 0 && d < 16 {
		t.buf = append(t.buf, byte(d)<<4|kind)
	} else {
		t.buf = binary.AppendVarint(append(t.buf, kind), int64(number))
	}
	t.last = number
}

func (t *thrift) i32(number int, v int32) {
	t.field(number, thriftI32)
	t.buf = binary.AppendVarint(t.buf, int64(v))
}

func (t *thrift) i64(number int, v int64) {
	t.field(number, thriftI64)
	t.buf = binary.AppendVarint(t.buf, v)
}

func (t *thrift) binary(number int, v []byte) {
	t.field(number, thriftBinary)
	t.bytes(v)
}

// bytes writes an element of a list of strings.
func (t *thrift) bytes(v []byte) {
	t.buf = binary.AppendUvarint(t.buf, uint64(len(v)))
	t.buf = append(t.buf, v...)
}

// list begins a field of n elements of one type, which follow.
func (t *thrift) list(number int, kind byte, n int) {
	t.field(number, thriftList)
	if n < 15 {
		t.buf = append(t.buf, byte(n)<<4|kind)
		return
	}
	t.buf = binary.AppendUvarint(append(t.buf, 0xf0|kind), uint64(n))
}

// open begins a field that is a structure; number 0 begins an element of a list.
func (t *thrift) open(number int) {
	if number > 0 {
		t.field(number, thriftStruct)
	}
	t.outer = append(t.outer, t.last)
	t.last = 0
}

// close ends the innermost structure.
func (t *thrift) close() {
	t.buf = append(t.buf, 0)
	t.last = t.outer[len(t.outer)-1]
	t.outer = t.outer[:len(t.outer)-1]
}

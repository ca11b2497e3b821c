package export

import (
	"bufio"
	"encoding/binary"

	"github.com/klauspost/compress/zstd"
)

// table writes a Parquet file (https://parquet.apache.org/docs/file-format): row groups of column chunks of pages, then
// a footer that says where they are. Every column is required, so that a page is its values and nothing else,
// compressed with zstd. Columns of numbers tell their smallest and largest value per row group, by which readers skip
// what a query does not want.
type table struct {
	w       *bufio.Writer
	zstd    *zstd.Encoder
	columns []column
	at      int64 // bytes written
	rows    int64 // in the row group
	limit   int64 // rows of a row group
	groups  []group
}

// column is a column of the table and its pages in the row group under way.
type column struct {
	name   string
	kind   int // one of the types below
	rising bool

	pages        []byte
	raw          int64 // length of the pages before compression, with their headers
	lowest, most uint64
	empty        bool
}

// The types of column: unsigned numbers of 16 and 64 bits, texts.
const (
	u16 = iota
	u64
	text
)

// physical and converted are Parquet's numbers for the types: INT32, INT64, BYTE_ARRAY; UINT_16, UINT_64, UTF8.
var (
	physical  = [...]int32{u16: 1, u64: 2, text: 6}
	converted = [...]int32{u16: 12, u64: 14, text: 0}
)

// Parquet's numbers for encodings and codecs.
const (
	encodingPlain = 0
	encodingRLE   = 3
	encodingDelta = 5
	codecZstd     = 6
)

// group is a row group as the footer tells it.
type group struct {
	rows   int64
	chunks []chunk
}

// chunk is a column of a row group.
type chunk struct {
	at, raw, packed int64
	lowest, most    uint64
}

// groupRows is when a row group is closed: a million rows, which readers work on in parallel.
const groupRows = 1 << 20

const parquetMagic = "PAR1"

func newTable(w *bufio.Writer, columns []column) *table {
	t := &table{w: w, columns: columns, at: int64(len(parquetMagic)), limit: groupRows}
	t.zstd, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)) // fails only for wrong options
	w.WriteString(parquetMagic)
	t.clear()
	return t
}

func (t *table) clear() {
	for i := range t.columns {
		c := &t.columns[i]
		c.pages, c.raw, c.empty = c.pages[:0], 0, true
	}
	t.rows = 0
}

// numbers adds a page to a column of numbers.
func (t *table) numbers(i int, v []uint64) {
	c := &t.columns[i]
	for _, x := range v {
		if c.empty {
			c.lowest, c.most, c.empty = x, x, false
		}
		c.lowest, c.most = min(c.lowest, x), max(c.most, x)
	}
	var raw []byte
	switch {
	case c.rising:
		t.page(c, appendDeltas(nil, v), len(v), encodingDelta)
		return
	case c.kind == u16:
		for _, x := range v {
			raw = binary.LittleEndian.AppendUint32(raw, uint32(x))
		}
	default:
		for _, x := range v {
			raw = binary.LittleEndian.AppendUint64(raw, x)
		}
	}
	t.page(c, raw, len(v), encodingPlain)
}

// texts adds a page to a column of texts.
func (t *table) texts(i int, v []string) {
	var raw []byte
	for _, s := range v {
		raw = binary.LittleEndian.AppendUint32(raw, uint32(len(s)))
		raw = append(raw, s...)
	}
	t.page(&t.columns[i], raw, len(v), encodingPlain)
}

// page adds a page: a PageHeader with a DataPageHeader in it, then the compressed values.
func (t *table) page(c *column, raw []byte, rows int, encoding int32) {
	packed := t.zstd.EncodeAll(raw, nil)
	var h thrift
	h.open(0)
	h.i32(1, 0)
	h.i32(2, int32(len(raw)))
	h.i32(3, int32(len(packed)))
	h.open(5)
	h.i32(1, int32(rows))
	h.i32(2, encoding)
	h.i32(3, encodingRLE)
	h.i32(4, encodingRLE)
	h.close()
	h.close()
	c.pages = append(append(c.pages, h.buf...), packed...)
	c.raw += int64(len(h.buf) + len(raw))
}

// added says that every column has been given a page of n rows, and ends the row group when it is long enough.
func (t *table) added(n int) error {
	if t.rows += int64(n); t.rows >= t.limit {
		return t.endGroup()
	}
	return nil
}

func (t *table) endGroup() error {
	if t.rows == 0 {
		return nil
	}
	g := group{rows: t.rows}
	for i := range t.columns {
		c := &t.columns[i]
		g.chunks = append(g.chunks, chunk{at: t.at, raw: c.raw, packed: int64(len(c.pages)), lowest: c.lowest, most: c.most})
		if _, err := t.w.Write(c.pages); err != nil {
			return err
		}
		t.at += int64(len(c.pages))
	}
	t.groups = append(t.groups, g)
	t.clear()
	return nil
}

// end writes the last row group and the footer: FileMetaData, its length, the magic again.
func (t *table) end() error {
	if err := t.endGroup(); err != nil {
		return err
	}
	f := t.footer()
	f = binary.LittleEndian.AppendUint32(f, uint32(len(f)))
	_, err := t.w.Write(append(f, parquetMagic...))
	return err
}

func (t *table) footer() []byte {
	var f thrift
	rows := int64(0)
	for _, g := range t.groups {
		rows += g.rows
	}
	f.open(0)
	f.i32(1, 1)
	f.list(2, thriftStruct, 1+len(t.columns))
	f.open(0)
	f.binary(4, []byte("schema"))
	f.i32(5, int32(len(t.columns)))
	f.close()
	for _, c := range t.columns {
		f.open(0)
		f.i32(1, physical[c.kind])
		f.i32(3, 0) // required
		f.binary(4, []byte(c.name))
		f.i32(6, converted[c.kind])
		f.close()
	}
	f.i64(3, rows)
	f.list(4, thriftStruct, len(t.groups))
	for _, g := range t.groups {
		t.describe(&f, g)
	}
	f.binary(6, []byte("orrery"))
	f.list(7, thriftStruct, len(t.columns))
	for range t.columns {
		f.open(0)
		f.open(1) // the order that the type defines
		f.close()
		f.close()
	}
	f.close()
	return f.buf
}

// describe writes a RowGroup.
func (t *table) describe(f *thrift, g group) {
	total := int64(0)
	f.open(0)
	f.list(1, thriftStruct, len(g.chunks))
	for i, c := range g.chunks {
		col := &t.columns[i]
		total += c.raw
		f.open(0)
		f.i64(2, c.at)
		f.open(3)
		f.i32(1, physical[col.kind])
		encodings := []int32{encodingPlain, encodingRLE}
		if col.rising {
			encodings[0] = encodingDelta
		}
		f.list(2, thriftI32, len(encodings))
		for _, e := range encodings {
			f.buf = binary.AppendVarint(f.buf, int64(e))
		}
		f.list(3, thriftBinary, 1)
		f.bytes([]byte(col.name))
		f.i32(4, codecZstd)
		f.i64(5, g.rows)
		f.i64(6, c.raw)
		f.i64(7, c.packed)
		f.i64(9, c.at)
		if col.kind != text {
			f.open(12)
			f.binary(5, bound(col.kind, c.most))
			f.binary(6, bound(col.kind, c.lowest))
			f.close()
		}
		f.close()
		f.close()
	}
	f.i64(2, total)
	f.i64(3, g.rows)
	f.close()
}

// bound is a value in a column's statistics.
func bound(kind int, x uint64) []byte {
	if kind == u16 {
		return binary.LittleEndian.AppendUint32(nil, uint32(x))
	}
	return binary.LittleEndian.AppendUint64(nil, x)
}

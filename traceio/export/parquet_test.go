package export

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"orrery/traceio"
)

// A reader of Parquet by the book, which knows nothing of the writer: it decodes Thrift into maps by field number, then
// looks up what the format's parquet.thrift says.

type decoder struct {
	t testing.TB
	p []byte
}

func (d *decoder) uvarint() uint64 {
	x, n := binary.Uvarint(d.p)
	if n <= 0 {
		d.t.Fatalf("no varint at %x", d.p[:min(len(d.p), 10)])
	}
	d.p = d.p[n:]
	return x
}

func (d *decoder) varint() int64 {
	x := d.uvarint()
	return int64(x>>1) ^ -int64(x&1)
}

func (d *decoder) byte() byte {
	c := d.p[0]
	d.p = d.p[1:]
	return c
}

func (d *decoder) value(kind byte) any {
	switch kind {
	case 5, 6:
		return d.varint()
	case 8:
		n := d.uvarint()
		v := d.p[:n]
		d.p = d.p[n:]
		return string(v)
	case 9:
		h := d.byte()
		n := uint64(h >> 4)
		if n == 15 {
			n = d.uvarint()
		}
		list := []any{}
		for range n {
			list = append(list, d.value(h&15))
		}
		return list
	case 12:
		return d.structure()
	}
	d.t.Fatalf("type %d", kind)
	return nil
}

type structure map[int]any

func (d *decoder) structure() structure {
	s, last := structure{}, 0
	for {
		h := d.byte()
		if h == 0 {
			return s
		}
		if h>>4 > 0 {
			last += int(h >> 4)
		} else {
			last = int(d.varint())
		}
		s[last] = d.value(h & 15)
	}
}

func (s structure) num(n int) int64     { return s[n].(int64) }
func (s structure) sub(n int) structure { return s[n].(structure) }
func (s structure) list(n int) []any    { return s[n].([]any) }

// contents are the columns of a file as text.
type contents struct {
	names   []string
	columns [][]string
	groups  int
}

func (c *contents) rows() (out [][]string) {
	for i := range c.columns[0] {
		var row []string
		for k := range c.columns {
			row = append(row, c.columns[k][i])
		}
		out = append(out, row)
	}
	return out
}

func readTable(t testing.TB, file []byte) *contents {
	t.Helper()
	n := len(file)
	if n < 12 || string(file[:4]) != "PAR1" || string(file[n-4:]) != "PAR1" {
		t.Fatal("no Parquet file")
	}
	length := int(binary.LittleEndian.Uint32(file[n-8:]))
	d := &decoder{t, file[n-8-length : n-8]}
	meta := d.structure()
	if len(d.p) > 0 || meta.num(1) != 1 {
		t.Fatalf("%d bytes behind the footer", len(d.p))
	}
	schema := meta.list(2)
	c := &contents{groups: len(meta.list(4))}
	if root := schema[0].(structure); root.num(5) != int64(len(schema)-1) {
		t.Fatal("the schema's root counts wrong")
	}
	for _, e := range schema[1:] {
		if e := e.(structure); e.num(3) != 0 {
			t.Fatal("a column is not required")
		}
		c.names = append(c.names, e.(structure)[4].(string))
	}
	c.columns = make([][]string, len(c.names))
	total, end := int64(0), int64(4)
	for _, g := range meta.list(4) {
		g := g.(structure)
		total += g.num(3)
		for i, ch := range g.list(1) {
			m := ch.(structure).sub(3)
			if got := m.list(3)[0].(string); got != c.names[i] || m.num(4) != 6 || m.num(5) != g.num(3) {
				t.Fatalf("column %s of %s", got, c.names[i])
			}
			if m.num(9) != end {
				t.Fatalf("column at %d, the one before ends at %d", m.num(9), end)
			}
			end = m.num(9) + m.num(7)
			values := readChunk(t, file[m.num(9):end], m, schema[1+i].(structure))
			if len(values) != int(g.num(3)) {
				t.Fatalf("%s: %d values of %d", c.names[i], len(values), g.num(3))
			}
			c.columns[i] = append(c.columns[i], values...)
		}
	}
	if total != meta.num(3) || int(end) != n-8-length {
		t.Fatalf("%d rows of %d; pages end at %d, the footer begins at %d", total, meta.num(3), end, n-8-length)
	}
	return c
}

func readChunk(t testing.TB, p []byte, meta, schema structure) (out []string) {
	t.Helper()
	z, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	raw := int64(0)
	var least, most uint64
	for d := (&decoder{t, p}); len(d.p) > 0; {
		before := len(d.p)
		h := d.structure()
		page, err := z.DecodeAll(d.p[:h.num(3)], nil)
		if err != nil || len(page) != int(h.num(2)) || h.num(1) != 0 {
			t.Fatalf("page: %v, %d bytes of %d", err, len(page), h.num(2))
		}
		raw += int64(before-len(d.p)) + h.num(2)
		d.p = d.p[h.num(3):]
		data := h.sub(5)
		if !slices.Contains(meta.list(2), any(data.num(2))) {
			t.Fatal("the footer does not name the encoding")
		}
		var nums []uint64
		switch le := binary.LittleEndian; {
		case data.num(2) == 5:
			nums = readDeltas(t, page)
		case schema.num(1) == 1:
			for ; len(page) > 0; page = page[4:] {
				nums = append(nums, uint64(le.Uint32(page)))
			}
		case schema.num(1) == 2:
			for ; len(page) > 0; page = page[8:] {
				nums = append(nums, le.Uint64(page))
			}
		default:
			for len(page) > 0 {
				n := le.Uint32(page)
				out = append(out, string(page[4:4+n]))
				page = page[4+n:]
			}
		}
		for _, x := range nums {
			if out == nil {
				least, most = x, x
			}
			least, most = min(least, x), max(most, x)
			out = append(out, fmt.Sprint(x))
		}
	}
	if raw != meta.num(6) {
		t.Fatalf("%d bytes unpacked, the footer says %d", raw, meta.num(6))
	}
	if schema.num(1) != 6 {
		number := func(s string) uint64 {
			x := uint64(0)
			for i := len(s) - 1; i >= 0; i-- {
				x = x<<8 | uint64(s[i])
			}
			return x
		}
		if stat := meta.sub(12); number(stat[5].(string)) != most || number(stat[6].(string)) != least {
			t.Fatal("statistics are wrong")
		}
	}
	return out
}

// readDeltas decodes DELTA_BINARY_PACKED bit by bit.
func readDeltas(t testing.TB, p []byte) []uint64 {
	d := &decoder{t, p}
	block, runs, n := int(d.uvarint()), int(d.uvarint()), int(d.uvarint())
	x := uint64(d.varint())
	var out []uint64
	if n > 0 {
		out = append(out, x)
	}
	for len(out) < n {
		least := d.varint()
		widths := d.p[:runs]
		d.p = d.p[runs:]
		for _, w := range widths {
			if len(out) >= n {
				break
			}
			bits := d.p[:block/runs/8*int(w)]
			d.p = d.p[len(bits):]
			for i := 0; i < block/runs && len(out) < n; i++ {
				v := uint64(0)
				for k := range int(w) {
					at := i*int(w) + k
					v |= uint64(bits[at/8]>>(at%8)&1) << k
				}
				x += uint64(least) + v
				out = append(out, x)
			}
		}
	}
	if len(d.p) > 0 {
		t.Fatalf("%d bytes behind the deltas", len(d.p))
	}
	return out
}

func readReferences(t testing.TB, p []byte) (rows []traceio.Access) {
	t.Helper()
	c := readTable(t, p)
	if got := strings.Join(c.names, " "); got != "seq thread kind address size pc" {
		t.Fatalf("columns %s", got)
	}
	for _, r := range c.rows() {
		var a traceio.Access
		var seq, addr, pc uint64
		if _, err := fmt.Sscan(r[0]+" "+r[1]+" "+r[3]+" "+r[4]+" "+r[5], &seq, &a.Thread, &addr, &a.Size, &pc); err != nil {
			t.Fatal(err)
		}
		a.Seq, a.Addr, a.PC = traceio.Seq(seq), traceio.Addr(addr), traceio.Addr(pc)
		a.Kind = traceio.Kind(slices.Index([]string{"load", "store", "fetch"}, r[2]))
		rows = append(rows, a)
	}
	return rows
}

func TestDeltas(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 9))
	for n := range 400 {
		v := make([]uint64, n)
		for i := range v {
			switch n % 4 {
			case 0:
				v[i] = uint64(i)
			case 1:
				v[i] = rnd.Uint64()
			case 2:
				v[i] = uint64(rnd.IntN(1 << (n % 20)))
			default:
				v[i] = []uint64{0, 1<<64 - 1, 1 << 63}[rnd.IntN(3)]
			}
		}
		p := appendDeltas(nil, v)
		if got := readDeltas(t, p); !slices.Equal(got, v) {
			t.Fatalf("%d numbers: got %v, want %v", n, got, v)
		}
		if n%4 == 0 && len(p) > 10+n/8 {
			t.Errorf("%d rising numbers take %d bytes", n, len(p))
		}
	}
}

// TestRowGroups writes more rows than a row group holds, and none.
func TestRowGroups(t *testing.T) {
	if c := readTable(t, func() []byte { p, _ := write(t, "parquet", &script{block: 1}); return p }()); c.groups != 0 ||
		len(c.columns[0]) != 0 {
		t.Errorf("nothing: %d groups", c.groups)
	}
	const limit, n = 10000, 25000
	long := &script{block: 1000, rows: make([]traceio.Access, n)}
	for i := range long.rows {
		long.rows[i] = traceio.Access{Seq: traceio.Seq(i), Addr: traceio.Addr(i * 8),
			PC: traceio.Addr(0x401000 + i%7), Size: 8}
	}
	f, _ := Lookup("parquet")
	f.write = func(w *bufio.Writer, opt Options) sink {
		s := newParquet(w, opt).(*parquetSink)
		s.t.limit = limit
		return s
	}
	var buf bytes.Buffer
	if _, err := References(context.Background(), f, copyOf(long), &buf, Options{}, nil); err != nil {
		t.Fatal(err)
	}
	p := buf.Bytes()
	c := readTable(t, p)
	if c.groups != 3 || len(c.columns[3]) != n || c.columns[3][n-1] != fmt.Sprint((n-1)*8) {
		t.Errorf("%d groups, %d rows", c.groups, len(c.columns[3]))
	}
	if len(p) > n*4 {
		t.Errorf("%d bytes for %d rows", len(p), n)
	}
	if bytes.Count(p, []byte("PAR1")) < 2 {
		t.Error("no magic at both ends")
	}
}

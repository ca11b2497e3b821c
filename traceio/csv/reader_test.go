package csv

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"orrery/traceio"
	"orrery/traceio/readtest"
)

func show(rows []traceio.Access) string {
	var out []string
	for _, a := range rows {
		out = append(out, fmt.Sprintf("t%d:%x:%c%x,%d", a.Thread, uint64(a.PC), "LSI"[a.Kind], uint64(a.Addr), a.Size))
	}
	return strings.Join(out, " ")
}

func TestTables(t *testing.T) {
	for _, c := range []struct{ name, text, want, lost string }{
		{"all columns",
			"seq,thread,pc,kind,size,address\n0,0,0x401000,load,8,0x7ffe10\n1,1,0x401004,store,4,0x7ffe14\n" +
				"2,1,0x401008,fetch,3,0x401008\n",
			"t0:401000:L7ffe10,8 t1:401004:S7ffe14,4 t1:401008:I401008,3", ""},
		{"any order and other columns", "Op; Comment; Effective Address ;Bytes\nR;x;4096;4\nW;\"y\";\"4100\";8\n",
			"t0:0:L1000,4 t0:0:S1004,8", ""},
		{"address alone", "addr\n0x10\n0x11\n", "t0:0:L10,8 t0:0:L11,1", ""},
		{"hexadecimal without 0x", "address,rw\n1000,R\n10ff,W\n", "t0:0:L1000,8 t0:0:S10ff,1", ""},
		{"decimal", "address,rw\n1000,0\n4096,1\n", "t0:0:L3e8,8 t0:0:S1000,8", ""},
		{"modify", "address,kind,size\n0x10,M,4\n", "t0:0:L10,4 t0:0:S10,4", ""},
		{"foreign threads", "address,tid\n0x10,4711\n0x20,99\n0x30,4711\n", "t0:0:L10,8 t1:0:L20,8 t0:0:L30,8", ""},
		{"tabs, Windows, a byte order mark", "\xef\xbb\xbfaddress\tkind\r\n0x10\tload\r\n", "t0:0:L10,8", ""},
		{"no titles", "R,0x7ffe10,4\nW,0x7ffe14,8\n", "t0:0:L7ffe10,4 t0:0:S7ffe14,8", ""},
		{"no titles, with instruction", "0x401000 0x7ffe10 store 4\n0x401004 0x7ffe14 load 4\n",
			"t0:401000:S7ffe10,4 t0:401004:L7ffe14,4", ""},
		{"no titles, decimal", "load 140732900000\nstore 140732900004\n", "t0:0:L20c455a2a0,8 t0:0:S20c455a2a4,4", ""},
		{"quotes", "\"seq\",\"source; text\",\"address\",\"kind\"\r\n\"0\",\"a = \"\"b, " +
			"c\"\"\",\"0x10\",\"load\"\r\n1,plain \"word,0x20,store\r\n", "t0:0:L10,8 t0:0:S20,8", ""},
		{"line ends in quotes", "\ufeffaddress,code,kind\r\n0x10,\"for (;;)\r\n# {\r\n}\",store\r\n0x18,\"\",load\r\n",
			"t0:0:S10,8 t0:0:L18,8", ""},
		{"a quote that nothing closes", "address,note,kind\n" + strings.Repeat("0x10,a,load\n", 20) + "0x18,\"oh,load\n",
			strings.TrimSpace(strings.Repeat("t0:0:L10,8 ", 20)), "open-quote 1"},
		{"a quote that swallows", "address,note,kind\n" + strings.Repeat("0x10,a,load\n", 400) + "0x18,\"oh,load\n" +
			strings.Repeat("0x10,a,load\n", 40), strings.TrimSpace(strings.Repeat("t0:0:L10,8 ", 409)), "open-quote 32"},
		{"blanks before quotes", "address; \"note\" ;size\n16; \"x;y\" ;4\n", "t0:0:L10,4", ""},
		{"only addresses", "0x1000\n0x1040\n", "t0:0:L1000,8 t0:0:L1040,8", ""},
		{"bad lines", "address,kind,size\n0x10,load,8\n" + strings.Repeat("0x10,load,8\n", 70) +
			"x,load,8\n0x10,jump,8\n0x10,load,0\n0xffffffffffffffff,load,2\n0x10\n",
			strings.TrimSpace(strings.Repeat("t0:0:L10,8 ", 71)), "bad-address 2, bad-kind 1, bad-size 1, missing-field 1"},
		{"a bad size in three", "address,size\n0x1000,0\n0x1000,8\n0x1008,8\n", "t0:0:L1000,8 t0:0:L1008,8", "bad-size 1"},
		{"a bad kind in three", "kind,address\nload,0x1000\njump,0x1000\nstore,0x1008\n",
			"t0:0:L1000,8 t0:0:S1008,8", "bad-kind 1"},
		{"mostly bad", "address\nx\ny\n0x10\n", "t0:0:L10,8", "bad-address 2"},
		{"mostly bad between blanks", "address size\nx 1\ny 1\n0x10 1\n", "t0:0:L10,1", "bad-address 2"},
		{"nothing but bad", "name,address\nBob,Oak Street\n", "", "bad-address 1"},
		{"titles only", "seq,thread,kind,address,size,pc\n", "", ""},
	} {
		for _, in := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text))} {
			r := New(in, c.name)
			rows := readtest.Drain(t, r).Rows
			var lost []string
			for _, l := range r.Loss() {
				lost = append(lost, fmt.Sprintf("%s %d", l.Kind, l.Count))
			}
			slices.Sort(lost)
			if show(rows) != c.want || strings.Join(lost, ", ") != c.lost {
				t.Errorf("%s:\ngot  %s, lost %v\nwant %s", c.name, show(rows), lost, c.want)
			}
		}
		if !Sniff([]byte(c.text)) {
			t.Errorf("%s: not recognised", c.name)
		}
	}
}

func TestNoTable(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "prose": "Dear diary,\ntoday I read nothing\n", "designs": "size,ways,misses\n1024,4,77\n2048,8,55\n",
		"numbers": "1,2\n3,4\n", "source": "int main(void) {\n\treturn 0;\n}\n", "csv of words": "name,type\nload,R\n",
		"mostly bad":                       "0x1000,load\nx,load\ny,load\n",
		"a quote between other separators": "0 \"|X|\n\"|0A",
		"prose with titles":                "address of the house\n0x10 Oak Street, Springfield\nRing twice, kind reader\n",
	} {
		if Sniff([]byte(text)) {
			t.Errorf("%s is called a table of references", name)
		}
	}
	err := New(strings.NewReader("hello\n"), "x").Next(&traceio.Block{})
	if err == nil || !strings.HasPrefix(err.Error(),
		"x:1: this is no table of references: no column holds addresses; put ") {
		t.Error(err)
	}
}

// TestNothing: a table without references says what it has.
func TestNothing(t *testing.T) {
	for text, want := range map[string]string{
		"seq,thread,kind,address,size,pc\n": "x: the table has titles and no references; allocations and marks alone are " +
			"exported with --events",
		"seq,ticks,thread,event,address,size,usable,stack,value,text\n" +
			"0,5,0,malloc,0x10,8,24,1,,\n": "x:1: this is a table of allocations and marks, which Orrery writes but does " +
			"not read; ",
		"name,address\nBob,Oak Street\nEve,0xg\n": "x: the table has no " +
			"references that can be used: bad address (2, the first at line 2, field 2): references whose address is not a " +
			"number below 2^64; see ",
	} {
		if err := New(strings.NewReader(text), "x").Next(&traceio.Block{}); err == nil ||
			!strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q:\ngot  %v\nwant %s", text, err, want)
		}
	}
}

// TestSeq tells of jumps and of steps back.
func TestSeq(t *testing.T) {
	r := New(strings.NewReader(
		"seq,address,kind\n100,0x10,load\n101,0x4010,fetch\n101,0x10,load\n105,0x10,load\n104,0x10,store\n"), "x")
	all := readtest.Drain(t, r)
	rows, marks := all.Rows, all.Marks
	if len(rows) != 5 || len(marks) != 1 || marks[0].Kind != traceio.Gap || marks[0].Value != 3 || marks[0].Seq != 2 {
		t.Errorf("%d rows, marks %+v", len(rows), marks)
	}
	if l := r.Loss(); len(l) != 1 || l[0].Kind != "out-of-order" || l[0].First != "line 6" {
		t.Errorf("loss %+v", l)
	}
}

// A loss tells its line and field.
func TestPositions(t *testing.T) {
	r := New(strings.NewReader("pc,address,note,kind\n"+strings.Repeat("0x1,0x10,\"two\nlines\",load\n", 30)+
		"0x1,0x10,\"two\nlines\",jump\n0x1,x,,load\n0xg,0x10,,load\n"), "x")
	readtest.Drain(t, r)
	var got []string
	for _, l := range r.Loss() {
		got = append(got, l.Kind+" "+l.First)
	}
	if want := []string{"bad-kind line 62, field 4", "bad-address line 64, field 2",
		"bad-pc line 65, field 1"}; !slices.Equal(got, want) {
		t.Errorf("losses %q, want %q", got, want)
	}
}

// TestAgreesWithTwin writes random tables by encoding/csv with shuffled columns and reads them back.
func TestAgreesWithTwin(t *testing.T) {
	notes := []string{"x y", "", "a,b;c\td|e", "say \"yes\"", "two\nlines", "\"", "a\r\n,\"\n\""}
	for seed := range uint64(100) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		titles := []string{"Address", "kind", "bytes", "pc", "thread", "note"}
		order := rnd.Perm(len(titles))
		hexed := rnd.IntN(2) == 0
		number := func(x uint64) string {
			if hexed {
				return fmt.Sprintf("%#x", x)
			}
			return strconv.FormatUint(x, 10)
		}
		var buf bytes.Buffer
		w := csv.NewWriter(&buf)
		w.UseCRLF = rnd.IntN(2) == 0
		w.Comma = []rune{',', ';', '\t', '|'}[rnd.IntN(4)]
		shuffled := func(cells []string) {
			out := make([]string, len(cells))
			for i, at := range order {
				out[at] = cells[i]
			}
			if err := w.Write(out); err != nil {
				t.Fatal(err)
			}
		}
		shuffled(titles)
		var want []traceio.Access
		next := traceio.Seq(0)
		for range 1 + rnd.IntN(500) {
			a := traceio.Access{Seq: next, Addr: traceio.Addr(rnd.Uint64() >> (1 + rnd.IntN(60))),
				PC:   traceio.Addr(rnd.Uint64() >> rnd.IntN(64)),
				Size: uint16(1 + rnd.IntN(65535)), Kind: traceio.Kind(rnd.IntN(3)), Thread: traceio.Thread(rnd.IntN(9))}
			if a.Kind == traceio.Fetch {
				a.PC = a.Addr
			} else {
				next++
			}
			want = append(want, a)
			shuffled([]string{number(uint64(a.Addr)), a.Kind.String(), strconv.Itoa(int(a.Size)), number(uint64(a.PC)),
				strconv.Itoa(int(a.Thread)), notes[rnd.IntN(len(notes))]})
		}
		if w.Flush(); w.Error() != nil {
			t.Fatal(w.Error())
		}
		r := New(bytes.NewReader(buf.Bytes()), "x")
		if got := readtest.Drain(t, r).Rows; !slices.Equal(got, want) || len(r.Loss()) > 0 {
			t.Fatalf("seed %d: %d rows, want %d, loss %+v\n%.300s", seed, len(got), len(want), r.Loss(), buf.String())
		}
	}
}

func FuzzReader(f *testing.F) {
	f.Add("seq,thread,pc,kind,size,address\n0,0,0x401000,load,8,0x7ffe10\n1,1,0x401004,store,4,0x7ffe14\n")
	f.Add("R,0x7ffe10,4\nW,0x7ffe14,8\n")
	f.Add("\"address\",note\r\n0x10,\"a\"\"b\n\n,\"\r\n0x20,\"open\n")
	f.Add("0x401000 0x7ffe10 store 4\n\"a\";;;\n")
	f.Add(string(readtest.Seeds(f, "*.csv")[0]))
	f.Fuzz(func(t *testing.T, text string) {
		r := New(strings.NewReader(text), "x")
		rows := readtest.Drain(t, r).Rows
		if Sniff([]byte(text)) && len(rows) == 0 && len(text) < traceio.HeadLen && !r.l.header {
			t.Fatalf("recognised without titles, but no row")
		}
	})
}

func BenchmarkReader(b *testing.B) {
	var s bytes.Buffer
	s.WriteString("seq,thread,kind,address,size,pc\n")
	for i := range 100000 {
		fmt.Fprintf(&s, "%d,0,%s,%#x,8,%#x\n", i, traceio.Kind(i%2), 0x7ffe6c3a0000+i*8%4096, 0x401000+i%999)
	}
	b.SetBytes(int64(s.Len()))
	b.ReportAllocs()
	readtest.Measure(b, func() traceio.Source { return New(bytes.NewReader(s.Bytes()), "x") })
}

// TestSniffingIsLinear looks at single lines of ever more columns: what it allocates grows no faster than they do.
func TestSniffingIsLinear(t *testing.T) {
	cost := func(line string) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		Sniff([]byte(line))
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	for _, cell := range []string{"a;", "963,", "0x7f\t", "12|", "a ", `"a",`, "'a',", `";`, ","} {
		short, long := cost(strings.Repeat(cell, 2000)), cost(strings.Repeat(cell, 8000))
		if long > 16*short+1<<20 {
			t.Errorf("columns %q: 2000 take %d bytes, 8000 take %d", cell, short, long)
		}
	}
}

package lackey

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"orrery/traceio"
	"orrery/traceio/readtest"
)

// oracle is the shipped lackey recording of quicksort, decompressed.
func oracle(t testing.TB) []byte {
	t.Helper()
	return readtest.Gunzip(t, "../../testdata/oracles/quicksort.lk.gz")
}

func TestOracle(t *testing.T) {
	text := oracle(t)
	agree(t, string(text), bytes.NewReader(text))
	r := New(bytes.NewReader(text), "quicksort.lk")
	var count [3]int
	for _, a := range drain(t, r) {
		count[a.Kind]++
	}
	letters := map[string]int{}
	for line := range bytes.Lines(text) {
		for _, p := range []string{"I  ", " L ", " S ", " M "} {
			if bytes.HasPrefix(line, []byte(p)) {
				letters[p]++
			}
		}
	}
	want := [3]int{letters[" L "] + letters[" M "], letters[" S "] + letters[" M "], letters["I  "]}
	if count != want {
		t.Errorf("loads, stores, fetches = %v, want %v", count, want)
	}
	if count[0]+count[1] != 46597 || count[2] != 137988 {
		t.Errorf("%d data references and %d fetches, want 46597 and 137988", count[0]+count[1], count[2])
	}
	if got := r.Program().Command; !slices.Equal(got, []string{"./qs"}) {
		t.Errorf("command %q", got)
	}
	if len(r.Loss()) != 0 {
		t.Errorf("loss %+v", r.Loss())
	}
	if int(r.Bytes()) != len(text) {
		t.Errorf("consumed %d of %d bytes", r.Bytes(), len(text))
	}
}

func TestChatter(t *testing.T) {
	const text = `==7== Lackey, an example Valgrind tool
==7== Command: ./th -n 3
--7-- Reading syms from /home/me/th
--7--    svma 0x0000001070, avma 0x0000109070
--7-- Reading syms from /usr/libexec/valgrind/lackey-amd64-linux
--7--    svma 0x0058001000, avma 0x0058001000
0x30a: [0]={ 56(r3) { u  u  u  c-56 u  u  u  u  u  u }
--7--   SCHED[1]:  acquired lock (thread_wrapper(starting new thread))
I  00109070,4
 L 1fff000688,8
--7-- Reading syms from /nowhere/libc.so.6
--7--    svma 0x0000026380, avma 0x000486b380
--7--   SCHED[1]: releasing lock (VG_(vg_yield)) -> VgTs_Yielding
--7--   SCHED[2]:  acquired lock (thread_wrapper(starting new thread))
I  00109080,4
 M 0010c040,4
--7--   SCHED[2]: exiting VG_(scheduler)
4000
--7--   SCHED[1]:  acquired lock (VG_(vg_yield))
 S 1fff000680,8
--7--   SCHED[2]:  acquired lock (thread_wrapper(starting new thread))
 S 1fff000670,8
`
	r := New(strings.NewReader(text), "th.lk")
	var b traceio.Block
	if err := r.Next(&b); err != nil {
		t.Fatal(err)
	}
	if want := []traceio.Thread{0, 0, 1, 1, 1, 0, 2}; !slices.Equal(b.Thread, want) {
		t.Errorf("threads %v, want %v", b.Thread, want)
	}
	wantMarks := []traceio.Mark{
		{Seq: 0, Thread: 0, Kind: traceio.ThreadStart}, {Seq: 1, Thread: 1, Kind: traceio.ThreadStart},
		{Seq: 3, Thread: 1, Kind: traceio.ThreadEnd}, {Seq: 4, Thread: 2, Kind: traceio.ThreadStart},
	}
	if !slices.Equal(b.Marks, wantMarks) {
		t.Errorf("marks %+v, want %+v", b.Marks, wantMarks)
	}
	p := r.Program()
	if !slices.Equal(p.Command, []string{"./th", "-n", "3"}) {
		t.Errorf("command %q", p.Command)
	}
	want := []traceio.Module{
		{Path: "/home/me/th", Bias: 0x108000, Main: true},
		{Path: "/nowhere/libc.so.6", Bias: 0x4845000},
	}
	if !slices.Equal(p.Modules, want) {
		t.Errorf("modules %+v, want %+v", p.Modules, want)
	}
	loss := r.Loss()
	if len(loss) != 1 || loss[0].Kind != "other-text" || loss[0].Count != 1 || loss[0].First != "line 18" {
		t.Errorf("loss %+v", loss)
	}
}

// TestExtent names the test program itself as a module.
func TestExtent(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	f, err := elf.Open(self)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text := f.Section(".text")
	for _, c := range []struct {
		name string
		svma uint64
		want bool
	}{{"the same file", text.Addr, true}, {"rebuilt since", text.Addr + 16, false}} {
		r := New(strings.NewReader(fmt.Sprintf("--7-- Reading syms from %s\n--7--    svma %#x, avma %#x\n L 10,1\n",
			self, c.svma, c.svma+0x108000)), "x.lk")
		drain(t, r)
		m := r.Program().Modules
		if len(m) != 1 || m[0].Bias != 0x108000 {
			t.Fatalf("modules %+v", m)
		}
		begin := traceio.Addr(text.Addr) + 0x108000
		if inside := m[0].Low <= begin && begin+traceio.Addr(text.Size) <= m[0].High; inside != c.want {
			t.Errorf("%s: extent %v to %v, text at %v", c.name, m[0].Low, m[0].High, begin)
		}
	}
}

func TestLosses(t *testing.T) {
	long := strings.Repeat("x", 3*maxLine)
	for _, c := range []struct{ name, text, kind, first string }{
		{"bad address", " L 10,1\n L xyz,4\n", "bad-address", "line 2"},
		{"end of memory", " L 10,1\n L fffffffffffffffe,4\n", "bad-address", "line 2"},
		{"17 digits", " L 10,1\n L 11111111111111111,4\n", "bad-address", "line 2"},
		{"bad size", " L 10,1\n\n S 1fff000688,x\n", "bad-size", "line 3"},
		{"size 0", " L 10,1\n S 1fff000688,0\n", "bad-size", "line 2"},
		{"size 65536", " L 10,1\n S 1fff000688,65536\n", "bad-size", "line 2"},
		{"cut in the address", " L 10,1\n S 1fff0", "cut-line", "line 2"},
		{"cut before the size", " L 10,1\n S 1fff000688,", "cut-line", "line 2"},
		{"long line", " L 10,1\n" + long + "\n", "long-line", "line 2"},
		{"long last line", " L 10,1\n" + long, "long-line", "line 2"},
		{"output", "sorted: 1 2 3\n L 10,1\n", "other-text", "line 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := New(strings.NewReader(c.text), "x.lk")
			if rows := drain(t, r); len(rows) != 1 {
				t.Fatalf("%d rows, want 1", len(rows))
			}
			l := r.Loss()
			if len(l) != 1 || l[0].Kind != c.kind || l[0].Count != 1 || l[0].First != c.first || l[0].Why == "" {
				t.Errorf("loss %+v, want one %s at %s", l, c.kind, c.first)
			}
		})
	}
}

func TestNothingUsable(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "x.lk: the file is empty; record again with `orrery record -- PROGRAM`"},
		{"other", "hello\nworld\n",
			"x.lk: none of its 2 lines is a lackey reference; valgrind must run with --tool=lackey --trace-mem=yes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b traceio.Block
			err := New(strings.NewReader(c.text), "x.lk").Next(&b)
			var e *traceio.Error
			if !errors.As(err, &e) || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// failing ends with an error instead of io.EOF, as a decompressor does on a cut file.
type failing struct{ r io.Reader }

func (f failing) Read(p []byte) (int, error) {
	n, err := f.r.Read(p)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

func TestDamagedTailKeepsPrefix(t *testing.T) {
	r := New(failing{strings.NewReader("I  04001234,3\n L 1fff000688,8\n S 1ff")}, "x.lk.gz")
	if rows := drain(t, r); len(rows) != 2 {
		t.Fatalf("%d rows, want 2", len(rows))
	}
	var kinds []string
	for _, l := range r.Loss() {
		kinds = append(kinds, l.Kind)
	}
	if !slices.Equal(kinds, []string{"cut-line", "unreadable-tail"}) {
		t.Errorf("loss %v", kinds)
	}
}

// TestByteOrderMark: an editor's mark in front of the text costs no reference.
func TestByteOrderMark(t *testing.T) {
	text := "\xef\xbb\xbf L 10,4\r\n S 20,4\r\n"
	r := New(strings.NewReader(text), "x.lk")
	if rows := drain(t, r); len(rows) != 2 || len(r.Loss()) != 0 || !Sniff([]byte(text[:11])) {
		t.Errorf("%d rows, want 2; loss %v", len(rows), r.Loss())
	}
}

func TestSniff(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{" L 10,1\n M 20,1\n", true},
		{"I  0400d7d4,8\n", true},
		{"==1== Lackey, an example Valgrind tool\n==1== Copyright\n", true},
		{"sorted\nI  0400d7d4,8\n L 10,1\n L 1", true},
		{"==1== Memcheck, a memory error detector\n==1== x\n", false},
		{"", false},
		{"0 10\n2 400\n", false},
		{"# Title\nI am, a text\n", false},
		{" L xyz,8\n L 10,0\nsorted\n L 10,1\n", true},
		{"a\nb\nc\n L 10,1\n", true},
		{strings.Repeat("a\n", 10) + " L 10,1\n", false},
		{" L xyz,8\n L 10,0\n", false},
	} {
		if got := Sniff([]byte(c.text)); got != c.want {
			t.Errorf("%q: %v, want %v", c.text, got, c.want)
		}
	}
}

// cpu is the processor time of the process so far: what a figure should rest on where others share the machine.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkParse reads the oracle eight times over, 21 MB, as valgrind writes it and with other line ends.
func BenchmarkParse(b *testing.B) {
	text := bytes.Repeat(oracle(b), 8)
	for name, text := range map[string][]byte{"LF": text, "CRLF": bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))} {
		b.Run(name, func(b *testing.B) {
			in := bytes.NewReader(text)
			var blk traceio.Block
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			start := cpu()
			for b.Loop() {
				in.Reset(text)
				r := New(in, "quicksort.lk")
				for r.Next(&blk) == nil {
				}
			}
			b.ReportMetric(float64(len(text))*float64(b.N)/1e6/(cpu()-start).Seconds(), "cpu-MB/s")
		})
	}
}

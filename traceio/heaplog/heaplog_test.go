package heaplog

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"orrery/traceio"
)

// read takes a source to its end.
func read(t testing.TB, src traceio.Source) ([]traceio.Alloc, error) {
	t.Helper()
	var all []traceio.Alloc
	var b traceio.Block
	for {
		err := src.Next(&b)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		if b.Len() != 0 || b.First != 0 {
			t.Fatalf("a log of allocations gave %d references from %d", b.Len(), b.First)
		}
		all = append(all, b.Allocs...)
	}
}

// show writes events as text: "+ADDR SIZE @CALLER" and "-ADDR".
func show(allocs []traceio.Alloc, p *traceio.Program) string {
	var s strings.Builder
	for i, a := range allocs {
		if i > 0 {
			s.WriteString(", ")
		}
		if a.Op == traceio.Free {
			fmt.Fprintf(&s, "-%x", uint64(a.Addr))
		} else {
			fmt.Fprintf(&s, "+%x %d", uint64(a.Addr), a.Size)
		}
		for _, ret := range p.Stacks[a.Stack] {
			fmt.Fprintf(&s, " @%x", uint64(ret))
		}
	}
	return s.String()
}

func lost(src traceio.Source) string {
	var s []string
	for _, l := range src.Loss() {
		s = append(s, fmt.Sprintf("%d %s %s", l.Count, l.Kind, l.First))
	}
	return strings.Join(s, ", ")
}

type row struct{ name, text, want, loss, err string }

var mtraceRows = []row{
	{"made and freed", "= Start\n@ ./gone:[0x1c2] + 0x55a0 0x20\n@ ./gone:[0x299] - 0x55a0\n= End\n",
		"+55a0 32 @100000001c2, -55a0 @10000000299", "", ""},
	{"function named", "@ ./gone:(push+0x19)[0x1c2] + 0x55a0 0x20\n", "+55a0 32 @100000001c2", "", ""},
	{"no caller", "+ 0x10 0x8\n- 0x10\n", "+10 8, -10", "", ""},
	{"caller outside files", "@ [(nil)] + 0x55a0 0x20\n@ [0x77] + 0x66 0x1\n", "+66 1 @77", "1 other-text line 1", ""},
	{"reallocation", "@ a:[0x1] < 0x10\n@ a:[0x1] > 0x30 0x8\n", "-10 @10000000001, +30 8 @10000000001", "", ""},
	{"failed reallocation", "= Start\n@ a:[0x1] ! 0x10 0x4000000000000000\n", "", "", ""},
	{"first half only", "@ a:[0x1] < 0x10\n@ a:[0x1] + 0x20 0x8\n", "-10 @10000000001, +20 8 @10000000001",
		"1 half-realloc line 2", ""},
	{"first half at the end", "@ a:[0x1] < 0x10\n", "-10 @10000000001", "1 half-realloc line 1", ""},
	{"second half only", "@ a:[0x1] > 0x10 0x8\n", "+10 8 @10000000001", "1 half-realloc line 1", ""},
	{"free of nothing", "@ a:[0x1] - (nil)\n@ a:[0x1] - 0x0\n", "", "1 bad-number line 1", ""},
	{"two files", "@ a:[0x1] + 0x10 0x8\n@ b.so:[0x1] + 0x20 0x8\n", "+10 8 @10000000001, +20 8 @20000000001", "", ""},
	{"cut", "@ a:[0x1] + 0x10 0x8\n@ a:[0x1] + 0x2", "+10 8 @10000000001", "1 cut-line line 2", ""},
	{"cut reallocation", "@ a:[0x1] < 0x10\n@ a:[0x1] > 0x30 0x8", "-10 @10000000001",
		"1 half-realloc line 2, 1 cut-line line 2", ""},
	{"end mark without line end", "= Start\n@ a:[0x1] + 0x10 0x8\n= End", "+10 8 @10000000001", "", ""},
	{"half a line end", "@ a:[0x1] + 0x10 0x8\r\n@ a:[0x1] - 0x10\r", "+10 8 @10000000001, -10 @10000000001", "", ""},
	{"negative size", "@ a:[0x1] + 0x10 -0x10\n@ a:[0x1] - 0x1-\n", "+10 18446744073709551600 @10000000001",
		"1 bad-number line 2", ""},
	{"empty", "", "", "",
		"t: the file is empty; set MALLOC_TRACE, preload libc_malloc_debug.so.0 and let the program call mtrace()"},
	{"something else", "hello\nworld\n", "", "2 other-text line 1", "t: none of its 2 lines is of an mtrace log; set " +
		"MALLOC_TRACE, preload libc_malloc_debug.so.0 and let the program call mtrace()"},
}

var heaptrackRows = []row{
	{"made and freed", "v 10400 3\nx 4 /a/s\nX ./s 5\nt 111 0\nt 222 1\n+ 20 2 5653\n- 5653\n",
		"+5653 32 @223 @112, -5653", "", ""},
	{"no stack", "v 10400 3\n+ 20 0 5653\n", "+5653 32", "", ""},
	{"unknown stack", "v 10400 3\n+ 20 7 5653\n", "+5653 32", "1 bad-stack line 2", ""},
	{"stack of the future", "v 10400 3\nt 111 1\n+ 20 1 5653\n", "+5653 32 @112", "1 bad-stack line 2", ""},
	{"bad trace keeps the numbers", "v 10400 3\nt 111 0\nt zz 0\nt 333 1\n+ 20 3 5653\n", "+5653 32 @334 @112",
		"1 bad-number line 3", ""},
	{"not numbers", "v 10400 3\n+ 20 0 zz\n- \n+ 1 0 10\n", "+10 1", "2 bad-number line 2", ""},
	{"cut", "v 10400 3\n+ 20 0 55e3a216ec50\n+ 20 0 55e3a216", "+55e3a216ec50 32", "1 cut-line line 3", ""},
	{"negative size", "v 10400 3\n+ -1 0 10\n+ -8000000000000001 0 20\n", "+10 18446744073709551615",
		"1 bad-number line 3", ""},
	{"interpreted", "v 10400 3\nX ./s\nI 1000 5\ns 4 /a/s\n+ 0\n", "", "",
		"t:4: this is heaptrack's interpreted data, which has no addresses; record with heaptrack --raw (newer ones: " +
			"--record-only) and open that file"},
	{"empty", "", "", "", "t: the file is empty; record with heaptrack --raw"},
}

var valgrindRows = []row{
	{"made and freed", "==7== Command: ./s 5\n--7-- malloc(32) = 0x4A40040\n--7-- free(0x4A40040)\n",
		"+4a40040 32, -4a40040", "", ""},
	{"operators", "--7-- _Znwm(4) = 0x40\n--7-- _ZnamSt11align_val_t(size 128, al 64) = 0x80\n--7-- " +
		"_ZdlPvm(0x40)\n--7-- _ZdaPvSt11align_val_t(0x80)\n", "+40 4, +80 128, -40, -80", "", ""},
	{"aligned and cleared", "--7-- memalign(al 64, size 100) = 0x40\n--7-- calloc(3,7) = 0x80\n",
		"+40 100, +80 21", "", ""},
	{"reallocation", "--7-- realloc(0x40,20) = 0x80\n", "-40, +80 20", "", ""},
	{"reallocation of nothing", "--7-- realloc(0x0,10)malloc(10) = 0x40\n", "+40 10", "", ""},
	{"reallocation to nothing", "--7-- realloc(0x40,0)free(0x40)\n--7--  = 0\n", "-40", "", ""},
	{"refused", "--7-- realloc(0x40,4611686018427387904) = 0x0\n--7-- malloc(4611686018427387904) = 0x0\n--7-- " +
		"free(0x0)\n", "", "", ""},
	{"forked process", "--7-- malloc(1) = 0x40\n--8-- malloc(2) = 0x40\n--8-- free(0x40)\n--8-- realloc(0x80,3) = " +
		"0x90\n--8-- free(0x90)\n--8-- free(0x40)\n--7-- free(0x40)\n",
		"+40 1, +1000000000040 2, -1000000000040, +1000000000090 3, -1000000000090, -40", "2 inherited line 4", ""},
	{"other program", "==7== Command: a\n--7-- malloc(1) = 0x40\n==8== Command: b\n--8-- free(0x80)\n==8== Command: c " +
		"d\n--8-- malloc(2) = 0x40\n--8-- malloc(3) = 0xfffffffffffffff0\n",
		"+40 1, -1000000000080, +2000000000040 2", "1 bad-number line 7", ""},
	{"output of the program", "hello\n--7-- malloc(1) = 0x40\n--7-- REDIR: 0x1 (libc.so.6:malloc)\n", "+40 1",
		"1 other-text line 1", ""},
	{"cut", "--7-- malloc(1) = 0x40\n--7-- malloc(2", "+40 1", "1 cut-line line 2", ""},
	{"cut address", "--7-- malloc(1) = 0x40\n--7-- malloc(2) = 0x8", "+40 1", "1 cut-line line 2", ""},
	{"cut free", "--7-- malloc(1) = 0x40\n--7-- free(0x4", "+40 1", "1 cut-line line 2", ""},
	{"free without line end", "--7-- malloc(1) = 0x40\n--7-- free(0x40)", "+40 1, -40", "", ""},
	{"reallocation to nothing without line end", "--7-- malloc(1) = 0x40\n--7-- realloc(0x40,0)free(0x40)",
		"+40 1, -40", "", ""},
	{"cut reallocation", "--7-- malloc(1) = 0x40\n--7-- realloc(0x40,8)", "+40 1", "1 cut-line line 2", ""},
	{"summary without line end",
		"--7-- malloc(1) = 0x40\n==7== ERROR SUMMARY: 0 errors from 0 contexts (suppressed: 0 from 0)", "+40 1", "", ""},
	{"negative sizes", "--7-- malloc(-5) = 0x40\n--7-- calloc(2,-5) = 0x80\n--7-- calloc(4294967296,4294967296) = 0xc0\n",
		"+40 18446744073709551611, +80 9223372036854775808, +c0 9223372036854775807", "", ""},
	{"cut number", "--7-- malloc(x) = 0x40\n--7-- free(0x40)\n", "-40", "1 bad-number line 1", ""},
	{"empty", "", "", "", "t: the file is empty; run valgrind with --trace-malloc=yes"},
}

var ltraceRows = []row{
	{"made and freed",
		"[pid 7] 04:14:12.01 [0x1c2] malloc(32)   = 0x40\n[pid 7] 04:14:12.02 [0x1d2] free(0x40) = <void>\n",
		"+40 32 @1c2, -40 @1d2", "", ""},
	{"into a file", "7 04:14:12.01 [0x1c2] malloc(32)   = 0x40\n", "+40 32 @1c2", "", ""},
	{"bare", "malloc(32) = 0x40\nstrlen(\"a, b\") = 4\nfree(0x40) = <void>\n", "+40 32, -40", "", ""},
	{"with a library", "libx.so.1->malloc(32) = 0x40\nmalloc@libc.so.6(33) = 0x80\n", "+40 32, +80 33", "", ""},
	{"operators with nonsense", "_Znwm(4, 1, 0, 1) = 0x40\n_ZdlPvm(0x40, 4, 4, 0x40) = 0\n", "+40 4, -40", "", ""},
	{"reallocation", "realloc(0x40, 20) = 0x80\nrealloc(0, 8) = 0xc0\nrealloc(0xc0, 0) = 0\nrealloc(0x80, " +
		"4611686018427387904) = 0\n", "-40, +80 20, +c0 8, -c0", "", ""},
	{"cleared and aligned", "calloc(2, 3) = 0x40\naligned_alloc(64, 128, 0x1, 0) = 0x80\nmemalign(32, 40) = 0xc0\n",
		"+40 6, +80 128, +c0 40", "", ""},
	{"address kept to itself", "posix_memalign(0x7ffe, 64, 100, 309) = 0\nmalloc(1) = 0x40\n", "+40 1",
		"1 lost-address line 1", ""},
	{"interrupted",
		"[pid 7] malloc(32 <unfinished ...>\n[pid 8] malloc(16) = 0x80\n[pid 7] <... malloc resumed> ) = 0x40\n",
		"+80 16, +40 32", "", ""},
	{"end without beginning", "malloc(1) = 0x40\n[pid 7] <... malloc resumed> ) = 0x80\n", "+40 1",
		"1 unfinished-call line 2", ""},
	{"beginning without end", "malloc(1) = 0x40\n[pid 7] malloc(2 <unfinished ...>\n", "+40 1",
		"1 unfinished-call line 2", ""},
	{"cut address", "malloc(1) = 0x40\nmalloc(2) = 0x8", "+40 1", "1 cut-line line 2", ""},
	{"cut call", "malloc(1) = 0x40\n[pid 7] <... malloc resumed>", "+40 1", "1 cut-line line 2", ""},
	{"cut time", "malloc(1) = 0x40 <0.000123>\nmalloc(2) = 0x80 <0.0001", "+40 1", "1 cut-line line 2", ""},
	{"time without line end", "malloc(2) = 0x80 <0.000123>", "+80 2", "", ""},
	{"free without line end", "malloc(1) = 0x40\nfree(0x40) = <void>", "+40 1, -40", "", ""},
	{"exit without line end", "malloc(1) = 0x40\n[pid 7] +++ exited (status 0) +++", "+40 1", "", ""},
	{"exits and signals", "malloc(1) = 0x40\n+++ exited (status 0) +++\n--- SIGCHLD (Child exited) ---\n", "+40 1", "",
		""},
	{"nonsense", "malloc(1) = 0x40\nunexpected breakpoint at 0x1\nmalloc(\"a\") = 0x80\n", "+40 1",
		"1 other-text line 2, 1 bad-number line 3", ""},
	{"empty", "", "", "", "t: the file is empty; run ltrace -tt -f -i -o FILE PROGRAM"},
}

func TestRows(t *testing.T) {
	for _, f := range []struct {
		open func(io.Reader, string) traceio.Source
		rows []row
	}{{NewMtrace, mtraceRows}, {NewHeaptrack, heaptrackRows}, {NewValgrind, valgrindRows}, {NewLtrace, ltraceRows}} {
		for _, r := range f.rows {
			src := f.open(strings.NewReader(r.text), "t")
			allocs, err := read(t, src)
			got, told := show(allocs, src.Program()), ""
			if err != nil {
				told = err.Error()
			}
			if got != r.want || lost(src) != r.loss || told != r.err {
				t.Errorf("%s:\n%s\ngot  %q lost %q error %q\nwant %q lost %q error %q", r.name, r.text, got, lost(src), told,
					r.want, r.loss, r.err)
			}
		}
	}
}

// TestProcesses tells the processes of a log, and none where there is one.
func TestProcesses(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"==7== Command: a b\n--7-- malloc(1) = 0x40\n", "[]"},
		{"==7== Command: a b\n--7-- malloc(1) = 0x40\n--8-- malloc(1) = 0x40\n==8== Command: c\n--8-- malloc(1) = 0x40\n",
			"[{7 [a b]} {8 []} {8 [c]}]"},
	} {
		src := NewValgrind(strings.NewReader(row.text), "t")
		allocs, err := read(t, src)
		if got := fmt.Sprint(src.Program().Processes); err != nil || got != row.want ||
			fmt.Sprint(src.Program().Command) != "[a b]" {
			t.Errorf("%q: %v of %v, want %v; %v", row.text, got, src.Program().Command, row.want, err)
		}
		for i, a := range allocs {
			if k, own := a.Addr.Process(); k != i || int(a.Thread) != i || own != 0x40 {
				t.Errorf("%q: event %d is of process %d, thread %d, at %v", row.text, i, k, a.Thread, own)
			}
		}
	}
}

// TestTicks reads the clocks of the formats that have one.
func TestTicks(t *testing.T) {
	for _, row := range []struct {
		text string
		open func(io.Reader, string) traceio.Source
		want []traceio.Ticks
	}{
		{"v 10400 3\n+ 1 0 10\nc a\n- 10\nc 3\n+ 2 0 10\n", NewHeaptrack, []traceio.Ticks{0, 10e6, 3e6}},
		{"1 23:59:59.5 malloc(1) = 0x40\n1 23:59:59.75 malloc(1) = 0x50\n1 00:00:01.000001 free(0x40) = <void>\n", NewLtrace,
			[]traceio.Ticks{0, 250e6, 1500001e3}},
		// a log that goes back
		{"1 10:00:01 malloc(1) = 0x40\n1 10:00:02 malloc(1) = 0x50\n1 10:00:01.5 free(0x50) = <void>\n1 09:59:59 " +
			"free(0x40) = <void>\n", NewLtrace, []traceio.Ticks{0, 1e9, 5e8, 0}},
	} {
		src := row.open(strings.NewReader(row.text), "t")
		allocs, err := read(t, src)
		if err != nil || len(allocs) != len(row.want) || !src.Program().Ticking {
			t.Fatalf("%q: %v, %d events", row.text, err, len(allocs))
		}
		for i, a := range allocs {
			if a.Ticks != row.want[i] {
				t.Errorf("%q: event %d is at %d ns, want %d", row.text, i, a.Ticks, row.want[i])
			}
		}
	}
}

// TestLatencies reads how long calls took.
func TestLatencies(t *testing.T) {
	src := NewLtrace(strings.NewReader("malloc(32) = 0x40 <0.000123>\nrealloc(0x40, 64) = 0x80 <1.000001>\nfree(0x80) = "+
		"<void> <0.000009>\nmalloc(1) = 0x40 <x>\nmalloc(1) = 0x50\n"), "t")
	allocs, err := read(t, src)
	if err != nil {
		t.Fatal(err)
	}
	var got []traceio.Ticks
	for _, a := range allocs {
		got = append(got, a.Latency)
	}
	if want := []traceio.Ticks{123e3, 0, 1000001e3, 9e3, 0}; !slices.Equal(got, want) ||
		lost(src) != "1 bad-number line 4" {
		t.Errorf("calls took %v, want %v; lost %s", got, want, lost(src))
	}
}

// TestDetect keeps the formats apart, and other texts out.
func TestDetect(t *testing.T) {
	for name, rows := range map[string][]row{"mtrace": mtraceRows, "heaptrack": heaptrackRows, "valgrind": valgrindRows,
		"ltrace": ltraceRows} {
		_, got := Detect(strings.NewReader(rows[0].text), []byte(rows[0].text), "t")
		if got != name {
			t.Errorf("a log of %s is taken for %q", name, got)
		}
	}
	for _, text := range []string{"", "hello\n", "v\n", "= \n", "==7== Memcheck, a memory error detector\n", "malloc\n",
		"open(\"x\", 0) = 3\n", " L 1fff000688,8\n", "@ 0x1\n", "void *malloc(size_t);\n"} {
		if _, got := Detect(strings.NewReader(text), []byte(text), "t"); got != "" {
			t.Errorf("%q is taken for %s", text, got)
		}
	}
}

// TestLongLines keeps memory in bounds and what stands around them.
func TestLongLines(t *testing.T) {
	long := strings.Repeat("x", 3*maxLine)
	src := NewLtrace(strings.NewReader("malloc(1) = 0x40\n"+long+"\nmalloc(2) = 0x80\n"+long), "t")
	allocs, err := read(t, src)
	if got := show(allocs, src.Program()); err != nil || got != "+40 1, +80 2" || lost(src) != "2 long-line line 2" {
		t.Errorf("got %s, lost %s, %v", got, lost(src), err)
	}
}

// FuzzLogs gives any text to all four readers.
func FuzzLogs(f *testing.F) {
	for _, rows := range [][]row{mtraceRows, heaptrackRows, valgrindRows, ltraceRows} {
		for _, r := range rows {
			f.Add([]byte(r.text))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, format := range formats {
			format.sniff(text)
			src := format.open(strings.NewReader(string(text)), "t")
			allocs, err := read(t, src)
			if err != nil && err.Error() == "" {
				t.Error("an error without words")
			}
			if len(allocs) > 2*(strings.Count(string(text), "\n")+1) {
				t.Errorf("%d events", len(allocs))
			}
			frames := 0
			for _, a := range allocs {
				if int(a.Stack) >= len(src.Program().Stacks) || a.Addr == 0 {
					t.Fatalf("event %+v with %d stacks", a, len(src.Program().Stacks))
				}
			}
			for _, s := range src.Program().Stacks {
				frames += len(s)
			}
			if frames > mostFrames*(len(text)+1) {
				t.Errorf("%d frames from %d bytes", frames, len(text))
			}
			src.Loss()
		}
	})
}

// BenchmarkHeaptrack reads heaptrack's raw data.
func BenchmarkHeaptrack(b *testing.B) {
	var text strings.Builder
	text.WriteString("v 10400 3\nt 55e369091233 0\nt 55e369091311 1\n")
	for i := range 100000 {
		fmt.Fprintf(&text, "+ %x 2 %x\n", i%500, 0x55e369090000+16*(i%5000))
		if i >= 1000 {
			fmt.Fprintf(&text, "- %x\n", 0x55e369090000+16*((i-1000)%5000))
		}
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		src := NewHeaptrack(strings.NewReader(text.String()), "t")
		var block traceio.Block
		for src.Next(&block) == nil {
		}
	}
}

package heaplog

import (
	"errors"
	"fmt"
	"io"
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
	{"made and freed", "= Start\n@ ./gone:[0x1c2] + 0x55a0 0x20\n@ ./gone:[0x299] - 0x55a0\n= End\n", "+55a0 32 @100000001c2, -55a0 @10000000299", "", ""},
	{"function named", "@ ./gone:(push+0x19)[0x1c2] + 0x55a0 0x20\n", "+55a0 32 @100000001c2", "", ""},
	{"no caller", "+ 0x10 0x8\n- 0x10\n", "+10 8, -10", "", ""},
	{"caller outside files", "@ [(nil)] + 0x55a0 0x20\n@ [0x77] + 0x66 0x1\n", "+66 1 @77", "1 other-text line 1", ""},
	{"reallocation", "@ a:[0x1] < 0x10\n@ a:[0x1] > 0x30 0x8\n", "-10 @10000000001, +30 8 @10000000001", "", ""},
	{"failed reallocation", "= Start\n@ a:[0x1] ! 0x10 0x4000000000000000\n", "", "", ""},
	{"first half only", "@ a:[0x1] < 0x10\n@ a:[0x1] + 0x20 0x8\n", "-10 @10000000001, +20 8 @10000000001", "1 half-realloc line 2", ""},
	{"first half at the end", "@ a:[0x1] < 0x10\n", "-10 @10000000001", "1 half-realloc line 1", ""},
	{"second half only", "@ a:[0x1] > 0x10 0x8\n", "+10 8 @10000000001", "1 half-realloc line 1", ""},
	{"free of nothing", "@ a:[0x1] - (nil)\n@ a:[0x1] - 0x0\n", "", "1 bad-number line 1", ""},
	{"two files", "@ a:[0x1] + 0x10 0x8\n@ b.so:[0x1] + 0x20 0x8\n", "+10 8 @10000000001, +20 8 @20000000001", "", ""},
	{"cut", "@ a:[0x1] + 0x10 0x8\n@ a:[0x1] + 0x2", "+10 8 @10000000001", "1 bad-number line 2", ""},
	{"empty", "", "", "", "t: the file is empty; set MALLOC_TRACE, preload libc_malloc_debug.so.0 and let the program call mtrace()"},
	{"something else", "hello\nworld\n", "", "2 other-text line 1", "t: none of its 2 lines is of an mtrace log; set MALLOC_TRACE, preload libc_malloc_debug.so.0 and let the program call mtrace()"},
}

var heaptrackRows = []row{
	{"made and freed", "v 10400 3\nx e /tmp/preload/s\nX ./s 5\nt 111 0\nt 222 1\n+ 20 2 5653\n- 5653\n", "+5653 32 @223 @112, -5653", "", ""},
	{"no stack", "v 10400 3\n+ 20 0 5653\n", "+5653 32", "", ""},
	{"unknown stack", "v 10400 3\n+ 20 7 5653\n", "+5653 32", "1 bad-stack line 2", ""},
	{"stack of the future", "v 10400 3\nt 111 1\n+ 20 1 5653\n", "+5653 32 @112", "1 bad-stack line 2", ""},
	{"bad trace keeps the numbers", "v 10400 3\nt 111 0\nt zz 0\nt 333 1\n+ 20 3 5653\n", "+5653 32 @334 @112", "1 bad-number line 3", ""},
	{"not numbers", "v 10400 3\n+ 20 0 zz\n- \n+ 1 0 10\n", "+10 1", "2 bad-number line 2", ""},
	{"interpreted", "v 10400 3\nX ./s\nI 1000 5\ns e /tmp/preload/s\n+ 0\n", "", "",
		"t:4: this is heaptrack's interpreted data, which has no addresses; record with heaptrack --raw (newer ones: --record-only) and open that file"},
	{"empty", "", "", "", "t: the file is empty; record with heaptrack --raw"},
}

func TestRows(t *testing.T) {
	for _, f := range []struct {
		open func(io.Reader, string) traceio.Source
		rows []row
	}{{NewMtrace, mtraceRows}, {NewHeaptrack, heaptrackRows}} {
		for _, r := range f.rows {
			src := f.open(strings.NewReader(r.text), "t")
			allocs, err := read(t, src)
			got, told := show(allocs, src.Program()), ""
			if err != nil {
				told = err.Error()
			}
			if got != r.want || lost(src) != r.loss || told != r.err {
				t.Errorf("%s:\n%s\ngot  %q lost %q error %q\nwant %q lost %q error %q", r.name, r.text, got, lost(src), told, r.want, r.loss, r.err)
			}
		}
	}
}

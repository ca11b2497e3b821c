package session

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/traceio/orr"
	"orrery/traceio/orr/orrtest"
	"orrery/views/heapmap"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/table"
)

// faulty is a log with errors of five kinds.
const faulty = `= Start
@ ./l:(push+0x19)[0x11] + 0x1000 0x40
@ ./l:(push+0x19)[0x11] + 0x1100 0x40
@ ./l:(drop+0x9)[0x21] - 0x1000
@ ./l:[0x299] - 0x1000
@ ./l:[0x29a] - 0x9999
@ ./l:[0x29b] + 0x3000 0x1000000000000000
@ ./l:[0x29b] + 0xfffffffffffffff0 0x20
@ ./l:[0x29b] + 0x5000 0xfffffffffffffff0
= End
`

func loadLog(t *testing.T, text string) *Recording {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log.mtrace")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return open(t, path)
}

// inWords is what a thing is explained as, a section a line.
func inWords(r *Recording, thing link.Thing, usage *heap.Usage, at traceio.Seq) string {
	var out []string
	for _, s := range r.Explain(palette.Dark(), thing, nil, usage, at, nil) {
		out = append(out, s.Title+": "+strings.Join(s.Lines, " | "))
	}
	return strings.ReplaceAll(strings.Join(out, "\n"), "\u00a0", " ")
}

// TestErrorsAreExplained: at an event and of a selected error alike it is told what the erroneous event did, what is
// wrong with it and where in the program it comes from; of an error, the block concerned too.
func TestErrorsAreExplained(t *testing.T) {
	r := loadLog(t, faulty)
	const huge = "1 152 921 504 606 846 976 bytes"
	want := []struct{ event, block string }{
		{"Event 3: frees 0x1000 | in error, double-free: freed a second time | l+0x299", "Block #0: 64 bytes asked for, 72 " +
			"usable, at 0x1000 | allocated in push at event 0 | freed in drop at event 2"},
		{"Event 4: frees 0x9999 | in error, unknown-free: freed, but never allocated | l+0x29a", ""},
		{"Event 5: allocates 1048576 TiB at 0x3000 | in error, huge-block: " + huge +
			", more than all memory; the block counts with none | l+0x29b",
			"Block #2: " + huge + " asked for at 0x3000, more than all memory; the block counts with none | allocated in " +
				"l+0x29b at event 5 | never freed"},
		{"Event 6: allocates 32 B at 0xfffffffffffffff0 | in error, huge-block: 32 bytes, which would reach beyond the " +
			"last address; the block counts with none | l+0x29b",
			"Block #3: 32 bytes asked for at 0xfffffffffffffff0, which would reach beyond the last address; the block counts " +
				"with none | allocated in l+0x29b at event 6 | never freed"},
		{"Event 7: allocates −16 bytes at 0x5000 | in error, negative-size: −16 bytes, less than nothing; the block counts " +
			"with none | l+0x29b",
			"Block #4: −16 bytes asked for at 0x5000, less than nothing; the block counts with none | allocated in l+0x29b at " +
				"event 7 | never freed"},
	}
	if len(r.Heap.Errors) != len(want) {
		t.Fatalf("errors %+v", r.Heap.Errors)
	}
	for i, row := range want {
		e := &r.Heap.Errors[i]
		if got := inWords(r, link.Thing{}, nil, e.Seq); got != row.event {
			t.Errorf("at event %d\n got  %s\n want %s", e.Event, got, row.event)
		}
		all := row.event
		if row.block != "" {
			all += "\n" + row.block
		}
		if got := inWords(r, heapmap.ErrorThing(r.Heap, i), nil, 0); got != all {
			t.Errorf("error %d\n got  %s\n want %s", i, got, all)
		}
	}
	for _, row := range []struct {
		event traceio.Alloc
		want  string
	}{{traceio.Alloc{Size: 16}, "asks for 16 bytes and gets none"}, {traceio.Alloc{Addr: ^traceio.Addr(0), Size: 1},
		"asks for 1 byte and gets none"}, {traceio.Alloc{Op: traceio.Free}, "frees nothing: the pointer is null"}} {
		if got := eventText(&row.event, row.event.Addr); got != row.want {
			t.Errorf("%+v is told as %q, want %q", row.event, got, row.want)
		}
	}
	for i := range r.Heap.Sites {
		got, want := inWords(r, link.Thing{What: link.Region, Name: "heap@" + r.Heap.Sites[i].Name()}, nil, 0),
			"3 blocks of an impossible size counted with no bytes"
		if strings.Contains(got, want) != (r.Heap.Sites[i].Name() == "l+0x29b") {
			t.Errorf("the site is explained as %s", got)
		}
	}
}

// TestErrorsHaveCode: the source that goes with an error is the line that called the allocator in error, not the one
// that made the block.
func TestErrorsHaveCode(t *testing.T) {
	path := orrtest.File(t, func(w *orr.Writer) (*traceio.Program, error) {
		free := func(stack traceio.StackID, at traceio.Addr) traceio.Alloc {
			return traceio.Alloc{Op: traceio.Free, Addr: at, Stack: stack}
		}
		prog := &traceio.Program{Stacks: [][]traceio.Addr{nil, {0x401001}, {0x402001}}, Sites: []traceio.Site{
			{PC: 0x401000, Frames: []traceio.Frame{{Function: "make", File: "/home/u/bad.c", Line: 2}}},
			{PC: 0x402000, Frames: []traceio.Frame{{Function: "drop", File: "/home/u/bad.c", Line: 7}}}}}
		return prog, w.WriteBlock(&traceio.Block{Allocs: []traceio.Alloc{{Addr: 0x1000, Size: 24, Stack: 1}, free(1, 0x1000),
			free(2, 0x1000), free(2, 0x9000), free(0, 0x1000)}})
	})
	r := open(t, path)
	line := func(n int) link.Thing { return link.Thing{What: link.Line, File: "/home/u/bad.c", Line: n} }
	unknown := heapmap.ErrorThing(r.Heap, 2)
	for thing, want := range map[link.Thing]link.Thing{heapmap.BlockThing(r.Heap, 0): line(2),
		heapmap.ErrorThing(r.Heap, 0): line(7), heapmap.ErrorThing(r.Heap, 1): line(7), unknown: unknown} {
		if got := r.CodeOf(thing); got != want {
			t.Errorf("the code of %+v is %+v, want %+v", thing, got, want)
		}
	}
}

// TestErrorsAreTabled: the table tells of each error where in the program it comes from, in the file that is written of
// it too, and each row is a thing of its own.
func TestErrorsAreTabled(t *testing.T) {
	r := loadLog(t, faulty)
	s := r.AllocationTable(palette.Dark(), Allocating{Heap: r.Heap, Unit: r.TimeUnit()}, "errors")
	things := map[link.Thing]bool{}
	for i, want := range []string{"double-free of 0x1000 in l+0x299 (freed a second time)",
		"unknown-free of 0x9999 in l+0x29a (freed, but never allocated)"} {
		if got := s.Rows[i].Name + " (" + s.Rows[i].Note + ")"; got != want {
			t.Errorf("row %d is %q, want %q", i, got, want)
		}
	}
	for _, row := range s.Rows {
		things[row.Thing] = true
	}
	if len(things) != len(r.Heap.Errors) {
		t.Errorf("%d errors are %d things", len(r.Heap.Errors), len(things))
	}
	if csv := string(table.CSV(s)); !strings.Contains(csv, "\nhuge-block of 0xfffffffffffffff0 in l+0x29b,6,6,32,") {
		t.Errorf("the file is\n%s", csv)
	}
	dead := loadLog(t, "= Start\n@ ./l:[0x14] < 0x7777\n@ ./l:[0x14] > 0x8000 0x30\n= End\n")
	if row := dead.AllocationTable(palette.Dark(), Allocating{Heap: dead.Heap}, "errors").Rows[0]; row.Name !=
		"realloc-of-freed of 0x7777 in l+0x14" || !math.IsNaN(row.Values[2]) {
		t.Errorf("what cannot be reallocated is %+v", row)
	}
	a := Allocating{Heap: r.Heap}
	if text := strings.Join(a.Told("sites"), " "); !strings.HasSuffix(text,
		" 3 calls ask for what cannot be; they count with no bytes.") {
		t.Errorf("of the sites is told %q", text)
	}
}

// TestUntouchedBytesAreExplained: the explanation of a block says as its tooltip how many of its bytes no reference
// reached, and nothing while nobody knows.
func TestUntouchedBytesAreExplained(t *testing.T) {
	r := open(t, shipped+"list.orr")
	usage, err := heap.Observe(context.Background(), r.Heap, r, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := r.HeapMap(palette.Dark(), 0)
	seen := map[string]int{}
	for id := range r.Heap.Count() {
		thing, words := heapmap.BlockThing(r.Heap, id), heapmap.NeverTouched(r.Heap, usage, id)
		if words == "" || r.Use.Blocks[id].References() == 0 {
			continue
		}
		s.Usage = usage
		tip := strings.Join(heapmap.Describe(s, id), " | ")
		if with := strings.ReplaceAll(words, "\u00a0", " "); !strings.HasSuffix(inWords(r, thing, usage, 0), " | "+with) ||
			strings.Contains(inWords(r, thing, nil, 0), with) || !strings.Contains(tip, words) {
			t.Fatalf("block %d: %q is missing in\n%s\n%s", id, words, inWords(r, thing, usage, 0), tip)
		}
		seen[words]++
	}
	if len(seen) < 3 || seen["every byte touched"] == 0 {
		t.Errorf("of all blocks is told %v", seen)
	}
}

package session

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orrery/traceio"
	"orrery/views/heapmap"
	"orrery/views/link"
	"orrery/views/palette"
)

// TestEventsOnly opens a log without references: its time counts events, the heap and its lane are there, and what
// stands at an event is told.
func TestEventsOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.mtrace")
	log := "= Start\n@ ./gone:(push+0x19)[0x1c2] + 0x55a0 0x20\n@ ./gone:(other+0x19)[0x2c2] + 0x66a0 0x100\n@ " +
		"./gone:[0x299] - 0x55a0\n= End\n"
	if err := os.WriteFile(path, []byte(log), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := Load(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if !r.EventsOnly() || r.Extent() != 3 || r.TimeUnit() != "events" || r.Heap.Axis.Unit() != "heap events" ||
		r.Heap.PeakTime != 1 {
		t.Errorf("events only %v, extent %d %s, peak at %d %s", r.EventsOnly(), r.Extent(), r.TimeUnit(),
			r.Heap.PeakTime, r.Heap.Axis.Unit())
	}
	theme := palette.Dark()
	lanes := r.Lanes(nil, link.Range{To: r.Extent()}, theme)
	if len(lanes) != 1 || lanes[0].Name != "heap bytes" || len(lanes[0].Values) != 3 || lanes[0].Values[1] != 288 {
		t.Errorf("lanes %+v", lanes)
	}
	for at, want := range []string{"Event 0: allocates 32 B at 0x55a0, push", "Event 1: allocates 256 B at 0x66a0, other",
		"Event 2: frees 0x55a0, gone+0x299"} {
		s := r.Explain(theme, link.Thing{}, nil, nil, traceio.Seq(at), nil)
		if len(s) != 1 || s[0].Title+": "+strings.Join(s[0].Lines, ", ") != want {
			t.Errorf("event %d is explained as %+v, want %s", at, s, want)
		}
	}
	for name, want := range map[string]string{"heap@push": "1 block with 32 B in all, 32 B at the heap's peak",
		"heap@other": "1 block with 256 B in all, 256 B at the heap's peak, 256 B in 1 block never freed"} {
		s := r.Explain(theme, link.Thing{What: link.Region, Name: name}, nil, nil, 0, nil)
		if len(s) != 1 || !strings.HasPrefix(strings.Join(s[0].Lines, ", "), want) {
			t.Errorf("%s is explained as %+v, want %s", name, s, want)
		}
	}
	if b := r.Heap.Block(0); r.Heap.Alloc(b) != 0 || r.Heap.Free(b) != 2 || b.Leaked {
		t.Errorf("block %+v", b)
	}
	if c := r.HeapMap(theme, 0).Sites; len(c) != 2 || c[0] == c[1] || c[0] == palette.Others(theme) ||
		c[1] == palette.Others(theme) {
		t.Errorf("sites are drawn in %v", c)
	}
	s := r.HeapMap(theme, 0)
	for _, by := range heapmap.Colors(s) {
		if by == heapmap.Heat || by == heapmap.Lag || by == heapmap.Drag || by == heapmap.Untouched {
			t.Errorf("colours by %s are offered without references", by)
		}
	}
	if told := strings.Join(heapmap.Describe(s, 0), ", "); strings.Contains(told, "touched") {
		t.Errorf("without references a block is said to be touched or not: %s", told)
	}
}

// TestUnknownLines opens a recording of compiled code that tells no lines: what is said of it names no line either.
func TestUnknownLines(t *testing.T) {
	r, err := Load(context.Background(), "../../testdata/graphs/jslist.orr", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	s := r.Explain(palette.Dark(), link.Thing{What: link.Line}, nil, nil, 0, nil)
	if len(s) != 1 || s[0].Title != "Code of unknown lines" || len(s[0].Lines) != 1 ||
		!strings.Contains(s[0].Lines[0], "loads") {
		t.Errorf("unknown lines are explained as %+v", s)
	}
}

package heapmap

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// What is said in and around a map of one bin is what is so of the bin's blocks: the twin looks at each of them.
func TestBinAloneSpeaksOfItself(t *testing.T) {
	h := story(t)
	size := scene.Size{W: 1000, H: 400, Scale: 1}
	for bin := range h.Bins {
		b := &h.Bins[bin]
		for _, at := range []heap.Time{0, 700, b.PeakAt, 5000, h.Axis.End - 1} {
			s := State{Theme: palette.Dark(), Heap: h, Bin: bin + 1, Cursor: at}
			var r Renderer
			text := writing(r.Scene(s, size))
			blocks, sites, all := 0, map[int32]uint64{}, uint64(0)
			var bytes, waste uint64
			for id := range h.Count() {
				x := h.Block(id)
				if h.Bin(id) != bin {
					continue
				}
				sites[h.SiteOf(id)]++
				all++
				if x.From <= at && x.To > at {
					blocks, bytes, waste = blocks+1, bytes+x.Size, waste+x.Waste()
				}
			}
			want := fmt.Sprintf("%s in %s   fragmentation ", words.Bytes(bytes), words.Plural(uint64(blocks), "block"))
			if share := fmt.Sprintf("waste %.1f %%", 100*float64(waste)/float64(max(1, bytes+waste))); !strings.Contains(text,
				want) || !strings.Contains(text, share) {
				t.Errorf("bin %s at %d: it says %q, want %q and %q", b.Name, at, text, want, share)
			}
			l := newLayout(&s, size)
			over := r.Hit(s, size, scene.Point{X: l.x(float64(at) + 0.01), Y: l.bar.Center().Y})
			if want := fmt.Sprintf("of the peak, %s", words.Bytes(b.PeakBytes)); len(over.Lines) != 3 ||
				!strings.Contains(over.Lines[1], want) {
				t.Errorf("bin %s at %d: the bar says %q, want %q", b.Name, at, over.Lines, want)
			}
			strip := strings.Join(r.Hit(s, size, l.context.Center()).Lines, "|")
			if want := fmt.Sprintf("all blocks of bin %s|%s at %s", b.Name, words.Plural(all, "block"),
				words.Plural(uint64(len(sites)), "site")); strip != want {
				t.Errorf("the strip says %q, want %q", strip, want)
			}
			entries, sum := r.Legend(s), uint64(0)
			for i := range entries {
				sum += entries[i].Blocks
			}
			if sum != b.Blocks {
				t.Errorf("bin %s: the legend has %d blocks, want %d", b.Name, sum, b.Blocks)
			}
			placed, _ := chips(&l, entries)
			for _, c := range placed {
				e := &entries[c.entry]
				told := r.Hit(s, size, c.box.Center()).Lines
				if e.Blocks == 0 || len(told) != 3 || told[1] != words.Plural(e.Blocks, "block")+", "+words.Bytes(e.Bytes) {
					t.Errorf("bin %s: entry %+v says %q", b.Name, e, told)
				}
			}
		}
	}
}

// Until a bin's numbers are there none are said, and then its own.
func TestBinAloneLater(t *testing.T) {
	h := story(t)
	size := scene.Size{W: 1000, H: 400, Scale: 1}
	s := State{Theme: palette.Dark(), Heap: h, Bin: 1, NoCursor: true}
	want := writing(Scene(s, size))
	r := Renderer{Later: true}
	r.Scene(s, size)
	for range 5 { // the classes come before what is counted of them
		if text := writing(r.Scene(s, size)); strings.Contains(text, " in ") && text != want {
			t.Fatalf("while it is being made it says\n%s, want\n%s", text, want)
		}
		if err := r.Work(t.Context(), time.Second); err != nil {
			t.Fatal(err)
		}
	}
	if text := writing(r.Scene(s, size)); text != want || r.Lacks() {
		t.Errorf("at last it says\n%s, want\n%s", text, want)
	}
	if s.Bin = 2; r.History(s).Of(h, 0) || r.totals(&s) != nil {
		t.Error("bin 2 has the numbers of bin 1")
	}
}

// Where none of a bin's blocks is to be seen, that is said of its blocks; errors are those of its blocks.
func TestBinAloneAbsent(t *testing.T) {
	var log []traceio.Alloc
	for i := range 10 {
		log = append(log, traceio.Alloc{Seq: traceio.Seq(i), Addr: traceio.Addr(0x1000 + 64*i), Size: 20, Stack: 1})
	}
	log = append(log, traceio.Alloc{Seq: 600, Addr: 0x8000, Size: 100, Stack: 2},
		traceio.Alloc{Seq: 650, Addr: 0x8000, Op: traceio.Free},
		traceio.Alloc{Seq: 660, Addr: 0x8000, Op: traceio.Free}, traceio.Alloc{Seq: 900, Addr: 0x9000, Size: 100, Stack: 2})
	h := build(t, log, 1000)
	large := slices.IndexFunc(h.Bins, func(b heap.Bin) bool { return b.Name == "104 B" }) + 1
	for name, row := range map[string]struct {
		bin      int
		from, to heap.Time
		want     string
	}{
		"before": {large, 100, 200,
			"|No block of bin 104 B is allocated here yet: the first comes at 600 references, to the right.|"},
		"between": {large, 700, 800,
			"|No block of bin 104 B is live here: the next one comes at 900 references, to the right.|"},
		"all":         {0, 100, 200, ""},
		"its errors":  {large, 0, 0, "|1 error in the log|"},
		"none of its": {1, 0, 0, ""},
	} {
		text := writing(Scene(State{Theme: palette.Dark(), Heap: h, Bin: row.bin, From: row.from, To: row.to},
			scene.Size{W: 1000, H: 400, Scale: 1}))
		if !strings.Contains(text, row.want) || row.want == "" && (strings.Contains(text, "error") != (row.bin == 0) ||
			strings.Contains(text, "No block")) {
			t.Errorf("%s: it says %q, want %q", name, text, row.want)
		}
	}
}

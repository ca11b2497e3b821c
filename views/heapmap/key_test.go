package heapmap

import (
	"strings"
	"testing"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// wrong is a heap with an error at a block, and one where nothing was ever allocated.
func wrong(t *testing.T, stray bool) *heap.Heap {
	log := []traceio.Alloc{{Seq: 10, Addr: 0x1000, Size: 900, Stack: 1}, {Seq: 60, Addr: 0x1000, Op: traceio.Free}}
	if stray {
		return build(t, append(log, traceio.Alloc{Seq: 70, Addr: 0x900000, Op: traceio.Free}), 100)
	}
	return build(t, append(log, traceio.Alloc{Seq: 70, Addr: 0x1000, Op: traceio.Free}), 100)
}

// Each mark of an error that the map has is explained below it, with its number; a map without errors says nothing of
// them.
func TestErrorsAreExplained(t *testing.T) {
	size := scene.Size{W: 1000, H: 400, Scale: 1}
	both := build(t, []traceio.Alloc{{Seq: 10, Addr: 0x1000, Size: 900, Stack: 1}, {Seq: 60, Addr: 0x1000,
		Op: traceio.Free}, {Seq: 70, Addr: 0x1000, Op: traceio.Free}, {Seq: 75, Addr: 0x900000, Op: traceio.Free},
		{Seq: 80, Addr: 0x1000, Op: traceio.Free}}, 100)
	for name, row := range map[string]struct {
		h    *heap.Heap
		want string
	}{
		"dot":  {wrong(t, false), "|1 error in the log|"},
		"ring": {wrong(t, true), "|1 error where nothing was allocated|"},
		"both": {both, "|2 errors in the log|1 where nothing was allocated|"},
		"none": {story(t), ""},
	} {
		text := writing(Scene(State{Theme: palette.Dark(), Heap: row.h, NoCursor: true}, size))
		if !strings.Contains(text, row.want) || row.want == "" && strings.Contains(text, "error") {
			t.Errorf("%s: it says %q", name, text)
		}
	}
}

// What stands below the map neither overlaps nor leaves the plot, and the bar's colours are told where all numbers keep
// their room.
func TestFooterFits(t *testing.T) {
	told := 0
	for _, h := range []*heap.Heap{story(t), wrong(t, false), wrong(t, true)} {
		for w := 330.0; w < 1200; w += 13 {
			s := State{Theme: palette.Light(), Heap: h, Cursor: 3000}
			size := scene.Size{W: w, H: 300, Scale: 1}
			l := newLayout(&s, size)
			var d scene.Drawing
			new(Renderer).drawFooter(&d, &s, &l)
			at := l.plot.Min.X - 0.01
			for _, x := range d.Shapes {
				x, ok := x.(scene.Text)
				if !ok {
					continue
				}
				wide := scene.Measure(x.Face, x.Size, x.S)
				if strings.HasPrefix(x.S, "occupancy 0") {
					told++
				}
				if x.Max > 0 && wide > x.Max {
					wide = x.Max
				}
				from := x.At.X - x.Align*wide
				if from < at || from+wide > l.plot.Max.X+0.01 {
					t.Fatalf("in %g units %q is from %g to %g, what is before ends at %g, the plot at %g", w, x.S, from, from+wide,
						at, l.plot.Max.X)
				}
				at = from + wide
			}
		}
	}
	if told < 50 {
		t.Errorf("the colours are told %d times", told)
	}
	s := State{Theme: palette.Dark(), Heap: story(t), Peak: 1 << 30}
	if text := writing(Scene(s, scene.Size{W: 1200, H: 400, Scale: 1})); !strings.Contains(text,
		"|occupancy 0|1 GiB, peak 1.1 MiB at 6 311 here|") {
		t.Errorf("beside a run of 1 GiB it says %q", text)
	}
}

// Pages of bins say what their bars mean, and a bin's bar tells how full it is.
func TestGridKeys(t *testing.T) {
	h := story(t)
	size := scene.Size{W: 900, H: 500, Scale: 1}
	for _, page := range []Page{AddressPage, TimePage, BarsPage} {
		s := State{Theme: palette.Dark(), Heap: h, Page: page, Cursor: 2000}
		text := writing(Scene(s, size))
		if !strings.Contains(text, "|in use at the cursor|free, of the bin's peak") ||
			strings.Contains(text, "|below each: 0|its peak") != (page == AddressPage) {
			t.Errorf("%s: it says %q", page, text)
		}
		cells, _, _ := grid(&s, size)
		x := &cells[1]
		b := &h.Bins[x.bin]
		live := uint64(0)
		for id, k := range blocksOf(h) {
			if k.From <= s.Cursor && k.To > s.Cursor && h.Bin(id) == x.bin {
				live += k.Size
			}
		}
		told := hitAt(s, size, x.full.Center()).Lines
		if want := "bin " + b.Name + ": " + words.Bytes(live) + " in use at the cursor, "; live == 0 || len(told) < 4 ||
			!strings.HasPrefix(told[0], want) || told[1] != words.Bytes(b.PeakBytes-live)+" of the peak are free" {
			t.Errorf("%s: the bar of a bin with %d bytes of %d tells %q", page, live, b.PeakBytes, told)
		}
		s.NoCursor = true
		if text := writing(Scene(s, size)); !strings.Contains(text, "|in use at the heap's peak|") {
			t.Errorf("%s: without a cursor it says %q", page, text)
		}
	}
	if text := writing(Scene(State{Theme: palette.Dark(), Heap: wrong(t, false), Page: AddressPage},
		size)); !strings.Contains(text, "|1 error in the log") {
		t.Errorf("an error among the bins is not explained: %q", text)
	}
	if text := writing(Scene(State{Theme: palette.Dark(), Heap: wrong(t, true), Page: AddressPage},
		size)); strings.Contains(text, "error") {
		t.Errorf("an error that no bin shows is explained: %q", text)
	}
}

// The number above a cell has a unit, and is shortened where that leaves room for more.
func TestCellTitles(t *testing.T) {
	b := &heap.Bin{Name: "24 B", Blocks: 85_735, PeakBytes: 156_707}
	orders := []heap.Order{{Steps: 100, Up: 54}}
	s := State{Page: AddressPage}
	for _, want := range []string{
		"24 B   85 735 blocks   54 % up   peak 153 KiB", "24 B   86 K blocks   54 % up   peak 153 KiB",
		"24 B   85 735 blocks   54 % up", "24 B   85 735 blocks", "24 B   86 K blocks", "24 B",
	} {
		room := scene.Measure(scene.Sans, 10, want) + 0.5
		if got := (&binCell{room: room}).name(&s, b, orders); got != want {
			t.Errorf("in %g units %q, want %q", room, got, want)
		}
	}
	for n, want := range map[uint64]string{0: "0", 999: "999", 1000: "1.0 K", 9949: "9.9 K", 9951: "10 K", 85_735: "86 K",
		999_499: "999 K", 999_600: "1.0 M", 12_345_678: "12 M", 5_000_000_000_000: "5000 G"} {
		if got := shortCount(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

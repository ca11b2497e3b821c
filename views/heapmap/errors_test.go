package heapmap

import (
	"strings"
	"testing"

	"orrery/analysis/heap"
	"orrery/analysis/region"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// TestErrorMarksLeadToTheirEvents: wherever a mark is pressed, right or left of its middle, it is the error's own event
// that is told, and the thing is the error.
func TestErrorMarksLeadToTheirEvents(t *testing.T) {
	free := func(a traceio.Addr) traceio.Alloc { return traceio.Alloc{Addr: a, Op: traceio.Free} }
	h := build(t, []traceio.Alloc{
		{Addr: 0x1000, Size: 0x40, Stack: 1}, {Addr: 0x1020, Size: 0x40, Stack: 2}, free(0x1000), free(0x1000), free(0x9999),
		{Addr: 0x1400, Size: 0x40}, {Addr: 0x1500, Size: 0x40}, {Addr: 0x1600, Size: 0x40},
	}, 0)
	if len(h.Errors) != 3 || h.Errors[2].Event != 4 {
		t.Fatalf("errors %+v", h.Errors)
	}
	for _, width := range []float64{300, 640, 1900} {
		s := State{Theme: palette.Dark(), Heap: h}
		size := scene.Size{W: width, H: 260, Scale: 1}
		l := newLayout(&s, size)
		for i := range h.Errors {
			e := &h.Errors[i]
			at, ok := l.errorPoint(&s, e)
			for _, dx := range []float64{-4, 0, 4} {
				got := hitAt(s, size, scene.Point{X: at.X + dx, Y: at.Y})
				if !ok || got.Seq != e.Seq || got.Time != e.At || got.Thing != ErrorThing(h, i) || ErrorOf(h, got.Thing) != i {
					t.Errorf("width %g: %g beside error %d at event %d answers %+v", width, dx, i, e.Event, got)
				}
			}
		}
	}
	for _, other := range []link.Thing{{}, BlockThing(h, 0), {What: link.Address, Low: 0x9999, High: 0x999a},
		{What: link.Region, Name: h.Errors[2].Name()}, {What: link.Block, ID: 2, Name: h.Errors[1].Name()}} {
		if i := ErrorOf(h, other); i >= 0 {
			t.Errorf("%+v is error %d", other, i)
		}
	}
}

// TestDoubtedSizesAreNamed: the tooltip of a block and that of its error say what the log asked for and that it does
// not count.
func TestDoubtedSizesAreNamed(t *testing.T) {
	s := State{Theme: palette.Dark(), Heap: build(t, []traceio.Alloc{{Addr: 0x1000}, {Addr: 0x3000, Size: 1 << 60},
		{Addr: 0x5000, Size: ^uint64(15)}, {Addr: ^traceio.Addr(15), Size: 32}}, 0)}
	for id, want := range []string{"0 B",
		"1 152 921 504 606 846 976 bytes, more than all memory; the block counts with none",
		"−16 bytes, less than nothing; the block counts with none",
		"32 bytes, which would reach beyond the last address; the block counts with none"} {
		tip := strings.ReplaceAll(Describe(s, id)[0], "\u00a0", " ")
		if !strings.HasSuffix(tip, "   "+want) {
			t.Errorf("block %d is described as %q, want %q", id, tip, want)
		}
		if id == 0 {
			continue
		}
		lines := DescribeError(s, id-1)
		if told := strings.ReplaceAll(strings.Join(lines, "|"), "\u00a0", " "); !strings.Contains(told, "allocated with "+
			want) || strings.Contains(told, "nothing was ever allocated") {
			t.Errorf("its error is described as %q", told)
		}
	}
}

// TestNeverTouched: what is known of a block's bytes is told whatever the map's colours show, and nothing while it is
// not known.
func TestNeverTouched(t *testing.T) {
	h := build(t, []traceio.Alloc{{Addr: 0x1000, Size: 100}, {Seq: 1, Addr: 0x2000, Size: 100}, {Seq: 2, Addr: 0x3000}}, 9)
	s := State{Theme: palette.Dark(), Heap: h, Use: []region.BlockUse{{Use: region.Use{Loads: 1}, First: 2, Last: 2},
		{Use: region.Use{Stores: 1}, First: 3, Last: 3}, {}}}
	usage := &heap.Usage{Blocks: []heap.Use{{Touched: 100}, {Touched: 60}, {}}}
	for id, want := range []string{"every byte touched", "no recorded reference to 40 B", ""} {
		for _, s.Usage = range []*heap.Usage{nil, usage} {
			if s.Usage == nil && NeverTouched(h, s.Usage, id) != "" || s.Usage != nil && NeverTouched(h, s.Usage, id) != want {
				t.Errorf("of block %d is told %q", id, NeverTouched(h, s.Usage, id))
			}
			if told := strings.Join(Describe(s, id), "|"); want != "" && strings.Contains(told, want) != (s.Usage != nil) {
				t.Errorf("block %d with usage %v is described as %q", id, s.Usage, told)
			}
		}
	}
}

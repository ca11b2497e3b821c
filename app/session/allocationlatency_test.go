package session

import (
	"context"
	"strings"
	"testing"

	"orrery/analysis/heap"
	"orrery/analysis/region"
	"orrery/traceio"
	"orrery/views/palette"
)

// TestResponseTimes: of ten allocations nine take 100 ns and one 5000 ns, their frees 40 ns. The third block is freed
// before one that makes the peak, so that the peak has a hole.
func TestResponseTimes(t *testing.T) {
	var log []traceio.Alloc
	event := func(op traceio.AllocOp, at int, ns traceio.Ticks) {
		log = append(log, traceio.Alloc{Seq: traceio.Seq(len(log)), Op: op, Addr: traceio.Addr(0x1000 + 0x40*at), Size: 0x30,
			Usable: 0x38, Latency: ns})
	}
	for i := range 9 {
		event(traceio.Malloc, i, 100)
	}
	event(traceio.Free, 2, 40)
	log = append(log, traceio.Alloc{Seq: 10, Addr: 0x2000, Size: 0x100, Usable: 0x108, Latency: 5000})
	for i := 3; i < 9; i++ {
		event(traceio.Free, i, 40)
	}
	h, err := heap.Analyze(context.Background(), log, traceio.Seq(len(log)), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, a := &Recording{Heap: h, Regions: new(region.Map)}, Allocating{Heap: h}
	s := r.AllocationTable(palette.Dark(), a, "latency")
	var got []string
	for _, row := range s.Rows[:2] {
		got = append(got, row.Name+": "+row.Note)
	}
	want := "allocations, all bins: 32 ns ·█·····▁ 8 µs; frees, all bins: 32 ns █······· 8 µs"
	if strings.Join(got, "; ") != want {
		t.Errorf("drawn\n%s, want\n%s", strings.Join(got, "; "), want)
	}
	if v := s.Rows[0].Values; v[0] != 10 || v[1] > 128 || v[3] != 5000 || v[4] != 5000 || v[5] != 5900 {
		t.Errorf("ten allocations have %v", v)
	}
	if told, want := strings.Join(a.Told("latency"), " "), "Half of 10 allocations take at most 112 ns, 99 % at most 5 "+
		"µs; the slowest takes 5 µs. Half of 7 frees take at most 40 ns, 99 % at most 40 ns; the slowest takes 40 "+
		"ns."; told != want {
		t.Errorf("told\n%s, want\n%s", told, want)
	}
	holes := r.AllocationTable(palette.Dark(), a, "holes")
	if len(holes.Rows) == 0 || !strings.HasPrefix(holes.Rows[len(holes.Rows)-1].Name, "0x1078 to 0x10c0") {
		t.Errorf("holes are %+v", holes.Rows)
	}
}

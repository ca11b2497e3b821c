package orr

import (
	"bytes"
	"slices"
	"testing"

	"orrery/traceio"
)

// TestLatencies keeps the allocator's answering times, in blocks where all, some or none of the events have one.
func TestLatencies(t *testing.T) {
	var file bytes.Buffer
	w, err := Create(&file, nil)
	if err != nil {
		t.Fatal(err)
	}
	blocks := make([]traceio.Block, 3)
	for i := range blocks {
		for k := range 50 {
			a := traceio.Alloc{Ticks: traceio.Ticks(k), Addr: traceio.Addr(16 * k), Size: 8}
			if i == 2 || i == 1 && k == 7 {
				a.Latency = traceio.Ticks(k*k*k*k) + 1
			}
			blocks[i].Allocs = append(blocks[i].Allocs, a)
		}
		if err := w.WriteBlock(&blocks[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(nil); err != nil {
		t.Fatal(err)
	}
	f, err := Open(bytes.NewReader(file.Bytes()), int64(file.Len()), "latencies")
	if err != nil {
		t.Fatal(err)
	}
	var got, want []traceio.Alloc
	for i := range f.Entries() {
		var b traceio.Block
		if err := f.Events(i, &b); err != nil {
			t.Fatal(err)
		}
		got = append(got, b.Allocs...)
	}
	for i := range blocks {
		want = append(want, blocks[i].Allocs...)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

package orr

import (
	"bytes"
	"reflect"
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

// TestEventFields: every field of an allocation and of a mark comes back, also one that is added some day.
func TestEventFields(t *testing.T) {
	var a traceio.Alloc
	for v, i := reflect.ValueOf(&a).Elem(), 0; i < v.NumField(); i++ {
		v.Field(i).SetUint(uint64(100 + i))
	}
	m := traceio.Mark{Text: "text"}
	for v, i := reflect.ValueOf(&m).Elem(), 0; i < v.NumField(); i++ {
		if f := v.Field(i); f.CanUint() {
			f.SetUint(uint64(1 + i))
		}
	}
	a.Op = traceio.Free
	b := traceio.Block{Allocs: []traceio.Alloc{a}, Marks: []traceio.Mark{m}}
	b.Append(traceio.Access{PC: 1, Addr: 2, Size: 4})
	a.Seq, m.Seq = 1, 1 // which is all that there may be in this block
	b.Allocs[0].Seq, b.Marks[0].Seq = a.Seq, m.Seq
	f, err := open(file(t, []*traceio.Block{&b}))
	if err != nil {
		t.Fatal(err)
	}
	got := readAll(t, f)[0]
	if !slices.Equal(got.Allocs, []traceio.Alloc{a}) || !slices.Equal(got.Marks, []traceio.Mark{m}) {
		t.Errorf("got %+v, %+v; want %+v, %+v", got.Allocs, got.Marks, a, m)
	}
}

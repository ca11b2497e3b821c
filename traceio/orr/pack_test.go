package orr

import (
	"bytes"
	"io"
	"testing"

	"orrery/traceio"
)

// TestPacked: blocks packed apart and in any order make the same file as those written one after the other, and a file
// may begin in their middle.
func TestPacked(t *testing.T) {
	blocks := sample(6)
	var packed []*Packed
	for i := range blocks {
		p := new(Packed)
		k, err := NewPacker()
		if err != nil {
			t.Fatal(err)
		}
		if err := k.Pack(blocks[len(blocks)-1-i], p); err != nil {
			t.Fatal(err)
		}
		packed = append([]*Packed{p}, packed...)
	}
	write := func(packed []*Packed) []byte {
		var buf bytes.Buffer
		w, err := Create(&buf, early)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range packed {
			if err := w.WritePacked(p); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(late); err != nil {
			t.Fatal(err)
		}
		return buf.Bytes()
	}
	if !bytes.Equal(write(packed), file(t, blocks)) {
		t.Error("the file differs from that of WriteBlock")
	}
	first := traceio.Seq(0)
	for _, p := range packed[2:] {
		detached, data := p.Detach(), bytes.Clone(p.Bytes())
		if err := detached.Attach(data[:len(data)-1]); err == nil {
			t.Error("a detached block took bytes that are not its own")
		}
		if err := detached.Attach(data); err != nil {
			t.Fatal(err)
		}
		*p = detached
		p.Renumber(first)
		first += traceio.Seq(p.Data())
	}
	data := write(packed[2:])
	f, err := OpenChecked(bytes.NewReader(data), int64(len(data)), "tail")
	if err != nil || len(f.Loss()) > 0 || f.Len() != first {
		t.Fatalf("%v, lost %v, %d references", err, f.Loss(), f.Len())
	}
	moved := blocks[2].First
	for i, want := range blocks[2:] {
		var got traceio.Block
		if err := f.Decode(i, &got); err != nil {
			t.Fatal(err)
		}
		for k := range got.Allocs {
			got.Allocs[k].Seq += moved
		}
		for k := range got.Marks {
			got.Marks[k].Seq += moved
		}
		if got.First += moved; got.First != want.First || !equal(&got, want) {
			t.Errorf("block %d differs", i)
		}
	}
	w, err := Create(io.Discard, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WritePacked(packed[3]); err == nil {
		t.Error("a block out of order was taken")
	}
}

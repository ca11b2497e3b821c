package record

import (
	"context"
	"path/filepath"
	"testing"

	"orrery/traceio"
	"orrery/traceio/orr"
)

// TestKeeperHalves: whenever the older half of what is left goes, as often as that is, what has gone and what is left
// are together all that there was, and what is left is written from its first reference on.
func TestKeeperHalves(t *testing.T) {
	out, err := createOutput(context.Background(), filepath.Join(t.TempDir(), "x.orr"), "")
	if err != nil {
		t.Fatal(err)
	}
	defer out.discard()
	head, err := orr.Create(out, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := out.place(); err != nil {
		t.Fatal(err)
	}
	k, err := newKeeper(out, head, 1250)
	if err != nil {
		t.Fatal(err)
	}
	const blocks, rows = 20, 100
	packer, err := orr.NewPacker()
	if err != nil {
		t.Fatal(err)
	}
	for i := range blocks {
		b := &traceio.Block{First: traceio.Seq(rows * i)}
		for row := range rows {
			b.Append(traceio.Access{Addr: traceio.Addr(rows*i + row), Size: 1})
		}
		var p orr.Packed
		if err := packer.Pack(b, &p); err != nil {
			t.Fatal(err)
		}
		if err := k.put(&p, b); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []uint64{1250, 600, 300, 100} { // of 13 blocks, 6, 3 and 1: the first is trimmed
		if _, err := k.compact(nil); err != nil {
			t.Fatal(err)
		}
		if k.refs != want || k.gone+k.refs != blocks*rows {
			t.Errorf("%d references are written and %d have gone, want %d of %d", k.refs, k.gone, want, blocks*rows)
		}
		if more := k.halve(); !more {
			t.Errorf("of %d references there is no half", want)
		}
	}
	if k.halve() || k.gone != blocks*rows {
		t.Errorf("nothing is left, and %d have gone, want %d", k.gone, blocks*rows)
	}
}

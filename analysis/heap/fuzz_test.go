package heap

import (
	"context"
	"encoding/binary"
	"testing"

	"orrery/traceio"
)

// FuzzAnalyze feeds any log at all: whatever it claims, nothing panics, sums hold and the two ways of asking agree.
func FuzzAnalyze(f *testing.F) {
	f.Add([]byte{0, 1, 16, 0, 0, 0, 0, 0, 0, 0, 9, 1, 1, 16, 0, 0, 0, 0, 0, 0, 0, 9})
	f.Add([]byte("\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x01\xf0\xff\xff\xff\xff\xff\xff\xff\xff\x01\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var log []traceio.Alloc
		seq := traceio.Seq(0)
		for len(data) >= 11 && len(log) < 500 {
			op, step, a, size := data[0], data[1], binary.LittleEndian.Uint64(data[2:]), uint64(data[10])
			if size > 250 {
				size = a
			}
			seq += traceio.Seq(step % 8)
			log = append(log, traceio.Alloc{Seq: seq, Addr: traceio.Addr(a), Size: size, Usable: size * uint64(op>>1&1), Op: traceio.AllocOp(op & 1), Thread: traceio.Thread(op >> 2 & 3), Stack: traceio.StackID(op >> 4)})
			data = data[11:]
		}
		h, err := Analyze(context.Background(), log, seq+1, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		live, bytes := uint64(0), uint64(0)
		w := h.Sweep()
		for id := range h.Blocks {
			b := &h.Blocks[id]
			bytes += b.Size
			if b.Leaked {
				live += b.Size
			}
			for _, a := range []traceio.Addr{b.Low, b.High() - 1, b.High()} {
				if got, want := int(w.BlockAt(b.From, a)), h.BlockAt(b.From, a); got != want {
					t.Fatalf("block at %d, %v: the sweep says %d, the index %d", b.From, a, got, want)
				}
			}
		}
		if bytes != h.TotalBytes || live != h.LiveBytes {
			t.Fatalf("%d bytes in blocks, %d in all; %d live, %d", bytes, h.TotalBytes, live, h.LiveBytes)
		}
		h.Now(h.Axis.End / 2)
		h.Occupancy(0, h.Axis.End)
	})
}

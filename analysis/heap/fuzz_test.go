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
	f.Add([]byte(
		"\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x01\xf0\xff\xff\xff\xff\xff\xff\xff\xff\x01\x01\xff\xff\xff" +
			"\xff\xff\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var log []traceio.Alloc
		seq := traceio.Seq(0)
		for len(data) >= 11 && len(log) < 500 {
			op, step, a, size := data[0], data[1], binary.LittleEndian.Uint64(data[2:]), uint64(data[10])
			if size > 250 {
				size = a
			}
			seq += traceio.Seq(step % 8)
			log = append(log, traceio.Alloc{Seq: seq, Addr: traceio.Addr(a), Size: size, Usable: size * uint64(op>>1&1),
				Op: traceio.AllocOp(op & 1), Thread: traceio.Thread(op >> 2 & 3), Stack: traceio.StackID(op >> 4)})
			data = data[11:]
		}
		h, err := Analyze(context.Background(), log, seq+1, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		live, bytes := uint64(0), uint64(0)
		w := h.Sweep()
		for id := range h.Count() {
			b := h.Block(id)
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
		askAll(t, h)
	})
}

// askAll asks a heap everything else, and checks sums where there are some.
func askAll(t *testing.T, h *Heap) {
	c, err := h.Curves(context.Background(), 0, h.Axis.End, 7)
	if err != nil {
		t.Fatal(err)
	}
	high := uint64(0)
	for i := range c.Total {
		high = max(high, c.Total[i].High)
	}
	if low, most := h.Occupancy(-1, h.Axis.End); high > most || low > most {
		t.Fatalf("the curves reach %d bytes, the occupancy %d to %d", high, low, most)
	}
	mid := h.Axis.End / 2
	h.Holes(mid, 3)
	h.Pins(mid, 3)
	h.Survivors(mid)
	h.Orders(h.Bursts())
	h.Latency()
	blocks, _, _ := h.Live(mid)
	for _, r := range h.Compact(mid, 0, 1<<30) {
		blocks -= r.Blocks
	}
	if blocks != 0 {
		t.Fatalf("%d live blocks are in no compact region", blocks)
	}
	leaked := uint64(0)
	for _, l := range h.Leaks() {
		leaked += l.Blocks
	}
	crossed := uint64(0)
	for _, x := range h.Crossings() {
		crossed += x.Blocks
	}
	links := 0
	for _, x := range h.Chains() {
		links += len(x.Blocks) - 1
	}
	if leaked != h.LeakedBlocks || crossed != h.Crossed || links != len(h.Links) || h.Tree().Total.Bytes != h.TotalBytes {
		t.Fatalf("%d of %d blocks leaked, %d of %d crossed, %d of %d links", leaked, h.LeakedBlocks, crossed, h.Crossed,
			links, len(h.Links))
	}
	for id := range h.Count() {
		if n := h.Next(id); n >= 0 && h.Previous(n) != id {
			t.Fatalf("block %d became %d, which was %d", id, n, h.Previous(n))
		}
		h.Ticks(id)
		if got := h.birth(id); h.time(got) != h.Block(id).From {
			t.Fatalf("block %d was made by event %d at %d, and lives from %d", id, got, h.time(got), h.Block(id).From)
		}
	}
	for _, x := range Compare(h, h).Sites {
		if x.Grown() != 0 {
			t.Fatalf("a heap differs from itself: %+v", x)
		}
	}
	r, _ := ParseRule("rule", "arenas")
	g, err := h.Rebin(context.Background(), r)
	if err != nil || len(g.bins) != h.Count() {
		t.Fatalf("arenas: %v", err)
	}
}

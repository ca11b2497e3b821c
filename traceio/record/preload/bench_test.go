package preload

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"testing"

	"orrery/traceio"
	"orrery/traceio/orr"
)

// BenchmarkConvert turns a log of a million events of two threads into a recording.
func BenchmarkConvert(b *testing.B) {
	const events = 1 << 20
	log := synthetic(rand.New(rand.NewPCG(1, 2)), 2, events/2, 1<<18)
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	for b.Loop() {
		l, err := OpenLog(bytes.NewReader(log), int64(len(log)), "log")
		if err != nil {
			b.Fatal(err)
		}
		w, err := orr.Create(io.Discard, nil)
		if err != nil {
			b.Fatal(err)
		}
		var block traceio.Block
		n := 0
		for l.Next(&block) == nil {
			n += len(block.Allocs)
			if err := w.WriteBlock(&block); err != nil {
				b.Fatal(err)
			}
		}
		if n != events {
			b.Fatalf("%d events, want %d", n, events)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/events, "ns/event")
}

// synthetic writes a log as the wrapper does: threads make and free blocks in turn, with a few stacks.
func synthetic(rnd *rand.Rand, threads, each, chunk int) []byte {
	type state struct {
		buf        []byte
		tick, addr uint64
		live       []uint64
	}
	le := binary.LittleEndian
	log := make([]byte, headerLen)
	copy(log, magic)
	le.PutUint32(log[8:], 2)
	le.PutUint32(log[12:], uint32(chunk))
	chunks, clock := uint64(0), uint64(1000)
	ts := make([]state, threads)
	begin := func(i int) {
		t := &ts[i]
		t.tick, t.addr = clock, 0
		t.buf = binary.AppendUvarint([]byte{recThread}, uint64(i))
		t.buf = binary.AppendUvarint(t.buf, clock)
	}
	var order []int // threads in the order in which their chunks began
	full := map[int][][]byte{}
	for i := range ts {
		order = append(order, i)
		begin(i)
	}
	for n := range threads * each {
		i := n % threads
		t := &ts[i]
		clock += 1 + rnd.Uint64N(300)
		if len(t.buf)+64 > chunk {
			full[i] = append(full[i], t.buf)
			order = append(order, i)
			begin(i)
		}
		at := clock - t.tick
		t.tick = clock
		if len(t.live) > 100 && rnd.IntN(2) == 0 {
			k := rnd.IntN(len(t.live))
			p := t.live[k]
			t.live[k] = t.live[len(t.live)-1]
			t.live = t.live[:len(t.live)-1]
			t.buf = binary.AppendUvarint(append(t.buf, recFreed), at)
			t.buf = binary.AppendUvarint(t.buf, zig(p-t.addr))
			t.buf = binary.AppendUvarint(t.buf, 1+uint64(rnd.IntN(4)))
			t.addr = p
			continue
		}
		p := 0x1000 + 16*rnd.Uint64N(1<<20)
		t.live = append(t.live, p)
		t.buf = binary.AppendUvarint(append(t.buf, recMade), at)
		t.buf = binary.AppendUvarint(t.buf, 20+rnd.Uint64N(50))
		t.buf = binary.AppendUvarint(t.buf, zig(p-t.addr))
		t.buf = binary.AppendUvarint(t.buf, 8+rnd.Uint64N(100))
		t.buf = binary.AppendUvarint(t.buf, 1+rnd.Uint64N(16))
		t.buf = binary.AppendUvarint(t.buf, 100+uint64(rnd.IntN(50)))
		t.addr = p
	}
	for i := range ts {
		full[i] = append(full[i], ts[i].buf)
	}
	for _, i := range order {
		log = append(log, full[i][0]...)
		log = append(log, make([]byte, chunk-len(full[i][0]))...)
		full[i] = full[i][1:]
		chunks++
	}
	le.PutUint64(log[16:], chunks)
	le.PutUint64(log[40:], 1000)
	le.PutUint64(log[56:], clock)
	le.PutUint64(log[64:], clock/2)
	return log
}

func zig(d uint64) uint64 { return d<<1 ^ uint64(int64(d)>>63) }

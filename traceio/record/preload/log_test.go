package preload

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"orrery/traceio"
)

// slowRead is the obvious twin of Log: every chunk by itself with the library's varints, then one stable sort by time.
func slowRead(log []byte) []traceio.Alloc {
	le := binary.LittleEndian
	chunk, n := int(le.Uint32(log[12:])), int(le.Uint64(log[16:]))
	scale := float64(le.Uint64(log[64:])-le.Uint64(log[48:])) / float64(le.Uint64(log[56:])-le.Uint64(log[40:]))
	type event struct {
		tick uint64
		a    traceio.Alloc
	}
	var all []event
	for i := range n {
		r := bytes.NewReader(log[headerLen+i*chunk:][:chunk])
		num := func() uint64 { x, _ := binary.ReadUvarint(r); return x }
		diff := func() uint64 { x := num(); return x>>1 ^ -(x & 1) }
		var tick, addr, serial uint64
		for {
			kind, err := r.ReadByte()
			if err != nil || kind == 0 {
				break
			}
			if kind == recThread {
				serial, tick, addr = num(), num(), 0
				continue
			}
			tick += num()
			e := event{tick: tick, a: traceio.Alloc{Thread: traceio.Thread(serial), Op: traceio.Free}}
			if kind == recMade {
				e.a.Op, e.a.Latency = traceio.Malloc, traceio.Ticks(float64(num())*scale)
			}
			addr += diff()
			e.a.Addr = traceio.Addr(addr)
			if kind == recMade {
				e.a.Size = num()
				e.a.Usable = e.a.Size + num() - 1
			}
			e.a.Stack = traceio.StackID(num())
			e.a.Ticks = traceio.Ticks(float64(tick-1000) * scale)
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b event) int { return int(int64(a.tick - b.tick)) })
	out := make([]traceio.Alloc, len(all))
	for i := range all {
		out[i] = all[i].a
	}
	return out
}

func readAll(t testing.TB, log []byte) (*Log, []traceio.Alloc) {
	l, err := OpenLog(bytes.NewReader(log), int64(len(log)), "log")
	if err != nil {
		t.Fatal(err)
	}
	var out []traceio.Alloc
	var b traceio.Block
	for l.Next(&b) == nil {
		out = append(out, b.Allocs...)
	}
	return l, out
}

// TestLog agrees with the twin on logs of several threads in chunks so small that many are open at once.
func TestLog(t *testing.T) {
	for _, threads := range []int{1, 2, 3, 17} {
		log := synthetic(rand.New(rand.NewPCG(uint64(threads), 7)), threads, 9000, 4096)
		l, got := readAll(t, log)
		want := slowRead(log)
		raw := map[traceio.StackID]uint64{}
		for id, dense := range l.stacks {
			raw[dense] = id
		}
		for i := range got {
			got[i].Stack = traceio.StackID(raw[got[i].Stack])
		}
		if !slices.Equal(got, want) || len(l.Loss()) > 0 {
			t.Errorf("%d threads: %d events, want %d; lost %v", threads, len(got), len(want), l.Loss())
		}
	}
}

// TestBrokenLog uses what stands before and beside damage.
func TestBrokenLog(t *testing.T) {
	log := synthetic(rand.New(rand.NewPCG(1, 1)), 2, 2000, 4096)
	_, whole := readAll(t, log)
	damaged := bytes.Clone(log)
	damaged[headerLen+2000] = 0xff // somewhere in the first chunk
	for i := range 12 {
		damaged[headerLen+2000+i] = 0xff
	}
	l, got := readAll(t, damaged)
	if len(got) >= len(whole) || len(got) < len(whole)/2 || len(l.Loss()) != 1 || l.Loss()[0].Kind != "bad-record" {
		t.Errorf("%d of %d events, lost %v", len(got), len(whole), l.Loss())
	}
	if _, got := readAll(t, log[:headerLen+4096+100]); len(got) == 0 {
		t.Error("a cut log has no events")
	}
	if _, err := OpenLog(bytes.NewReader(log[:100]), 100, "log"); err == nil ||
		err.Error() != "log: the log of allocations was not begun; does the program run with LD_PRELOAD?" {
		t.Errorf("a log without its header: %v", err)
	}
}

func FuzzLog(f *testing.F) {
	f.Add(synthetic(rand.New(rand.NewPCG(1, 1)), 2, 100, 1024))
	f.Add([]byte(magic))
	log := synthetic(rand.New(rand.NewPCG(1, 1)), 1, 10, 1024)
	stack := append([]byte{recStack, 1, 3, 2, 4, 6}, recModule, 0, 1, 9, 1, 2, '/', 'x', recMoved, 5, 6, 7, 8, 9, 1, 1)
	f.Add(append(bytes.Clone(log[:headerLen+8]), append(stack, make([]byte, 2000)...)...))
	f.Fuzz(func(t *testing.T, log []byte) {
		l, err := OpenLog(bytes.NewReader(log), int64(len(log)), "log")
		if err != nil {
			return
		}
		var b traceio.Block
		n := 0
		for l.Next(&b) == nil {
			for i := range b.Allocs {
				if n++; n > len(log) || int(b.Allocs[i].Stack) >= len(l.prog.Stacks) {
					t.Fatalf("event %d of %d bytes has stack %d of %d", n, len(log), b.Allocs[i].Stack, len(l.prog.Stacks))
				}
			}
		}
	})
}

package heap

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"orrery/traceio"
)

// plainLog is a log of one thread whose frees tell nothing but addresses, or seldom a stack: blocks of all sizes, some
// in place of others, most of them freed once.
func plainLog(r *rand.Rand, n int) []traceio.Alloc {
	var log []traceio.Alloc
	var live []traceio.Addr
	ticks, seldom := traceio.Ticks(0), r.IntN(2) == 0
	for range n {
		if r.IntN(500) == 0 {
			ticks += 1e6
		}
		e := traceio.Alloc{Ticks: ticks, Op: traceio.Free}
		switch k := r.IntN(len(live) + 1); {
		case r.IntN(2) == 0 && k < len(live):
			e.Addr = live[k]
			if seldom && r.IntN(60) == 0 {
				e.Stack = traceio.StackID(1 + r.IntN(3))
			}
			if r.IntN(20) > 0 {
				live[k] = live[len(live)-1]
				live = live[:len(live)-1]
			}
		default:
			e = traceio.Alloc{Ticks: ticks, Addr: 0x5000_0000 + traceio.Addr(r.IntN(1<<14))*256, Size: uint64(r.IntN(240)),
				Stack: traceio.StackID(r.IntN(6))}
			switch r.IntN(60) {
			case 0:
				e.Size = r.Uint64N(1 << 18)
			case 1:
				e.Addr += 16
			case 2:
				e.Size = r.Uint64() >> r.IntN(64)
			case 3:
				e.Addr = traceio.Addr(r.Uint64() >> r.IntN(64))
			}
			live = append(live, e.Addr)
		}
		log = append(log, e)
	}
	return log
}

// A log gives one heap in whatever pieces it comes, the two halves of a run included.
func TestBuilderTakesAnyPieces(t *testing.T) {
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 18))
		log := plainLog(r, 1+r.IntN(8000))
		whole, pieces := NewBuilder(0, 0), NewBuilder(0, 0)
		whole.Add(log)
		for rest := log; len(rest) > 0; {
			n := min(1+r.IntN(1000), len(rest))
			pieces.Add(rest[:n])
			rest = rest[n:]
		}
		want, got := whole.Heap(calls()), pieces.Heap(calls()) // which do not know all stacks
		for id := range want.Count() {
			if w, g := want.Block(id), got.Block(id); g != w {
				t.Fatalf("seed %d: block %d is %+v, want %+v", seed, id, g, w)
			}
		}
		for name, pair := range map[string][2]any{"bins": {got.Bins, want.Bins}, "errors": {got.Errors, want.Errors},
			"counts": {got.errors, want.errors}, "sites": {got.Sites, want.Sites}, "links": {got.Links, want.Links},
			"marks": {got.history.marks, want.history.marks}, "ends": {got.ends(), want.ends()},
			"lows": {got.history.low, want.history.low}, "highs": {got.history.high, want.history.high},
			"peak": {got.PeakAt, want.PeakAt}, "crossed": {got.Crossed, want.Crossed}, "spans": {got.Spans, want.Spans},
			"places that free": {got.FreeSites, want.FreeSites}, "stacks": {got.stacks, want.stacks},
			"fragmentation": {got.PeakFragmentation, want.PeakFragmentation}, "leaked": {got.leaked, want.leaked},
			"temporary": {got.Temporary, want.Temporary}, "total": {got.TotalBytes, want.TotalBytes}} {
			if !reflect.DeepEqual(pair[0], pair[1]) {
				t.Errorf("seed %d: %s\n%+v, want\n%+v", seed, name, pair[0], pair[1])
			}
		}
	}
}

// The occupancy and the peak are those of a replay that looks at every block anew: the least and the most bytes after
// the events of each run, and the first event after which there never were so many.
func TestHistoryAgainstReplay(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 19))
		log := plainLog(r, 1+r.IntN(3000))
		if seed%2 == 1 {
			log, _ = randomLog(r, 1+r.IntN(3000), seed%4 == 1)
		}
		b := NewBuilder(0, 0)
		b.Add(log)
		h := b.Heap(nil)
		low, high := make([]uint64, (len(log)+run-1)/run), make([]uint64, (len(log)+run-1)/run)
		peak, peakAt, bytes := uint64(0), 0, uint64(0)
		change := make([]uint64, len(log)) // of the bytes by each event, as two's complements
		for id := range h.Count() {
			block := h.Block(id)
			change[block.From] += block.Size
			if !block.Leaked {
				change[block.To] -= block.Size
			}
		}
		for i := range log {
			if bytes += change[i]; bytes > peak {
				peak, peakAt = bytes, i
			}
			if k := i / run; i%run == 0 {
				low[k], high[k] = bytes, bytes
			} else {
				low[k], high[k] = min(low[k], bytes), max(high[k], bytes)
			}
		}
		if h.PeakBytes != peak || h.PeakAt != Time(peakAt) {
			t.Errorf("seed %d: the peak is %d bytes at %d, want %d at %d", seed, h.PeakBytes, h.PeakAt, peak, peakAt)
		}
		if got := h.history; !slices.Equal(got.low[0], low) || !slices.Equal(got.high[0], high) {
			t.Errorf("seed %d: bytes live in runs of events %v to %v, want %v to %v", seed, got.low[0], got.high[0], low, high)
		}
	}
}

// A block is temporary if the thread that allocated it frees it next; blocks of two threads in one place, and sizes of
// more than 32 bits, are told apart.
func TestThreadsAndLargeBlocks(t *testing.T) {
	free := traceio.Free
	log := []traceio.Alloc{{Addr: 0x1000, Size: 8}, {Addr: 0x1000, Op: free, Thread: 1},
		{Addr: 0x1000, Size: 8, Thread: 1}, {Addr: 0x1000, Op: free}}
	b := NewBuilder(0, 0)
	b.Add(log)
	if s := b.Heap(nil).Sites; s[0].Temporary != 0 || s[0].Crossed != 2 {
		t.Errorf("%+v", s)
	}
	for _, size := range []uint64{1<<32 - 2, 1<<32 - 1, 1 << 32, 1 << 40} {
		b := NewBuilder(0, 0)
		b.Add([]traceio.Alloc{{Addr: 0x1000, Size: size}, {Addr: 0x2000, Size: 8}, {Addr: 0x1000, Op: free},
			{Addr: 1 << 45, Size: size}, {Addr: 0x1000, Size: 8}})
		h := b.Heap(nil)
		if h.TotalBytes != 2*size+16 || h.PeakBytes != size+16 || h.LiveBytes != size+16 || h.Size(2) != size {
			t.Errorf("%d bytes: %d in all, %d at the peak, %d live", size, h.TotalBytes, h.PeakBytes, h.LiveBytes)
		}
	}
}

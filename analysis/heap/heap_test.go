package heap

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"orrery/traceio"
)

func analyze(t testing.TB, log []traceio.Alloc, end traceio.Seq, prog *traceio.Program) *Heap {
	t.Helper()
	h, err := Analyze(context.Background(), log, end, prog, nil)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func malloc(s traceio.Seq, a traceio.Addr, size uint64) traceio.Alloc {
	return traceio.Alloc{Seq: s, Addr: a, Size: size}
}

func free(s traceio.Seq, a traceio.Addr) traceio.Alloc {
	return traceio.Alloc{Seq: s, Addr: a, Op: traceio.Free}
}

func TestCountsBySpecification(t *testing.T) {
	thread := func(e traceio.Alloc, t traceio.Thread) traceio.Alloc { e.Thread = t; return e }
	for _, row := range []struct {
		name                              string
		log                               []traceio.Alloc
		allocs, frees, leaked, temporary  uint64
		total, peak, live                 uint64
		peakTime                          traceio.Seq
		double, unknown, overlap          uint64
		inner, dead, huge, negative, back uint64
	}{
		{name: "nothing"},
		{name: "one freed at once", log: []traceio.Alloc{malloc(5, 0x100, 10), free(9, 0x100)},
			allocs: 1, frees: 1, temporary: 1, total: 10, peak: 10, peakTime: 5},
		{name: "one leaked", log: []traceio.Alloc{malloc(5, 0x100, 10)}, allocs: 1, leaked: 1, total: 10, peak: 10,
			live: 10, peakTime: 5},
		{name: "free(NULL) and failed malloc do not count", log: []traceio.Alloc{malloc(5, 0, 1<<40), free(9, 0)}},
		{name: "free(NULL) does not end temporariness", log: []traceio.Alloc{malloc(5, 0x100, 10),
			free(6, 0), free(9, 0x100)},
			allocs: 1, frees: 1, temporary: 1, total: 10, peak: 10, peakTime: 5},
		{name: "not temporary: another event between", log: []traceio.Alloc{malloc(1, 0x100, 10),
			malloc(2, 0x200, 20), free(3, 0x100)},
			allocs: 2, frees: 1, leaked: 1, total: 30, peak: 30, live: 20, peakTime: 2},
		{name: "temporary: the event between is another thread's", log: []traceio.Alloc{malloc(1, 0x100, 10),
			thread(malloc(2, 0x200, 20), 1), free(3, 0x100)},
			allocs: 2, frees: 1, leaked: 1, temporary: 1, total: 30, peak: 30, live: 20, peakTime: 2},
		{name: "not temporary: freed by another thread", log: []traceio.Alloc{malloc(1, 0x100, 10),
			thread(free(3, 0x100), 1)},
			allocs: 1, frees: 1, total: 10, peak: 10, peakTime: 1},
		{name: "realloc in place", log: []traceio.Alloc{malloc(1, 0x100, 10), free(4, 0x100), malloc(4, 0x100, 30)},
			allocs: 2, frees: 1, leaked: 1, temporary: 1, total: 40, peak: 30, live: 30, peakTime: 4},
		{name: "double free", log: []traceio.Alloc{malloc(1, 0x100, 10), free(4, 0x100), free(5, 0x100)},
			allocs: 1, frees: 1, temporary: 1, total: 10, peak: 10, peakTime: 1, double: 1},
		{name: "unknown free", log: []traceio.Alloc{free(4, 0x100)}, unknown: 1},
		{name: "free inside a block", log: []traceio.Alloc{malloc(1, 0x100, 64), free(4, 0x110)},
			allocs: 1, leaked: 1, total: 64, peak: 64, live: 64, peakTime: 1, inner: 1},
		{name: "reallocation of what is freed", log: []traceio.Alloc{malloc(1, 0x100, 64), free(2, 0x100), free(4, 0x100),
			malloc(4, 0x200, 70)},
			allocs: 2, frees: 1, leaked: 1, temporary: 1, total: 134, peak: 70, live: 70, peakTime: 4, dead: 1},
		{name: "a negative size", log: []traceio.Alloc{malloc(1, 0x100, 1<<64-16), malloc(2, 0x200, 5)},
			allocs: 2, leaked: 2, total: 5, peak: 5, live: 5, peakTime: 2, negative: 1},
		{name: "a block of an exbibyte", log: []traceio.Alloc{malloc(1, 0x100, 1<<60), malloc(2, 0x200, 5)},
			allocs: 2, leaked: 2, total: 5, peak: 5, live: 5, peakTime: 2, huge: 1},
		{name: "time backwards", log: []traceio.Alloc{malloc(5, 0x100, 16), malloc(2, 0x200, 5), free(7, 0x200)},
			allocs: 2, frees: 1, leaked: 1, temporary: 1, total: 21, peak: 21, live: 16, peakTime: 5, back: 1},
		{name: "same address twice", log: []traceio.Alloc{malloc(1, 0x100, 10), malloc(4, 0x100, 20), free(5, 0x100)},
			allocs: 2, frees: 1, temporary: 1, total: 30, peak: 20, peakTime: 4, overlap: 1},
		{name: "overlap from below", log: []traceio.Alloc{malloc(1, 0x100, 0x40), malloc(4, 0x120, 0x40)},
			allocs: 2, leaked: 2, total: 0x80, peak: 0x80, live: 0x80, peakTime: 4, overlap: 1},
		{name: "overlap from above", log: []traceio.Alloc{malloc(1, 0x120, 0x40), malloc(4, 0x100, 0x40)},
			allocs: 2, leaked: 2, total: 0x80, peak: 0x80, live: 0x80, peakTime: 4, overlap: 1},
		{name: "neighbours do not overlap", log: []traceio.Alloc{malloc(1, 0x140, 0x40), malloc(4, 0x100, 0x40),
			malloc(4, 0x180, 0)},
			allocs: 3, leaked: 3, total: 0x80, peak: 0x80, live: 0x80, peakTime: 4},
	} {
		h := analyze(t, row.log, 20, nil)
		got := []uint64{h.Allocations, h.Frees, h.LeakedBlocks, h.Temporary, h.TotalBytes, h.PeakBytes,
			h.LiveBytes, uint64(h.PeakTime),
			h.ErrorCount(DoubleFree), h.ErrorCount(UnknownFree), h.ErrorCount(Overlap),
			h.ErrorCount(InnerFree), h.ErrorCount(DeadRealloc), h.ErrorCount(HugeBlock), h.ErrorCount(NegativeSize),
			h.ErrorCount(BackInTime)}
		want := []uint64{row.allocs, row.frees, row.leaked, row.temporary, row.total, row.peak, row.live,
			uint64(row.peakTime), row.double, row.unknown, row.overlap,
			row.inner, row.dead, row.huge, row.negative, row.back}
		if !slices.Equal(got, want) {
			t.Errorf("%s: allocations, frees, leaked, temporary, total, peak, live, peak time, errors by kind are\n got  %v\n "+
				"want %v", row.name, got, want)
		}
	}
}

// randomLog is a legal log (unless faults are asked for) with realistic sizes and several events at one time.
func randomLog(r *rand.Rand, n int, faults bool) ([]traceio.Alloc, traceio.Seq) {
	type piece struct {
		a    traceio.Addr
		size uint64
	}
	var log []traceio.Alloc
	var live []piece
	var holes []piece
	top := traceio.Addr(0x4000_0000)
	seq := traceio.Seq(0)
	for len(log) < n {
		seq += traceio.Seq(r.IntN(4))
		th := traceio.Thread(r.IntN(3))
		stack := traceio.StackID(r.IntN(5))
		if len(live) > 0 && r.IntN(100) < 45 {
			i := r.IntN(len(live))
			log = append(log, traceio.Alloc{Seq: seq, Addr: live[i].a, Op: traceio.Free, Thread: th, Stack: stack})
			holes = append(holes, live[i])
			live = slices.Delete(live, i, i+1)
			continue
		}
		size := uint64(r.IntN(200))
		if r.IntN(30) == 0 {
			size = uint64(r.IntN(100000))
		}
		var a traceio.Addr
		if i := slices.IndexFunc(holes, func(h piece) bool { return h.size >= size }); i >= 0 && r.IntN(3) > 0 {
			a = holes[i].a
			holes = slices.Delete(holes, i, i+1)
		} else {
			a = top
			top += traceio.Addr((size+8+15)/16*16 + 16)
			if r.IntN(200) == 0 {
				top += 8 << 20
			}
		}
		if faults && r.IntN(10) == 0 {
			a += traceio.Addr(r.IntN(5)-2) * 16
			if r.IntN(3) == 0 {
				log = append(log, traceio.Alloc{Seq: seq, Addr: a, Op: traceio.Free, Thread: th})
			}
		}
		live = append(live, piece{a, size})
		log = append(log, traceio.Alloc{Seq: seq, Addr: a, Size: size, Usable: usableOf(size), Thread: th, Stack: stack})
	}
	return log, seq + 5
}

// slowLive replays the log up to and including event n and gives the live pieces by address.
func slowLive(log []traceio.Alloc, n int) map[traceio.Addr]traceio.Alloc {
	live := map[traceio.Addr]traceio.Alloc{}
	for _, e := range log[:n+1] {
		if e.Op == traceio.Free {
			delete(live, e.Addr)
		} else {
			live[e.Addr] = e
		}
	}
	return live
}

func TestAgainstReplay(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 1))
		log, end := randomLog(r, 600, false)
		if seed%2 == 1 { // no references to speak of: the ordinal axis
			for i := range log {
				log[i].Seq /= 8
			}
			end = end/8 + 1
		}
		h := analyze(t, log, end, nil)
		if h.Axis.Ordinal != (seed%2 == 1) {
			t.Fatalf("seed %d: ordinal axis %v", seed, h.Axis.Ordinal)
		}
		if len(h.Errors) > 0 {
			t.Fatalf("seed %d: errors in a legal log: %+v", seed, h.Errors[0])
		}
		peak := uint64(0)
		for i := range log {
			sum := uint64(0)
			for _, e := range slowLive(log, i) {
				sum += e.Size
			}
			peak = max(peak, sum)
			if got := h.stateAt(i + 1).bytes; got != sum {
				t.Fatalf("seed %d: %d bytes after event %d, want %d", seed, got, i, sum)
			}
		}
		if h.PeakBytes != peak {
			t.Errorf("seed %d: peak %d, want %d", seed, h.PeakBytes, peak)
		}
		// Points: whoever is live after the last event at or before t.
		for range 400 {
			s := traceio.Seq(r.IntN(int(end)))
			at := h.Axis.At(s)
			last := -1
			for i := range log {
				if log[i].Seq <= s {
					last = i
				}
			}
			if h.Axis.Ordinal && int(at) != last {
				t.Fatalf("seed %d: reference %d stands at %d, want %d", seed, s, at, last)
			}
			if last < 0 {
				continue
			}
			live := slowLive(log, last)
			m := h.Now(at)
			bytes, waste, indexed := uint64(0), uint64(0), 0
			for _, e := range live {
				bytes += e.Size
				waste += e.Usable - e.Size
			}
			h.Within(at, at, 0, ^traceio.Addr(0), func(int) { indexed++ })
			if m.Blocks != len(live) || indexed != len(live) || m.Bytes != bytes || m.Waste != waste {
				t.Fatalf("seed %d: %+v live at %d, %d in the index; want %d, %d bytes, %d wasted", seed, m, s, indexed,
					len(live), bytes, waste)
			}
			a := log[r.IntN(len(log))].Addr + traceio.Addr(r.IntN(40))
			want := traceio.Addr(0)
			for _, e := range live {
				if a >= e.Addr && a < e.Addr+traceio.Addr(max(e.Size, 1)) {
					want = e.Addr
				}
			}
			got := traceio.Addr(0)
			if id := h.BlockAt(at, a); id >= 0 {
				got = h.Block(id).Low
			}
			if got != want {
				t.Fatalf("seed %d: block at %d, %v begins at %v, want %v", seed, s, a, got, want)
			}
			if want := slowFragmentation(live); m.Fragmentation != want {
				t.Fatalf("seed %d: fragmentation %g, want %g", seed, m.Fragmentation, want)
			}
		}
		for range 300 {
			from := Time(r.IntN(int(h.Axis.End)))
			to := from + Time(r.IntN(50))
			low, high := h.Occupancy(from, to)
			_, wl, _ := h.Live(from)
			wh := wl
			for i := range log {
				if x := h.time(i); x > from && x < to {
					wl, wh = min(wl, h.stateAt(i+1).bytes), max(wh, h.stateAt(i+1).bytes)
				}
			}
			if low != wl || high != wh {
				t.Fatalf("seed %d: occupancy in [%d, %d) is %d..%d, want %d..%d", seed, from, to, low, high, wl, wh)
			}
		}
	}
}

// slowFragmentation marks every 8 bytes of the heap and looks at the runs of free ones.
func slowFragmentation(live map[traceio.Addr]traceio.Alloc) float64 {
	var all []Span
	for _, e := range live {
		all = append(all, Span{Low: e.Addr, High: e.Addr + traceio.Addr(max(e.Usable, 1))})
	}
	slices.SortFunc(all, func(a, b Span) int { return int(int64(a.Low) - int64(b.Low)) })
	total, largest, reach := uint64(0), uint64(0), traceio.Addr(0)
	for i, s := range all {
		if i > 0 && s.Low > reach {
			if gap := uint64(s.Low - reach); gap > 8 && gap <= MaxGap {
				total += gap
				largest = max(largest, gap)
			}
		}
		reach = max(reach, s.High)
	}
	if total == 0 {
		return 0
	}
	return 1 - float64(largest)/float64(total)
}

// Whatever the log, nothing panics and the sums hold together.
func TestFaultyLogs(t *testing.T) {
	for seed := range uint64(20) {
		log, end := randomLog(rand.New(rand.NewPCG(seed, 2)), 500, true)
		h := analyze(t, log, end, nil)
		if len(h.Errors) == 0 {
			t.Errorf("seed %d: no error found", seed)
		}
		bytes, live := uint64(0), uint64(0)
		for i := range h.Count() {
			b := h.Block(i)
			bytes += b.Size
			if b.Leaked {
				live++
			}
			if b.To < b.From || h.Free(b) < h.Alloc(b) {
				t.Fatalf("seed %d: block %d ends before it begins: %+v", seed, i, b)
			}
		}
		if bytes != h.TotalBytes || live != h.LeakedBlocks || uint64(h.Count()) != h.Allocations {
			t.Errorf("seed %d: sums differ", seed)
		}
		sites, bins := uint64(0), uint64(0)
		for _, s := range h.Sites {
			sites += s.Bytes
		}
		for _, b := range h.Bins {
			bins += b.Bytes
		}
		if sites != bytes || bins != bytes {
			t.Errorf("seed %d: %d bytes in sites, %d in bins, %d in blocks", seed, sites, bins, bytes)
		}
	}
}

func TestLeavesHoldEveryBlock(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	log, end := randomLog(r, 20000, false)
	h := analyze(t, log, end, nil)
	for range 50 {
		from, low := Time(r.IntN(int(end))), log[r.IntN(len(log))].Addr
		to, high := from+Time(r.IntN(1000)), low+traceio.Addr(r.IntN(10000))
		seen := map[int32]bool{}
		visited := 0
		h.Leaves(from, to, low, high, func(l *Leaf) {
			if !slices.Equal(h.Order()[l.First:l.First+len(l.IDs)], l.IDs) {
				t.Fatalf("leaf at %d is out of order", l.First)
			}
			visited += len(l.Offsets)
			for i, id := range l.IDs {
				if seen[id] {
					t.Fatalf("block %d twice", id)
				}
				seen[id] = true
				if r, b := l.Rect(i), h.Block(int(id)); r.Low != b.Low || r.High != b.High() || r.From != b.From ||
					r.To != max(b.To, b.From+1) {
					t.Fatalf("rectangle %+v of block %+v", r, b)
				}
			}
		})
		for id := range h.Count() {
			b := h.Block(id)
			if b.From <= to && b.To > from && b.Low <= high && b.High() > low && !seen[int32(id)] {
				t.Fatalf("block %d is missing", id)
			}
		}
	}
}

func TestSweepAgainstIndex(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 9))
		log, end := randomLog(r, 3000, seed == 7)
		if seed == 5 {
			for i := range log {
				log[i].Addr += 8
			}
		}
		h := analyze(t, log, end, nil)
		w := h.Sweep()
		at := Time(0)
		for range 6000 {
			switch r.IntN(100) {
			case 0:
				at = Time(r.IntN(int(end) + 2))
			default:
				at = min(at+Time(r.IntN(3)), Time(end)+1)
			}
			a := log[r.IntN(len(log))].Addr + traceio.Addr(r.IntN(100)) - 8
			if got, want := int(w.BlockAt(at, a)), h.BlockAt(at, a); got != want {
				t.Fatalf("seed %d: at %d, %v the sweep finds block %d, the index %d", seed, at, a, got, want)
			}
		}
	}
}

func TestBins(t *testing.T) {
	for _, row := range []struct {
		size, usable uint64
		bin          string
	}{{0, 24, "24 B"}, {24, 24, "24 B"}, {25, 40, "40 B"}, {1032, 1032, "1032 B"}, {1033, 1048, "large"},
		{1 << 30, 1<<30 + 8, "large"}} {
		h := analyze(t, []traceio.Alloc{malloc(0, 0x1000, row.size)}, 10, nil)
		if got := h.Block(0).Usable(); got != row.usable {
			t.Errorf("a request of %d gets %d usable bytes, want %d", row.size, got, row.usable)
		}
		if got := h.Bins[h.Bin(0)].Name; got != row.bin || len(h.Bins) != 1 {
			t.Errorf("a request of %d is in bin %q, want %q", row.size, got, row.bin)
		}
	}
	// Three of 40 bytes, the middle one freed; one of another class in between.
	h := analyze(t, []traceio.Alloc{malloc(0, 0x1000, 40), malloc(1, 0x1030, 40), malloc(2, 0x1060, 40),
		malloc(3, 0x2000, 20), free(4, 0x1030)}, 10, nil)
	if b := h.Bins[1]; b.Blocks != 3 || b.PeakBytes != 120 || b.PeakAt != 2 || b.WasteBytes != 0 || b.Fragmentation != 0 {
		t.Errorf("bin of 40 bytes: %+v", b)
	}
	if b := h.Bins[0]; b.PeakBytes != 20 || b.WasteBytes != 4 {
		t.Errorf("bin of 24 bytes: %+v", b)
	}
}

func TestSites(t *testing.T) {
	p := &traceio.Program{
		Modules: []traceio.Module{{Path: "/usr/lib/libstdc++.so.6", Low: 1000, High: 2000}, {Path: "/home/u/list", Main: true,
			Low: 100, High: 200}},
		Stacks: [][]traceio.Addr{nil, {1010, 111}, {1010, 121}, {131}, {1020}, {5000}},
		Sites: []traceio.Site{
			{PC: 110, Module: 1, Frames: []traceio.Frame{{Function: "make<int>", File: "/usr/include/memory", Line: 9},
				{Function: "list_push(int)", File: "/home/u/list.c", Line: 22}}},
			{PC: 120, Module: 1, Frames: []traceio.Frame{{Function: "list_push(int)", File: "/home/u/list.c", Line: 22}}},
			{PC: 130, Module: 1, Frames: []traceio.Frame{{Function: "stripped"}}},
			{PC: 1009, Module: 0, Frames: []traceio.Frame{{Function: "operator new(unsigned long)"}}},
			{PC: 1019, Module: 0, Frames: []traceio.Frame{{Function: "operator new(unsigned long)"}}},
		},
	}
	var log []traceio.Alloc
	for i, stack := range []traceio.StackID{1, 2, 1, 3, 4, 5, 0, 77} {
		log = append(log, traceio.Alloc{Seq: traceio.Seq(i), Addr: traceio.Addr(0x1000 + 0x100*i),
			Size: uint64(100 - i), Stack: stack})
	}
	log = append(log, traceio.Alloc{Seq: 9, Addr: 0x1000, Op: traceio.Free, Stack: 3})
	h := analyze(t, log, 20, p)
	var got []string
	for i := range h.Sites {
		got = append(got, h.Sites[i].Name())
	}
	if want := []string{"list.c:22", "unknown code", "stripped", "libstdc++.so.6", "0x1388"}; !slices.Equal(got, want) {
		t.Errorf("sites %q, want %q", got, want)
	}
	if s := h.Sites[0]; s.Blocks != 3 || s.Bytes != 297 || s.LiveBytes != 197 || s.LeakedBlocks != 2 {
		t.Errorf("the first site: %+v", s)
	}
	if b := h.Block(0); h.FreeSites[h.FreeSite(b)].Name() != "stripped" || h.FreeSite(h.Block(1)) != -1 {
		t.Errorf("freed by %+v", h.FreeSites)
	}
}

func TestSiteNamesAreUnique(t *testing.T) {
	p := &traceio.Program{Stacks: [][]traceio.Addr{nil, {11}, {21}, {31}}, Sites: []traceio.Site{
		{PC: 10, Frames: []traceio.Frame{{Function: "grow<int>", File: "/a/list.h", Line: 5}}},
		{PC: 20, Frames: []traceio.Frame{{Function: "grow<char>", File: "/a/list.h", Line: 5}}},
		{PC: 30, Frames: []traceio.Frame{{Function: "push", File: "/b/list.h", Line: 5}}},
	}}
	h := analyze(t, []traceio.Alloc{{Addr: 16, Size: 9, Stack: 1}, {Addr: 64, Size: 9, Stack: 2},
		{Addr: 128, Size: 9, Stack: 3}}, 10, p)
	if len(h.Sites) != 2 || h.Sites[0].Name() != "list.h:5" || h.Sites[0].Blocks != 2 ||
		h.Sites[1].Name() != "list.h:5#2" {
		t.Errorf("sites %+v", h.Sites)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	log, end := randomLog(rand.New(rand.NewPCG(1, 1)), 100, false)
	if _, err := Analyze(ctx, log, end, nil, nil); err != context.Canceled {
		t.Errorf("a cancelled analysis gave %v", err)
	}
}

func BenchmarkAnalyze(b *testing.B) {
	log, end := randomLog(rand.New(rand.NewPCG(1, 1)), 200000, false)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Analyze(context.Background(), log, end, nil, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(log)), "ns/event")
}

func BenchmarkBlockAt(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	log, end := randomLog(r, 200000, false)
	h := analyze(b, log, end, nil)
	b.ReportAllocs()
	for b.Loop() {
		h.BlockAt(Time(r.IntN(int(end))), log[r.IntN(len(log))].Addr)
	}
}

// BenchmarkAnalyzeFaulty has an error every few events: they must not make the rest slow.
func BenchmarkAnalyzeFaulty(b *testing.B) {
	log, end := randomLog(rand.New(rand.NewPCG(1, 1)), 200000, true)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Analyze(context.Background(), log, end, nil, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(log)), "ns/event")
}

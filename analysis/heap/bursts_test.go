package heap

import (
	"math/rand/v2"
	"slices"
	"testing"

	"orrery/traceio"
)

func TestBurstDirections(t *testing.T) {
	build := func(order func(i int) int, n int) []traceio.Alloc {
		var log []traceio.Alloc
		for i := range n {
			log = append(log, malloc(traceio.Seq(i), traceio.Addr(0x1000+0x20*order(i)), 24))
		}
		return log
	}
	for _, row := range []struct {
		name string
		log  []traceio.Alloc
		want []Direction
	}{
		{"up", build(func(i int) int { return i }, 20), []Direction{Upward}},
		{"down", build(func(i int) int { return 19 - i }, 20), []Direction{Downward}},
		{"mixed", build(func(i int) int { return i ^ 1 }, 20), []Direction{Mixed}},
		{"down but for two pieces of ten",
			build(func(i int) int { return []int{0, -9, -1, -2, -3, -4, -5, 9, -6, -7}[i%10] - 10*(i/10) + 100 }, 20),
			[]Direction{Downward}},
		{"too short", build(func(i int) int { return i }, MinBurst-1), nil},
		{"a free of the bin divides", append(append(build(func(i int) int { return i }, 20), free(20, 0x1000)),
			build(func(i int) int { return 200 - i }, 16)...), []Direction{Upward, Downward}},
		{"a free of another bin does not", append([]traceio.Alloc{malloc(0, 0x100, 500)},
			append(append(build(func(i int) int { return i }, 8), free(20, 0x100)), build(func(i int) int { return 100 + i },
				8)...)...), []Direction{Upward}},
	} {
		for i := range row.log {
			row.log[i].Seq = traceio.Seq(i)
		}
		h := analyze(t, row.log, 100, nil)
		var got []Direction
		for _, b := range h.Bursts() {
			got = append(got, b.Direction())
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
	}
}

// The longest bursts are listed as they began.
func TestLongestBursts(t *testing.T) {
	all := []Burst{{First: 9, From: 90, Blocks: 20, Up: 3}, {First: 1, From: 10, Blocks: 30},
		{First: 5, From: 50, Blocks: 17}, {First: 3, From: 30, Blocks: 40, Up: 39}}
	for n, want := range map[int][]int{0: nil, 1: {3}, 3: {1, 3, 9}, 7: {1, 3, 5, 9}} {
		var got []int
		for _, b := range Longest(all, n) {
			got = append(got, b.First)
		}
		if !slices.Equal(got, want) {
			t.Errorf("the longest %d begin with blocks %v, want %v", n, got, want)
		}
	}
	if all[0].Down() != 16 || all[3].Down() != 0 || all[0].First != 9 {
		t.Errorf("%d and %d steps go down, want 16 and none; %+v", all[0].Down(), all[3].Down(), all)
	}
}

// The twin looks at each bin and thread alone.
func TestBurstsAgainstTwin(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 31))
		var log []traceio.Alloc
		for i := range 4000 {
			a := traceio.Addr(0x1000 + 0x20*r.IntN(300))
			if r.IntN(40) == 0 {
				log = append(log, free(traceio.Seq(i), a))
			} else {
				log = append(log, traceio.Alloc{Seq: traceio.Seq(i), Addr: a, Size: uint64(20 + 16*r.IntN(2)),
					Thread: traceio.Thread(r.IntN(2))})
			}
		}
		h := analyze(t, log, 4000, nil)
		want := map[[2]int][]int{} // bin and thread: lengths
		for bin := range h.Bins {
			for thread := range 2 {
				n := 0
				end := func() {
					if n >= MinBurst {
						want[[2]int{bin, thread}] = append(want[[2]int{bin, thread}], n)
					}
					n = 0
				}
				for s := (state{}); s.event < h.history.n; {
					died, born := s.step(h)
					if died >= 0 && h.Bin(int(died)) == bin {
						end()
					}
					if born >= 0 && h.Bin(int(born)) == bin && int(h.Block(int(born)).Thread) == thread {
						n++
					}
				}
				end()
			}
		}
		got := map[[2]int][]int{}
		bursts := h.Bursts()
		for _, b := range bursts {
			k := [2]int{b.Bin, int(h.Block(b.First).Thread)}
			got[k] = append(got[k], b.Blocks)
		}
		for k := range want {
			if !slices.Equal(got[k], want[k]) {
				t.Fatalf("seed %d: bursts of bin and thread %v have %v blocks, want %v", seed, k, got[k], want[k])
			}
		}
		blocks := 0
		for _, o := range h.Orders(bursts) {
			blocks += o.Blocks
		}
		for _, b := range bursts {
			blocks -= b.Blocks
		}
		if len(got) != len(want) || blocks != 0 {
			t.Errorf("seed %d: bursts of %d bins and threads, want %d; %d blocks left over", seed, len(got), len(want), blocks)
		}
	}
}

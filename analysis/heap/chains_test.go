package heap

import (
	"math/rand/v2"
	"slices"
	"testing"

	"orrery/traceio"
)

// TestChains lets buffers of several threads grow at random among other blocks and knows what became what.
func TestChains(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 61))
		type buffer struct {
			a    traceio.Addr
			id   int32
			size uint64
		}
		var log []traceio.Alloc
		var links []Link
		var live []buffer
		next, id := traceio.Addr(0x1000), int32(0)
		place := func(size uint64) traceio.Addr {
			next += traceio.Addr(size+31) &^ 15
			return next - traceio.Addr(size+31)&^15
		}
		for range 1500 {
			thread := traceio.Thread(r.IntN(3))
			switch k := r.IntN(10); {
			case k < 4 || len(live) == 0:
				size := uint64(1 + r.IntN(99))
				live = append(live, buffer{place(size), id, size})
				log = append(log, traceio.Alloc{Addr: live[len(live)-1].a, Size: size, Thread: thread,
					Stack: traceio.StackID(1 + k)})
				id++
			case k < 6:
				i := r.IntN(len(live))
				log = append(log, traceio.Alloc{Addr: live[i].a, Op: traceio.Free, Thread: thread, Stack: 20})
				live = slices.Delete(live, i, i+1)
			default:
				b := &live[r.IntN(len(live))]
				was := *b
				b.size, b.id = uint64(1+r.IntN(200)), id
				id++
				if b.size > was.size {
					b.a = place(b.size)
				}
				links = append(links, Link{was.id, b.id})
				log = append(log, traceio.Alloc{Addr: was.a, Op: traceio.Free, Thread: thread, Stack: 30},
					traceio.Alloc{Addr: b.a, Size: b.size, Thread: thread, Stack: 30})
				if other := (thread + 1) % 3; r.IntN(3) == 0 { // another thread's event comes between the halves
					n := len(log)
					log = append(log[:n-1], traceio.Alloc{Addr: place(8), Size: 8, Thread: other, Stack: 2}, log[n-1])
					links[len(links)-1].To, b.id = id, id
					id++
				}
			}
		}
		h := analyze(t, log, 0, nil)
		if len(h.Errors) > 0 || !slices.Equal(h.Links, links) {
			t.Fatalf("seed %d: %d errors; links\n%v\nwant\n%v", seed, len(h.Errors), h.Links, links)
		}
		next2, previous := map[int]int{}, map[int]int{}
		for _, l := range links {
			next2[int(l.From)], previous[int(l.To)] = int(l.To), int(l.From)
		}
		get := func(m map[int]int, id int) int {
			if n, ok := m[id]; ok {
				return n
			}
			return -1
		}
		for id := range h.Count() {
			if h.Next(id) != get(next2, id) || h.Previous(id) != get(previous, id) {
				t.Fatalf("seed %d: block %d stands between %d and %d, want %d and %d", seed, id, h.Previous(id), h.Next(id),
					get(previous, id), get(next2, id))
			}
		}
		steps := 0
		for _, c := range h.Chains() {
			copied, moves, most := uint64(0), 0, h.Block(int(c.Blocks[0])).Size
			for i := 1; i < len(c.Blocks); i++ {
				from, to := h.Block(int(c.Blocks[i-1])), h.Block(int(c.Blocks[i]))
				if get(next2, int(c.Blocks[i-1])) != int(c.Blocks[i]) {
					t.Fatalf("seed %d: chain %v has a gap", seed, c.Blocks)
				}
				if most = max(most, to.Size); from.Low != to.Low {
					moves++
					copied += min(from.Size, to.Size)
				}
				steps++
			}
			if c.Copied != copied || c.Moves != moves || c.Most != most {
				t.Fatalf("seed %d: chain %+v; want %d bytes in %d moves, at most %d", seed, c, copied, moves, most)
			}
		}
		if steps != len(links) {
			t.Errorf("seed %d: chains of %d links, want %d", seed, steps, len(links))
		}
	}
}

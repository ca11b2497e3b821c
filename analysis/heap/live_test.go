package heap

import (
	"math/rand/v2"
	"slices"
	"testing"

	"orrery/traceio"
)

// blockSizes are the sizes of blocks that stand in a list.
type blockSizes []Block

func (s blockSizes) size(id int32) uint64 { return s[id].Size }

// The trie's twin looks at every block.
func TestLiveAgainstSearch(t *testing.T) {
	for _, row := range []struct {
		name string
		span uint64
		unit uint64
	}{{"dense", 1 << 12, 16}, {"sparse", 1 << 47, 16}, {"top of memory", 1 << 63, 16}, {"unaligned", 1 << 10, 1},
		{"eights", 1 << 30, 8}} {
		r := rand.New(rand.NewPCG(4, 4))
		addr := func() traceio.Addr { return traceio.Addr(r.Uint64N(row.span*2-1) / row.unit * row.unit) }
		l := newLive(4, 0)
		blocks := make([]Block, 4000)
		twin := map[traceio.Addr]int32{}
		var order []traceio.Addr
		for i := range int32(4000) {
			a := addr()
			if _, ok := twin[a]; ok || len(twin) > 200 {
				k := r.IntN(len(order))
				delete(twin, order[k])
				l.remove(order[k], order[k]+1, l.spot(order[k]))
				order = slices.Delete(order, k, k+1)
				continue
			}
			order = append(order, a)
			twin[a] = i
			blocks[i] = Block{Low: a, Size: 1}
			l.insert(a, a+1, i, false, blockSizes(blocks))
			at := addr()
			want, best, found := int32(0), traceio.Addr(0), false
			for low, id := range twin {
				if low <= at && (!found || low > best) {
					want, best, found = id, low, true
				}
			}
			if got, low, ok := l.below(at); ok != found || ok && (got != want || low != best) {
				t.Fatalf("%s: at or below %v stands %d at %v (%v), want %d at %v (%v)", row.name, at, got, low, ok,
					want, best, found)
			}
		}
	}
}

// Whether a new block clashes with a live one is what the nearest one below its end says, in logs with blocks of all
// sizes that overlap and do not, and with addresses of all alignments.
func TestClashAgainstSearch(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 6))
		l := newLive(4, 0)
		var blocks []Block
		twin := map[traceio.Addr]int32{}
		unit := []uint64{16, 16, 8, 1}[seed%4]
		clashes := 0
		for range 3000 {
			size := r.Uint64N(1 << r.IntN(8))
			if r.IntN(20) == 0 {
				size = r.Uint64N(1 << (12 + r.IntN(20)))
			}
			low := traceio.Addr(1<<30 + r.Uint64N(1<<(16+seed))/unit*unit)
			high := low + traceio.Addr(max(size, 1))
			if id, ok := twin[low]; ok || r.IntN(3) == 0 {
				if !ok && len(blocks) > 0 {
					low = blocks[r.IntN(len(blocks))].Low
				}
				if id, ok = twin[low]; ok {
					delete(twin, low)
					l.remove(low, blocks[id].High(), l.spot(low))
				}
				continue
			}
			want := int32(-1)
			for a, id := range twin {
				if a < high && (want < 0 || a > blocks[want].Low) {
					want = id
				}
			}
			if want >= 0 && blocks[want].High() <= low {
				want = -1
			}
			if got := l.clash(low, high, blockSizes(blocks)); got != want {
				t.Fatalf("seed %d: [%v, %v) clashes with %d, want %d", seed, low, high, got, want)
			}
			if want >= 0 {
				if clashes++; seed < 6 {
					continue // a legal log
				}
			}
			id := int32(len(blocks))
			blocks = append(blocks, Block{Low: low, Size: size})
			twin[low] = id
			placed := l.tryInsert(low, high, id, l.spot(low))
			if placed && want >= 0 {
				t.Fatalf("seed %d: [%v, %v) is placed on block %d", seed, low, high, want)
			}
			if !placed {
				l.insert(low, high, id, want >= 0, blockSizes(blocks))
			}
		}
		if clashes == 0 || len(blocks) < 100 {
			t.Errorf("seed %d: %d clashes of %d blocks", seed, clashes, len(blocks))
		}
	}
}

package heap

import (
	"math/rand/v2"
	"slices"
	"testing"

	"orrery/traceio"
)

// The trie's twin looks at every block.
func TestLiveAgainstSearch(t *testing.T) {
	for _, row := range []struct {
		name string
		span uint64
		unit uint64
	}{{"dense", 1 << 12, 16}, {"sparse", 1 << 47, 16}, {"top of memory", 1 << 63, 16}, {"unaligned", 1 << 10, 1}, {"eights", 1 << 30, 8}} {
		r := rand.New(rand.NewPCG(4, 4))
		addr := func() traceio.Addr { return traceio.Addr(r.Uint64N(row.span*2-1) / row.unit * row.unit) }
		l := newLive(4)
		twin := map[traceio.Addr]int32{}
		var order []traceio.Addr
		for i := range int32(4000) {
			a := addr()
			if _, ok := twin[a]; ok || len(twin) > 200 {
				k := r.IntN(len(order))
				delete(twin, order[k])
				l.remove(order[k])
				order = slices.Delete(order, k, k+1)
				continue
			}
			order = append(order, a)
			twin[a] = i
			l.insert(a, i)
			at := addr()
			want, best, found := int32(0), traceio.Addr(0), false
			for low, id := range twin {
				if low <= at && (!found || low > best) {
					want, best, found = id, low, true
				}
			}
			if got, ok := l.below(at); ok != found || ok && got != want {
				t.Fatalf("%s: at or below %v stands %d (%v), want %d (%v)", row.name, at, got, ok, want, found)
			}
		}
	}
}

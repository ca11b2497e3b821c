package orr

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSitesThatSucceedAreThoseOfTheSlowWay(t *testing.T) {
	rnd := rand.New(rand.NewPCG(6, 1))
	taken, ends := 0, 0
	for k := range 3000 {
		known, rows := 1+rnd.IntN(12), rnd.IntN(100)
		x := succession{ways: make([]ahead, known), rows: make([]Row, rows), refs: make([]uint32, rows),
			addrs: make([]uint64, rows),
			tag:   Key(k % 2), shift: uint(rnd.IntN(2) * rowShift), ref: uint32(rnd.IntN(known)), kinds: rnd.Uint64N(100)}
		for i := range x.ways {
			x.ways[i] = ahead{key: Key(rnd.Uint64()), next: uint32(i+1) % uint32(known), other: rnd.Uint32()}
			if rnd.IntN(4) == 0 {
				x.ways[i].next = uint32(rnd.IntN(known))
			}
		}
		x.stop = rnd.IntN(rows + 1)
		x.n = rnd.IntN(x.stop + 1)
		for i, ref := x.n, x.ref; i < rows; i++ {
			x.rows[i] = Row{rnd.Uint64(), x.ways[ref].key ^ x.tag}
			if ref = x.ways[ref].next; rnd.IntN(60) == 0 {
				x.rows[i].Key ^= 1 << rnd.IntN(64)
			}
		}
		got, want := x, x
		got.refs, got.addrs = slices.Clone(x.refs), slices.Clone(x.addrs)
		succeedRows(&got)
		succeedAny(&want)
		if got.n != want.n || got.ref != want.ref || got.kinds != want.kinds || !slices.Equal(got.refs, want.refs) ||
			!slices.Equal(got.addrs, want.addrs) {
			t.Fatalf("%d: %d rows to site %d, want %d to %d; sites %v, want %v", k, got.n, got.ref, want.n, want.ref,
				got.refs, want.refs)
		}
		if got.n < got.stop {
			ends++
		}
		taken += got.n
	}
	if taken < 10000 || ends < 100 {
		t.Errorf("only %d rows succeed and %d times one does not", taken, ends)
	}
}

package record

import (
	"math/rand/v2"
	"testing"
)

// TestSimpleSlotsAreThoseOfTheSlowWay looks at each slot by what the ring's layout says.
func TestSimpleSlotsAreThoseOfTheSlowWay(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 1))
	for k := range 4000 {
		want := uint64(k % 2)
		slots := make([]slot, 1+rnd.IntN(70))
		for i := range slots {
			slots[i] = slot{rnd.Uint64()&^0xffff | 7, rnd.Uint64()&^0x87 | 2<<rnd.IntN(2) | want}
		}
		if k%5 != 0 {
			bad := &slots[rnd.IntN(len(slots))]
			switch rnd.IntN(4) {
			case 0:
				bad.w0 ^= 1 << rnd.IntN(16)
			case 1:
				bad.w1 ^= 1
			case 2:
				bad.w1 ^= 1 << 7
			case 3:
				bad.w1 = bad.w1&^6 | uint64(rnd.IntN(2))*6
			}
		}
		slow := 0
		for _, s := range slots {
			what := s.w1 >> 1 & 3
			if s.w1&1 != want || s.w1>>7&1 != 0 || what != 1 && what != 2 || uint16(s.w0) != uint16(slots[0].w0) {
				break
			}
			slow++
		}
		if got := simple(slots, want); got != slow {
			t.Fatalf("%d: %d of %d slots are simple, want %d", k, got, len(slots), slow)
		}
		like := slot{slots[0].w0, want}
		if got := even(slots, like); got > slow {
			t.Fatalf("%d: %d of %d slots are even, and %d simple", k, got, len(slots), slow)
		}
	}
}

package record

import (
	"math/rand/v2"
	"testing"

	"orrery/traceio/orr"
)

// TestPlainSlots looks at each slot field by field.
func TestPlainSlots(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 1))
	for k := range 4000 {
		phase := orr.SiteKey(k % 2)
		slots := make([]orr.Row, 1+rnd.IntN(70))
		for i := range slots {
			slots[i] = orr.Row{Place: rnd.Uint64()&^0xffff | 7, Key: orr.SiteKey(rnd.Uint64()&^0x87|2<<rnd.IntN(2)) | phase}
		}
		if k%5 != 0 {
			bad := &slots[rnd.IntN(len(slots))]
			switch rnd.IntN(4) {
			case 0:
				bad.Place ^= 1 << rnd.IntN(16)
			case 1:
				bad.Key ^= 1
			case 2:
				bad.Key ^= 1 << 7
			case 3:
				bad.Key = bad.Key&^6 | orr.SiteKey(rnd.IntN(2))*6
			}
		}
		want := 0
		for _, s := range slots {
			kind := s.Key >> 1 & 3
			if s.Key&1 != phase || s.Key>>7&1 != 0 || kind != 1 && kind != 2 || uint16(s.Place) != uint16(slots[0].Place) {
				break
			}
			want++
		}
		if got := plainSlots(slots, phase); got != want {
			t.Fatalf("%d: %d of %d slots are plain, want %d", k, got, len(slots), want)
		}
	}
}

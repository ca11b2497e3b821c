package heap

import "testing"

func TestColumnThatStandsStillIsSmall(t *testing.T) {
	var c column
	for i := range 1 << 16 {
		c.append(uint64(i >> 13))
	}
	if len(c.offsets) != 0 {
		t.Errorf("%d offsets for runs of equal numbers", len(c.offsets))
	}
}

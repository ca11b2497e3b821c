package heap

import (
	"fmt"
	"testing"

	"orrery/traceio"
)

func TestPoolsOnOneScale(t *testing.T) {
	const far = 1 << 30
	for _, row := range []struct {
		name     string
		old, new []Span
		want     string
	}{
		{"one each", []Span{{0x1000, 0x3000, 5}}, []Span{{0x9000, 0xa000, 9}},
			"[{0x1000 0x3000 9}] [{0x9000 0xb000 9}] true"},
		{"the first of each", []Span{{0x1000, 0x2000, 1}, {far, far + 0x10, 1}},
			[]Span{{0x5000, 0x5800, 1}, {2 * far, 2*far + 0x100, 3}},
			"[{0x1000 0x2000 1} {0x40000000 0x40000100 3}] [{0x5000 0x6000 1} {0x80000000 0x80000100 3}] true"},
		{"one more", []Span{{0x1000, 0x2000, 1}}, []Span{{0x1000, 0x2000, 1}, {far, far + 0x100, 2}},
			"[{0x1000 0x2000 1} {0x102001 0x102101 2}] [{0x1000 0x2000 1} {0x40000000 0x40000100 2}] true"},
		{"no room", []Span{{0x1000, 0x2000, 1}, {0x200000, 0x200010, 1}}, []Span{{0x1000, 0x301000, 1}},
			"[{0x1000 0x2000 1} {0x200000 0x200010 1}] [{0x1000 0x301000 1}] false"},
		{"the end of memory", []Span{{^traceio.Addr(0x100), ^traceio.Addr(0), 1}}, []Span{{0x1000, 0x9000, 1}},
			"[{0xfffffffffffffeff 0xffffffffffffffff 1}] [{0x1000 0x9000 1}] false"},
		{"none", nil, []Span{{0x1000, 0x9000, 1}}, "[] [{0x1000 0x9000 1}] false"},
	} {
		old, new, common := Pools(&Heap{Spans: row.old}, &Heap{Spans: row.new})
		if got := fmt.Sprint(old, new, common); got != row.want {
			t.Errorf("%s: %s, want %s", row.name, got, row.want)
		}
		if !common {
			continue
		}
		for i := range old {
			if old[i].Size() != new[i].Size() {
				t.Errorf("%s: pool %d is of %d and %d bytes", row.name, i, old[i].Size(), new[i].Size())
			}
			for _, at := range []traceio.Addr{0, 7, old[i].High - old[i].Low} {
				if got := Across(old, new, old[i].Low+at); got != new[i].Low+at {
					t.Errorf("%s: %v of the old is %v of the new, want %v", row.name, old[i].Low+at, got, new[i].Low+at)
				}
			}
		}
	}
	if got := Across([]Span{{0x1000, 0x2000, 1}}, []Span{{0x5000, 0x6000, 1}}, 0x7000); got != 0x6000 {
		t.Errorf("what lies above all pools is %v, want their end", got)
	}
}

package heap

import (
	"math/rand/v2"
	"testing"
)

// The twin adds up the blocks that live after each step.
func TestSteps(t *testing.T) {
	log, end := randomLog(rand.New(rand.NewPCG(5, 9)), 400, false)
	h := analyze(t, log, end, nil)
	last, steps := Time(-1), 0
	sums := map[Time][2]uint64{} // the last at each time: of all, and of a bin
	bins := map[Time]int{}
	h.Steps(h.Axis.End, func(at Time, bin int, inBin, all uint64) bool {
		if at < last {
			t.Fatalf("step at %d after one at %d", at, last)
		}
		last, sums[at], bins[at] = at, [2]uint64{all, inBin}, bin
		steps++
		return true
	})
	if want := int(h.Allocations + h.Frees); steps < want {
		t.Errorf("%d steps, want at least %d", steps, want)
	}
	for at, got := range sums {
		var all, inBin uint64
		for i := range h.Count() {
			if b := h.Block(i); b.From <= at && b.To > at {
				all += b.Size
				if h.Bin(i) == bins[at] {
					inBin += b.Size
				}
			}
		}
		if got != [2]uint64{all, inBin} {
			t.Errorf("after %d: %d bytes, want %d of all and %d of the bin", at, got, all, inBin)
		}
	}
	n := 0
	h.Steps(h.Axis.End, func(Time, int, uint64, uint64) bool { n++; return n < 3 })
	if n != 3 {
		t.Errorf("went on for %d steps, not 3", n)
	}
}

// What changes from one time to another is the difference of what is live.
func TestChanges(t *testing.T) {
	log, end := randomLog(rand.New(rand.NewPCG(4, 4)), 400, true)
	h := analyze(t, log, end, nil)
	for at := Time(-1); at < h.Axis.End; at += 3 {
		for _, to := range []Time{at - 1, at, at + 1, at + 7, h.Axis.End} {
			blocks, bytes, _ := h.Live(at)
			h.Changes(at, to, func(id int, born bool) {
				if born {
					blocks, bytes = blocks+1, bytes+h.Size(id)
				} else {
					blocks, bytes = blocks-1, bytes-h.Size(id)
				}
			})
			if n, sum, _ := h.Live(max(at, to)); blocks != n || bytes != sum {
				t.Fatalf("from %d to %d: %d blocks with %d bytes, want %d with %d", at, to, blocks, bytes, n, sum)
			}
		}
	}
}

package simulator

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	. "orrery/cachesim"
	"orrery/traceio"
)

// roomyCores is a hierarchy with private caches so large that nothing leaves them but what another core takes.
func roomyCores(n int) Config {
	return Config{Name: "roomy", Cores: n, Levels: []Level{
		{Name: "L1", Kind: Unified, Size: 64 * KiB, Ways: 1024, Block: 64},
		{Name: "L2", Kind: Unified, Size: 256 * KiB, Ways: 16, Block: 64, Shared: true},
	}}
}

// obviousSharing counts by line, looking back and forth through the whole history of the line for every question.
func obviousSharing(rows []traceio.Access, cores int) (invalidations, trues, falses map[uint64]uint64) {
	invalidations, trues, falses = map[uint64]uint64{}, map[uint64]uint64{}, map[uint64]uint64{}
	history := map[uint64][]traceio.Access{}
	for _, a := range rows {
		for line := uint64(a.Addr) / 64; line <= (uint64(a.Addr)+uint64(a.Size)-1)/64; line++ {
			history[line] = append(history[line], a)
		}
	}
	bytes := func(line uint64, a traceio.Access) (set [64]bool) {
		for b := uint64(a.Addr); b < uint64(a.Addr)+uint64(a.Size); b++ {
			if b/64 == line {
				set[b%64] = true
			}
		}
		return set
	}
	for line, refs := range history {
		core := func(i int) int { return int(refs[i].Thread) % cores }
		// lossAfter is the next write of another core after reference i, len(refs) when there is none.
		lossAfter := func(i int) int {
			for j := i + 1; j < len(refs); j++ {
				if core(j) != core(i) && refs[j].Kind == traceio.Store {
					return j
				}
			}
			return len(refs)
		}
		for i := range refs {
			// The previous reference of this core, and the write that took the line since.
			before := i - 1
			for before >= 0 && core(before) != core(i) {
				before--
			}
			if before < 0 {
				continue
			}
			loss := lossAfter(before)
			if loss > i {
				continue
			}
			invalidations[line]++
			useful := false
			for use := i; use < lossAfter(i); use++ {
				if core(use) != core(i) {
					continue
				}
				for w := loss; w < i; w++ {
					if core(w) != core(i) && refs[w].Kind == traceio.Store {
						touched, written := bytes(line, refs[use]), bytes(line, refs[w])
						for b := range touched {
							useful = useful || touched[b] && written[b]
						}
					}
				}
			}
			if useful {
				trues[line]++
			} else {
				falses[line]++
			}
		}
		// Copies that were lost for good.
		for c := range cores {
			last := -1
			for i := range refs {
				if core(i) == c {
					last = i
				}
			}
			if last >= 0 && lossAfter(last) < len(refs) {
				invalidations[line]++
			}
		}
	}
	return invalidations, trues, falses
}

func TestSharingEqualsTheObvious(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 17))
		cores := 2 + r.IntN(3)
		b := new(traceio.Block)
		var rows []traceio.Access
		for range 1 + r.IntN(700) {
			a := traceio.Access{Addr: traceio.Addr(0x1000 + r.IntN(200)), Size: uint16(1 + r.IntN(8)),
				Kind: traceio.Kind(r.IntN(2)), Thread: traceio.Thread(r.IntN(5)), PC: traceio.Addr(1 + r.IntN(9))}
			rows = append(rows, a)
			b.Append(a)
		}
		got, err := FindSharing(context.Background(), recording{b}, roomyCores(cores), 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		invalidations, trues, falses := obviousSharing(rows, cores)
		sum := uint64(0)
		for i, l := range got.Lines {
			line := uint64(l.Addr) / 64
			if l.Invalidations != invalidations[line] || l.True != trues[line] || l.False != falses[line] {
				t.Fatalf("seed %d: line %#x: %d invalidations, %d true, %d false, want %d, %d, %d", seed, l.Addr, l.Invalidations,
					l.True, l.False, invalidations[line], trues[line], falses[line])
			}
			if i > 0 && l.False > got.Lines[i-1].False {
				t.Errorf("seed %d: the lines are not in order", seed)
			}
			code := SharedCode{}
			for _, c := range l.Code {
				code.Invalidations, code.Misses = code.Invalidations+c.Invalidations, code.Misses+c.Misses
			}
			if code.Invalidations != l.Invalidations || code.Misses != l.True+l.False {
				t.Errorf("seed %d: the code of line %#x adds up to %+v", seed, l.Addr, code)
			}
			sum += l.True + l.False
			delete(invalidations, line)
		}
		for line, n := range invalidations {
			if n > 0 {
				t.Errorf("seed %d: line %#x with %d invalidations is not told", seed, line, n)
			}
		}
		coherence := uint64(0)
		for i, l := range got.Totals.Levels {
			if got.Config.CoreOf(i) >= 0 {
				coherence += l.Coherence
			}
		}
		if coherence != sum {
			t.Errorf("seed %d: %d coherence misses in the levels, %d by line", seed, coherence, sum)
		}
	}
}

// TestSharedCounters is the program that counts in four threads: side by side the counters are falsely shared, padded
// nothing is.
func TestSharedCounters(t *testing.T) {
	c, err := Preset("desktop")
	if err != nil {
		t.Fatal(err)
	}
	c = c.WithCores(4)
	packed, err := FindSharing(context.Background(), open(t, "../../testdata/recordings/sharing-packed.orr"), c, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	rec := open(t, "../../testdata/recordings/sharing-packed.orr")
	global := globalAt(rec.Program(), packed.Lines[0].Addr)
	if global < 0 || rec.Program().Globals[global].Name != "packed" {
		t.Fatalf("the worst line is %v, not the array packed", packed.Lines[0].Addr)
	}
	worst := packed.Lines[0]
	if len(falselyShared(packed)) != 1 || worst.False < 100 || len(worst.Users) < 4 {
		t.Errorf("packed: %d lines are falsely shared, the worst %d times by %d threads", len(falselyShared(packed)),
			worst.False, len(worst.Users))
	}
	for i, u := range worst.Users {
		for _, v := range worst.Users[:i] {
			if u.Written&v.Written != 0 {
				t.Errorf("threads %d and %d wrote the same bytes, %b and %b", u.Thread, v.Thread, u.Written, v.Written)
			}
		}
	}
	padded, err := FindSharing(context.Background(), open(t, "../../testdata/recordings/sharing-padded.orr"), c, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(falselyShared(padded)); n != 0 {
		t.Errorf("padded: %d lines are falsely shared: %+v", n, padded.Lines)
	}
	if _, err := FindSharing(context.Background(), rec, c.WithCores(1), 1, nil); err == nil {
		t.Error("one core shares with itself")
	}
}

// TestInterleave holds the new order to what it promises: the same rows, each core's in their order, none across a
// mark, and turns that are kept while more than one core has rows left.
func TestInterleave(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 18))
		cores, turn := 2+r.IntN(3), 1+r.IntN(3)
		b := new(traceio.Block)
		for i := range 1 + r.IntN(300) {
			b.Append(traceio.Access{Addr: traceio.Addr(i), Kind: traceio.Kind(r.IntN(3)),
				Thread: traceio.Thread(r.IntN(1 + r.IntN(5)))})
		}
		mark := traceio.Seq(r.IntN(b.Data() + 1))
		b.Marks = []traceio.Mark{{Seq: mark / 2, Kind: traceio.UserMark}, {Seq: mark, Kind: traceio.ThreadEnd}}
		w := interleaver{turn: turn, cores: cores}
		w.reorder(b) // what is kept for the next block must not matter
		got, order := w.reorder(b)
		seqs := make([]traceio.Seq, b.Len())
		for i, seq := 0, traceio.Seq(0); i < b.Len(); i++ {
			if seqs[i] = seq; b.Kind[i] != traceio.Fetch {
				seq++
			}
		}
		last := map[int]int{}
		seen := map[int]bool{}
		late := false
		for i := range got.Addr {
			row := int(got.Addr[i])
			if order[i] != seqs[row] {
				t.Fatalf("seed %d: row %d is reference %d, not %d", seed, row, seqs[row], order[i])
			}
			core := int(b.Thread[row]) % cores
			if seen[row] || rowOf(got, i) != rowOf(b, row) {
				t.Fatalf("seed %d: row %d is twice or another", seed, row)
			}
			if before, ok := last[core]; ok && before > row {
				t.Fatalf("seed %d: row %d of core %d comes after %d", seed, row, core, before)
			}
			if late = late || seqs[row] >= mark; late && seqs[row] < mark {
				t.Fatalf("seed %d: row %d crosses the mark", seed, row)
			}
			seen[row], last[core] = true, row
		}
		if got.Len() != b.Len() {
			t.Fatalf("seed %d: %d rows of %d", seed, got.Len(), b.Len())
		}
	}
	b := new(traceio.Block)
	for i := range 8 {
		b.Append(traceio.Access{Addr: traceio.Addr(i), Thread: traceio.Thread(i / 5)})
	}
	w := interleaver{turn: 2, cores: 2}
	order, _ := w.reorder(b)
	if got, want := fmt.Sprint(order.Addr), fmt.Sprint([]traceio.Addr{0, 1, 5, 6, 2, 3, 7, 4}); got != want {
		t.Errorf("turns of two: %s, want %s", got, want)
	}
}

// falselyShared are the lines with false sharing, which come first.
func falselyShared(s *Sharing) []SharedLine {
	n := slices.IndexFunc(s.Lines, func(l SharedLine) bool { return l.False == 0 })
	if n < 0 {
		n = len(s.Lines)
	}
	return s.Lines[:n]
}

package topology

import (
	"context"
	"math"
	"slices"
	"testing"

	"orrery/traceio"
	"orrery/traceio/store"
)

func openRecording(t testing.TB, name string) *store.Recording {
	t.Helper()
	rec, err := store.Open(context.Background(), "../../testdata/recordings/"+name+".orr", store.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

// TestTurnsOfShippedRecordings: the programs say how often their loops run.
func TestTurnsOfShippedRecordings(t *testing.T) {
	for _, row := range []struct {
		name  string
		first int // among how many of the first ranks
		turns []int
		why   string
	}{
		{"bubble-array-sorted", 1, []int{4}, "comparisons"},
		{"bubble-array-reversed", 2, []int{10, 4}, "compare and swap (inner), sweeps (outer)"},
		{"bubble-array-shuffled", 4, []int{6, 4, 4}, "swaps, sweeps, comparisons without a swap"},
		{"bubble-vector-sorted", 2, []int{8, 4}, "look-ups, comparisons"},
		{"bubble-vector-reversed", 3, []int{40, 4, 10},
			"look-ups (2 for each comparison and each swap), sweeps, compare and swap"},
		{"bubble-vector-shuffled", 5, []int{32, 4, 10, 6, 4}, "look-ups (2 for each of 10 comparisons and 6 swaps), " +
			"sweeps, comparisons, swaps, comparisons without a swap"},
		{"mpm-5", 5, []int{80, 5, 20, 40}, "calls of shape functions in x and y, particles, nodes, calls of shape"},
	} {
		t.Run(row.name, func(t *testing.T) {
			symbols, _, err := Symbols(context.Background(), openRecording(t, row.name), Selection{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			res, err := Analyze(context.Background(), symbols, Options{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			left := map[int]int{}
			for _, p := range res.Parameterizations[:row.first] {
				left[int(math.Round(p.Turns))]++
				t.Logf("rank %d [%g, %g): %.2f turns, score %.2f", p.Rank, p.Birth, p.Death, p.Turns, p.Score)
			}
			for _, n := range row.turns {
				if left[n]--; left[n] < 0 {
					t.Errorf("no %d turns among the first %d parameterizations (%s)", n, row.first, row.why)
				}
			}
		})
	}
}

// TestLoopsOfWholeRuns: by source line a whole multiplication is a few dozen windows, and each of its loops turns as
// often as its body runs. The last round of a loop has no successor to return to: half a turn is missing.
func TestLoopsOfWholeRuns(t *testing.T) {
	for _, row := range []struct {
		name  string
		first int
		turns []float64
		why   string
	}{
		{"matmul-standard", 3, []float64{16, 256, 4096}, "i, j, k"},
		{"matmul-transposed", 3, []float64{16, 256, 4096}, "i, j, k"},
		{"matmul-blocked", 5, []float64{4, 256, 1024, 4096}, "jj, i, j, k"},
	} {
		t.Run(row.name, func(t *testing.T) {
			rec := openRecording(t, row.name)
			lineOf := func(pc traceio.Addr) uint32 { return uint32(rec.Program().SiteAt(pc).Own().Line) }
			symbols, _, err := Symbols(context.Background(), rec, Selection{Alphabet: Alphabet{Kind: ByLine}}, lineOf)
			if err != nil {
				t.Fatal(err)
			}
			res, err := Analyze(context.Background(), symbols, Options{Top: row.first}, nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []float64
			for _, p := range res.Parameterizations {
				got = append(got, p.Turns)
			}
			for _, want := range row.turns {
				if !slices.ContainsFunc(got, func(turns float64) bool { return math.Abs(turns-want) <= 0.6 }) {
					t.Errorf("no %g turns among %.1f (%s)", want, got, row.why)
				}
			}
		})
	}
}

// busiest is how often most of the frequent instructions ran: those of the innermost loop's body. Its condition runs
// once more each time the loop is left.
func busiest(often map[[2]uint64]int) int {
	most, same := 0, map[int]int{}
	for _, n := range often {
		most = max(most, n)
		same[n]++
	}
	best := most
	for n, instructions := range same {
		if n > most/2 && (instructions > same[best] || instructions == same[best] && n > best) {
			best = n
		}
	}
	return best
}

// TestInnerLoopsOfShippedRecordings: in a stretch that ends anywhere, the instructions say how often the innermost loop
// ran.
func TestInnerLoopsOfShippedRecordings(t *testing.T) {
	for _, name := range []string{"matmul-standard", "matmul-blocked"} {
		rec := openRecording(t, name)
		sel := Selection{From: 2000, Count: 500}
		symbols, _, err := Symbols(context.Background(), rec, sel, nil)
		if err != nil {
			t.Fatal(err)
		}
		often := map[[2]uint64]int{}
		for s := sel.From; s < sel.From+traceio.Seq(sel.Count); s++ {
			b, err := rec.Block(rec.Find(s))
			if err != nil {
				t.Fatal(err)
			}
			a := b.At(s)
			often[[2]uint64{uint64(a.PC), uint64(a.Kind)}]++
		}
		want := busiest(often)
		res, err := Analyze(context.Background(), symbols, Options{Top: 3}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := res.Parameterizations[0].Turns; math.Abs(got-float64(want)) > 1.5 {
			t.Errorf("%s: %.2f turns, but the inner loop ran %d times", name, got, want)
		}
	}
}

// TestSymbolsOfARecording checks the selection against a walk over single references.
func TestSymbolsOfARecording(t *testing.T) {
	rec := openRecording(t, "bubble-vector-reversed")
	for _, sel := range []Selection{
		{}, {From: 100, Count: 300}, {From: 5, Every: 7}, {Count: 1 << 40}, {From: 70, Count: 50, Every: 50},
		{Alphabet: Alphabet{Kind: ByAccess}}, {Alphabet: Alphabet{Kind: ByBlock, Block: 64}},
		{Alphabet: Alphabet{Kind: ByPC}},
		{Alphabet: Alphabet{Kind: ByLine}}, {Keep: func(addr, pc traceio.Addr) bool { return addr%16 == 0 }, Every: 3},
	} {
		lineOf := func(pc traceio.Addr) uint32 { return uint32(pc / 8) }
		got, seqs, err := Symbols(context.Background(), rec, sel, lineOf)
		if err != nil {
			t.Fatal(err)
		}
		var wantSeqs []traceio.Seq
		var keys [][2]uint64
		kept := 0
		for s := sel.From; s < rec.Len() && (sel.Count == 0 || s < sel.From+traceio.Seq(sel.Count)); s++ {
			b, err := rec.Block(rec.Find(s))
			if err != nil {
				t.Fatal(err)
			}
			a := b.At(s)
			if sel.Keep != nil && !sel.Keep(a.Addr, a.PC) {
				continue
			}
			if kept++; (kept-1)%max(sel.Every, 1) != 0 {
				continue
			}
			wantSeqs = append(wantSeqs, s)
			keys = append(keys, map[AlphabetKind][2]uint64{
				ByAddress: {uint64(a.Addr)}, ByAccess: {uint64(a.Addr), uint64(a.Kind)}, ByBlock: {uint64(a.Addr) / 64},
				ByLine: {uint64(a.PC) / 8}, ByPC: {uint64(a.PC)},
			}[sel.Alphabet.Kind])
		}
		if len(got) != len(keys) || len(seqs) != len(keys) {
			t.Errorf("%+v: %d symbols, want %d", sel, len(got), len(keys))
			continue
		}
		symbolOf, keyOf := map[[2]uint64]uint32{}, map[uint32][2]uint64{}
		for i, k := range keys {
			if seqs[i] != wantSeqs[i] {
				t.Fatalf("%+v: symbol %d is of reference %d, want %d", sel, i, seqs[i], wantSeqs[i])
			}
			s, known := symbolOf[k]
			k2, used := keyOf[got[i]]
			if known != used || known && (s != got[i] || k2 != k) {
				t.Fatalf("%+v: reference %d: symbol %d does not stand for %x alone", sel, seqs[i], got[i], k)
			}
			symbolOf[k], keyOf[got[i]] = got[i], k
		}
	}
}

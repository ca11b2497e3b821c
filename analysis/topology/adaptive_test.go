package topology

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
)

// nested is an outer loop around an inner one with other code between.
func nested(outer, inner int) []uint32 {
	var out []uint32
	for range outer {
		for k := range uint32(25) {
			out = append(out, 100+k)
		}
		out = append(out, ring(20, inner)...)
	}
	return out
}

// parameterized gives the parameterization whose turns are nearest to a number.
func parameterized(t *testing.T, res *Result, turns float64) *Parameterization {
	t.Helper()
	best := &res.Parameterizations[0]
	for i := range res.Parameterizations {
		if p := &res.Parameterizations[i]; math.Abs(p.Turns-turns) < math.Abs(best.Turns-turns) {
			best = p
		}
	}
	return best
}

func TestAdaptiveThinsWhatIsExplained(t *testing.T) {
	symbols := nested(6, 12)
	res, err := Analyze(context.Background(), symbols, Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	inner := parameterized(t, res, 72)
	if math.Abs(inner.Turns-72) > 4 {
		t.Fatalf("the inner loop turns %g times, want 72", inner.Turns)
	}
	kept, err := res.Adaptive(symbols, []int{inner.Rank}, 4)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.IsSorted(kept) || len(slices.Compact(slices.Clone(kept))) != len(kept) {
		t.Fatalf("positions %v", kept)
	}
	// Whole turns go: what is left is the code between and some turns of the inner loop.
	left, rounds, turns := Pick(symbols, kept), 0, 0
	for i := 0; i < len(left); {
		switch {
		case slices.Equal(left[i:min(i+25, len(left))], nested(1, 0)):
			rounds, i = rounds+1, i+25
		case slices.Equal(left[i:min(i+20, len(left))], ring(20, 1)):
			turns, i = turns+1, i+20
		default:
			t.Fatalf("record %d of what is left begins neither a round nor a turn: %v", i, left[i:])
		}
	}
	if rounds != 6 || turns > 40 || turns < 6*3 {
		t.Errorf("%d rounds with %d turns are left of 6 with 72", rounds, turns)
	}
	again, err := Analyze(context.Background(), left, Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if outer := parameterized(t, again, 6); math.Abs(outer.Turns-6) > 0.5 {
		t.Errorf("the outer loop turns %g times in what is left, want 6", outer.Turns)
	}
}

func TestAdaptiveOnALongerRun(t *testing.T) {
	long := append(nested(2, 12), 1000, 1001, 1002)
	long = append(long, nested(30, 40)...)
	res, err := Analyze(context.Background(), long[:500], Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	inner := parameterized(t, res, 24)
	kept, err := res.Adaptive(long, []int{inner.Rank}, 10)
	if err != nil {
		t.Fatal(err)
	}
	if len(kept) > len(long)/2 {
		t.Errorf("%d of %d records are left", len(kept), len(long))
	}
	for i, s := range long {
		if s >= 100 && !slices.Contains(kept, i) {
			t.Fatalf("record %d is no part of the inner loop, but gone", i)
		}
	}
}

func TestAdaptiveKeepsAllWithoutReason(t *testing.T) {
	symbols := nested(3, 5)
	res, err := Analyze(context.Background(), symbols, Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := res.Adaptive(symbols, nil, 2)
	if err != nil || len(kept) != len(symbols) {
		t.Errorf("nothing accepted: %d of %d records left, %v", len(kept), len(symbols), err)
	}
	for _, short := range [][]uint32{nil, symbols[:3]} {
		if kept, err := res.Adaptive(short, []int{1}, 2); err != nil || len(kept) != len(short) {
			t.Errorf("%d records: %d left, %v", len(short), len(kept), err)
		}
	}
	matrix, err := AnalyzeMatrix(context.Background(), []float64{1, 2, 1, 1, 2, 1}, Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func() ([]int, error){
		"every turn":    func() ([]int, error) { return res.Adaptive(symbols, []int{1}, 1) },
		"no such rank":  func() ([]int, error) { return res.Adaptive(symbols, []int{99}, 2) },
		"not a trace":   func() ([]int, error) { return matrix.Adaptive(symbols, []int{1}, 2) },
		"negative rank": func() ([]int, error) { return res.Adaptive(symbols, []int{-1}, 2) },
	} {
		_, err := f()
		var e *Error
		if !errors.As(err, &e) || e.Reason != BadOption || e.Hint == "" {
			t.Errorf("%s: got error %v", name, err)
		}
	}
}

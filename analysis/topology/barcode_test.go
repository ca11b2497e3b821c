package topology

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestDistancesAgreeWithTable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for w := MinWindow; w <= MaxWindow; w++ {
		c := makeCloud(loopy(r, w+14), w)
		got, err := c.distances(context.Background(), func(int64) {})
		if err != nil {
			t.Fatal(err)
		}
		e := 0
		for i := range c.start {
			for j := range i {
				if want := slowLevenshtein(c.window(int32(i)), c.window(int32(j))); int(got[e]) != want {
					t.Fatalf("w %d: windows %v and %v: got %d, want %d", w, c.window(int32(i)), c.window(int32(j)), got[e], want)
				}
				e++
			}
		}
	}
}

func TestBarcodeAgreesWithTextbookOnTraces(t *testing.T) {
	for seed := range uint64(25) {
		r := rand.New(rand.NewPCG(seed, 7))
		w := 2 + r.IntN(9)
		symbols := loopy(r, w+22)
		eps := 0.0
		if seed%3 == 0 {
			eps = float64(1 + r.IntN(w))
		}
		res, err := Analyze(context.Background(), symbols, Options{Window: w, Eps: eps}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if eps == 0 {
			eps = math.Inf(1)
		}
		n := len(symbols) - w + 1 // not merged: merging must not matter
		want := slowBarcode(n, func(i, j int) float64 {
			return float64(slowLevenshtein(symbols[i:i+w], symbols[j:j+w]))
		}, eps, 47)
		if got := sorted(res.Barcode); !slices.Equal(got, want) {
			t.Errorf("seed %d, w %d, eps %g, %v:\n got %v\nwant %v", seed, w, eps, symbols, got, want)
		}
	}
}

func TestBarcodeOfQuicksortEqualsOracle(t *testing.T) {
	o := readOracle(t)
	res, err := Analyze(context.Background(), oracleSymbols(t, o.From, o.Count), Options{Top: -1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if res.Points != o.Points {
		t.Errorf("%d distinct points, want %d", res.Points, o.Points)
	}
	if got, want := sorted(res.Barcode), o.bars(); !slices.Equal(got, want) {
		t.Errorf("got %d bars, want %d", len(got), len(want))
	}
}

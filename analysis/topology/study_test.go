package topology

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// TestAtEveryScale: at the scale of the analysis At repeats it; at all others the promises hold, and the class stays:
// what a whole analysis at that scale verifies, At verifies too.
func TestAtEveryScale(t *testing.T) {
	res, err := Analyze(context.Background(), loopy(rand.New(rand.NewPCG(4, 4)), 220), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range res.Parameterizations {
		p := &res.Parameterizations[i]
		scales := res.Scales(p.Rank)
		if scales[0] != p.Birth || scales[len(scales)-1] >= p.Death || !slices.IsSorted(scales) {
			t.Fatalf("rank %d: scales %v of [%g, %g)", p.Rank, scales, p.Birth, p.Death)
		}
		for _, s := range scales {
			q, err := res.At(context.Background(), p.Rank, s)
			if err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("rank %d at %g", p.Rank, s)
			checkGauge(t, name, res, q)
			if q.Scale != s || q.Triangles == 0 || q.Rank != p.Rank || q.Birth != p.Birth || q.Death != p.Death ||
				q.DuplicateOf != p.DuplicateOf {
				t.Errorf("%s: got scale %g, %d triangles, rank %d of [%g, %g)", name, q.Scale, q.Triangles,
					q.Rank, q.Birth, q.Death)
			}
			if s != p.Scale {
				continue
			}
			for k, u := range p.Unwrapped {
				if math.Abs(u-q.Unwrapped[k]) > 1e-6 && !(math.IsNaN(u) && math.IsNaN(q.Unwrapped[k])) {
					t.Fatalf("%s: time %d: %g turns, but %g in the analysis", name, k, q.Unwrapped[k], u)
				}
			}
		}
	}
	for _, rank := range []int{-1, 0, len(res.Barcode) + 1, len(res.Barcode)} {
		_, err := res.At(context.Background(), rank, 3)
		var e *Error
		if !errors.As(err, &e) || e.Reason != BadOption || res.Scales(rank) != nil {
			t.Errorf("rank %d: got error %v", rank, err)
		}
	}
}

func TestAtFromManyGoroutines(t *testing.T) {
	res, err := Analyze(context.Background(), ring(30, 5), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for _, s := range res.Scales(1) {
		all.Go(func() {
			p, err := res.At(context.Background(), 1, s)
			if err != nil || math.Abs(p.Turns-5) > 0.2 {
				t.Errorf("scale %g: %v, %v", s, p, err)
			}
		})
	}
	all.Wait()
}

// TestWeights: the weights of merged windows times their multiplicities give the angles of the windows not merged,
// which stand at distance 0 here.
func TestWeights(t *testing.T) {
	symbols := ring(12, 2)
	symbols = append(symbols, ring(24, 2)...)
	symbols = append(symbols, ring(12, 3)...)
	merged, err := Analyze(context.Background(), symbols, Options{Window: 5, Weights: WeightsTimes}, nil)
	if err != nil {
		t.Fatal(err)
	}
	n := len(symbols) - 4
	var lower []float64
	for i := range n {
		for j := range i {
			lower = append(lower, float64(slowLevenshtein(symbols[i:i+5], symbols[j:j+5])))
		}
	}
	apart, err := AnalyzeMatrix(context.Background(), lower, Options{Scale: -1, Weights: WeightsEqual}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(sorted(merged.Barcode), sorted(apart.Barcode)) {
		t.Fatalf("bars %v, not merged %v", merged.Barcode, apart.Barcode)
	}
	p := merged.Parameterizations[0]
	if !slices.ContainsFunc(apart.Parameterizations, func(q Parameterization) bool { // whose ties begin at other points
		return p.Birth == q.Birth && p.Death == q.Death && slices.EqualFunc(p.Unwrapped, q.Unwrapped,
			func(a, b float64) bool { return math.Abs(a-b) < 1e-6 })
	}) {
		t.Errorf("rank 1, %.1f turns, is none of those that are not merged", p.Turns)
	}
	equal, err := Analyze(context.Background(), symbols, Options{Window: 5}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Equal(equal.Parameterizations[0].Unwrapped, p.Unwrapped) {
		t.Error("equal weights give the same angles: the test shows nothing")
	}
	for w := WeightsAuto; w <= WeightsBoth; w++ {
		if got, err := ParseWeights(w.String()); err != nil || got != w {
			t.Errorf("%v: got %v, %v", w, got, err)
		}
		if _, err := Analyze(context.Background(), symbols, Options{Weights: w}, nil); err != nil {
			t.Errorf("%v: %v", w, err)
		}
	}
}

package topology

import (
	"context"
	"math/rand/v2"
	"testing"
)

func TestDistancesAreThoseOfTheAnalysis(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	symbols := make([]uint32, 120)
	for i := range symbols {
		symbols[i] = uint32(rng.IntN(4))
	}
	const w = 5
	for _, landmarks := range []int{0, 20} {
		lower, point, err := Distances(context.Background(), symbols, w, landmarks)
		if err != nil {
			t.Fatal(err)
		}
		res, err := Analyze(context.Background(), symbols, Options{Window: w, Landmarks: landmarks}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(lower) != res.Kept*(res.Kept-1)/2 {
			t.Fatalf("landmarks %d: %d distances of %d points", landmarks, len(lower), res.Kept)
		}
		for i, p := range point {
			if p != res.Point[i] {
				t.Fatalf("landmarks %d: window %d is point %d, in the analysis %d", landmarks, i, p, res.Point[i])
			}
		}
		if landmarks > 0 {
			continue
		}
		for i := range point {
			for j := range i {
				a, b := point[i], point[j]
				if a == b {
					continue
				}
				a, b = max(a, b), min(a, b)
				if got, want := lower[int(a)*int(a-1)/2+int(b)], slowLevenshtein(symbols[i:i+w], symbols[j:j+w]); int(got) != want {
					t.Fatalf("windows %d and %d are %d apart, want %d", i, j, got, want)
				}
			}
		}
	}
	if _, _, err := Distances(context.Background(), symbols[:3], w, 0); err == nil {
		t.Error("three records have no window of five")
	}
	if _, _, err := Distances(context.Background(), symbols, 65, 0); err == nil {
		t.Error("a window of 65 is too long")
	}
}

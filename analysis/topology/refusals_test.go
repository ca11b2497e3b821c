package topology

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"orrery/traceio"
)

// vast is a recording that says it has 100 million references.
type vast struct{ Recording }

func (vast) Len() traceio.Seq { return 100_000_000 }

// TestEveryRefusalSaysWhatToChange: bad input gets one sentence with what is wrong and what to do about it, word for
// word.
func TestEveryRefusalSaysWhatToChange(t *testing.T) {
	rec, _ := particleCode(10, 8, 1)
	analyze := func(symbols []uint32, opt Options) func() (*Result, error) {
		return func() (*Result, error) { return Analyze(context.Background(), symbols, opt, nil) }
	}
	points := func(p [][]float64, opt Options) func() (*Result, error) {
		return func() (*Result, error) { return AnalyzePoints(context.Background(), p, opt, nil) }
	}
	matrix := func(lower []float64, opt Options) func() (*Result, error) {
		return func() (*Result, error) { return AnalyzeMatrix(context.Background(), lower, opt, nil) }
	}
	symbols := func(sel Selection) func() (*Result, error) {
		return func() (*Result, error) {
			_, _, err := Symbols(context.Background(), rec, sel, nil)
			return nil, err
		}
	}
	stream := ring(3000, 1)
	for _, row := range []struct {
		name string
		do   func() (*Result, error)
		says string
	}{
		{"too few records", analyze(ring(6, 2), Options{}),
			"12 references are too few for windows of 10: a cycle needs at least 13; choose a longer range, sample less, or " +
				"use a smaller window"},
		{"far too many records", func() (*Result, error) {
			_, _, err := Symbols(context.Background(), vast{rec}, Selection{From: 1000, Every: 2}, nil)
			return nil, err
		}, "49999500 references are too many to look at one by one, 8388608 are the limit; look at the phases of the whole " +
			"run with --overview, choose a --count, or sample with --every 12"},
		{"one distinct window", analyze(make([]uint32, 100), Options{}),
			"all 91 windows are the same: there is nothing to tell apart; choose a longer range or a finer alphabet"},
		{"no class", analyze(ring(40, 1), Options{}),
			"no class of windows of 10 at any scale; choose another range, another window, or a coarser alphabet such as " +
				"block:64 or line"},
		{"eps connects nothing", analyze(ring(40, 3), Options{Eps: 1}),
			"eps 1 connects no two points: the smallest distance is 2; allow larger scales: choose a larger eps, or none"},
		{"eps too small for a class", analyze(ring(40, 1), Options{Eps: 5}),
			"no class of windows of 10 at scales up to 5; allow larger scales: choose a larger eps, or none"},
		{"too many windows for memory", analyze(stream, Options{Memory: 16 << 20}),
			"2991 distinct windows need about 171 MiB of memory and 16 MiB is the limit, enough for 915; choose a smaller " +
				"--count, sample with --every, or use a coarser alphabet such as block:64, or let --landmarks 1000 stand for them"},
		{"window", analyze(stream, Options{Window: 65}), "a window of 65 records is out of range; choose 2 to 64"},
		{"prime", analyze(stream, Options{Prime: 48}), "48 is not a prime below 32768; 47 is a good one"},
		{"eps", analyze(stream, Options{Eps: -1}), "eps cannot be negative; leave it out to use every scale"},
		{"scale", analyze(stream, Options{Scale: 1.5}), "scale 1.5 is beyond death (1); choose 0 to 1"},
		{"landmarks", analyze(stream, Options{Landmarks: 2}), "2 landmarks are too few; choose 1000"},
		{"weights", analyze(stream, Options{Weights: 9}), "there are no weights 9; use auto, equal, degree, times or both"},
		{"behind the end", symbols(Selection{From: rec.Len()}),
			"the range begins at reference 2930, but the recording has 2930; choose a smaller --from"},
		{"lines of a recording without", symbols(Selection{Alphabet: Alphabet{Kind: ByLine}}),
			"the alphabet is source lines, but this recording has none; use address or pc"},
		{"negative count", symbols(Selection{Count: -1}),
			"a count and a sampling interval cannot be negative; use --count 1000 --every 1"},
		{"few points", points([][]float64{{1}, {2}}, Options{}),
			"2 points are too few: a cycle needs at least 4; give more points"},
		{"points on no loop", points([][]float64{{1}, {2}, {3}, {5}}, Options{}),
			"the points lie on no loop: there is no class at any scale; give more points: along a loop they must lie closer " +
				"to each other than the loop is wide"},
		{"ragged points", points([][]float64{{1}, {2}, {3, 4}, {5}}, Options{}),
			"point 3 has 2 coordinates, but the first has 1; give every point as many coordinates"},
		{"endless points", points([][]float64{{1}, {2}, {math.Inf(1)}, {5}}, Options{}),
			"coordinate 1 of point 3 is +Inf; coordinates are finite numbers"},
		{"distant points", points([][]float64{{1e200}, {-1e200}, {3}, {5}}, Options{}),
			"the distance of points 2 and 1 is +Inf; distances are finite and not negative"},
		{"many points", points(make([][]float64, 3000), Options{Memory: 16 << 20}),
			"3000 points need about 172 MiB of memory and 8 MiB is the limit, enough for 647; give fewer points, or let " +
				"--landmarks 1000 stand for them"},
		{"negative distance", matrix([]float64{1, 1, 1, 1, -1, 1}, Options{}),
			"the distance of points 4 and 2 is -1; distances are finite and not negative"},
		{"no triangle", matrix(make([]float64, 5), Options{}),
			"5 distances do not fill a triangle; give 1, 2, 3, ... distances in the rows"},
	} {
		res, err := row.do()
		got := ""
		var e *Error
		switch {
		case errors.As(err, &e):
			got = e.Error()
		case err != nil:
			got = "not ours: " + err.Error()
		case res.Problem != nil:
			got = res.Problem.Error()
		}
		if got != row.says {
			t.Errorf("%s:\n got %q\nwant %q", row.name, got, row.says)
		}
	}
}

// TestTorsionIsExplained: the class that is none over the integers is named, with the reason.
func TestTorsionIsExplained(t *testing.T) {
	res, err := AnalyzeMatrix(context.Background(), twisted(3), Options{Prime: 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Notes) != 1 || !strings.HasPrefix(res.Notes[0],
		"the class [1, 2) has no angle: modulo 3 it exists, but no integer cocycle was found for it (around points ") ||
		!strings.HasSuffix(res.Notes[0], "primes up to 7 tried): it may be a twist of order 3 rather than a cycle") {
		t.Errorf("notes %q", res.Notes)
	}
}

// TestLandmarksOfPoints: a circle of many points keeps its angles, every point is within the radius told of its
// landmark.
func TestLandmarksOfPoints(t *testing.T) {
	points, angle := noisyCircle(rand.New(rand.NewPCG(3, 9)), 400, 0.02)
	for _, k := range []int{60, 200} {
		res, err := AnalyzePoints(context.Background(), points, Options{Landmarks: k}, nil)
		if err != nil {
			t.Fatal(err)
		}
		same, err := AnalyzeMatrix(context.Background(), euclid(points), Options{Landmarks: k}, nil)
		if err != nil {
			t.Fatal(err)
		}
		far := 0.0
		for i, p := range points {
			least := math.Inf(1)
			for j, q := range points {
				if res.Point[j] == res.Point[i] {
					least = min(least, distance(p, q))
				}
			}
			far = max(far, least)
		}
		if !res.Approximate || res.Kept != k || res.Points != 400 || res.Times != 400 || far > res.Cover ||
			same.Cover != res.Cover || len(res.Notes) != 1 {
			t.Errorf("%d landmarks: kept %d of %d, cover %g and %g as a matrix, notes %q", k, res.Kept, res.Points, res.Cover,
				same.Cover, res.Notes)
		}
		if off := angleError(res.Parameterizations[0], angle); off > res.Cover+0.12 {
			t.Errorf("%d landmarks: angles off by %.3f rad with cover %.3f", k, off, res.Cover)
		}
	}
	whole, err := AnalyzePoints(context.Background(), points[:50], Options{Landmarks: 50}, nil)
	if err != nil || whole.Approximate || whole.Cover != 0 {
		t.Errorf("as many landmarks as points: approximate %v, %v", whole.Approximate, err)
	}
}

// TestSymbolsOfNothing: an empty recording is told from an empty range.
func TestSymbolsOfNothing(t *testing.T) {
	_, _, err := Symbols(context.Background(), &memory{blocks: []*traceio.Block{{}}}, Selection{}, nil)
	if err == nil || err.Error() != "the recording has no references; record again, with fewer restrictions" {
		t.Errorf("got %v", err)
	}
}

package topology

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// ring is a loop of length period, run times over.
func ring(period, times int) []uint32 {
	var out []uint32
	for range times {
		for k := range period {
			out = append(out, uint32(k))
		}
	}
	return out
}

func TestSimpleLoopTurns(t *testing.T) {
	lead := []uint32{100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112}
	for _, row := range []struct {
		name    string
		symbols []uint32
		turns   float64
	}{
		{"thirty symbols, eight times", ring(30, 8), 8},
		{"thirty symbols, 7.5 times", ring(30, 8)[:225], 7.5},
		{"between other code", append(append(append([]uint32{}, lead...), ring(30, 6)...), 200, 201, 202, 203, 204, 205, 206,
			207, 208, 209, 210), 6},
	} {
		res, err := Analyze(context.Background(), row.symbols, Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Parameterizations) == 0 || res.Barcode[0] != (Bar{2, 10, false}) {
			t.Fatalf("%s: bars %v, want [2, 10) first", row.name, res.Barcode)
		}
		p := res.Parameterizations[0]
		// At both ends up to half a window of the truth may be missing or added.
		if tolerance := 5.0/30 + 0.02; math.Abs(p.Turns-row.turns) > tolerance {
			t.Errorf("%s: %.3f turns, want %g within %.3f", row.name, p.Turns, row.turns, tolerance)
		}
		checkGauge(t, row.name, res, &p)
	}
}

// checkGauge checks what every parameterization promises.
func checkGauge(t *testing.T, name string, res *Result, p *Parameterization) {
	t.Helper()
	n := res.Times
	if len(p.Theta) != n || len(p.Unwrapped) != n || len(p.Members) != n || len(res.Point) != n {
		t.Fatalf("%s: arrays of %d, %d, %d, %d, want %d", name, len(p.Theta), len(p.Unwrapped),
			len(p.Members), len(res.Point), n)
	}
	count, first := 0, -1
	for i, u := range p.Unwrapped {
		a := float64(p.Theta[i])
		if p.Members[i] {
			if count++; first < 0 {
				first = i
			}
		}
		if math.IsNaN(u) != math.IsNaN(a) {
			t.Fatalf("%s: time %d: unwrapped %g but theta %g", name, i, u, a)
		}
		if math.IsNaN(u) {
			continue
		}
		if a < 0 || a >= 2*math.Pi || math.Abs(math.Remainder(a/(2*math.Pi)-u, 1)) > 1e-6 {
			t.Fatalf("%s: time %d: theta %g, unwrapped %g turns", name, i, a, u)
		}
	}
	if count != p.Count || first != p.First {
		t.Errorf("%s: %d members from %d, but Count %d and First %d", name, count, first, p.Count, p.First)
	}
	if first >= 0 && p.Unwrapped[first] != 0 {
		t.Errorf("%s: the first member is at %g turns, want 0", name, p.Unwrapped[first])
	}
	if p.Winding < 0 || p.Turns < p.Winding || p.Winding > p.Travel*(1+1e-9) || p.Score < 0 || p.Score > 1 {
		t.Errorf("%s: winding %g, turns %g, travel %g, score %g", name, p.Winding, p.Turns, p.Travel, p.Score)
	}
	if p.Birth >= p.Death || p.Scale < p.Birth || p.Scale >= p.Death {
		t.Errorf("%s: scale %g of [%g, %g)", name, p.Scale, p.Birth, p.Death)
	}
}

func TestParameterizationsKeepTheirPromises(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 11))
		for _, scale := range []float64{-1, 0.5, 1} {
			res, err := Analyze(context.Background(), loopy(r, 150), Options{Window: 4 + r.IntN(8), Scale: scale, Top: 20}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i := range res.Parameterizations {
				p := &res.Parameterizations[i]
				name := fmt.Sprintf("seed %d, scale %g, rank %d", seed, scale, p.Rank)
				checkGauge(t, name, res, p)
				if b := res.Barcode[p.Rank-1]; b.Birth != p.Birth || b.Death != p.Death {
					t.Errorf("%s: [%g, %g) is not bar %v", name, p.Birth, p.Death, b)
				}
			}
			for i := 1; i < len(res.Barcode); i++ {
				if res.Barcode[i].Persistence() > res.Barcode[i-1].Persistence() {
					t.Errorf("seed %d: bar %d outlasts the one before", seed, i)
				}
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	flat := make([]uint32, 100)
	for _, row := range []struct {
		name    string
		symbols []uint32
		opt     Options
		reason  Reason
		says    string
	}{
		{"empty", nil, Options{}, TooShort, "0 references"},
		{"twelve records", ring(6, 2), Options{}, TooShort, "needs at least 13"},
		{"one window", flat, Options{}, OnePoint, "91 windows"},
		{"window 1", flat, Options{Window: 1}, BadOption, "2 to 64"},
		{"window 65", flat, Options{Window: 65}, BadOption, "2 to 64"},
		{"prime 48", flat, Options{Prime: 48}, BadOption, "48 is not a prime"},
		{"negative eps", flat, Options{Eps: -1}, BadOption, "eps"},
		{"memory", ring(50, 3), Options{Memory: 1000}, TooLarge, "--every"},
	} {
		res, err := Analyze(context.Background(), row.symbols, row.opt, nil)
		var e *Error
		if res != nil || !errors.As(err, &e) || e.Reason != row.reason || !strings.Contains(err.Error(), row.says) {
			t.Errorf("%s: got %v, want reason %d and %q", row.name, err, row.reason, row.says)
		}
	}
	for _, row := range []struct {
		name    string
		symbols []uint32
		eps     float64
		reason  Reason
	}{
		{"a line", ring(40, 1), 0, NoClass},
		{"eps too small", ring(40, 3), 1, Disconnected},
		{"eps below the death of nothing", ring(40, 1), 5, NoClass},
	} {
		res, err := Analyze(context.Background(), row.symbols, Options{Eps: row.eps}, nil)
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		if len(res.Barcode) > 0 || res.Problem == nil || res.Problem.Reason != row.reason || res.Problem.Hint == "" ||
			len(res.Notes) > 0 {
			t.Errorf("%s: bars %v, problem %v, notes %q", row.name, res.Barcode, res.Problem, res.Notes)
		}
	}
}

func TestSameResultWhateverTheProcessors(t *testing.T) {
	symbols := loopy(rand.New(rand.NewPCG(3, 4)), 250)
	var first *Result
	for _, procs := range []int{1, 2, 7} {
		before := runtime.GOMAXPROCS(procs)
		res, err := Analyze(context.Background(), symbols, Options{}, nil)
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = res
		} else if !reflect.DeepEqual(res, first) {
			t.Errorf("the result with %d processors differs from that with one", procs)
		}
	}
}

func TestCancelStopsEveryStage(t *testing.T) {
	symbols := loopy(rand.New(rand.NewPCG(3, 4)), 400)
	goroutines := runtime.NumGoroutine()
	for _, part := range []int64{0, 5, 50, 80} { // percent
		ctx, cancel := context.WithCancel(context.Background())
		last := int64(-1)
		_, err := Analyze(ctx, symbols, Options{}, func(done, total int64) {
			if done <= last || done > total {
				t.Errorf("progress went from %d to %d of %d", last, done, total)
			}
			if last = done; done*100 >= part*total {
				cancel()
			}
		})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled at %d percent: got error %v", part, err)
		}
	}
	for range 100 {
		if runtime.NumGoroutine() <= goroutines {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines outlive the call", runtime.NumGoroutine()-goroutines)
}

func TestShares(t *testing.T) {
	p := &Parameterization{Members: []bool{false, true, true, true, true, true, false}, Count: 5}
	got := Shares(p, func(time int) string { return []string{"x", "a", "b", "b", "a", "c", "x"}[time] })
	want := []Share[string]{{"a", 2, 0.4, 1}, {"b", 2, 0.4, 2}, {"c", 1, 0.2, 5}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestAlphabets(t *testing.T) {
	for _, s := range []string{"address", "access", "block:64", "block:4096", "line", "pc"} {
		if a, err := ParseAlphabet(s); err != nil || a.String() != s {
			t.Errorf("%s: got %v, %v", s, a, err)
		}
	}
	if a, err := ParseAlphabet("block"); err != nil || a.Block != 64 {
		t.Errorf("block: got %v, %v", a, err)
	}
	for _, s := range []string{"", "addresses", "block:", "block:0", "block:48", "block:-1", "pc:4", "Line"} {
		if a, err := ParseAlphabet(s); err == nil {
			t.Errorf("%q: got %v, want an error", s, a)
		}
	}
}

func FuzzParseAlphabet(f *testing.F) {
	f.Add("block:64")
	f.Add("address")
	f.Add("line:")
	f.Fuzz(func(t *testing.T, s string) {
		a, err := ParseAlphabet(s)
		if err != nil {
			return
		}
		if b, err := ParseAlphabet(a.String()); err != nil || a != b {
			t.Errorf("%q: %v prints as %s, which reads as %v, %v", s, a, a, b, err)
		}
	})
}

// FuzzAnalyze: whatever the sequence, a result keeps its promises or there is a sentence.
func FuzzAnalyze(f *testing.F) {
	f.Add([]byte("abcdeabcdeabcdeabcdeabcdeabcde"), 5, 0)
	f.Add([]byte("aaaaaaaaaaaaaaaaabaaaaaaaaaaaaa"), 3, 2)
	f.Add([]byte("abcabcabcxyzxyzabcabcxyz"), 2, 1)
	f.Fuzz(func(t *testing.T, text []byte, window, eps int) {
		symbols := make([]uint32, min(len(text), 120))
		for i := range symbols {
			symbols[i] = uint32(text[i])
		}
		res, err := Analyze(context.Background(), symbols, Options{Window: window, Eps: float64(eps)}, nil)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Msg == "" {
				t.Fatalf("error %v is no sentence of ours", err)
			}
			return
		}
		for i := range res.Parameterizations {
			checkGauge(t, "fuzz", res, &res.Parameterizations[i])
		}
	})
}

func TestLandmarksStandForTheRest(t *testing.T) {
	symbols := loopy(rand.New(rand.NewPCG(8, 8)), 330)
	exact, err := Analyze(context.Background(), symbols, Options{Top: -1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []int{40, 200, exact.Points} {
		res, err := Analyze(context.Background(), symbols, Options{Landmarks: k}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if res.Points != exact.Points || res.Kept != k || res.Approximate != (k < exact.Points) {
			t.Errorf("%d landmarks: %d of %d points kept, approximate %v", k, res.Kept, res.Points, res.Approximate)
		}
		for i := range res.Parameterizations {
			checkGauge(t, fmt.Sprintf("%d landmarks", k), res, &res.Parameterizations[i])
		}
		if k == exact.Points && len(res.Barcode) != len(exact.Barcode) {
			t.Errorf("all points as landmarks: %d bars, want %d", len(res.Barcode), len(exact.Barcode))
		}
	}
}

func TestEveryWindowIsNearItsLandmark(t *testing.T) {
	symbols := loopy(rand.New(rand.NewPCG(8, 9)), 500)
	w := 10
	for _, k := range []int{4, 30, 120, 100000} {
		c := makeCloud(symbols, w)
		all := len(c.start)
		radius, err := c.thin(context.Background(), k)
		if err != nil {
			t.Fatal(err)
		}
		far := 0
		for i, p := range c.point {
			far = max(far, slowLevenshtein(c.symbols[i:i+w], c.window(p)))
		}
		if far != int(radius) || len(c.start) != min(k, all) {
			t.Errorf("%d landmarks: %d kept, radius %d, but a window is at %d", k, len(c.start), radius, far)
		}
	}
}

// TestC3TiesGoByBirthThenByTime: whatever turns out steadier, of equally persistent classes the one that is born first
// comes first, and of those the one whose cocycle begins first; also where many classes outlive the scales that are
// looked at.
func TestC3TiesGoByBirthThenByTime(t *testing.T) {
	symbols, _, err := Symbols(context.Background(), openRecording(t, "bubble-array-shuffled"), Selection{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, opt := range []Options{{}, {Eps: 3}, {Eps: 4, Top: 3}, {Window: 6}} {
		res, err := Analyze(context.Background(), symbols, opt, nil)
		if err != nil {
			t.Fatal(err)
		}
		list := res.study.a.ranked
		tied := 0
		for i, r := range list[1:] {
			before := list[i]
			if before.bar.Persistence() != r.bar.Persistence() {
				continue
			}
			tied++
			if before.bar.Birth > r.bar.Birth || before.bar.Birth == r.bar.Birth && before.first > r.first {
				t.Errorf("%+v: rank %d is %v from point %d on, rank %d %v from %d", opt, i+1, before.bar, before.first,
					i+2, r.bar, r.first)
			}
		}
		if tied == 0 || !slices.EqualFunc(list, res.Barcode, func(r ranked, b Bar) bool { return r.bar == b }) {
			t.Errorf("%+v: %d ties, %d classes, %d bars", opt, tied, len(list), len(res.Barcode))
		}
	}
}

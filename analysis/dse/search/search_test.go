package search

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"orrery/traceio"
)

// run does generations of a problem with 100 individuals.
func run(t testing.TB, p Problem, seed uint64, generations int) *Search {
	t.Helper()
	o := DefaultOptions(p)
	o.Seed = seed
	s, err := New(p, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(context.Background(), generations, nil, nil); err != nil {
		t.Fatal(err)
	}
	return s
}

// front are the objectives of the population's first front.
func front(s *Search) [][]float64 {
	var out [][]float64
	for k, i := range s.population {
		if s.standing[k].rank == 0 {
			out = append(out, s.designs[i].Result.Objectives)
		}
	}
	return out
}

// TestConvergence holds the mean distance between the final front and 500 points of the true one, after 160 generations
// of 100, against what Deb et al. 2002, table II, tell of NSGA-II with real variables after 250 (their metric of
// convergence).
func TestConvergence(t *testing.T) {
	for _, row := range []struct {
		name      string
		shape     func(f1, g float64) float64
		published float64
	}{{"ZDT1", zdt1, 0.033482}, {"ZDT2", zdt2, 0.072391}, {"ZDT3", zdt3, 0.114500}} {
		s := run(t, zdt(row.name, row.shape), 7, 160)
		found := front(s)
		sum, low, high := 0.0, math.Inf(1), 0.0
		for _, f := range found {
			nearest := math.Inf(1)
			for k := range 500 {
				x := float64(k) / 499
				nearest = min(nearest, math.Hypot(f[0]-x, f[1]-row.shape(x, 1)))
			}
			sum += nearest
			low, high = min(low, f[0]), max(high, f[0])
		}
		t.Logf("%s: %d on the front, %.6f from the true one, f1 from %.3f to %.3f", row.name, len(found),
			sum/float64(len(found)), low, high)
		if got := sum / float64(len(found)); got > row.published {
			t.Errorf("%s: the front is %.6f from the true one, published are %.6f", row.name, got, row.published)
		}
		if len(found) < 90 || low > 0.01 || high < 0.85 {
			t.Errorf("%s: the front has %d points with f1 from %v to %v", row.name, len(found), low, high)
		}
	}
}

// TestConvergenceOnBits: on ZDT5 every front is f1*f2 = g, and the true one g = 10.
func TestConvergenceOnBits(t *testing.T) {
	s := run(t, zdt5(), 3, 120)
	found, worst := front(s), 0.0
	for _, f := range found {
		worst = max(worst, f[0]*f[1])
	}
	t.Logf("%d on the front, g up to %v", len(found), worst)
	if worst > 20 || len(found) < 25 {
		t.Errorf("%d on the front, g up to %v; the deceptive front is at 20, the true one at 10 with 31 points", len(found),
			worst)
	}
}

// TestConvergenceInThreeObjectives: on DTLZ2's front the squares add up to 1.
func TestConvergenceInThreeObjectives(t *testing.T) {
	s := run(t, dtlz2(), 5, 60)
	found, sum := front(s), 0.0
	for _, f := range found {
		sum += math.Sqrt(f[0]*f[0]+f[1]*f[1]+f[2]*f[2]) - 1
	}
	mean := sum / float64(len(found))
	t.Logf("%d on the front, %.5f from the sphere", len(found), mean)
	if len(found) < 95 || mean > 0.02 {
		t.Errorf("%d on the front, %v from the sphere", len(found), mean)
	}
}

// same tells whether two searches did the same and will do the same.
func same(t *testing.T, got, want *Search) {
	t.Helper()
	var a, b bytes.Buffer
	if err := errors.Join(got.Save(&a), want.Save(&b)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) || !slices.Equal(got.population, want.population) ||
		!slices.Equal(got.standing, want.standing) {
		t.Errorf("the searches differ after %d and %d generations", len(got.generations), len(want.generations))
	}
}

func TestResumedEqualsUnbroken(t *testing.T) {
	p := zdt("ZDT3", zdt3)
	unbroken := run(t, p, 11, 30)
	same(t, run(t, p, 11, 30), unbroken)
	for _, stop := range []int{0, 1, 17} {
		var file bytes.Buffer
		if err := run(t, p, 11, stop).Save(&file); err != nil {
			t.Fatal(err)
		}
		s, err := Load(p, "state", file.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(context.Background(), 30, nil, nil); err != nil {
			t.Fatal(err)
		}
		same(t, s, unbroken)
	}
	if other := run(t, p, 12, 30); slices.EqualFunc(other.designs, unbroken.designs,
		func(a, b Design) bool { return slices.Equal(a.Genome, b.Genome) }) {
		t.Error("another seed does the same")
	}
}

// TestCancelled: a search that is stopped in the middle of a generation stands before it and goes on as if nothing had
// been.
func TestCancelled(t *testing.T) {
	evaluated := 0
	p := zdt("ZDT1", zdt1)
	p.evaluated = &evaluated
	ctx, cancel := context.WithCancel(context.Background())
	broken := p
	broken.f = func(x []float64) []float64 {
		if evaluated == 555 {
			cancel()
		}
		return p.f(x)
	}
	o := DefaultOptions(p)
	s, err := New(broken, o)
	if err != nil {
		t.Fatal(err)
	}
	var delivered []int
	deliver := func(g *Generation) error {
		delivered = append(delivered, g.Number)
		if len(g.Individual) != o.Population || len(g.Fresh) > o.Population {
			t.Errorf("generation %d has %d individuals, %d fresh", g.Number, len(g.Individual), len(g.Fresh))
		}
		return nil
	}
	var last [2]int64
	if err := s.Run(ctx, 10, deliver, func(done, total int64) { last = [2]int64{done, total} }); !errors.Is(
		err, context.Canceled) {
		t.Fatalf("%v", err)
	}
	if n := s.Generations(); n == 0 || n == 10 || last != [2]int64{int64(n), 10} {
		t.Errorf("stopped after %d generations, reported %v", n, last)
	}
	if err := s.Run(context.Background(), 10, deliver, nil); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(delivered, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
		t.Errorf("delivered %v", delivered)
	}
	same(t, s, run(t, p, 0, 10))
}

// TestImpossible: a search that begins among impossible designs finds the possible ones, and never mixes the two up.
func TestImpossible(t *testing.T) {
	p := zdt("ZDT1, a corner", zdt1)
	p.impossible = func(x []float64) float64 { return max(0, x[0]-0.25) + max(0, x[1]-0.1) }
	s := run(t, p, 1, 60)
	for _, i := range s.population {
		if !s.designs[i].Result.Possible() {
			t.Fatalf("design %v is among the parents after 60 generations", s.designs[i])
		}
	}
	for _, f := range front(s) {
		if f[0] > 0.25 {
			t.Errorf("%v cannot be", f)
		}
	}
}

func TestOptionsThatCannotBe(t *testing.T) {
	p := zdt("ZDT1", zdt1)
	for _, change := range []func(*Options){
		func(o *Options) { o.Population = 1 }, func(o *Options) { o.Population = MaxPopulation + 1 }, func(o *Options) {
			o.Crossover = -0.1
		},
		func(o *Options) { o.Mutation = 1.5 }, func(o *Options) { o.GeneMutation = math.NaN() },
	} {
		o := DefaultOptions(p)
		change(&o)
		if _, err := New(p, o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}

func TestUnsoundResults(t *testing.T) {
	for _, f := range [][]float64{{1}, {1, math.NaN()}, {math.Inf(1), 1}} {
		p := zdt("unsound", zdt1)
		p.f = func([]float64) []float64 { return f }
		s, err := New(p, DefaultOptions(p))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Step(context.Background()); err == nil || s.Generations() != 0 {
			t.Errorf("%v is taken", f)
		}
	}
}

// TestDamagedStates: whatever is wrong with a state is told in a sentence with the file's name.
func TestDamagedStates(t *testing.T) {
	p := zdt5()
	o := DefaultOptions(p)
	o.Population = 4
	s, err := New(p, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(context.Background(), 2, nil, nil); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := s.Save(&file); err != nil {
		t.Fatal(err)
	}
	good := file.String()
	for name, change := range map[string]func(string) string{
		"cut":          func(s string) string { return s[:len(s)/2] },
		"empty":        func(string) string { return "" },
		"another file": func(string) string { return `{"format":"x"}` },
		"version":      func(s string) string { return strings.Replace(s, `"version":1`, `"version":9`, 1) },
		"problem":      func(s string) string { return strings.Replace(s, `"ZDT5"`, `"ZDT6"`, 1) },
		"population":   func(s string) string { return strings.Replace(s, `"population":4`, `"population":3`, 1) },
		"random":       func(s string) string { return strings.Replace(s, `"random":"`, `"random":"AAAA`, 1) },
		"gene":         func(s string) string { return strings.Replace(s, `"genome":[`, `"genome":[7,`, 1) },
		"gene's value": func(s string) string {
			return strings.Replace(strings.Replace(s, `"genome":[0`, `"genome":[7`, 1), `"genome":[1`, `"genome":[7`, 1)
		},
		"objectives": func(s string) string { return strings.Replace(s, `"objectives":[`, `"objectives":[1,`, 1) },
		"secondary": func(s string) string {
			return strings.Replace(s, `"objectives":[`, `"secondary":[1],"objectives":[`, 1)
		},
		"index": func(s string) string {
			return strings.Replace(s, `"generations":[[0,`, `"generations":[[900,`, 1)
		},
		"negative index": func(s string) string { return strings.Replace(s, `"generations":[[0,`, `"generations":[[-1,`, 1) },
	} {
		text := change(good)
		if text == good {
			t.Fatalf("%s: nothing was changed in %s", name, good)
		}
		_, err := Load(p, "s.json", []byte(text))
		var where *traceio.Error
		if !errors.As(err, &where) || where.File != "s.json" || where.Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Load(p, "s.json", []byte(good)); err != nil {
		t.Error(err)
	}
}

func FuzzLoad(f *testing.F) {
	p := zdt5()
	o := DefaultOptions(p)
	o.Population = 3
	for generations := range 3 {
		s, err := New(p, o)
		if err != nil {
			f.Fatal(err)
		}
		if err := s.Run(context.Background(), generations, nil, nil); err != nil {
			f.Fatal(err)
		}
		var file bytes.Buffer
		if err := s.Save(&file); err != nil {
			f.Fatal(err)
		}
		f.Add(file.Bytes())
	}
	f.Add([]byte(`{"format":"orrery search","version":1,"problem":"ZDT5","options":{"population":4096}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Load(p, "state", data)
		if err != nil {
			return
		}
		var file bytes.Buffer
		if err := s.Save(&file); err != nil {
			t.Fatal(err)
		}
		again, err := Load(p, "state", file.Bytes())
		if err != nil {
			t.Fatalf("what was saved is refused: %v", err)
		}
		same(t, again, s)
		if _, err := s.Step(context.Background()); err != nil {
			t.Fatal(err)
		}
	})
}

func BenchmarkStep(b *testing.B) {
	p := zdt("ZDT1", zdt1)
	s := run(b, p, 1, 1)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Step(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}

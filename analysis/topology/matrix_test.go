package topology

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// randomMatrix is a symmetric matrix of whole numbers 1..top, the worst case of ties; no triangle inequality.
func randomMatrix(r *rand.Rand, n, top int) []float64 {
	lower := make([]float64, n*(n-1)/2)
	for e := range lower {
		lower[e] = float64(1 + r.IntN(top))
	}
	return lower
}

func noisyCircle(r *rand.Rand, n int, noise float64) (points [][]float64, angle []float64) {
	for range n {
		a := 2 * math.Pi * r.Float64()
		points = append(points, []float64{math.Cos(a) + noise*r.NormFloat64(), math.Sin(a) + noise*r.NormFloat64()})
		angle = append(angle, a)
	}
	return points, angle
}

func euclid(points [][]float64) []float64 {
	var lower []float64
	for i, p := range points {
		for _, q := range points[:i] {
			sum := 0.0
			for k := range p {
				sum += (p[k] - q[k]) * (p[k] - q[k])
			}
			lower = append(lower, math.Sqrt(sum))
		}
	}
	return lower
}

func lookup(lower []float64) func(i, j int) float64 {
	return func(i, j int) float64 {
		if i < j {
			i, j = j, i
		}
		return lower[i*(i-1)/2+j]
	}
}

func sizeOf(lower []float64) int { return int(math.Sqrt(2*float64(len(lower)))) + 1 }

func TestBarcodeAgreesWithTextbookOnMatrices(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 3))
		lower := randomMatrix(r, 4+r.IntN(15), 2+r.IntN(6))
		if seed%3 == 0 { // real numbers: more levels than are thinned one by one
			points, _ := noisyCircle(r, 14+r.IntN(9), 0.3)
			lower = euclid(points)
		}
		p := []int{2, 3, 5, 47}[r.IntN(4)]
		eps := math.Inf(1)
		if seed%4 == 0 {
			eps = lower[r.IntN(len(lower))]
		}
		res, err := AnalyzeMatrix(context.Background(), lower, Options{Prime: p, Eps: eps}, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := slowBarcode(sizeOf(lower), lookup(lower), eps, p)
		if got := sorted(res.Barcode); !slices.Equal(got, want) {
			t.Errorf("seed %d, p %d, eps %g, %v:\n got %v\nwant %v", seed, p, eps, lower, got, want)
		}
	}
}

// TestBarcodeAgreesWithRipser checks larger inputs against another program.
func TestBarcodeAgreesWithRipser(t *testing.T) {
	if _, err := exec.LookPath("ripser-coeff"); err != nil {
		t.Fatal("ripser is not installed: apt-get install ripser")
	}
	r := rand.New(rand.NewPCG(5, 5))
	inputs := map[string][]float64{"ties": randomMatrix(r, 60, 5), "few ties": randomMatrix(r, 50, 40)}
	points, _ := noisyCircle(r, 120, 0.2)
	inputs["circle"] = euclid(points)
	c := makeCloud(loopy(r, 220), 10)
	dist, err := c.distances(context.Background(), func(int64) {})
	if err != nil {
		t.Fatal(err)
	}
	var windows []float64
	for _, d := range dist {
		windows = append(windows, float64(d))
	}
	inputs["windows"] = windows
	for name, lower := range inputs {
		t.Run(name, func(t *testing.T) {
			res, err := AnalyzeMatrix(context.Background(), lower, Options{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, want := sorted(res.Barcode), ripserBars(t, lower, res.Radius)
			if len(got) != len(want) {
				t.Fatalf("%d bars, ripser has %d", len(got), len(want))
			}
			for i := range got {
				if math.Abs(got[i].Birth-want[i].Birth) > 1e-5 || math.Abs(got[i].Death-want[i].Death) > 1e-5 {
					t.Errorf("bar %d: got %v, want %v", i, got[i], want[i])
				}
			}
		})
	}
}

// ripserBars runs ripser over Z/47.
func ripserBars(t *testing.T, lower []float64, radius float64) []Bar {
	t.Helper()
	var text bytes.Buffer
	text.WriteString("\n")
	e := 0
	for i := 1; i < sizeOf(lower); i++ {
		for range i {
			fmt.Fprintf(&text, "%.9g,", lower[e])
			e++
		}
		text.WriteString("\n")
	}
	file := t.TempDir() + "/lower.csv"
	if err := os.WriteFile(file, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("ripser-coeff", "--format", "lower-distance", "--dim", "1", "--modulus", "47",
		file).CombinedOutput()
	if err != nil {
		t.Fatalf("ripser: %v\n%s", err, out)
	}
	_, dim1, ok := strings.Cut(string(out), "intervals in dim 1:")
	if !ok {
		t.Fatalf("ripser said nothing of dimension 1:\n%s", out)
	}
	var bars []Bar
	for _, line := range strings.Split(dim1, "\n") {
		birth, death, ok := strings.Cut(strings.Trim(line, " [)"), ",")
		if !ok {
			continue
		}
		b := Bar{Death: radius}
		if b.Birth, err = strconv.ParseFloat(birth, 64); err != nil {
			continue
		}
		if d, err := strconv.ParseFloat(strings.TrimSpace(death), 64); err == nil {
			b.Death = d
		}
		bars = append(bars, b)
	}
	return sorted(bars)
}

// angleError is the root mean square of the differences between the coordinate and the true angles, up to direction and
// rotation.
func angleError(p Parameterization, angle []float64) float64 {
	best := math.Inf(1)
	for _, flip := range []float64{1, -1} {
		var s, c float64
		for i, a := range angle {
			s, c = s+math.Sin(float64(p.Theta[i])-flip*a), c+math.Cos(float64(p.Theta[i])-flip*a)
		}
		shift, sum := math.Atan2(s, c), 0.0
		for i, a := range angle {
			d := math.Remainder(float64(p.Theta[i])-flip*a-shift, 2*math.Pi)
			sum += d * d
		}
		best = min(best, math.Sqrt(sum/float64(len(angle))))
	}
	return best
}

func TestCircleHasItsAngles(t *testing.T) {
	even, evenAngle := make([][]float64, 60), make([]float64, 60)
	for i := range even {
		a := 2 * math.Pi * float64(i) / 60
		even[i], evenAngle[i] = []float64{math.Cos(a), math.Sin(a)}, a
	}
	res, err := AnalyzePoints(context.Background(), even, Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p := res.Parameterizations[0]; angleError(p, evenAngle) > 1e-6 || math.Abs(p.Turns-59.0/60) > 1e-9 {
		t.Errorf("even circle: angles off by %g rad, %g turns", angleError(p, evenAngle), p.Turns)
	}
	for _, row := range []struct {
		n      int
		noise  float64
		within float64 // radians; the gaps of random points leave some
	}{{40, 0, 0.3}, {100, 0.05, 0.12}, {200, 0, 0.07}, {200, 0.1, 0.15}} {
		points, angle := noisyCircle(rand.New(rand.NewPCG(9, 9)), row.n, row.noise)
		res, err := AnalyzePoints(context.Background(), points, Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		off := angleError(res.Parameterizations[0], angle)
		t.Logf("%d points, noise %g: angles off by %.3f rad", row.n, row.noise, off)
		if off > row.within {
			t.Errorf("%d points, noise %g: angles off by %.3f rad, want at most %g", row.n, row.noise, off, row.within)
		}
	}
}

// twisted is a disc whose rim is wound k times around a circle of three points, as a finite space: its barycentric
// subdivision is a flag complex; neighbours there are at distance 1 and all others at 2. Its first homology is Z/k. k =
// 2 is the projective plane.
func twisted(k int) []float64 {
	n := 3 * k
	a := func(i int) int { return i % 3 }
	c := func(i int) int { return 3 + i%n }
	simplices := map[string][]int{}
	add := func(v ...int) {
		slices.Sort(v)
		for set := 1; set < 8; set++ {
			var face []int
			for b := range 3 {
				if set>>b&1 != 0 {
					face = append(face, v[b])
				}
			}
			simplices[fmt.Sprint(face)] = face
		}
	}
	for i := range n {
		add(a(i), a(i+1), c(i))
		add(a(i+1), c(i), c(i+1))
		add(c(i), c(i+1), 3+n)
	}
	var all [][]int
	for _, s := range simplices {
		all = append(all, s)
	}
	slices.SortFunc(all, slices.Compare)
	inside := func(x, y []int) bool {
		return !slices.ContainsFunc(x, func(v int) bool { return !slices.Contains(y, v) })
	}
	var lower []float64
	for i := range all {
		for j := range i {
			d := 2.0
			if inside(all[i], all[j]) || inside(all[j], all[i]) {
				d = 1
			}
			lower = append(lower, d)
		}
	}
	return lower
}

func TestTorsionNeverBecomesACycle(t *testing.T) {
	for _, row := range []struct {
		name string
		k, p int
		bars []Bar
	}{
		{"projective plane over 2", 2, 2, []Bar{{1, 2, false}}},
		{"projective plane over 47", 2, 47, nil},
		{"projective plane over 3", 2, 3, nil},
		{"order 3 over 3", 3, 3, []Bar{{1, 2, false}}},
		{"order 3 over 2", 3, 2, nil},
		{"order 5 over 5", 5, 5, []Bar{{1, 2, false}}},
		{"order 5 over 47", 5, 47, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			res, err := AnalyzeMatrix(context.Background(), twisted(row.k), Options{Prime: row.p}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(res.Barcode, row.bars) {
				t.Errorf("bars %v, want %v", res.Barcode, row.bars)
			}
			if len(res.Parameterizations) > 0 {
				t.Errorf("torsion got an angle: %+v", res.Parameterizations[0])
			}
			if len(res.Notes) != len(row.bars) || (res.Problem == nil) != (len(row.bars) > 0) {
				t.Errorf("notes %q and problem %v, want one of them", res.Notes, res.Problem)
			}
		})
	}
}

func TestMatrixRefusals(t *testing.T) {
	for _, row := range []struct {
		name   string
		lower  []float64
		opt    Options
		reason Reason
	}{
		{"not a triangle", make([]float64, 5), Options{}, BadMetric},
		{"three points", make([]float64, 3), Options{}, TooShort},
		{"empty", nil, Options{}, TooShort},
		{"negative", []float64{1, 1, 1, 1, -1, 1}, Options{}, BadMetric},
		{"not a number", []float64{1, 1, 1, 1, 1, math.NaN()}, Options{}, BadMetric},
		{"no prime", []float64{1, 1, 1, 1, 1, 1}, Options{Prime: 49}, BadOption},
		{"large prime", []float64{1, 1, 1, 1, 1, 1}, Options{Prime: 65537}, BadOption},
		{"no memory", make([]float64, 45), Options{Memory: 100}, TooLarge},
	} {
		_, err := AnalyzeMatrix(context.Background(), row.lower, row.opt, nil)
		if e, ok := err.(*Error); !ok || e.Reason != row.reason {
			t.Errorf("%s: got error %v, want reason %d", row.name, err, row.reason)
		}
	}
	_, err := AnalyzePoints(context.Background(), [][]float64{{0, 0}, {0, 1}, {1}, {1, 1}}, Options{}, nil)
	if e, ok := err.(*Error); !ok || e.Reason != BadMetric {
		t.Errorf("ragged points: got error %v", err)
	}
}

func TestSmallSpaces(t *testing.T) {
	for _, row := range []struct {
		name   string
		lower  []float64
		opt    Options
		bars   []Bar
		reason Reason
	}{
		{"square", []float64{1, 2, 1, 1, 2, 1}, Options{}, []Bar{{1, 2, false}}, 0},
		{"square, eps below the diagonal", []float64{1, 2, 1, 1, 2, 1}, Options{Eps: 1}, []Bar{{1, math.Inf(1), true}}, 0},
		{"eps below everything", []float64{1, 2, 1, 1, 2, 1}, Options{Eps: 0.5}, nil, Disconnected},
		{"four equal points", make([]float64, 6), Options{}, nil, NoClass},
		{"tetrahedron", []float64{1, 1, 1, 1, 1, 1}, Options{}, nil, NoClass},
		{"path", []float64{1, 2, 1, 3, 2, 1}, Options{}, nil, NoClass},
	} {
		res, err := AnalyzeMatrix(context.Background(), row.lower, row.opt, nil)
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		if !slices.Equal(res.Barcode, row.bars) {
			t.Errorf("%s: bars %v, want %v", row.name, res.Barcode, row.bars)
		}
		if (res.Problem == nil) != (row.reason == 0) || res.Problem != nil && res.Problem.Reason != row.reason {
			t.Errorf("%s: problem %v, want reason %d", row.name, res.Problem, row.reason)
		}
	}
}

func spherePoints(n int) [][]float64 {
	r := rand.New(rand.NewPCG(1, 1))
	out := make([][]float64, n)
	for i := range out {
		out[i] = []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		s := math.Sqrt(out[i][0]*out[i][0] + out[i][1]*out[i][1] + out[i][2]*out[i][2])
		for k := range out[i] {
			out[i][k] /= s
		}
	}
	return out
}

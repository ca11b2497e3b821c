package mjpeg

import (
	"context"
	"strings"
	"testing"

	"orrery/analysis/dse"
	"orrery/analysis/dse/search"
	"orrery/traceio/designs"
)

// seeds are those with which the paper's findings are looked for: they must not be one lucky run.
const seeds = 4

// searched is the paper's search with one seed.
func searched(t testing.TB, seed uint64) *search.Search {
	t.Helper()
	s, err := search.New(New(), Options(seed))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(context.Background(), Generations, nil, nil); err != nil {
		t.Fatal(err)
	}
	return s
}

// spaceOf is a table as a design space.
func spaceOf(t testing.TB, set *designs.Set, err error) *dse.Space {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	space, err := dse.New(context.Background(), set)
	if err != nil {
		t.Fatal(err)
	}
	return space
}

// TestFindings: what the paper's sections 6.1 to 6.4 found with its search is found with every seed.
func TestFindings(t *testing.T) {
	all := designs.NewBuilder(New().Head())
	for seed := range uint64(seeds) {
		found := searched(t, seed)
		for _, d := range found.Designs() {
			p := found.Problem().Point(d.Genome, d.Result)
			p.Generation = -1
			if _, err := all.Add(p); err != nil {
				t.Fatal(err)
			}
		}
		set, err := found.Set()
		s := spaceOf(t, set, err)
		if len(s.Combos) != 99 || len(s.Uneven) != 0 {
			t.Errorf("seed %d: %d platforms, and %v", seed, len(s.Combos), s.Uneven)
		}
		coverage(t, seed, s)
		paretoPoints(t, seed, s)
		intensiveChannels(t, seed, s)
		dctPlaces(t, seed, s)
		variation(t, seed, s)
	}
	subspaces(t, spaceOf(t, all.Set(), nil))
}

// coverage is section 6.1: 58 of 99 platforms are in the first generation, 86 are reached by the 15th, 91 at last, and
// those with two or three processors all but a few.
func coverage(t *testing.T, seed uint64, s *dse.Space) {
	var atOnce, early, late int
	for k := range s.Combos {
		points := s.Points(k)
		if len(points) == 0 {
			if n := s.Combos[k][0] + 1; n == 1 {
				t.Errorf("seed %d: %v was not visited", seed, s.Combos[k])
			}
			continue
		}
		first := int32(Generations)
		for _, p := range points {
			first = min(first, s.Generations.First(int(p)))
		}
		switch {
		case first == 0:
			atOnce++
		case first <= 15:
			early++
		default:
			late++
		}
	}
	all := atOnce + early + late
	t.Logf("seed %d: %d platforms in the first generation, %d by the 15th, %d in all", seed, atOnce, atOnce+early, all)
	if atOnce < 55 || atOnce > 75 || all < 75 || all > 97 || 100*(atOnce+early) < 90*all {
		t.Errorf("seed %d: %d platforms in the first generation, %d by the 15th, %d in all; the paper has 58, 86, 91", seed,
			atOnce, atOnce+early, all)
	}
}

// paretoPoints is section 6.2: 17 points on 15 platforms, none of them with five processors, four memories or ASIC-VLE,
// and all but the single processor fast and sparing (normalised time up to 0.21 in the paper, energy up to 0.16).
func paretoPoints(t *testing.T, seed uint64, s *dse.Space) {
	platforms := map[int32]bool{}
	front := 0
	for p := range s.N {
		if !s.Global[p] {
			continue
		}
		front++
		platforms[s.Subspace[p]] = true
		value := func(j int) string { return s.Parameters[j].Values[s.Parameters[j].At[p]] }
		if value(0) == "5" || value(2) == "4" || strings.Contains(value(1), "ASIC-VLE") {
			t.Errorf("seed %d: %s (%s) with %s (%s) is on the front", seed, value(0), value(1), value(2), value(3))
		}
		if value(0) != "1" && (s.Norm[0][p] > 0.3 || s.Norm[1][p] > 0.2) {
			t.Errorf("seed %d: a Pareto point on %s has time %.2f and energy %.2f", seed, value(1), s.Norm[0][p], s.Norm[1][p])
		}
	}
	t.Logf("seed %d: %d points on %d platforms are the front", seed, front, len(platforms))
	if front < 10 || front > 24 || len(platforms) < 8 || len(platforms) > 20 {
		t.Errorf("seed %d: %d points on %d platforms are the front; the paper has 17 on 15", seed, front, len(platforms))
	}
}

// intensiveChannels is section 6.3: V-Out, VLE and Control are on one processor in every design that is good in time
// and energy, up to 0.2, and on three in every one that is bad in both, from 0.8 on.
func intensiveChannels(t *testing.T, seed uint64, s *dse.Space) {
	on := s.Mapping.Process
	var good, bad int
	for p := range s.N {
		a, b, c := on[vOut][p], on[vle][p], on[control][p]
		switch T, E := s.Norm[0][p], s.Norm[1][p]; {
		case T <= 0.2 && E <= 0.2:
			if good++; a != b || b != c {
				t.Errorf("seed %d: good point %d has V-Out, VLE, Control on %d, %d, %d", seed, p, a, b, c)
			}
		case T >= 0.8 && E >= 0.8:
			if bad++; a == b || b == c || a == c {
				t.Errorf("seed %d: bad point %d has V-Out, VLE, Control on %d, %d, %d", seed, p, a, b, c)
			}
		}
	}
	if good < 100 || bad < 1 {
		t.Errorf("seed %d: %d good and %d bad points show little", seed, good, bad)
	}
}

// dctPlaces is section 6.4: with V-Out, VLE and Control together, designs with DCT on ASIC-DCT or ASIP are good in time
// and energy, at least half of them; with DCT on mC or mP at most one in fifty gets there, and none is as good as 0.15
// in both.
func dctPlaces(t *testing.T, seed uint64, s *dse.Space) {
	on := s.Mapping.Process
	var points, good, best [processors]int
	for p := range s.N {
		if on[vle][p] != on[vOut][p] || on[vle][p] != on[control][p] {
			continue
		}
		at := on[dct][p]
		points[at]++
		if max(s.Norm[0][p], s.Norm[1][p]) <= 0.2 {
			good[at]++
		}
		if max(s.Norm[0][p], s.Norm[1][p]) <= 0.15 {
			best[at]++
		}
	}
	t.Logf("seed %d: DCT on mP, mC, ASIP, ASIC-DCT: %v points, %v good, %v very good", seed, points, good, best)
	for _, c := range []int{asip, asicDCT} {
		if 2*good[c] < points[c] || best[c] == 0 {
			t.Errorf("seed %d: of %d designs with DCT on %s, %d are good", seed, points[c], parts[c].name, good[c])
		}
	}
	for _, c := range []int{mP, mC} {
		if points[c] == 0 || 50*good[c] > points[c] || best[c] != 0 {
			t.Errorf("seed %d: of %d designs with DCT on %s, %d are good, %d very good", seed, points[c],
				parts[c].name, good[c], best[c])
		}
	}
}

// variation is section 6: time varies by a factor of 6.4, energy by 4.45, cost by 10.25.
func variation(t *testing.T, seed uint64, s *dse.Space) {
	for j, want := range []float64{6.4, 4.45, 10.25} {
		if got := s.Extent[j].Max / s.Extent[j].Min; got < 0.85*want || got > 1.15*want {
			t.Errorf("seed %d: %s varies by a factor of %.2f; the paper has %v", seed, s.Objectives[j].Name, got, want)
		}
	}
}

// subspaces is section 7: of the five that figure 20 compares, the first is dominated by none and has the highest total
// coverage, the fifth is dominated by all and dominates none (figure 21), the third, in which ASIP gave way to mP, is
// dominated by the first (figure 22); all designs of the second are good and all of the fifth poor, while those of the
// fourth are both (figure 25).
func subspaces(t *testing.T, s *dse.Space) {
	var lps [5][]int32
	var worst, least [5]float64 // of the larger of time and energy
	for i, want := range [5]platform{set(asip, mC, dram, sram), set(asip, mP, fifo2, sram), set(mP, mC, dram, sram),
		set(asip, mC, mP, fifo2, sram),
		set(asicDCT, asicVLE, asip, mP, fifo2, dram, sram)} {
		least[i] = 1
		for p := range s.N {
			if s.Parameters[1].Values[s.Parameters[1].At[p]] != want.names(processorBits) ||
				s.Parameters[3].Values[s.Parameters[3].At[p]] != want.names(memoryBits) {
				continue
			}
			if s.Local[p] {
				lps[i] = append(lps[i], int32(p))
			}
			worst[i], least[i] = max(worst[i], s.Norm[0][p], s.Norm[1][p]), min(least[i], max(s.Norm[0][p], s.Norm[1][p]))
		}
		if len(lps[i]) == 0 {
			t.Fatalf("nobody visited %s with %s", want.names(processorBits), want.names(memoryBits))
		}
	}
	t.Logf("local fronts %d %d %d %d %d, worst %.2f, least %.2f", len(lps[0]), len(lps[1]), len(lps[2]), len(lps[3]),
		len(lps[4]), worst, least)
	for i := range 4 {
		if c, back := s.Coverage(lps[i], lps[4]), s.Coverage(lps[4], lps[i]); c != 1 || back != 0 {
			t.Errorf("C(LPS%d, LPS5) = %v and C(LPS5, LPS%d) = %v, in the paper 1 and 0", i+1, c, i+1, back)
		}
		if c := s.Coverage(lps[i], lps[0]); i > 0 && c != 0 {
			t.Errorf("C(LPS%d, LPS1) = %v, in the paper 0", i+1, c)
		}
	}
	if c := s.Coverage(lps[0], lps[2]); c != 1 {
		t.Errorf("C(LPS1, LPS3) = %v, in the paper 1", c)
	}
	if least[4] < 0.35 || least[3] > 0.2 || worst[3] < 0.5 {
		t.Errorf("the subspaces' designs are from %.2f to %.2f", least, worst)
	}
}

package caches

import (
	"encoding/csv"
	"math"
	"strconv"
	"strings"
	"testing"

	"orrery/assets"
	"orrery/cachesim"
)

// table is the shipped one, read by another hand: by size, ways and block the five values, nil where infeasible.
func table(t testing.TB) map[[3]int][]float64 {
	t.Helper()
	data, err := assets.Costs.ReadFile("costs/cacti32.csv")
	if err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(strings.NewReader(string(data)))
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	out := map[[3]int][]float64{}
	for _, row := range rows[1:] {
		var key [3]int
		for i := range key {
			if key[i], err = strconv.Atoi(row[i]); err != nil {
				t.Fatal(err)
			}
		}
		out[key] = nil
		if row[3] == "infeasible" {
			continue
		}
		for _, column := range []int{3, 5, 6, 7, 8} {
			x, err := strconv.ParseFloat(row[column], 64)
			if err != nil {
				t.Fatal(err)
			}
			out[key] = append(out[key], x)
		}
	}
	return out
}

// TestRunsAreReproduced: where CACTI ran, its values come out, and what was infeasible is refused.
func TestRunsAreReproduced(t *testing.T) {
	costs, runs := DefaultCosts(), table(t)
	infeasible := 0
	for key, want := range runs {
		got, err := costs.Of(cachesim.Size(key[0]), key[1], cachesim.Size(key[2]))
		if want == nil {
			if infeasible++; err == nil {
				t.Errorf("%v: %+v, want none", key, got)
			}
			continue
		}
		if err != nil {
			t.Errorf("%v: %v", key, err)
			continue
		}
		for k, x := range got.values() {
			if math.Abs(x/want[k]-1) > 1e-12 {
				t.Errorf("%v, value %d: %v, want %v", key, k, x, want[k])
			}
		}
	}
	if len(runs) != 85 || infeasible != 7 {
		t.Errorf("%d runs, %d of them infeasible, want 85 and 7", len(runs), infeasible)
	}
}

// TestInterpolationByHand: halfway in the logarithm between two runs lies their geometric mean, between four that of
// all four, and a block of 128 bytes costs the same factor as at the nearest runs.
func TestInterpolationByHand(t *testing.T) {
	costs, runs := DefaultCosts(), table(t)
	mean := func(k int, keys ...[3]int) float64 {
		p := 1.0
		for _, key := range keys {
			p *= runs[key][k]
		}
		return math.Pow(p, 1/float64(len(keys)))
	}
	const K = 1024
	third := math.Log(3) / math.Log(4) * 2 // 3 ways lie log2(3)-1 of the way from 2 to 4
	third--
	for k := range fields {
		for _, row := range []struct {
			name  string
			size  cachesim.Size
			ways  int
			block cachesim.Size
			want  float64
		}{
			{"three ways", 64 * K, 3, 64, math.Pow(runs[[3]int{64 * K, 2, 64}][k],
				1-third) * math.Pow(runs[[3]int{64 * K, 4, 64}][k], third)},
			{"a block of 128 halfway in size and ways", 64 * K, 4, 128, runs[[3]int{64 * K, 4, 64}][k] *
				mean(k, [3]int{32 * K, 2, 128}, [3]int{32 * K, 8, 128}, [3]int{128 * K, 2, 128}, [3]int{128 * K, 8, 128}) /
				mean(k, [3]int{32 * K, 2, 64}, [3]int{32 * K, 8, 64}, [3]int{128 * K, 2, 64}, [3]int{128 * K, 8, 64})},
			{"a block of 32 beyond its runs", 16 << 20, 16, 32,
				runs[[3]int{16 << 20, 16, 64}][k] * runs[[3]int{2 << 20, 8, 32}][k] / runs[[3]int{2 << 20, 8, 64}][k]},
		} {
			got, err := costs.Of(row.size, row.ways, row.block)
			if err != nil {
				t.Fatalf("%s: %v", row.name, err)
			}
			if x := got.values()[k]; math.Abs(x/row.want-1) > 1e-12 {
				t.Errorf("%s, value %d: %v, want %v", row.name, k, x, row.want)
			}
		}
	}
}

// TestRunsPredictEachOther: each run in the middle of the table is told from those around it alone, and most values
// within a fifth.
func TestRunsPredictEachOther(t *testing.T) {
	runs := table(t)
	var all []run
	for key, v := range runs {
		one := run{size: cachesim.Size(key[0]), ways: key[1], block: cachesim.Size(key[2]), feasible: v != nil}
		if v != nil {
			one.cost = costOf([fields]float64(v))
		}
		all = append(all, one)
	}
	var near, count int
	worst := 1.0
	for size := 16 << 10; size <= 8<<20; size *= 2 {
		var others []run
		for _, r := range all {
			if r.block == baseBlock && int(r.size) != size {
				others = append(others, r)
			}
		}
		c := newCosts(others)
		for _, ways := range []int{1, 2, 4, 8} {
			got, err := c.Of(cachesim.Size(size), ways, baseBlock)
			if err != nil {
				t.Fatal(err)
			}
			want := runs[[3]int{size, ways, 64}]
			for k, x := range got.values() {
				ratio := math.Exp(math.Abs(math.Log(x / want[k])))
				count++
				if ratio < 1.2 {
					near++
				}
				worst = max(worst, ratio)
			}
		}
	}
	t.Logf("%d of %d values within a fifth, the worst by a factor of %.2f", near, count, worst)
	if 10*near < 8*count || worst > 2 {
		t.Errorf("%d of %d values within a fifth, the worst by a factor of %.2f", near, count, worst)
	}
}

func TestNoCost(t *testing.T) {
	costs := DefaultCosts()
	for _, row := range []struct {
		size  cachesim.Size
		ways  int
		block cachesim.Size
		want  string
	}{
		{4096, 4, 64, "16 sets"}, {8192, 16, 32, "16 sets"}, {2048, 1, 64, "4KiB"}, {32 << 20, 8, 64, "16MiB"},
		{65536, 32, 64, "16 ways"}, {65536, 0, 64, "1 to"}, {65536, 4, 256, "128B"},
	} {
		if c, err := costs.Of(row.size, row.ways, row.block); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%+v: %+v, %v", row, c, err)
		}
	}
	for size := cachesim.Size(4096); size <= 16<<20; size += 4096 * 7 {
		for ways := 1; ways <= 16; ways++ {
			for _, block := range costs.Blocks() {
				c, err := costs.Of(size, ways, block)
				if impossible := sets(size, ways, block) < leastSets; impossible != (err != nil) {
					t.Fatalf("%v %d %v: %v", size, ways, block, err)
				}
				for _, x := range c.values() {
					if err == nil && !(x > 0 && x < 1e5) {
						t.Fatalf("%v %d %v: %+v", size, ways, block, c)
					}
				}
			}
		}
	}
}

func TestDamagedTable(t *testing.T) {
	for _, text := range []string{"1,2\n", "4096,1,64,x,1,1,1,1,1\n", "4096,1,64,1,1,1,1,1,-1\n",
		"4096,1,64,1,1,1,1,1,NaN\n", "\"\n", "0,1,64,1,1,1,1,1,1\n"} {
		if _, err := parseCosts("t.csv", text); err == nil || !strings.HasPrefix(err.Error(), "t.csv") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

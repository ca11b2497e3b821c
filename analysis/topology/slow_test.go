package topology

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"orrery/traceio/readtest"
)

// The slow, obvious twins of this package's algorithms.

// slowLevenshtein is the textbook table.
func slowLevenshtein(a, b []uint32) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := range a {
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			d[i+1][j+1] = min(d[i][j]+cost, d[i][j+1]+1, d[i+1][j]+1)
		}
	}
	return d[len(a)][len(b)]
}

// slowBarcode reduces the boundary matrix of the whole Rips 2-skeleton over Z/p, column by column, as in the textbook
// (Edelsbrunner and Harer, "Computational topology", VII.1): homology, no clearing, no shortcuts. Bars are sorted.
func slowBarcode(n int, dist func(i, j int) float64, eps float64, p int) []Bar {
	type simplex struct {
		v    []int
		diam float64
	}
	var all []simplex
	for i := range n {
		all = append(all, simplex{[]int{i}, 0})
		for j := range i {
			if dist(i, j) > eps {
				continue
			}
			all = append(all, simplex{[]int{j, i}, dist(i, j)})
			for k := range j {
				if d := max(dist(i, j), dist(i, k), dist(j, k)); d <= eps {
					all = append(all, simplex{[]int{k, j, i}, d})
				}
			}
		}
	}
	sort.SliceStable(all, func(a, b int) bool {
		if all[a].diam != all[b].diam {
			return all[a].diam < all[b].diam
		}
		return len(all[a].v) < len(all[b].v)
	})
	index := map[string]int{}
	for i, s := range all {
		index[fmt.Sprint(s.v)] = i
	}
	byLow := map[int]map[int]int{}
	var bars []Bar
	open := map[int]bool{}
	for i, s := range all {
		col := map[int]int{}
		for drop := range s.v {
			if len(s.v) == 1 {
				break
			}
			c := 1
			if drop%2 == 1 {
				c = p - 1
			}
			col[index[fmt.Sprint(slices.Delete(slices.Clone(s.v), drop, drop+1))]] = c
		}
		low := -1
		for {
			low = -1
			for r := range col {
				low = max(low, r)
			}
			other, taken := byLow[low]
			if low < 0 || !taken {
				break
			}
			factor := p - col[low]*slowInverse(other[low], p)%p
			for r, c := range other {
				if col[r] = (col[r] + factor*c) % p; col[r] == 0 {
					delete(col, r)
				}
			}
		}
		if low < 0 {
			open[i] = len(s.v) == 2
			continue
		}
		byLow[low] = col
		delete(open, low)
		if len(s.v) == 3 && all[low].diam < s.diam {
			bars = append(bars, Bar{Birth: all[low].diam, Death: s.diam})
		}
	}
	for i, edge := range open {
		if edge {
			bars = append(bars, Bar{Birth: all[i].diam, Death: math.Inf(1), Infinite: true})
		}
	}
	sortBars(bars)
	return bars
}

func slowInverse(x, p int) int {
	for y := range p {
		if x*y%p == 1 {
			return y
		}
	}
	panic("no inverse")
}

func sortBars(b []Bar) {
	sort.Slice(b, func(i, j int) bool {
		if b[i].Birth != b[j].Birth {
			return b[i].Birth < b[j].Birth
		}
		return b[i].Death < b[j].Death
	})
}

func sorted(b []Bar) []Bar {
	b = slices.Clone(b)
	sortBars(b)
	return b
}

// oracleSymbols reads the data references of the oracle trace with a reader of its own: lackey text, data references
// numbered from 0, M is a load and a store.
func oracleSymbols(t testing.TB, from, count int) []uint32 {
	t.Helper()
	text := readtest.Gunzip(t, "../../testdata/oracles/quicksort.lk.gz")
	ids := map[uint64]uint32{}
	var all []uint32
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		line := lines.Text()
		if len(line) < 4 || line[0] != ' ' {
			continue
		}
		addr, _, _ := strings.Cut(line[3:], ",")
		a, err := strconv.ParseUint(addr, 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := ids[a]; !ok {
			ids[a] = uint32(len(ids))
		}
		all = append(all, ids[a])
		if line[1] == 'M' {
			all = append(all, ids[a])
		}
	}
	return all[from : from+count]
}

type oracle struct {
	From, Count, Records, Points int
	Bars                         [][2]*float64
}

func readOracle(t testing.TB) oracle {
	t.Helper()
	text, err := os.ReadFile("../../testdata/oracles/quicksort.barcode.json")
	if err != nil {
		t.Fatal(err)
	}
	var o oracle
	if err := json.Unmarshal(text, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

func (o oracle) bars() []Bar {
	var out []Bar
	for _, b := range o.Bars {
		bar := Bar{Birth: *b[0], Death: math.Inf(1), Infinite: true}
		if b[1] != nil {
			bar.Death, bar.Infinite = *b[1], false
		}
		out = append(out, bar)
	}
	return sorted(out)
}

// loopy makes a sequence of symbols with nested loops and noise in it.
func loopy(r *rand.Rand, n int) []uint32 {
	var out []uint32
	for len(out) < n {
		base, body := uint32(r.IntN(4)*7), 3+r.IntN(6)
		for range 1 + r.IntN(6) {
			for k := range body {
				out = append(out, base+uint32(k))
				if r.IntN(8) == 0 {
					out = append(out, uint32(r.IntN(30)))
				}
			}
		}
	}
	return out[:n]
}

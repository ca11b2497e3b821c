package dse

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"orrery/traceio/designs"
)

// grown is a random space with generations, feasible combinations that nobody evaluated and an architecture-dependent
// objective.
func grown(t testing.TB, seed uint64, n int) *Space {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	set := setOf(r, cloud(r, n, 3, int(seed%3)), 3, 2, 4)
	set.Objectives[2].Architecture = true
	for i := range n {
		v := 0
		for _, p := range set.Parameters {
			v = 5*v + int(p.At[i])
		}
		set.Objectives[2].Values[i] = float64(v)
	}
	set.Generations = designs.Generations{Start: []int32{0}, Count: 9}
	for range n {
		for g := int32(0); g < 9; g++ {
			if r.IntN(6) == 0 {
				set.Generations.List = append(set.Generations.List, g)
			}
		}
		set.Generations.Start = append(set.Generations.Start, int32(len(set.Generations.List)))
	}
	for k := range set.Parameters {
		set.Parameters[k].Values = append(set.Parameters[k].Values, "rare")
	}
	set.Feasible = [][]int32{{3, 0, 0}, {0, 2, 1}, {0, 0, 0}, {3, 2, 4}}
	s, err := New(context.Background(), set)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Uneven) > 0 {
		t.Fatalf("uneven: %v", s.Uneven)
	}
	return s
}

func TestTreeHasEveryPointOnItsPath(t *testing.T) {
	for seed := range uint64(6) {
		s := grown(t, seed, 90)
		for _, order := range [][]int{nil, {2, 0, 1}} {
			tree, err := NewTree(s, order, 0.1)
			if err != nil {
				t.Fatal(err)
			}
			checkTree(t, tree)
		}
	}
}

// TestAsOfIsWhatTheSearchKnew holds every generation against the definitions, and its tree against its points.
func TestAsOfIsWhatTheSearchKnew(t *testing.T) {
	for seed := range uint64(4) {
		s := grown(t, seed, 90)
		if seed == 3 { // all in one subspace
			for i := range s.Set.Parameters {
				clear(s.Set.Parameters[i].At)
			}
			clear(s.Set.Objectives[2].Values)
			s.Set.Feasible = nil
			var err error
			if s, err = New(context.Background(), s.Set); err != nil {
				t.Fatal(err)
			}
		}
		for g := int32(0); g <= 9; g++ {
			then, err := s.AsOf(context.Background(), g)
			if err != nil {
				t.Fatal(err)
			}
			if got := slices.Sorted(slices.Values(then.Order)); !slices.Equal(got, s.Until(g)) {
				t.Fatalf("generation %d has points %v, want %v", g, got, s.Until(g))
			}
			checkSpace(t, then, fmt.Sprintf("seed %d, generation %d", seed, g))
			tree, err := NewTree(then, nil, 0.1)
			if err != nil {
				t.Fatal(err)
			}
			checkTree(t, tree)
			checkLayout(t, tree.Layout(Hide{UpTo: -1}), Hide{UpTo: -1})
			if got := Front(s.F, s.Until(g)); !slices.Equal(got, marked(s.Until(g), then.Global, nil)) && len(got) > 0 {
				t.Fatalf("generation %d has the front %v", g, got)
			}
		}
		if all, err := s.AsOf(context.Background(), None); all != s || err != nil {
			t.Fatalf("all generations are %p, %v", all, err)
		}
	}
}

// path is the way to point p as the definitions have it.
func path(t *Tree, p int32) string {
	s := t.Space
	var out []string
	for _, j := range t.Order {
		out = append(out, s.Parameters[j].Values[s.Parameters[j].At[p]])
	}
	out = append(out, fmt.Sprintf("%g", s.Objectives[2].Values[p]))
	local := p
	if !s.Local[p] {
		local = s.Parent[p]
	}
	if s.Global[local] {
		out = append(out, s.Label(int(local)))
	} else {
		out = append(out, "R")
	}
	out = append(out, s.Label(int(local)))
	if local != p {
		out = append(out, map[bool]string{true: "High", false: "Low"}[s.ToParent[p] > t.Threshold], s.Label(int(p)))
	}
	return strings.Join(out, "/")
}

func checkTree(t *testing.T, tree *Tree) {
	t.Helper()
	s := tree.Space
	below := make([][]int32, tree.Len()) // points at or below each node
	for p := range int32(s.N) {
		if s.UpTo != None && s.Generations.First(int(p)) > s.UpTo {
			if tree.Of[p] != None || tree.Nodes(p) != nil || s.Class(p, 0.1) != Unclassed {
				t.Fatalf("point %d is in the tree of generation %d", p, s.UpTo)
			}
			continue
		}
		var got []string
		for _, v := range tree.Path(tree.Of[p])[1:] {
			got = append(got, tree.Value(v))
		}
		if g, want := strings.Join(got, "/"), path(tree, p); g != want {
			t.Fatalf("point %d hangs at %s, want %s", p, g, want)
		}
		for _, v := range tree.Path(tree.Of[p]) {
			below[v] = append(below[v], p)
		}
		if nodes := tree.Nodes(p); tree.Point(nodes[0]) != p || tree.Point(nodes[len(nodes)-1]) != p ||
			(len(nodes) == 2) != s.Global[p] {
			t.Fatalf("point %d is at nodes %v", p, nodes)
		}
	}
	seen := map[string]bool{}
	for v := range int32(tree.Len()) {
		size := int32(0)
		for u := range int32(tree.Len()) {
			if u != v && slices.Contains(tree.Path(u), v) {
				size++
			}
		}
		first, last, near := None, None, math.NaN()
		for _, p := range below[v] {
			for _, g := range s.Generations.Of(int(p)) {
				if s.UpTo != None && g > s.UpTo {
					break
				}
				if first == None || g < first {
					first = g
				}
				last = max(last, g)
			}
			if d := s.ToFront[p]; !(near <= d) {
				near = d
			}
		}
		if tree.Size[v] != size || tree.Points[v] != int32(len(below[v])) || tree.First[v] != first || tree.Last[v] != last ||
			tree.Near[v] != near && len(below[v]) > 0 {
			t.Fatalf("node %d: size %d, points %d, generations %d-%d, near %g; want %d, %d, %d-%d, %g", v, tree.Size[v],
				tree.Points[v], tree.First[v], tree.Last[v], tree.Near[v], size, len(below[v]), first, last, near)
		}
		if tree.Kind[v] == ParameterNode {
			var way []string
			for _, u := range tree.Path(v) {
				way = append(way, tree.Value(u))
			}
			if key := strings.Join(way, "/"); seen[key] {
				t.Fatalf("%s is there twice", key)
			} else {
				seen[key] = true
			}
		}
		if l := tree.Level(v); v < tree.Start[l] || v >= tree.Start[l+1] {
			t.Fatalf("node %d is not on level %d", v, l)
		}
	}
	for _, combo := range s.Combos {
		way := ""
		for _, j := range tree.Order {
			way += "/" + s.Parameters[j].Values[combo[j]]
		}
		if !seen[way] {
			t.Fatalf("%s is not in the tree", way)
		}
	}
	checkAggregates(t, tree, below)
}

func checkAggregates(t *testing.T, tree *Tree, below [][]int32) {
	t.Helper()
	f := NewFilter(tree.Space)
	f.Normalised(0, 0.2, 1)
	passing := tree.Passing(f.Pass(), nil)
	extent := tree.Space.Extent[1]
	column := func(by Statistic) []float32 { return tree.Aggregate(1, by, f.Pass()) }
	least, mean, greatest := column(Least), column(Average), column(Greatest)
	for v, points := range below {
		low, high, sum, n := math.Inf(1), math.Inf(-1), 0.0, 0
		for _, p := range points {
			if x := tree.Space.F[1][p]; tree.Space.Norm[0][p] >= 0.2 {
				low, high, sum, n = min(low, x), max(high, x), sum+x, n+1
			}
		}
		agree := passing[v] == int32(n)
		if p := tree.Point(int32(v)); p != None { // whatever is below, a point has its own value
			low = tree.Space.F[1][p]
			high, sum = low, low*float64(n)
		}
		for _, c := range []struct {
			got  float32
			want float64
		}{{least[v], low}, {mean[v], sum / float64(n)}, {greatest[v], high}} {
			if n == 0 && c.got == c.got || n > 0 && !(math.Abs(float64(c.got)-extent.Norm(c.want)) < 1e-6) {
				agree = false
			}
		}
		if !agree {
			t.Fatalf("node %d: %d pass, %g..%g..%g; want %d, %g..%g, sum %g in %v", v, passing[v], least[v], mean[v],
				greatest[v], n, low, high, sum, extent)
		}
	}
}

func TestOrderOfLevelsIsChecked(t *testing.T) {
	s := grown(t, 1, 20)
	for _, order := range [][]int{{0, 1}, {0, 1, 1}, {0, 1, 3}, {0, 1, 2, 2}, {-1, 0, 1}} {
		if _, err := NewTree(s, order, 0); err == nil {
			t.Errorf("%v was taken", order)
		}
	}
}

func TestEdgesAreLinearInTheirValue(t *testing.T) {
	tree, err := NewTree(grown(t, 2, 150), nil, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	value, importance := tree.Edges(ByDistance)
	e := Range(value)
	for v, x := range value {
		if (tree.Points[v] == 0 || v == 0) != (x != x) || x != x && importance[v] == importance[v] {
			t.Fatalf("node %d: value %g, importance %g", v, x, importance[v])
		}
		if x == x && math.Abs(importance[v]-(e.Max-x)/(e.Max-e.Min)) > 1e-12 {
			t.Fatalf("node %d: importance %g of %g in %v", v, importance[v], x, e)
		}
	}
	value, importance = tree.Edges(ByGeneration)
	for v, x := range value {
		if x == x && (x != float64(tree.Last[v]) ||
			math.Abs(importance[v]-(x-Range(value).Min)/(8-Range(value).Min)) > 1e-12) {
			t.Fatalf("node %d: last generation %g, importance %g", v, x, importance[v])
		}
	}
}

func BenchmarkTree(b *testing.B) {
	for _, n := range []int{10000, 100000, 1000000} {
		s := grown(b, 3, n)
		tree, err := NewTree(s, nil, 0.1)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("new/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := NewTree(s, nil, 0.1); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("layout/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				tree.Layout(Hide{UpTo: -1})
			}
		})
		b.Run(fmt.Sprintf("filter/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			f := NewFilter(s)
			f.Distance(0, 0.5)
			f.Parameter(0, []bool{true, true, false, true})
			var passing []int32
			high := 0.5
			for b.Loop() {
				high = 1.1 - high
				f.Normalised(0, 0, high)
				passing = tree.Passing(f.Pass(), passing)
			}
		})
	}
}

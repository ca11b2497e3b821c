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
		s := grown(t, seed, 200)
		for _, order := range [][]int{nil, {2, 0, 1}} {
			tree, err := NewTree(s, order, 0.1)
			if err != nil {
				t.Fatal(err)
			}
			checkTree(t, tree)
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
		if nodes := tree.Nodes(p); tree.Point(nodes[0]) != p || tree.Point(nodes[len(nodes)-1]) != p || (len(nodes) == 2) != s.Global[p] {
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
				if first == None || g < first {
					first = g
				}
				last = max(last, g)
			}
			if d := s.ToFront[p]; !(near <= d) {
				near = d
			}
		}
		if tree.Size[v] != size || tree.Points[v] != int32(len(below[v])) || tree.First[v] != first || tree.Last[v] != last || tree.Near[v] != near && len(below[v]) > 0 {
			t.Fatalf("node %d: size %d, points %d, generations %d-%d, near %g; want %d, %d, %d-%d, %g", v, tree.Size[v], tree.Points[v], tree.First[v], tree.Last[v], tree.Near[v], size, len(below[v]), first, last, near)
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
	a := tree.Aggregate(1, f.Pass())
	for v, points := range below {
		low, high, sum, n := math.Inf(1), math.Inf(-1), 0.0, 0
		for _, p := range points {
			if x := tree.Space.Objectives[1].Values[p]; tree.Space.Norm[0][p] >= 0.2 {
				low, high, sum, n = min(low, x), max(high, x), sum+x, n+1
			}
		}
		if passing[v] != int32(n) || n > 0 && (a.Min[v] != low || a.Max[v] != high || math.Abs(a.Mean[v]-sum/float64(n)) > 1e-12) || n == 0 && a.Mean[v] == a.Mean[v] {
			t.Fatalf("node %d: %d pass, %g..%g..%g; want %d, %g..%g, sum %g", v, passing[v], a.Min[v], a.Mean[v], a.Max[v], n, low, high, sum)
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
		if x == x && (x != float64(tree.Last[v]) || math.Abs(importance[v]-(x-Range(value).Min)/(8-Range(value).Min)) > 1e-12) {
			t.Fatalf("node %d: last generation %g, importance %g", v, x, importance[v])
		}
	}
}

func TestLayoutIsTidy(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for seed := range uint64(12) {
		tree, err := NewTree(grown(t, seed, 20+int(seed)*40), nil, 0.1)
		if err != nil {
			t.Fatal(err)
		}
		h := Hide{UpTo: -1, Empty: seed%2 == 1}
		if seed > 3 {
			f := NewFilter(tree.Space)
			f.Range(0, 0.3, 0.8)
			h = f.Hide(tree)
			h.Collapsed = map[int32]bool{}
			for range seed {
				h.Collapsed[int32(r.IntN(tree.Len()))] = true
			}
		}
		checkLayout(t, tree.Layout(h), h)
	}
}

// checkLayout looks for what a tidy drawing promises: what is visible is there in order, rows are spaced, parents stand over
// the middle of their children, subtrees stand as near as they can.
func checkLayout(t *testing.T, l *Layout, h Hide) {
	t.Helper()
	tree := l.Tree
	visible := make([]bool, tree.Len())
	n := 0
	for v := range int32(tree.Len()) {
		up := tree.Parent[v]
		passing := tree.Points[v] > 0 && (h.Passing == nil || h.Passing[v] > 0)
		visible[v] = up == None || visible[up] && !h.Collapsed[up] && (passing || tree.Points[v] == 0 && !h.Empty)
		if visible[v] {
			if i := l.Find(v); i != n || up != None && l.Nodes[l.Up[i]] != up {
				t.Fatalf("node %d is at %d, want %d", v, i, n)
			}
			n++
		} else if l.Find(v) >= 0 {
			t.Fatalf("node %d is hidden and laid out", v)
		}
	}
	if n != len(l.Nodes) {
		t.Fatalf("%d nodes are laid out, want %d", len(l.Nodes), n)
	}
	const tiny = 1e-9
	children := make([][]int, n)
	for level := 0; level+1 < len(l.Start); level++ {
		for i := int(l.Start[level]); i < int(l.Start[level+1]); i++ {
			if i > int(l.Start[level]) {
				apart := 1.4
				if l.Up[i] == l.Up[i-1] {
					apart = 1
				}
				if l.X[i]-l.X[i-1] < apart-tiny {
					t.Fatalf("nodes %d and %d of level %d are %g apart", i-1, i, level, l.X[i]-l.X[i-1])
				}
			}
			if got := l.Hit(level, l.X[i]+0.3); got != i {
				t.Fatalf("a hit beside node %d finds %d", i, got)
			}
			if up := l.Up[i]; up != None {
				children[up] = append(children[up], i)
			}
			if l.X[i] < 0 || l.X[i] > l.Width || l.X[i] < l.Left[i] || l.X[i] > l.Right[i] {
				t.Fatalf("node %d at %g is outside of [%g, %g] or [0, %g]", i, l.X[i], l.Left[i], l.Right[i], l.Width)
			}
		}
	}
	for v, list := range children {
		if len(list) == 0 {
			continue
		}
		if middle := (l.X[list[0]] + l.X[list[len(list)-1]]) / 2; math.Abs(l.X[v]-middle) > tiny {
			t.Fatalf("node %d is at %g, the middle of its children is %g", v, l.X[v], middle)
		}
	}
	checkTight(t, l)
}

// checkTight wants, between the parts of the tree left and right of any two neighbouring siblings' subtrees, two subtrees of
// these siblings or of ones farther left that touch: else the right ones could move.
func checkTight(t *testing.T, l *Layout) {
	t.Helper()
	contour := func(v int) (low, high map[int]float64) {
		low, high = map[int]float64{}, map[int]float64{}
		for i := v; i < len(l.Nodes); i++ {
			u := i
			for u > v {
				u = int(l.Up[u])
			}
			if level := l.Tree.Level(l.Nodes[i]); u == v {
				if x, ok := low[level]; !ok || l.X[i] < x {
					low[level] = l.X[i]
				}
				high[level] = max(high[level], l.X[i])
			}
		}
		return low, high
	}
	for i := 1; i < len(l.Nodes); i++ {
		if l.Up[i] != l.Up[i-1] || i > 60 {
			continue
		}
		low, _ := contour(i)
		level := l.Tree.Level(l.Nodes[i])
		slack := math.Inf(1)
		for j := i - 1; j >= 0 && l.Up[j] == l.Up[i]; j-- {
			_, high := contour(j)
			for k, x := range low {
				if y, ok := high[k]; ok && (k != level || j == i-1) {
					apart := 1.4
					if k == level {
						apart = 1
					}
					slack = min(slack, x-y-apart)
				}
			}
		}
		if first := l.Nodes[i-1] == l.Tree.Child[l.Tree.Parent[l.Nodes[i]]]; first && slack > 1e-9 && slack < math.Inf(1) && !spread(l, i) {
			t.Fatalf("node %d could move left by %g", i, slack)
		}
	}
}

// spread tells whether i has right siblings, whose need for room may push it apart from its left ones.
func spread(l *Layout, i int) bool { return i+1 < len(l.Nodes) && l.Up[i+1] == l.Up[i] }

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

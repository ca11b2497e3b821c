package dse

import (
	"math"
	"math/rand/v2"
	"testing"
)

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

// checkLayout looks for what a tidy drawing promises: what is visible is there in order, rows are spaced, parents stand
// over the middle of their children, and everything where the slow twin puts it.
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
	checkAgainstSlow(t, l, children)
}

// drawn is a finished subtree: by depth below its root, its least and greatest x relative to the root's.
type drawn struct {
	low, high []float64
	at        map[int]float64 // of each visible node
}

// slowLayout draws a subtree as the paper describes it, without threads and without delayed shifts: each child goes
// beside its left neighbour and then, depth by depth from the top, away from the nearest left sibling that is as deep;
// siblings between the two share the push in the end.
func slowLayout(children [][]int, v int) drawn {
	d := drawn{[]float64{0}, []float64{0}, map[int]float64{v: 0}}
	var parts []drawn
	var x []float64
	type push struct {
		from, to int
		by       float64
	}
	var pushes []push
	for i, c := range children[v] {
		p := slowLayout(children, c)
		parts, x = append(parts, p), append(x, 0)
		if i == 0 {
			continue
		}
		x[i] = x[i-1] + 1
		for depth := 1; depth < len(p.low); depth++ {
			j := i - 1
			for j >= 0 && len(parts[j].low) <= depth {
				j--
			}
			if j < 0 {
				break
			}
			if by := x[j] + parts[j].high[depth] + 1.4 - x[i] - p.low[depth]; by > 0 {
				x[i] += by
				pushes = append(pushes, push{j, i, by})
			}
		}
	}
	for _, p := range pushes {
		for k := p.from + 1; k < p.to; k++ {
			x[k] += p.by * float64(k-p.from) / float64(p.to-p.from)
		}
	}
	for i, p := range parts {
		shift := x[i] - (x[0]+x[len(x)-1])/2
		for depth := range p.low {
			if depth+1 == len(d.low) {
				d.low, d.high = append(d.low, math.Inf(1)), append(d.high, math.Inf(-1))
			}
			d.low[depth+1] = min(d.low[depth+1], p.low[depth]+shift)
			d.high[depth+1] = max(d.high[depth+1], p.high[depth]+shift)
		}
		for u, at := range p.at {
			d.at[u] = at + shift
		}
	}
	return d
}

func checkAgainstSlow(t *testing.T, l *Layout, children [][]int) {
	t.Helper()
	d := slowLayout(children, 0)
	low := math.Inf(1)
	for _, x := range d.low {
		low = min(low, x)
	}
	for v, x := range d.at {
		if math.Abs(l.X[v]-(x-low)) > 1e-9 {
			t.Fatalf("node %d is at %g, want %g", v, l.X[v], x-low)
		}
	}
}

package flame

import (
	"image/color"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/views/golden"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// grow makes a random tree whose totals are right.
func grow(r *rand.Rand, deep int) *heap.Node {
	n := &heap.Node{Name: "f" + string(rune('a'+r.IntN(26))), Frame: traceio.Frame{Function: "f", File: "x.c",
		Line: 1 + r.IntN(90)}}
	n.Self = heap.Cost{Blocks: uint64(r.IntN(9)), Bytes: uint64(1 + r.IntN(500))}
	n.Total = n.Self
	for range r.IntN(4) {
		if deep == 0 {
			break
		}
		c := grow(r, deep-1)
		n.Children = append(n.Children, c)
		n.Total.Bytes += c.Total.Bytes
		n.Total.Blocks += c.Total.Blocks
	}
	return n
}

// Every box lies within its caller's, is as wide as its share, and answers where it is drawn.
func TestBoxesNest(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	size := scene.Size{W: 800, H: 400, Scale: 1}
	for range 40 {
		s := State{Theme: palette.Dark(), Root: grow(r, 6), Metric: []heap.Metric{heap.ByBytes, heap.ByBlocks}[r.IntN(2)],
			Top: 24}
		if len(s.Root.Children) > 1 && r.IntN(2) == 0 {
			s.Focus = []int{1}
		}
		all := boxes(&s, size)
		at := map[*heap.Node]scene.Rect{}
		little := map[*heap.Node]bool{}
		for _, b := range all {
			if b.node != nil {
				at[b.node] = b.at
			}
			for _, n := range b.more {
				little[n] = true
			}
		}
		for _, b := range all {
			if b.node == nil {
				if got := Hit(s, size, b.at.Center()); b.at.Max.Y < size.H && (got.Node != nil || got.Way == nil ||
					len(got.Lines) < 3) {
					t.Fatalf("at several functions: %+v", got)
				}
				continue
			}
			if b.at.W() < narrow {
				t.Fatalf("%s is %g wide", b.node.Name, b.at.W())
			}
			for i, c := range b.node.Children {
				box, ok := at[c]
				if !ok {
					if part := b.at.W() * float64(s.Metric.Of(&c.Total)) / float64(max(s.Metric.Of(&b.node.Total), 1)); !b.above &&
						b.at.Max.Y <= size.H && part >= narrow {
						t.Fatalf("%s is left out, which is %g wide", c.Name, part)
					}
					continue
				}
				if little[c] {
					t.Fatalf("%s is drawn twice", c.Name)
				}
				if box.Min.X < b.at.Min.X-1e-9 || box.Max.X > b.at.Max.X+1e-9 || box.Min.Y != b.at.Max.Y {
					t.Fatalf("child %d at %v is not below %v", i, box, b.at)
				}
				want := b.at.W() * float64(s.Metric.Of(&c.Total)) / float64(s.Metric.Of(&b.node.Total))
				if d := box.W() - want; len(s.Focus) == 0 && (d > 1e-6 || d < -1e-6) {
					t.Fatalf("child %d is %g wide, want %g", i, box.W(), want)
				}
			}
			if b.at.Max.Y < size.H {
				got := Hit(s, size, b.at.Center())
				n := s.Root
				for _, i := range got.Way {
					n = n.Children[i]
				}
				if n != b.node || len(got.Lines) < 3 || got.Thing.Name != b.node.Name {
					t.Fatalf("at %v: %+v, want %s", b.at.Center(), got, b.node.Name)
				}
			}
		}
		if tall := Tall(s, size); len(all) > 0 && tall < row {
			t.Errorf("%d boxes are %g tall", len(all), tall)
		}
	}
}

func TestGoldens(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	root := grow(r, 7)
	for len(root.Children) < 3 {
		root = grow(r, 7)
	}
	placed := grow(r, 3)
	for len(placed.Children) < 3 {
		placed = grow(r, 3)
	}
	placed.Site, placed.Children[1].Site = -1, 1
	size := scene.Size{W: 640, H: 220, Scale: 1}
	for _, row := range []struct {
		name string
		size scene.Size
		s    State
	}{
		{"dark", size, State{Theme: palette.Dark(), Root: root, Top: Bar, Taken: 100}},
		{"light", size, State{Theme: palette.Light(), Root: root, Top: Bar, Metric: heap.ByBlocks, Color: ByFile}},
		{"selected", size, State{Theme: palette.Dark(), Root: root, Top: Bar, Selected: link.Thing{What: link.Function,
			Name: root.Children[0].Name}}},
		{"found", size, State{Theme: palette.Light(), Root: root, Top: Bar, Filter: "FA", Typing: true,
			Over: root.Children[1]}},
		{"zoomed", size, State{Theme: palette.Dark(), Root: root, Top: Bar, Focus: []int{1, 0}, Color: BySite,
			Sites: []color.NRGBA{palette.Qualitative(palette.Dark(), 1)}}},
		{"place", size, State{Theme: palette.Light(), Root: placed, Top: Bar, Places: []string{"heap@x.c:1", "*p"},
			Selected: link.Thing{What: link.Region, Name: "*p"}}},
		{"narrow", scene.Size{W: 150, H: 120, Scale: 1}, State{Theme: palette.Light(), Root: root, Top: Bar, Scroll: 20}},
		{"none", size, State{Theme: palette.Dark(), Root: root, Top: Bar, Metric: heap.ByLeaked}},
	} {
		t.Run(row.name, func(t *testing.T) { golden.Check(t, row.name, Scene(row.s, row.size)) })
	}
}

// TestSearch: the filter's share counts what goes through several functions that it lights once, as a walk over all
// single stacks does.
func TestSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 8))
	for range 60 {
		s := State{Root: grow(r, 6), Metric: heap.ByBytes, Filter: "F" + string(rune('a'+r.IntN(26)))}
		if len(s.Root.Children) > 0 && r.IntN(2) == 0 {
			s.Focus = []int{r.IntN(len(s.Root.Children))}
		}
		want, nodes := uint64(0), 0
		var walk func(n *heap.Node, through bool)
		walk = func(n *heap.Node, through bool) {
			if n != s.Root && strings.Contains(n.Name, strings.ToLower(s.Filter)) {
				through = true
				nodes++
			}
			if through {
				want += n.Self.Bytes
			}
			for _, c := range n.Children {
				walk(c, through)
			}
		}
		zoomed := s.Nodes()
		walk(zoomed[len(zoomed)-1], false)
		if f := Search(s); f.Value != want || len(f.Nodes) != nodes {
			t.Fatalf("%d bytes through %d functions, want %d through %d", f.Value, len(f.Nodes), want, nodes)
		}
	}
	if Search(State{Root: grow(r, 3), Filter: "  "}) != nil {
		t.Error("blanks are a filter")
	}
}

// TestFollow: a way leads to the nodes of the same names in a tree that has others beside them.
func TestFollow(t *testing.T) {
	leaf := func(name string, kids ...*heap.Node) *heap.Node { return &heap.Node{Name: name, Children: kids} }
	old := leaf("", leaf("main", leaf("parse", leaf("push"))))
	now := leaf("", leaf("start"), leaf("main", leaf("read"), leaf("parse")))
	for _, row := range []struct {
		from, to  *heap.Node
		way, want []int
	}{{old, now, []int{0, 0, 0}, []int{1, 1}}, {old, now, nil, nil}, {old, now, []int{7}, nil}, {nil, now, []int{0}, nil},
		{old, old, []int{0, 0, 0}, []int{0, 0, 0}}} {
		if got := Follow(row.from, row.to, row.way); !slices.Equal(got, row.want) {
			t.Errorf("%v leads to %v, want %v", row.way, got, row.want)
		}
	}
}

func TestWords(t *testing.T) {
	for _, m := range Metrics {
		if Words(m) == "" {
			t.Errorf("%v has no words", m)
		}
	}
	d := Scene(State{Theme: palette.Dark()}, scene.Size{W: 300, H: 100})
	if x := d.Shapes[0].(scene.Text); !strings.Contains(x.S, "call stacks") {
		t.Errorf("without a tree it says %q", x.S)
	}
	n := &heap.Node{Name: "f", Total: heap.Cost{Bytes: 3000, Blocks: 1}, Self: heap.Cost{Bytes: 1000}}
	s := State{Root: &heap.Node{Total: heap.Cost{Bytes: 600_000}, Children: []*heap.Node{n}}}
	if got, want := strings.Join(describe(&s, n), "; "), "f; bytes asked for: 2.9 KiB, 0.5 % of all; 1000 B by this "+
		"function itself; 1 call, 2.9 KiB; 0 B at the peak, 0 B never freed, 0 temporary"; got != want {
		t.Errorf("a function is described as\n%s, want\n%s", got, want)
	}
}

// TestShare: a half goes up, whatever stands before it.
func TestShare(t *testing.T) {
	for _, row := range []struct {
		part, whole uint64
		want        string
	}{{1, 8, "13 %"}, {3, 8, "38 %"}, {1, 3, "33 %"}, {1, 1000, "0.1 %"}, {0, 5, "0 %"}, {0, 0, "0 %"}} {
		if got := strings.ReplaceAll(share(row.part, row.whole), "\u00a0", " "); got != row.want {
			t.Errorf("%d of %d is %q, want %q", row.part, row.whole, got, row.want)
		}
	}
}

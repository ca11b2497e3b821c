package flame

import (
	"math/rand/v2"
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
	n := &heap.Node{Name: "f" + string(rune('a'+r.IntN(26))), Frame: traceio.Frame{Function: "f", File: "x.c", Line: 1 + r.IntN(90)}}
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
		s := State{Theme: palette.Dark(), Root: grow(r, 6), Metric: []heap.Metric{heap.ByBytes, heap.ByBlocks}[r.IntN(2)], Top: 24}
		if len(s.Root.Children) > 1 && r.IntN(2) == 0 {
			s.Focus = []int{1}
		}
		all := boxes(&s, size)
		at := map[*heap.Node]scene.Rect{}
		for _, b := range all {
			at[b.node] = b.at
		}
		for _, b := range all {
			for i, c := range b.node.Children {
				box, ok := at[c]
				if !ok {
					continue
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
	size := scene.Size{W: 640, H: 220, Scale: 1}
	colors := map[string]palette.Theme{"flame-dark": palette.Dark(), "flame-light": palette.Light()}
	for name, theme := range colors {
		s := State{Theme: theme, Root: root, Top: 24}
		if theme.Dark {
			s.Selected = link.Thing{What: link.Function, Name: root.Children[0].Name}
		}
		golden.Check(t, name, Scene(s, size))
	}
	golden.Check(t, "flame-none", Scene(State{Theme: palette.Dark(), Root: root, Metric: heap.ByLeaked}, size))
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
}

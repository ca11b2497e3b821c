package codegraph

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"syscall"
	"testing"

	"orrery/analysis/depgraph"
	"orrery/analysis/depgraph/filter"
	"orrery/analysis/depgraph/layout"
	"orrery/traceio/irgraph"
	"orrery/traceio/irgraph/graphfile"
	"orrery/views/golden"
	"orrery/views/palette"
	"orrery/views/raster"
	"orrery/views/scene"
)

// arranged is a picture of one graph.
func arranged(t testing.TB, g *depgraph.Graph, faint []bool, blocks bool, long int) *Picture {
	t.Helper()
	s, err := depgraph.Arrange(context.Background(), []*depgraph.Graph{g},
		depgraph.Arrangement{Size: Measure, Blocks: blocks,
			Options: layout.Options{NodeGap: 16, LayerGap: 40, BlockHead: 18, BlockPad: 14, Stub: 16, Long: long, Effort: 0.02}},
		nil)
	if err != nil {
		t.Fatal(err)
	}
	return NewPicture(g, faint, s, 0, layout.NewIndex(s.Layout))
}

// shipped is a phase of a shipped function, through the shipped filters.
func shipped(t testing.TB, name string, phase int) *depgraph.Graph {
	t.Helper()
	doc, err := graphfile.Open(context.Background(), "../../testdata/graphs/"+name, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := doc.Groups[0].Snapshots
	g, _, err := filter.Apply(context.Background(), depgraph.Display(all[(phase+len(all))%len(all)]), filter.Shipped())
	if err != nil {
		t.Fatal(err)
	}
	return g
}

var room = scene.Size{W: 620, H: 460, Scale: 1}

// heated gives some nodes what a recording says.
func heated(g *depgraph.Graph) *depgraph.Graph {
	for v := range g.Nodes {
		if n := &g.Nodes[v]; n.Properties.Get(irgraph.KeyAccess) != "" {
			n.Properties = n.Properties.With(References, fmt.Sprint(4096+v)).With(Misses, fmt.Sprint(100*v)).With(Stride, "64")
		}
	}
	return g
}

func TestPictures(t *testing.T) {
	list := shipped(t, "golist.ssa.gz", -1)
	set := depgraph.NewSet("v22")
	part, faint := set.Extract(list)
	for _, c := range []struct {
		name string
		make func(s *State)
	}{
		{"normal", func(s *State) { s.Picture = arranged(t, list, nil, false, 8) }},
		{"blocks", func(s *State) { s.Picture = arranged(t, list, nil, true, 8) }},
		{"cut", func(s *State) { s.Picture = arranged(t, list, nil, false, 2) }},
		{"open", func(s *State) { s.Picture, s.Selected = arranged(t, part, faint, false, 8), set }},
		{"misses", func(s *State) {
			s.Picture, s.Color, s.Level = arranged(t, heated(list.Clone()), nil, false, 8), ByMisses, "L1"
		}},
		{"whole", func(s *State) {
			s.Picture, s.Satellite = arranged(t, list, nil, false, 8), Whole
			s.View.Zoom = 3
		}},
		{"corner", func(s *State) {
			s.Picture, s.Satellite = arranged(t, list, nil, false, 8), Corner
			s.View.Zoom = 1.6
			s.Marked, s.Lit = depgraph.NewSet("v8"), depgraph.NewSet("v17")
		}},
		{"empty", func(s *State) { s.Empty = "No graph yet." }},
	} {
		for _, theme := range []palette.Theme{palette.Dark(), palette.Light()} {
			s := State{Theme: theme, Satellite: Hidden, Hover: Nowhere()}
			c.make(&s)
			if s.Picture != nil {
				zoom := s.View.Zoom
				s.View = s.Picture.Fit(room, 0)
				if zoom > 0 {
					s.View.Zoom = zoom
				}
			}
			golden.Check(t, c.name+"-"+theme.Name, Scene(s, room))
		}
	}
}

// Each node is hit where it is drawn, in the middle and at the corners, and nothing beside it; each stub leads to the
// other end.
func TestNodesAndStubsAreHitWhereTheyAreDrawn(t *testing.T) {
	for _, blocks := range []bool{false, true} {
		p := arranged(t, shipped(t, "golist.ssa.gz", 8), nil, blocks, 2)
		s := State{Theme: palette.Dark(), Picture: p, View: p.Fit(room, 27), Top: 27, Satellite: Hidden, Hover: Nowhere()}
		s.View.Zoom *= 1.9
		f := s.frame(room)
		for v := range p.Graph.Nodes {
			r := f.rect(p.Box(v))
			for _, at := range []scene.Point{r.Center(), {X: r.Min.X + 0.5, Y: r.Min.Y + 0.5},
				{X: r.Max.X - 0.5, Y: r.Max.Y - 0.5}} {
				if at.Y < s.Top || at.Y > room.H-legendRow-8 {
					continue
				}
				if got := Hit(s, room, at); got.Node != v {
					t.Errorf("blocks %v: at node %s is node %d", blocks, p.Graph.Nodes[v].ID, got.Node)
				}
			}
		}
		stubs := 0
		for e := range p.Graph.Edges {
			r := p.Layout.Routes[p.phase.Edge[e]]
			if !r.Cut() {
				continue
			}
			for i, at := range []scene.Point{f.at(r.Points[len(r.Points)-1]), f.at(r.End[0])} {
				got := Hit(s, room, at)
				if got.Stub == 0 { // another one's node or the bar is there
					continue
				}
				stubs++
				x := p.Graph.Edges[got.Edge]
				if got.Edge == e && (got.Stub != i+1 || p.Follow(got) != []int{int(x.To), int(x.From)}[i]) {
					t.Errorf("stub %d of edge %d leads to %d", i, e, p.Follow(got))
				}
			}
		}
		if stubs == 0 && !blocks {
			t.Error("no stub was hit")
		}
	}
}

// The point under the pointer stays there when the view comes closer, and everything is in view when it is fitted.
func TestViews(t *testing.T) {
	p := arranged(t, shipped(t, "list.turbo.json.gz", 3), nil, false, 8)
	v := p.Fit(room, 27)
	f := frame{view: v, mid: middle(room, 27)}
	for i := range p.Graph.Nodes {
		if r := f.rect(p.Box(i)); r.Min.X < 0 || r.Max.X > room.W || r.Min.Y < 27 || r.Max.Y > room.H {
			t.Errorf("node %d is not in the view of everything: %v", i, r)
		}
	}
	at := scene.Point{X: 100, Y: 200}
	was := f.back(at)
	closer := frame{view: v.Zoomed(room, 27, at, 3), mid: f.mid}
	if now := closer.back(at); now.X-was.X > 1e-6 || was.X-now.X > 1e-6 || now.Y-was.Y > 1e-6 || was.Y-now.Y > 1e-6 {
		t.Errorf("zooming moves what is under the pointer from %v to %v", was, now)
	}
	ids := depgraph.NewSet(p.Graph.Nodes[7].ID, p.Graph.Nodes[20].ID)
	near, ok := p.FitNodes(ids, room, 27, 1)
	if !ok || near.Zoom >= readable && !p.ShowsReadable(near, room, 27, ids) {
		t.Error("nodes that were to be seen are not")
	}
	if got := v.Towards(near, 1); got != near {
		t.Errorf("at the end of the way is %v, want %v", got, near)
	}
}

// On the way from another picture nodes that both have begin where they were in the pane and end at their places, and
// the ends of edges keep their distance from the nodes they belong to.
func TestBetweenPictures(t *testing.T) {
	other, p := arranged(t, shipped(t, "gomatmul.ssa.gz", 2), nil, false, 4),
		arranged(t, shipped(t, "gomatmul.ssa.gz", 5), nil, false, 4)
	from, to := other.Fit(room, 27), p.Start(room, 27, 0.8)
	kept := 0
	for _, share := range []float64{0, 0.4, 1} {
		q := p.Between(other, from, to, share)
		a, b, now := frame{view: from}, frame{view: to}, frame{view: to}
		for v := range p.Graph.Nodes {
			begin, end, at := scene.Point{}, b.at(center(p.Box(v))), now.at(center(q.Box(v)))
			if u := slices.IndexFunc(other.Graph.Nodes,
				func(n depgraph.Node) bool { return n.ID == p.Graph.Nodes[v].ID }); u >= 0 {
				begin = a.at(center(other.Box(u)))
				kept++
			} else {
				begin = end
			}
			if x, y := begin.X+share*(end.X-begin.X), begin.Y+share*(end.Y-begin.Y); math.Abs(x-at.X)+math.Abs(y-at.Y) > 1e-6 {
				t.Fatalf("at %g of the way node %s is at %v, want %g %g", share, p.Graph.Nodes[v].ID, at, x, y)
			}
		}
		for e, x := range p.Graph.Edges {
			was, now := p.Layout.Routes[p.phase.Edge[e]], q.Layout.Routes[q.phase.Edge[e]]
			if d := was.Points[0].X - p.Box(int(x.From)).Min.X - now.Points[0].X + q.Box(int(x.From)).Min.X; math.Abs(d) > 1e-6 {
				t.Fatalf("at %g of the way edge %d has left its node by %g", share, e, d)
			}
		}
		s := State{Theme: palette.Dark(), Picture: q, View: to, Top: 27, Hover: Nowhere()}
		Scene(s, room)
		if at := Hit(s, room, scene.Point{X: 200, Y: 200}); at.Node >= 0 {
			t.Errorf("node %d is hit on its way", at.Node)
		}
		if share == 1 && !reflect.DeepEqual(q.Layout.Nodes, p.Layout.Nodes) {
			t.Error("the way does not end at the picture")
		}
	}
	if kept < 100 {
		t.Errorf("only %d nodes in common", kept)
	}
}

// Every size and state can be drawn and asked.
func TestEverySize(t *testing.T) {
	p := arranged(t, shipped(t, "golist.ssa.gz", 3), nil, true, 4)
	for _, size := range []scene.Size{{W: 1, H: 1, Scale: 1}, {W: 90, H: 60, Scale: 1}, {W: 1900, H: 900, Scale: 2}} {
		for _, c := range []ColorBy{ByFilters, ByMisses, ByReferences} {
			for _, sat := range []Satellite{Corner, Whole, Hidden} {
				for _, v := range []View{{}, {Zoom: 1}, p.Fit(size, 27), p.Start(size, 27, 0.7)} {
					s := State{Theme: palette.Light(), Picture: p, View: v, Color: c, Satellite: sat, Top: 27, Hover: Nowhere()}
					if d := Scene(s, size); d.Size != size {
						t.Fatal("a drawing of another size")
					}
					p.Words(Hit(s, size, scene.Point{X: size.W / 2, Y: size.H / 2}))
				}
			}
		}
	}
}

// large is a graph of n nodes in which most edges are short, as in code.
func large(n int) *depgraph.Graph {
	r := rand.New(rand.NewPCG(3, 9))
	g := &depgraph.Graph{}
	names := []string{"AddI", "LoadI", "StoreI", "Phi", "If", "ConI", "CmpI", "Region"}
	for v := range n {
		g.Nodes = append(g.Nodes, depgraph.Node{ID: fmt.Sprint(v), Block: -1,
			Properties: irgraph.Properties{{Key: irgraph.KeyName, Value: names[v%len(names)]}}})
		for k := range r.IntN(4) {
			if v > 0 {
				g.Edges = append(g.Edges, depgraph.Edge{From: int32(max(0, v-1-int(r.ExpFloat64()*60))), To: int32(v),
					ToSlot: int32(k), Of: -1})
			}
		}
	}
	g.CountSlots()
	return g
}

// What a frame costs at 10 000 nodes, the list of shapes and the pixels: all of it in view, a tenth, and what can be
// read.
func BenchmarkFrame(b *testing.B) {
	g := large(10000)
	p := arranged(b, g, nil, false, 8)
	size := scene.Size{W: 1200, H: 700, Scale: 1}
	for _, c := range []struct {
		name   string
		closer float64
	}{{"all", 1}, {"half", 2}, {"tenth", 6}, {"readable", 0}} {
		b.Run(c.name, func(b *testing.B) {
			s := State{Theme: palette.Dark(), Picture: p, View: p.Fit(size, 27), Top: 27, Hover: Nowhere()}
			if c.closer > 0 {
				s.View.Zoom *= c.closer
			} else {
				s.View = p.Start(size, 27, 0.7)
			}
			b.ReportAllocs()
			im := raster.Render(Scene(s, size), 1, nil)
			var before, after syscall.Rusage
			frames := 0
			syscall.Getrusage(syscall.RUSAGE_SELF, &before)
			for b.Loop() {
				s.View.Center.X += 0.1
				im = raster.Render(Scene(s, size), 1, im)
				frames++
			}
			syscall.Getrusage(syscall.RUSAGE_SELF, &after)
			b.ReportMetric(float64(after.Utime.Nano()-before.Utime.Nano()+after.Stime.Nano()-before.Stime.Nano())/1e6/float64(
				frames), "cpu-ms/frame")
			b.ReportMetric(float64(len(g.Edges)), "edges")
		})
	}
}

// The hottest of some nodes is the one that misses most of them, whatever others do.
func TestHottestOf(t *testing.T) {
	p := arranged(t, heated(shipped(t, "golist.ssa.gz", -1).Clone()), nil, false, 8)
	want, most := "", -1.0
	var some []string
	for v := range p.Graph.Nodes {
		n := &p.Graph.Nodes[v]
		if v%2 == 0 {
			some = append(some, n.ID)
			if x := p.heat[Misses].of[v]; x > most {
				want, most = n.ID, x
			}
		}
	}
	if got := p.HottestOf(depgraph.NewSet(some...)); len(got) != 1 || most > 0 && got[0] != want {
		t.Errorf("the hottest is %v, want %s", got, want)
	}
}

// TestNamesOfBlocksStayInView: of a block whose upper left corner is out of view the name is still there, within the
// block.
func TestNamesOfBlocksStayInView(t *testing.T) {
	p := arranged(t, shipped(t, "golist.ssa.gz", -1), nil, true, 8)
	s := State{Theme: palette.Dark(), Picture: p, Top: 27, Satellite: Hidden, Hover: Nowhere()}
	moved := 0
	for b, name := range p.Blocks {
		if name == "" {
			continue
		}
		r := p.Layout.Blocks[b]
		s.View = View{Center: layout.Point{X: (r.Min.X + r.Max.X) / 2, Y: r.Max.Y}, Zoom: 4}
		f := s.frame(room)
		block := f.rect(r)
		at := s.blockName(&f, block, name)
		if at.At.X < block.Min.X || at.At.X+scene.Measure(at.Face, at.Size, name) > block.Max.X || at.At.Y < block.Min.Y ||
			at.At.Y > block.Max.Y {
			t.Errorf("the name of %s is at %v, the block at %v", name, at.At, block)
		}
		if block.Max.Y-f.top > 20*s.View.Zoom && block.Min.Y < f.top {
			if moved++; at.At.Y < f.top {
				t.Errorf("the name of %s is above the pane at %v", name, at.At)
			}
		}
	}
	if moved == 0 {
		t.Error("no block begins above the pane")
	}
}

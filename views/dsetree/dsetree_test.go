package dsetree

import (
	"bytes"
	"context"
	"image/color"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"orrery/analysis/dse"
	"orrery/analysis/dse/search/mjpeg"
	"orrery/traceio/designs"
	"orrery/views/golden"
	"orrery/views/palette"
	"orrery/views/raster"
	"orrery/views/scene"
	"orrery/views/vector"
)

// encoder is the space of the built-in example.
var encoder = sync.OnceValue(func() *dse.Space {
	set, err := mjpeg.Explored(context.Background(), 1, nil)
	if err != nil {
		panic(err)
	}
	s, err := dse.New(context.Background(), set)
	if err != nil {
		panic(err)
	}
	return s
})

// small has four points on two platforms, a third one that was not searched, and six objectives.
func small(t *testing.T) *dse.Space {
	t.Helper()
	set := &designs.Set{N: 4, Parameters: []designs.Parameter{{Name: "cores", Values: []string{"1", "2", "4"},
		At: []int32{0, 0, 1, 1}}}, Feasible: [][]int32{{0}, {1}, {2}},
		Generations: designs.Generations{Start: []int32{0, 1, 2, 3, 4}, List: []int32{0, 1, 3, 9}, Count: 10}}
	values := [][]float64{{4, 6, 1, 2}, {1, 3, 4, 5}, {0, 1, 0.5, 0.8}, {10, 20, 30, 40}, {60, 60, 90, 90}, {2, 2, 7, 7}}
	for i, name := range []string{"time", "energy", "utilization", "temperature", "cost", "weight"} {
		set.Objectives = append(set.Objectives, designs.Objective{Name: name, Values: values[i], Maximise: i == 2,
			Architecture: i > 3})
	}
	s, err := dse.New(context.Background(), set)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// pictured is the state for a space with a layout.
func pictured(t *testing.T, s *dse.Space, look Look, change func(tree *dse.Tree, h *dse.Hide)) State {
	t.Helper()
	tree, err := dse.NewTree(s, nil, dse.DefaultThreshold)
	if err != nil {
		t.Fatal(err)
	}
	h := dse.Hide{UpTo: -1}
	if change != nil {
		change(tree, &h)
	}
	return State{Theme: palette.Dark(), Look: look, Zoom: 1, Collapsed: h.Collapsed, Counted: dse.None, Edge: dse.None,
		Hover: dse.None, Focus: dse.None, Top: 24, Note: s.Note,
		Shade: NewShade(tree.Layout(h), NewColumns(tree, look, nil))}
}

// subspaces are the nodes of the lowest parameter level that have points.
func subspaces(t *dse.Tree) map[int32]bool {
	out := map[int32]bool{}
	for v := t.Start[len(t.Order)]; v < t.Start[len(t.Order)+1]; v++ {
		if t.Points[v] > 0 {
			out[v] = true
		}
	}
	return out
}

// The figures of the paper that show the tree, from the built-in example.
func TestFigures(t *testing.T) {
	s := encoder()
	size := scene.Size{W: 900, H: 420, Scale: 1}
	look := DefaultLook(s)
	folded := func(tree *dse.Tree, h *dse.Hide) { h.Collapsed = subspaces(tree) }
	front := func(tree *dse.Tree, h *dse.Hide) {
		f := dse.NewFilter(s)
		f.Show(dse.ShowGlobal)
		*h = f.Hide(tree)
		h.Empty = true
	}
	coverage, energy := look, look
	coverage.Tone, energy.Of[Face] = ByCoverage, 1
	golden.Check(t, "figure14", Scene(pictured(t, s, look, folded), size))
	golden.Check(t, "figure15", Scene(pictured(t, s, coverage, folded), size))
	golden.Check(t, "figure16", Scene(pictured(t, s, look, front), size))
	golden.Check(t, "figure17b", Scene(pictured(t, s, energy, folded), size))
}

// All that a node can show, and what the user can do with the tree.
func TestStates(t *testing.T) {
	s := small(t)
	size := scene.Size{W: 640, H: 420, Scale: 1}
	look := DefaultLook(s)
	look.Hexagons = true
	state := pictured(t, s, look, nil)
	tree := state.Shade.Layout.Tree
	golden.Check(t, "six", Scene(state, size))
	state.Theme = palette.Light()
	state.Selected, state.Fresh, state.Blink = tree.Nodes(2), []int32{tree.Of[3]}, 1
	state.Edge, state.Hover, state.Focus = 1, 2, 3
	golden.Check(t, "chosen", Scene(state, size))
	folded := pictured(t, s, look, func(tree *dse.Tree, h *dse.Hide) { h.Collapsed = subspaces(tree) })
	for v := range folded.Collapsed {
		folded.Counted = max(folded.Counted, v)
	}
	golden.Check(t, "folded", Scene(folded, size))
	golden.Check(t, "empty", Scene(State{Theme: palette.Dark(), Empty: "No designs."}, size))
	dragged := pictured(t, encoder(), DefaultLook(encoder()), func(tree *dse.Tree, h *dse.Hide) {
		h.Collapsed = subspaces(tree)
	})
	dragged.Drag = Drag{Level: 1, Y: 150}
	golden.Check(t, "drag", Scene(dragged, size))
	dragged.Drag, dragged.Bird, dragged.Pointer, dragged.Satellite = Drag{}, true, scene.Point{X: 300, Y: 200}, true
	golden.Check(t, "lens", Scene(dragged, size))
}

// The objectives of the paper's figure 5 have a channel each, and what depends on the architecture has a level.
func TestDefaultLook(t *testing.T) {
	look := DefaultLook(small(t))
	if want := [Channels]int{Face: 0, Side: 1, Circle: 4, Texture: 2, Glow: 3, Trapezoid: 5}; look.Of != want {
		t.Errorf("channels %v, want %v", look.Of, want)
	}
}

// Every channel draws every objective that it is given, or the legend says what it waits for.
func TestChannelsDraw(t *testing.T) {
	s := small(t)
	size := scene.Size{W: 1400, H: 700, Scale: 1}
	picture := func(look Look) string { return string(vector.SVG(Scene(pictured(t, s, look, nil), size))) }
	for c := range Channels {
		for o := range s.Objectives {
			look := DefaultLook(s)
			none := look
			none.Of[c] = -1
			look.Give(s, c, o)
			with, without := picture(look), picture(none)
			ofLevel := s.Objectives[o].Architecture && (c == Circle || c == Trapezoid)
			if with == without && !(ofLevel && DefaultLook(s).Of[c] == o) { // which its level shows by itself
				t.Errorf("%s for %s draws nothing", ChannelNames[c], s.Objectives[o].Name)
			}
			if label := s.Objectives[o].Name + ": " + ChannelNames[c]; c != Face && c != Side && !ofLevel &&
				!strings.Contains(with, label) {
				t.Errorf("the legend does not say %q", label)
			}
			if ofLevel && look.Of[Circle] == look.Of[Trapezoid] {
				t.Errorf("%s is a circle and a trapezoid", s.Objectives[o].Name)
			}
		}
	}
	look := DefaultLook(s)
	tiny := pictured(t, s, look, nil)
	if text := string(vector.SVG(Scene(tiny, scene.Size{W: 160, H: 700, Scale: 1}))); strings.Contains(text,
		": texture<") {
		t.Error("where points have no room the legend does not say so")
	}
}

// Whatever is drawn answers where it is drawn, at any zoom, with the lens and without.
func TestHitFindsWhatIsDrawn(t *testing.T) {
	s := encoder()
	size := scene.Size{W: 1100, H: 600, Scale: 1}
	r := rand.New(rand.NewPCG(2, 3))
	state := pictured(t, s, DefaultLook(s), nil)
	width := state.Shade.Layout.Width
	hits := 0
	for range 15 {
		state.Zoom = math.Exp(r.Float64() * math.Log(MostZoom(&state, size)))
		_, shown := Room(&state, size)
		state.Origin = r.Float64() * max(0, width-shown)
		state.Bird, state.Pointer = r.IntN(2) == 0, scene.Point{X: 150 + r.Float64()*900, Y: 60 + r.Float64()*450}
		f := newFrame(&state, size)
		for level := range f.rows {
			f.row(level, func(it item) {
				at := scene.Point{X: it.x, Y: f.rows[level]}
				if !f.area.Contains(at) {
					return
				}
				got := Hit(state, size, at)
				if got.Node != f.l.Nodes[it.low] || got.Merged != it.high-it.low {
					t.Fatalf("zoom %g, lens %v: at %v is node %d (%d merged), want %d (%d)", state.Zoom, state.Bird, at, got.Node,
						got.Merged, f.l.Nodes[it.low], it.high-it.low)
				}
				if len(got.Lines) < 2 {
					t.Fatalf("node %d says %q", got.Node, got.Lines)
				}
				hits++
			})
		}
	}
	if hits < 500 {
		t.Errorf("%d nodes were asked", hits)
	}
}

// A row draws every node that can be seen exactly once, merged or not.
func TestRowsCoverWhatIsVisible(t *testing.T) {
	s := encoder()
	size := scene.Size{W: 900, H: 500, Scale: 1}
	state := pictured(t, s, DefaultLook(s), nil)
	for _, zoom := range []float64{1, 3, 40, 200} {
		for _, bird := range []bool{false, true} {
			state.Zoom, state.Bird, state.Pointer, state.Origin = zoom, bird, scene.Point{X: 420, Y: 200},
				state.Shade.Layout.Width*0.3
			f := newFrame(&state, size)
			for level := range f.rows {
				seen := map[int]int{}
				f.row(level, func(it item) {
					for i := it.low; i < it.high; i++ {
						seen[i]++
					}
				})
				for i := int(f.l.Start[level]); i < int(f.l.Start[level+1]); i++ {
					if x := f.x(f.l.X[i]); x >= f.area.Min.X && x <= f.area.Max.X && seen[i] != 1 {
						t.Fatalf("zoom %g, lens %v, level %d: node %d at %g is drawn %d times", zoom, bird, level, i, x, seen[i])
					}
				}
			}
		}
	}
}

// Edges that cross the picture are those that a look at each of them finds.
func TestCrossingEdges(t *testing.T) {
	s := encoder()
	size := scene.Size{W: 900, H: 500, Scale: 1}
	state := pictured(t, s, DefaultLook(s), nil)
	for _, zoom := range []float64{1, 7, 90} {
		state.Zoom, state.Origin = zoom, state.Shade.Layout.Width*0.4
		f := newFrame(&state, size)
		left, right := f.place(f.area.Min.X), f.place(f.area.Max.X)
		for level := 1; level < len(f.rows); level++ {
			low, high := f.crossing(level)
			for i := int(f.l.Start[level]); i < int(f.l.Start[level+1]); i++ {
				x, up := f.l.X[i], f.l.X[f.l.Up[i]]
				if want := max(x, up) >= left && min(x, up) <= right; want != (i >= low && i < high) {
					t.Fatalf("zoom %g, level %d: edge %d from %g to %g is taken: %v", zoom, level, i, up, x, !want)
				}
			}
		}
	}
}

// Sums over blocks are those of all nodes one by one.
func TestSumsAgreeWithAWalk(t *testing.T) {
	s := encoder()
	state := pictured(t, s, DefaultLook(s), nil)
	sh := state.Shade
	r := rand.New(rand.NewPCG(5, 5))
	for range 500 {
		from := r.IntN(len(sh.Layout.Nodes))
		to := from + 1 + r.IntN(len(sh.Layout.Nodes)-from)
		got, want := sh.of(from, to), sh.walk(from, to)
		if got.n != want.n || got.data != want.data || got.sides != want.sides || got.edge != want.edge ||
			math.Abs(got.face-want.face) > 1e-6 || math.Abs(got.side-want.side) > 1e-6 {
			t.Fatalf("[%d, %d): %+v, want %+v", from, to, got, want)
		}
	}
}

// The lens moves points apart and takes none out of the picture, and its inverse goes back.
func TestLensGoesBack(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for range 2000 {
		low := r.Float64() * 100
		high := low + 1 + r.Float64()*1000
		at := low + r.Float64()*(high-low)
		x := low + r.Float64()*(high-low)
		y := warp(x, at, low, high, lensing)
		if y < low-1e-9 || y > high+1e-9 {
			t.Fatalf("warp(%g) = %g leaves [%g, %g]", x, y, low, high)
		}
		if back := unwarp(y, at, low, high, lensing); math.Abs(back-x) > 1e-6*(high-low) {
			t.Fatalf("%g went to %g and back to %g", x, y, back)
		}
		if z := warp(x+1e-3, at, low, high, lensing); z <= y {
			t.Fatalf("the order is lost at %g", x)
		}
	}
}

// A parameter node has the colour that a look at all points below it gives.
func TestTonesAgreeWithPoints(t *testing.T) {
	s := small(t)
	tree, err := dse.NewTree(s, nil, dse.DefaultThreshold)
	if err != nil {
		t.Fatal(err)
	}
	for tone, want := range map[Tone]func(list []float64) float64{
		ByMin:  func(l []float64) float64 { return min(l[0], l[1]) },
		ByMean: func(l []float64) float64 { return (l[0] + l[1]) / 2 },
		ByMax:  func(l []float64) float64 { return max(l[0], l[1]) },
	} {
		for o := range s.Objectives {
			look := DefaultLook(s)
			look.Tone, look.Of[Face] = tone, o
			other := look
			other.Tone = ByMean
			c := NewColumns(tree, other, dse.NewBits(s.N)).Again(look, nil)
			for k := range int32(2) {
				p := s.Points(int(k))
				if w, got := want([]float64{s.Norm[o][p[0]], s.Norm[o][p[1]]}), float64(c.Face[tree.Start[1]+k]); math.Abs(got-w) >
					1e-6 {
					t.Errorf("%s of %s in subspace %d is %g, want %g", ToneNames[tone], s.Objectives[o].Name, k, got, w)
				}
			}
			if c.Face[tree.Start[1]+2] == c.Face[tree.Start[1]+2] {
				t.Error("what nobody searched has a colour")
			}
		}
	}
}

// A collapsed node has its triangle though its neighbours leave it no room.
func TestSmallCollapsedNodesHaveTriangles(t *testing.T) {
	s := encoder()
	var folded int32
	state := pictured(t, s, DefaultLook(s), func(tree *dse.Tree, h *dse.Hide) {
		folded = tree.Start[2] + 1
		h.Collapsed = map[int32]bool{folded: true}
	})
	f := newFrame(&state, scene.Size{W: 900, H: 400, Scale: 1})
	if gap := f.gap(folded); gap*0.62 >= glyph {
		t.Fatalf("the node has %g pixels", gap)
	}
	triangles := 0
	for _, x := range f.tree(newPainter(f)) {
		if fill, ok := x.(scene.Fill); ok && fill.Color == state.folded() {
			triangles++
		}
	}
	if triangles != 1 {
		t.Errorf("%d triangles", triangles)
	}
}

// A level that is let go between others stands there.
func TestDropMovesALevel(t *testing.T) {
	s := encoder()
	size := scene.Size{W: 900, H: 600, Scale: 1}
	state := pictured(t, s, DefaultLook(s), nil)
	f := newFrame(&state, size)
	for _, c := range []struct {
		level int
		y     float64
		want  [4]int
	}{{1, f.rows[3], [4]int{1, 2, 0, 3}}, {4, f.rows[1], [4]int{3, 0, 1, 2}}, {2, f.rows[9], [4]int{0, 2, 3, 1}},
		{3, f.rows[3], [4]int{0, 1, 2, 3}}, {1, 0, [4]int{0, 1, 2, 3}}} {
		state.Drag = Drag{c.level, c.y}
		if got := Drop(state, size); [4]int(got) != c.want {
			t.Errorf("level %d at %g: %v, want %v", c.level, c.y, got, c.want)
		}
	}
}

// Lines of the painter are where lines of shapes are.
func TestPainterDrawsWhereShapesAre(t *testing.T) {
	f := &frame{size: scene.Size{W: 120, H: 80, Scale: 1}, area: scene.R(0, 0, 120, 80)}
	r := rand.New(rand.NewPCG(4, 4))
	white := palette.Light().Panel
	for range 100 {
		x0, x1 := 10+r.Float64()*100, 10+r.Float64()*100
		p := newPainter(f)
		p.line(x0, 5, x1, 75, white)
		drawn := p.image().Pixels
		want := raster.Render(scene.Drawing{Size: f.size,
			Shapes: []scene.Shape{scene.Stroke{Path: scene.Segment(x0, 5, x1, 75), Width: 1, Color: white}}}, 1, nil)
		for y := 8; y < 72; y++ {
			var got, exp, at, wat float64
			for x := range 120 {
				a, b := float64(drawn.RGBAAt(x, y).R), float64(want.RGBAAt(x, y).R)
				got, exp, at, wat = got+a, exp+b, at+a*float64(x), wat+b*float64(x)
			}
			if !(math.Abs(at/got-wat/exp) <= 1) {
				t.Fatalf("from %g to %g: row %d is lit at %.1f, want %.1f", x0, x1, y, at/got, wat/exp)
			}
		}
	}
}

// Lines that are drawn together, row by row, give the pixels that they give one by one.
func TestPainterKeepsTheOrderOfLines(t *testing.T) {
	f := &frame{size: scene.Size{W: 120, H: 80, Scale: 1}, area: scene.R(0, 0, 120, 80)}
	r := rand.New(rand.NewPCG(14, 4))
	paper := new(Paper)
	for range 30 {
		together, single := newPainter(f), newPainter(f)
		together.paper = paper
		for range 40 {
			x0, x1, y0, y1 := -20+r.Float64()*160, -20+r.Float64()*160, r.Float64()*30, 40+r.Float64()*60
			c := color.NRGBA{R: uint8(r.IntN(256)), G: uint8(r.IntN(256)), B: uint8(r.IntN(256)), A: uint8(r.IntN(256))}
			draw := func(p *painter) { p.line(x0, y0, x1, y1, c) }
			if r.IntN(8) == 0 {
				draw = func(p *painter) { p.box(x0, y0, x0+9, y0+9, c) }
			}
			draw(together)
			draw(single)
			single.flush()
		}
		if got, want := together.image().Pixels, single.image().Pixels; !bytes.Equal(got.Pix, want.Pix) {
			t.Fatal("pixels differ")
		}
	}
}

// Words say what is there.
func TestWords(t *testing.T) {
	s := encoder()
	size := scene.Size{W: 1100, H: 600, Scale: 1}
	state := pictured(t, s, DefaultLook(s), nil)
	f := newFrame(&state, size)
	if got := Hit(state, size, scene.Point{X: 20, Y: f.rows[1]}); got.Level != 1 ||
		!strings.Contains(strings.Join(got.Lines, " "), "drag") {
		t.Errorf("at the name of a level: %+v", got)
	}
	if text := f.edgeWords(f.t.Nodes(firstGlobal(s))[0]); text != "distance 0: on the Pareto set" {
		t.Errorf("the edge to a point of the front says %q", text)
	}
}

func firstGlobal(s *dse.Space) int32 {
	for p, g := range s.Global {
		if g {
			return int32(p)
		}
	}
	return dse.None
}

// Values that begin alike are read to their ends: a column of the picture's width for each of two neighbours is enough.
func TestLabelsAreReadToTheirEnds(t *testing.T) {
	s := encoder()
	front := func(tree *dse.Tree, h *dse.Hide) {
		f := dse.NewFilter(s)
		var values []int32
		for k, v := range s.Parameters[0].Values {
			if v == "4" || v == "5" {
				values = append(values, int32(k))
			}
		}
		keep := make([]bool, len(s.Parameters[0].Values))
		for _, k := range values {
			keep[k] = true
		}
		f.Parameter(0, keep)
		*h = f.Hide(tree)
		h.Collapsed = subspaces(tree)
	}
	state := pictured(t, s, DefaultLook(s), front)
	for _, size := range []scene.Size{{W: 1600, H: 560, Scale: 1}, {W: 1240, H: 900, Scale: 1}} {
		text := string(vector.SVG(Scene(state, size)))
		if strings.Contains(text, "…") || !strings.Contains(text, "-1<") || !strings.Contains(text, "-2<") {
			t.Errorf("at %g x %g a value is cut", size.W, size.H)
		}
	}
}

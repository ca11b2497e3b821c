package subspaces

import (
	"context"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"orrery/analysis/dse"
	"orrery/traceio/designs"
	"orrery/views/golden"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/raster"
	"orrery/views/scene"
)

// made is a design space of eight platforms, of which the last is empty, with the cost depending on the platform.
func made(t testing.TB, objectives int) *dse.Space {
	t.Helper()
	r := rand.New(rand.NewPCG(5, uint64(objectives)))
	const n = 120
	set := &designs.Set{N: n, Parameters: []designs.Parameter{{Name: "cores", Values: []string{"1", "2", "4", "8"},
		At: make([]int32, n)}, {Name: "memory", Values: []string{"SRAM", "DRAM"}, At: make([]int32, n)}}}
	for k, name := range []string{"time", "energy", "cost", "heat"}[:objectives] {
		set.Objectives = append(set.Objectives, designs.Objective{Name: name, Unit: []string{"ms", "mJ", "", "K"}[k],
			Architecture: name == "cost", Values: make([]float64, n)})
	}
	for c := range int32(4) {
		set.Feasible = append(set.Feasible, []int32{c, 0}, []int32{c, 1})
	}
	for p := range n {
		k := p % 7
		set.Parameters[0].At[p], set.Parameters[1].At[p] = int32(k/2), int32(k%2)
		x := r.Float64()
		for o, v := range []float64{20 - 2*float64(k) + 10*x, 5/(0.3+x) + float64(k%3), 10 + 15*float64(k),
			r.Float64()}[:objectives] {
			set.Objectives[o].Values[p] = v
		}
	}
	s, err := dse.New(context.Background(), set)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func example(t testing.TB, theme palette.Theme) State {
	s := made(t, 3)
	return State{Theme: theme, Space: s, Compared: s.Compare([]int32{0, 2, 3, 6, 7}), Top: 24, Pair: [2]int{0, 2}}
}

var room = scene.Size{W: 640, H: 380, Scale: 1}

// The pictures as SVG.
func TestGoldens(t *testing.T) {
	dark, light := example(t, palette.Dark()), example(t, palette.Light())
	dark.Selected, light.Exact = link.Thing{What: link.Subspace, ID: 2}, true
	light.Hover = design(light.Compared.Sets[0][0])
	for p := Distance; p <= Frequency; p++ {
		s := []State{dark, light}[p%2]
		s.Picture = p
		name := []string{"", "distance", "matrix", "graph", "dominance", "volume", "frequency"}[p]
		t.Run(name, func(t *testing.T) { golden.Check(t, name, Scene(s, scene.Size{W: 520, H: 360, Scale: 1})) })
	}
	golden.Check(t, "empty", Scene(State{Theme: palette.Dark(), Empty: "Choose platforms to compare them."},
		scene.Size{W: 300, H: 160, Scale: 1}))
}

// TestMeasuresAreWritten: every number of a comparison can be read in the picture that is about it.
func TestMeasuresAreWritten(t *testing.T) {
	s := example(t, palette.Dark())
	written := func(p Picture) string {
		s.Picture = p
		var all []string
		for _, shape := range Scene(s, scene.Size{W: 900, H: 600, Scale: 1}).Shapes {
			if text, ok := shape.(scene.Text); ok {
				all = append(all, text.S)
			}
		}
		return strings.Join(all, "\n")
	}
	distance, matrix, graph, volume := written(Distance), written(Matrix), written(Graph), written(Volume)
	for i := range s.Compared.Sets {
		if len(s.Compared.Sets[i]) > 0 && (!strings.Contains(distance, "mean "+digits(s.Compared.Mean[i], 3)) ||
			!strings.Contains(distance, inGlobalShort(s.Compared, i))) {
			t.Errorf("%s has mean %.3f and %d global points, which is not written:\n%s", name(i), s.Compared.Mean[i],
				s.Compared.InGlobal[i], distance)
		}
		if tc := signed(s.Compared.TC[i]); !strings.Contains(matrix, tc) || !strings.Contains(graph, tc) {
			t.Errorf("%s has TC %s, which is not written", name(i), tc)
		}
		if !strings.Contains(volume, name(i)+"  "+digits(s.Compared.Volume[i], 3)) {
			t.Errorf("%s has volume %.3f, which is not written", name(i), s.Compared.Volume[i])
		}
		for j := range s.Compared.Sets {
			if c := digits(s.Compared.C[i][j], 2); i != j && (!strings.Contains(matrix, c) || s.Compared.C[i][j] > 0 &&
				!strings.Contains(graph, c)) {
				t.Errorf("C(%s, %s) is %s, which is not written", name(i), name(j), c)
			}
		}
	}
}

func inGlobalShort(c *dse.Comparison, i int) string {
	return fmt.Sprintf("%d of %d global", c.InGlobal[i], len(c.Sets[i]))
}

// TestCubeShowsTheDominatedArea: the coloured share of a side is the hypervolume of its two objectives, counted in
// pixels.
func TestCubeShowsTheDominatedArea(t *testing.T) {
	s := made(t, 2)
	for _, k := range []int32{0, 2, 5} {
		st := State{Theme: palette.Dark(), Space: s, Compared: s.Compare([]int32{k})}
		c := &canvas{s: &st, Drawing: scene.Drawing{Size: scene.Size{W: 200, H: 200, Scale: 1}, Background: st.Theme.Panel}}
		f := side{0, 1, scene.Point{X: 0, Y: 200}, scene.Point{X: 200}, scene.Point{Y: -200}}
		c.face(&f, st.Compared.Sets[0])
		pix := raster.Render(c.Drawing, 1, image.NewRGBA(image.Rect(0, 0, 200, 200)))
		free := palette.Mix(st.Theme.Panel, st.Theme.Background, 0.8)
		n := 0
		for y := 1; y < 199; y++ {
			for x := 1; x < 199; x++ {
				if p := pix.RGBAAt(x, y); p.R != free.R || p.G != free.G || p.B != free.B {
					n++
				}
			}
		}
		if got := float64(n) / 198 / 198; math.Abs(got-st.Compared.Volume[0]) > 0.02 {
			t.Errorf("subspace %d: %.3f of the side is coloured, the hypervolume is %.3f", k, got, st.Compared.Volume[0])
		}
	}
}

// TestPairsAndThingsCanBePointedAt: cells and edges give their sets, points their designs, everything else its
// subspace.
func TestPairsAndThingsCanBePointedAt(t *testing.T) {
	s := example(t, palette.Dark())
	seen := map[[2]int]bool{}
	things := map[link.Thing]bool{}
	for p := Distance; p <= Frequency; p++ {
		s.Picture = p
		c := draw(&s, room)
		for y := 0.0; y < room.H; y += 3 {
			for x := 0.0; x < room.W; x += 3 {
				h := c.under(scene.Point{X: x, Y: y})
				things[h.Thing] = true
				if h.Pair[0] >= 0 {
					seen[h.Pair] = true
					if len(h.Lines) == 0 || h.Thing.What != link.Nothing {
						t.Fatalf("at %g, %g: %+v", x, y, h)
					}
				}
			}
		}
	}
	if n := len(s.Compared.Sets); len(seen) != n*(n-1) {
		t.Errorf("%d pairs can be pointed at, want %d", len(seen), n*(n-1))
	}
	for i, k := range s.Compared.Subspaces {
		if !things[link.Thing{What: link.Subspace, ID: int(k)}] {
			t.Errorf("%s cannot be pointed at", name(i))
		}
	}
	for _, q := range s.Compared.Sets[0] {
		if !things[design(q)] {
			t.Errorf("design %d cannot be pointed at", q)
		}
	}
}

func TestSuggest(t *testing.T) {
	s := made(t, 3)
	list := Suggest(s, 4)
	if len(list) != 4 {
		t.Fatalf("%v", list)
	}
	for _, k := range list {
		if len(s.Points(int(k))) == 0 {
			t.Errorf("subspace %d is empty", k)
		}
		if s.MeanToFront(s.LocalSet(int(k))) > s.MeanToFront(s.LocalSet(int(list[3]))) {
			t.Errorf("subspace %d is farther from the front than the last", k)
		}
	}
	if list := Suggest(s, 100); len(list) != 7 {
		t.Errorf("%v of seven", list)
	}
}

// TestEverySizeDraws: no room is too small, and any number of objectives has pictures.
func TestEverySizeDraws(t *testing.T) {
	for m := 1; m <= 4; m++ {
		sp := made(t, m)
		s := State{Theme: palette.Light(), Space: sp, Compared: sp.Compare([]int32{1, 7, 4}), Pair: [2]int{2, 9}}
		for s.Picture = All; s.Picture <= Frequency; s.Picture++ {
			for _, size := range []scene.Size{{W: 1, H: 1}, {W: 130, H: 70}, {W: 300, H: 130}, {W: 1500, H: 900}} {
				size.Scale = 1
				for _, shape := range Scene(s, size).Shapes {
					if text, ok := shape.(scene.Text); ok && (math.IsNaN(text.At.X) || math.IsNaN(text.At.Y)) {
						t.Fatalf("%v: %q is nowhere", size, text.S)
					}
				}
				Hit(s, size, scene.Point{X: size.W / 2, Y: size.H / 2})
			}
		}
	}
}

package design

import (
	"context"
	"image"
	"image/color"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"orrery/analysis/dse"
	"orrery/traceio/designs"
	"orrery/views/golden"
	"orrery/views/palette"
	"orrery/views/raster"
	"orrery/views/scene"
)

// made are two designs of the paper's figure 6: five processes and six channels on two ASIPs, mP, two DRAMs and SRAM.
func made(t testing.TB) *dse.Space {
	t.Helper()
	p := &designs.Platform{Processors: []designs.Component{{Name: "ASIP-1", Type: "ASIP"}, {Name: "ASIP-2", Type: "ASIP"},
		{Name: "mP", Type: "mP"}, {Name: "mC", Type: "mC"}},
		Memories: []designs.Component{{Name: "DRAM-1", Type: "DRAM"}, {Name: "DRAM-2", Type: "DRAM"},
			{Name: "SRAM", Type: "SRAM"}}}
	for _, n := range []string{"A", "B", "C", "D", "E"} {
		p.Processes = append(p.Processes, designs.Process{Name: n})
	}
	for _, e := range [][2]int{{0, 1}, {0, 2}, {1, 3}, {2, 3}, {1, 4}, {3, 4}} {
		p.Channels = append(p.Channels, designs.Channel{From: e[0], To: e[1], Volume: 1})
	}
	set := &designs.Set{N: 2, Platform: p, ID: []string{"first", "second"},
		Mapping: &designs.Mapping{}, Note: "An example.",
		Parameters: []designs.Parameter{{Name: "processors", Values: []string{"3", "1"}, At: []int32{0, 1}}},
		Objectives: []designs.Objective{{Name: "time", Unit: "ms", Values: []float64{12, 30}}, {Name: "energy", Unit: "mJ",
			Values: []float64{7, 9}}, {Name: "rate", Unit: "1/s", Maximise: true, Values: []float64{80, 33}}}}
	for _, on := range []int16{0, 0, 0, 1, 2} {
		set.Mapping.Process = append(set.Mapping.Process, []int16{on, 2})
	}
	for _, on := range []int16{0, 0, 4, 4, 6, 5} {
		set.Mapping.Channel = append(set.Mapping.Channel, []int16{on, 2})
	}
	add := func(kind designs.SecondaryKind, first, second []float64) {
		for i := range first {
			set.Secondary = append(set.Secondary, designs.Secondary{Kind: kind, Of: i, Values: []float64{first[i], second[i]}})
		}
	}
	add(designs.Utilization, []float64{1, 0.4, 0.3, 0, 0.75, 0.2, 0.1}, []float64{0, 0, 0.9, 0, 0, 0, 0})
	add(designs.Execution, []float64{0.1, 0.7, 0.2, 0.4, 0.3}, []float64{0.1, 0.3, 0.2, 0.1, 0.2})
	add(designs.ReadLatency, []float64{0, 1, 1, 2, 3}, []float64{0, 0, 0, 0, 0})
	add(designs.WriteLatency, []float64{0, 9, 8, 2, 0}, []float64{0, 0, 0, 0, 0})
	add(designs.ExecuteTime, []float64{0.6, 0.3, 0.2, 0}, []float64{0, 0, 0.8, 0})
	add(designs.ReadTime, []float64{0.1, 0.05, 0.1, 0}, []float64{0, 0, 0.1, 0})
	add(designs.WriteTime, []float64{0.2, 0.05, 0, 0}, []float64{0, 0, 0, 0})
	set.Generations = designs.Generations{Start: []int32{0, 7, 8}, List: []int32{1, 3, 4, 5, 8, 10, 11, 0}, Count: 12}
	s, err := dse.New(context.Background(), set)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func example(t testing.TB, theme palette.Theme) State {
	t.Helper()
	c, err := NewCase(context.Background(), made(t))
	if err != nil {
		t.Fatal(err)
	}
	return State{Theme: theme, Case: c, Top: 24, Exact: true}
}

// The pictures as SVG.
func TestGoldens(t *testing.T) {
	for p := Mapping; p <= Generations; p++ {
		s := example(t, []palette.Theme{palette.Dark(), palette.Light()}[p%2])
		s.Picture = p
		name := []string{"", "mapping", "execution", "latency", "platform", "operations", "generations"}[p]
		t.Run(name, func(t *testing.T) { golden.Check(t, name, Scene(s, scene.Size{W: 340, H: 400, Scale: 1})) })
	}
	all := example(t, palette.Dark())
	golden.Check(t, "all", Scene(all, scene.Size{W: 1000, H: 520, Scale: 1}))
	golden.Check(t, "empty", Scene(State{Theme: palette.Dark(), Empty: "Choose a design in the tree."},
		scene.Size{W: 300, H: 160, Scale: 1}))
}

// TestComponentsAreToldApart: types have shapes and colours of their own, instances of one type shades of one colour,
// memories of one type one style of dashes.
func TestComponentsAreToldApart(t *testing.T) {
	s := example(t, palette.Dark())
	c := s.Case
	inks := map[color.NRGBA]int{}
	for k := range c.Space.Platform.Components() {
		ink := c.ink(s.Theme, k)
		if was, ok := inks[ink]; ok {
			t.Errorf("components %d and %d have one colour", was, k)
		}
		inks[ink] = k
	}
	r := scene.R(0, 0, 60, 30)
	if a, b := c.shape(0, r), c.shape(1, r); !slices.Equal(a.Points, b.Points) {
		t.Error("two ASIPs have two shapes")
	}
	if a, b := c.shape(0, r), c.shape(2, r); slices.Equal(a.Points, b.Points) {
		t.Error("ASIP and mP have one shape")
	}
	if !slices.Equal(c.dash(4), c.dash(5)) || slices.Equal(c.dash(4), c.dash(6)) {
		t.Errorf("dashes of DRAM-1, DRAM-2, SRAM: %v %v %v", c.dash(4), c.dash(5), c.dash(6))
	}
}

// TestChannelsAreSolidWithinAProcessorAndDashedOnAMemory as the mapping says.
func TestChannelsAreSolidWithinAProcessorAndDashedOnAMemory(t *testing.T) {
	s := example(t, palette.Dark())
	for point, want := range map[int32][2]int{0: {2, 4}, 1: {6, 0}} {
		s.Point, s.Picture = point, Mapping
		boxes, lines := s.Case.place(scene.R(0, 0, 300, 200))
		c := &canvas{s: &s, sp: s.Case.Space, p: point, Drawing: scene.Drawing{Size: scene.Size{W: 300, H: 200}}}
		got := [2]int{}
		for ch, line := range lines {
			c.Shapes = nil
			c.channel(ch, line)
			if stroke := c.Shapes[0].(scene.Stroke); stroke.Dash == nil {
				got[0]++
			} else {
				got[1]++
			}
			info := c.sp.Platform.Channels[ch]
			from, to := boxes[info.From], boxes[info.To]
			if far(from, line[0]) > 1 || far(to, line[len(line)-1]) > 1 {
				t.Errorf("channel %d runs from %v to %v, its processes are at %v and %v", ch, line[0], line[len(line)-1], from, to)
			}
		}
		if got != want {
			t.Errorf("design %d has %d solid and %d dashed channels, want %v", point, got[0], got[1], want)
		}
	}
}

// far is how far a point is from the border of a box.
func far(r scene.Rect, p scene.Point) float64 {
	dx, dy := max(r.Min.X-p.X, p.X-r.Max.X), max(r.Min.Y-p.Y, p.Y-r.Max.Y)
	if dx < 0 && dy < 0 {
		return min(-dx, -dy)
	}
	return math.Hypot(max(0, dx), max(0, dy))
}

// TestFillsAreShares: the coloured part of a shape is as tall as its share, counted in pixels.
func TestFillsAreShares(t *testing.T) {
	s := example(t, palette.Dark())
	for _, share := range []float64{0, 0.25, 0.5, 1, math.NaN()} {
		c := &canvas{s: &s, Drawing: scene.Drawing{Size: scene.Size{W: 40, H: 120, Scale: 1}}}
		r := scene.R(5, 10, 30, 100)
		c.fill(scene.Box(r), r, share, color.NRGBA{R: 255, A: 255})
		pix := raster.Render(c.Drawing, 1, image.NewRGBA(image.Rect(0, 0, 40, 120)))
		n := 0
		for y := range 120 {
			if pix.RGBAAt(20, y).R > 128 {
				n++
			}
		}
		want := 100 * share
		if math.IsNaN(share) {
			want = 0
		}
		if math.Abs(float64(n)-want) > 1 {
			t.Errorf("share %g is %d of 100 rows", share, n)
		}
	}
}

// TestPlacesExplainThemselves: every number of a design can be read under the pointer.
func TestPlacesExplainThemselves(t *testing.T) {
	s := example(t, palette.Light())
	said := map[string]bool{}
	for p := Mapping; p <= Generations; p++ {
		s.Picture = p
		for _, h := range draw(&s, scene.Size{W: 360, H: 460, Scale: 1}).tipArea {
			for _, l := range h.lines {
				said[l] = true
			}
		}
	}
	for _, want := range []string{"process B", "on ASIP-1, a processor of type ASIP", "executed for 70 % of the time",
		"waits 9 for its writes (upper half)", "waits 3 for its reads (lower half)",
		"busy for 75 % of the time", "not allocated", "executing 60 %", "idle 10 %", "ASIP-1 writes DRAM-1", "on DRAM-2",
		"internal to ASIP-1", "time: 12 ms", "rate: 80 1/s", "all designs: 33 to 80, large is good",
		"generation 3", "evaluated"} {
		if !said[want] {
			t.Errorf("nowhere is %q; there is %q", want, strings.Join(slices.Sorted(maps.Keys(said)), "; "))
		}
	}
	if got := runs([]int32{1, 3, 4, 5, 8}); got != "1, 3–5, 8" {
		t.Errorf("runs %q", got)
	}
}

// TestEverySizeDraws: no room is too small, no table tells too little.
func TestEverySizeDraws(t *testing.T) {
	bare, err := dse.New(context.Background(),
		&designs.Set{N: 1, Objectives: []designs.Objective{{Name: "f", Values: []float64{3}}}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewCase(context.Background(), bare)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []State{example(t, palette.Dark()), {Theme: palette.Light(), Case: c},
		{Theme: palette.Light(), Point: dse.None, Empty: "none"}} {
		for s.Picture = All; s.Picture <= Generations; s.Picture++ {
			for _, size := range []scene.Size{{W: 1, H: 1}, {W: 100, H: 90}, {W: 200, H: 250}, {W: 800, H: 230}} {
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

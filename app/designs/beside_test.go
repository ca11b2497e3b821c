package designs

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"orrery/analysis/dse"
	"orrery/analysis/dse/search"
	"orrery/analysis/dse/search/mjpeg"
	"orrery/app/jobs"
	"orrery/app/panes"
	"orrery/app/shell"
	"orrery/traceio/designs"
	"orrery/views/design"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/spread"
	"orrery/views/subspaces"
)

// caseStudy is a short search of the Motion-JPEG case.
func caseStudy(t testing.TB) *dse.Space {
	t.Helper()
	s, err := search.New(mjpeg.New(), mjpeg.Options(1))
	if err == nil {
		err = s.Run(context.Background(), 8, nil, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	set, err := s.Set()
	if err != nil {
		t.Fatal(err)
	}
	space, err := dse.New(context.Background(), set)
	if err != nil {
		t.Fatal(err)
	}
	return space
}

// explorer is one of the case study, whose work is all done at once.
func explorer(t testing.TB) *Explorer {
	t.Helper()
	e := bare(t)
	e.Take(caseStudy(t))
	return e
}

// bare is an explorer without a space.
func bare(t testing.TB) *Explorer {
	t.Helper()
	host := shell.Host{Engine: jobs.New(func(f func()) { t.Error("a job for few designs") }), Notice: func(s string) {
		t.Log(s)
	}}
	e := NewExplorer(host, link.New(link.State{}), "case")
	e.Watch(func(...shell.Slot) {})
	e.views = panes.Open(e.panes, e, tablePanes)
	return e
}

var paneSize = scene.Size{W: 900, H: 420, Scale: 1}

func at(x, y float64) pane.Event {
	return pane.Event{Theme: palette.Dark(), At: scene.Point{X: x, Y: y}, Size: paneSize, Button: pane.Primary}
}

// TestABrushIsAFilter: what is dragged along an axis passes, in one step that can be taken back.
func TestABrushIsAFilter(t *testing.T) {
	e := explorer(t)
	v := e.side.spread
	v.Draw(paneSize, palette.Dark())
	axes := of(e, v.table).Axes
	for k := range axes {
		a := &axes[k]
		x := place(t, v, k)
		v.Pressed(at(x, 300))
		for _, y := range []float64{280, 220, 200} {
			v.Dragged(at(x, y), scene.Point{X: x, Y: 300})
		}
		v.Released(at(x, 200))
		s := v.state(palette.Dark())
		low, high := spread.Along(s, paneSize, 300), spread.Along(s, paneSize, 200)
		want := 0
		for p := range e.space.N {
			if a.Objective >= 0 {
				if pos := a.Position(e.space.Objectives[a.Objective].Values[p]); pos >= low && pos <= high {
					want++
				}
				continue
			}
			n, value := float64(len(a.Values)), float64(e.space.Parameters[a.Parameter].At[p])
			if value >= math.Floor(low*n) && value < math.Ceil(high*n) {
				want++
			}
		}
		got := e.space.N
		if pass := e.Pass(); pass != nil {
			got = pass.Count()
		}
		if got != want {
			t.Errorf("%s: %d designs pass, want %d", a.Name, got, want)
		}
		if len(s.Brushes) != 1 || s.Brushes[0].Axis != k {
			t.Errorf("%s: brushes %+v", a.Name, s.Brushes)
		}
		if !e.link.Undo() || e.shown.criteria.any() {
			t.Errorf("%s: one undo leaves %+v", a.Name, e.shown.criteria)
		}
	}
}

// place is where axis k of the order stands.
func place(t *testing.T, v *spreadView, k int) float64 {
	t.Helper()
	for x := 0.0; x < paneSize.W; x++ {
		if h := v.hit(at(x, 300)); h.Axis == k {
			return x + 9
		}
	}
	t.Fatalf("axis %d is nowhere", k)
	return 0
}

// TestAxesAreCarried to another place by their names, and back by undo; a double click lets all pass.
func TestAxesAreCarried(t *testing.T) {
	e := explorer(t)
	v := e.side.spread
	v.Draw(paneSize, palette.Dark())
	from, to := place(t, v, 1), place(t, v, 4)
	v.Pressed(at(from, bar+14))
	v.Dragged(at((from+to)/2, bar+14), scene.Point{})
	v.Draw(paneSize, palette.Light())
	v.Released(at(to, bar+14))
	if want := []int{0, 2, 3, 4, 1, 5, 6}; !slices.Equal(v.order(), want) {
		t.Errorf("order %v, want %v", v.order(), want)
	}
	if e.link.Undoable() != "order of the axes" || !e.link.Undo() || v.shown.order != nil {
		t.Errorf("after undo the order is %v", v.shown.order)
	}
	e.Limit(0, 0, 0.2)
	v.DoubleTapped(at(place(t, v, 4), 300))
	if e.shown.criteria.any() {
		t.Errorf("a double click leaves %+v", e.shown.criteria)
	}
	e.Limit(0, 0, 0.2)
	if !v.Key("Escape", 0) || e.shown.criteria.any() {
		t.Errorf("Escape leaves %+v", e.shown.criteria)
	}
}

// TestChosenDesignsAreSeenEverywhere: a press in the spread selects, the other panes follow, a second press lets go.
func TestChosenDesignsAreSeenEverywhere(t *testing.T) {
	e := explorer(t)
	list := beside(e)
	v, d, s := list[0].View.(*spreadView), list[3].View.(*designView), list[1].View.(*subspacesView)
	for _, p := range list {
		p.View.Draw(paneSize, palette.Dark())
	}
	x := (place(t, v, 4) + place(t, v, 5)) / 2
	y := 0.0
	for y = bar + 40; y < paneSize.H && v.hit(at(x, y)).Point < 0; y++ {
	}
	v.Pressed(at(x, y))
	p := e.Point()
	if p < 0 || d.state(palette.Dark(), paneSize).Point != p || d.Caption() != e.space.Label(int(p)) {
		t.Fatalf("selected is %d, the details are of %d", p, d.state(palette.Dark(), paneSize).Point)
	}
	s.Key("Insert", 0)
	if k := e.space.Subspace[p]; !slices.Contains(s.chosen(), k) {
		t.Errorf("subspace %d is not among %v", k, s.chosen())
	}
	v.Pressed(at(x, y))
	if e.Point() >= 0 {
		t.Error("a second press does not let go")
	}
	e.along(1)
	if p := e.Point(); p < 0 || !e.space.Global[p] {
		t.Errorf("Down selects %d", p)
	}
	v.choose("picture", func(c *spreadChoices) { c.picture = spread.Volume })
	v.Draw(paneSize, palette.Dark())
	v.Pressed(at(paneSize.W-20, 200))
	if g := e.link.State().Cursor; int(g) != e.space.Generations.Count-1 {
		t.Errorf("the end of the hypervolume's curve is generation %d", g)
	}
}

// TestSubspacesAreAddedAndRemoved, and every step can be taken back.
func TestSubspacesAreAddedAndRemoved(t *testing.T) {
	e := explorer(t)
	v := e.side.subspaces
	first := slices.Clone(v.chosen())
	if len(first) != suggested {
		t.Fatalf("%v are suggested", first)
	}
	other := int32(0)
	for slices.Contains(first, other) || len(e.space.Points(int(other))) == 0 {
		other++
	}
	e.link.Select(link.Thing{What: link.Subspace, ID: int(other)}, "designs")
	v.Key("Insert", 0)
	if want := append(slices.Clone(first), other); !slices.Equal(v.chosen(), want) {
		t.Errorf("%v are compared, want %v", v.chosen(), want)
	}
	v.Key("Delete", 0)
	if !slices.Equal(v.chosen(), first) {
		t.Errorf("%v are compared, want %v", v.chosen(), first)
	}
	e.link.Undo()
	e.link.Undo()
	if v.shown.chosen != nil {
		t.Errorf("after undo %v", v.shown.chosen)
	}
	v.shown.picture = subspaces.Matrix
	for y := bar + 40.0; y < paneSize.H && v.shown.picture == subspaces.Matrix; y += 5 {
		for x := 230.0; x < paneSize.W; x += 10 {
			if h := v.hit(at(x, y)); h.Pair[0] >= 0 {
				v.Pressed(at(x, y))
				if v.shown.pair != h.Pair || v.shown.picture != subspaces.Dominance {
					t.Errorf("pair %v of picture %d, want %v", v.shown.pair, v.shown.picture, h.Pair)
				}
				break
			}
		}
	}
	if v.shown.picture != subspaces.Dominance {
		t.Error("no pair can be pressed")
	}
}

// TestTheTableHasWhatPasses, sorted, and what is written reads back as the same designs.
func TestTheTableHasWhatPasses(t *testing.T) {
	e := explorer(t)
	v := e.side.points
	s := v.State(palette.Dark())
	if len(s.Rows) != e.space.N || len(s.Order) != e.space.N {
		t.Fatalf("%d rows of %d designs", len(s.Rows), e.space.N)
	}
	for i := 1; i < len(s.Order); i++ {
		if s.Rows[s.Order[i-1]].Values[0] > s.Rows[s.Order[i]].Values[0] {
			t.Fatalf("row %d is not in order", i)
		}
	}
	e.Limit(1, 0, 0.15)
	want := e.Pass().Count()
	if s = v.State(palette.Dark()); len(s.Rows) != want || want == 0 || want == e.space.N {
		t.Fatalf("%d rows, %d designs pass", len(s.Rows), want)
	}
	path := filepath.Join(t.TempDir(), "some.csv")
	e.host.SaveFile = func(_ string, then func(string)) { then(path) }
	v.save()
	table, err := designs.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	set, err := table.Set(designs.Guess(table))
	if err != nil {
		t.Fatal(err)
	}
	if set.N != want || len(set.Parameters) != len(e.space.Parameters) || set.Platform == nil {
		t.Fatalf("%d designs with %d parameters come back of %d", set.N, len(set.Parameters), want)
	}
	for i, p := range passing(e.space, e.Pass()) {
		if set.Objectives[0].Values[i] != e.space.Objectives[0].Values[p] {
			t.Fatalf("design %d has time %g, want %g", p, set.Objectives[0].Values[i], e.space.Objectives[0].Values[p])
		}
	}
	v.Key("Down", 0)
	if e.Point() < 0 {
		t.Error("Down selects no row")
	}
}

// TestPanesAnswerEverything: every picture at every size, with a space and without, every place and key.
func TestPanesAnswerEverything(t *testing.T) {
	for _, e := range []*Explorer{explorer(t), bare(t)} {
		list := beside(e)
		for _, c := range commandsOf(list) {
			if c.Title == "" || c.ID == "" {
				t.Errorf("command %+v", c)
			}
		}
		turns := max(len(spread.Pictures), len(subspaces.Pictures), len(design.Pictures))
		for i := range turns {
			list[0].View.(*spreadView).shown.picture = spread.Picture(i % len(spread.Pictures))
			list[1].View.(*subspacesView).shown.picture = subspaces.Picture(i % len(subspaces.Pictures))
			list[3].View.(*designView).shown = designChoices{picture: design.Picture(i % len(design.Pictures)), chosen: true}
			for _, p := range list {
				everything(t, p.View)
			}
		}
	}
}

func everything(t *testing.T, v shell.View) {
	t.Helper()
	v.Caption()
	for _, size := range []scene.Size{{W: 300, H: 200, Scale: 1}, {W: 1000, H: 500, Scale: 1}} {
		if d := v.Draw(size, palette.Light()); len(d.Shapes) == 0 {
			t.Errorf("%s draws nothing at %v", v.Title(), size)
		}
		e := pane.Event{
			Theme:  palette.Dark(),
			At:     scene.Point{X: size.W / 2, Y: size.H / 2},
			Size:   size,
			Button: pane.Primary,
		}
		v.(pane.Mover).Moved(e)
		v.(pane.Tipper).Tip(e)
		v.(pane.Presser).Pressed(e)
		if m, ok := v.(pane.Menuer); ok {
			m.Menu(e)
		}
		v.(pane.Scroller).Scrolled(e, 0, 1)
		v.(pane.Leaver).Left()
	}
	for _, key := range []string{"Up", "Down", "Left", "Right", "Escape", "Insert", "Delete", "x"} {
		v.(pane.Keyer).Key(key, 0)
	}
}

// beside are the panes beside the tree.
func beside(e *Explorer) []shell.Placed {
	return e.views[2:6]
}

package designs

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sort"

	"orrery/analysis/dse"
	"orrery/app/jobs"
	"orrery/app/panes"
	"orrery/app/panes/toolbar"
	"orrery/app/shell"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/spread"
)

// spreadView is the points over their columns: parallel coordinates, scatter matrix, hypervolume over generations.
type spreadView struct {
	board
	shown spreadChoices
	table *panes.Lazy[*dse.Space, *spreadTable]
	cache spread.Cache

	front   *spread.Table // with the front of frontOf
	frontOf *dse.Space

	version int // of what passes, told by
	passed  passed
	grip    spreadGrip
	carryX  float64
}

// spreadChoices are what the user chose: each change is a step that can be taken back.
type spreadChoices struct {
	picture spread.Picture
	color   int
	order   []int // replaced, never changed; nil for all axes
}

type spreadTable struct {
	*spread.Table
	growth []float64
}

// passed is what decides which points pass.
type passed struct {
	space    *dse.Space
	criteria criteria
	upTo     int32
}

// nowPasses is what decides now.
func (e *Explorer) nowPasses() passed { return passed{e.then, e.applied, e.passed} }

func (p *passed) same(q *passed) bool {
	return p.space == q.space && p.upTo == q.upTo && reflect.DeepEqual(p.criteria, q.criteria)
}

// spreadGrip is what a drag moves: a stretch of an axis that began at a position, or the axis itself.
type spreadGrip struct {
	axis  int // in the order, -1 for none
	name  bool
	from  float64
	begun bool // the drag has made its undoable step
}

func newSpreadView(e *Explorer, b panes.Base) *spreadView {
	v := &spreadView{board: board{Base: b, e: e}, grip: spreadGrip{axis: -1}}
	v.table = preparing(e, "reading the columns of the designs",
		func(ctx context.Context, sp *dse.Space) (*spreadTable, error) {
			table, err := spread.NewTable(ctx, sp)
			return &spreadTable{table, sp.VolumeByGeneration()}, err
		})
	v.fill(panes.Parts{Paint: v.paint, Caption: v.caption, Chips: v.chips, Tip: v.tip, Press: v.press, Drag: v.drag,
		Release: v.release, Hover: func(e pane.Event) link.Thing { return v.hit(e).Thing }})
	return v
}

func (v *spreadView) caption() string {
	if v.e.space == nil {
		return ""
	}
	return spread.Pictures[v.shown.picture] + v.e.when()
}

func (v *spreadView) state(theme palette.Theme) spread.State {
	e, l := v.e, v.e.link.State()
	s := spread.State{Theme: theme, Picture: v.shown.picture, Color: v.shown.color, Order: v.shown.order, Carried: -1,
		Top: bar, Cache: &v.cache, Hover: l.Hover, Selected: l.Selected, Empty: e.empty}
	t := of(e, v.table)
	if t == nil {
		if e.space != nil {
			s.Empty = "The columns of the designs are being read …"
		}
		return s
	}
	if now := e.nowPasses(); !now.same(&v.passed) {
		v.passed = now
		v.version++
	}
	s.Table = v.fronted(t.Table)
	s.Growth, s.Pass, s.Version, s.Now = t.growth, e.Pass(), v.version, int(min(l.Cursor, math.MaxInt32))
	if !fitsAxes(s.Order, len(s.Table.Axes)) {
		s.Order = nil
	}
	if v.grip.axis >= 0 && v.grip.name {
		s.Carried, s.CarryX = v.grip.axis, v.carryX
	}
	s.Brushes = v.brushes(s.Table)
	return s
}

// fronted is the table with the front that the tree shows: that of all designs, or as of a generation.
func (v *spreadView) fronted(t *spread.Table) *spread.Table {
	then := v.e.then
	if then.UpTo == dse.None {
		return t
	}
	if v.frontOf != then {
		of := *t
		of.Front = nil
		for p, on := range then.Global {
			if on {
				of.Front = append(of.Front, int32(p))
			}
		}
		v.frontOf, v.front = then, &of
	}
	return v.front
}

// fitsAxes tells whether an order names axes that there are.
func fitsAxes(order []int, n int) bool {
	return len(order) == 0 || slices.Max(order) < n
}

// brushes are the criteria as stretches of the axes.
func (v *spreadView) brushes(t *spread.Table) (out []spread.Brush) {
	e := v.e
	for i := range t.Axes {
		a := &t.Axes[i]
		if a.Objective >= 0 {
			if low, high := e.Limits(a.Objective); low > 0 || high < 1 {
				x, y := a.Position(e.exact(a.Objective, low)), a.Position(e.exact(a.Objective, high))
				out = append(out, spread.Brush{Axis: i, Low: min(x, y), High: max(x, y)})
			}
			continue
		}
		c, n := &e.shown.criteria, float64(len(a.Values))
		if a.Parameter >= len(c.values) || c.values[a.Parameter] == nil {
			continue
		}
		for from := 0; from < len(a.Values); from++ { // a brush for each run of allowed values
			to := from
			for to < len(a.Values) && c.allows(a.Parameter, to) {
				to++
			}
			if to > from {
				out = append(out, spread.Brush{Axis: i, Low: float64(from) / n, High: float64(to) / n})
				from = to
			}
		}
	}
	return out
}

// exact is a normalised value of an objective as it was evaluated.
func (e *Explorer) exact(objective int, norm float64) float64 {
	x := e.space.Extent[objective]
	v := x.Min + norm*(x.Max-x.Min)
	if e.space.Objectives[objective].Maximise {
		v = 0 - v // and not -0
	}
	return v
}

// limit makes the filter what a brush says, as one undoable step for a whole drag.
func (v *spreadView) limit(b spread.Brush) {
	e, a := v.e, &of(v.e, v.table).Axes[b.Axis]
	change := func(c *choices) {
		if a.Objective < 0 {
			c.criteria.only(a.Parameter, len(a.Values), func(k int) bool {
				at := a.Position(float64(k))
				return at >= b.Low && at <= b.High
			})
			return
		}
		norm := func(at float64) float64 {
			x := a.Value(at)
			if e.space.Objectives[a.Objective].Maximise {
				x = -x
			}
			return e.space.Extent[a.Objective].Norm(x)
		}
		low, high := 0.0, 1.0
		if x, y := norm(b.Low), norm(b.High); b.Low > 0 || b.High < 1 {
			low, high = min(x, y), max(x, y)
		}
		c.criteria.limit(a.Objective, max(0, low), min(1, high))
	}
	if v.grip.begun {
		e.slide(change)
	} else {
		e.choose("filter", change)
	}
	v.grip.begun = true
}

// only lets those values of a parameter pass that are wanted; all when there is none.
func (c *criteria) only(parameter, values int, want func(k int) bool) {
	all := make([][]bool, max(len(c.values), parameter+1))
	copy(all, c.values)
	list := make([]bool, values)
	for k := range list {
		list[k] = want(k)
	}
	if !slices.Contains(list, false) || !slices.Contains(list, true) {
		list = nil
	}
	all[parameter] = list
	c.values = all
}

// atOnce is how many designs are drawn within a frame; of more, images come from a job.
const atOnce = 100_000

func (v *spreadView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	v.cache.Later = v.e.space != nil && v.e.space.N > atOnce
	d := spread.Scene(v.state(theme), size)
	v.e.panes.After(v.work)
	return d
}

// work makes what the last frame lacked; what the next one lacks waits for it. So a filter that is dragged is followed
// as fast as images are made, and the last one counts.
func (v *spreadView) work() {
	engine, key := v.e.host.Engine, v.e.key("densities")
	if !v.cache.Lacks() || slices.ContainsFunc(engine.Running(), func(j jobs.Job) bool { return j.Key == key }) {
		return
	}
	work := v.cache.Work()
	jobs.StartNow(engine, key, "drawing the designs over their columns",
		func(ctx context.Context, _ func(done, total int64)) (spread.Made, error) {
			return work(ctx)
		}, func(m spread.Made, err error) {
			if err == nil {
				v.cache.Take(m)
				v.Redraw()
			}
		})
}

// Print implements shell.Printer: nothing is left for later.
func (v *spreadView) Print(size scene.Size, theme palette.Theme) func() scene.Drawing {
	s := v.state(theme)
	s.Cache = nil
	if s.Pass != nil {
		s.Pass = s.Pass.Clone()
	}
	return func() scene.Drawing { return spread.Scene(s, size) }
}

func (v *spreadView) chips() []toolbar.Chip {
	sp := v.e.space
	list := []toolbar.Chip{pictureChip(spread.Pictures, int(v.shown.picture), v.turn)}
	if v.shown.picture == spread.Volume || len(sp.Objectives) == 0 {
		return list
	}
	color := toolbar.Chip{Name: "color", About: "colour", Word: "by " +
		sp.Objectives[min(v.shown.color, len(sp.Objectives)-1)].Name}
	for i, o := range sp.Objectives {
		color.List = append(color.List, toolbar.Choice{ID: fmt.Sprint(i), Title: "Colour by " + o.Name,
			On: i == v.shown.color, Run: func() {
				v.choose("colours of the points", func(c *spreadChoices) { c.color = i })
			}})
	}
	list = append(list, color)
	if v.e.shown.criteria.any() {
		list = append(list, toolbar.Chip{Name: "filter", Word: "filter",
			List: []toolbar.Choice{{ID: "clear", Title: "Let all points pass", Run: v.clear}}})
	}
	return list
}

// turn shows another picture.
func (v *spreadView) turn(i int) {
	v.choose("picture of the points", func(c *spreadChoices) { c.picture = spread.Picture(i) })
}

// clear lets all points pass.
func (v *spreadView) clear() {
	v.e.choose("filter", func(c *choices) { c.criteria = criteria{} })
}

func (v *spreadView) choose(name string, change func(c *spreadChoices)) {
	next := v.shown
	change(&next)
	link.Choose(v.e.link, name, &v.shown, next, v.Redraw)
}

func (v *spreadView) hit(e pane.Event) spread.Target {
	return spread.Hit(v.state(e.Theme), e.Size, e.At)
}

func (v *spreadView) tip(e pane.Event) []string {
	if v.grip.axis >= 0 {
		return nil
	}
	return v.hit(e).Lines
}

// press selects a design, takes hold of an axis or goes to a generation.
func (v *spreadView) press(e pane.Event) {
	v.grip = spreadGrip{axis: -1}
	t := v.hit(e)
	switch {
	case t.Axis >= 0:
		v.grip, v.carryX = spreadGrip{axis: t.Axis, name: t.Name, from: t.At}, e.At.X
	case t.Generation >= 0:
		v.e.link.SetCursor(traceio.Seq(t.Generation))
	case t.Point >= 0:
		v.e.pick(t.Thing, "spread")
	}
}

// drag draws a stretch of an axis, which is a filter, or carries the axis.
func (v *spreadView) drag(e pane.Event, _ scene.Point) {
	if v.grip.axis < 0 || of(v.e, v.table) == nil {
		return
	}
	s := v.state(e.Theme)
	if v.carryX = e.At.X; !v.grip.name {
		v.limit(spread.Brushed(s, v.grip.axis, v.grip.from, spread.Along(s, e.Size, e.At.Y)))
	}
	v.Redraw()
}

// release puts a carried axis down.
func (v *spreadView) release(e pane.Event) {
	if v.grip.axis >= 0 && v.grip.name {
		if next := spread.Moved(v.state(e.Theme), e.Size, v.grip.axis, e.At.X); !slices.Equal(next, v.order()) {
			v.choose("order of the axes", func(c *spreadChoices) { c.order = next })
		}
	}
	v.grip = spreadGrip{axis: -1}
	v.Redraw()
}

// order is that of the axes now.
func (v *spreadView) order() []int {
	t := of(v.e, v.table)
	if v.shown.order != nil || t == nil {
		return v.shown.order
	}
	out := make([]int, len(t.Axes))
	for i := range out {
		out[i] = i
	}
	return out
}

// DoubleTapped lets all values of an axis pass.
func (v *spreadView) DoubleTapped(e pane.Event) {
	if v.e.space == nil || v.Busy(e) || of(v.e, v.table) == nil {
		return
	}
	if t := v.hit(e); t.Axis >= 0 {
		v.grip.begun = false
		v.limit(spread.Brush{Axis: v.order()[t.Axis], High: 1})
	}
}

// Key implements pane.Keyer: Left and Right turn to another picture, Up and Down go through the Pareto points, Escape
// lets all points pass.
func (v *spreadView) Key(name string, _ rune) bool {
	switch {
	case v.e.space == nil:
		return false
	case name == "Escape" && v.e.shown.criteria.any():
		v.clear()
	case name == "Up":
		v.e.along(-1)
	case name == "Down":
		v.e.along(1)
	case name == "Left" || name == "Right":
		n, by := len(spread.Pictures), 1
		if name == "Left" {
			by = -1
		}
		v.turn((int(v.shown.picture) + n + by) % n)
	default:
		return false
	}
	return true
}

// along selects the next point of the global front, in the order of the first objective.
func (e *Explorer) along(by int) {
	var front []int32
	pass := e.Pass()
	for p, on := range e.then.Global {
		if on && (pass == nil || pass.Has(p)) {
			front = append(front, int32(p))
		}
	}
	if len(front) == 0 {
		return
	}
	f := e.space.F[0]
	sort.SliceStable(front, func(a, b int) bool { return f[front[a]] < f[front[b]] })
	at := slices.Index(front, e.Point())
	switch {
	case at >= 0:
		at = max(0, min(at+by, len(front)-1))
	case by < 0:
		at = len(front) - 1
	default:
		at = 0
	}
	e.link.Select(Design(front[at]), "spread")
}

func (v *spreadView) commands() []shell.Command {
	list := []shell.Command{
		{ID: "spread.clear", Title: "Let all designs pass", Menu: "Edit", Run: v.clear, Enabled: func() bool {
			return v.e.some() && v.e.shown.criteria.any()
		}}}
	return append(list, v.pictureCommands("Designs over their columns: ", spread.Pictures, v.turn)...)
}

package document

import (
	"context"
	"math"
	"slices"
	"time"

	"orrery/analysis/heap"
	"orrery/app/jobs"
	"orrery/app/panes"
	"orrery/app/panes/toolbar"
	"orrery/app/shell"
	"orrery/traceio"
	"orrery/views/heapmap"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

// picture is a map of the pane: what it shows, its room, and how far below the pane's top it begins.
type picture struct {
	state heapmap.State
	size  scene.Size
	top   float64
}

// at is a point of the pane in the picture.
func (p *picture) at(q scene.Point) scene.Point { return scene.Point{X: q.X, Y: q.Y - p.top} }

// heapView is the heap's pane: the map of its blocks over time and address, pages that compare its bins, and two runs
// on one scale.
type heapView struct {
	panes.Base
	d      *Document
	draw   heapmap.Renderer
	shown  heapChoices
	base   heapmap.State // what depends on neither the link nor the choices, and the window
	binned binned
	tools  toolbar.Bar
	rival  *heapRival
	start  picture // when the drag began
	part   heapmap.Part
	held   heapmap.Target // what was pressed in a map, until it is let go of or dragged
	slid   bool           // the drag is the slider's
	inside *heapmap.Inside
	looked int      // the block plus 1 into which references are followed, or were
	rest   float64  // where the list of all classes opens
	rules  []string // of bins, which the user wrote
	into   *heap.Heap
}

func newHeapView(d *Document, b panes.Base) *heapView {
	v := &heapView{Base: b, d: d, base: d.rec.HeapMap(b.Theme(), 0)}
	v.Parts = panes.Parts{Paint: v.paint, Caption: v.caption}
	return v
}

func (v *heapView) caption() string { return heapmap.Caption(v.state(v.Theme())) }

// atOnce is how many blocks are few enough to be painted while the interface waits, in a millisecond or two.
const atOnce = 3000

func (v *heapView) state(theme palette.Theme) heapmap.State {
	h := v.heap()
	if v.base.Theme != theme || v.base.Heap != h {
		fresh := v.d.rec.HeapMap(theme, 0)
		v.base.Theme, v.base.Sites, v.base.Regions, v.base.Heap, v.base.Use = theme, fresh.Sites, fresh.Regions, h, fresh.Use
	}
	s, l, c := v.base, v.d.link.State(), &v.shown
	s.Cursor, s.Hover, s.Selected = s.Heap.Axis.At(l.Cursor), l.Hover.AsLine().AsMemory(), l.Selected.AsLine().AsMemory()
	if c.color == heapmap.Untouched {
		if s.Usage, s.Why = v.d.blockUse(), "not known yet"; !v.d.observes() {
			s.Why = "not known: not all references are there"
		}
	} else {
		s.Usage = v.d.knownUse()
	}
	s.Page, s.Color, s.Cushion, s.Bar, s.Alpha, s.Plain = c.show.page(), c.color, c.cushion, c.bar, c.alpha, c.plain
	s.Inside = v.inside
	s.Curves, s.Links, s.Softness, s.Cursors, s.Levels = c.curves, c.links, c.softness, c.cursors, c.levels
	s.Bin = v.bin()
	s.Hidden = nil
	for i := range c.hidden {
		for len(s.Hidden) <= i {
			s.Hidden = append(s.Hidden, false)
		}
		s.Hidden[i] = true
	}
	return s
}

func (v *heapView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	controls, left := v.controls(theme, size)
	var d scene.Drawing
	if v.pairs() {
		d = v.drawPair(size, theme, left)
	} else {
		d = v.drawMap(size, theme, left)
	}
	if v.slides(size) && v.base.Heap.Count() > 0 {
		d.Add(v.alphaSlider(theme).Shapes(v.sliderBox(size))...)
	}
	v.tools.Draw(&d, controls, theme)
	return d
}

// Print implements shell.Printer: nothing is left for later.
func (v *heapView) Print(size scene.Size, theme palette.Theme) func() scene.Drawing {
	s := v.state(theme)
	if v.pairs() {
		d := v.Draw(size, theme)
		return func() scene.Drawing { return d }
	}
	return func() scene.Drawing {
		var r heapmap.Renderer
		return r.Scene(s, size)
	}
}

func (v *heapView) drawMap(size scene.Size, theme palette.Theme, left float64) scene.Drawing {
	s := v.state(theme)
	s.Tools = size.W - left
	v.draw.Later = s.Heap.Count() > atOnce
	v.look(s.Selected)
	d := v.draw.Scene(s, size)
	v.work(&v.draw, "heap map")
	return d
}

// The grid in which references inside a block are counted: at most, and no more rows than bytes.
const (
	insideRows    = 64
	insideColumns = 160
)

// look follows references into the selected block.
func (v *heapView) look(t link.Thing) {
	t = t.AsMemory()
	d, h, rec := v.d, v.heap(), v.d.rec
	if t.What != link.Block || t.ID < 0 || t.ID >= h.Count() || rec.EventsOnly() || rec.Live() ||
		v.into == h && v.looked == t.ID+1 {
		return
	}
	v.looked, v.into = t.ID+1, h
	rows := int(max(1, min(insideRows, h.Block(t.ID).Size)))
	jobs.Start(d.host.Engine, d.key("heap block"), "following references into the block",
		func(ctx context.Context, _ func(done, total int64)) ([][]uint32, error) {
			return heap.Heat(ctx, h, rec, t.ID, rows, insideColumns)
		}, func(counts [][]uint32, err error) {
			if err != nil {
				d.host.Failed(err.Error())
				return
			}
			v.inside = &heapmap.Inside{Block: t.ID, Counts: counts}
			d.changed(shell.Heap)
		})
}

// again takes up what was cancelled: the references inside the selected block, and sorting into bins.
func (v *heapView) again() {
	if v.inside == nil || v.inside.Block+1 != v.looked {
		v.looked = 0
	}
	if v.rival != nil && v.rival.usage == nil {
		v.rival.asked = false
	}
	v.rebin()
}

// frameTime is how long blocks are painted before what there is of them is shown.
const frameTime = 40 * time.Millisecond

// work has made in the background what the last frame lacks. While what there is is drawn, the rest goes on.
func (v *heapView) work(r *heapmap.Renderer, name string) {
	d := v.d
	key := d.key(name)
	if !r.Lacks() || d.closed || slices.ContainsFunc(d.host.Engine.Running(),
		func(j jobs.Job) bool { return j.Key == key }) {
		return
	}
	jobs.StartNow(d.host.Engine, key, "drawing the heap",
		func(ctx context.Context, _ func(done, total int64)) (bool, error) {
			return true, r.Work(ctx, frameTime)
		}, func(_ bool, err error) {
			if err != nil {
				d.host.Failed(err.Error())
				return
			}
			v.work(r, name)
			d.changed(shell.Heap)
		})
}

// under is the map under the pointer.
func (v *heapView) under(e pane.Event) picture {
	_, left := v.controls(e.Theme, e.Size)
	if v.pairs() {
		mine, other, room := v.pair(e.Size, e.Theme, left)
		if e.At.Y < room.H+betweenPair {
			return picture{mine, room, 0}
		}
		return picture{other, room, room.H + betweenPair}
	}
	s := v.state(e.Theme)
	s.Tools = e.Size.W - left
	return picture{s, e.Size, 0}
}

func (v *heapView) hit(e pane.Event) heapmap.Target {
	if v.pairs() {
		return v.hitPair(e)
	}
	p := v.under(e)
	return v.draw.Hit(p.state, p.size, e.At)
}

func (v *heapView) Moved(e pane.Event) {
	controls, _ := v.controls(e.Theme, e.Size)
	inside, changed := v.tools.Moved(controls, e.Theme, e)
	if changed {
		v.Redraw()
	}
	var under link.Thing
	if !inside {
		under = v.hit(e).Thing
	}
	v.d.link.SetHover(under)
}

// CloseList implements pane.Closer.
func (v *heapView) CloseList() bool { return v.tools.Close() }

func (v *heapView) Left() {
	v.tools.Forget()
	v.d.link.SetHover(link.Thing{})
	v.Redraw()
}

func (v *heapView) Tip(e pane.Event) []string {
	controls, _ := v.controls(e.Theme, e.Size)
	switch {
	case v.tools.Open != "" || toolbar.At(controls, e.At) != nil:
		return nil
	case v.slides(e.Size) && v.sliderBox(e.Size).Contains(e.At):
		return []string{"weight of thin blocks", "to the left small blocks show the more, at 1 as much as they cover"}
	}
	return v.hit(e).Lines
}

// Pressed moves the time cursor in the bar and the curves; with Control it sets a cursor that stays, with Shift as well
// one across. In the strip at the right it moves the window, in the legend it shows a class alone or, with Shift, hides
// it. What is pressed in the map is selected when it is let go of: till then it may be dragged.
func (v *heapView) Pressed(e pane.Event) {
	v.part, v.held, v.slid = heapmap.Nowhere, heapmap.Target{}, false
	if e.Button != pane.Primary {
		return
	}
	if controls, _ := v.controls(e.Theme, e.Size); v.tools.Press(controls, e.Theme, e) {
		v.Redraw()
		return
	}
	switch {
	case v.slides(e.Size) && v.sliderBox(e.Size).Contains(e.At):
		v.slid = true
		v.slide(e, true)
	case v.between(e):
		v.tabulate()
	default:
		v.pressMap(e)
	}
}

func (v *heapView) pressMap(e pane.Event) {
	t := v.hit(e)
	v.start, v.part = v.under(e), t.Part
	from := v.start.at(e.At)
	timed := t.Part == heapmap.Map || t.Part == heapmap.Bar || t.Part == heapmap.Cell || t.Part == heapmap.CurvePart
	if timed && e.Mods.Control && v.start.top == 0 {
		if v.part = heapmap.Nowhere; e.Mods.Shift {
			v.level(heapmap.LevelAt(v.start.state, v.start.size, from))
			return
		}
		v.mark(t.Time, heapmap.Reach(v.start.state, v.start.size))
		return
	}
	switch t.Part {
	case heapmap.Context:
		v.move(heapmap.DragContext(v.start.state, v.start.size, from, from))
	case heapmap.Rows:
		v.move(heapmap.ScrollTo(v.start.state, v.start.size, from))
	case heapmap.LegendPart:
		v.pressClass(t, e.Mods.Shift)
	case heapmap.LegendRest:
		v.rest, v.tools.Open = e.At.X, classesList
		v.Redraw()
	case heapmap.BinTitle:
		v.only(t.Bin)
	case heapmap.Map, heapmap.Cell:
		if v.start.top == 0 {
			v.held = t
		}
	case heapmap.Bar, heapmap.CurvePart:
		v.seek(t.Seq)
	}
}

func (v *heapView) seek(t traceio.Seq) { v.d.link.SetCursor(min(t, max(1, v.d.rec.Extent())-1)) }

// Released selects what was pressed in the map and moves the time cursor there, unless the map was dragged.
func (v *heapView) Released(pane.Event) {
	if t := v.held; t.Part != heapmap.Nowhere {
		v.held = heapmap.Target{}
		v.d.link.Select(t.Thing, "heap")
		v.seek(t.Seq)
	}
}

// click is how far the pointer may move between a press and its end.
const click = 3.0

func (v *heapView) Dragged(e pane.Event, from scene.Point) {
	if v.held.Part != heapmap.Nowhere {
		if math.Hypot(e.At.X-from.X, e.At.Y-from.Y) <= click {
			return
		}
		v.held = heapmap.Target{}
	}
	s, size, from, to := v.start.state, v.start.size, v.start.at(from), v.start.at(e.At)
	switch v.part {
	case heapmap.Context:
		v.move(heapmap.DragContext(s, size, from, to))
	case heapmap.Rows:
		v.move(heapmap.ScrollTo(s, size, to))
	case heapmap.Bar, heapmap.CurvePart:
		if t := v.hit(e); t.Part != heapmap.Nowhere {
			v.seek(t.Seq)
		}
	case heapmap.Map, heapmap.Cell:
		v.move(heapmap.DragMap(s, size, from, to))
	}
	if v.slid {
		v.slide(e, false)
	}
}

// move takes the window of the picture that is dragged. Of the other run these are times alone: its addresses are not
// this one's.
func (v *heapView) move(s heapmap.State) {
	if v.start.top > 0 {
		s.Low, s.High = v.base.Low, v.base.High
	}
	v.window(s)
}

// zoom takes the window of the picture under the pointer, scaled about it.
func (v *heapView) zoom(e pane.Event, factor float64, times, addrs bool) {
	p := v.under(e)
	s := heapmap.Zoom(p.state, p.size, p.at(e.At), factor, times, addrs && v.shown.show == showMap)
	if p.top > 0 {
		s.Low, s.High = v.base.Low, v.base.High
	}
	v.window(s)
}

// window takes the window of a state.
func (v *heapView) window(s heapmap.State) {
	v.base.From, v.base.To, v.base.Low, v.base.High, v.base.Row = s.From, s.To, s.Low, s.High, s.Row
	v.Redraw()
}

// Scrolled zooms time, with Shift addresses, with Control both. On a page of bins Shift scrolls through their rows.
func (v *heapView) Scrolled(e pane.Event, dx, dy float64) {
	if v.tools.Scrolled(dx + dy) {
		v.Redraw()
		return
	}
	if s := v.state(e.Theme); s.Page != heapmap.MapPage && e.Mods.Shift {
		rows := 1
		if dx+dy > 0 {
			rows = -1
		}
		v.window(heapmap.Scroll(s, e.Size, rows))
		return
	}
	// Fyne's Shift turns the wheel to the side.
	times, addrs := !e.Mods.Shift, e.Mods.Shift || e.Mods.Control
	v.zoom(e, wheelFactor(dx+dy), times, addrs)
}

func (v *heapView) Zoom(e pane.Event, factor float64) {
	v.zoom(e, factor, true, true)
}

func (v *heapView) Pan(dx, dy float64) {
	s := v.state(v.Theme())
	if v.pairs() {
		s.Until = max(s.Heap.Axis.End, v.rival.run.Axis.End)
	}
	v.window(heapmap.Pan(s, scene.Size{W: 1, H: 1, Scale: 1}, dx, -dy))
}

func (v *heapView) Fit() { v.window(heapmap.Fit(v.base)) }

func (v *heapView) DoubleTapped(pane.Event) { v.Fit() }

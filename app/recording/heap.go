package recording

import (
	"context"
	"math"
	"slices"
	"time"

	"orrery/analysis/heap"
	"orrery/app/jobs"
	"orrery/app/panes"
	"orrery/app/panes/toolbar"
	heappane "orrery/app/recording/heap"
	"orrery/app/session"
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
	shown  *panes.Chosen[heappane.Choices]
	base   heapmap.State // what depends on neither the link nor the choices, and the window
	bins   *panes.Lazy[binning, *heap.Heap]
	inside *panes.Lazy[inside, *heapmap.Inside]
	start  picture // when the drag began
	part   heapmap.Part
	held   heapmap.Target // what was pressed in a map, until it is let go of or dragged
	slid   bool           // the drag is the slider's
	rest   float64        // where the list of all classes opens
	rules  []string       // of bins, which the user wrote

	second     *secondRun // the run of the baseline, as it is drawn; nil for none
	baseline   panes.Baseline[*session.Allocations]
	secondBins *panes.Lazy[binning, *heap.Heap]
	secondUse  *panes.Lazy[*session.Allocations, *heap.Usage]
}

// inside is following references into a block.
type inside struct {
	rec   *session.Recording
	heap  *heap.Heap
	block int
}

func newHeapView(d *Document, b panes.Base) *heapView {
	v := &heapView{Base: b, d: d, base: d.rec.HeapMap(b.Theme(), 0)}
	v.shown = panes.NewChosen(&v.Base, heappane.First(), nil)
	v.Parts = panes.Parts{Paint: v.paint, Caption: v.caption, Chips: v.chips, Hover: v.hover, Press: v.press, Drag: v.drag,
		Release: v.release, Wheel: v.wheel, Tip: v.tip, Menu: v.menu,
		Controls: func(size scene.Size, theme palette.Theme) []toolbar.Placed {
			out, _ := v.place(size, theme)
			return out
		}}
	v.bins, v.secondBins = newBins(d, "heap bins"), newBins(d, "other heap bins")
	v.inside = panes.NewLazy(d.set, panes.Work[inside, *heapmap.Inside]{Name: "heap block",
		Title: func(inside) string { return "following references into the block" },
		Run: func(ctx context.Context, k inside, _ func(done, total int64)) (*heapmap.Inside, error) {
			rows := int(max(1, min(insideRows, k.heap.Block(k.block).Size)))
			counts, err := heap.Heat(ctx, k.heap, k.rec, k.block, rows, insideColumns)
			return &heapmap.Inside{Block: k.block, Counts: counts}, err
		}})
	v.baseline = panes.NewBaseline(d.set, "heap baseline", loadPair, v.pairWith)
	v.secondUse = panes.NewLazy(d.set, panes.Work[*session.Allocations, *heap.Usage]{Name: "other heap use",
		Title: func(r *session.Allocations) string { return "following references into the blocks of " + r.Name() },
		Run: func(ctx context.Context, r *session.Allocations, report func(done, total int64)) (*heap.Usage, error) {
			return heap.Observe(ctx, r.Heap, r.Full, report)
		}})
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
	s, l, c := v.base, v.d.link.State(), &v.shown.Now
	s.Cursor, s.Hover, s.Selected = s.Heap.Axis.At(l.Cursor), l.Hover.AsLine().AsMemory(), l.Selected.AsLine().AsMemory()
	if c.Color == heapmap.Untouched {
		if s.Usage, s.Why = v.d.blockUse(), "not known yet"; !v.d.observes() {
			s.Why = "not known: not all references are there"
		}
	} else {
		s.Usage = v.d.knownUse()
	}
	s.Page, s.Color, s.Cushion, s.Bar, s.Alpha, s.Plain = c.Page.Map(), c.Color, c.Cushion, c.Bar, c.Alpha, c.Plain
	s.Inside = v.into(h, s.Selected)
	s.Curves, s.Links, s.Softness, s.Cursors, s.Levels = c.Curves, c.Links, c.Softness, c.Cursors, c.Levels
	s.Bin = v.bin()
	s.Hidden = nil
	for i := range c.Hidden {
		for len(s.Hidden) <= i {
			s.Hidden = append(s.Hidden, false)
		}
		s.Hidden[i] = true
	}
	return s
}

func (v *heapView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	_, left := v.place(size, theme)
	var d scene.Drawing
	if v.pairs() {
		d = v.drawPair(size, theme, left)
	} else {
		d = v.drawMap(size, theme, left)
	}
	if v.slides(size) && v.base.Heap.Count() > 0 {
		d.Add(v.alphaSlider(theme).Shapes(v.sliderBox(size))...)
	}
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
	d := v.draw.Scene(s, size)
	v.d.set.After(func() { v.work(&v.draw, "heap map") })
	return d
}

// The grid in which references inside a block are counted: at most, and no more rows than bytes.
const (
	insideRows    = 64
	insideColumns = 160
)

// into is where references go inside the selected block; nil while that is not known.
func (v *heapView) into(h *heap.Heap, t link.Thing) *heapmap.Inside {
	rec := v.d.rec
	if v.pairs() || t.What != link.Block || t.ID < 0 || t.ID >= h.Count() || rec.EventsOnly() || rec.Live() {
		return nil
	}
	in, _ := v.inside.For(inside{rec, h, t.ID})
	return in
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
			v.Redraw()
		})
}

// under is the map under the pointer.
func (v *heapView) under(e pane.Event) picture {
	_, left := v.place(e.Size, e.Theme)
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

func (v *heapView) hover(e pane.Event) link.Thing { return v.hit(e).Thing }

func (v *heapView) tip(e pane.Event) []string {
	if v.slides(e.Size) && v.sliderBox(e.Size).Contains(e.At) {
		return []string{"weight of thin blocks",
			"to the left small blocks show the more, at 1 as much as they cover"}
	}
	return v.hit(e).Lines
}

// press moves the time cursor in the bar and the curves; with Control it sets a cursor that stays, with Shift as well
// one across. In the strip at the right it moves the window, in the legend it shows a class alone or, with Shift, hides
// it. What is pressed in the map is selected when it is let go of: till then it may be dragged.
func (v *heapView) press(e pane.Event) {
	v.part, v.held, v.slid = heapmap.Nowhere, heapmap.Target{}, false
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
		v.rest, v.Bar.Open = e.At.X, classesList
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

// release selects what was pressed in the map and moves the time cursor there, unless the map was dragged.
func (v *heapView) release(pane.Event) {
	if t := v.held; t.Part != heapmap.Nowhere {
		v.held = heapmap.Target{}
		v.d.link.Select(t.Thing, "heap")
		v.seek(t.Seq)
	}
}

// click is how far the pointer may move between a press and its end.
const click = 3.0

func (v *heapView) drag(e pane.Event, from scene.Point) {
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
	s := heapmap.Zoom(p.state, p.size, p.at(e.At), factor, times, addrs && v.shown.Now.Page == heappane.Map)
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

// wheel zooms time, with Shift addresses, with Control both. On a page of bins Shift scrolls through their rows.
func (v *heapView) wheel(e pane.Event, dx, dy float64) {
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
		s.Until = max(s.Heap.Axis.End, v.second.run.Axis.End)
	}
	v.window(heapmap.Pan(s, scene.Size{W: 1, H: 1, Scale: 1}, dx, -dy))
}

func (v *heapView) Fit() { v.window(heapmap.Fit(v.base)) }

func (v *heapView) DoubleTapped(pane.Event) { v.Fit() }

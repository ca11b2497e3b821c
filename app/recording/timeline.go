package recording

import (
	"strings"

	"orrery/app/panes"
	"orrery/app/session"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/timeline"
)

// timelineView is the strip along the bottom: drag scrubs, shift-drag selects a stretch, the wheel zooms.
type timelineView struct {
	panes.Base
	d     *Document
	view  link.Range // the zoomed stretch, empty for all
	hover *traceio.Seq
	grip  timeline.Grip
	slid  bool // the drag in progress has changed the window already

	lanes    []timeline.Lane // cut for
	lanesFor laneKey
	runs     []link.Range // of what is selected
	runsFor  runsKey
}

type runsKey struct {
	view     link.Range
	rec      *session.Recording
	selected link.Thing
}

type laneKey struct {
	view   link.Range
	rec    *session.Recording
	caches *session.Caches
	theme  string
}

func newTimelineView(d *Document, b panes.Base) *timelineView {
	v := &timelineView{Base: b, d: d}
	v.Parts = panes.Parts{Paint: v.paint, Caption: v.caption}
	return v
}

func (v *timelineView) caption() string {
	return strings.Join(timeline.Notes(v.state(v.Theme())), " · ")
}

func (v *timelineView) state(theme palette.Theme) timeline.State {
	l := v.d.link.State()
	s := timeline.State{Theme: theme, Len: v.d.rec.Extent(), Unit: v.d.rec.TimeUnit(), View: v.view, Window: l.Window,
		Cursor: l.Cursor, Chosen: v.d.span(l.Selected), Hover: v.hover, Bare: true, Note: v.d.rec.Estimated()}
	key := laneKey{timeline.View(s), v.d.rec, v.d.caches(), theme.Name}
	if key != v.lanesFor || v.lanes == nil {
		v.lanes, v.lanesFor = v.d.rec.Lanes(v.d.caches(), key.view, theme), key
	}
	s.Lanes = v.lanes
	if key := (runsKey{key.view, v.d.rec, l.Selected}); key != v.runsFor {
		v.runs, v.runsFor = v.d.rec.CodeRuns(l.Selected, key.view), key
	}
	s.Runs = v.runs
	return s
}

func (v *timelineView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	return timeline.Scene(v.state(theme), size)
}

func (v *timelineView) hit(e pane.Event) timeline.Target {
	return timeline.Hit(v.state(e.Theme), e.Size, e.At)
}

func (v *timelineView) Pressed(e pane.Event) {
	if e.Button != pane.Primary {
		return
	}
	v.grip, v.slid = v.hit(e).Grip, false
	if v.grip == timeline.Plot && !e.Mods.Shift {
		v.scrub(e)
	}
}

func (v *timelineView) Dragged(e pane.Event, from scene.Point) {
	s := v.state(e.Theme)
	at := timeline.SeqAt(s, e.Size, e.At.X)
	v.hover = &at // while the button is down, nothing else tells where the pointer is
	w := v.d.link.State().Window
	switch {
	case v.grip == timeline.Plot && e.Mods.Shift:
		v.slide(timeline.Drag(s, e.Size, from.X, e.At.X))
	case v.grip == timeline.Plot || v.grip == timeline.Cursor:
		v.scrub(e)
	case v.grip == timeline.WindowFrom:
		v.slide(link.Range{From: min(at, w.To-1), To: w.To})
	case v.grip == timeline.WindowTo:
		v.slide(link.Range{From: w.From, To: max(at, w.From+1)})
	}
}

// slide changes the window; all changes of one drag are one undoable step.
func (v *timelineView) slide(r link.Range) {
	if v.slid {
		v.d.link.SlideWindow(r)
		return
	}
	v.slid = true
	v.d.link.SetWindow(r)
}

func (v *timelineView) scrub(e pane.Event) {
	v.d.link.SetCursor(timeline.SeqAt(v.state(e.Theme), e.Size, e.At.X))
}

func (v *timelineView) Moved(e pane.Event) {
	if t := v.hit(e); t.Grip != timeline.None {
		v.hover = &t.Seq
	} else {
		v.hover = nil
	}
	v.Redraw()
}

func (v *timelineView) Left() {
	v.hover = nil
	v.Redraw()
}

func (v *timelineView) Tip(e pane.Event) []string { return v.hit(e).Lines }

func (v *timelineView) Scrolled(e pane.Event, dx, dy float64) {
	if dx != 0 {
		v.Pan(dx*0.1, 0)
	}
	if dy != 0 {
		v.Zoom(e, wheelFactor(dy))
	}
}

func (v *timelineView) Zoom(e pane.Event, factor float64) {
	s := v.state(e.Theme)
	v.view = timeline.Zoom(s, timeline.SeqAt(s, e.Size, e.At.X), factor)
	v.Redraw()
}

func (v *timelineView) Pan(dx, _ float64) {
	v.view = timeline.Pan(v.state(v.Theme()), dx)
	v.Redraw()
}

func (v *timelineView) Fit() {
	v.view = link.Range{}
	v.Redraw()
}

// DoubleTapped fits the whole recording; where it fits already, it drops the selected stretch: all of the recording is
// in the window again.
func (v *timelineView) DoubleTapped(pane.Event) {
	if !v.view.Empty() {
		v.Fit()
		return
	}
	v.d.link.SetWindow(link.Range{To: v.d.rec.Extent()})
}

// span is the time that belongs to a thing: the life of a heap block, a stretch itself; empty for what has no time.
func (d *Document) span(t link.Thing) link.Range {
	t = t.AsMemory()
	switch {
	case t.What == link.Time:
		return t.Span
	case t.What == link.Block && t.ID >= 0 && t.ID < d.rec.Heap.Count():
		b := d.rec.Heap.Block(t.ID)
		return link.Range{From: d.rec.Heap.Alloc(b), To: max(d.rec.Heap.Alloc(b)+1, d.rec.Heap.Free(b))}
	}
	return link.Range{}
}

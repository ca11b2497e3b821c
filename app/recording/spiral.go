package recording

import (
	"slices"

	"orrery/app/panes"
	"orrery/app/panes/toolbar"
	"orrery/app/session"
	"orrery/cachesim"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/phases"
	"orrery/views/scene"
	"orrery/views/spiral"

	"fyne.io/fyne/v2"
)

// cyclesView is the spiral of the chosen parameterization, or of a morph between two.
type cyclesView struct {
	panes.Base
	d       *Document
	camera  camera
	moved   scene.Point // the camera's shift when the drag began
	grab    bool        // the drag moves the picture
	brush   bool        // the drag chooses a span of time
	brushed bool        // and has done so already

	shown     choices
	run       run
	over      int // the chooser's word under the pointer
	bar       toolbar.Bar
	sliding   bool            // the drag moves the scale of the angles
	slid      bool            // and has done so already
	hovered   int             // bar of the diagram, under the pointer
	low, high float64         // of the diagram's brush
	begun     float64         // the scale where its drag began
	amount    map[int]float64 // how far spliced classes are expanded, by rank
	growth    *fyne.Animation

	base spiral.State // for
	key  spiralKey
	lit  []bool // for
	of   litKey

	under   []bool // of the instructions under the pointer, for
	underOf litKey
}

type spiralKey struct {
	found    any
	from, to int
	theme    string
	by       session.ColorBy
	served   *cachesim.Served
}

// litKey is what the windows that a thing lights up depend on.
type litKey struct {
	found any
	thing link.Thing
}

func newCyclesView(d *Document, b panes.Base) *cyclesView {
	v := &cyclesView{Base: b, d: d, camera: camera{zoom: 1}, shown: choices{colours: colours{by: session.ByLine}},
		over: -1, hovered: -1, run: newRun(d)}
	v.Parts = panes.Parts{Paint: v.paint, Caption: v.caption}
	return v
}

func (v *cyclesView) caption() string {
	if v.shown.picture == asRun {
		return v.run.caption(v)
	}
	return v.d.cycles.caption()
}

func (v *cyclesView) state(theme palette.Theme) spiral.State {
	c := &v.d.cycles
	c.at.Read()
	if c.found == nil {
		why := c.problem
		if why == "" {
			why = "Finding cycles …"
		}
		return spiral.State{Theme: theme, Empty: why}
	}
	shown := v.shown.colours
	color := session.Coloring{By: shown.by, Groups: shown.groups, Hidden: shown.hidden}
	key := spiralKey{found: c.found, from: c.from, to: c.to, theme: theme.Name, by: shown.by}
	if color.By == session.ByMiss {
		color.Served, color.Config = v.d.served(c.found), v.d.hierarchy
		if len(color.Served) > 0 {
			key.served = &color.Served[0]
		}
	}
	if key != v.key {
		v.base, v.key = v.d.rec.Spiral(c.found, theme, c.from, c.to, c.morph), key
		v.d.rec.Color(&v.base, c.found, color)
	}
	s, l := v.base, v.d.link.State()
	if c.from != c.to {
		s.Morph = c.morph
	}
	switch v.shown.picture {
	case asCircle:
		s.Shape = spiral.Circle
	case asPlane:
		v.onPlane(&s, c.found)
	default:
		s.Loops = v.loops()
	}
	s.Cursor, s.Hover = l.Cursor, l.Hover
	if l.Selected.What != link.Line || slices.ContainsFunc(s.Lines,
		func(x spiral.Line) bool { return x.File == l.Selected.File && x.Number == l.Selected.Line }) {
		s.Selected = l.Selected // a line that is not in the picture would leave nothing bright
	}
	if of := (litKey{c.found, l.Selected}); of != v.of {
		v.lit, v.of = v.d.rec.Touched(c.found, l.Selected), of
	}
	s.Lit = v.lit
	if of := (litKey{c.found, l.Hover}); of != v.underOf {
		if v.under, v.underOf = nil, of; l.Hover.What == link.Instructions {
			v.under = v.d.rec.Touched(c.found, l.Hover)
		}
	}
	s.Under = v.under
	s.Zoom, s.Pan = v.camera.zoom, scene.Point{X: v.camera.panX, Y: v.camera.panY}
	return s
}

func (v *cyclesView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	v.d.cycles.read(v.d)
	var d scene.Drawing
	switch v.shown.picture {
	case asDiagram:
		d = v.drawDiagram(size, theme)
	case asRun:
		d = phases.Scene(v.run.state(v, theme, size), size)
	default:
		d = spiral.Scene(v.state(theme), inner(size))
		d.Size = size
	}
	v.tools(&d, theme)
	return d
}

func (v *cyclesView) hit(e pane.Event) spiral.Target {
	return spiral.Hit(v.state(e.Theme), inner(e.Size), e.At)
}

// Moved says what is under the pointer.
func (v *cyclesView) Moved(e pane.Event) {
	if v.overTools(e) {
		v.d.link.SetHover(link.Thing{})
		return
	}
	if v.shown.picture == asRun {
		v.run.moved(v, e)
		return
	}
	if v.shown.picture != asDiagram {
		v.d.link.SetHover(v.hit(e).Thing)
		return
	}
	if bar := v.hitBar(e).Bar; bar != v.hovered {
		v.hovered = bar
		v.Redraw()
	}
}

func (v *cyclesView) Left() {
	v.run.hover = phases.Nowhere
	v.over, v.hovered = -1, -1
	v.bar.Forget()
	v.d.link.SetHover(link.Thing{})
	v.Redraw()
}

func (v *cyclesView) Tip(e pane.Event) []string {
	if v.bar.Open != "" {
		return nil
	}
	if v.shown.picture == asRun {
		return v.run.tip(v, e)
	}
	if lines := v.tipScale(e); lines != nil {
		return lines
	}
	if v.shown.picture == asDiagram {
		return v.hitBar(e).Lines
	}
	return v.hit(e).Lines
}

// Pressed moves the time cursor to the window under the pointer and selects its line; beside the curve it begins to
// pan. With Shift it begins to choose a span of time: an arc when it begins on the curve, else a ring. A key of the
// legend that other views do not know is hidden, and shown again.
func (v *cyclesView) Pressed(e pane.Event) {
	v.grab, v.brush, v.brushed, v.sliding, v.slid = false, false, false, false, false
	switch {
	case e.Button != pane.Primary || v.tool(e):
		return
	case v.shown.picture == asDiagram:
		v.pressBar(e)
		return
	case v.shown.picture == asRun:
		v.run.pressed(v, e)
		return
	case e.Mods.Shift:
		v.brush = true
		return
	}
	t := v.hit(e)
	v.grab = t.Index < 0 && t.Legend < 0
	v.moved = scene.Point{X: v.camera.panX, Y: v.camera.panY}
	if t.Index >= 0 {
		v.d.link.SetCursor(t.Span.From)
	}
	switch {
	case v.grab:
	case t.Legend >= 0 && t.Thing.What == link.Nothing && v.base.Mode == spiral.ByKey:
		v.hide(v.base.Keys[t.Legend].Label)
	default:
		v.d.link.Select(t.Thing, "cycles")
	}
}

// Dragged pans, or scrubs along the curve when the drag began on it, or chooses a span of time.
func (v *cyclesView) Dragged(e pane.Event, from scene.Point) {
	switch {
	case v.sliding && from.Y > inner(e.Size).H:
		knob, room, _, _ := v.knob(e.Theme, e.Size)
		v.slideTo(knob.ValueAt(room, e.At.X))
	case v.shown.picture == asRun:
	case v.shown.picture == asDiagram:
		v.dragBar(e)
	case v.brush:
		if span := spiral.Brush(v.state(e.Theme), inner(e.Size), from, e.At); !span.Empty() {
			t := link.OfTime(span)
			if v.brushed {
				v.d.link.Reselect(t)
			} else {
				v.d.link.Select(t, "cycles")
			}
			v.brushed = true
		}
	case v.grab:
		v.camera.panX, v.camera.panY = v.moved.X+e.At.X-from.X, v.moved.Y+e.At.Y-from.Y
		v.Redraw()
	default:
		if t := v.hit(e); t.Index >= 0 {
			v.d.link.SetCursor(t.Span.From)
		}
	}
}

func (v *cyclesView) Scrolled(e pane.Event, _, dy float64) { v.Zoom(e, wheelFactor(dy)) }

func (v *cyclesView) Zoom(e pane.Event, factor float64) {
	v.camera.about(e.At.X-e.Size.W/2, e.At.Y-inner(e.Size).H/2, factor)
	v.Redraw()
}

func (v *cyclesView) Pan(dx, dy float64) {
	v.camera.panX -= dx * 400
	v.camera.panY -= dy * 400
	v.Redraw()
}

func (v *cyclesView) Fit() {
	v.camera = camera{zoom: 1}
	v.Redraw()
}

// DoubleTapped shows everything; in the picture of the whole run it goes into a phase.
func (v *cyclesView) DoubleTapped(e pane.Event) {
	if v.shown.picture == asRun {
		v.run.doubleTapped(v, e)
		return
	}
	v.Fit()
}

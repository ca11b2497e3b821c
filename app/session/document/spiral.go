package document

import (
	"slices"

	"orrery/app/shell"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/spiral"
)

// cyclesView is the spiral of the chosen parameterization, or of a morph between two.
type cyclesView struct {
	d      *Document
	camera camera
	mode   spiral.Mode
	moved  scene.Point // the camera's shift when the drag began
	grab   bool

	base spiral.State // for
	key  spiralKey
	lit  []bool // for
	of   litKey
}

type spiralKey struct {
	found    any
	from, to int
	theme    string
}

// litKey is what the windows that a selection lights up depend on.
type litKey struct {
	found    any
	selected link.Thing
}

func newCyclesView(d *Document) *cyclesView { return &cyclesView{d: d, camera: camera{zoom: 1}} }

func (v *cyclesView) Title() string   { return "Cycles" }
func (v *cyclesView) Caption() string { return v.d.cycles.caption() }

func (v *cyclesView) state(theme palette.Theme) spiral.State {
	c := &v.d.cycles
	if c.found == nil {
		why := c.problem
		if why == "" {
			why = "Finding cycles …"
		}
		return spiral.State{Theme: theme, Empty: why}
	}
	if key := (spiralKey{c.found, c.from, c.to, theme.Name}); key != v.key {
		v.base, v.key = v.d.rec.Spiral(c.found, theme, c.from, c.to, c.morph), key
	}
	s, l := v.base, v.d.link.State()
	if c.from != c.to {
		s.Morph = c.morph
	}
	s.Mode, s.Cursor, s.Hover = v.mode, l.Cursor, l.Hover
	if l.Selected.What != link.Line || slices.ContainsFunc(s.Lines, func(x spiral.Line) bool { return x.File == l.Selected.File && x.Number == l.Selected.Line }) {
		s.Selected = l.Selected // a line that is not in the picture would leave nothing bright
	}
	if of := (litKey{c.found, l.Selected}); of != v.of {
		v.lit, v.of = v.d.rec.Touched(c.found, l.Selected), of
	}
	s.Lit = v.lit
	s.Zoom, s.Pan = v.camera.zoom, scene.Point{X: v.camera.panX, Y: v.camera.panY}
	return s
}

func (v *cyclesView) Draw(size scene.Size, theme palette.Theme) scene.Drawing {
	v.d.theme = theme
	return spiral.Scene(v.state(theme), size)
}

func (v *cyclesView) hit(e pane.Event) spiral.Target {
	return spiral.Hit(v.state(v.d.theme), e.Size, e.At)
}

func (v *cyclesView) Moved(e pane.Event)        { v.d.link.SetHover(v.hit(e).Thing) }
func (v *cyclesView) Left()                     { v.d.link.SetHover(link.Thing{}) }
func (v *cyclesView) Tip(e pane.Event) []string { return v.hit(e).Lines }

// Pressed moves the time cursor to the window under the pointer and selects its line; beside the curve it begins to pan.
func (v *cyclesView) Pressed(e pane.Event) {
	if e.Button != pane.Primary {
		return
	}
	t := v.hit(e)
	v.grab = t.Index < 0 && t.Legend < 0
	v.moved = scene.Point{X: v.camera.panX, Y: v.camera.panY}
	if t.Index >= 0 {
		v.d.link.SetCursor(t.Span.From)
	}
	if !v.grab {
		v.d.link.Select(t.Thing, "cycles")
	}
}

// Dragged pans, or scrubs along the curve when the drag began on it.
func (v *cyclesView) Dragged(e pane.Event, from scene.Point) {
	if !v.grab {
		if t := v.hit(e); t.Index >= 0 {
			v.d.link.SetCursor(t.Span.From)
		}
		return
	}
	v.camera.panX, v.camera.panY = v.moved.X+e.At.X-from.X, v.moved.Y+e.At.Y-from.Y
	v.d.changed(shell.Cycles)
}

func (v *cyclesView) Scrolled(e pane.Event, _, dy float64) { v.Zoom(e, wheelFactor(dy)) }

func (v *cyclesView) Zoom(e pane.Event, factor float64) {
	v.camera.about(e.At.X-e.Size.W/2, e.At.Y-e.Size.H/2, factor)
	v.d.changed(shell.Cycles)
}

func (v *cyclesView) Pan(dx, dy float64) {
	v.camera.panX -= dx * 400
	v.camera.panY -= dy * 400
	v.d.changed(shell.Cycles)
}

func (v *cyclesView) Fit() {
	v.camera = camera{zoom: 1}
	v.d.changed(shell.Cycles)
}

func (v *cyclesView) DoubleTapped(pane.Event) { v.Fit() }

// Menu offers what the colours show and what makes references equal.
func (v *cyclesView) Menu(pane.Event) []pane.MenuItem {
	color := func(title string, m spiral.Mode) pane.MenuItem {
		return pane.MenuItem{Title: title, Off: v.mode == m, Run: func() {
			v.mode = m
			v.d.changed(shell.Cycles)
		}}
	}
	items := []pane.MenuItem{color("Colour by source line", spiral.ByLine), color("Colour by angle", spiral.ByAngle), color("One colour", spiral.Single), {}}
	for _, a := range alphabets {
		items = append(items, pane.MenuItem{Title: a.title, Off: v.d.cycles.alphabet == a.alphabet, Run: func() {
			v.d.cycles.alphabet = a.alphabet
			v.d.cycles.follow(v.d)
		}})
	}
	return items
}

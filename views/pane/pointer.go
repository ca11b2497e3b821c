package pane

import (
	"math"
	"slices"

	"orrery/views/scene"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

var (
	_ desktop.Mouseable   = (*Pane)(nil)
	_ desktop.Hoverable   = (*Pane)(nil)
	_ fyne.Draggable      = (*Pane)(nil)
	_ fyne.Scrollable     = (*Pane)(nil)
	_ fyne.DoubleTappable = (*Pane)(nil)
)

func point(p fyne.Position) scene.Point { return scene.Point{X: float64(p.X), Y: float64(p.Y)} }

func button(b desktop.MouseButton) Button {
	switch b {
	case desktop.MouseButtonSecondary:
		return Secondary
	case desktop.MouseButtonTertiary:
		return Middle
	}
	return Primary
}

// MouseIn implements desktop.Hoverable.
func (p *Pane) MouseIn(ev *desktop.MouseEvent) {
	if p.inside = true; !p.passes(ev) {
		p.stage.Activate(p)
	}
	p.MouseMoved(ev)
}

// passes reports whether the pointer drags something else over the pane: then the pane is not meant.
func (p *Pane) passes(ev *desktop.MouseEvent) bool { return ev.Button != 0 && !p.pressed }

// MouseMoved implements desktop.Hoverable.
func (p *Pane) MouseMoved(ev *desktop.MouseEvent) {
	// to look for the pane among all that the window shows takes longer than the rest
	p.inside, p.origin = true, ev.AbsolutePosition.Subtract(ev.Position)
	p.overlay().unring()
	if p.pressed {
		p.at = point(ev.Position)
		return
	}
	if p.passes(ev) {
		return
	}
	p.onMotion(moving, ev.Position, p.moved)
}

// moved passes the content where the pointer is now.
func (p *Pane) moved() {
	if m, ok := p.content.(Mover); ok {
		m.Moved(p.event(p.at, Primary))
	}
	p.tip()
}

// restTip brings the tooltip of a resting pointer up to date with a new picture. Where something else lies under it now
// the content hears of the pointer again, so that what is hovered is what the tooltip names.
func (p *Pane) restTip() {
	tips := p.overlay()
	if tips.owner != p {
		return
	}
	before := tips.lines
	p.tip()
	if m, ok := p.content.(Mover); ok && p.inside && !p.pressed && !slices.Equal(before, tips.lines) {
		m.Moved(p.event(p.at, Primary))
	}
}

// MouseOut implements desktop.Hoverable.
func (p *Pane) MouseOut() {
	p.inside = false
	if !p.pressed {
		p.stage.forget(p)
	}
	p.overlay().hide()
	if l, ok := p.content.(Leaver); ok {
		l.Left()
	}
}

// MouseDown implements desktop.Mouseable: selection happens here, not on the tap, which a double click would delay.
func (p *Pane) MouseDown(ev *desktop.MouseEvent) {
	p.stage.runPending()
	p.overlay().hide()
	p.stage.Activate(p)
	p.stage.CloseLists(p)
	p.at = point(ev.Position)
	p.button, p.pressed, p.from = button(ev.Button), true, p.at
	e := p.event(p.at, p.button)
	if ev.Modifier != 0 {
		e.Mods = mods(ev.Modifier)
	}
	if m, ok := p.content.(Menuer); ok && p.button == Secondary {
		p.menu(m.Menu(e), ev.AbsolutePosition)
		return
	}
	if h, ok := p.content.(Presser); ok {
		h.Pressed(e)
	}
}

// MouseUp implements desktop.Mouseable.
func (p *Pane) MouseUp(ev *desktop.MouseEvent) { p.release(point(ev.Position)) }

// Dragged implements fyne.Draggable.
func (p *Pane) Dragged(ev *fyne.DragEvent) {
	if p.pressed {
		p.onMotion(dragging, ev.Position, p.dragged)
	}
}

// dragged passes the content where the pointer is now.
func (p *Pane) dragged() {
	if d, ok := p.content.(Dragger); ok && p.pressed {
		d.Dragged(p.event(p.at, p.button), p.from)
	}
}

// DragEnd implements fyne.Draggable.
func (p *Pane) DragEnd() { p.release(p.at) }

// release delivers exactly one Released for each press, whichever of Fyne's two endings comes first.
func (p *Pane) release(at scene.Point) {
	if !p.pressed {
		return
	}
	p.stage.runPending()
	p.pressed = false
	p.at = at
	if r, ok := p.content.(Releaser); ok {
		r.Released(p.event(at, p.button))
	}
}

// notch is what Fyne reports for one notch of the wheel, and maxNotches bounds its acceleration: ten or more
// notches at once arrive multiplied by 125.
const (
	notch      = 25
	maxNotches = 3
)

// Scrolled implements fyne.Scrollable.
func (p *Pane) Scrolled(ev *fyne.ScrollEvent) {
	clamp := func(v float32) float64 { return math.Max(-maxNotches, math.Min(maxNotches, float64(v)/notch)) }
	p.stage.runOthers(motion{p, turning})
	p.wheel.X += clamp(ev.Scrolled.DX)
	p.wheel.Y += clamp(ev.Scrolled.DY)
	p.onMotion(turning, ev.Position, p.scrolled)
}

// scrolled passes the content how far the wheel has been turned.
func (p *Pane) scrolled() {
	dx, dy := p.wheel.X, p.wheel.Y
	p.wheel = scene.Point{}
	e := p.event(p.at, Primary)
	if e.Mods.Shift && dx == 0 {
		dx, dy = dy, 0
	}
	if s, ok := p.content.(Scroller); ok {
		s.Scrolled(e, dx, dy)
	}
	if p.inside && !p.pressed {
		p.moved() // the picture has, below the pointer
	}
}

// DoubleTapped implements fyne.DoubleTappable. Without a handler of its own a zoomable content is fitted.
func (p *Pane) DoubleTapped(ev *fyne.PointEvent) {
	p.stage.runPending()
	e := p.event(point(ev.Position), Primary)
	switch c := p.content.(type) {
	case DoubleTapper:
		c.DoubleTapped(e)
	case Zoomer:
		c.Fit()
	}
}

// menu shows a context menu; the press that opened it is over.
func (p *Pane) menu(items []MenuItem, at fyne.Position) {
	p.pressed = false
	if len(items) == 0 {
		return
	}
	m := menuOf(items)
	if c := p.overlay().canvas; c != nil {
		widget.ShowPopUpMenuAtPosition(m, c, at)
	}
}

// menuOf is a menu as Fyne has it, with separators between lines only.
func menuOf(items []MenuItem) *fyne.Menu {
	m := fyne.NewMenu("")
	apart := false
	for _, it := range items {
		if it.Title == "" {
			apart = len(m.Items) > 0
			continue
		}
		if apart {
			m.Items = append(m.Items, fyne.NewMenuItemSeparator())
		}
		apart = false
		entry := fyne.NewMenuItem(it.Title, it.Run)
		entry.Disabled, entry.Checked = it.Off, it.On
		if len(it.Items) > 0 {
			entry.ChildMenu = menuOf(it.Items)
		}
		m.Items = append(m.Items, entry)
	}
	return m
}

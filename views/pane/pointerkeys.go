package pane

import (
	"orrery/views/scene"

	"fyne.io/fyne/v2"
)

// What follows does by the keyboard what the pointer does, so that everything in a picture can be reached without one.

// Steer moves a pointer that the keyboard has over the pane by units; the first time it stands in the middle. The
// content hears of it as of the mouse's, and the tooltip and a ring show where it is.
func (p *Pane) Steer(dx, dy float64) {
	z := p.sceneSize()
	if !p.inside {
		p.at, p.inside = scene.Point{X: z.W / 2, Y: z.H / 2}, true
	} else {
		p.at = scene.Point{X: max(0, min(p.at.X+dx, z.W-1)), Y: max(0, min(p.at.Y+dy, z.H-1))}
	}
	p.origin = fyne.CurrentApp().Driver().AbsolutePositionForObject(p)
	p.moved()
	p.overlay().Ring(p.absolute())
}

// Click presses and lets go where the pointer is, or in the middle.
func (p *Pane) Click() {
	e := p.Pointer()
	p.overlay().hide()
	if h, ok := p.content.(Presser); ok {
		h.Pressed(e)
	}
	if r, ok := p.content.(Releaser); ok {
		r.Released(e)
	}
}

// OpenMenu opens the context menu where the pointer is, or in the middle, and reports whether there is one.
func (p *Pane) OpenMenu() bool {
	m, ok := p.content.(Menuer)
	if !ok {
		return false
	}
	e := p.Pointer()
	items := m.Menu(e)
	p.menu(items, fyne.CurrentApp().Driver().AbsolutePositionForObject(p).AddXY(float32(e.At.X), float32(e.At.Y)))
	return len(items) > 0
}

// absolute is where the pointer is in the window.
func (p *Pane) absolute() fyne.Position {
	return fyne.CurrentApp().Driver().AbsolutePositionForObject(p).AddXY(float32(p.at.X), float32(p.at.Y))
}

package shell

import (
	"slices"

	"orrery/views/pane"

	"fyne.io/fyne/v2"
)

// paneFocus moves the keyboard from pane to pane, and a pointer over the pane that has it.
type paneFocus struct {
	w      *window
	marked *pane.Pane // the pane that the keyboard has gone to
}

// What can be done with the pointer can be done by the keyboard: panes are gone through, a pointer of the keyboard's
// own is moved over the one that has it, menus are opened and gone through.

// next gives the keyboard to the next pane that is seen, in the order of the arrangement, and marks it.
func (f *paneFocus) next(by int) {
	d := f.w.front().dock
	var seen []*tab
	for _, g := range d.groups {
		if g.Visible() {
			seen = append(seen, g.front())
		}
	}
	for _, s := range d.order {
		if d.own[s] != nil {
			seen = append(seen, d.tabs[s])
		}
	}
	if len(seen) == 0 {
		return
	}
	at := slices.IndexFunc(seen, func(t *tab) bool { return t.pane == f.w.stage.Active() })
	if at < 0 && by < 0 {
		at = 0
	}
	t := seen[(at+by+len(seen))%len(seen)]
	f.w.win.Canvas().Unfocus()
	if o := d.own[t.slot]; o != nil {
		o.win.RequestFocus()
	}
	f.w.stage.Activate(t.pane)
	f.mark(t.pane)
	f.w.log.write("pane", "slot", string(t.slot))
}

// mark shows which pane has the keyboard; nil for none: the pointer shows it.
func (f *paneFocus) mark(p *pane.Pane) {
	if f.marked == p {
		return
	}
	f.marked = p
	for _, d := range f.w.shown() {
		for _, g := range d.dock.groups {
			g.Refresh()
		}
	}
}

// steps are how far the keyboard's pointer moves at a time.
const steps = 8

// steer moves the keyboard's pointer over the active pane.
func (f *paneFocus) steer(dx, dy float64) {
	if p := f.active(); p != nil {
		p.Steer(dx*steps, dy*steps)
	}
}

// press presses where the keyboard's pointer is.
func (f *paneFocus) press() {
	if p := f.active(); p != nil {
		p.Click()
	}
}

// active is the keyboard's pane, the first one where there is none.
func (f *paneFocus) active() *pane.Pane {
	if f.w.stage.Active() == nil {
		f.next(1)
	}
	return f.w.stage.Active()
}

// menu opens the context menu of the active pane, or of its title where it has none of its own.
func (f *paneFocus) menu() {
	if p := f.active(); p != nil && !p.OpenMenu() {
		f.titleMenu()
	}
}

// titleMenu opens the menu of the active pane's title.
func (f *paneFocus) titleMenu() {
	p := f.active()
	d := f.w.front().dock
	for s, t := range d.tabs {
		if t.pane == p {
			at := fyne.CurrentApp().Driver().AbsolutePositionForObject(p)
			if d.own[s] != nil { // its menu is in the main window
				at = fyne.NewPos(60, headHeight)
			}
			f.w.tabMenu(d, s, at)
			f.w.menu.list.choose(1)
		}
	}
}

// key goes through an open menu, and along the bar; false for a key that means nothing there.
func (m *menu) key(w *window, name fyne.KeyName) bool {
	switch name {
	case fyne.KeyDown:
		m.list.choose(1)
	case fyne.KeyUp:
		m.list.choose(-1)
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		m.list.run()
	case fyne.KeyLeft, fyne.KeyRight:
		at := slices.Index(menus, m.name)
		if at < 0 {
			return true
		}
		by := 1
		if name == fyne.KeyLeft {
			by = len(menus) - 1
		}
		at = (at + by) % len(menus)
		w.openMenu(menus[at], w.head.words[at])
		m.list.choose(1)
	default:
		return false
	}
	return true
}

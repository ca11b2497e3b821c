package shell

import (
	"orrery/app/shell/saved"
	"orrery/views/pane"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
)

// ownWindow is a pane that was taken into a window of its own. Its place in the docks stays, unseen, so that it comes
// back to where it was.
type ownWindow struct {
	slot Slot
	win  fyne.Window
	tips *pane.Tips
	back *canvas.Rectangle
	box  *fyne.Container
}

// saved is the window as a session keeps it.
func (o *ownWindow) saved() saved.Own {
	z := o.win.Canvas().Size()
	return saved.Own{Slot: string(o.slot), Width: z.Width, Height: z.Height}
}

// Bounds of a window of a pane's own, in units: one that is taken out has the size of the pane, but room for its
// controls.
const (
	leastOwn = 320
	mostOwn  = 8192
)

// takeOut gives a pane a window of its own. The window is shown while the document is in front.
func (d *dock) takeOut(s Slot, size saved.Own) {
	t := d.tabs[s]
	if t == nil || d.own[s] != nil {
		return
	}
	if d.full == s {
		d.full = ""
	}
	o := &ownWindow{slot: s, win: d.ui.app.NewWindow(t.view.Title() + " — " + d.name),
		back: canvas.NewRectangle(d.ui.look.Panel)}
	o.tips = d.ui.stage.NewTips(o.win.Canvas())
	o.box = container.New(inWindow{d.ui}, t.pane)
	o.win.SetPadded(false)
	o.win.SetContent(container.NewStack(o.back, o.box, o.tips))
	o.win.Resize(fyne.NewSize(max(leastOwn, min(size.Width, mostOwn)), max(leastOwn, min(size.Height, mostOwn))))
	o.win.SetCloseIntercept(func() { d.bringBack(s) })
	d.ui.bindKeys(o.win.Canvas())
	t.pane.MoveTo(o.tips)
	d.own[s] = o
	d.ui.log.write("taken-out", "slot", string(s))
	if d.shown {
		d.showOwn(o, true)
	}
}

// inWindow lays a pane into its window, with the margin that it has in its panel.
type inWindow struct{ ui *window }

// MinSize implements fyne.Layout.
func (i inWindow) MinSize([]fyne.CanvasObject) fyne.Size {
	i.ui.repaints.begun()
	return fyne.NewSize(120, 90)
}

// Layout implements fyne.Layout.
func (inWindow) Layout(o []fyne.CanvasObject, s fyne.Size) {
	for _, pane := range o {
		pane.Move(fyne.NewPos(inset, inset))
		pane.Resize(fyne.NewSize(max(1, s.Width-2*inset), max(1, s.Height-2*inset)))
	}
}

// showOwn shows or hides a pane's window with its document.
func (d *dock) showOwn(o *ownWindow, on bool) {
	if on {
		d.tabs[o.slot].pane.Show()
		o.win.Show()
		return
	}
	d.tabs[o.slot].pane.Hide()
	o.win.Hide()
}

// bringBack closes a pane's window; the pane is where it was.
func (d *dock) bringBack(s Slot) {
	o := d.own[s]
	if o == nil {
		return
	}
	d.close(o)
	d.ui.log.write("brought-back", "slot", string(s))
	d.build()
	d.arranged()
}

// close takes a pane out of its window and the window away.
func (d *dock) close(o *ownWindow) {
	delete(d.own, o.slot)
	p := d.tabs[o.slot].pane
	o.box.RemoveAll()
	p.MoveTo(nil)
	p.Hide()
	o.win.SetCloseIntercept(nil)
	d.ui.leave(o.win)
}

// leave takes a window of a pane's own away. It is hidden now and closed when the next one leaves: a window that is
// closed while keys are held takes their release with it, and Fyne goes on as if they were held.
func (w *window) leave(win fyne.Window) {
	if w.leaving != nil {
		w.leaving.Close()
	}
	win.Hide()
	w.leaving = win
}

// takeIn closes all windows of panes.
func (d *dock) takeIn() {
	for _, s := range d.order {
		if o := d.own[s]; o != nil {
			d.close(o)
		}
	}
}

// comeForward gives the keyboard to the main window, where it is asked for something that lies there, when a pane's own
// window has it.
func (w *window) comeForward() {
	for _, d := range w.docs {
		if len(d.dock.own) > 0 {
			w.win.RequestFocus()
			return
		}
	}
}

// ownActive takes the pane that has the keyboard into a window of its own, or brings it back from there.
func (w *window) ownActive() {
	d := w.front()
	if s, ok := d.active(w); ok {
		d.dock.toggleOwn(s)
	}
}

// toggleOwn takes a pane into a window of its own, or back.
func (d *dock) toggleOwn(s Slot) {
	if d.own[s] != nil {
		d.bringBack(s)
		return
	}
	z := d.tabs[s].pane.Size()
	d.takeOut(s, saved.Own{Width: z.Width + 2*inset, Height: z.Height + 2*inset})
	d.build()
	d.arranged()
	d.ui.stage.Activate(d.tabs[s].pane)
}

// allBack brings the panes of the document in front back from their windows.
func (w *window) allBack() {
	d := w.front().dock
	d.takeIn()
	d.build()
	d.arranged()
}

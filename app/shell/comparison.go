package shell

import (
	"slices"

	"orrery/views/link"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// comparison shows two documents side by side and selects in each what is selected in the other.
type comparison struct {
	w         *window
	path      string // of the file that is being opened to be shown beside the one in front, "" without
	mirroring bool   // a selection is being taken over from one to the other
}

// Counterpart is a document that finds in itself what another run names: the same line, function or region. Two
// recordings beside each other are linked by it.
type Counterpart interface {
	Counterpart(t link.Thing) (link.Thing, bool)
}

// ask asks for the recording to be shown beside the one in front.
func (c *comparison) ask() { c.w.dialogs.readFile(c.with) }

// with opens a file beside the document in front.
func (c *comparison) with(path string) {
	d := c.w.front()
	if d == nil || path == d.path {
		return
	}
	if i := c.w.indexOf(path); i >= 0 {
		c.show(d, c.w.docs[i])
		return
	}
	c.path = path
	c.w.open(path)
}

// next shows the next open document beside the one in front, or one alone again.
func (c *comparison) next() {
	if c.w.other(c.w.front()) != nil {
		c.end()
		return
	}
	c.show(c.w.front(), c.w.docs[(c.w.at+1)%len(c.w.docs)])
}

// show shows two documents side by side, each with its timeline, and the first of them in front. The one that was
// opened first is at the left.
func (c *comparison) show(front, other *opened) {
	if front == other {
		return
	}
	c.end()
	left, right := front, other
	if slices.Index(c.w.docs, left) > slices.Index(c.w.docs, right) {
		left, right = right, left
	}
	c.w.pair = [2]*opened{left, right}
	for _, d := range c.w.pair {
		d.dock.narrow(true)
	}
	c.w.log.write("comparing", "left", left.path, "right", right.path)
	c.w.bringFront(slices.Index(c.w.docs, front))
	c.mirror(front, front.doc.Link().State())
}

// end shows one document alone, the one in front.
func (c *comparison) end() {
	if c.w.pair[0] == nil {
		return
	}
	front := c.w.front()
	for _, d := range c.w.pair {
		d.dock.show(false)
		d.dock.narrow(false)
	}
	c.w.pair = [2]*opened{}
	c.w.log.write("comparing")
	if front != nil {
		c.w.bringFront(slices.Index(c.w.docs, front))
	}
}

// narrow gives the docks an arrangement for half a window, or the usual one again.
func (d *dock) narrow(on bool) {
	if on == (d.wide != nil) {
		return
	}
	if on {
		if d.slim == nil {
			d.slim = beside(d.placed)
		}
		d.wide, d.root = d.root, d.slim
	} else {
		d.slim, d.root, d.wide = d.root, d.wide, nil
	}
	d.full = ""
	for _, t := range d.tabs { // those that are seen are shown by their groups
		if d.own[t.slot] == nil {
			t.pane.Hide()
		}
	}
	d.build()
	d.Refresh()
}

// whole is the tree of the usual arrangement.
func (d *dock) whole() *node {
	if d.wide != nil {
		return d.wide
	}
	return d.root
}

// makeFront makes another of the documents that are seen the one that commands and keys act on.
func (w *window) makeFront(d *opened) {
	w.unregister(w.front())
	w.at = slices.Index(w.docs, d)
	w.register(d)
	w.head.sync()
	w.working()
}

// register adds the commands of a document, and names it in the title.
func (w *window) register(d *opened) {
	for _, c := range w.commandsOf(d) {
		if err := w.reg.Add(c); err != nil {
			w.log.write("clash", "text", err.Error())
		}
	}
	w.win.SetTitle(d.doc.Name() + " — Orrery")
}

func (w *window) unregister(d *opened) {
	if d != nil {
		w.reg.Remove(d.commands...)
	}
}

// mirror selects in the document beside one what is selected there, where that has it.
func (c *comparison) mirror(d *opened, now link.State) {
	o := c.w.other(d)
	if o == nil || c.mirroring {
		return
	}
	c.mirroring = true
	defer func() { c.mirroring = false }()
	if now.Selected.What == link.Nothing {
		o.doc.Link().Clear()
		return
	}
	if f, ok := o.doc.(Counterpart); ok {
		if t, ok := f.Counterpart(now.Selected); ok {
			o.doc.Link().Select(t, now.Origin+" of "+d.doc.Name())
		}
	}
}

// admit puts a pane that the arrangement for half a window has left out where there is room for one more tab.
func (d *dock) admit(s Slot) {
	list := d.root.leaves()
	for _, n := range list {
		if slices.Contains(n.Tabs, s) {
			return
		}
	}
	n := list[min(1, len(list)-1)]
	n.Tabs = append(slices.Clone(n.Tabs), s)
	d.build()
}

// sideBySide lays docks out as columns of the same width.
type sideBySide struct{}

// MinSize implements fyne.Layout.
func (sideBySide) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(640, 200) }

// Layout implements fyne.Layout.
func (sideBySide) Layout(o []fyne.CanvasObject, s fyne.Size) {
	w := (s.Width - gap*float32(len(o)-1)) / float32(max(1, len(o)))
	for i, x := range o {
		x.Move(fyne.NewPos(float32(i)*(w+gap), 0))
		x.Resize(fyne.NewSize(w, s.Height))
	}
}

// showDocks puts the docks of the documents that are seen into the body.
func (w *window) showDocks() {
	list := w.shown()
	if len(list) == 1 {
		w.body.Objects = []fyne.CanvasObject{list[0].dock}
		return
	}
	box := container.New(sideBySide{})
	for _, d := range list {
		box.Add(d.dock)
	}
	w.body.Objects = []fyne.CanvasObject{box}
}

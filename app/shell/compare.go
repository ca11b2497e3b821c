package shell

import (
	"slices"

	"orrery/views/link"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Counterpart is a document that finds in itself what another run names: the same line, function or region. Two
// recordings beside each other are linked by it.
type Counterpart interface {
	Counterpart(t link.Thing) (link.Thing, bool)
}

// compareDialog asks for the recording to be shown beside the one in front.
func (w *window) compareDialog() { w.readDialog(w.compareWith) }

// compareWith opens a file beside the document in front.
func (w *window) compareWith(path string) {
	d := w.front()
	if d == nil || path == d.path {
		return
	}
	if i := w.indexOf(path); i >= 0 {
		w.compare(d, w.docs[i])
		return
	}
	w.comparePath = path
	w.open(path)
}

// compareNext shows the next open document beside the one in front, or one alone again.
func (w *window) compareNext() {
	if w.other(w.front()) != nil {
		w.endComparison()
		return
	}
	w.compare(w.front(), w.docs[(w.at+1)%len(w.docs)])
}

// compare shows two documents side by side, each with its timeline, and the first of them in front. The one that was
// opened first is at the left.
func (w *window) compare(front, other *opened) {
	if front == other {
		return
	}
	w.endComparison()
	left, right := front, other
	if slices.Index(w.docs, left) > slices.Index(w.docs, right) {
		left, right = right, left
	}
	w.pair = [2]*opened{left, right}
	for _, d := range w.pair {
		d.dock.narrow(true)
	}
	w.log.write("comparing", "left", left.path, "right", right.path)
	w.bringFront(slices.Index(w.docs, front))
	w.mirror(front, front.doc.Link().State())
}

// endComparison shows one document alone, the one in front.
func (w *window) endComparison() {
	if w.pair[0] == nil {
		return
	}
	front := w.front()
	for _, d := range w.pair {
		d.dock.show(false)
		d.dock.narrow(false)
	}
	w.pair = [2]*opened{}
	w.log.write("comparing")
	if front != nil {
		w.bringFront(slices.Index(w.docs, front))
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

// turn makes another of the documents that are seen the one that commands and keys mean.
func (w *window) turn(d *opened) {
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
func (w *window) mirror(d *opened, now link.State) {
	o := w.other(d)
	if o == nil || w.mirroring {
		return
	}
	w.mirroring = true
	defer func() { w.mirroring = false }()
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

// seat puts the docks of the documents that are seen into the body.
func (w *window) seat() {
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

package document

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// The fields of a form: the toolkit's, but that Escape leaves the form from each of them, and Return does what it is for.

// entry is a field for text.
type entry struct {
	widget.Entry
	escape func()
}

func newEntry(text string, changed func(string), apply, escape func()) *entry {
	e := &entry{escape: escape}
	e.ExtendBaseWidget(e)
	e.Scroll = fyne.ScrollNone
	e.SetText(text)
	e.OnChanged = changed
	e.OnSubmitted = func(string) { apply() }
	return e
}

// TypedKey implements fyne.Focusable.
func (e *entry) TypedKey(ev *fyne.KeyEvent) {
	if ev.Name == fyne.KeyEscape {
		e.escape()
		return
	}
	e.Entry.TypedKey(ev)
}

// choice is a field with a few words to choose from.
type choice struct {
	widget.Select
	apply, escape func()
}

func newChoice(words []string, now string, changed func(string), apply, escape func()) *choice {
	c := &choice{apply: apply, escape: escape}
	c.ExtendBaseWidget(c)
	c.Options, c.Selected = words, now
	c.OnChanged = changed
	return c
}

// TypedKey implements fyne.Focusable.
func (c *choice) TypedKey(ev *fyne.KeyEvent) {
	switch ev.Name {
	case fyne.KeyEscape:
		c.escape()
	case fyne.KeyReturn, fyne.KeyEnter:
		c.apply()
	default:
		c.Select.TypedKey(ev)
	}
}

// action is a button.
type action struct {
	widget.Button
	escape func()
}

func newAction(title string, tapped, escape func()) *action {
	a := &action{escape: escape}
	a.ExtendBaseWidget(a)
	a.Text, a.OnTapped = title, tapped
	return a
}

// TypedKey implements fyne.Focusable.
func (a *action) TypedKey(ev *fyne.KeyEvent) {
	switch ev.Name {
	case fyne.KeyEscape:
		a.escape()
	case fyne.KeyReturn, fyne.KeyEnter:
		if !a.Disabled() {
			a.OnTapped()
		}
	default:
		a.Button.TypedKey(ev)
	}
}

// sheetGrid places the parts of a form. Their order is that in which Tab goes through them, whatever their places.
type sheetGrid struct {
	size   fyne.Size
	places map[fyne.CanvasObject]gridPlace
	box    *fyne.Container
}

type gridPlace struct{ x, y, w, h float32 }

func newSheetGrid() *sheetGrid {
	g := &sheetGrid{places: map[fyne.CanvasObject]gridPlace{}}
	g.box = &fyne.Container{Layout: g}
	return g
}

// clear takes everything out.
func (g *sheetGrid) clear() {
	clear(g.places)
	g.size, g.box.Objects = fyne.Size{}, nil
}

// put adds an object.
func (g *sheetGrid) put(o fyne.CanvasObject, x, y, w, h float32) {
	g.places[o] = gridPlace{x, y, w, h}
	g.size = g.size.Max(fyne.NewSize(x+w, y+h))
	g.box.Objects = append(g.box.Objects, o)
}

// MinSize implements fyne.Layout.
func (g *sheetGrid) MinSize([]fyne.CanvasObject) fyne.Size { return g.size }

// Layout implements fyne.Layout.
func (g *sheetGrid) Layout(list []fyne.CanvasObject, _ fyne.Size) {
	for _, o := range list {
		if p, ok := g.places[o]; ok {
			o.Move(fyne.NewPos(p.x, p.y))
			o.Resize(fyne.NewSize(p.w, p.h))
		}
	}
}

// Rows of a form in units.
const (
	formRow   = 30
	formField = 27
)

// caption is a field's name in a form.
func (d *Document) caption(text string) *canvas.Text {
	t := canvas.NewText(text, d.theme.Dim)
	t.TextSize = 11.5
	return t
}

// said is a sentence of a form that may need several lines.
func said(text string) *widget.Label {
	l := widget.NewLabel(text)
	l.Wrapping = fyne.TextWrapWord
	return l
}

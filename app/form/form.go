// Package form is the fields of the sheets that are laid over the window.
package form

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// The fields of a form: Fyne's, but that Escape leaves the form from each of them, and Return does what it is
// for.

// Entry is a field for text. Key is offered each key by its name and reports whether it took it; nil takes none.
type Entry struct {
	widget.Entry
	Key    func(fyne.KeyName) bool
	escape func()
}

// NewEntry is a field with a text to begin with; changed hears of every letter, apply of Return, escape of Escape.
func NewEntry(text string, changed func(string), apply, escape func()) *Entry {
	e := &Entry{escape: escape}
	e.ExtendBaseWidget(e)
	e.Scroll = fyne.ScrollHorizontalOnly // a long text would go on beyond the field
	e.SetText(text)
	e.OnChanged = changed
	e.OnSubmitted = func(string) { apply() }
	return e
}

// TypedKey implements fyne.Focusable.
func (e *Entry) TypedKey(ev *fyne.KeyEvent) {
	switch {
	case ev.Name == fyne.KeyEscape:
		e.escape()
	case e.Key == nil || !e.Key(ev.Name):
		e.Entry.TypedKey(ev)
	}
}

// Choice is a field with a few words to choose from.
type Choice struct {
	widget.Select
	apply, escape func()
}

// NewChoice is a field that shows one of the words.
func NewChoice(words []string, now string, changed func(string), apply, escape func()) *Choice {
	c := &Choice{apply: apply, escape: escape}
	c.ExtendBaseWidget(c)
	c.Options, c.Selected = words, now
	c.OnChanged = changed
	return c
}

// TypedKey implements fyne.Focusable.
func (c *Choice) TypedKey(ev *fyne.KeyEvent) {
	switch ev.Name {
	case fyne.KeyEscape:
		c.escape()
	case fyne.KeyReturn, fyne.KeyEnter:
		c.apply()
	default:
		c.Select.TypedKey(ev)
	}
}

// Action is a button.
type Action struct {
	widget.Button
	escape func()
}

// NewAction is a button with its title.
func NewAction(title string, tapped, escape func()) *Action {
	a := &Action{escape: escape}
	a.ExtendBaseWidget(a)
	a.Text, a.OnTapped = title, tapped
	return a
}

// TypedKey implements fyne.Focusable.
func (a *Action) TypedKey(ev *fyne.KeyEvent) {
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

// Grid places the parts of a form. Their order is that in which Tab goes through them, whatever their places.
type Grid struct {
	size   fyne.Size
	places map[fyne.CanvasObject]gridPlace
	lines  int
	low    float32 // that tips below fields take
	Box    *fyne.Container
}

type gridPlace struct{ x, y, w, h float32 }

// NewGrid is a form without parts; Box is what the window shows of it.
func NewGrid() *Grid {
	g := &Grid{places: map[fyne.CanvasObject]gridPlace{}}
	g.Box = &fyne.Container{Layout: g}
	return g
}

// Clear takes everything out.
func (g *Grid) Clear() {
	clear(g.places)
	g.size, g.Box.Objects = fyne.Size{}, nil
}

// Put adds an object.
func (g *Grid) Put(o fyne.CanvasObject, x, y, w, h float32) {
	g.places[o] = gridPlace{x, y, w, h}
	g.size = g.size.Max(fyne.NewSize(x+w, y+h))
	g.Box.Objects = append(g.Box.Objects, o)
}

// Line adds a line of the usual form below the lines before: a title, its field, and a tip that stands beside the field
// where there is room, else below it.
func (g *Grid) Line(title string, field fyne.CanvasObject, wide float32, tip string, ink color.Color) {
	y := float32(g.lines)*(Row+6) + g.low
	g.lines++
	g.Put(Caption(title, ink), 0, y, titles, Field)
	g.Put(field, titles+4, y, wide, Field)
	words := Caption(tip, ink)
	words.TextSize = 11
	switch {
	case tip == "":
	case wide > 200:
		g.Put(words, titles+6, y+Field-2, 400, 18)
		g.low += 12
	default:
		g.Put(words, titles+wide+16, y, 340, Field)
	}
}

// titles is the room for the titles of lines.
const titles = 110

// Frame lays an object that was put in around a field.
func (g *Grid) Frame(mark, field fyne.CanvasObject) {
	p := g.places[field]
	g.places[mark] = gridPlace{p.x - 1, p.y - 1, p.w + 2, p.h + 2}
	g.Layout([]fyne.CanvasObject{mark}, fyne.Size{})
}

// MinSize implements fyne.Layout.
func (g *Grid) MinSize([]fyne.CanvasObject) fyne.Size { return g.size }

// Layout implements fyne.Layout.
func (g *Grid) Layout(list []fyne.CanvasObject, _ fyne.Size) {
	for _, o := range list {
		if p, ok := g.places[o]; ok {
			o.Move(fyne.NewPos(p.x, p.y))
			o.Resize(fyne.NewSize(p.w, p.h))
		}
	}
}

// Heights of a row and of the field in it, in device-independent pixels.
const (
	Row   = 30
	Field = 27
)

// Caption is a field's name.
func Caption(text string, ink color.Color) *canvas.Text {
	t := canvas.NewText(text, ink)
	t.TextSize = 11.5
	return t
}

// Said is a sentence of a form that may need several lines.
func Said(text string) *widget.Label {
	l := widget.NewLabel(text)
	l.Wrapping = fyne.TextWrapWord
	return l
}

// Package pane is the Fyne widget that hosts any scene: it asks a Content for a drawing when something has changed,
// turns it into device pixels off the interface thread and hands pointer events and tooltips back. A Stage holds the
// panes of one window and keeps them in step: all panes that are dirty are drawn for the same frame.
//
//	link changes -> Stage.Invalidate -> (next repaint) Content.Draw, views/raster in parallel -> one texture each
//
// Everything here runs on the interface's goroutine, except the rasterising of finished (immutable) drawings.
package pane

import (
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// Content is what a pane shows. Draw is called on the interface's goroutine, only after something has changed, and must
// return within a few milliseconds: long work belongs to app/jobs. The drawing must fill size; its Background paints
// the whole pane. Any of the optional interfaces below may be implemented beside it.
type Content interface {
	Draw(size scene.Size, theme palette.Theme) scene.Drawing
}

// Button says which mouse button an event is about.
type Button uint8

// The buttons.
const (
	Primary Button = iota
	Secondary
	Middle
)

// Mods are the modifier keys held down during an event.
type Mods struct{ Shift, Control, Alt bool }

// Event is one pointer event. At lies in the pane's own units (those of scene), Size is what Draw was given, so that a
// view's Hit(State, Size, Point) can be asked with both.
type Event struct {
	At     scene.Point
	Size   scene.Size
	Button Button
	Mods   Mods
	Theme  palette.Theme // in which the pane is drawn
}

// The optional pointer interfaces of a Content. A press is delivered on mouse down (never delayed by a possible double
// click), followed by any number of Dragged and exactly one Released, also when the pointer has left the pane.
type (
	// Mover hears the pointer moving over the pane with no button down, at most once a frame.
	Mover interface{ Moved(e Event) }
	// Leaver hears that the pointer has left.
	Leaver interface{ Left() }
	// Presser hears a button going down.
	Presser interface{ Pressed(e Event) }
	// Dragger hears movement while the button of the last press is down, at most once a frame; from is where that press
	// was.
	Dragger interface {
		Dragged(e Event, from scene.Point)
	}
	// Releaser hears the button going up again.
	Releaser interface{ Released(e Event) }
	// Scroller hears the wheel, at most once a frame: dx and dy are the notches since then, of which one event of
	// Fyne's counts 3 at most; dy > 0 is away from the user.
	Scroller interface{ Scrolled(e Event, dx, dy float64) }
	// DoubleTapper hears a double click, after the two presses and releases it consists of.
	DoubleTapper interface{ DoubleTapped(e Event) }
	// Tipper names what lies under the pointer: the lines of a tooltip, the first one brightest; nil for none.
	Tipper interface{ Tip(e Event) []string }
	// Menuer offers a context menu for a secondary click: titles and what they do; an empty title is a separator.
	Menuer interface{ Menu(e Event) []MenuItem }
	// Zoomer answers the keyboard: Zoom about a point (factor > 1 comes closer), Pan by shares of the visible extent
	// (dx = 0.1 is a tenth to the right), Fit shows everything.
	Zoomer interface {
		Zoom(e Event, factor float64)
		Pan(dx, dy float64)
		Fit()
	}
	// Keyer is offered keys without Ctrl and Alt before the window's commands: those that its Key answers are its own.
	// It hears of a key when its pane is the keyboard's, and of every key while it is Typing. A key that writes comes
	// twice: by its name, r being 0, and then as a character, name being "".
	Keyer interface {
		Typing() bool
		Key(name string, r rune) bool
	}
	// Closer has a list that may be open over its picture. It is closed by Escape, by a press in another pane and by
	// any command of the window; CloseList reports whether it was open.
	Closer interface{ CloseList() bool }
	// Concerner says whether a change of the link changes this content's picture; contents without it are drawn
	// again after every change.
	Concerner interface {
		Concerns(old, now link.State) bool
	}
)

// MenuItem is one line of a context menu. Off greys it out; On puts a mark before what is chosen now, which can be
// pressed all the same. With Items it opens a menu of its own.
type MenuItem struct {
	Title string
	Run   func()
	Off   bool
	On    bool
	Items []MenuItem
}

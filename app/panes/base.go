package panes

import (
	"orrery/app/panes/toolbar"
	"orrery/app/shell"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

// Parts are what a pane does beside what all do. Paint is needed; the others may be nil.
type Parts struct {
	Paint   func(size scene.Size, theme palette.Theme) scene.Drawing // the picture below the chips
	Caption func() string                                            // the picture's state in a few words

	// Chips are the choices, those first that matter most. Controls places those that have room; without it they stand
	// in a row at the upper left.
	Chips    func() []toolbar.Chip
	Controls func(size scene.Size, theme palette.Theme) []toolbar.Placed

	// The pointer beside the chips. Hover gives what is under it to the other panes; Leave forgets it. Drag and Release
	// follow a Press of the primary button only.
	Hover   func(e pane.Event) link.Thing
	Leave   func()
	Press   func(e pane.Event)
	Drag    func(e pane.Event, from scene.Point)
	Release func(e pane.Event)
	Wheel   func(e pane.Event, dx, dy float64)
	Tip     func(e pane.Event) []string
	Menu    func(e pane.Event) []pane.MenuItem // the choices of the chips follow it

	// Commands are those of the pane, for menus and the palette; see Base.Commands for those of its chips.
	Commands func() []shell.Command

	// Keep is what a session says of the pane, and Restore takes it up.
	Keep    func() Said
	Restore func(Said)

	// Concerns tells whether a change of the link changes the picture; nil is always.
	Concerns func(old, now link.State) bool
}

// Base is what all panes have in common. A pane embeds it and fills its Parts; it implements shell.View and the
// optional interfaces of package pane but for Zoomer, DoubleTapper and Keyer, which not every pane has.
type Base struct {
	Parts
	Bar toolbar.Bar

	set   *Set
	id    shell.Slot
	title string
	theme palette.Theme // of the last picture
	held  bool          // the press was the picture's
}

// NewBase is the base of a pane; Descriptors make it.
func NewBase(s *Set, id shell.Slot, title string) Base {
	return Base{set: s, id: id, title: title, theme: palette.Dark()}
}

// ID is the pane's name in menus, commands and sessions.
func (b *Base) ID() shell.Slot { return b.id }

// Title implements shell.View.
func (b *Base) Title() string { return b.title }

// Theme is that of the last picture, for what is asked without an event. Where things lie does not depend on it.
func (b *Base) Theme() palette.Theme { return b.theme }

// Caption implements shell.View.
func (b *Base) Caption() (said string) {
	if b.Parts.Caption != nil {
		b.set.read(b.id, false, func() { said = b.Parts.Caption() })
	}
	return said
}

// Redraw draws the pane again.
func (b *Base) Redraw() { b.set.Redraw(b.id) }

// Show brings the pane to the front.
func (b *Base) Show() { b.set.Show(b.id) }

// Draw implements pane.Content.
func (b *Base) Draw(size scene.Size, theme palette.Theme) (d scene.Drawing) {
	b.theme, b.set.theme = theme, theme
	b.set.read(b.id, true, func() {
		d = b.Paint(size, theme)
		if controls := b.controls(size, theme); len(controls) > 0 {
			b.Bar.Draw(&d, controls, theme)
		}
	})
	return d
}

// controls are the chips where they stand.
func (b *Base) controls(size scene.Size, theme palette.Theme) []toolbar.Placed {
	switch {
	case b.Controls != nil:
		return b.Controls(size, theme)
	case b.Chips != nil:
		return b.Bar.Left(b.Chips(), theme)
	}
	return nil
}

// Moved implements pane.Mover.
func (b *Base) Moved(e pane.Event) {
	inside, changed := b.Bar.Moved(b.controls(e.Size, e.Theme), e.Theme, e)
	if changed {
		b.Redraw()
	}
	var under link.Thing
	switch {
	case inside:
		b.leave()
	case b.Hover != nil:
		under = b.Hover(e)
	}
	b.set.Link.SetHover(under)
}

// Left implements pane.Leaver.
func (b *Base) Left() {
	if b.Bar.Forget() || b.Leave != nil {
		b.Redraw()
	}
	b.leave()
	b.set.Link.SetHover(link.Thing{})
}

func (b *Base) leave() {
	if b.Leave != nil {
		b.Leave()
	}
}

// Panes are the panes of the document.
func (b *Base) Panes() *Set { return b.set }

// Busy tells whether an event is the chips' or that of a list that is open.
func (b *Base) Busy(e pane.Event) bool {
	return b.Bar.Open != "" || toolbar.At(b.controls(e.Size, e.Theme), e.At) != nil
}

// Tip implements pane.Tipper.
func (b *Base) Tip(e pane.Event) []string {
	if b.Parts.Tip == nil || b.Busy(e) {
		return nil
	}
	return b.Parts.Tip(e)
}

// Pressed implements pane.Presser.
func (b *Base) Pressed(e pane.Event) {
	b.held = false
	switch {
	case e.Button != pane.Primary:
	case b.Bar.Press(b.controls(e.Size, e.Theme), e.Theme, e):
		b.Redraw()
	case b.Press != nil:
		b.held = true
		b.Press(e)
	}
}

// Dragged implements pane.Dragger.
func (b *Base) Dragged(e pane.Event, from scene.Point) {
	if b.held && b.Drag != nil {
		b.Drag(e, from)
	}
}

// Released implements pane.Releaser.
func (b *Base) Released(e pane.Event) {
	if b.held && b.Release != nil {
		b.Release(e)
	}
	b.held = false
}

// Scrolled implements pane.Scroller.
func (b *Base) Scrolled(e pane.Event, dx, dy float64) {
	switch {
	case b.Bar.Scrolled(dx + dy):
		b.Redraw()
	case b.Wheel != nil:
		b.Wheel(e, dx, dy)
	}
}

// CloseList implements pane.Closer.
func (b *Base) CloseList() bool { return b.Bar.Close() }

// Menu implements pane.Menuer.
func (b *Base) Menu(e pane.Event) (items []pane.MenuItem) {
	if b.Parts.Menu != nil {
		items = b.Parts.Menu(e)
	}
	if b.Chips != nil {
		items = append(items, toolbar.Menu(b.Chips())...)
	}
	return items
}

// OwnCommands are the pane's own.
func (b *Base) OwnCommands() []shell.Command {
	if b.Parts.Commands == nil {
		return nil
	}
	return b.Parts.Commands()
}

// Session is what a session says of the pane, nil for nothing.
func (b *Base) Session() Said {
	if b.Keep == nil {
		return nil
	}
	return b.Keep()
}

// Resume takes up what Session said.
func (b *Base) Resume(said Said) {
	if b.Restore != nil && said != nil {
		b.Restore(said)
	}
}

// Concerns implements pane.Concerner.
func (b *Base) Concerns(old, now link.State) bool {
	return b.Parts.Concerns == nil || b.Parts.Concerns(old, now)
}

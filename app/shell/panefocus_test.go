package shell

import (
	"testing"

	"orrery/views/link"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// TestKeyboardReachesEverything goes through panes, menus and sheets without a pointer.
func TestKeyboardReachesEverything(t *testing.T) {
	b := openAt(t, fyne.NewSize(1150, 600), files(t, "a.orr")...)
	d := b.front().dock
	shown := map[Slot]bool{}
	for _, g := range d.groups {
		shown[g.front().slot] = true
	}
	for range len(shown) {
		b.key(fyne.KeyF6)
		for s, x := range d.tabs {
			if x.pane == b.stage.Active() {
				delete(shown, s)
				if b.focus.marked != x.pane {
					t.Errorf("%s has the keyboard and no mark", s)
				}
			}
		}
	}
	if len(shown) > 0 {
		t.Errorf("F6 does not lead to %v", shown)
	}
	b.reg.Press("4") // the source pane: its lines select at a press
	b.settle()
	alt := func(k fyne.KeyName) { b.typed(&desktop.CustomShortcut{KeyName: k, Modifier: fyne.KeyModifierAlt}) }
	alt(fyne.KeyDown)
	middle := b.stage.Active().Pointer()
	alt(fyne.KeyUp)
	alt(fyne.KeyUp)
	if at := b.stage.Active().Pointer(); at.At.Y != middle.At.Y-2*steps || b.stage.Tips().Lines() == nil {
		t.Errorf("two steps up led from %v to %v, with the tip %q", middle.At, at.At, b.stage.Tips().Lines())
	}
	b.typed(&desktop.CustomShortcut{KeyName: fyne.KeyReturn, Modifier: fyne.KeyModifierControl})
	if got := b.fake().link.State().Selected; got.What != link.Line {
		t.Errorf("Ctrl+Return selected %+v", got)
	}
	b.reg.Press("Shift+F10") // the fake has no menu of its own: that of the title
	if !b.menu.Visible() || b.menu.name != "pane" {
		t.Fatal("Shift+F10 opens no menu")
	}
	b.key(fyne.KeyDown)
	b.key(fyne.KeyReturn)
	if d.own[Source] == nil || b.menu.Visible() {
		t.Error("the second line of the menu takes the pane into a window of its own")
	}
	b.reg.Press("Ctrl+Shift+W")
	b.settle()
	if d.own[Source] != nil {
		t.Error("Ctrl+Shift+W does not bring it back")
	}
	b.key(fyne.KeyF10)
	names := map[string]bool{}
	for range menus {
		names[b.menu.name] = true
		for range 60 { // never onto a separator, nor onto what cannot be picked
			b.key(fyne.KeyDown)
			if l := b.menu.list; l.rows[l.at] == nil || l.list[l.at].off && len(l.list) > 1 {
				t.Fatalf("Down leads to %+v in %s", l.list[l.at], b.menu.name)
			}
		}
		b.key(fyne.KeyRight)
	}
	if len(names) != len(menus) || b.menu.name != menus[0] {
		t.Errorf("Right leads through %v and ends in %s", names, b.menu.name)
	}
	b.key(fyne.KeyEscape)
	if b.menu.Visible() {
		t.Error("Escape does not close the menu")
	}
	b.key(fyne.KeyF10)
	b.key(fyne.KeyF11)
	if b.menu.Visible() || d.full == "" {
		t.Errorf("a command leaves the menu open, or does not run: the menu %v, maximised %q", b.menu.Visible(), d.full)
	}
	b.key(fyne.KeyF11)
	list := b.fake().views[0].View.(*fakeView)
	list.open = true
	b.key(fyne.KeyEscape)
	if list.open || b.fake().link.State().Selected.What != link.Line {
		t.Error("Escape leaves a list open, or does more")
	}
	list.open = true
	b.reg.Run("play.next")
	if list.open {
		t.Error("a command leaves a list open")
	}
	b.win.Canvas().OnTypedRune()('?')
	b.key(fyne.KeyEnd)
	b.key(fyne.KeyEscape)
	if b.sheet.Visible() || b.win.Canvas().Focused() != nil {
		t.Error("after Escape the keys are not the window's")
	}
	for _, id := range []string{"session.save.as", "bookmark.add", "view.preferences", "picture.save",
		"help.about", "help.log"} {
		b.reg.Run(id)
		if !b.sheet.Visible() {
			t.Fatalf("%s opens no sheet", id)
		}
		for range 12 { // Tab stays in the sheet, and Escape leaves it from everywhere
			b.win.Canvas().FocusNext()
		}
		f := b.win.Canvas().Focused()
		if f == fyne.Focusable(b.search) {
			t.Errorf("%s: Tab leads out of the sheet", id)
		}
		if f != nil {
			f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		} else {
			b.key(fyne.KeyEscape)
		}
		if b.sheet.Visible() || b.win.Canvas().Focused() != nil {
			t.Errorf("%s: after Escape the sheet is visible %v, the keyboard has %T", id, b.sheet.Visible(),
				b.win.Canvas().Focused())
		}
	}
}

// Every example of the first page can be opened without a pointer.
func TestExamplesAreCommands(t *testing.T) {
	b := openSmall(t)
	b.reg.Press("Ctrl+P")
	b.search.SetText("> matrix")
	b.search.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	b.settle()
	if b.front() == nil || b.front().path != "/shipped/matrix.orr" {
		t.Error("the example is not open")
	}
}

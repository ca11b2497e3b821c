package shell

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// Fyne has three ways for a key to arrive: shortcuts (with Ctrl or Alt), typed keys by name and typed runes.
// Letters, digits and named keys are taken by name, since they repeat and carry Shift; punctuation by rune, since its
// place on the keyboard differs between layouts. All of them end in Registry.Press.

// runes are the characters that commands may be bound to.
const runes = "?,.[]+-=/<>"

// bindKeys connects the keys of a window with the registry: the main one's, and those of panes in windows of their own.
func (w *window) bindKeys(c fyne.Canvas) {
	c.SetOnTypedKey(func(ev *fyne.KeyEvent) { w.key(ev.Name) })
	c.SetOnTypedRune(func(r rune) {
		switch {
		case w.covered() || w.offered("", r):
		case strings.ContainsRune(runes, r):
			w.reg.Press(string(r))
		}
	})
	for _, mod := range modified {
		for _, k := range named {
			c.AddShortcut(&desktop.CustomShortcut{KeyName: k, Modifier: mod}, w.typed)
		}
		for _, k := range letters + signs {
			c.AddShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyName(string(k)), Modifier: mod}, w.typed)
		}
	}
	for _, s := range []fyne.Shortcut{&fyne.ShortcutUndo{}, &fyne.ShortcutRedo{},
		&fyne.ShortcutCopy{}, &fyne.ShortcutCut{},
		&fyne.ShortcutPaste{}, &fyne.ShortcutSelectAll{}} {
		c.AddShortcut(s, w.typed)
	}
}

// named are the keys that have a name of several letters, letters those that repeat and carry Shift by name, signs
// those that come by name with Ctrl or Alt alone, and by rune else.
var named = []fyne.KeyName{
	fyne.KeyEscape, fyne.KeyReturn, fyne.KeyEnter, fyne.KeyTab, fyne.KeySpace, fyne.KeyBackspace,
	fyne.KeyInsert, fyne.KeyDelete,
	fyne.KeyLeft, fyne.KeyRight, fyne.KeyUp, fyne.KeyDown, fyne.KeyHome, fyne.KeyEnd, fyne.KeyPageUp, fyne.KeyPageDown,
	fyne.KeyF1, fyne.KeyF2, fyne.KeyF3, fyne.KeyF4, fyne.KeyF5, fyne.KeyF6, fyne.KeyF7, fyne.KeyF8,
	fyne.KeyF9, fyne.KeyF10,
	fyne.KeyF11, fyne.KeyF12, desktop.KeyMenu, desktop.KeyPrintScreen,
}

const (
	letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	signs   = "',-./\\[];=*+`"
)

// modified are the modifiers with which a key is a shortcut of Fyne's; Shift alone is not.
var modified = []fyne.KeyModifier{
	fyne.KeyModifierControl, fyne.KeyModifierControl | fyne.KeyModifierShift,
	fyne.KeyModifierAlt, fyne.KeyModifierAlt | fyne.KeyModifierShift,
	fyne.KeyModifierControl | fyne.KeyModifierAlt, fyne.KeyModifierControl | fyne.KeyModifierAlt | fyne.KeyModifierShift,
}

// taken are keys that Fyne does not report to the window, or reports as another: Tab goes from field to field, and
// the old keys of the clipboard are Ctrl+C, Ctrl+X and Ctrl+V.
var taken = []string{"TAB", "Shift+TAB", "Ctrl+INSERT", "Shift+INSERT", "Shift+DELETE"}

// pressable reports whether a key, as Key gives it, can come from a window; a command on any other could never run by
// it.
func pressable(key string) bool {
	name := key
	for _, m := range []string{"Ctrl+", "Alt+", "Shift+"} {
		name = strings.TrimPrefix(name, m)
	}
	byName := slices.ContainsFunc(named, func(k fyne.KeyName) bool { return Key(string(k)) == name })
	byLetter := len(name) == 1 && strings.Contains(letters, name)
	switch mods := strings.TrimSuffix(key, name); {
	case slices.Contains(taken, key):
		return false
	case byName || byLetter:
		return true
	case mods == "":
		return len(name) == 1 && strings.Contains(runes, name)
	default: // with Shift a sign is another sign, which comes by rune
		return len(name) == 1 && strings.Contains(signs, name) && mods != "Shift+"
	}
}

// typed runs the command of a shortcut, unless a dialog is open.
func (w *window) typed(s fyne.Shortcut) {
	if w.covered() {
		return
	}
	switch s := s.(type) {
	case *fyne.ShortcutUndo:
		w.reg.Press("Ctrl+Z")
	case *fyne.ShortcutRedo:
		w.reg.Press("Ctrl+Y")
	case *fyne.ShortcutCopy:
		w.reg.Press("Ctrl+C")
	case *fyne.ShortcutCut:
		w.reg.Press("Ctrl+X")
	case *fyne.ShortcutPaste:
		w.reg.Press("Ctrl+V")
	case *fyne.ShortcutSelectAll:
		w.reg.Press("Ctrl+A")
	case *desktop.CustomShortcut:
		w.shortcut(s)
	}
}

// shortcut runs the command of a key with modifiers and reports whether there was one.
func (w *window) shortcut(s *desktop.CustomShortcut) bool { return w.reg.Press(shortcutName(s)) }

// shortcutName is a key with its modifiers as the registry names it: "Ctrl+Shift+Z".
func shortcutName(s *desktop.CustomShortcut) string {
	name := string(s.KeyName)
	for _, m := range []struct {
		mod  fyne.KeyModifier
		name string
	}{{fyne.KeyModifierShift, "Shift+"}, {fyne.KeyModifierAlt, "Alt+"}, {fyne.KeyModifierControl, "Ctrl+"}} {
		if s.Modifier&m.mod != 0 {
			name = m.name + name
		}
	}
	return name
}

// covered reports whether a menu of Fyne's lies over a window: then the keys are not ours.
func (w *window) covered() bool { return w.overlay() != nil }

// overlay is what lies over a window: Fyne's context menus and lists; nil for nothing.
func (w *window) overlay() fyne.CanvasObject {
	for _, c := range w.canvases() {
		if top := c.Overlays().Top(); top != nil {
			return top
		}
	}
	return nil
}

// canvases are the main window's, and those of the panes in windows of their own.
func (w *window) canvases() []fyne.Canvas {
	list := []fyne.Canvas{w.win.Canvas()}
	for _, d := range w.docs {
		for _, o := range d.dock.own {
			list = append(list, o.win.Canvas())
		}
	}
	return list
}

// key runs the command of a typed key.
func (w *window) key(name fyne.KeyName) {
	if w.covered() {
		if name == fyne.KeyEscape {
			w.uncover()
		}
		return
	}
	if w.menu.Visible() && w.menu.key(w, name) {
		return
	}
	if w.front() == nil && w.welcome != nil && !w.sheet.Visible() && w.welcome.key(name) {
		return
	}
	if w.offered(string(name), 0) || strings.Contains(runes, string(name)) {
		return // in the latter case it comes again as a rune
	}
	if w.sheet.Visible() && name != fyne.KeyEscape {
		w.sheet.scroll(name)
		return
	}
	key := string(name)
	if d, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok && d.CurrentKeyModifiers()&fyne.KeyModifierShift != 0 {
		key = "Shift+" + key
	}
	w.reg.Press(key)
}

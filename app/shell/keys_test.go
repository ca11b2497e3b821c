package shell

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// TestAcceptedKeysRunTheirCommands binds a command to each key that the registry accepts, with each modifier that makes
// a shortcut of it, and has Fyne tell the window of that key.
func TestAcceptedKeysRunTheirCommands(t *testing.T) {
	b := openSmall(t, "/recordings/bubble.orr")
	c := b.win.Canvas().(fyne.Shortcutable)
	var keys []fyne.KeyName
	keys = append(keys, named...)
	for _, k := range letters + signs {
		keys = append(keys, fyne.KeyName(string(k)))
	}
	for _, k := range keys {
		for _, mod := range append([]fyne.KeyModifier{0}, modified...) {
			s := &desktop.CustomShortcut{KeyName: k, Modifier: mod}
			name := shortcutName(s)
			if mod == 0 && (k == fyne.KeyTab || len(k) == 1 && k >= "!" && k <= "/" || len(k) == 1 && k > "9" && k < "A" ||
				k > "Z" && len(k) == 1) {
				continue // Fyne's own, and what comes by rune
			}
			ran := 0
			b.reg.Remove("test")
			if id := b.reg.keys[Key(name)]; id != "" {
				b.reg.Remove(id)
			}
			err := b.reg.Add(Command{ID: "test", Title: "Test", Keys: name, Run: func() { ran++ }})
			switch {
			case name == "Ctrl+Insert":
				if err == nil {
					t.Error("Ctrl+Insert is accepted, which Fyne gives as Ctrl+C")
				}
				continue
			case err != nil:
				t.Errorf("%s: %v", name, err)
				continue
			case mod == 0:
				b.key(k)
			default:
				c.TypedShortcut(fynes(s))
			}
			if ran != 1 {
				t.Errorf("%s ran its command %d times, want once", name, ran)
			}
		}
	}
}

// fynes is what Fyne's driver makes of a few shortcuts.
func fynes(s *desktop.CustomShortcut) fyne.Shortcut {
	if s.Modifier == fyne.KeyModifierControl {
		switch s.KeyName {
		case fyne.KeyZ:
			return &fyne.ShortcutUndo{}
		case fyne.KeyY:
			return &fyne.ShortcutRedo{}
		case fyne.KeyC:
			return &fyne.ShortcutCopy{}
		case fyne.KeyX:
			return &fyne.ShortcutCut{}
		case fyne.KeyV:
			return &fyne.ShortcutPaste{}
		case fyne.KeyA:
			return &fyne.ShortcutSelectAll{}
		}
	}
	return s
}

// TestKeysThatCannotBePressedAreRefused has keys that a command would wait for in vain.
func TestKeysThatCannotBePressedAreRefused(t *testing.T) {
	for _, c := range []struct {
		key  string
		want bool
	}{
		{"Ctrl+F5", true}, {"Alt+PageDown", true}, {"Ctrl+Alt+Delete", true}, {"Shift+F6", true},
		{"Ctrl+V", true}, {"?", true},
		{"Enter", false}, {"Ctrl+F13", false}, {"Tab", false}, {"Shift+Insert", false},
		{"Ctrl+Insert", false}, {"Ctrl+?", false},
		{"Shift+,", false}, {"Super+A", false}, {"Ctrl+ä", false}, {"!", false},
	} {
		err := NewRegistry(nil).Add(Command{ID: "test", Keys: c.key, Run: func() {}})
		if got := err == nil; got != c.want {
			t.Errorf("%s is accepted: %t, want %t (%v)", c.key, got, c.want, err)
		}
	}
}

package shell

import (
	"path/filepath"
	"strings"

	"orrery/app/form"
	"orrery/views/pane"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// dialogs asks the user for a file, a folder or a line of text.
type dialogs struct{ w *window }

// saveFile asks where to write a file, beside the last one that was opened or where else the user says. It does so in
// a sheet of our own: Fyne's dialog would empty a file that is there before anything can be written into it.
func (q *dialogs) saveFile(name string, then func(path string)) {
	if folder := q.w.app.Preferences().String(prefFolder); folder != "" {
		name = filepath.Join(folder, name)
	}
	title := "Save"
	if kind := strings.TrimPrefix(filepath.Ext(name), "."); kind != "" {
		title += " as " + strings.ToUpper(kind)
	}
	q.line(line{title: title, field: "file", text: name, verb: "Save", width: 620,
		said: "A file of this name is replaced."}, func(path string) {
		if abs, err := filepath.Abs(path); err == nil {
			path = abs
		}
		then(path)
	})
}

// line is a sheet that asks for one line of text.
type line struct {
	title, field, text string
	said               string // what it is for
	verb               string // of the button: "Save"
	width              float32
}

// line opens such a sheet; use gets what is written when that is not empty.
func (q *dialogs) line(l line, use func(text string)) {
	var entry *form.Entry
	done := func() {
		if text := strings.TrimSpace(entry.Text); text != "" {
			q.w.sheet.dismiss()
			use(text)
		}
	}
	entry = form.NewEntry(l.text, func(string) {}, done, q.w.sheet.dismiss)
	grid := form.NewGrid()
	grid.Line(l.field, entry, l.width-160, "", q.w.look.Dim)
	button := form.NewAction(l.verb, done, q.w.sheet.dismiss)
	button.Importance = widget.HighImportance
	bottom := container.NewBorder(nil, nil, nil,
		container.NewHBox(form.NewAction("Cancel", q.w.sheet.dismiss, q.w.sheet.dismiss), button), form.Said(l.said))
	q.w.sheet.ask(l.title, container.NewBorder(nil, bottom, nil, nil, grid.Box), fyne.NewSize(l.width, 190))
	q.w.win.Canvas().Focus(entry)
	entry.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// show brings a pane of the document in front to the front of its tabs and gives it the keyboard.
func (w *window) show(s Slot) {
	d := w.front()
	if d == nil || d.dock.tabs[s] == nil || w.stage.Active() == d.dock.tabs[s].pane {
		return
	}
	d.dock.bring(s)
}

// offered gives a key, or a character, to the picture that is being typed into, else to the one that has the keyboard,
// and reports whether it took it.
func (w *window) offered(key string, r rune) bool {
	d := w.front()
	if d == nil || w.sheet.Visible() || w.menu.Visible() {
		return false
	}
	if key == string(fyne.KeyEscape) && w.stage.CloseLists(nil) {
		return true
	}
	for _, t := range d.dock.tabs {
		if k, ok := t.view.(pane.Keyer); ok && t.pane.Visible() && (k.Typing() || w.stage.Active() == t.pane) &&
			k.Key(key, r) {
			return true
		}
	}
	return false
}

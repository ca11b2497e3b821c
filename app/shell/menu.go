package shell

import (
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// menus are the words of the menu bar.
var menus = []string{"File", "Edit", "View", "Play", "Record", "Analyse", "Help"}

// menu is the layer that an open menu lies in: it covers the window, so that a press anywhere else closes the menu and
// does nothing more. It takes no keyboard focus, so the window's keys go on working.
type menu struct {
	widget.BaseWidget
	ui    *window
	name  string // of the open menu
	list  *choices
	at    fyne.Position
	width float32
}

func newMenu(ui *window) *menu {
	m := &menu{ui: ui, list: newChoices(ui)}
	m.ExtendBaseWidget(m)
	m.Hide()
	return m
}

// drop opens a menu below an object of the chrome.
func (m *menu) drop(name string, list []choice, below fyne.CanvasObject) {
	m.dropAt(name, list, fyne.CurrentApp().Driver().AbsolutePositionForObject(below).AddXY(0, below.Size().Height+2))
}

// dropAt opens a menu at a point of the window.
func (m *menu) dropAt(name string, list []choice, at fyne.Position) {
	m.name, m.at = name, at
	m.list.fill(list)
	m.width = m.list.natural()
	m.ui.stage.Tips().Clear()
	m.Show()
	m.list.Show()
	m.Refresh()
	m.ui.repaint()
	m.ui.log.write("menu", "name", name)
}

// dismiss closes the menu and reports whether one was open.
func (m *menu) dismiss() bool {
	if !m.Visible() {
		return false
	}
	m.name = ""
	m.Hide()
	m.ui.repaint()
	return true
}

func (m *menu) MouseDown(*desktop.MouseEvent) { m.dismiss() }
func (m *menu) MouseUp(*desktop.MouseEvent)   {}
func (m *menu) Scrolled(*fyne.ScrollEvent)    {}
func (m *menu) MinSize() fyne.Size            { return fyne.NewSize(0, 0) }

func (m *menu) CreateRenderer() fyne.WidgetRenderer { return renderer{m} }

// layOut keeps the menu inside the window, upward if there is no room below.
func (m *menu) layOut(s fyne.Size) {
	h := m.list.MinSize().Height
	x, y := min(m.at.X, s.Width-m.width-6), m.at.Y
	if y+h > s.Height-6 {
		y = max(6, s.Height-6-h)
	}
	m.list.Move(fyne.NewPos(max(6, x), y))
	m.list.Resize(fyne.NewSize(m.width, h))
}

func (m *menu) update()                    { m.layOut(m.Size()); m.list.Refresh() }
func (m *menu) parts() []fyne.CanvasObject { return []fyne.CanvasObject{m.list} }

// openMenu opens the menu with this name below its word.
func (w *window) openMenu(name string, below fyne.CanvasObject) {
	var list, last []choice
	for _, c := range w.reg.All() {
		if c.Menu != name {
			continue
		}
		keys := ""
		if f := strings.Fields(c.Keys); len(f) > 0 {
			keys = f[0]
		}
		line := choice{label: c.label(), detail: keys, off: !c.On(), run: func() { w.reg.Run(c.ID) }}
		if c.ID == "file.quit" { // it stands at the end, where everybody looks for it, below what the document has to offer
			last = append(w.recentChoices(), line)
			continue
		}
		list = append(list, line)
	}
	list = append(list, last...)
	if marks := w.bookmarks.choices(""); name == "Edit" && len(marks) > 0 {
		list = append(append(list, choice{}), marks[:min(len(marks), shownMarks)]...)
	}
	if len(list) == 0 {
		list = []choice{{label: "Open a recording first", off: true}}
	}
	w.menu.drop(name, list, below)
}

// shownMarks bounds the bookmarks in the menu; search finds the others.
const shownMarks = 12

// recentChoices are the recent files between two separators.
func (w *window) recentChoices() []choice {
	list := []choice{{}}
	for _, path := range w.app.Preferences().StringList(prefRecent) {
		if len(list) > 6 {
			break
		}
		list = append(list, choice{label: filepath.Base(path), detail: "recent", run: func() { w.open(path) }})
	}
	if len(list) == 1 {
		return list
	}
	return append(list, choice{})
}

// documentMenu lists the open documents.
func (w *window) documentMenu(below fyne.CanvasObject) {
	var list []choice
	for i, d := range w.docs {
		mark := ""
		if i == w.at {
			mark = "shown"
		}
		list = append(list, choice{label: d.doc.Name(), detail: mark, run: func() { w.bringFront(i) }})
	}
	if len(list) > 0 {
		list = append(list, choice{})
	}
	list = append(list, choice{label: "Open another…", detail: "Ctrl+O", run: func() { w.reg.Run("file.open") }})
	w.menu.drop("documents", list, below)
}

// speedMenu lets the user choose a speed by its meaning.
func (w *window) speedMenu() {
	d := w.front()
	if d == nil {
		return
	}
	var list []choice
	for s := range speeds {
		list = append(list, choice{label: speedName(s), detail: d.player.pace(s), lit: s == d.player.speed,
			run: func() { w.playback.changeSpeed(s) }})
	}
	w.menu.drop("speed", list, d.transport.speed)
}

// tabMenu is the context menu of a pane's title.
func (w *window) tabMenu(d *dock, s Slot, at fyne.Position) {
	w.stage.Activate(d.tabs[s].pane)
	full := choice{label: "Maximise", detail: "F11", run: func() { d.maximise(s) }}
	if d.full != "" {
		full.label = "Restore all panes"
	}
	list := []choice{full, {label: "Into a window of its own", detail: "Ctrl+Shift+W", run: func() { d.toggleOwn(s) }}, {}}
	for _, g := range d.groups {
		if slices.ContainsFunc(g.tabs, func(t *tab) bool { return t.slot == s }) {
			list = append(list, g.otherTabs(s)...)
		}
	}
	w.menu.dropAt("pane", append(list, choice{label: "Standard arrangement", run: d.reset}), at)
}

// repaint asks for a frame though nothing that was shown has changed: Fyne does not know on which window an
// object lies that has never been painted, so showing one for the first time would wait for the next change.
func (w *window) repaint() { w.win.Canvas().Refresh(w.back) }

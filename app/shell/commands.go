package shell

import (
	"fmt"

	"orrery/views/link"
	"orrery/views/pane"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// commands are the shell's own; documents add theirs.
func (w *window) commands() []Command {
	some := func() bool { return w.front() != nil }
	list := []Command{
		{ID: "file.open", Also: "load import", Title: "Open a recording or a session…", Menu: "File",
			Keys: "Ctrl+O", Run: w.dialogs.open},
		{ID: "file.welcome", Title: "Welcome page", Menu: "File", Run: func() { w.bringFront(-1) }},
		{ID: "file.again", Also: "reload refresh", Title: "Open the file again", Menu: "File", Keys: "Ctrl+Shift+O",
			Run: w.reopen, Enabled: some},
		{ID: "file.next", Title: "Next open recording", Menu: "File", Keys: "Ctrl+Tab", Run: w.nextDocument, Enabled: some},
		{ID: "file.close", Title: "Close the recording", Menu: "File", Keys: "Ctrl+W", Run: w.closeFront, Enabled: some},
		{ID: "compare.file", Title: "Compare with…", Menu: "File", Keys: "Ctrl+D", Run: w.comparison.ask, Enabled: some},
		{ID: "compare.next", Title: "Compare with the next open recording", Menu: "File", Keys: "Ctrl+Shift+D",
			Run: w.comparison.next, Enabled: func() bool { return len(w.docs) > 1 && some() }},
		{ID: "session.save", Also: "workspace project", Title: "Save the session", Menu: "File", Keys: "Ctrl+S",
			Run: w.sessions.save, Enabled: some},
		{ID: "session.save.as", Title: "Save the session as…", Menu: "File", Keys: "Ctrl+Shift+S",
			Run: w.sessions.saveAs, Enabled: some},
		{ID: "session.missing", Title: "Find what the session misses…", Menu: "File", Run: w.sessions.findMissing,
			Enabled: func() bool { return len(w.sessions.missing) > 0 }},
		{ID: "picture.save", Also: "export image png svg pdf", Title: "Save the picture…", Menu: "File", Keys: "Ctrl+E",
			Run: w.pictures.save, Enabled: some},
		{ID: "picture.copy", Also: "clipboard screenshot", Title: "Copy the picture", Menu: "File", Keys: "Ctrl+Shift+C",
			Run: w.pictures.copy, Enabled: some},
		{ID: "file.quit", Also: "exit leave", Title: "Quit", Menu: "File", Keys: "Ctrl+Q", Run: w.quit},

		{ID: "edit.undo", Title: "Undo the last choice", Menu: "Edit", Keys: "Ctrl+Z",
			Enabled: w.steps((*link.Link).Undoable), Now: func() string { return w.stepTitle("Undo", (*link.Link).Undoable) },
			Run: func() { w.front().doc.Link().Undo() }},
		{ID: "edit.redo", Title: "Redo", Menu: "Edit", Keys: "Ctrl+Shift+Z Ctrl+Y", Enabled: w.steps((*link.Link).Redoable),
			Now: func() string { return w.stepTitle("Redo", (*link.Link).Redoable) }, Run: func() {
				w.front().doc.Link().Redo()
			}},
		{ID: escape, Title: "Cancel, restore, clear", Menu: "Edit", Keys: "Escape", Run: w.escape},
		{ID: "search.find", Title: "Find address or symbol…", Menu: "Edit", Keys: "Ctrl+F /", Run: func() {
			w.search.begin("")
		}},
		{ID: "search.command", Title: "Command palette…", Menu: "Edit", Keys: "Ctrl+P", Run: func() { w.search.begin("> ") }},

		{ID: "bookmark.add", Also: "bookmark", Title: "Keep this place…", Menu: "Edit", Keys: "Ctrl+B",
			Run: w.bookmarks.add, Enabled: some},
		{ID: "bookmark.remove", Also: "bookmark delete", Title: "Forget a kept place…", Menu: "Edit",
			Run: w.bookmarks.forgetMenu, Enabled: func() bool { return some() && len(w.front().bookmarks) > 0 }},

		{ID: "menu.bar", Title: "Menus", Menu: "Help", Keys: "F10", Run: func() {
			w.openMenu(menus[0], w.head.words[0])
			w.menu.list.choose(1)
		}},
		{ID: "pane.next", Title: "Next pane", Menu: "View", Keys: "F6", Enabled: some, Run: func() { w.focus.next(1) }},
		{ID: "pane.previous", Title: "Pane before", Menu: "View", Keys: "Shift+F6", Enabled: some, Run: func() {
			w.focus.next(-1)
		}},
		{ID: "pane.menu", Title: "Context menu of the pane", Menu: "View", Keys: "Shift+F10 Menu",
			Enabled: some, Run: w.focus.menu},
		{ID: "pane.title", Title: "Menu of the pane's title", Menu: "View", Keys: "Alt+Return",
			Enabled: some, Run: w.focus.titleMenu},
		{ID: "pointer.left", Title: "Pointer to the left", Keys: "Alt+Left", Enabled: some,
			Run: func() { w.focus.steer(-1, 0) }},
		{ID: "pointer.right", Title: "Pointer to the right", Keys: "Alt+Right", Enabled: some,
			Run: func() { w.focus.steer(1, 0) }},
		{ID: "pointer.up", Title: "Pointer up", Keys: "Alt+Up", Enabled: some, Run: func() { w.focus.steer(0, -1) }},
		{ID: "pointer.down", Title: "Pointer down", Keys: "Alt+Down", Enabled: some, Run: func() { w.focus.steer(0, 1) }},
		{ID: "pointer.press", Title: "Press at the pointer", Keys: "Ctrl+Return", Enabled: some, Run: w.focus.press},

		{ID: "view.zoom.in", Enabled: w.zoomable, Title: "Zoom in", Menu: "View", Keys: "W",
			Run: w.zooming(func(z pane.Zoomer, e pane.Event) { z.Zoom(e, 1.25) })},
		{ID: "view.zoom.out", Enabled: w.zoomable, Title: "Zoom out", Menu: "View", Keys: "S",
			Run: w.zooming(func(z pane.Zoomer, e pane.Event) { z.Zoom(e, 1/1.25) })},
		{ID: "view.pan.left", Enabled: w.zoomable, Title: "Pan to the left", Menu: "View", Keys: "A",
			Run: w.zooming(func(z pane.Zoomer, _ pane.Event) { z.Pan(-0.15, 0) })},
		{ID: "view.pan.right", Enabled: w.zoomable, Title: "Pan to the right", Menu: "View", Keys: "D",
			Run: w.zooming(func(z pane.Zoomer, _ pane.Event) { z.Pan(0.15, 0) })},
		{ID: "view.fit", Enabled: w.zoomable, Title: "Fit everything", Menu: "View", Keys: "0",
			Run: w.zooming(func(z pane.Zoomer, _ pane.Event) { z.Fit() })},
		{ID: "view.maximise", Also: "full screen", Title: "Maximise or restore the pane", Menu: "View", Keys: "F11",
			Enabled: some, Run: w.maximiseActive},
		{ID: "view.own", Also: "detach undock", Title: "Pane into a window of its own, or back", Menu: "View",
			Keys: "Ctrl+Shift+W", Enabled: some, Run: w.ownActive},
		{ID: "view.own.back", Title: "All panes back into this window", Menu: "View",
			Enabled: func() bool { return some() && len(w.front().dock.own) > 0 }, Run: w.allBack},
		{ID: "view.left", Title: "Fold the left side", Menu: "View", Keys: "Ctrl+Left", Enabled: some, Run: func() {
			w.front().dock.toggle("left")
		}},
		{ID: "view.right", Title: "Fold the right side", Menu: "View", Keys: "Ctrl+Right", Enabled: some, Run: func() {
			w.front().dock.toggle("right")
		}},
		{ID: "view.reset", Title: "Standard arrangement", Menu: "View", Enabled: some, Run: func() {
			w.front().dock.reset()
		}},
		{ID: "view.theme", Also: "dark mode colours", Title: "Light or dark", Menu: "View", Keys: "L",
			Run: w.appearance.toggleTheme},
		{ID: "view.system", Title: "Light or dark as the desktop", Menu: "View",
			Run: func() { w.appearance.setTheme("system") }},

		{ID: "view.preferences", Also: "settings options scale contrast palette colours blind", Title: "Preferences…",
			Menu: "View", Keys: "Ctrl+,", Run: w.appearance.show},

		{ID: "play.toggle", Title: "Play or pause", Menu: "Play", Keys: "Space", Enabled: some, Run: w.playback.toggle},
		{ID: "play.next", Title: "One on", Menu: "Play", Keys: ". Right", Enabled: some, Run: func() { w.playback.step(1) }},
		{ID: "play.previous", Title: "One back", Menu: "Play", Keys: ", Left", Enabled: some,
			Run: func() { w.playback.step(-1) }},
		{ID: "play.next.many", Title: "A hundred on", Menu: "Play", Keys: "Shift+Right", Enabled: some, Run: func() {
			w.playback.step(100)
		}},
		{ID: "play.previous.many", Title: "A hundred back", Menu: "Play", Keys: "Shift+Left", Enabled: some, Run: func() {
			w.playback.step(-100)
		}},
		{ID: "play.start", Title: "To the beginning", Menu: "Play", Keys: "Home", Enabled: some, Run: func() {
			w.playback.step(-1 << 62)
		}},
		{ID: "play.end", Title: "To the end", Menu: "Play", Keys: "End", Enabled: some,
			Run: func() { w.playback.step(1<<62 - 1) }},
		{ID: "play.faster", Title: "Faster", Menu: "Play", Keys: "+ =", Enabled: some, Run: func() {
			w.playback.changeSpeed(w.front().player.speed + 1)
		}},
		{ID: "play.slower", Title: "Slower", Menu: "Play", Keys: "-", Enabled: some, Run: func() {
			w.playback.changeSpeed(w.front().player.speed - 1)
		}},

		{ID: "jobs.cancel", Title: "Cancel the work", Enabled: func() bool { return len(w.engine.Running()) > 0 },
			Run: w.cancelWork},
		{ID: "help.keys", Also: "shortcuts keyboard", Title: "Keys", Menu: "Help", Keys: "? F1", Run: w.toggleHelp},
		{ID: "help.log", Also: "errors messages", Title: "Log of errors and notices", Menu: "Help", Run: w.showLog},
		{ID: "help.about", Title: "About Orrery", Menu: "Help", Run: w.showAbout},
	}
	for i, e := range w.opt.Examples {
		list = append(list, Command{ID: fmt.Sprintf("example.%d", i), Title: "Open the example " + e.Name, Run: func() {
			w.open(e.Path)
		}})
	}
	return list
}

// commandsOf are the commands of a document: those that show its panes, and its own.
func (w *window) commandsOf(d *opened) []Command {
	return append(w.showCommands(d.dock.placed), d.doc.Commands()...)
}

// showCommands bring the panes of a document to the front; those with a name or keys of their own are in a menu.
func (w *window) showCommands(list []Placed) (out []Command) {
	for _, p := range list {
		c := Command{ID: "view.show." + string(p.Slot), Title: p.Show, Keys: p.Keys,
			Run: func() { w.front().dock.bring(p.Slot) }}
		if p.Show != "" || p.Keys != "" {
			c.Menu = "View"
		}
		if p.Show == "" {
			c.Title = "Show the " + string(p.Slot) + " pane"
		}
		out = append(out, c)
	}
	return out
}

// stepTitle is the title of Undo or Redo with the step that it would make: "Undo: colours".
func (w *window) stepTitle(verb string, step func(*link.Link) string) string {
	if d := w.front(); d != nil {
		if name := step(d.doc.Link()); name != "" {
			return verb + ": " + name
		}
	}
	return verb + " the last choice"
}

// steps makes a function that reports whether there is a step to undo or to repeat.
func (w *window) steps(step func(*link.Link) string) func() bool {
	return func() bool { d := w.front(); return d != nil && step(d.doc.Link()) != "" }
}

// zoomable reports whether the keyboard's pane can zoom.
func (w *window) zoomable() bool {
	p := w.stage.Active()
	if p == nil {
		return false
	}
	_, ok := p.Content().(pane.Zoomer)
	return ok
}

// zooming makes a command for the keyboard's pane; it is enabled by zoomable.
func (w *window) zooming(f func(pane.Zoomer, pane.Event)) func() {
	return func() {
		p := w.stage.Active()
		f(p.Content().(pane.Zoomer), p.Pointer())
	}
}

// escape is the command that takes something back.
const escape = "edit.escape"

// escape takes back the outermost thing that is in the way: a sheet, what the document has open, running jobs, the
// maximised pane, the selection.
func (w *window) escape() {
	d := w.front()
	switch {
	case w.menu.dismiss():
	case w.sheet.Visible():
		w.sheet.dismiss()
	case w.stage.CloseLists(nil):
	case d != nil && escaped(d.doc):
	case len(w.engine.Running()) > 0:
		w.cancelWork()
	case d == nil:
	case d.player.playing:
		w.playback.toggle()
	case d.dock.full != "":
		d.dock.maximise("")
	case w.banner.Visible():
		w.banner.Hide()
		w.relayout()
	default:
		d.doc.Link().Clear()
	}
}

// escaped reports whether the document had something open, which is closed now.
func escaped(doc Document) bool {
	e, ok := doc.(Escaper)
	return ok && e.Escape()
}

// cancelWork drops all jobs and lets the documents say so.
func (w *window) cancelWork() {
	w.engine.CancelAll()
	for _, d := range w.docs {
		if s, ok := d.doc.(Stopper); ok {
			s.Stopped()
		}
	}
}

func (w *window) maximiseActive() {
	d := w.front()
	if d.dock.full != "" {
		d.dock.maximise("")
		return
	}
	for s, t := range d.dock.tabs {
		if t.pane == w.stage.Active() {
			d.dock.maximise(s)
		}
	}
}

func (w *window) toggleHelp() {
	if w.sheet.Visible() {
		w.sheet.dismiss()
		return
	}
	w.showHelp()
}

func (w *window) showAbout() {
	text := "See how a program moves through memory: the cycles in its references, the caches at work, the heap over " +
		"time and the lines behind them, linked.\n\n" +
		"Version " + w.opt.Version + ". MIT licence. Typefaces: Inter and JetBrains Mono, SIL Open Font License 1.1."
	l := widget.NewLabel(text)
	l.Wrapping = fyne.TextWrapWord
	w.sheet.present("About Orrery", l, fyne.NewSize(480, 230))
}

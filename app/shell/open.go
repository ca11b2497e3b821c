package shell

import (
	"context"
	"errors"
	"fmt"
	"image/color"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"orrery/app/jobs"
	"orrery/app/output"
	"orrery/app/shell/saved"
	"orrery/views/link"
	"orrery/views/pane"
	"orrery/views/scene"

	"fyne.io/fyne/v2"
)

// opened is one document with its place in the window.
type opened struct {
	path        string
	print       string // of the file's contents when it was opened
	rank        int    // its place in the session that brought it, -1 without
	doc         Document
	dock        *dock
	player      *player
	transport   *transport
	position    *label
	commands    []string // IDs of the document's own
	unlink      func()
	undrawn     map[Slot]bool // visible panes that have not been drawn yet
	asked       time.Time
	bookmarks   []saved.Bookmark
	pending     *saved.Place // where a session wants it, beyond what has been read so far
	typed       *pane.Pane   // the keyboard's, when it comes to the front again
	openedState fileState    // of the file when it was opened
	growing     bool         // the file was being written when it was looked at last
}

// ready is what opening a file gives: a document, or a session.
type ready struct {
	doc         Document
	session     *saved.Session
	print       string
	openedState fileState
	gone        bool // that a session wants
}

// open starts to open a file; what is open stays open.
func (w *window) open(path string) { w.openFrom(path, false) }

// openFrom is open for a path that may lead to a pipe, which only somebody who writes into it can mean. Files are
// looked at and read by the job alone: any of them may lie on a server that does not answer.
func (w *window) openFrom(path string, pipe bool) {
	path = w.place(path)
	if i := w.indexOf(path); i >= 0 {
		w.bringFront(i)
		return
	}
	asked := time.Now()
	key := "open:" + path
	w.log.write("opening", "path", path)
	wanted := w.sessions.wanted[path] != nil
	work := func(ctx context.Context, report func(done, total int64)) (ready, error) {
		host := w.host()
		host.Report = report
		host.Seen = func(s Slot) bool { return w.seen(path, s) }
		host.Recall, host.Remember = keptOf(w.app.Preferences(), path)
		if _, named := w.named(path); !named {
			gone, err := readable(path, pipe)
			switch {
			case err != nil:
				return ready{}, err
			case gone && wanted:
				return ready{gone: true}, nil
			case saved.IsFile(path):
				s, err := saved.Read(path)
				return ready{session: s}, err
			}
		}
		openedState := fileStateOf(path)
		doc, err := w.opt.Open(ctx, path, host)
		if err == nil && ctx.Err() != nil { // nobody wants it any more
			w.later(func() { doc.Close() })
			return ready{}, ctx.Err()
		}
		return ready{doc: doc, print: saved.PrintOf(path), openedState: openedState}, err
	}
	jobs.StartNow(w.engine, key, "opening "+filepath.Base(path), work, func(r ready, err error) {
		switch {
		case err != nil:
			w.failed(path, err)
		case r.gone:
			w.sessions.miss(path)
		case r.session != nil:
			w.sessions.open(path, r.session)
		default:
			w.add(path, r, asked)
		}
	})
	w.engine.Unit(key, "bytes")
}

// readable refuses what could block for ever when it is opened. gone says that there is no such file, which is no error
// here: the opener reports it.
func readable(path string, pipe bool) (gone bool, err error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return errors.Is(err, fs.ErrNotExist), nil
	case info.IsDir() || info.Mode().IsRegular() || pipe && info.Mode()&fs.ModeNamedPipe != 0:
		return false, nil
	case info.Mode()&fs.ModeNamedPipe != 0:
		return false,
			fmt.Errorf("%s is a named pipe, and nobody may be writing into it; start `orrery %s` if somebody is, or "+
				"choose a file", path, path)
	}
	return false, fmt.Errorf("%s is %s; choose a file", path, kind(info))
}

// place is the one path by which a document is known: absolute, or the name of what is no file.
func (w *window) place(path string) string {
	if name, ok := w.named(path); ok {
		return name
	}
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// named reports whether a path means a document that is no file, and by which name it is known.
func (w *window) named(path string) (name string, ok bool) {
	if w.opt.Named == nil {
		return path, false
	}
	return w.opt.Named(path)
}

// host is what the window offers.
func (w *window) host() Host {
	return Host{Engine: w.engine, Log: w.log.write, Notice: func(s string) { w.later(func() { w.notify(s, false) }) },
		Failure: func(s string) { w.later(func() { w.notify(s, true) }) },
		Find:    w.search.begin, Present: w.sheet.present, Dismiss: w.sheet.dismiss, Focus: w.win.Canvas().Focus,
		SaveFile: w.dialogs.saveFile, Write: w.write, OpenFile: w.dialogs.readFile, OpenFolder: w.dialogs.readFolder,
		Show: w.show, Open: func(path string) { w.later(func() { w.open(path) }) }, Ink: func() color.Color {
			return w.look.Dim
		}}
}

// seen reports whether a picture of a document is to be seen.
func (w *window) seen(path string, s Slot) bool {
	return slices.ContainsFunc(w.docs, func(d *opened) bool {
		return d.path == path && d.dock.tabs[s] != nil && d.dock.tabs[s].pane.Visible()
	})
}

// failed shows why a file did not open. A defect of ours leaves its stack in the event log.
func (w *window) failed(path string, err error) {
	w.log.write("open-failed", "path", path, "error", err.Error())
	if want := w.sessions.wanted[path]; want != nil { // the session keeps it
		delete(w.sessions.wanted, path)
		w.sessions.missing = append(w.sessions.missing, want.Document)
	}
	if w.comparison.path == path {
		w.comparison.path = ""
	}
	w.notify(err.Error(), true)
}

// add puts an opened document in front, or, where a session names it, at its place there. Documents that are opened at
// the same time stand in the order of the requests, and the last one comes to the front, whichever is read first.
func (w *window) add(path string, r ready, asked time.Time) {
	doc := r.doc
	d := &opened{path: path, print: r.print, rank: -1, doc: doc, asked: asked, undrawn: map[Slot]bool{}}
	d.player = newPlayer(doc)
	d.transport = newTransport(w, d.player)
	d.position = newLabel(w.look, "", 12, accent, scene.Mono)
	d.dock = newDock(w, doc, d.transport, d.position)
	for _, c := range w.commandsOf(d) {
		d.commands = append(d.commands, c.ID)
	}
	w.bookmarks.recall(d)
	want := w.sessions.wanted[path]
	delete(w.sessions.wanted, path)
	if want == nil {
		d.dock.load(w.app.Preferences().String(d.dock.pref()))
	} else {
		w.sessions.restore(d, want)
		doc.Link().Forget() // there was nothing before
	}
	d.unlink = doc.Link().Subscribe(func(old, now link.State) { w.linked(d, old, now) })
	doc.Watch(func(slots ...Slot) { w.changed(d, slots) })
	for _, s := range d.dock.order {
		d.undrawn[s] = true
	}
	at := len(w.docs)
	late := func(o *opened) bool { return o != nil && o.rank < 0 && o.asked.After(asked) }
	if want == nil {
		if i := slices.IndexFunc(w.docs, late); i >= 0 {
			at = i
		}
	} else {
		if i := slices.IndexFunc(w.docs, func(o *opened) bool { return o.rank > want.rank }); i >= 0 {
			at = i
		}
	}
	w.docs = slices.Insert(w.docs, at, d)
	d.openedState = r.openedState
	w.fileWatcher.watch(d)
	if g, ok := doc.(Grower); ok {
		d.growing = g.Growing()
	}
	if w.at >= at {
		w.at++
	}
	w.remember(path)
	w.log.write("document-opened", "path", path, "name", doc.Name(), "length", doc.Len(), "ms", ms(time.Since(asked)))
	front := w.front()
	switch {
	case w.comparison.path == path && front != nil:
		w.comparison.path = ""
		w.comparison.show(front, d)
	case want == nil && !late(front) || want != nil && want.front || front == nil:
		w.bringFront(at)
	default:
		d.dock.show(false)
	}
	w.sessions.showPair()
	w.tour.guide(path)
	w.sessionChanged()
}

// linked redraws what a change of the link concerns, in the same frame.
func (w *window) linked(d *opened, old, now link.State) {
	if !slices.Contains(w.shown(), d) {
		return
	}
	w.stage.LinkChanged(old, now)
	if old.Selected != now.Selected {
		defer w.comparison.mirror(d, now)
	}
	w.where(d)
	d.dock.captions()
	if old.Selected != now.Selected {
		w.working()
	}
	if old.Cursor != now.Cursor || old.Window != now.Window || old.Selected != now.Selected {
		w.sessionChanged()
	}
	w.log.write("link", "cursor", now.Cursor, "from", now.Window.From, "to", now.Window.To, "selected", now.Selected.What,
		"file", now.Selected.File, "line", now.Selected.Line, "name", now.Selected.Name, "id", now.Selected.ID,
		"origin", now.Origin)
}

// changed redraws panes whose own state has changed.
func (w *window) changed(d *opened, slots []Slot) {
	if len(slots) == 0 {
		d.arrive()
		slots = d.dock.order
		if w.front() == d {
			w.head.sync()
			w.where(d)
		}
	}
	d.dock.unfold()
	for _, s := range slots {
		if t := d.dock.tabs[s]; t != nil {
			w.stage.Invalidate(t.pane)
		}
	}
	d.dock.captions()
	w.sessionChanged()
}

// where shows the cursor's position in words.
func (w *window) where(d *opened) {
	n := d.doc.Len()
	at := uint64(d.doc.Link().State().Cursor)
	if x, ok := d.doc.(Numbered); ok {
		at += uint64(x.First())
	}
	text := grouped(at) + " of " + grouped(uint64(n))
	if _, ok := d.doc.(Ticker); ok {
		text += " " + d.player.unit
	}
	if n == 0 {
		text = "no " + d.player.unit
	}
	if len(text) != len(d.position.full) {
		d.position.set(text)
		for _, g := range d.dock.groups {
			if g.tail != nil {
				g.Refresh()
			}
		}
		return
	}
	d.position.set(text)
}

// bringFront shows a document by its index, -1 for the welcome page.
func (w *window) bringFront(i int) {
	was := slices.Clone(w.shown())
	if d := w.front(); d != nil {
		w.unregister(d)
		d.typed = nil
		if d.dock.has(w.stage.Active()) {
			d.typed = w.stage.Active()
		}
	}
	w.at = i
	for _, d := range was {
		if !slices.Contains(w.shown(), d) {
			d.player.playing = false
			d.transport.sync()
			d.dock.show(false)
		}
	}
	w.stage.Activate(nil)
	if d := w.front(); d != nil {
		w.register(d)
		w.showDocks()
		for _, d := range w.shown() {
			d.dock.show(true)
			w.where(d)
		}
		w.stage.Activate(d.typed)
	} else {
		w.welcome = newWelcome(w)
		w.body.Objects = []fyne.CanvasObject{w.welcome.scroll}
		w.win.SetTitle("Orrery")
	}
	w.body.Refresh()
	w.head.sync()
	w.working()
}

func (w *window) nextDocument() { w.bringFront((w.at + 1) % len(w.docs)) }

// closeFront closes the document in front and shows the one before it.
func (w *window) closeFront() {
	d := w.front()
	if d == nil {
		return
	}
	if w.other(d) != nil {
		w.comparison.end()
	}
	i := w.at
	w.app.Preferences().SetString(d.dock.pref(), d.dock.save())
	w.bringFront(-1)
	w.docs = slices.Delete(w.docs, i, i+1)
	d.unlink()
	w.fileWatcher.forget(d)
	d.dock.takeIn()
	for _, t := range d.dock.tabs {
		w.stage.Remove(t.pane)
	}
	if err := d.doc.Close(); err != nil {
		w.notify(err.Error(), true)
	}
	d.dock.forget()
	d.player.doc = nil
	w.log.write("document-closed", "path", d.path)
	go w.log.freed()
	w.sessionChanged()
	if len(w.docs) > 0 {
		w.bringFront(min(i, len(w.docs)-1))
	}
}

// Names of what is kept between runs.
const (
	prefRecent      = "recent"
	prefTheme       = "theme"
	prefFolder      = "folder"
	prefArrangement = "arrangement"
)

// recents is how many files are remembered.
const recents = 10

// remember puts a file on top of the recent ones.
func (w *window) remember(path string) {
	p := w.app.Preferences()
	list := slices.DeleteFunc(p.StringList(prefRecent), func(s string) bool { return s == path })
	list = append([]string{path}, list...)
	p.SetStringList(prefRecent, list[:min(len(list), recents)])
	p.SetString(prefFolder, output.Folder(path))
}

// uncover closes the menu on top.
func (w *window) uncover() {
	for _, c := range w.canvases() {
		if top := c.Overlays().Top(); top != nil {
			c.Overlays().Remove(top)
		}
	}
}

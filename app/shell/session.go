package shell

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"time"

	"orrery/app/output"
	"orrery/app/shell/saved"
	"orrery/views/link"
)

// Keeper is a document that can say what was chosen in it, and take that up again. What belongs to the link or to the
// window is kept by the shell.
type Keeper interface {
	// Keep gives a JSON value, or nil for nothing.
	Keep() json.RawMessage
	// Restore takes up what Keep gave, of this file or of an earlier state of it, as far as it makes sense. It is
	// called before Watch, or on a document that is open already. The error is a sentence for the user.
	Restore(json.RawMessage) error
}

// wanted is a document of a session that is being opened.
type wanted struct {
	saved.Document
	rank   int  // its place in the session
	front  bool // it was in front
	beside bool // the document in front was compared with it
}

// snapshot is what a session file says of the window now.
func (w *window) snapshot() saved.Session {
	s := saved.Session{Theme: w.theme, Front: w.at, Beside: -1}
	for i, d := range w.docs {
		s.Documents = append(s.Documents, d.snapshot())
		if d == w.other(w.front()) {
			s.Beside = i
		}
	}
	coming := make([]*wanted, 0, len(w.wanted))
	for _, x := range w.wanted {
		coming = append(coming, x)
	}
	slices.SortFunc(coming, func(a, b *wanted) int { return a.rank - b.rank })
	for _, x := range coming {
		if x.front {
			s.Front = len(s.Documents)
		}
		s.Documents = append(s.Documents, x.Document)
	}
	s.Documents = append(s.Documents, w.missing...) // they may come back
	return s
}

// snapshot is what a session says of one document.
func (d *opened) snapshot() saved.Document {
	speed := d.player.speed
	s := saved.Document{Path: d.path, Print: d.print, Arrangement: d.dock.arrangement(), Speed: &speed,
		Place: saved.PlaceOf(d.doc.Link().State()), Bookmarks: d.bookmarks}
	if d.pending != nil {
		s.Place = *d.pending
	}
	if k, ok := d.doc.(Keeper); ok {
		s.State = k.Keep()
	}
	return s
}

// saveSession writes the session where it came from, or asks where.
func (w *window) saveSession() {
	if w.session == "" {
		w.saveSessionAs()
		return
	}
	w.writeSession(w.session)
}

// saveSessionAs asks for a name.
func (w *window) saveSessionAs() {
	w.askLine(line{title: "Save the session", field: "file", text: w.sessionName(), verb: "Save", width: 620,
		said: "What is open, where you are in it and how it is arranged. A file of this name is replaced."},
		func(path string) {
			if filepath.Ext(path) == "" {
				path += saved.Ending
			}
			if abs, err := filepath.Abs(path); err == nil {
				path = abs
			}
			w.writeSession(path)
		})
}

// sessionName is the name that is proposed: that of the present session, else one beside the recording in front.
func (w *window) sessionName() string {
	if w.session != "" {
		return w.session
	}
	if d := w.front(); d != nil {
		return output.Beside(d.path, saved.Ending)
	}
	if dir := w.app.Preferences().String(prefFolder); dir != "" {
		return filepath.Join(dir, "session"+saved.Ending)
	}
	return "session" + saved.Ending
}

// writeSession writes the session, as it is now, to a file.
func (w *window) writeSession(path string) {
	s, n := w.snapshot(), len(w.docs)
	w.write(path, func() error { return s.Write(path) }, func(err error) {
		if err != nil {
			w.log.write("session-failed", "path", path, "error", err.Error())
			w.tell("The session was not saved: "+err.Error()+". Ctrl+Shift+S asks for another place; everything stays open.",
				true)
			return
		}
		w.session = path
		w.remember(path)
		w.log.write("session-saved", "path", path, "documents", n)
		w.tell("The session is in "+path, false)
	})
}

// finishSaving waits until sessions that are being saved are, for as long as somebody who leaves may be kept waiting.
func (w *window) finishSaving() {
	done := make(chan struct{})
	go func() { w.saving.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(leaveTime):
	}
}

// openSession opens what a session file says, beside what is open.
func (w *window) openSession(path string, s *saved.Session) {
	w.session = path
	w.remember(path)
	w.log.write("session-opened", "path", path, "documents", len(s.Documents))
	w.resume(s)
}

// resume opens the documents of a session. Those that are open already go where the session says; those whose files
// turn out to be gone are asked for.
func (w *window) resume(s *saved.Session) {
	if s.Theme != "" && s.Theme != w.theme && w.opt.Theme == "" {
		w.setTheme(s.Theme)
	}
	w.sessionPair = [2]*opened{}
	for i, d := range s.Documents {
		d.Path = w.place(d.Path)
		want := &wanted{Document: d, rank: i, front: i == s.Front, beside: i == s.Beside}
		switch at := slices.IndexFunc(w.docs, func(o *opened) bool { return o.path == d.Path }); {
		case at >= 0:
			w.restoreOpen(w.docs[at], want)
			if want.front {
				w.bringFront(at)
			}
		default:
			w.wanted[d.Path] = want
			w.open(d.Path)
		}
	}
	w.join()
}

// miss follows from a file of a session that is not where it was: the user is asked, unless there is a question
// already.
func (w *window) miss(path string) {
	want := w.wanted[path]
	if want == nil { // the user has closed the session meanwhile
		return
	}
	d := want.Document
	delete(w.wanted, path)
	if w.sheet.Visible() {
		w.missing = append(w.missing, d)
		return
	}
	w.missing = slices.Insert(w.missing, 0, d)
	w.findMissing()
}

func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// findMissing asks where the files of a session are that are not where they were, one after the other. The user may go
// on without them; they stay in the session.
func (w *window) findMissing() {
	if len(w.missing) == 0 {
		return
	}
	d := w.missing[0]
	w.log.write("missing", "path", d.Path)
	w.tell(filepath.Base(d.Path)+" of the session is no longer at "+d.Path+"; choose where it is now, or Cancel to go "+
		"on without it (File > Find what the session misses… asks again).", true)
	w.readDialog(func(path string) {
		if len(w.missing) == 0 {
			return
		}
		w.missing = w.missing[1:]
		d.Path = path
		w.wanted[path] = &wanted{Document: d, rank: len(w.docs) + len(w.wanted), front: true}
		w.banner.Hide()
		w.relayout()
		w.open(path)
		w.findMissing()
	})
}

// join shows the documents of a session side by side that were, when both are there.
func (w *window) join() {
	if w.sessionPair[0] != nil && w.sessionPair[1] != nil {
		front, other := w.sessionPair[0], w.sessionPair[1]
		w.sessionPair = [2]*opened{}
		w.compare(front, other)
	}
}

// restoreOpen is restore for a document that is open: one step, which Undo takes back whole, whatever was chosen
// before.
func (w *window) restoreOpen(d *opened, want *wanted) {
	at := &wanted{Document: d.snapshot(), rank: d.rank}
	link.Choose(d.doc.Link(), "session", &at, want, func() {
		w.restore(d, at)
		w.changed(d, nil)
	})
}

// restore brings a document to where a session says it was.
func (w *window) restore(d *opened, want *wanted) {
	d.rank = want.rank
	if want.front {
		w.sessionPair[0] = d
	}
	if want.beside {
		w.sessionPair[1] = d
	}
	if want.Print != "" && d.print != "" && want.Print != d.print {
		w.tell(filepath.Base(d.path)+" is not what it was when the session was saved; what was chosen is kept as far as it "+
			"makes sense of it. To see the old one, open a copy of it.", false)
	}
	if k, ok := d.doc.(Keeper); ok && len(want.State) > 0 {
		if err := k.Restore(want.State); err != nil {
			w.tell(err.Error(), true)
		}
	}
	if want.Speed != nil {
		d.player.speed = max(0, min(*want.Speed, speeds-1))
		d.transport.sync()
	}
	if len(want.Bookmarks) > 0 {
		d.bookmarks = slices.Clone(want.Bookmarks)
	}
	d.dock.arrange(want.Arrangement)
	d.dock.Refresh()
	if t := d.dock.tabs[Slot(want.Arrangement.Active)]; t != nil {
		d.typed = t.pane
	}
	want.Place.Put(d.doc.Link(), d.doc.Len())
	if d.pending = nil; want.Place.To > d.doc.Len() { // the rest is still being read
		d.pending = &want.Place
	}
}

// arrive brings the link to the place of a session when enough of the file has been read.
func (d *opened) arrive() {
	if p := d.pending; p != nil && p.To <= d.doc.Len() {
		d.pending = nil
		p.Put(d.doc.Link(), d.doc.Len())
	}
}

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

// sessions saves what is open as a session file, and opens it from one.
type sessions struct {
	w       *window
	path    string             // of the file of the present session, "" without
	wanted  map[string]*wanted // documents that are being opened, by path
	missing []saved.Document   // documents whose files are not where they were
	pair    [2]*opened         // of the session that is being opened: the one in front, and the one beside it
}

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
func (ss *sessions) snapshot() saved.Session {
	s := saved.Session{Theme: ss.w.appearance.theme, Front: ss.w.at, Beside: -1}
	for i, d := range ss.w.docs {
		s.Documents = append(s.Documents, d.snapshot())
		if d == ss.w.other(ss.w.front()) {
			s.Beside = i
		}
	}
	coming := make([]*wanted, 0, len(ss.wanted))
	for _, x := range ss.wanted {
		coming = append(coming, x)
	}
	slices.SortFunc(coming, func(a, b *wanted) int { return a.rank - b.rank })
	for _, x := range coming {
		if x.front {
			s.Front = len(s.Documents)
		}
		s.Documents = append(s.Documents, x.Document)
	}
	s.Documents = append(s.Documents, ss.missing...) // they may come back
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

// save writes the session where it came from, or asks where.
func (ss *sessions) save() {
	if ss.path == "" {
		ss.saveAs()
		return
	}
	ss.write(ss.path)
}

// saveAs asks for a name.
func (ss *sessions) saveAs() {
	ss.w.dialogs.line(line{title: "Save the session", field: "file", text: ss.proposedName(), verb: "Save", width: 620,
		said: "What is open, where you are in it and how it is arranged. A file of this name is replaced."},
		func(path string) {
			if filepath.Ext(path) == "" {
				path += saved.Ending
			}
			if abs, err := filepath.Abs(path); err == nil {
				path = abs
			}
			ss.write(path)
		})
}

// proposedName is the name that is proposed: that of the present session, else one beside the recording in front.
func (ss *sessions) proposedName() string {
	if ss.path != "" {
		return ss.path
	}
	if d := ss.w.front(); d != nil {
		return output.Beside(d.path, saved.Ending)
	}
	if dir := ss.w.app.Preferences().String(prefFolder); dir != "" {
		return filepath.Join(dir, "session"+saved.Ending)
	}
	return "session" + saved.Ending
}

// write writes the session, as it is now, to a file.
func (ss *sessions) write(path string) {
	s, n := ss.snapshot(), len(ss.w.docs)
	ss.w.write(path, func() error { return s.Write(path) }, func(err error) {
		if err != nil {
			ss.w.log.write("session-failed", "path", path, "error", err.Error())
			ss.w.notify(
				"The session was not saved: "+err.Error()+". Ctrl+Shift+S asks for another place; everything stays open.",
				true,
			)
			return
		}
		ss.path = path
		ss.w.remember(path)
		ss.w.log.write("session-saved", "path", path, "documents", n)
		ss.w.notify("The session is in "+path, false)
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

// open opens what a session file says, beside what is open.
func (ss *sessions) open(path string, s *saved.Session) {
	ss.path = path
	ss.w.remember(path)
	ss.w.log.write("session-opened", "path", path, "documents", len(s.Documents))
	ss.resume(s)
}

// resume opens the documents of a session. Those that are open already go where the session says; those whose files
// turn out to be gone are asked for.
func (ss *sessions) resume(s *saved.Session) {
	if s.Theme != "" && s.Theme != ss.w.appearance.theme && ss.w.opt.Theme == "" {
		ss.w.appearance.setTheme(s.Theme)
	}
	ss.pair = [2]*opened{}
	for i, d := range s.Documents {
		d.Path = ss.w.place(d.Path)
		want := &wanted{Document: d, rank: i, front: i == s.Front, beside: i == s.Beside}
		switch at := ss.w.indexOf(d.Path); {
		case at >= 0:
			ss.restoreOpen(ss.w.docs[at], want)
			if want.front {
				ss.w.bringFront(at)
			}
		default:
			ss.wanted[d.Path] = want
			ss.w.open(d.Path)
		}
	}
	ss.showPair()
}

// miss follows from a file of a session that is not where it was: the user is asked, unless there is a question
// already.
func (ss *sessions) miss(path string) {
	want := ss.wanted[path]
	if want == nil { // the user has closed the session meanwhile
		return
	}
	d := want.Document
	delete(ss.wanted, path)
	if ss.w.sheet.Visible() {
		ss.missing = append(ss.missing, d)
		return
	}
	ss.missing = slices.Insert(ss.missing, 0, d)
	ss.findMissing()
}

func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// findMissing asks where the files of a session are that are not where they were, one after the other. The user may go
// on without them; they stay in the session.
func (ss *sessions) findMissing() {
	if len(ss.missing) == 0 {
		return
	}
	d := ss.missing[0]
	ss.w.log.write("missing", "path", d.Path)
	ss.w.notify(
		filepath.Base(d.Path)+" of the session is no longer at "+d.Path+"; choose where it is now, or Cancel to go "+
			"on without it (File > Find what the session misses… asks again).",
		true,
	)
	ss.w.dialogs.readFile(func(path string) {
		if len(ss.missing) == 0 {
			return
		}
		ss.missing = ss.missing[1:]
		d.Path = path
		ss.wanted[path] = &wanted{Document: d, rank: len(ss.w.docs) + len(ss.wanted), front: true}
		ss.w.banner.Hide()
		ss.w.relayout()
		ss.w.open(path)
		ss.findMissing()
	})
}

// showPair shows the documents of a session side by side that were, when both are there.
func (ss *sessions) showPair() {
	if ss.pair[0] != nil && ss.pair[1] != nil {
		front, other := ss.pair[0], ss.pair[1]
		ss.pair = [2]*opened{}
		ss.w.comparison.show(front, other)
	}
}

// restoreOpen is restore for a document that is open: one step, which Undo takes back whole, whatever was chosen
// before.
func (ss *sessions) restoreOpen(d *opened, want *wanted) {
	at := &wanted{Document: d.snapshot(), rank: d.rank}
	link.Choose(d.doc.Link(), "session", &at, want, func() {
		ss.restore(d, at)
		ss.w.changed(d, nil)
	})
}

// restore brings a document to where a session says it was.
func (ss *sessions) restore(d *opened, want *wanted) {
	d.rank = want.rank
	if want.front {
		ss.pair[0] = d
	}
	if want.beside {
		ss.pair[1] = d
	}
	if want.Print != "" && d.print != "" && want.Print != d.print {
		ss.w.notify(filepath.Base(d.path)+" is not what it was when the session was saved; what was chosen is kept as far "+
			"as it makes sense of it. To see the old one, open a copy of it.", false)
	}
	if k, ok := d.doc.(Keeper); ok && len(want.State) > 0 {
		if err := k.Restore(want.State); err != nil {
			ss.w.notify(err.Error(), true)
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

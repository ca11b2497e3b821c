// Package saved is the session file: what is open in the window, how it is arranged, and what each document says of
// itself. In: the bytes of a file, or a Session. Out: a Session whose parts can be relied upon, or an error that says
// where the file is broken and what to do; and the bytes of a Session. A file is one JSON object, so that people can
// read and mend it.
package saved

import (
	"encoding/json"

	"orrery/traceio"
	"orrery/views/link"
)

// Ending is that of a session file's name.
const Ending = ".orrery"

// Version is the newest version of the file that Parse reads, and the one that Bytes writes.
const Version = 1

// Session is what a file says. Front and Beside are indexes of Documents, -1 for none: of the document in front, and of
// the one that it is compared with.
type Session struct {
	Version   int        `json:"orrery-session"`
	Theme     string     `json:"theme,omitempty"` // "dark", "light", "system"
	Front     int        `json:"front"`
	Beside    int        `json:"beside"`
	Restoring int        `json:"restoring,omitempty"` // how many runs have ended while they restored this
	Stopped   bool       `json:"stopped,omitempty"`   // it was kept when the run was told to end by a signal
	Documents []Document `json:"documents"`
}

// Document is one open file. Near is its path as seen from the session file, for when both were moved; Print identifies
// its contents (see PrintOf). State is the document's own.
type Document struct {
	Path        string          `json:"path"`
	Near        string          `json:"near,omitempty"`
	Print       string          `json:"print,omitempty"`
	Arrangement Arrangement     `json:"arrangement"`
	Speed       *int            `json:"speed,omitempty"` // index of the transport's speeds; nil is the document's own
	Place       Place           `json:"place"`
	Bookmarks   []Bookmark      `json:"bookmarks,omitempty"`
	State       json.RawMessage `json:"state,omitempty"`
}

// Arrangement is how a document's panes lie in the window. Panes is the tree of the docks, Maximised the pane that is
// shown alone, Active the keyboard's; Folds say of a side ("left", "right") whether the user wants it folded; Own are
// the panes in windows of their own.
type Arrangement struct {
	Panes     json.RawMessage `json:"panes,omitempty"`
	Maximised string          `json:"maximised,omitempty"`
	Active    string          `json:"active,omitempty"`
	Folds     map[string]bool `json:"folds,omitempty"`
	Own       []Own           `json:"own,omitempty"`
}

// Own is a pane in a window of its own, with that window's extent in device-independent pixels.
type Own struct {
	Slot   string  `json:"slot"`
	Width  float32 `json:"width"`
	Height float32 `json:"height"`
}

// Bookmark is a place with a name.
type Bookmark struct {
	Name string `json:"name"`
	Place
}

// Place is where a document's link is: the time cursor, the window of time [From, To), the selection and the view that
// it was made in.
type Place struct {
	Cursor   traceio.Seq `json:"cursor"`
	From     traceio.Seq `json:"from"`
	To       traceio.Seq `json:"to"`
	Selected *Thing      `json:"selected,omitempty"`
	Origin   string      `json:"origin,omitempty"`
}

// Thing is a link.Thing with its kind by name.
type Thing struct {
	What string       `json:"what"`
	File string       `json:"file,omitempty"`
	Line int          `json:"line,omitempty"`
	Name string       `json:"name,omitempty"`
	ID   int          `json:"id,omitempty"`
	Low  traceio.Addr `json:"low,omitempty"`
	High traceio.Addr `json:"high,omitempty"`
	From traceio.Seq  `json:"from,omitempty"`
	To   traceio.Seq  `json:"to,omitempty"`
}

// PlaceOf is where a link is.
func PlaceOf(s link.State) Place {
	p := Place{Cursor: s.Cursor, From: s.Window.From, To: s.Window.To}
	if t := s.Selected; t.What != link.Nothing {
		p.Origin = s.Origin
		p.Selected = &Thing{What: t.What.String(), File: t.File, Line: t.Line, Name: t.Name, ID: t.ID, Low: t.Low,
			High: t.High, From: t.Span.From, To: t.Span.To}
	}
	return p
}

// Thing is what the place selects: nothing, too, where a kind is meant that this program does not know.
func (p Place) Thing() link.Thing {
	t := p.Selected
	if t == nil {
		return link.Thing{}
	}
	what, ok := link.ParseWhat(t.What)
	if !ok {
		return link.Thing{}
	}
	if t.Name != "" { // errors of a log had the kind of what they concern
		switch what {
		case link.Block:
			return link.OfError(t.Name, t.ID, t.Low, t.High)
		case link.Address:
			return link.OfError(t.Name, -1, t.Low, t.High)
		}
	}
	return link.Thing{What: what, File: t.File, Line: t.Line, Name: t.Name, ID: t.ID, Low: t.Low, High: t.High,
		Span: link.Range{From: t.From, To: t.To}}
}

// window is the window of time of the place, as far as it lies before the end of time.
func (p Place) window(end traceio.Seq) link.Range {
	return link.Range{From: min(p.From, end), To: min(p.To, end)}
}

// Go brings a link to the place, as far as it lies before the end of time, by undoable steps.
func (p Place) Go(l *link.Link, end traceio.Seq) {
	l.SetWindow(p.window(end))
	if end > 0 {
		l.SetCursor(min(p.Cursor, end-1))
	}
	l.Select(p.Thing(), p.Origin)
}

// Put is Go without a step.
func (p Place) Put(l *link.Link, end traceio.Seq) {
	cursor := l.State().Cursor
	if end > 0 {
		cursor = min(p.Cursor, end-1)
	}
	l.Put(p.window(end), cursor, p.Thing(), p.Origin)
}

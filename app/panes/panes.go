// Package panes is the kit that the panes of all documents are made with. A pane is a package with a Descriptor, and a
// line in the list of its document; what is the same in all panes is here:
//
//	Descriptor  says what a pane is called, where it stands and how it is made; menus, keys and sessions follow from it
//	Base        is embedded in a pane: chips above the picture, pointer events beside them, drawing
//	Option      is something that can be chosen: declared once, it has a chip, commands, undo, a session and a flag
//	Lazy        is a result of a job; it redraws the panes that read it
//	Baseline    is a second run that is compared with
//
// A click takes this way:
//
//	Pressed ── on a chip ──> Option.Set ──> undoable step ──> Changed ──┐
//	   └────── beside it ──> Parts.Press ──> link.Select, Redraw        │
//	                                                                    v
//	Draw ──> Parts.Paint ── reads ──> Lazy.For(key) ──> not at hand: a job, once the picture is drawn
//	                                       └──────────> it arrives: Draw of the panes that have read it
//
// Everything here belongs to the interface's goroutine, but for what a job runs.
package panes

import (
	"orrery/app/shell"
	"orrery/views/link"
	"orrery/views/palette"
)

// Set is the panes of one document, and what they share.
type Set struct {
	Link *link.Link
	Host *shell.Host

	jobs    string // what their names begin with
	tell    func(...shell.Slot)
	reader  shell.Slot // the pane that reads now, "" for none
	drawing bool       // it is being drawn
	wanted  []func()   // jobs to be started when it is drawn
	results []result
	stopped bool
	theme   palette.Theme // of the last picture
}

// result is a Lazy, whatever it holds.
type result interface {
	stop()
	again()
	close()
}

// NewSet is a document without panes; jobs is what the names of its jobs begin with.
func NewSet(l *link.Link, host *shell.Host, jobs string) *Set {
	return &Set{Link: l, Host: host, jobs: jobs, theme: palette.Dark()}
}

// Theme is that of the last picture, for sheets and films.
func (s *Set) Theme() palette.Theme { return s.theme }

// Watch sets who redraws panes, see shell.Document.
func (s *Set) Watch(changed func(...shell.Slot)) { s.tell = changed }

// Watched tells whether somebody does.
func (s *Set) Watched() bool { return s.tell != nil }

// Redraw draws panes again, all of them when none is named.
func (s *Set) Redraw(ids ...shell.Slot) {
	if s.tell != nil {
		s.tell(ids...)
	}
}

// Show brings a pane to the front where there is a window.
func (s *Set) Show(id shell.Slot) {
	if s.Host.Show != nil {
		s.Host.Show(id)
	}
}

// Job is the name of a job.
func (s *Set) Job(name string) string { return s.jobs + name }

// Stop follows from the user's cancelling all jobs: results that were under way have stopped, and none begins while a
// pane is drawn, until Again.
func (s *Set) Stop() {
	s.stopped = true
	for _, r := range s.results {
		r.stop()
	}
}

// Again lets the panes that are drawn ask once more for what was stopped or has failed.
func (s *Set) Again() {
	s.stopped = false
	for _, r := range s.results {
		r.again()
	}
	s.Redraw()
}

// Stopped tells whether jobs were cancelled and not taken up again.
func (s *Set) Stopped() bool { return s.stopped }

// Close cancels the jobs and releases what results hold. Nothing is drawn afterwards.
func (s *Set) Close() {
	s.tell = nil
	s.Host.Engine.CancelUnder(s.jobs)
	for _, r := range s.results {
		r.close()
	}
}

// read runs what a pane reads results in. What it asked for is started afterwards, when it was drawn.
func (s *Set) read(id shell.Slot, draws bool, f func()) {
	reader, drawing := s.reader, s.drawing
	s.reader, s.drawing = id, draws
	f()
	if s.reader, s.drawing = reader, drawing; s.drawing {
		return
	}
	for len(s.wanted) > 0 {
		begin := s.wanted[0]
		s.wanted = s.wanted[1:]
		begin()
	}
}

// After runs something when the pane that is being drawn is drawn, or at once.
func (s *Set) After(f func()) {
	if s.drawing {
		s.wanted = append(s.wanted, f)
		return
	}
	f()
}

// Readers are the panes that have read something since it changed last. It is the base of everything that panes show:
// what gives a value calls Read, what sets it calls Changed.
type Readers struct {
	set  *Set
	read map[shell.Slot]bool // since the last change; false for those that have read before
}

// ReadersOf are readers among the panes of a document.
func ReadersOf(s *Set) Readers { return Readers{set: s, read: map[shell.Slot]bool{}} }

// Read notes the pane that is being drawn or captioned now.
func (r *Readers) Read() {
	if r.set != nil && r.set.reader != "" {
		r.read[r.set.reader] = true
	}
}

// Changed redraws those panes, and forgets them until they read again.
func (r *Readers) Changed() {
	var ids []shell.Slot
	for id, since := range r.read {
		if since {
			ids = append(ids, id)
			r.read[id] = false
		}
	}
	if len(ids) > 0 {
		r.set.Redraw(ids...)
	}
}

// Seen tells whether one of the panes that have ever read is to be seen now.
func (r *Readers) Seen() bool {
	seen := r.set.Host.Seen
	for id := range r.read {
		if seen != nil && seen(id) {
			return true
		}
	}
	return seen == nil
}

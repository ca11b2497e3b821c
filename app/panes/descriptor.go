package panes

import (
	"orrery/app/shell"
)

// Descriptor is one kind of pane of the documents that have an M. It stands in the document's list, and that is all
// that the rest of the program knows of the pane.
type Descriptor[M any] struct {
	ID    shell.Slot     // "curve": in arrangements, sessions and commands ("view.show.curve")
	Title string         // on its tab: "Curve"
	Place shell.Place    // in the standard arrangement
	Keys  string         // that bring it to the front: "6"; "" for none
	Show  string         // the command that does: "Show the miss curve"; "" for "Show the curve pane"
	Idle  func(M) string // why it has nothing to show ("no references"), "" while it has; nil for always something
	New   func(m M, b Base) shell.View
}

// At is the same pane at another place, as in the documents of another kind.
func (d Descriptor[M]) At(p shell.Place) Descriptor[M] {
	d.Place = p
	return d
}

// As is the same pane under another name.
func (d Descriptor[M]) As(id shell.Slot) Descriptor[M] {
	d.ID = id
	return d
}

// Of is a pane of a part of a document's model, which is all that it knows of the document.
func Of[M, N any](part func(M) N, d Descriptor[N]) Descriptor[M] {
	out := Descriptor[M]{ID: d.ID, Title: d.Title, Place: d.Place, Keys: d.Keys, Show: d.Show,
		New: func(m M, b Base) shell.View { return d.New(part(m), b) }}
	if d.Idle != nil {
		out.Idle = func(m M) string { return d.Idle(part(m)) }
	}
	return out
}

// Open makes the panes of a list.
func Open[M any](s *Set, m M, list []Descriptor[M]) (out []shell.Placed) {
	for _, d := range list {
		p := shell.Placed{Slot: d.ID, View: d.New(m, NewBase(s, d.ID, d.Title)), Place: d.Place, Keys: d.Keys, Show: d.Show}
		if d.Idle != nil {
			p.Idle = func() (why string) {
				s.read(d.ID, false, func() { why = d.Idle(m) })
				return why
			}
		}
		out = append(out, p)
	}
	return out
}

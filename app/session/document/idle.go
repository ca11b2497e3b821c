package document

import (
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/views/words"
)

// Which panes have nothing to show of this recording (see shell.Idler). While it is being written or read nobody knows.

func (d *Document) noReferences() string {
	if d.rec.Live() || d.rec.Beginning() || d.rec.Len() > 0 {
		return ""
	}
	return "no references"
}

// lacking is what a view of references says where there are none and there will be none; "" where there are. The views
// say it instead of what they are doing, which would never end.
func (d *Document) lacking() string {
	switch {
	case d.rec.EventsOnly():
		return words.Sentence(session.ErrEventsOnly.Error())
	case d.noReferences() == "":
		return ""
	case len(d.rec.Loss()) > 0:
		return "None of the references of this file could be read: it is cut or damaged, as the log says (Help > Log). " +
			"Open a whole copy of " +
			"it, or record the program again."
	}
	return "No data references. Record a program that does something: orrery record -- ./program"
}

func (d *Document) noAllocations() string {
	if d.rec.Live() || d.rec.Beginning() || d.rec.Heap.Count()+len(d.rec.Heap.Errors) > 0 {
		return ""
	}
	return "no allocations"
}

var _ = []shell.Idler{(*cyclesView)(nil), (*galleryView)(nil), (*cacheView)(nil), (*curveView)(nil), (*tableView)(nil),
	(*heapView)(nil), (*sitesView)(nil), (*flameView)(nil), (*sourceView)(nil)}

// Idle implements shell.Idler.
func (v *cyclesView) Idle() string { return v.d.noReferences() }

// Idle implements shell.Idler.
func (v *galleryView) Idle() string { return v.d.noReferences() }

// Idle implements shell.Idler.
func (v *cacheView) Idle() string { return v.d.noReferences() }

// Idle implements shell.Idler.
func (v *curveView) Idle() string { return v.d.noReferences() }

// Idle implements shell.Idler.
func (v *tableView) Idle() string { return v.d.noReferences() }

// Idle implements shell.Idler.
func (v *heapView) Idle() string { return v.d.noAllocations() }

// Idle implements shell.Idler.
func (v *sitesView) Idle() string { return v.d.noAllocations() }

// Idle implements shell.Idler.
func (v *flameView) Idle() string { return v.d.noAllocations() }

// idle says why there is no graph: for the graph's own pane only where none can be made without asking.
func (c *compiled) idle(graph bool) string {
	if graph && c.made() {
		return ""
	}
	return "no graph yet"
}

// made tells whether a graph can be made at once: the program is in Go.
func (c *compiled) made() bool {
	if c.judged != c.d.rec {
		c.judged = c.d.rec
		c.inGo = c.hottest() != ""
	}
	return c.inGo
}

// Idle implements shell.Idler: source text comes with a recording, or it never does.
func (v *sourceView) Idle() string {
	if v.d.rec.Live() || v.d.rec.Beginning() || len(v.d.rec.SourceFiles()) > 0 {
		return ""
	}
	return "no source text"
}

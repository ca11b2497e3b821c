package recording

import (
	"orrery/app/session"
	"orrery/views/words"
)

// Which panes have nothing to show of this recording (see panes.Descriptor.Idle). While it is being written or read
// nobody knows.

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

// noSource says why there is no source text: it comes with a recording, or it never does.
func (d *Document) noSource() string {
	if d.rec.Live() || d.rec.Beginning() || len(d.rec.SourceFiles()) > 0 {
		return ""
	}
	return "no source text"
}

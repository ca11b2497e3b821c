package session

import (
	"errors"
	"fmt"

	"orrery/traceio"
	"orrery/views/explain"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/words"
)

// EventsOnly tells whether the recording has allocator events and no data references: its time counts those events.
func (r *Recording) EventsOnly() bool { return r.Len() == 0 && r.Extent() > 0 }

// ErrEventsOnly is what a view of references has to say of a recording without any.
var ErrEventsOnly = errors.New("this recording has allocator events and no data references; the heap and the timeline show it, and `orrery record` without --heap-only records references too")

// rankSites gives colours to allocation sites that no reference ranks: those that allocate most come first.
func (r *Recording) rankSites() {
	if !r.EventsOnly() {
		return
	}
	for id, g := range r.Regions.Regions() {
		if g.Site >= 0 {
			r.rank[id] = g.Site
		}
	}
}

// TimeUnit is what logical time counts in this recording: "references" or "events".
func (r *Recording) TimeUnit() string {
	if r.EventsOnly() {
		return "events"
	}
	return "references"
}

// moment is a position in time for people: "reference 12", "event 12".
func (r *Recording) moment(s traceio.Seq) string {
	if r.EventsOnly() {
		return "event " + words.Count(s)
	}
	return "reference " + words.Count(s)
}

// eventStack is the call stack of the allocator event at s, innermost return address first; nil in a recording of
// references, where there is not one event to a moment.
func (r *Recording) eventStack(s traceio.Seq) []traceio.Addr {
	if !r.EventsOnly() || s >= r.Extent() {
		return nil
	}
	if id := int(r.Alloc(int(s)).Stack); id < len(r.Program().Stacks) {
		return r.Program().Stacks[id]
	}
	return nil
}

// EventLine is the source line that called the allocator at event s: the innermost one of which the recording has the
// text. It is the zero Thing when there is none, and in a recording of references.
func (r *Recording) EventLine(s traceio.Seq) link.Thing {
	for _, ret := range r.eventStack(s) {
		if at := r.Program().CallerAt(ret).Own(); at.Line > 0 && r.Text(at.File) != "" {
			return link.Thing{What: link.Line, File: at.File, Line: at.Line}
		}
	}
	return link.Thing{}
}

// stackLines is how much of a call stack an explanation shows.
const stackLines = 12

// explainEvent tells what the allocator event at the cursor does and who called.
func (r *Recording) explainEvent(theme palette.Theme, s traceio.Seq) []explain.Section {
	a := r.Alloc(int(s))
	out := explain.Section{Title: "Event " + words.Count(s)}
	if a.Op == traceio.Free {
		out.Lines = append(out.Lines, fmt.Sprintf("frees %v", a.Addr))
	} else {
		out.Lines = append(out.Lines, fmt.Sprintf("allocates %s at %v", words.Bytes(a.Size), a.Addr))
		// The site tells the colour without the index of blocks, which may still be on its way.
		if colors, site := r.siteColors(theme), int(r.Heap.SiteOfStack(a.Stack)); site >= 0 && site < len(colors) {
			out.Chip = colors[site]
		}
	}
	stack := r.eventStack(s)
	for i, ret := range stack {
		if i == stackLines {
			out.Lines = append(out.Lines, fmt.Sprintf("and %d more", len(stack)-i))
			break
		}
		at := r.Program().CallerAt(ret).Own()
		switch name := at.Resolved(); {
		case at.Line > 0:
			out.Lines = append(out.Lines, fmt.Sprintf("%s, %s", name, traceio.ShortFunction(at.Function)))
		case name != "":
			out.Lines = append(out.Lines, name)
		default:
			out.Lines = append(out.Lines, ret.String())
		}
	}
	return []explain.Section{out}
}

package session

import (
	"errors"
	"fmt"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/views/explain"
	"orrery/views/heapmap"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/words"
)

// EventsOnly tells whether the recording has allocator events and no data references: its time counts those events.
func (r *Recording) EventsOnly() bool { return r.Len() == 0 && r.Extent() > 0 }

// ErrEventsOnly is what a view of references has to say of a recording without any.
var ErrEventsOnly = errors.New("this recording has allocator events and no data references; the heap and the " +
	"timeline show it, and `orrery record` without --heap-only records references too")

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
			return link.OfLine(at.File, at.Line)
		}
	}
	return link.Thing{}
}

// stackLines is how much of a call stack an explanation shows.
const stackLines = 12

// explainEvent tells what an allocator event does, what is wrong with it, and who called.
func (r *Recording) explainEvent(theme palette.Theme, event int) []explain.Section {
	a := r.Alloc(event)
	out := explain.Section{Title: "Event " + words.Count(event), Lines: []string{eventText(&a, r.own(a.Addr))}}
	if a.Op != traceio.Free {
		// The site tells the colour without the index of blocks, which may still be on its way.
		if colors, site := r.siteColors(theme), int(r.Heap.SiteOfStack(a.Stack)); site >= 0 && site < len(colors) {
			out.Chip = colors[site]
		}
	}
	if !r.EventsOnly() {
		out.Lines = append(out.Lines, "at "+r.moment(a.Seq))
	}
	faults := r.Heap.ErrorsAt(event)
	for i := range faults {
		e := &faults[i]
		text := fmt.Sprintf("in error, %s: %s", e.Kind, e.What())
		if e.Doubt() != "" {
			text = fmt.Sprintf("in error, %s: %s, %s", e.Kind, heapmap.Asked(e.Size), e.Doubt())
		}
		out.Lines = append(out.Lines, text)
	}
	var stack []traceio.Addr
	if id := int(a.Stack); id < len(r.Program().Stacks) {
		stack = r.Program().Stacks[id]
	}
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
			out.Lines = append(out.Lines, heap.Unnamed(r.Program(), ret))
		}
	}
	return []explain.Section{out}
}

// own is an address as its process has it.
func (r *Recording) own(a traceio.Addr) traceio.Addr {
	_, own := r.Heap.Process(a)
	return own
}

// eventText says what an event does, at an address as its process has it: "frees 0x55a0".
func eventText(a *traceio.Alloc, at traceio.Addr) string {
	switch nowhere := a.Addr == 0 || a.Addr == ^traceio.Addr(0); {
	case a.Op == traceio.Free && nowhere:
		return "frees nothing: the pointer is null"
	case a.Op == traceio.Free:
		return fmt.Sprintf("frees %v", at)
	case nowhere:
		return fmt.Sprintf("asks for %s and gets none", heapmap.Asked(a.Size))
	case a.Size >= 1<<63:
		return fmt.Sprintf("allocates %s at %v", heapmap.Asked(a.Size), at)
	}
	return fmt.Sprintf("allocates %s at %v", words.Bytes(a.Size), at)
}

// explainError tells of the event that an error of the log is, and of the block that it concerns.
func (r *Recording) explainError(theme palette.Theme, i int, usage *heap.Usage) []explain.Section {
	e := &r.Heap.Errors[i]
	out := r.explainEvent(theme, e.Event)
	if e.Block >= 0 {
		out = append(out, r.explainBlock(e.Block, usage)...)
	}
	return out
}

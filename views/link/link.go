// Package link is the only thing that views share: the time cursor, the visible time window, what is selected and what
// lies under the pointer. A selection is an identity, never a drawn shape; every view resolves it for itself. A Link
// belongs to one goroutine (in the application, the interface's).
package link

import "orrery/traceio"

// Range is a span of logical time, [From, To).
type Range struct{ From, To traceio.Seq }

// Empty reports whether the range holds nothing.
func (r Range) Empty() bool { return r.To <= r.From }

// Has reports whether s lies in the range.
func (r Range) Has(s traceio.Seq) bool { return s >= r.From && s < r.To }

// What says what kind of thing a Thing identifies.
type What uint8

// The kinds of thing.
const (
	Nothing      What = iota
	Line              // File, Line
	Function          // Name
	Region            // Name; Low, High where it is one range
	Block             // ID of a heap block in analysis/heap; Low, High its addresses
	Address           // Low, High: some bytes
	Set               // Name of the cache level, ID of the set
	Time              // Span
	Design            // ID of a design point
	Subspace          // ID of a combination of parameters in analysis/dse
	Instructions      // Name: their addresses, see OfInstructions; File, Line: what one of them comes from
	// of a log of allocations: Name; ID of the heap block concerned, -1 for none; Low, High its addresses
	Error
)

// Thing identifies something that can be selected or hovered: OfLine, OfBlock and so on make those of each kind. It is
// comparable: equal things are the same thing. What belongs to one pane alone, such as a row of its list, is no Thing
// but of a type of the pane's own.
type Thing struct {
	What      What
	File      string
	Line      int
	Name      string
	ID        int
	Low, High traceio.Addr
	Span      Range
}

// State is everything that the views agree on.
type State struct {
	Cursor   traceio.Seq // now
	Part     float64     // share of the cursor's reference that has passed, 0..1; 1 unless it is being played slowly
	Stride   int         // references that one frame of playback takes at a time, 1 unless it is a time-lapse
	Window   Range       // the span of time that the views show
	Selected Thing
	Hover    Thing
	Origin   string // the view where Selected was made: "heap map"
}

// Link holds the State and calls its listeners after every change.
type Link struct {
	state     State
	undo      []step
	redo      []step
	listeners map[int]func(old, now State)
	order     []int
	next      int
}

// New is a link whose window and cursor start at the given state.
func New(s State) *Link {
	s.Part, s.Stride = 1, 1
	return &Link{state: s, listeners: map[int]func(old, now State){}}
}

// State is the present state.
func (l *Link) State() State { return l.state }

// Subscribe calls f after every change, in order of subscription, until the returned function is called.
func (l *Link) Subscribe(f func(old, now State)) (cancel func()) {
	id := l.next
	l.next++
	l.listeners[id] = f
	l.order = append(l.order, id)
	return func() {
		delete(l.listeners, id)
		for i, o := range l.order {
			if o == id {
				l.order = append(l.order[:i:i], l.order[i+1:]...)
				break
			}
		}
	}
}

// SetCursor moves the present to reference s, done; it is not an undoable step.
func (l *Link) SetCursor(s traceio.Seq) { l.SetMoment(s, 1) }

// SetMoment moves the present into reference s, of which the given part has passed; it is not an undoable step.
func (l *Link) SetMoment(s traceio.Seq, part float64) {
	now := l.state
	now.Cursor, now.Part, now.Stride = s, part, 1
	l.set(now)
}

// SetLapse moves the present to reference s, done, as a frame of a time-lapse that takes stride references at a time;
// it is not an undoable step.
func (l *Link) SetLapse(s traceio.Seq, stride int) {
	now := l.state
	now.Cursor, now.Part, now.Stride = s, 1, max(1, stride)
	l.set(now)
}

// SetHover says what lies under the pointer; it is not an undoable step.
func (l *Link) SetHover(t Thing) {
	now := l.state
	now.Hover = t
	l.set(now)
}

// SetWindow changes the visible span; undoable.
func (l *Link) SetWindow(r Range) {
	if r.Empty() || r == l.state.Window {
		return
	}
	l.push("range of time", nil)
	now := l.state
	now.Window = r
	l.set(now)
}

// SlideWindow changes the visible span as the continuation of the SetWindow that began a drag: the two are one undoable
// step.
func (l *Link) SlideWindow(r Range) {
	if r.Empty() {
		return
	}
	now := l.state
	now.Window = r
	l.set(now)
}

// Select chooses a thing, naming the view it was chosen in; undoable. Selecting Nothing clears.
func (l *Link) Select(t Thing, origin string) {
	if t == l.state.Selected {
		return
	}
	l.push(choice(t), nil)
	now := l.state
	now.Selected, now.Origin = t, origin
	if t.What == Nothing {
		now.Origin = ""
	}
	l.set(now)
}

// Reselect changes the selection as the continuation of the Select that began a drag: the two are one undoable step.
func (l *Link) Reselect(t Thing) {
	now := l.state
	now.Selected = t
	l.set(now)
}

// Put goes to a window of time, a present and a selection all at once, as a session or a bookmark file says; it is not
// an undoable step. The caller makes it a part of one (see Choose), or forgets the steps before it (see Forget).
func (l *Link) Put(window Range, cursor traceio.Seq, selected Thing, origin string) {
	now := l.state
	if !window.Empty() {
		now.Window = window
	}
	now.Cursor, now.Part, now.Stride, now.Selected, now.Origin = cursor, 1, 1, selected, origin
	if selected.What == Nothing {
		now.Origin = ""
	}
	l.set(now)
}

// Clear drops the selection; undoable.
func (l *Link) Clear() { l.Select(Thing{}, "") }

// set publishes a state; equal states are not news, so echoes between views die out.
func (l *Link) set(now State) {
	old := l.state
	if now == old {
		return
	}
	l.state = now
	for _, id := range append([]int(nil), l.order...) {
		if f := l.listeners[id]; f != nil {
			f(old, now)
		}
	}
}

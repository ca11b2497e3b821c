package link

// step is one undoable step: a change of the State, or of a setting that a view keeps for itself.
type step struct {
	name   string
	before State  // of a change of the State
	swap   func() // of a setting: exchanges its value with the one on the other side of the step
}

// undoDepth bounds the memory of steps; nobody goes back further by hand.
const undoDepth = 200

// Choose changes a setting of a view, which is the view's own (colours, an alphabet, a picture), as an undoable step.
// name says what the step changes, in words for a menu: "colours". after runs when the value is there: now, and after
// every Undo and Redo of the step. What writes to the setting without Choose continues the step before it, as a drag
// does: the two are taken back together. Tell listeners what else follows from it in after.
func Choose[T any](l *Link, name string, at *T, to T, after func()) {
	other := *at
	*at = to
	l.push(name, func() {
		*at, other = other, *at
		after()
	})
	after()
}

// Forget drops all steps: what they led from is gone.
func (l *Link) Forget() { l.undo, l.redo = nil, nil }

// Undo takes the last step back and reports whether there was one. The cursor stays.
func (l *Link) Undo() bool { return l.step(&l.undo, &l.redo) }

// Redo repeats what Undo took back and reports whether there was something.
func (l *Link) Redo() bool { return l.step(&l.redo, &l.undo) }

// Undoable names the step that Undo would take back: "range of time", "colours"; "" when there is none.
func (l *Link) Undoable() string { return top(l.undo) }

// Redoable names the step that Redo would repeat; "" when there is none.
func (l *Link) Redoable() string { return top(l.redo) }

func top(list []step) string {
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1].name
}

func (l *Link) push(name string, swap func()) {
	l.undo = append(l.undo, step{name, l.state, swap})
	if len(l.undo) > undoDepth {
		l.undo = l.undo[1:]
	}
	l.redo = nil
}

func (l *Link) step(from, to *[]step) bool {
	n := len(*from)
	if n == 0 {
		return false
	}
	s := (*from)[n-1]
	*from = (*from)[:n-1]
	*to = append(*to, step{s.name, l.state, s.swap})
	if s.swap != nil {
		s.swap()
		return true
	}
	now := s.before
	now.Cursor, now.Part, now.Stride, now.Hover = l.state.Cursor, l.state.Part, l.state.Stride, l.state.Hover
	l.set(now)
	return true
}

// choice names the step that selects a thing.
func choice(t Thing) string {
	if t.What == Nothing {
		return "clear the selection"
	}
	return "selection"
}

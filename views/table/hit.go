package table

import (
	"orrery/views/link"
	"orrery/views/scene"
)

// Target is what lies under the pointer.
type Target struct {
	Word   int // of the choices, -1 for none
	Filter bool
	Head   bool // Column is a head's, -1 for the names
	Column int
	Row    int // index into Rows, -1 for none
	Thing  link.Thing
	Lines  []string // of the tooltip
}

// Hit returns what lies at p.
func Hit(s State, room scene.Size, p scene.Point) Target {
	t := Target{Word: -1, Row: -1, Column: -1}
	if c, at := s.choosing(); c.Hit(at, p) >= 0 {
		t.Word = c.Hit(at, p)
		return t
	}
	if s.field(room).Contains(p) {
		t.Filter = true
		t.Lines = []string{"shows the rows that have these words", "Ctrl+Shift+F writes here, Escape clears it"}
		return t
	}
	if len(s.Rows) == 0 || p.X < 0 || p.X >= room.W || p.Y < bar || p.Y >= room.H {
		return t
	}
	l := place(&s, room)
	if p.X >= l.name {
		for k := range s.Columns {
			if p.X >= l.left[k] && p.X < l.right[k] {
				t.Column = k
			}
		}
	}
	if p.Y < l.top {
		if t.Head = p.X < l.name || t.Column >= 0; t.Column >= 0 {
			t.Lines = []string{s.Columns[t.Column].Tip, "click to sort by it, again to turn the order around"}
		}
		return t
	}
	k := int((p.Y - l.top + s.Scroll) / row)
	if k < 0 || k >= len(l.order) {
		return t
	}
	t.Row = l.order[k]
	r := &s.Rows[t.Row]
	t.Thing, t.Lines = r.Thing, []string{r.Name}
	if r.Note != "" {
		t.Lines = append(t.Lines, r.Note)
	}
	for i, c := range s.Columns {
		if text := write(c.Format, r.Values[i]); text != "" {
			t.Lines = append(t.Lines, text+"  "+c.Tip)
		}
	}
	return t
}

// Package rows is what panes with a table have in common: rows are gone through, filtered, sorted, selected and
// written to a file, all the same way. What the rows are is the pane's.
package rows

import (
	"orrery/app/output"
	"orrery/app/panes"
	"orrery/app/panes/toolbar"
	"orrery/app/shell"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/table"
)

// Rows is such a pane, but for its title. Its methods belong to the interface's goroutine.
type Rows struct {
	panes.Base
	Link *link.Link
	Host *shell.Host

	Table  func(theme palette.Theme) table.State // with its order; without what is kept here
	Words  func(i int)                           // chooses a word above the table
	Sorted func(s table.State)                   // takes the order of a state

	Filter toolbar.Text
	Scroll float64
	Across float64

	over   int        // the word under the pointer
	reveal link.Thing // to be brought into view
	page   int        // rows that were seen at once
}

// New is a pane whose functions are set before it is drawn.
func New(b panes.Base) Rows {
	return Rows{Base: b, Link: b.Panes().Link, Host: b.Panes().Host, over: -1, page: 10}
}

// Fill gives the pane what it does; what p leaves out is what panes with a table do.
func (v *Rows) Fill(p panes.Parts) {
	if p.Paint == nil {
		p.Paint = v.Picture
	}
	if p.Hover == nil {
		p.Hover = v.Under
	}
	if p.Leave == nil {
		p.Leave = v.Forget
	}
	if p.Press == nil {
		p.Press = v.PressRow
	}
	if p.Wheel == nil {
		p.Wheel = v.Turn
	}
	if p.Tip == nil {
		p.Tip = v.Lines
	}
	p.Concerns = func(old, now link.State) bool { return old.Selected != now.Selected || old.Hover != now.Hover }
	v.Parts = p
}

// State is the table as it is shown.
func (v *Rows) State(theme palette.Theme) table.State {
	s, l := v.Table(theme), v.Link.State()
	s.Filter, s.Over, s.Typing = v.Filter.Content, v.over, v.Filter.Typing
	s.Hover, s.Selected, s.Scroll, s.Across = l.Hover.AsLine(), l.Selected.AsLine(), v.Scroll, v.Across
	return s
}

// Picture is the table in a room.
func (v *Rows) Picture(size scene.Size, theme palette.Theme) scene.Drawing {
	s := v.State(theme)
	if v.reveal.What != link.Nothing {
		v.Scroll = table.Reveal(s, size, v.reveal)
		v.reveal = link.Thing{}
	}
	down, across := table.Overflow(s, size)
	v.Scroll, v.Across = max(0, min(v.Scroll, down)), max(0, min(v.Across, across))
	v.page = max(1, int(size.H/22)-3)
	s.Scroll, s.Across = v.Scroll, v.Across
	return table.Scene(s, size)
}

func (v *Rows) hit(e pane.Event) table.Target {
	return table.Hit(v.State(e.Theme), e.Size, e.At)
}

// Under is what lies under the pointer.
func (v *Rows) Under(e pane.Event) link.Thing {
	t := v.hit(e)
	if t.Word != v.over {
		v.over = t.Word
		v.Redraw()
	}
	return t.Thing
}

// Forget forgets the pointer.
func (v *Rows) Forget() { v.over = -1 }

// Lines are those of the tooltip.
func (v *Rows) Lines(e pane.Event) []string { return v.hit(e).Lines }

// PressRow sorts by a head, chooses a word, writes the filter, or selects a row's thing; a second press on the row lets
// go.
func (v *Rows) PressRow(e pane.Event) {
	t := v.hit(e)
	if t.Filter != v.Filter.Typing {
		v.Filter.Typing = t.Filter
		v.Redraw()
	}
	switch {
	case t.Word >= 0:
		v.Words(t.Word)
	case t.Head:
		v.sort(table.Press(v.State(e.Theme), t.Column))
	case t.Thing.What == link.Nothing:
	case t.Thing == v.Link.State().Selected:
		v.Link.Clear()
	default:
		v.Link.Select(t.Thing, string(v.ID()))
	}
}

func (v *Rows) sort(s table.State) {
	v.Scroll = 0
	v.Sorted(s)
}

// SortNext sorts by the next column, the names after the last.
func (v *Rows) SortNext() {
	s := v.State(v.Theme())
	if len(s.Rows) > 0 {
		next := s.Sort + 1
		if next >= len(s.Columns) {
			next = -1
		}
		v.sort(table.Press(s, next))
	}
}

// SortOther turns the order around.
func (v *Rows) SortOther() {
	if s := v.State(v.Theme()); len(s.Rows) > 0 {
		v.sort(table.Press(s, s.Sort))
	}
}

// Typing implements pane.Keyer.
func (v *Rows) Typing() bool { return v.Filter.Typing }

// Key implements pane.Keyer: the filter takes what is written, the arrows go through the rows.
func (v *Rows) Key(name string, r rune) bool {
	if v.Filter.Typing {
		was := v.Filter.Content
		taken, leave := v.Filter.Write(name, r)
		if v.Filter.Content != was {
			v.Scroll = 0
		}
		v.Redraw()
		if !leave {
			return taken
		}
	}
	switch {
	case name == "Escape" && v.Filter.Content != "":
		v.Filter.Content, v.Scroll = "", 0
		v.Redraw()
	case name == "Up":
		v.step(-1)
	case name == "Down":
		v.step(1)
	case name == "Prior":
		v.step(-v.page)
	case name == "Next":
		v.step(v.page)
	default:
		return false
	}
	return true
}

// step selects another row.
func (v *Rows) step(by int) {
	if t := table.Step(v.State(v.Theme()), by); t.What != link.Nothing {
		v.reveal = t
		v.Link.Select(t, string(v.ID()))
	}
}

// StartTyping begins to write the filter.
func (v *Rows) StartTyping() {
	v.Show()
	v.Filter.Typing = true
	v.Redraw()
}

// Write keeps the table as it is shown in a file that the user names.
func (v *Rows) Write(name string) {
	if v.Host.SaveFile == nil {
		v.Show()
		return
	}
	data := table.CSV(v.State(v.Theme()))
	v.Host.SaveFile(name, func(path string) {
		v.Host.Save(path, func() error { return output.Write(path, data) }, func(err error) {
			if err != nil {
				v.Host.Failed("The table was not written: " + err.Error())
				return
			}
			v.Host.Notice("The table is in " + path)
		})
	})
}

// Choices offers to keep the table, and the orders.
func (v *Rows) Choices(save func(), filled bool) []pane.MenuItem {
	return []pane.MenuItem{{Title: "Write the table as CSV…", Run: save, Off: !filled},
		{Title: "Filter by name", Run: v.StartTyping}, {},
		{Title: "Sort by the next column", Run: v.SortNext}, {Title: "Turn the order around", Run: v.SortOther}}
}

// Turn follows the wheel.
func (v *Rows) Turn(e pane.Event, dx, dy float64) {
	if e.Mods.Shift { // which Fyne may have turned to the side already
		dx, dy = dx+dy, 0
	}
	v.Scroll -= dy * 60
	v.Across -= dx * 60
	v.Redraw()
}

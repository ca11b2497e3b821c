package document

import (
	"orrery/app/output"
	"orrery/app/session/toolbar"

	"orrery/app/shell"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/table"
)

// rows is what panes with a table have in common: rows are gone through, filtered, sorted and selected, all the same way.
// What the rows are is the pane's.
type rows struct {
	d      *Document
	slot   shell.Slot
	filter toolbar.Text
	scroll float64
	across float64
	over   int        // the word under the pointer
	reveal link.Thing // to be brought into view
	page   int        // rows that were seen at once

	table  func(theme palette.Theme) table.State // with its order; without what is kept here
	words  func(i int)                           // chooses a word above the table
	sorted func(s table.State)                   // takes the order of a state
}

func newRows(d *Document, slot shell.Slot) rows { return rows{d: d, slot: slot, over: -1, page: 10} }

// state is the table as it is shown.
func (v *rows) state(theme palette.Theme) table.State {
	s, l := v.table(theme), v.d.link.State()
	s.Filter, s.Over, s.Typing = v.filter.Content, v.over, v.filter.Typing
	s.Hover, s.Selected, s.Scroll, s.Across = l.Hover, l.Selected, v.scroll, v.across
	return s
}

func (v *rows) Draw(size scene.Size, theme palette.Theme) scene.Drawing {
	v.d.theme = theme
	s := v.state(theme)
	if v.reveal.What != link.Nothing {
		v.scroll = table.Reveal(s, size, v.reveal)
		v.reveal = link.Thing{}
	}
	down, across := table.Overflow(s, size)
	v.scroll, v.across = max(0, min(v.scroll, down)), max(0, min(v.across, across))
	v.page = max(1, int(size.H/22)-3)
	s.Scroll, s.Across = v.scroll, v.across
	return table.Scene(s, size)
}

func (v *rows) hit(e pane.Event) table.Target {
	return table.Hit(v.state(v.d.theme), e.Size, e.At)
}

func (v *rows) Moved(e pane.Event) {
	t := v.hit(e)
	v.d.link.SetHover(t.Thing)
	if t.Word != v.over {
		v.over = t.Word
		v.d.changed(v.slot)
	}
}

func (v *rows) Left() {
	v.over = -1
	v.d.link.SetHover(link.Thing{})
	v.d.changed(v.slot)
}

func (v *rows) Tip(e pane.Event) []string { return v.hit(e).Lines }

// Pressed sorts by a head, chooses a word, writes the filter, or selects a row's thing; a second press on the row lets go.
func (v *rows) Pressed(e pane.Event) {
	t := v.hit(e)
	if e.Button != pane.Primary {
		return
	}
	if t.Filter != v.filter.Typing {
		v.filter.Typing = t.Filter
		v.d.changed(v.slot)
	}
	switch {
	case t.Word >= 0:
		v.words(t.Word)
	case t.Head:
		v.sort(table.Press(v.state(v.d.theme), t.Column))
	case t.Thing.What == link.Nothing:
	case t.Thing == v.d.link.State().Selected:
		v.d.link.Clear()
	default:
		v.d.link.Select(t.Thing, string(v.slot))
	}
}

func (v *rows) sort(s table.State) {
	v.scroll = 0
	v.sorted(s)
}

// sortNext sorts by the next column, the names after the last.
func (v *rows) sortNext() {
	s := v.state(v.d.theme)
	if len(s.Rows) > 0 {
		next := s.Sort + 1
		if next >= len(s.Columns) {
			next = -1
		}
		v.sort(table.Press(s, next))
	}
}

// sortOther turns the order around.
func (v *rows) sortOther() {
	if s := v.state(v.d.theme); len(s.Rows) > 0 {
		v.sort(table.Press(s, s.Sort))
	}
}

// Typing implements pane.Keyer.
func (v *rows) Typing() bool { return v.filter.Typing }

// Key implements pane.Keyer: the filter takes what is written, the arrows go through the rows.
func (v *rows) Key(name string, r rune) bool {
	if v.filter.Typing {
		was := v.filter.Content
		taken, leave := v.filter.Write(name, r)
		if v.filter.Content != was {
			v.scroll = 0
		}
		v.d.changed(v.slot)
		if !leave {
			return taken
		}
	}
	switch {
	case name == "Escape" && v.filter.Content != "":
		v.filter.Content, v.scroll = "", 0
		v.d.changed(v.slot)
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
func (v *rows) step(by int) {
	if t := table.Step(v.state(v.d.theme), by); t.What != link.Nothing {
		v.reveal = t
		v.d.link.Select(t, string(v.slot))
	}
}

// startTyping begins to write the filter.
func (v *rows) startTyping() {
	v.d.show(v.slot)
	v.filter.Typing = true
	v.d.changed(v.slot)
}

// write keeps the table as it is shown in a file that the user names.
func (v *rows) write(name string) {
	d := v.d
	if d.host.SaveFile == nil {
		d.show(v.slot)
		return
	}
	data := table.CSV(v.state(d.theme))
	d.host.SaveFile(name, func(path string) {
		if err := output.Write(path, data); err != nil {
			d.host.Notice("The table was not written: " + err.Error())
			return
		}
		d.host.Notice("The table is in " + path)
	})
}

// menu offers to keep the table, and the orders.
func (v *rows) menu(save func(), filled bool) []pane.MenuItem {
	return []pane.MenuItem{{Title: "Write the table as CSV…", Run: save, Off: !filled}, {Title: "Filter by name", Run: v.startTyping}, {},
		{Title: "Sort by the next column", Run: v.sortNext}, {Title: "Turn the order around", Run: v.sortOther}}
}

func (v *rows) Scrolled(e pane.Event, dx, dy float64) {
	if e.Mods.Shift { // which the toolkit may have turned to the side already
		dx, dy = dx+dy, 0
	}
	v.scroll -= dy * 60
	v.across -= dx * 60
	v.d.changed(v.slot)
}

func (v *rows) Concerns(old, now link.State) bool {
	return old.Selected != now.Selected || old.Hover != now.Hover
}

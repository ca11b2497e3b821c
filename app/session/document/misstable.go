package document

import (
	"context"
	"os"
	"slices"
	"strings"
	"unicode"

	"orrery/app/jobs"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/table"
)

// tableView is the table of what lines, functions, regions or sets do in the caches. It is counted when it is looked at.
type tableView struct {
	d      *Document
	shown  tableChoices
	typing bool
	scroll float64
	across float64
	over   int
	reveal link.Thing // to be brought into view
	page   int        // rows that were seen at once

	found   *session.MissTable
	asked   tableKey
	problem string
	base    table.State // for
	key     tableState
}

// tableChoices are what the user chose: each change is a step that can be taken back.
type tableChoices struct {
	by     string
	sort   int
	upward bool
	set    bool // the user has sorted
}

type tableKey struct {
	rec    *session.Recording
	caches *session.Caches
	by     string
}

type tableState struct {
	found  *session.MissTable
	theme  string
	choice tableChoices
	filter string
	cycles *session.Cycles // whose stretch the lines are coloured for
}

func newTableView(d *Document) *tableView {
	return &tableView{d: d, over: -1, page: 10, shown: tableChoices{by: "line"}}
}

func (v *tableView) Title() string { return "Table" }

func (v *tableView) Caption() string {
	if v.found == nil {
		return ""
	}
	return "misses by " + v.found.By + " · " + v.found.Config.Name
}

func (v *tableView) ask() {
	d := v.d
	if d.stopped || d.rec.Live() || d.rec.Sampled() || d.rec.EventsOnly() || d.caches == nil {
		return
	}
	key := tableKey{d.rec, d.caches, v.shown.by}
	if key == v.asked {
		return
	}
	v.asked, v.problem = key, ""
	config := d.caches.Config()
	jobs.Start(d.host.Engine, d.key("table"), "counting by "+key.by, func(ctx context.Context, report func(done, total int64)) (*session.MissTable, error) {
		return key.rec.FindMissTable(ctx, config, key.by, report)
	}, func(m *session.MissTable, err error) {
		if v.found = m; err != nil {
			v.problem = sentence(err)
		}
		d.changed(shell.Table)
	})
}

// filled tells whether there is a table.
func (v *tableView) filled() bool { return v.found != nil && len(v.found.Rows) > 0 }

// again forgets what was asked for and has not come.
func (v *tableView) again() {
	if v.found == nil || v.found.By != v.shown.by {
		v.asked = tableKey{}
	}
}

func (v *tableView) state(theme palette.Theme) table.State {
	d := v.d
	if v.found == nil {
		s := table.State{Theme: theme, Words: session.Keys(), Chosen: slices.Index(session.Keys(), v.shown.by), Over: v.over, Filter: v.base.Filter, Typing: v.typing}
		switch {
		case d.rec.EventsOnly():
			s.Empty = sentence(session.ErrEventsOnly)
		case d.rec.Live():
			s.Empty = "What each line does in the caches will be here when the recorder is done."
		case v.problem != "":
			s.Empty = v.problem
		case d.stopped:
			s.Empty = "Counting " + goOn
		default:
			s.Empty = "Counting references and misses …"
		}
		return s
	}
	key := tableState{v.found, theme.Name, v.shown, v.base.Filter, d.cycles.found}
	if key != v.key {
		filter := v.base.Filter
		if key.found != v.key.found || key.theme != v.key.theme || key.cycles != v.key.cycles {
			v.base = d.rec.Table(theme, v.found, d.cycles.colors)
			v.base.Filter = filter
		}
		fresh := d.rec.Table(theme, &session.MissTable{By: v.found.By, Config: v.found.Config}, nil)
		v.base.Sort, v.base.Upward, v.base.Order = fresh.Sort, false, nil
		if v.shown.set {
			v.base.Sort, v.base.Upward = min(v.shown.sort, len(v.base.Columns)-1), v.shown.upward
		}
		v.base.Order = table.Arrange(v.base)
		v.key = key
	}
	s, l := v.base, d.link.State()
	s.Chosen, s.Over, s.Typing = slices.Index(session.Keys(), v.shown.by), v.over, v.typing
	s.Hover, s.Selected, s.Scroll, s.Across = l.Hover, l.Selected, v.scroll, v.across
	return s
}

func (v *tableView) Draw(size scene.Size, theme palette.Theme) scene.Drawing {
	v.d.theme = theme
	v.ask()
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

func (v *tableView) hit(e pane.Event) table.Target {
	return table.Hit(v.state(v.d.theme), e.Size, e.At)
}

func (v *tableView) Moved(e pane.Event) {
	t := v.hit(e)
	v.d.link.SetHover(t.Thing)
	if t.Word != v.over {
		v.over = t.Word
		v.d.changed(shell.Table)
	}
}

func (v *tableView) Left() {
	v.over = -1
	v.d.link.SetHover(link.Thing{})
	v.d.changed(shell.Table)
}

func (v *tableView) Tip(e pane.Event) []string { return v.hit(e).Lines }

// Pressed sorts by a head, chooses what is counted by, writes the filter, or selects a row's thing; a second press on the
// row lets go.
func (v *tableView) Pressed(e pane.Event) {
	t := v.hit(e)
	if e.Button != pane.Primary {
		return
	}
	if t.Filter != v.typing {
		v.typing = t.Filter
		v.d.changed(shell.Table)
	}
	switch {
	case t.Word >= 0:
		v.by(session.Keys()[t.Word])
	case t.Head:
		v.sort(table.Press(v.state(v.d.theme), t.Column))
	case t.Thing.What == link.Nothing:
	case t.Thing == v.d.link.State().Selected:
		v.d.link.Clear()
	default:
		v.d.link.Select(t.Thing, "table")
	}
}

func (v *tableView) choose(name string, now tableChoices) {
	if now != v.shown {
		link.Choose(v.d.link, name, &v.shown, now, func() { v.d.changed(shell.Table) })
	}
}

// by chooses what is counted by; the columns may be others, so they sort as they come.
func (v *tableView) by(key string) {
	v.scroll = 0
	v.choose("what the table counts by", tableChoices{by: key})
}

// sort takes the order of a state.
func (v *tableView) sort(s table.State) {
	v.scroll = 0
	v.choose("order of the table", tableChoices{by: v.shown.by, sort: s.Sort, upward: s.Upward, set: true})
}

// sortNext sorts by the next column, the names after the last.
func (v *tableView) sortNext() {
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
func (v *tableView) sortOther() {
	if s := v.state(v.d.theme); len(s.Rows) > 0 {
		v.sort(table.Press(s, s.Sort))
	}
}

// Typing implements pane.Keyer.
func (v *tableView) Typing() bool { return v.typing }

// Key implements pane.Keyer: the filter takes what is written, the arrows go through the rows.
func (v *tableView) Key(name string, r rune) bool {
	if v.typing {
		return v.write(name, r)
	}
	switch {
	case name == "Escape" && v.base.Filter != "":
		v.filter("")
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

// write edits the filter. Everything that is pressed meanwhile is meant for it, but for F-keys.
func (v *tableView) write(name string, r rune) bool {
	switch {
	case name == "Escape":
		v.typing = v.base.Filter != ""
		v.filter("")
	case name == "Return" || name == "KP_Enter" || name == "Tab":
		v.typing = false
	case name == "BackSpace":
		if text := []rune(v.base.Filter); len(text) > 0 {
			v.filter(string(text[:len(text)-1]))
		}
	case name == "Up" || name == "Down":
		v.typing = false
		return v.Key(name, r)
	case r != 0 && unicode.IsPrint(r) && len(v.base.Filter) < 200:
		v.filter(v.base.Filter + string(r))
	case len(name) > 1 && name[0] == 'F':
		return false
	}
	v.d.changed(shell.Table)
	return true
}

func (v *tableView) filter(text string) {
	v.base.Filter, v.scroll = text, 0
	v.d.changed(shell.Table)
}

// step selects another row.
func (v *tableView) step(by int) {
	if t := table.Step(v.state(v.d.theme), by); t.What != link.Nothing {
		v.reveal = t
		v.d.link.Select(t, "table")
	}
}

// startTyping begins to write the filter.
func (v *tableView) startTyping() {
	v.d.show(shell.Table)
	v.typing = true
	v.d.changed(shell.Table)
}

// save writes the table as it is shown.
func (v *tableView) save() {
	d := v.d
	if v.found == nil || d.host.SaveFile == nil {
		d.show(shell.Table)
		return
	}
	data := table.CSV(v.state(d.theme))
	name := strings.TrimSuffix(d.rec.Name(), ".orr") + "-" + v.found.By + ".csv"
	d.host.SaveFile(name, func(path string) {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			d.host.Notice("The table was not written: " + err.Error())
			return
		}
		d.host.Notice("The table is in " + path)
	})
}

// Menu offers to keep the table, and the orders.
func (v *tableView) Menu(pane.Event) []pane.MenuItem {
	return []pane.MenuItem{{Title: "Write the table as CSV…", Run: v.save, Off: v.found == nil}, {Title: "Filter by name", Run: v.startTyping}, {},
		{Title: "Sort by the next column", Run: v.sortNext}, {Title: "Turn the order around", Run: v.sortOther}}
}

func (v *tableView) Scrolled(e pane.Event, dx, dy float64) {
	if e.Mods.Shift {
		dx, dy = dy, 0
	}
	v.scroll -= dy * 60
	v.across -= dx * 60
	v.d.changed(shell.Table)
}

func (v *tableView) Concerns(old, now link.State) bool {
	return old.Selected != now.Selected || old.Hover != now.Hover
}

package recording

import (
	"context"
	"slices"
	"strings"

	"orrery/app/panes"
	"orrery/app/panes/rows"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/table"
)

// tableView is the table of what lines, functions, regions or sets do in the caches. It is counted when it is looked
// at.
type tableView struct {
	rows.Rows
	d     *Document
	shown tableChoices

	counts *panes.Lazy[tableKey, *session.MissTable]
	base   table.State // for
	key    tableState
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
	found    *session.MissTable
	theme    string
	choice   tableChoices
	filter   string
	cycles   *session.Cycles // whose stretch the lines are coloured for
	baseline *baseline       // that is compared with
}

func newTableView(d *Document, b panes.Base) *tableView {
	v := &tableView{Rows: rows.New(b), d: d, shown: tableChoices{by: "line"}}
	v.Table, v.Sorted = v.counted, v.order
	v.Fill(panes.Parts{Paint: v.paint, Caption: v.caption, Menu: v.menu})
	v.Words = func(i int) { v.by(session.Keys()[i]) }
	v.counts = panes.NewLazy(d.set, panes.Work[tableKey, *session.MissTable]{Name: "table", Quiet: true,
		Title: func(k tableKey) string { return "counting by " + k.by },
		Run: func(ctx context.Context, k tableKey, report func(done, total int64)) (*session.MissTable, error) {
			return k.rec.FindMissTable(ctx, k.caches.Config(), k.by, report)
		}})
	return v
}

func (v *tableView) caption() string {
	m := v.found()
	if m == nil {
		return ""
	}
	return "misses by " + m.By + " · " + m.Config.Name
}

// found is the newest table, nil for none.
func (v *tableView) found() *session.MissTable {
	if m, _, ok := v.counts.Newest(); ok && v.counts.Err() == nil {
		return m
	}
	return nil
}

// want has the table of what is chosen counted.
func (v *tableView) want() {
	if d := v.d; !d.rec.Live() && !d.rec.Sampled() && d.lacking() == "" && d.caches() != nil {
		v.counts.For(tableKey{d.rec, d.caches(), v.shown.by})
	}
}

// filled tells whether there is a table.
func (v *tableView) filled() bool { return v.found() != nil && len(v.found().Rows) > 0 }

// counted is the table without what the pane does with it.
func (v *tableView) counted(theme palette.Theme) table.State {
	d, found := v.d, v.found()
	if found == nil {
		s := table.State{Theme: theme, Words: session.Keys(), Chosen: slices.Index(session.Keys(), v.shown.by)}
		switch {
		case d.lacking() != "":
			s.Empty = d.lacking()
		case d.rec.Live():
			s.Empty = "What each line does in the caches will be here when the recorder is done."
		case v.counts.Err() != nil:
			s.Empty = v.counts.Say("")
		case d.set.Stopped():
			s.Empty = "Counting " + goOn
		default:
			s.Empty = "Counting references and misses …"
		}
		return s
	}
	key := tableState{found, theme.Name, v.shown, v.Filter.Content, d.cycles.found, d.rings.compared()}
	if key != v.key {
		if key.found != v.key.found || key.theme != v.key.theme || key.cycles != v.key.cycles ||
			key.baseline != v.key.baseline {
			if key.baseline != nil {
				found = found.Beside(key.baseline.whole.Baseline(found.By))
			}
			v.base = d.rec.Table(theme, found, d.cycles.colors)
		}
		v.base.Filter = v.Filter.Content
		fresh := d.rec.Table(theme, &session.MissTable{By: key.found.By, Config: key.found.Config}, nil)
		v.base.Sort, v.base.Upward, v.base.Order = fresh.Sort, false, nil
		if v.shown.set {
			v.base.Sort, v.base.Upward = min(v.shown.sort, len(v.base.Columns)-1), v.shown.upward
		}
		v.base.Order = table.Arrange(v.base)
		v.key = key
	}
	s := v.base
	s.Chosen = slices.Index(session.Keys(), v.shown.by)
	return s
}

func (v *tableView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	v.d.cycles.read(v.d)
	v.want()
	return v.Picture(size, theme)
}

func (v *tableView) choose(name string, now tableChoices) {
	if now != v.shown {
		link.Choose(v.d.link, name, &v.shown, now, func() { v.Redraw() })
	}
}

// by chooses what is counted by; the columns may be others, so they sort as they come.
func (v *tableView) by(key string) {
	v.Scroll = 0
	v.choose("what the table counts by", tableChoices{by: key})
}

// order takes the order of a state.
func (v *tableView) order(s table.State) {
	v.choose("order of the table", tableChoices{by: v.shown.by, sort: s.Sort, upward: s.Upward, set: true})
}

// save writes the table as it is shown.
func (v *tableView) save() {
	if v.found() == nil {
		v.d.show(shell.Table)
		return
	}
	v.Write(strings.TrimSuffix(v.d.rec.Name(), ".orr") + "-" + v.found().By + ".csv")
}

// menu offers to keep the table, and the orders.
func (v *tableView) menu(pane.Event) []pane.MenuItem { return v.Choices(v.save, v.found() != nil) }

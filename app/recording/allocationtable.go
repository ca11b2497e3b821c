package recording

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"orrery/analysis/heap"
	"orrery/app/panes"
	"orrery/app/panes/rows"
	"orrery/app/panes/toolbar"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/views/heapmap"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/table"
)

// sitesView is the tables of the heap: places that allocate, leaks, temporary blocks and so on, each with a sentence
// below.
type sitesView struct {
	rows.Rows
	d     *Document
	shown sitesChoices
	few   int // blocks whose tables are made while the interface waits, in milliseconds

	tables  *panes.Lazy[sitesKey, sitesTable]
	base    table.State // in the order
	told    []string
	order   sitesOrder // that the base is in
	ordered bool
}

// sitesChoices are what the user chose: each change is a step that can be taken back.
type sitesChoices struct {
	table  string // one of session.AllocationTables
	than   string // the file of the run that this one is compared with
	sort   int
	upward bool
	set    bool // the user has sorted
}

// sitesKey is what a table depends on.
type sitesKey struct {
	rec         *session.Recording
	heap        *heap.Heap
	usage       *heap.Usage
	both        *heap.Comparison
	theme       palette.Theme
	unit        string // of time
	table, than string
}

// sitesOrder is what its order depends on beside.
type sitesOrder struct {
	key    sitesKey
	made   bool
	choice sitesChoices
	filter string
}

func newSitesView(d *Document, b panes.Base) *sitesView {
	v := &sitesView{Rows: rows.New(b), d: d, shown: sitesChoices{table: "sites"}, few: 50_000}
	v.Table, v.Sorted = v.present, v.reorder
	v.Fill(panes.Parts{Paint: v.paint, Caption: v.caption, Chips: v.chips, Press: v.press, Menu: v.menu,
		Hover: func(e pane.Event) link.Thing { return v.Under(v.inner(e)) },
		Tip:   func(e pane.Event) []string { return v.Lines(v.inner(e)) }})
	v.tables = panes.NewLazy(d.set, panes.Work[sitesKey, sitesTable]{Name: "heap table",
		Title: func(sitesKey) string { return "listing allocations" },
		Run: func(_ context.Context, k sitesKey, _ func(done, total int64)) (sitesTable, error) {
			a := session.Allocating{Heap: k.heap, Usage: k.usage, Baseline: k.both, Than: k.than, Unit: k.unit}
			return sitesTable{k.rec.AllocationTable(k.theme, a, k.table), a.Told(k.table)}, nil
		},
		AtOnce: func(k sitesKey) bool { return k.heap.Count() <= v.few }})
	return v
}

func (v *sitesView) caption() string {
	if v.d.rec.Heap.Count() == 0 {
		return ""
	}
	for _, t := range session.AllocationTables {
		if t.Key == v.shown.table {
			return strings.ToLower(t.Title[:1]) + t.Title[1:]
		}
	}
	return ""
}

// wanted is what the table depends on now.
func (v *sitesView) wanted(theme palette.Theme) sitesKey {
	d := v.d
	key := sitesKey{rec: d.rec, heap: d.rec.Heap, theme: theme, unit: d.timeUnit(), table: v.shown.table,
		than: v.shown.than}
	switch key.table {
	case "use":
		key.usage = d.blockUse()
	case "against":
		if key.than != "" {
			key.both = d.against(key.than)
		}
	}
	return key
}

// present is the table without what the pane does with it.
func (v *sitesView) present(theme palette.Theme) table.State {
	key := v.wanted(theme)
	t, ok := v.tables.For(key)
	if !ok {
		t = sitesTable{state: table.State{Theme: theme}}
	}
	v.told = t.told
	if order := (sitesOrder{key, ok, v.shown, v.Filter.Content}); !v.ordered || order != v.order {
		v.ordered, v.order = true, order
		v.base = t.state
		if v.shown.set {
			v.base.Sort, v.base.Upward = min(v.shown.sort, len(v.base.Columns)-1), v.shown.upward
		}
		v.base.Filter = v.Filter.Content
		v.base.Order = table.Arrange(v.base)
	}
	s := v.base
	for _, c := range v.Bar.Left(v.chips(), theme) {
		s.Taken = c.At.X + c.Row.Width()
	}
	s.Empty = v.empty()
	return s
}

// making tells whether the table is being made.
func (v *sitesView) making() bool { return v.tables.Running() }

// sitesTable is a table that was made, with its sentences.
type sitesTable struct {
	state table.State
	told  []string
}

// empty says why a table has no rows.
func (v *sitesView) empty() string {
	d := v.d
	switch {
	case d.rec.Heap.Count() == 0 && len(d.rec.Heap.Errors) == 0:
		return "No allocations in this recording."
	case v.shown.table == "use" && d.rec.EventsOnly():
		return "A log of allocations alone does not tell what is done with the blocks; orrery record does."
	case v.shown.table == "use" && d.rec.Live():
		return "What references do with the blocks will be here when the recorder is done."
	case v.shown.table == "use" && d.rec.Sampled(), v.shown.table == "use" && d.knownUse() == nil && !d.set.Stopped():
		return "Following references into blocks …"
	case v.shown.table == "against" && v.shown.than == "":
		return "Choose a run to compare with, by the chip above."
	case v.shown.table == "against" && d.against(v.shown.than) == nil && !d.set.Stopped():
		return "Comparing with " + filepath.Base(v.shown.than) + " …"
	case d.set.Stopped() && (v.shown.table == "use" || v.shown.table == "against"):
		return "The table " + goOn
	case v.making():
		return "Listing …"
	case len(v.told) > 0:
		return v.told[0]
	}
	return "Nothing."
}

// Room of the sentences below the table.
const (
	sayRoom = 16.0
	sayPad  = 7.0
)

// sentences are the lines below the table in a pane of the given size.
func (v *sitesView) sentences(size scene.Size) []string {
	if len(v.base.Rows) == 0 || size.H < 150 {
		return nil
	}
	var out []string
	for _, s := range v.told {
		out = append(out, scene.Wrap(scene.Sans, 11, s, size.W-24)...)
	}
	return out[:min(len(out), int((size.H-110)/sayRoom))]
}

// upper is the room of the table.
func (v *sitesView) upper(size scene.Size) scene.Size {
	if n := len(v.sentences(size)); n > 0 {
		size.H -= float64(n)*sayRoom + sayPad
	}
	return size
}

func (v *sitesView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	v.present(theme) // the sentences are those of the table that is drawn
	upper := v.upper(size)
	d := v.Picture(upper, theme)
	d.Size = size
	if upper.H < size.H {
		d.Add(scene.Fill{Path: scene.Box(scene.R(0, upper.H, size.W, size.H-upper.H)), Color: theme.Panel},
			scene.Stroke{Path: scene.Segment(10, upper.H+0.5, size.W-10, upper.H+0.5), Width: 1, Color: theme.Line})
	}
	for i, line := range v.sentences(size) {
		d.Add(scene.Text{At: scene.Point{X: 12, Y: upper.H + sayPad + sayRoom*float64(i) + 9}, Size: 11, Color: theme.Text,
			Max: size.W - 20, S: line})
	}
	return d
}

// chips are which table and, for the comparison, with which run.
func (v *sitesView) chips() []toolbar.Chip {
	list := toolbar.Chip{Name: "table", Word: v.shown.table}
	for _, t := range session.AllocationTables {
		if t.Key == "against" {
			continue // its chip has it
		}
		list.List = append(list.List, toolbar.Choice{ID: t.Key, Title: t.Title, On: v.shown.table == t.Key, Run: func() {
			v.list(t.Key)
		}})
	}
	return []toolbar.Chip{list, v.versusChip()}
}

// versusChip are the choices of what to compare with.
func (v *sitesView) versusChip() toolbar.Chip {
	c := toolbar.Chip{Name: "compare", Word: "compare"}
	against := v.shown.table == "against"
	if against {
		c.Word = scene.Ellipsis(scene.Sans, 10.5, "against "+stem(v.shown.than), toolWidth)
	}
	c.List = append(c.List, toolbar.Choice{Title: "Compare with nothing", On: !against, Run: func() { v.compare("") }})
	now := ""
	if against {
		now = v.shown.than
	}
	c.List = append(c.List, panes.BaselineChoices(&v.d.host, v.d.rings.neighbours(), "Compare with",
		"a recording or a log", now, v.compare)...)
	return c
}

func (v *sitesView) choose(name string, now sitesChoices) {
	if now != v.shown {
		v.Scroll, v.Across = 0, 0
		link.Choose(v.d.link, name, &v.shown, now, func() {
			if v.shown.than == "" {
				v.d.other.Forget()
			}
			v.Redraw()
		})
	}
}

// list chooses a table; its columns are others, so they sort as they come.
func (v *sitesView) list(key string) {
	v.choose("table of the heap", sitesChoices{table: key, than: v.shown.than})
}

// compare chooses the run to compare with; "" is none.
func (v *sitesView) compare(path string) {
	key := "against"
	if path == "" {
		if key = v.shown.table; key == "against" {
			key = "sites"
		}
	}
	v.choose("comparison of heaps", sitesChoices{table: key, than: path})
}

func (v *sitesView) reorder(s table.State) {
	now := v.shown
	now.sort, now.upward, now.set = s.Sort, s.Upward, true
	v.choose("order of the sites", now)
}

// inner is an event as the table sees it.
func (v *sitesView) inner(e pane.Event) pane.Event {
	e.Size = v.upper(e.Size)
	return e
}

func (v *sitesView) press(e pane.Event) { v.following(func() { v.PressRow(v.inner(e)) }) }

// Key implements pane.Keyer.
func (v *sitesView) Key(name string, r rune) (taken bool) {
	v.following(func() { taken = v.Rows.Key(name, r) })
	return taken
}

// following brings the time cursor to the event of an error that a choice selects.
func (v *sitesView) following(choice func()) {
	l := v.d.link
	was := l.State().Selected
	choice()
	if now := l.State().Selected; now != was {
		if i := heapmap.ErrorOf(v.d.rec.Heap, now); i >= 0 {
			l.SetCursor(min(v.d.rec.Heap.Errors[i].Seq, max(1, v.d.rec.Extent())-1))
		}
	}
}

// filled tells whether there is a table.
func (v *sitesView) filled() bool { return len(v.base.Rows) > 0 }

// save writes the table as it is shown.
func (v *sitesView) save() {
	if !v.filled() {
		v.d.show(shell.Sites)
		return
	}
	v.Write(strings.TrimSuffix(v.d.rec.Name(), ".orr") + "-heap-" + v.shown.table + ".csv")
}

// menu offers to keep the table, and the orders.
func (v *sitesView) menu(pane.Event) []pane.MenuItem { return v.Choices(v.save, v.filled()) }

// commands are the tables on the keyboard and in the palette.
func (v *sitesView) commands() []shell.Command {
	some := func() bool { return v.d.rec.Heap.Count()+len(v.d.rec.Heap.Errors) > 0 }
	list := []shell.Command{
		{ID: "sites.filter", Title: "Filter the tables of the heap", Menu: "Edit", Run: v.StartTyping, Enabled: some},
		{ID: "sites.save", Also: "export spreadsheet", Title: "Write the table of the heap as CSV…", Menu: "File",
			Run: v.save, Enabled: v.filled},
	}
	for _, c := range v.chips() {
		for _, o := range c.List {
			if o.ID != "" {
				list = append(list, shell.Command{ID: "sites." + o.ID, Title: "Heap: " + strings.ToLower(o.Title[:1]) + o.Title[1:],
					Run: func() {
						v.d.show(shell.Sites)
						o.Run()
					}, Enabled: some})
			}
		}
	}
	return slices.Clip(list)
}

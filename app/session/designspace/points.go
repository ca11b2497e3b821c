package designspace

import (
	"bytes"
	"fmt"
	"reflect"
	"sort"
	"strings"

	"orrery/analysis/dse"
	"orrery/app/output"
	"orrery/app/session/rowpane"
	"orrery/app/shell"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/table"
	"orrery/views/words"
)

// pointsView is the table of the designs that pass the filter.
type pointsView struct {
	rowpane.Rows
	e     *Explorer
	shown pointsChoices

	passed passed // that base is made of
	base   table.State
	key    pointsKey // of its order
}

// pointsChoices are what the user chose: each change is a step that can be taken back.
type pointsChoices struct {
	sort   int
	upward bool
}

type pointsKey struct {
	pointsChoices
	filter string
}

// mostRows is how many designs the table lists; what is written to a file is all.
const mostRows = 20_000

func newPointsView(e *Explorer) *pointsView {
	v := &pointsView{e: e, shown: pointsChoices{sort: 0, upward: true}}
	v.Rows = rowpane.New(e.link, &e.host, shell.Points, func() { e.changed(shell.Points) }, func() { e.show(shell.Points) })
	v.Table, v.Words = v.present, func(int) {}
	v.Sorted = func(s table.State) {
		next := pointsChoices{s.Sort, s.Upward}
		link.Choose(e.link, "order of the designs", &v.shown, next, v.Changed)
	}
	return v
}

func (v *pointsView) Title() string { return "Points" }

func (v *pointsView) Caption() string {
	if v.e.space == nil {
		return ""
	}
	n := v.e.space.N
	if pass := v.e.Pass(); pass != nil {
		n = pass.Count()
	}
	text := fmt.Sprintf("%s of %s designs", words.Count(n), words.Count(v.e.space.N)) + v.e.when()
	if n > mostRows {
		text += fmt.Sprintf(" · the %s nearest to the front", words.Count(mostRows))
	}
	return text
}

// present is the table with its order.
func (v *pointsView) present(theme palette.Theme) table.State {
	e := v.e
	if e.space == nil {
		return table.State{Theme: theme, Empty: e.empty}
	}
	now := passed{e.then, e.applied, e.passed}
	key := pointsKey{v.shown, v.Filter.Content}
	if !reflect.DeepEqual(now, v.passed) {
		v.passed, v.base, v.key = now, rowsOf(e), pointsKey{filter: "\x00"}
	}
	if key != v.key {
		v.key = key
		v.base.Sort, v.base.Upward, v.base.Filter, v.base.Order = v.shown.sort, v.shown.upward, v.Filter.Content, nil
		v.base.Sort = min(v.base.Sort, len(v.base.Columns)-1)
		v.base.Order = table.Arrange(v.base)
	}
	s := v.base
	s.Theme = theme
	return s
}

// rowsOf is the table of the designs that pass: of more than there is room for those nearest to the front.
func rowsOf(e *Explorer) table.State {
	sp := e.space
	s := table.State{Title: "design", Empty: "The filter lets no design pass. Widen it, or press Escape in the spread."}
	for _, o := range sp.Objectives {
		title, good := o.Name, "small is good"
		if o.Unit != "" {
			title += ", " + o.Unit
		}
		if o.Maximise {
			good = "large is good"
		}
		s.Columns = append(s.Columns, table.Column{Title: title, Tip: o.Name + "; " + good, Format: table.Number})
	}
	s.Columns = append(s.Columns, table.Column{Title: "to the front", Tip: "distance to the nearest point of the global Pareto set, on normalised objectives", Format: table.Number})
	gens := sp.Generations.Known()
	if gens {
		s.Columns = append(s.Columns, table.Column{Title: "first", Tip: "generation in which it was evaluated first", Format: table.Count}, table.Column{Title: "last", Tip: "generation in which it was evaluated last", Format: table.Count})
	}
	list := passing(e)
	if len(list) > mostRows {
		sort.SliceStable(list, func(a, b int) bool { return sp.ToFront[list[a]] < sp.ToFront[list[b]] })
		list = list[:mostRows]
	}
	values := make([]float64, 0, len(list)*len(s.Columns))
	for _, p := range list {
		from := len(values)
		for o := range sp.Objectives {
			values = append(values, sp.Objectives[o].Values[p])
		}
		values = append(values, sp.ToFront[p])
		if gens {
			values = append(values, float64(sp.Generations.First(int(p))), float64(sp.Generations.Last(int(p))))
		}
		s.Rows = append(s.Rows, table.Row{Name: sp.Label(int(p)), Note: note(sp, p), Values: values[from:len(values):len(values)], Thing: Design(p)})
	}
	return s
}

// note tells where a design stands: its class and its parameters.
func note(sp *dse.Space, p int32) string {
	var text []string
	switch {
	case sp.Global[p]:
		text = append(text, "global")
	case sp.Local[p]:
		text = append(text, "local")
	}
	for _, q := range sp.Parameters {
		text = append(text, q.Values[q.At[p]])
	}
	return strings.Join(text, " · ")
}

// passing are the numbers of the designs that pass.
func passing(e *Explorer) (list []int32) {
	if pass := e.Pass(); pass != nil {
		pass.Each(func(p int) { list = append(list, int32(p)) })
		return list
	}
	for p := range int32(e.space.N) {
		list = append(list, p)
	}
	return list
}

// save writes all designs that pass as CSV, with the description of the columns beside it, so that the file opens as this table.
func (v *pointsView) save() {
	e := v.e
	if e.space == nil || e.host.SaveFile == nil {
		e.show(shell.Points)
		return
	}
	e.host.SaveFile("designs.csv", func(path string) {
		var rows, roles bytes.Buffer
		err := e.space.WriteCSV(&rows, passing(e))
		if err == nil {
			err = e.space.WriteDescription(&roles)
		}
		if err == nil {
			err = output.Write(path, rows.Bytes())
		}
		if err == nil {
			err = output.Write(path+".json", roles.Bytes())
		}
		if err != nil {
			e.host.Notice("The designs were not written: " + err.Error())
			return
		}
		e.host.Notice("The designs are in " + path + ", what their columns mean in " + path + ".json")
	})
}

// Menu offers to keep the designs, and the orders.
func (v *pointsView) Menu(pane.Event) []pane.MenuItem { return v.Choices(v.save, v.e.space != nil) }

func (v *pointsView) commands() []shell.Command {
	return []shell.Command{{ID: "view.show.points", Title: "Show the table of designs", Menu: "View", Run: v.Show, Enabled: v.e.some},
		{ID: "points.write", Title: "Write the designs that pass as CSV…", Menu: "File", Run: v.save, Enabled: v.e.some},
		{ID: "points.filter", Title: "Filter the table of designs", Menu: "Edit", Run: v.StartTyping, Enabled: v.e.some}}
}

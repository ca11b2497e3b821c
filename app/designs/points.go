package designs

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"orrery/analysis/dse"
	"orrery/app/jobs"
	"orrery/app/output"
	"orrery/app/panes"
	"orrery/app/panes/rows"
	"orrery/app/shell"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/table"
	"orrery/views/words"
)

// pointsView is the table of the designs that pass the filter.
type pointsView struct {
	rows.Rows
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

func newPointsView(e *Explorer, b panes.Base) *pointsView {
	v := &pointsView{Rows: rows.New(b), e: e, shown: pointsChoices{sort: 0, upward: true}}
	v.Fill(panes.Parts{Caption: v.caption, Menu: v.menu})
	v.Table, v.Words = v.present, func(int) {}
	v.Sorted = func(s table.State) {
		next := pointsChoices{s.Sort, s.Upward}
		link.Choose(e.link, "order of the designs", &v.shown, next, v.Redraw)
	}
	return v
}

func (v *pointsView) caption() string {
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
	if now := e.nowPasses(); !now.same(&v.passed) {
		v.list(now)
	}
	if v.passed.space == nil || v.passed.space.Set != e.space.Set {
		return table.State{Theme: theme, Empty: "The designs are being listed …"}
	}
	if key := (pointsKey{v.shown, v.Filter.Content}); key != v.key {
		v.key, v.base = key, key.order(v.base)
	}
	s := v.base
	s.Theme = theme
	return s
}

// order is the table in this order.
func (k pointsKey) order(s table.State) table.State {
	s.Sort, s.Upward, s.Filter, s.Order = min(k.sort, len(s.Columns)-1), k.upward, k.filter, nil
	s.Order = table.Arrange(s)
	return s
}

// list makes the rows of what passes now, of many designs in a job: the rows of before stay until then, and what has
// changed by then waits for it.
func (v *pointsView) list(now passed) {
	e, pass, order := v.e, v.e.Pass(), pointsKey{v.shown, v.Filter.Content}
	take := func(s table.State) { v.passed, v.base, v.key = now, s, order }
	if now.space.N <= atOnce {
		take(order.order(rowsOf(now.space, pass)))
		return
	}
	key := e.key("rows")
	if slices.ContainsFunc(e.host.Engine.Running(), func(j jobs.Job) bool { return j.Key == key }) {
		return
	}
	if pass != nil {
		pass = pass.Clone()
	}
	jobs.Start(e.host.Engine, key, "listing the designs that pass",
		func(context.Context, func(done, total int64)) (table.State, error) {
			return order.order(rowsOf(now.space, pass)), nil
		}, func(s table.State, err error) {
			if err == nil {
				take(s)
				v.Redraw()
			}
		})
}

// rowsOf is the table of the designs that pass: of more than there is room for those nearest to the front.
func rowsOf(sp *dse.Space, pass *dse.Bits) table.State {
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
	s.Columns = append(s.Columns, table.Column{Title: "to the front",
		Tip: "distance to the nearest point of the global Pareto set, on normalised objectives", Format: table.Number})
	gens := sp.Generations.Known()
	if gens {
		s.Columns = append(s.Columns, table.Column{Title: "first", Tip: "generation in which it was evaluated first",
			Format: table.Count}, table.Column{Title: "last", Tip: "generation in which it was evaluated last",
			Format: table.Count})
	}
	list := nearest(sp, passing(sp, pass), mostRows)
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
		s.Rows = append(s.Rows, table.Row{Name: sp.Label(int(p)), Note: note(sp, p),
			Values: values[from:len(values):len(values)], Thing: Design(p)})
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

// nearest are the n designs of a list that are nearest to the front, in that order; the list itself when it has no
// more. Most of many are left out by how far they are, before the others are sorted.
func nearest(sp *dse.Space, list []int32, n int) []int32 {
	if len(list) <= n {
		return list
	}
	const steps = 4096
	far := max(1e-12, dse.Range(sp.ToFront).Max)
	step := func(p int32) int { return min(steps-1, int(sp.ToFront[p]/far*steps)) }
	var counts [steps]int
	for _, p := range list {
		counts[step(p)]++
	}
	last, within := 0, counts[0]
	for within < n {
		last++
		within += counts[last]
	}
	list = slices.DeleteFunc(list, func(p int32) bool { return step(p) > last })
	slices.SortStableFunc(list, func(a, b int32) int { return cmp.Compare(sp.ToFront[a], sp.ToFront[b]) })
	return list[:n]
}

// passing are the numbers of the designs that pass, nil letting all pass, growing.
func passing(sp *dse.Space, pass *dse.Bits) []int32 {
	if pass == nil {
		pass = dse.NewBits(sp.N)
		pass.Fill()
	}
	list := make([]int32, 0, pass.Count())
	pass.Each(func(p int) { list = append(list, int32(p)) })
	return list
}

// save writes all designs that pass as CSV, with the description of the columns beside it, so that the file opens as
// this table.
func (v *pointsView) save() {
	e := v.e
	if e.space == nil || e.host.SaveFile == nil {
		e.show(shell.Points)
		return
	}
	e.host.SaveFile("designs.csv", func(path string) {
		var rows, roles bytes.Buffer
		err := e.space.WriteCSV(&rows, passing(e.space, e.Pass()))
		if err == nil {
			err = e.space.WriteDescription(&roles)
		}
		e.host.Save(path, func() error {
			if err == nil {
				err = output.Write(path, rows.Bytes())
			}
			if err == nil {
				err = output.Write(path+".json", roles.Bytes())
			}
			return err
		}, func(err error) {
			if err != nil {
				e.host.Failed("The designs were not written: " + err.Error())
				return
			}
			e.host.Notice("The designs are in " + path + ", what their columns mean in " + path + ".json")
		})
	})
}

// menu offers to keep the designs, and the orders.
func (v *pointsView) menu(pane.Event) []pane.MenuItem { return v.Choices(v.save, v.e.space != nil) }

func (v *pointsView) commands() []shell.Command {
	return []shell.Command{
		{ID: "points.write", Title: "Write the designs that pass as CSV…", Menu: "File", Run: v.save, Enabled: v.e.some},
		{ID: "points.filter", Title: "Filter the table of designs", Menu: "Edit", Run: v.StartTyping, Enabled: v.e.some}}
}

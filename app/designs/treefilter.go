package designs

import (
	"context"
	"fmt"
	"image/color"
	"slices"
	"strings"

	"orrery/analysis/dse"
	"orrery/app/panes"
	"orrery/app/shell"
	"orrery/views/filterpanel"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/words"
)

// filterView is the criteria of the filter, with how much each leaves (D11).
type filterView struct {
	panes.Base
	e      *Explorer
	scroll float64
	hover  filterpanel.Target
	grip   filterpanel.Target
	begun  bool // the drag has made its undoable step

	kind  dse.ConstraintKind // of the mapping constraint that is being put together
	tasks []int              // its processes
	onto  int                // its processor type

	bins *panes.Lazy[*dse.Space, *distributions]
}

const binCount = 40

func (v *filterView) caption() string { return v.e.counts() }

// distributions are those of the objectives and of the distance.
type distributions struct {
	objectives [][]float64
	distance   []float64
}

func newFilterView(e *Explorer, b panes.Base) *filterView {
	v := &filterView{Base: b, e: e}
	v.Parts = panes.Parts{Paint: v.paint, Caption: v.caption}
	v.bins = preparing(e, "counting what the designs are like",
		func(_ context.Context, s *dse.Space) (*distributions, error) {
			d := &distributions{distance: distribution(s.ToFront, farthest(s))}
			for _, column := range s.Norm {
				d.objectives = append(d.objectives, distribution(column, 1))
			}
			return d, nil
		})
	return v
}

// told counts distributions; those of many designs are empty until a job has counted.
func (v *filterView) told() *distributions {
	d := of(v.e, v.bins)
	if d == nil {
		return &distributions{objectives: make([][]float64, len(v.e.space.Objectives))}
	}
	return d
}

// distribution counts the values of a column in [0, most].
func distribution(column []float64, most float64) []float64 {
	out := make([]float64, binCount)
	for _, x := range column {
		if x == x {
			out[max(0, min(binCount-1, int(x/most*binCount)))]++
		}
	}
	return out
}

func (v *filterView) state(theme palette.Theme) filterpanel.State {
	s := filterpanel.State{Theme: theme, Scroll: v.scroll, Hover: v.hover, Empty: v.e.empty}
	if v.e.space == nil {
		if v.e.askRoles != nil {
			s.Rows = []filterpanel.Row{{Kind: filterpanel.Note, Title: v.e.empty}, {Kind: filterpanel.Button, ID: "roles",
				Title: "What the columns mean…"}}
		}
		return s
	}
	s.Rows = v.rows()
	return s
}

// rows are the criteria.
func (v *filterView) rows() []filterpanel.Row {
	e, c := v.e, &v.e.shown.criteria
	sp := e.space
	told := v.told()
	rows := []filterpanel.Row{
		{Kind: filterpanel.Note, Title: v.said()},
		{Kind: filterpanel.Values, ID: "show", Title: "Show", One: true,
			Words: showNames, On: []bool{c.show == dse.ShowAll, c.show == dse.ShowLocal, c.show == dse.ShowGlobal}},
		{Kind: filterpanel.Head, Title: "OBJECTIVES"},
	}
	for o := range sp.Objectives {
		low, high := e.Limits(o)
		rows = append(
			rows,
			filterpanel.Row{Kind: filterpanel.Range, ID: "objective", Title: named(sp, o), Value: v.limits(o, low, high),
				Low: low, High: high, Bins: told.objectives[o],
				Color: func(x float64) color.NRGBA { return palette.Objective(o, x) }},
		)
	}
	far := e.farthest()
	rows = append(rows, filterpanel.Row{Kind: filterpanel.Range, ID: "distance", Title: "distance from the Pareto set",
		Value: words.Number(c.distance.low*far) + " to " + words.Number(c.distance.high()*far), Low: c.distance.low,
		High: c.distance.high(), Bins: told.distance})
	rows = append(rows, filterpanel.Row{Kind: filterpanel.Head, Title: "PARAMETERS"})
	for p := range sp.Parameters {
		rows = append(rows, v.parameter(p))
	}
	rows = append(rows, v.mapping()...)
	rows = append(
		rows,
		filterpanel.Row{Kind: filterpanel.Head, Title: "ALL"},
		filterpanel.Row{Kind: filterpanel.Button, ID: "reset",
			Title: "Take all filters away", Off: !c.any()},
	)
	if v.e.askRoles != nil {
		rows = append(rows, filterpanel.Row{Kind: filterpanel.Button, ID: "roles", Title: "What the columns mean…"})
	}
	return append(rows, v.rejected()...)
}

// most is how many values of a parameter are listed.
const most = 60

func (v *filterView) parameter(p int) filterpanel.Row {
	par := &v.e.space.Parameters[p]
	row := filterpanel.Row{Kind: filterpanel.Values, ID: "parameter", Title: par.Name}
	for k, w := range par.Values {
		if k == most {
			row.Title += fmt.Sprintf(" (the first %d of %s values)", most, words.Count(len(par.Values)))
			break
		}
		row.Words, row.On = append(row.Words, w), append(row.On, v.e.shown.criteria.allows(p, k))
	}
	return row
}

// named is an objective with its unit.
func named(s *dse.Space, o int) string {
	if u := s.Objectives[o].Unit; u != "" {
		return s.Objectives[o].Name + ", " + u
	}
	return s.Objectives[o].Name
}

// limits are the ends of a range of an objective as evaluated.
func (v *filterView) limits(o int, low, high float64) string {
	s := v.e.space
	at := func(x float64) string {
		y := s.Extent[o].Min + x*(s.Extent[o].Max-s.Extent[o].Min)
		if s.Objectives[o].Maximise {
			y = 0 - y // and not -0
		}
		return words.Number(y)
	}
	return at(low) + " to " + at(high)
}

// said tells how much passes.
func (v *filterView) said() string {
	e := v.e
	pass := e.Pass()
	n := e.space.N
	if pass != nil {
		n = pass.Count()
	}
	text := fmt.Sprintf("%s of %s designs pass.", words.Count(n), words.Count(e.space.N))
	if covered := e.then.Covered(); covered < len(e.space.Combos) {
		text += fmt.Sprintf(" %s of %s possible combinations were searched.", words.Count(covered),
			words.Count(len(e.space.Combos)))
	}
	if n == 0 {
		text += " Widen a range, or take all filters away."
	}
	return text
}

// constraintNames are the kinds of mapping constraint in words.
var constraintNames = []string{"together", "apart", "not all together", "on type"}

// mapping are the constraints on the mapping, and what a further one is put together from.
func (v *filterView) mapping() []filterpanel.Row {
	s := v.e.space
	if s.Platform == nil || s.Mapping == nil {
		return nil
	}
	rows := []filterpanel.Row{{Kind: filterpanel.Head, Title: "MAPPING"}}
	for _, c := range v.e.shown.criteria.mapping {
		rows = append(rows, filterpanel.Row{Kind: filterpanel.Item, ID: "constraint", Title: v.constraint(&c)})
	}
	tasks := filterpanel.Row{Kind: filterpanel.Values, ID: "task", One: true, Title: "Choose processes …"}
	for i, p := range s.Platform.Processes {
		tasks.Words, tasks.On = append(tasks.Words, p.Name), append(tasks.On, slices.Contains(v.tasks, i))
	}
	kinds := filterpanel.Row{
		Kind:  filterpanel.Values,
		ID:    "kind",
		One:   true,
		Title: "… that shall be",
		Words: constraintNames,
	}
	for k := range constraintNames {
		kinds.On = append(kinds.On, v.kind == dse.ConstraintKind(k))
	}
	rows = append(rows, tasks, kinds)
	if v.kind == dse.OnType {
		types := filterpanel.Row{Kind: filterpanel.Values, ID: "type", One: true, Title: "… of processor"}
		for k, t := range v.types() {
			types.Words, types.On = append(types.Words, t), append(types.On, k == v.onto)
		}
		rows = append(rows, types)
	}
	least := 2
	if v.kind == dse.OnType {
		least = 1
	}
	return append(rows, filterpanel.Row{Kind: filterpanel.Button, ID: "constrain", Title: "Add this condition",
		Off: len(v.tasks) < least})
}

// types are the types of processor.
func (v *filterView) types() (out []string) {
	for _, c := range v.e.space.Platform.Processors {
		if !slices.Contains(out, c.Type) {
			out = append(out, c.Type)
		}
	}
	return out
}

func (v *filterView) constraint(c *dse.Constraint) string {
	var names []string
	for _, p := range c.Processes {
		names = append(names, v.e.space.Platform.Processes[p].Name)
	}
	text := strings.Join(names, ", ") + " " + constraintNames[c.Kind]
	if c.Kind == dse.OnType {
		text = strings.Join(names, ", ") + " on " + c.Type
	}
	return text
}

// rejected are the rows that could not be used.
func (v *filterView) rejected() []filterpanel.Row {
	s := v.e.space
	if s.Refused == 0 {
		return nil
	}
	rows := []filterpanel.Row{{Kind: filterpanel.Head, Title: fmt.Sprintf("%s ROWS REJECTED", words.Count(s.Refused))}}
	for i, r := range s.Rejected {
		if i == 20 {
			rows = append(
				rows,
				filterpanel.Row{Kind: filterpanel.Note, Title: fmt.Sprintf("… and %s more", words.Count(s.Refused-20))},
			)
			break
		}
		rows = append(rows, filterpanel.Row{Kind: filterpanel.Note, Title: r.String()})
	}
	return rows
}

func (v *filterView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	s := v.state(theme)
	v.scroll = max(0, min(v.scroll, filterpanel.Tall(s, size)-size.H))
	s.Scroll = v.scroll
	return filterpanel.Scene(s, size)
}

func (v *filterView) Moved(e pane.Event) {
	if t := filterpanel.Hit(v.state(e.Theme), e.Size, e.At); t != v.hover {
		v.hover = t
		v.redraw()
	}
}

func (v *filterView) Left() {
	v.hover = filterpanel.Target{}
	v.redraw()
}

// redraw draws this pane, wherever it is.
func (v *filterView) redraw() { v.e.changed(shell.Recording, Filter) }

// Filter is the slot of the filter in a recording's document.
const Filter shell.Slot = "filter"

func (v *filterView) Scrolled(_ pane.Event, _, dy float64) {
	v.scroll -= dy * 40
	v.redraw()
}

func (v *filterView) Pressed(e pane.Event) {
	s := v.state(e.Theme)
	t := filterpanel.Hit(s, e.Size, e.At)
	v.grip, v.begun = filterpanel.Target{}, false
	if e.Button != pane.Primary || t.Part == filterpanel.Nothing {
		return
	}
	defer v.redraw()
	row := s.Rows[t.Row]
	switch t.Part {
	case filterpanel.LowHandle, filterpanel.HighHandle:
		v.grip = t
		v.pull(e)
	case filterpanel.Word:
		v.word(s.Rows, t)
	case filterpanel.Cross:
		k := nth(s.Rows, t.Row)
		v.e.choose("filter", func(c *choices) {
			c.criteria.mapping = slices.Delete(slices.Clone(c.criteria.mapping), k, k+1)
		})
	case filterpanel.Press:
		switch row.ID {
		case "reset":
			v.e.resetFilter()
		case "roles":
			v.e.askRoles()
		case "constrain":
			v.constrain()
		}
	}
}

// nth is which of the rows with its ID a row is.
func nth(rows []filterpanel.Row, row int) (n int) {
	for _, r := range rows[:row] {
		if r.ID == rows[row].ID {
			n++
		}
	}
	return n
}

// word answers a click on a word of a row.
func (v *filterView) word(rows []filterpanel.Row, t filterpanel.Target) {
	switch rows[t.Row].ID {
	case "show":
		v.e.choose("filter", func(c *choices) { c.criteria.show = dse.Show(t.At) })
	case "parameter":
		p := nth(rows, t.Row)
		v.e.choose("filter", func(c *choices) {
			c.criteria.allow(p, len(v.e.space.Parameters[p].Values), t.At, !c.criteria.allows(p, t.At))
		})
	case "task":
		if i := slices.Index(v.tasks, t.At); i >= 0 {
			v.tasks = slices.Delete(v.tasks, i, i+1)
		} else {
			v.tasks = append(v.tasks, t.At)
			slices.Sort(v.tasks)
		}
	case "kind":
		v.kind = dse.ConstraintKind(t.At)
	case "type":
		v.onto = t.At
	}
}

// constrain adds the condition that was put together.
func (v *filterView) constrain() {
	c := dse.Constraint{Kind: v.kind, Processes: slices.Clone(v.tasks)}
	if v.kind == dse.OnType {
		c.Type = v.types()[v.onto]
	}
	v.tasks = nil
	v.e.choose("filter", func(s *choices) { s.criteria.mapping = append(slices.Clone(s.criteria.mapping), c) })
}

// pull moves the handle of a slider.
func (v *filterView) pull(e pane.Event) {
	s := v.state(e.Theme)
	row := s.Rows[v.grip.Row]
	x := filterpanel.Share(s, e.Size, v.grip.Row, e.At.X)
	low, high := row.Low, row.High
	if v.grip.Part == filterpanel.LowHandle {
		low = min(x, high)
	} else {
		high = max(x, low)
	}
	if low == row.Low && high == row.High {
		return
	}
	k := nth(s.Rows, v.grip.Row)
	change := func(c *choices) {
		if row.ID == "distance" {
			c.criteria.distance = spanOf(low, high)
		} else {
			c.criteria.limit(k, low, high)
		}
	}
	if v.begun {
		v.e.slide(change)
		return
	}
	v.begun = true
	v.e.choose("filter", change)
}

func (v *filterView) Dragged(e pane.Event, _ scene.Point) {
	if v.grip.Part != filterpanel.Nothing {
		v.pull(e)
		v.redraw()
	}
}

func (v *filterView) Released(pane.Event) { v.grip = filterpanel.Target{} }

// Tip says what a part does.
func (v *filterView) Tip(e pane.Event) []string {
	s := v.state(e.Theme)
	switch t := filterpanel.Hit(s, e.Size, e.At); t.Part {
	case filterpanel.LowHandle, filterpanel.HighHandle:
		return []string{s.Rows[t.Row].Title, s.Rows[t.Row].Value, "drag an end of the range"}
	case filterpanel.Word:
		if s.Rows[t.Row].ID == "parameter" {
			return []string{s.Rows[t.Row].Title + " " + s.Rows[t.Row].Words[t.At],
				"click to hide these designs, or show them again"}
		}
	case filterpanel.Cross:
		return []string{"take this condition away"}
	}
	return nil
}

func (v *filterView) Concerns(old, now link.State) bool { return old.Cursor != now.Cursor }

package designs

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"orrery/app/form"
	"orrery/app/jobs"
	"orrery/traceio/designs"
	"orrery/views/words"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// columnsForm is the sheet in which the user says what the columns of a table mean (D19). The designs that are shown
// stay until what it says makes designs.
type columnsForm struct {
	d          *Document
	roles      designs.Description
	population string
	said       *widget.Label
	apply      *form.Action
}

// meanings are what a column can be told to mean.
var meanings = []struct {
	word string
	role designs.Role
	kind designs.SecondaryKind
	set  func(r *designs.ColumnRole)
}{
	{"nothing", designs.Ignore, 0, nil},
	{"parameter", designs.IsParameter, 0, nil},
	{"objective, less is better", designs.IsObjective, 0, func(r *designs.ColumnRole) {
		r.Maximise, r.Architecture = false, false
	}},
	{"objective, more is better", designs.IsObjective, 0, func(r *designs.ColumnRole) {
		r.Maximise, r.Architecture = true, false
	}},
	{"objective of the parameters alone", designs.IsObjective, 0, func(r *designs.ColumnRole) {
		r.Maximise, r.Architecture = false, true
	}},
	{"shown on demand", designs.IsSecondary, 0, nil},
	{"generation", designs.IsGeneration, 0, nil},
	{"name", designs.IsID, 0, nil},
	{"individual", designs.IsIndividual, 0, nil},
	{"whether it succeeded", designs.IsState, 0, nil},
	{"processor of the process …", designs.IsProcess, 0, nil},
	{"place of the channel …", designs.IsChannel, 0, nil},
	{"utilization of the component …", designs.IsSecondary, designs.Utilization, nil},
	{"execution time of the process …", designs.IsSecondary, designs.Execution, nil},
	{"read latency of the process …", designs.IsSecondary, designs.ReadLatency, nil},
	{"write latency of the process …", designs.IsSecondary, designs.WriteLatency, nil},
	{"time reading of the processor …", designs.IsSecondary, designs.ReadTime, nil},
	{"time writing of the processor …", designs.IsSecondary, designs.WriteTime, nil},
	{"time executing of the processor …", designs.IsSecondary, designs.ExecuteTime, nil},
}

// about tells whether a column speaks of a process, a channel or a component, by its name.
func about(r designs.ColumnRole) bool {
	return r.Role == designs.IsProcess || r.Role == designs.IsChannel || r.Role == designs.IsSecondary &&
		r.Kind != designs.Plain
}

// meaning is a role in the words of the form.
func meaning(r designs.ColumnRole) string {
	switch {
	case r.Role == designs.IsObjective && r.Maximise:
		return meanings[3].word
	case r.Role == designs.IsObjective && r.Architecture:
		return meanings[4].word
	}
	for _, m := range meanings {
		if m.role == r.Role && m.kind == r.Kind {
			return m.word
		}
	}
	return meanings[0].word
}

// mean gives a column the role that a word of the form stands for.
func mean(r designs.ColumnRole, word string) designs.ColumnRole {
	for _, m := range meanings {
		if m.word != word {
			continue
		}
		if m.role != r.Role || m.kind != r.Kind {
			r = designs.ColumnRole{Title: r.Title, Name: r.Name, Unit: r.Unit, Role: m.role, Kind: m.kind}
			if about(r) {
				r.Of = designs.AboutOf(r.Title)
			}
		}
		if m.set != nil {
			m.set(&r)
		}
	}
	return r
}

// Widths of the form.
const (
	titleWide   = 150
	meaningWide = 232
	unitWide    = 118
)

// askColumns opens the sheet.
func (d *Document) askColumns() {
	if d.table == nil || d.host.Present == nil {
		return
	}
	f := &columnsForm{d: d, roles: *d.roles, said: form.Said(""), population: strconv.Itoa(d.roles.Population)}
	f.roles.Columns = slices.Clone(d.roles.Columns)
	f.apply = form.NewAction("Use", f.use, f.leave)
	f.apply.Importance = widget.HighImportance
	grid := form.NewGrid()
	ink := d.panes.Theme().Dim
	put := func(text string, x, y, w float32) { grid.Put(form.Caption(text, ink), x, y, w, form.Field) }
	put("COLUMN", 4, 0, titleWide)
	put("MEANS", titleWide, 0, meaningWide)
	put("UNIT, OR OF WHAT", titleWide+meaningWide+6, 0, unitWide)
	var first fyne.Focusable
	for i := range f.roles.Columns {
		y := form.Row * float32(i+1)
		r := &f.roles.Columns[i]
		put(short(r.Title), 4, y, titleWide-8)
		unit := form.NewEntry(detail(*r), func(s string) { setDetail(r, s) }, f.use, f.leave)
		choice := form.NewChoice(f.words(), meaning(*r), func(word string) {
			*r = mean(*r, word)
			unit.SetText(detail(*r))
			f.check()
		}, f.use, f.leave)
		if first == nil {
			first = choice
		}
		grid.Put(choice, titleWide, y, meaningWide, form.Field)
		grid.Put(unit, titleWide+meaningWide+6, y, unitWide, form.Field)
		put(f.sample(r.Title), titleWide+meaningWide+unitWide+16, y, sampleWide)
	}
	y := form.Row * float32(len(f.roles.Columns)+1)
	put("rows a generation, where no column tells them; 0 for unknown", 4, y, titleWide+meaningWide)
	grid.Put(form.NewEntry(f.population, func(s string) { f.population = s; f.check() }, f.use, f.leave),
		titleWide+meaningWide+6, y, unitWide, form.Field)
	bottom := container.NewBorder(nil, nil, nil, container.NewHBox(form.NewAction("Guess anew", f.guess, f.leave),
		form.NewAction("Cancel", f.leave, f.leave), f.apply), f.said)
	note := form.Said("Parameters make the levels of the tree, objectives what is good. Columns that say where " +
		"processes and channels run make the mapping; a channel is called FROM>TO. What is chosen here is remembered for " +
		"this file.")
	f.check()
	d.host.Present("What the columns mean", container.NewBorder(note, bottom, nil, nil, container.NewScroll(grid.Box)),
		fyne.NewSize(812, 560))
	if first != nil && d.host.Focus != nil {
		d.host.Focus(first)
	}
}

// detail is the second field of a column: what it is about, or its unit.
func detail(r designs.ColumnRole) string {
	if about(r) {
		return r.Of
	}
	return r.Unit
}

func setDetail(r *designs.ColumnRole, text string) {
	if text = strings.TrimSpace(text); about(*r) {
		r.Of = text
	} else {
		r.Unit = text
	}
}

// words are what a column can mean.
func (f *columnsForm) words() (out []string) {
	for _, m := range meanings {
		out = append(out, m.word)
	}
	return out
}

// short is a title that fits its column.
func short(title string) string {
	if r := []rune(title); len(r) > 20 {
		return string(r[:19]) + "…"
	}
	return title
}

// sampleWide is how wide the samples of a column are.
const sampleWide = 236

// sample are some values of a column, as many as there is room for.
func (f *columnsForm) sample(title string) string {
	c := f.d.table.Column(title)
	if c == nil {
		return ""
	}
	var list []string
	for i, text := range c.Texts[:min(3, len(c.Texts))] {
		if x := c.Numbers[i]; x == x && len(text) > 8 {
			text = words.Number(x)
		}
		list = append(list, text)
	}
	text := strings.Join(list, ", ")
	if n := len(c.Texts); n > 3 {
		text += fmt.Sprintf(" … (%s)", words.Count(n))
	}
	for fyne.MeasureText(text, form.Caption("", nil).TextSize, fyne.TextStyle{}).Width > sampleWide {
		r := []rune(strings.TrimSuffix(text, "…"))
		text = string(r[:len(r)-1]) + "…"
	}
	return text
}

// check says what cannot be.
func (f *columnsForm) check() {
	objectives := 0
	for _, r := range f.roles.Columns {
		if r.Role == designs.IsObjective {
			objectives++
		}
	}
	n, err := strconv.Atoi(strings.TrimSpace(f.population))
	bad := ""
	switch {
	case objectives == 0:
		bad = "No column is an objective: choose at least one."
	case err != nil || n < 0:
		bad = "Rows a generation must be a number from 0 on."
	}
	f.say(bad)
	if bad != "" {
		f.apply.Disable()
		return
	}
	f.roles.Population = n
	f.apply.Enable()
}

func (f *columnsForm) say(bad string) {
	f.said.Importance = widget.DangerImportance
	f.said.SetText(bad)
}

func (f *columnsForm) leave() {
	if f.d.host.Dismiss != nil {
		f.d.host.Dismiss()
	}
}

// guess forgets what was told.
func (f *columnsForm) guess() {
	f.leave()
	f.d.roles = designs.Guess(f.d.table)
	f.d.askColumns()
}

// use makes designs of the table as the form says, and remembers it.
func (f *columnsForm) use() {
	if f.apply.Disabled() {
		return
	}
	roles := f.roles
	f.d.reread(&roles, func(err error) {
		if err != nil {
			f.say(words.Sentence(err.Error()))
			return
		}
		f.leave()
		f.d.keep(&roles)
	})
}

// reread makes designs of the table with other roles.
func (d *Document) reread(roles *designs.Description, then func(error)) {
	table := d.table
	jobs.Start(d.host.Engine, d.key("columns"), "reading the columns anew",
		func(context.Context, func(done, total int64)) (*designs.Set, error) {
			return table.Set(roles)
		}, func(set *designs.Set, err error) {
			if err == nil {
				d.roles = roles
				d.forget()
				d.use(set)
			}
			then(err)
		})
}

// columnsKept is the name under which roles are remembered.
const columnsKept = "designs.columns"

func (d *Document) keep(roles *designs.Description) {
	if d.host.Remember == nil {
		return
	}
	if data, err := json.Marshal(roles); err == nil {
		d.host.Remember(columnsKept, []string{string(data)})
	}
}

// remembered are the roles that a session tells, or else those that were chosen last time; nil for none that can be
// read.
func (d *Document) remembered() *designs.Description {
	switch {
	case d.table == nil:
		return nil
	case d.told != nil:
		return d.told
	case d.host.Recall == nil:
		return nil
	}
	for _, text := range d.host.Recall(columnsKept) {
		if roles, err := designs.ParseDescription([]byte(text)); err == nil && len(roles.Columns) > 0 {
			return roles
		}
	}
	return nil
}

// begin shows the designs: as the user told last time what the columns mean, else as they were guessed.
func (d *Document) begin() {
	first := func() {
		if d.set != nil {
			d.use(d.set)
		}
	}
	roles := d.remembered()
	if roles == nil {
		first()
		return
	}
	d.reread(roles, func(err error) {
		if err != nil { // the table is another one now
			first()
		}
	})
}

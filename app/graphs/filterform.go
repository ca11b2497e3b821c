package graphs

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"orrery/analysis/depgraph/filter"
	"orrery/app/form"
	"orrery/traceio"
	"orrery/views/codegraph"
	"orrery/views/words"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// filterForm is the sheet of the filters: which are on, in what order, what they do, and the profiles. What is checked
// or moved takes effect at once, a script when Apply is pressed.
type filterForm struct {
	e        *Explorer
	profiles []filter.Profile
	at       int // the filter that is edited, -1 for none
	rows     *fyne.Container
	scroll   *container.Scroll // around the rows
	name     *form.Entry
	script   *scriptEntry
	said     *widget.Label
	profile  *form.Choice
	as       *form.Entry
}

// scriptEntry is a field of several lines that Escape leaves.
type scriptEntry struct {
	widget.Entry
	escape func()
}

// TypedKey implements fyne.Focusable.
func (s *scriptEntry) TypedKey(ev *fyne.KeyEvent) {
	if ev.Name == fyne.KeyEscape {
		s.escape()
		return
	}
	s.Entry.TypedKey(ev)
}

// editFilters opens the sheet.
func (e *Explorer) editFilters() {
	if e.host.Present == nil {
		return
	}
	f := &filterForm{e: e, rows: container.NewVBox(), said: form.Said("")}
	var err error
	if f.profiles, err = loadProfiles(); err != nil {
		f.fault("Your profiles cannot be read: " + err.Error())
	}
	f.name = form.NewEntry("", func(string) {}, f.apply, e.host.Dismiss)
	f.script = &scriptEntry{escape: e.host.Dismiss}
	f.script.MultiLine = true
	f.script.TextStyle.Monospace = true
	f.script.Wrapping = fyne.TextWrapOff
	f.script.ExtendBaseWidget(f.script)
	f.as = form.NewEntry("", func(string) {}, f.saveProfile, e.host.Dismiss)
	f.as.SetPlaceHolder("name of a profile")
	f.profile = form.NewChoice(f.profileNames(), "", f.useProfile, func() {}, e.host.Dismiss)
	f.profile.PlaceHolder = "Use a profile"
	e.host.Present("Filters of the graph", f.body(), fyne.NewSize(960, 640))
	f.list()
	f.edit(f.first())
}

// first is the filter to begin with: one that was stopped, else the first that is on.
func (f *filterForm) first() int {
	for i, r := range f.e.results() {
		if r.Err != nil {
			return i
		}
	}
	return max(0, slices.IndexFunc(f.e.shown.filters, func(x filter.Filter) bool { return x.On }))
}

func (f *filterForm) body() fyne.CanvasObject {
	escape := f.e.host.Dismiss
	moves := container.NewGridWithColumns(4, form.NewAction("New", f.add, escape),
		form.NewAction("Delete", f.remove, escape),
		form.NewAction("Up", func() { f.move(-1) }, escape), form.NewAction("Down", func() { f.move(1) }, escape))
	f.scroll = container.NewVScroll(container.NewThemeOverride(f.rows, rowLook{fyne.CurrentApp().Settings().Theme()}))
	left := container.NewBorder(nil, moves, nil, nil, f.scroll)
	apply := form.NewAction("Apply", f.apply, escape)
	apply.Importance = widget.HighImportance
	title := func(text string) fyne.CanvasObject {
		t := canvas.NewText(text, f.e.host.Ink())
		t.TextSize, t.TextStyle.Bold = 10.5, true
		return t
	}
	script := container.NewBorder(container.NewVBox(title("NAME"), f.name, title("SCRIPT")),
		container.NewBorder(nil, nil, nil, apply, f.said), nil, nil, f.script)
	right := container.NewVSplit(script, container.NewBorder(title("FUNCTIONS: CLICK ONE FOR AN EXAMPLE IN THE SCRIPT"),
		nil, nil, nil, container.NewVScroll(f.help())))
	right.Offset = 0.55
	split := container.NewHSplit(left, right)
	split.Offset = 0.34
	profiles := container.NewHBox(container.NewGridWrap(fyne.NewSize(170, form.Field+2), f.profile),
		container.NewGridWrap(fyne.NewSize(200, form.Field+2), f.as),
		form.NewAction("Save profile", f.saveProfile, escape), form.NewAction("Delete profile", f.dropProfile, escape))
	bottom := container.NewBorder(nil, nil, profiles, form.NewAction("Close", escape, escape))
	return container.NewBorder(nil, bottom, nil, nil, split)
}

// help is the functions that scripts may call, and the properties that there are to be matched.
func (f *filterForm) help() fyne.CanvasObject {
	caption := func(text string) *widget.Label {
		l := form.Said(text)
		l.SizeName = theme.SizeNameCaptionText
		return l
	}
	rows := container.NewVBox(caption(f.e.keys()))
	for _, c := range filter.Functions {
		call := form.NewAction(c.Call, func() { f.write(c.Example) }, f.e.host.Dismiss)
		call.Alignment, call.Importance = widget.ButtonAlignLeading, widget.LowImportance
		rows.Add(container.NewVBox(call, caption(c.Does)))
	}
	return rows
}

// write puts a line at the end of the script.
func (f *filterForm) write(line string) {
	text := strings.TrimRight(f.script.Text, "\n")
	if text != "" {
		text += "\n"
	}
	f.script.SetText(text + line + "\n")
	f.script.CursorRow = strings.Count(f.script.Text, "\n")
	f.script.Refresh()
}

// keys says which properties the phase's nodes have.
func (e *Explorer) keys() string {
	s := e.snapshot()
	if s == nil {
		return ""
	}
	count := map[string]int{}
	for v := range s.Nodes {
		for _, p := range s.Nodes[v].Properties {
			count[p.Key]++
		}
	}
	if e.Lend != nil {
		for _, key := range []string{codegraph.References, codegraph.Misses, codegraph.Stride} {
			count[key]++
		}
	}
	return "PROPERTY is any of " + strings.Join(slices.Sorted(maps.Keys(count)), ", ") +
		`, or one that set() gives. RE describes all of its value, between slashes ("/oad/") a part of it.`
}

// list fills the list of filters.
func (f *filterForm) list() {
	f.rows.RemoveAll()
	results := f.e.results()
	for i, x := range f.e.shown.filters {
		check := widget.NewCheck("", nil)
		check.Checked = x.On
		check.OnChanged = func(bool) { f.e.switchFilter(i); f.later() }
		title := x.Name
		if results != nil && results[i].Err != nil {
			title = "! " + title
		}
		name := form.NewAction(title, func() { f.edit(i) }, f.e.host.Dismiss)
		name.Alignment, name.Importance = widget.ButtonAlignLeading, widget.LowImportance
		if i == f.at {
			name.Importance = widget.HighImportance
		}
		f.rows.Add(container.NewBorder(nil, nil, check, nil, name))
	}
	f.rows.Refresh()
	f.showRow()
}

// showRow brings the filter that is edited into view.
func (f *filterForm) showRow() {
	n := len(f.rows.Objects)
	if f.at < 0 || f.at >= n {
		return
	}
	tall := f.rows.MinSize().Height / float32(n)
	y, room := tall*float32(f.at), f.scroll.Size().Height
	if y < f.scroll.Offset.Y || y+tall > f.scroll.Offset.Y+room {
		f.scroll.ScrollToOffset(fyne.NewPos(0, max(0, y-room/2)))
	}
}

// later shows what became of the filters when they have run.
func (f *filterForm) later() {
	f.e.after = func() {
		f.list()
		f.tell()
	}
	f.list()
}

// tell says what became of the filter that is edited.
func (f *filterForm) tell() {
	results := f.e.results()
	switch {
	case f.at < 0 || results == nil || f.at >= len(results):
		f.say("")
	case results[f.at].Err != nil:
		f.fault(stoppedWords(results[f.at].Err))
	case !f.e.shown.filters[f.at].On:
		f.say("Not checked: it does nothing now. Apply checks it.")
	default:
		r := results[f.at]
		f.say(fmt.Sprintf("Selected %s and %s of this phase in %.1f ms.", words.Plural(r.Nodes, "node"),
			words.Plural(r.Edges, "edge"), float64(r.Took.Microseconds())/1000))
	}
}

// stoppedWords say why a filter was stopped, and where.
func stoppedWords(err *traceio.Error) string {
	return words.Sentence(stopped(err)) + " The other filters apply; edit this one or take its check mark away."
}

func stopped(err *traceio.Error) string {
	if err.Line == 0 { // a built-in function was at work that tells of no line
		return "stopped: " + err.Msg
	}
	return fmt.Sprintf("stopped in line %d: %s", err.Line, err.Msg)
}

func (f *filterForm) say(text string) {
	f.said.Importance = widget.MediumImportance
	f.said.SetText(text)
}

// fault says what went wrong, in the colour of errors.
func (f *filterForm) fault(text string) {
	f.said.Importance = widget.DangerImportance
	f.said.SetText(text)
}

// edit shows a filter in the fields.
func (f *filterForm) edit(i int) {
	f.at = min(i, len(f.e.shown.filters)-1)
	if f.at >= 0 {
		f.name.SetText(f.e.shown.filters[f.at].Name)
		f.script.SetText(f.e.shown.filters[f.at].Script)
	}
	f.list()
	f.tell()
}

// change takes another list.
func (f *filterForm) change(name string, list []filter.Filter, at int) {
	f.at = at
	f.e.useFilters(name, list)
	f.later()
}

// apply takes what is written, and checks the filter.
func (f *filterForm) apply() {
	if f.at < 0 {
		return
	}
	list := slices.Clone(f.e.shown.filters)
	list[f.at] = filter.Filter{Name: f.name.Text, Script: f.script.Text, On: true}
	f.change("filter: "+f.name.Text, list, f.at)
}

func (f *filterForm) add() {
	list := append(slices.Clone(f.e.shown.filters), filter.Filter{Name: fmt.Sprintf("Filter %d", len(f.e.shown.filters)+1),
		Script: "colorize(\"name\", \"I.*\", red);\n"})
	f.change("new filter", list, len(list)-1)
	f.edit(f.at)
}

func (f *filterForm) remove() {
	if f.at >= 0 {
		f.change("delete a filter", slices.Delete(slices.Clone(f.e.shown.filters), f.at, f.at+1), max(0, f.at-1))
		f.edit(f.at)
	}
}

// move brings the filter to another place in the order.
func (f *filterForm) move(by int) {
	to := f.at + by
	if f.at < 0 || to < 0 || to >= len(f.e.shown.filters) {
		return
	}
	list := slices.Clone(f.e.shown.filters)
	list[f.at], list[to] = list[to], list[f.at]
	f.change("order of filters", list, to)
}

func (f *filterForm) profileNames() (names []string) {
	for _, p := range f.profiles {
		names = append(names, p.Name)
	}
	return names
}

// useProfile takes the filters of a profile.
func (f *filterForm) useProfile(name string) {
	for _, p := range f.profiles {
		if p.Name == name {
			f.as.SetText(name)
			f.change("profile "+name, slices.Clone(p.Filters), 0)
			f.edit(0)
		}
	}
}

// saveProfile keeps the list under a name, for all files of graphs.
func (f *filterForm) saveProfile() {
	name := strings.TrimSpace(f.as.Text)
	if name == "" || name == shippedProfile {
		f.say("Give the profile a name of its own.")
		return
	}
	f.store(withProfile(f.profiles, filter.Profile{Name: name, Filters: slices.Clone(f.e.shown.filters)}),
		"The profile "+name+" is kept.")
}

// dropProfile forgets the profile that is named.
func (f *filterForm) dropProfile() {
	name := strings.TrimSpace(f.as.Text)
	if i := slices.IndexFunc(f.profiles, func(p filter.Profile) bool { return p.Name == name }); i > 0 {
		f.store(slices.Delete(slices.Clone(f.profiles), i, i+1), "The profile "+name+" is gone.")
	}
}

func (f *filterForm) store(list []filter.Profile, said string) {
	if err := saveProfiles(list); err != nil {
		f.fault("The profiles were not written: " + err.Error())
		return
	}
	f.profiles = list
	f.profile.Options = f.profileNames()
	f.profile.Refresh()
	f.say(said)
}

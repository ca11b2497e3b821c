package recording

import (
	"errors"
	"reflect"
	"slices"

	"orrery/app/form"
	"orrery/app/output"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/cachesim"
	"orrery/views/link"
	"orrery/views/words"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// useHierarchy simulates another hierarchy, as a step that can be taken back. One that is simulated already is not a
// step.
func (d *Document) useHierarchy(config cachesim.Config) {
	if reflect.DeepEqual(config, d.hierarchy) {
		return
	}
	link.Choose(d.link, "hierarchy", &d.hierarchy, config, func() {
		d.host.Log("hierarchy", "name", d.hierarchy.Name, "toml", d.hierarchy.TOML())
		d.simulate()
		d.changed()
	})
}

// show brings a pane to the front where there is a window.
func (d *Document) show(s shell.Slot) {
	if d.host.Show != nil {
		d.host.Show(s)
	}
}

// hierarchyForm is the sheet in which a hierarchy is written. The one that is simulated stays until what is written can
// be.
type hierarchyForm struct {
	d      *Document
	form   session.HierarchyForm
	preset *form.Choice
	source *widget.Label
	grid   *form.Grid
	said   *widget.Label
	apply  *form.Action
	save   *form.Action
	cells  map[cellKey]fyne.CanvasObject
	mark   *canvas.Rectangle // around the field that cannot be
	config cachesim.Config   // what the form says, while that can be
}

// cellKey names a field: the part's index, -1 for the whole hierarchy.
type cellKey struct {
	tlb   bool
	part  int
	field string
}

// editHierarchy opens the form with a configuration, and the keyboard in one of its fields.
func (d *Document) editHierarchy(config cachesim.Config, level int, field string) {
	if d.host.Present == nil {
		return
	}
	f := newHierarchyForm(d, config)
	d.host.Present("Cache hierarchy", f.body(), fyne.NewSize(formWidth, formHeight))
	var first fyne.Focusable = f.preset
	if o, ok := f.cells[cellKey{false, level, field}].(fyne.Focusable); ok {
		first = o
	}
	d.host.Focus(first)
}

const (
	formWidth  = 940
	formHeight = 700
	formHead   = 72  // width of the fields' names
	formColumn = 128 // width of a level
)

func newHierarchyForm(d *Document, config cachesim.Config) *hierarchyForm {
	f := &hierarchyForm{d: d, form: session.FormOf(config), grid: form.NewGrid(), said: form.Said(""),
		source: form.Said(""),
		mark:   canvas.NewRectangle(nil)}
	f.mark.StrokeColor, f.mark.StrokeWidth, f.mark.CornerRadius = d.set.Theme().Miss, 1.5, 5
	f.preset = form.NewChoice(cachesim.Presets(), "", f.usePreset, f.use, f.leave)
	f.preset.PlaceHolder = "Choose a preset"
	if slices.Contains(cachesim.Presets(), config.Name) {
		f.preset.Selected = config.Name
		f.source.SetText(session.PresetSource(config.Name))
	}
	f.apply = form.NewAction("Simulate", f.use, f.leave)
	f.apply.Importance = widget.HighImportance
	f.save = form.NewAction("Save TOML…", f.write, f.leave)
	f.fill()
	return f
}

// body is what the sheet shows.
func (f *hierarchyForm) body() fyne.CanvasObject {
	open := form.NewAction("Open TOML…", f.read, f.leave)
	top := container.NewBorder(nil, nil, container.NewGridWrap(fyne.NewSize(220, form.Field+2), f.preset),
		container.NewHBox(open, f.save))
	source := container.NewVScroll(f.source)
	source.SetMinSize(fyne.NewSize(0, 58))
	bottom := container.NewBorder(nil, nil, nil, container.NewHBox(form.NewAction("Cancel", f.leave, f.leave), f.apply),
		f.said)
	return container.NewBorder(container.NewVBox(top, source), bottom, nil, nil, container.NewScroll(f.grid.Box))
}

// fill builds the fields anew from the form.
func (f *hierarchyForm) fill() {
	f.grid.Clear()
	f.cells = map[cellKey]fyne.CanvasObject{}
	y := f.section("LEVELS", false, f.form.Levels, session.LevelFields, 0)
	y = f.section("ADDRESS TRANSLATION", true, f.form.TLBs, session.TLBFields, y+10)
	f.rest(y + 10)
	f.grid.Put(f.mark, 0, 0, 0, 0)
	f.grid.Box.Refresh()
	f.check()
}

// section lays out levels or TLBs side by side, a column each, and gives where it ends.
func (f *hierarchyForm) section(title string, tlb bool, parts [][]string, fields []session.Field, y float32) float32 {
	head := canvas.NewText(title, f.d.set.Theme().Dim)
	head.TextSize, head.TextStyle.Bold = 10.5, true
	f.grid.Put(head, 4, y, 220, form.Row-6)
	end := y + form.Row
	if len(parts) > 0 {
		for k, field := range fields {
			f.grid.Put(form.Caption(field.Title, f.d.set.Theme().Dim), 4, end+form.Row*float32(k), formHead-8, form.Field)
		}
	}
	for i := range parts {
		x := float32(formHead + formColumn*i)
		for k, field := range fields {
			f.grid.Put(f.field(cellKey{tlb, i, field.Key}, field, &parts[i][k]), x, end+form.Row*float32(k),
				formColumn-6, form.Field)
		}
		remove := form.NewAction("Remove", func() { f.remove(tlb, i) }, f.leave)
		remove.Importance = widget.LowImportance
		f.grid.Put(remove, x, y-3, formColumn-6, form.Field)
	}
	word := "Add a level"
	if tlb {
		word = "Add a TLB"
	}
	add := form.NewAction(word, func() { f.add(tlb) }, f.leave)
	x := float32(formHead + formColumn*len(parts))
	if len(parts) == 0 {
		x = 230
	}
	f.grid.Put(add, x, y-3, formColumn-6, form.Field)
	if len(parts) > 0 {
		end += form.Row * float32(len(fields))
	}
	return end
}

// rest lays out what belongs to no level.
func (f *hierarchyForm) rest(y float32) {
	x := float32(0)
	for _, s := range []struct {
		key   cellKey
		title string
		text  *string
	}{{cellKey{false, -1, "cores"}, "cores", &f.form.Cores}, {cellKey{false, -1, "memory"}, "memory ns", &f.form.Memory},
		{cellKey{false, -1, "walk"}, "page walk ns", &f.form.Walk}} {
		f.grid.Put(form.Caption(s.title, f.d.set.Theme().Dim), x+4, y, 84, form.Field)
		f.grid.Put(f.field(s.key, session.Field{}, s.text), x+90, y, 74, form.Field)
		x += 190
	}
}

// field is the widget of one setting, which writes into text.
func (f *hierarchyForm) field(key cellKey, field session.Field, text *string) fyne.CanvasObject {
	changed := func(now string) {
		if *text == now {
			return
		}
		*text = now
		f.edited()
	}
	if field.Choices != nil {
		f.cells[key] = form.NewChoice(field.Choices(&f.form), *text, changed, f.use, f.leave)
	} else {
		f.cells[key] = form.NewEntry(*text, changed, f.use, f.leave)
	}
	return f.cells[key]
}

// edited is called when the user has changed a setting: what it was made from is no longer its name.
func (f *hierarchyForm) edited() {
	f.form.Name = session.Edited(f.form.Name)
	for key, cell := range f.cells { // levels may have got other names
		if c, ok := cell.(*form.Choice); ok && key.field == "next" {
			fields := session.LevelFields
			if key.tlb {
				fields = session.TLBFields
			}
			i := slices.IndexFunc(fields, func(x session.Field) bool { return x.Key == "next" })
			c.Options = fields[i].Choices(&f.form)
		}
	}
	f.check()
}

// check holds the form against what can be, and says so beneath.
func (f *hierarchyForm) check() {
	config, err := f.form.Config()
	f.mark.Hide()
	if err == nil {
		f.config = config
		f.say(session.Summary(config), false)
		f.apply.Enable()
		f.save.Enable()
		return
	}
	f.say(words.Sentence(err.Error()), true)
	f.apply.Disable()
	f.save.Disable()
	var field *cachesim.FieldError
	if !errors.As(err, &field) {
		return
	}
	key := cellKey{field.TLB, field.Level, field.Field}
	if field.Level < 0 && field.Name != "" {
		key.field = field.Name
	}
	if cell := f.cells[key]; cell != nil {
		f.grid.Frame(f.mark, cell)
		f.mark.Show()
	}
}

func (f *hierarchyForm) say(text string, bad bool) {
	f.said.Importance = widget.MediumImportance
	if bad {
		f.said.Importance = widget.DangerImportance
	}
	f.said.SetText(text)
}

func (f *hierarchyForm) add(tlb bool) {
	if tlb {
		f.form.AddTLB()
	} else {
		f.form.AddLevel()
	}
	f.form.Name = session.Edited(f.form.Name)
	f.fill()
}

func (f *hierarchyForm) remove(tlb bool, i int) {
	if tlb {
		f.form.TLBs = slices.Delete(f.form.TLBs, i, i+1)
	} else {
		f.form.Levels = slices.Delete(f.form.Levels, i, i+1)
	}
	f.form.Name = session.Edited(f.form.Name)
	f.fill()
}

// usePreset fills the form with a shipped configuration.
func (f *hierarchyForm) usePreset(name string) {
	config, err := cachesim.Preset(name)
	if err != nil {
		f.say(words.Sentence(err.Error()), true)
		return
	}
	f.source.SetText(session.PresetSource(name))
	f.form = session.FormOf(config)
	f.fill()
}

// read fills the form from a file; one that cannot be leaves it as it is.
func (f *hierarchyForm) read() {
	if f.d.host.OpenFile != nil {
		f.d.host.OpenFile(func(path string) { f.load(path) })
	}
}

func (f *hierarchyForm) load(path string) {
	f.d.host.Read(path, cachesim.MaxConfig, func(data []byte, err error) {
		var config cachesim.Config
		if err == nil {
			config, err = cachesim.ParseConfig(data, path)
		}
		if err != nil {
			f.say(words.Sentence(err.Error()), true)
			return
		}
		f.preset.ClearSelected()
		f.source.SetText(path)
		f.form = session.FormOf(config)
		f.fill()
	})
}

// write keeps what the form says in a file.
func (f *hierarchyForm) write() {
	if f.d.host.SaveFile == nil {
		return
	}
	f.d.host.SaveFile("hierarchy.toml", func(path string) {
		text := []byte(f.config.TOML())
		f.d.host.Save(path, func() error { return output.Write(path, text) }, func(err error) {
			if err != nil {
				f.say(words.Sentence(err.Error()), true)
				return
			}
			f.say("Kept in "+path, false)
		})
	})
}

// use simulates what the form says, if that can be, and leaves.
func (f *hierarchyForm) use() {
	if f.apply.Disabled() {
		return
	}
	f.leave()
	f.d.useHierarchy(f.config)
}

func (f *hierarchyForm) leave() {
	if f.d.host.Dismiss != nil {
		f.d.host.Dismiss()
	}
}

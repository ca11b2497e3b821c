package shell

import (
	"os"
	"slices"

	"orrery/app/form"
	"orrery/views/palette"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// appearance is the user's preferences for colours, size and motion, and what the window does about them.
type appearance struct {
	w     *window
	theme string // "dark", "light", "system"
}

// Names of what is kept of the preferences beside the theme.
const (
	prefScale    = "scale"
	prefContrast = "contrast"
	prefPalette  = "palette"
	prefMotion   = "motion"
)

// preference is one line of the sheet: words to choose from, in the order of the values that are kept.
type preference struct {
	title, tip string
	words      []string
	values     []string
	now        func() string
	set        func(value string)
}

// scales are the sizes of the interface that are offered, as Fyne's environment variable has them; "" is the
// desktop's.
var scales = []string{"", "0.8", "1", "1.25", "1.5", "2", "2.5"}

// preferences are all of them.
func (a *appearance) preferences() []preference {
	kept := func(key string) func() string { return func() string { return a.w.app.Preferences().String(key) } }
	colors := func(key string) func(string) {
		return func(v string) {
			a.w.app.Preferences().SetString(key, v)
			a.apply()
		}
	}
	return []preference{
		{"theme", "L switches between the two", []string{"dark", "light", "as the desktop"},
			[]string{"dark", "light", "system"}, func() string { return a.theme }, a.setTheme},
		{"contrast", "of text and lines; all colours of data can be told apart in both", []string{"normal", "strong"},
			[]string{"", "strong"}, kept(prefContrast), colors(prefContrast)},
		{"palette", "of data; universal: for eyes without blue cones, too", []string{"standard", "universal"},
			[]string{"", "universal"}, kept(prefPalette), colors(prefPalette)},
		{"size", "of everything in the window", []string{"as the desktop", "80 %", "100 %", "125 %", "150 %", "200 %",
			"250 %"}, scales, kept(prefScale), a.setScale},
		{"motion", "reduced: playing and morphs jump, nothing glides or blinks", []string{"full", "reduced"},
			[]string{"", "reduced"}, kept(prefMotion), a.setMotion},
	}
}

// setMotion chooses whether things glide and blink.
func (a *appearance) setMotion(v string) {
	a.w.app.Preferences().SetString(prefMotion, v)
	a.w.app.settings.reduced.Store(v == "reduced")
	a.w.log.write("motion", "reduced", v == "reduced")
}

// scaleVariable is the environment variable that Fyne has its scale from.
const scaleVariable = "FYNE_SCALE"

// setScale chooses the size of the interface and keeps it.
func (a *appearance) setScale(v string) {
	a.w.app.Preferences().SetString(prefScale, v)
	useScale(v)
	a.apply() // Fyne looks at the scale when its settings change
	a.w.log.write("scale", "user", v)
}

// useScale tells Fyne the scale; "" is the desktop's.
func useScale(v string) {
	if v == "" {
		os.Unsetenv(scaleVariable)
		return
	}
	os.Setenv(scaleVariable, v)
}

// recall takes up what was chosen in an earlier run. A scale in the environment is what somebody wants of
// this run.
func (a *appearance) recall() {
	p := a.w.app.Preferences()
	a.w.app.settings.reduced.Store(p.String(prefMotion) == "reduced")
	if v := p.String(prefScale); os.Getenv(scaleVariable) == "" && slices.Contains(scales, v) {
		useScale(v)
	}
}

// show opens the sheet. Every choice counts at once and is kept.
func (a *appearance) show() {
	grid := form.NewGrid()
	var first *form.Choice
	for _, p := range a.preferences() {
		at := max(0, slices.Index(p.values, p.now()))
		c := form.NewChoice(p.words, p.words[at], func(word string) { p.set(p.values[max(0, slices.Index(p.words, word))]) },
			a.w.sheet.dismiss, a.w.sheet.dismiss)
		grid.Line(p.title, c, 170, p.tip, a.w.look.Dim)
		if first == nil {
			first = c
		}
	}
	bottom := container.NewBorder(nil, nil, nil, form.NewAction("Close", a.w.sheet.dismiss, a.w.sheet.dismiss),
		form.Said("Left and Right choose, Tab goes on. What is chosen counts at once."))
	a.w.sheet.present("Preferences", container.NewBorder(nil, bottom, nil, nil, grid.Box), fyne.NewSize(660, 296))
	a.w.win.Canvas().Focus(first)
}

// toggleTheme switches between light and dark.
func (a *appearance) toggleTheme() {
	if a.w.look.Dark {
		a.setTheme("light")
	} else {
		a.setTheme("dark")
	}
}

// setTheme changes the colours of everything and keeps the choice.
func (a *appearance) setTheme(name string) {
	a.theme = name
	a.w.app.Preferences().SetString(prefTheme, name)
	a.apply()
}

// apply recolours the window for the chosen theme.
func (a *appearance) apply() {
	a.w.look.Theme = a.palette()
	a.w.stage.SetTheme(a.w.look.Theme)
	a.w.back.FillColor = a.w.look.Background
	for _, d := range a.w.docs {
		for _, o := range d.dock.own {
			o.back.FillColor = a.w.look.Panel
			o.win.Content().Refresh()
		}
	}
	a.w.app.Settings().SetTheme(a.w.look)
	a.w.win.Content().Refresh()
	a.w.log.write("theme", "name", a.w.look.Name)
}

// palette is the colours that the user has chosen.
func (a *appearance) palette() palette.Theme {
	return a.preferred(themeFor(a.theme, a.w.app.Settings().ThemeVariant()))
}

// preferred is a theme with the contrast and for the eyes that the user has chosen.
func (a *appearance) preferred(t palette.Theme) palette.Theme {
	if a.w.app.Preferences().String(prefContrast) == "strong" {
		t = t.Strong()
	}
	if a.w.app.Preferences().String(prefPalette) == "universal" {
		t = t.ForAll()
	}
	return t
}

// desktopChanged follows the desktop's setting where the user wants that.
func (a *appearance) desktopChanged() {
	if a.theme == "system" && a.palette().Name != a.w.look.Name {
		a.apply()
	}
}

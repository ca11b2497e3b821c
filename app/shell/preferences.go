package shell

import (
	"os"
	"slices"

	"orrery/app/form"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

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
func (w *window) preferences() []preference {
	kept := func(key string) func() string { return func() string { return w.app.Preferences().String(key) } }
	colors := func(key string) func(string) {
		return func(v string) {
			w.app.Preferences().SetString(key, v)
			w.apply()
		}
	}
	return []preference{
		{"theme", "L switches between the two", []string{"dark", "light", "as the desktop"},
			[]string{"dark", "light", "system"}, func() string { return w.theme }, w.setTheme},
		{"contrast", "of text and lines; all colours of data can be told apart in both", []string{"normal", "strong"},
			[]string{"", "strong"}, kept(prefContrast), colors(prefContrast)},
		{"palette", "of data; universal: for eyes without blue cones, too", []string{"standard", "universal"},
			[]string{"", "universal"}, kept(prefPalette), colors(prefPalette)},
		{"size", "of everything in the window", []string{"as the desktop", "80 %", "100 %", "125 %", "150 %", "200 %",
			"250 %"}, scales, kept(prefScale), w.setScale},
		{"motion", "reduced: playing and morphs jump, nothing glides or blinks", []string{"full", "reduced"},
			[]string{"", "reduced"}, kept(prefMotion), w.setMotion},
	}
}

// setMotion chooses whether things glide and blink.
func (w *window) setMotion(v string) {
	w.app.Preferences().SetString(prefMotion, v)
	w.app.settings.reduced.Store(v == "reduced")
	w.log.write("motion", "reduced", v == "reduced")
}

// scaleVariable is the environment variable that Fyne has its scale from.
const scaleVariable = "FYNE_SCALE"

// setScale chooses the size of the interface and keeps it.
func (w *window) setScale(v string) {
	w.app.Preferences().SetString(prefScale, v)
	useScale(v)
	w.apply() // Fyne looks at the scale when its settings change
	w.log.write("scale", "user", v)
}

// useScale tells Fyne the scale; "" is the desktop's.
func useScale(v string) {
	if v == "" {
		os.Unsetenv(scaleVariable)
		return
	}
	os.Setenv(scaleVariable, v)
}

// recallPreferences takes up what was chosen in an earlier run. A scale in the environment is what somebody wants of
// this run.
func (w *window) recallPreferences() {
	p := w.app.Preferences()
	w.app.settings.reduced.Store(p.String(prefMotion) == "reduced")
	if v := p.String(prefScale); os.Getenv(scaleVariable) == "" && slices.Contains(scales, v) {
		useScale(v)
	}
}

// showPreferences opens the sheet. Every choice counts at once and is kept.
func (w *window) showPreferences() {
	grid := form.NewGrid()
	var first *form.Choice
	for _, p := range w.preferences() {
		at := max(0, slices.Index(p.values, p.now()))
		c := form.NewChoice(p.words, p.words[at], func(word string) { p.set(p.values[max(0, slices.Index(p.words, word))]) },
			w.sheet.dismiss, w.sheet.dismiss)
		grid.Line(p.title, c, 170, p.tip, w.look.Dim)
		if first == nil {
			first = c
		}
	}
	bottom := container.NewBorder(nil, nil, nil, form.NewAction("Close", w.sheet.dismiss, w.sheet.dismiss),
		form.Said("Left and Right choose, Tab goes on. What is chosen counts at once."))
	w.sheet.present("Preferences", container.NewBorder(nil, bottom, nil, nil, grid.Box), fyne.NewSize(660, 296))
	w.win.Canvas().Focus(first)
}

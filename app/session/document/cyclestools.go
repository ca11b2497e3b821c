package document

import (
	"fmt"
	"strings"

	"orrery/analysis/topology"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/views/chooser"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

// chip is a word in the pane that opens a list of choices.
type chip struct {
	name string // "sampling": what it is about
	word string // what is chosen now, in a word
	list []option
}

// option is one choice of a list.
type option struct {
	id    string // "10"; "" where there is no command for it
	title string // "use one of 10 references"
	on    bool   // it is chosen now
	off   bool   // it cannot be chosen now
	run   func()
}

// The choices of the lens. 0 is the default.
var (
	windows   = []int{0, 5, 20, 40, 64}
	samplings = []int{1, 2, 5, 10, 20, 50, 100}
	limits    = []float64{0, 3, 4, 6}
)

// alphabets are the choices of what makes two references equal.
var alphabets = []struct {
	title    string
	alphabet topology.Alphabet
}{
	{"Compare by address", topology.Alphabet{Kind: topology.ByAddress}},
	{"Compare by address and kind", topology.Alphabet{Kind: topology.ByAccess}},
	{"Compare by block of 64 bytes", topology.Alphabet{Kind: topology.ByBlock, Block: 64}},
	{"Compare by source line", topology.Alphabet{Kind: topology.ByLine}},
	{"Compare by instruction", topology.Alphabet{Kind: topology.ByPC}},
}

const colorWord = "colour: "

// chips are all of them, the most wanted first.
func (v *cyclesView) chips() []chip {
	l := &v.d.cycles.lens
	color := chip{name: "colours"}
	for _, c := range session.ColorChoices {
		on := c.By == v.shown.colours.by
		if on {
			color.word = colorWord + c.Title
		}
		color.list = append(color.list, option{id: string(c.By), title: "Colour by " + c.Title, on: on, off: !v.possible(c.By), run: func() { v.color(c.By) }})
	}
	alphabet := chip{name: "alphabet", word: l.alphabet.String()}
	for _, a := range alphabets {
		alphabet.list = append(alphabet.list, option{id: a.alphabet.String(), title: a.title, on: l.alphabet == a.alphabet, run: func() {
			refocus(v, "what makes references equal", &l.alphabet, a.alphabet)
		}})
	}
	window := chip{name: "window", word: fmt.Sprintf("window %d", l.length())}
	for _, n := range windows {
		title := fmt.Sprintf("Windows of %d references", n)
		if n == 0 {
			title = fmt.Sprintf("Windows of %d references, as in the paper", topology.DefaultWindow)
		}
		window.list = append(window.list, option{id: fmt.Sprint(n), title: title, on: l.window == n, run: func() { refocus(v, "length of windows", &l.window, n) }})
	}
	sampling := chip{name: "sampling", word: "every"}
	if l.every > 1 {
		sampling.word = fmt.Sprintf("1 of %d", l.every)
	}
	for _, k := range samplings {
		title := fmt.Sprintf("Use one of %d references", k)
		if k == 1 {
			title = "Use every reference"
		}
		sampling.list = append(sampling.list, option{id: fmt.Sprint(k), title: title, on: max(1, l.every) == k, run: func() { refocus(v, "sampling", &l.every, k) }})
	}
	limit := chip{name: "eps", word: "all scales"}
	for _, x := range limits {
		title := fmt.Sprintf("Scales up to %g edits", x)
		if x == 0 {
			title = "All scales"
		}
		if l.eps == x {
			limit.word = strings.ToLower(title[:1]) + strings.TrimSuffix(title[1:], " edits")
		}
		limit.list = append(limit.list, option{id: fmt.Sprint(x), title: title, on: l.eps == x, run: func() { refocus(v, "largest scale", &l.eps, x) }})
	}
	return append([]chip{color}, append(v.acceptChip(), alphabet, window, sampling, limit)...)
}

// refocus changes how references are analysed.
func refocus[T comparable](v *cyclesView, name string, at *T, to T) {
	if *at != to {
		link.Choose(v.d.link, name, at, to, func() { v.d.cycles.follow(v.d) })
	}
}

// control is a chip and where it stands.
type control struct {
	chip
	row chooser.State
	at  scene.Point
}

// choosers is the row of pictures at the top of the pane.
func (v *cyclesView) choosers(theme palette.Theme) (row chooser.State, at scene.Point) {
	row = chooser.State{Theme: theme, Words: pictureNames, Chosen: int(v.shown.picture), Hover: v.over}
	return row, scene.Point{X: 10, Y: 8}
}

// beside is the gap between controls.
const beside = 6.0

// controls are the first chips, as many as there is room for: the colours at the upper right, the others at the bottom, at the left of the
// slider of scales.
func (v *cyclesView) controls(theme palette.Theme, size scene.Size) []control {
	if !roomy(size) || v.shown.picture == asRun {
		return nil
	}
	var out []control
	left, _ := v.choosers(theme)
	x0 := 10 + chooser.Width(left) + 12
	x, y, room := 10.0, size.H-foot+5, size.W-10
	if len(v.d.cycles.scales()) > 1 {
		room -= sliderLeast
	}
	for i, c := range v.chips() {
		row := v.bar.row(&c, theme)
		if i == 0 { // without its title where there is little room, and at the bottom where there is none
			if row.Words[0] = c.word; x0+chooser.Width(row)+10 > size.W {
				row.Words[0] = strings.TrimPrefix(c.word, colorWord)
			}
			if wide := chooser.Width(row); x0+wide+10 <= size.W {
				out = append(out, control{c, row, scene.Point{X: size.W - wide - 10, Y: 8}})
				continue
			}
		}
		at := scene.Point{X: x, Y: y}
		if x += chooser.Width(row) + beside; x > room {
			break
		}
		out = append(out, control{c, row, at})
	}
	return out
}

// tools draws the controls over a picture; small panes have the menu alone.
func (v *cyclesView) tools(d *scene.Drawing, theme palette.Theme) {
	if !roomy(d.Size) {
		return
	}
	row, at := v.choosers(theme)
	d.Add(chooser.Shapes(row, at)...)
	v.drawScale(d, theme)
	v.bar.draw(d, v.controls(theme, d.Size), theme)
}

// tool answers a press on the controls; false when it was elsewhere. A press beside an open list closes it and does nothing else.
func (v *cyclesView) tool(e pane.Event) bool {
	if !roomy(e.Size) {
		return false
	}
	row, at := v.choosers(v.d.theme)
	if i := chooser.Hit(row, at, e.At); i >= 0 && v.bar.open == "" {
		v.show(cyclesPicture(i))
		return true
	}
	if v.bar.press(v.controls(v.d.theme, e.Size), v.d.theme, e) {
		v.d.changed(shell.Cycles)
		return true
	}
	return v.pressScale(e)
}

// overTools tells whether a control is under the pointer, and redraws when that changes.
func (v *cyclesView) overTools(e pane.Event) bool {
	over, inside, changed := -1, false, false
	if roomy(e.Size) {
		row, at := v.choosers(v.d.theme)
		over = chooser.Hit(row, at, e.At)
		inside, changed = v.bar.moved(v.controls(v.d.theme, e.Size), v.d.theme, e)
		inside = inside || e.At.Y > e.Size.H-foot && v.shown.picture != asRun
	}
	if over != v.over || changed {
		v.over = over
		v.d.changed(shell.Cycles)
	}
	return inside || over >= 0
}

// commands are the pane's choices for the keyboard and the palette.
func (v *cyclesView) commands() []shell.Command {
	list := []shell.Command{
		{ID: "cycles.picture.next", Title: "Next picture of the cycles", Menu: "Analyse", Keys: "C", Run: v.next},
		{ID: "cycles.scale.up", Title: "Angles at the next larger scale", Menu: "Analyse", Keys: "]", Run: func() { v.stepScale(1) }},
		{ID: "cycles.scale.down", Title: "Angles at the next smaller scale", Menu: "Analyse", Keys: "[", Run: func() { v.stepScale(-1) }},
		{ID: "cycles.accept", Title: "Accept this cycle: thin the runs that it explains", Menu: "Analyse", Run: v.accept, Enabled: v.acceptable},
		{ID: "cycles.enter", Title: "Enter the chosen phase of the run", Menu: "Analyse", Keys: "Return", Run: func() { v.run.enter(v, v.run.chosen) },
			Enabled: func() bool { return v.shown.picture == asRun && v.run.chosen >= 0 }},
		{ID: "cycles.leave", Title: "Leave the phase", Menu: "Analyse", Keys: "BackSpace", Run: func() { v.run.leave(v) }, Enabled: func() bool { return v.run.inside(v) }},
	}
	for i, name := range pictureNames {
		list = append(list, shell.Command{ID: "cycles.picture." + strings.ToLower(name), Title: "Cycles: draw as " + name, Run: func() { v.show(cyclesPicture(i)) }})
	}
	for _, c := range v.chips() {
		for i, o := range c.list {
			if o.id != "" {
				list = append(list, shell.Command{ID: "cycles." + c.name + "." + o.id, Title: "Cycles: " + strings.ToLower(o.title[:1]) + o.title[1:], Run: o.run,
					Enabled: func() bool { return v.allowed(c.name, i) }})
			}
		}
	}
	return list
}

// allowed tells whether an option can be chosen now.
func (v *cyclesView) allowed(name string, i int) bool {
	for _, c := range v.chips() {
		if c.name == name {
			return !c.list[i].off && !c.list[i].on
		}
	}
	return false
}

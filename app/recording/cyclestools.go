package recording

import (
	"fmt"
	"strings"

	"orrery/analysis/topology"
	"orrery/app/panes/toolbar"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/views/controls"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

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
func (v *cyclesView) chips() []toolbar.Chip {
	l := &v.d.cycles.lens
	color := toolbar.Chip{Name: "colours"}
	for _, c := range session.ColorChoices {
		on := c.By == v.shown.colours.by
		if on {
			color.Word = colorWord + c.Title
		}
		color.List = append(color.List, toolbar.Choice{ID: string(c.By), Title: "Colour by " + c.Title, On: on,
			Off: !v.possible(c.By), Run: func() { v.color(c.By) }})
	}
	alphabet := toolbar.Chip{Name: "alphabet", About: "what makes references equal", Word: l.alphabet.String()}
	for _, a := range alphabets {
		alphabet.List = append(alphabet.List, toolbar.Choice{ID: a.alphabet.String(), Title: a.title,
			On: l.alphabet == a.alphabet, Run: func() {
				refocus(v, "what makes references equal", &l.alphabet, a.alphabet)
			}})
	}
	window := toolbar.Chip{Name: "window", Word: fmt.Sprintf("window %d", l.length())}
	for _, n := range windows {
		title := fmt.Sprintf("Windows of %d references", n)
		if n == 0 {
			title = fmt.Sprintf("Windows of %d references, as in the paper", topology.DefaultWindow)
		}
		window.List = append(window.List, toolbar.Choice{ID: fmt.Sprint(n), Title: title, On: l.window == n, Run: func() {
			refocus(v, "length of windows", &l.window, n)
		}})
	}
	sampling := toolbar.Chip{Name: "sampling", Word: "every"}
	if l.every > 1 {
		sampling.Word = fmt.Sprintf("1 of %d", l.every)
	}
	for _, k := range samplings {
		title := fmt.Sprintf("Use one of %d references", k)
		if k == 1 {
			title = "Use every reference"
		}
		sampling.List = append(sampling.List, toolbar.Choice{ID: fmt.Sprint(k), Title: title, On: max(1, l.every) == k,
			Run: func() { refocus(v, "sampling", &l.every, k) }})
	}
	limit := toolbar.Chip{Name: "eps", About: "scales", Word: "all scales"}
	for _, x := range limits {
		title := fmt.Sprintf("Scales up to %g edits", x)
		if x == 0 {
			title = "All scales"
		}
		if l.eps == x {
			limit.Word = strings.ToLower(title[:1]) + strings.TrimSuffix(title[1:], " edits")
		}
		limit.List = append(limit.List, toolbar.Choice{ID: fmt.Sprint(x), Title: title, On: l.eps == x, Run: func() {
			refocus(v, "largest scale", &l.eps, x)
		}})
	}
	return append([]toolbar.Chip{color}, append(v.acceptChip(), alphabet, window, sampling, limit)...)
}

// refocus changes how references are analysed.
func refocus[T comparable](v *cyclesView, name string, at *T, to T) {
	if *at != to {
		link.Choose(v.d.link, name, at, to, func() { v.d.cycles.follow(v.d) })
	}
}

// choices is the row of pictures at the top of the pane.
func (v *cyclesView) choices(theme palette.Theme) (row controls.Choices, at scene.Point) {
	row = controls.Choices{Theme: theme, Words: pictureNames, Chosen: int(v.shown.picture), Hover: v.over}
	return row, scene.Point{X: 10, Y: 8}
}

// beside is the gap between controls.
const beside = 6.0

// controls are the first chips, as many as there is room for: the colours at the upper right, the others at the bottom,
// at the left of the slider of scales.
func (v *cyclesView) controls(theme palette.Theme, size scene.Size) []toolbar.Placed {
	if !roomy(size) || v.shown.picture == asRun {
		return nil
	}
	var out []toolbar.Placed
	left, _ := v.choices(theme)
	x0 := 10 + left.Width() + 12
	x, y, room := 10.0, size.H-foot+5, size.W-10
	if len(v.d.cycles.scales()) > 1 {
		room -= sliderLeast
	}
	for i, c := range v.chips() {
		row := v.bar.Row(&c, theme)
		if i == 0 { // without its title where there is little room, and at the bottom where there is none
			if row.Words[0] = c.Word; x0+row.Width()+10 > size.W {
				row.Words[0] = strings.TrimPrefix(c.Word, colorWord)
			}
			if wide := row.Width(); x0+wide+10 <= size.W {
				out = append(out, toolbar.Placed{Chip: c, Row: row, At: scene.Point{X: size.W - wide - 10, Y: 8}})
				continue
			}
		}
		at := scene.Point{X: x, Y: y}
		if x += row.Width() + beside; x > room {
			break
		}
		out = append(out, toolbar.Placed{Chip: c, Row: row, At: at})
	}
	return out
}

// tools draws the controls over a picture; small panes have the menu alone, pictures to be kept nothing.
func (v *cyclesView) tools(d *scene.Drawing, theme palette.Theme) {
	if d.Size.Paper || !roomy(d.Size) {
		return
	}
	row, at := v.choices(theme)
	d.Add(row.Shapes(at)...)
	v.drawScale(d, theme)
	v.bar.Draw(d, append(v.controls(theme, d.Size), v.offers(theme, d.Size)...), theme)
}

// tool answers a press on the controls; false when it was elsewhere. A press beside an open list closes it and does
// nothing else.
func (v *cyclesView) tool(e pane.Event) bool {
	if !roomy(e.Size) {
		return false
	}
	row, at := v.choices(e.Theme)
	if i := row.Hit(at, e.At); i >= 0 && v.bar.Open == "" {
		v.show(cyclesPicture(i))
		return true
	}
	if v.bar.Press(append(v.controls(e.Theme, e.Size), v.offers(e.Theme, e.Size)...), e.Theme, e) {
		v.Redraw()
		return true
	}
	return v.pressScale(e)
}

// overTools tells whether a control is under the pointer, and redraws when that changes.
func (v *cyclesView) overTools(e pane.Event) bool {
	over, inside, changed := -1, false, false
	if roomy(e.Size) {
		row, at := v.choices(e.Theme)
		over = row.Hit(at, e.At)
		inside, changed = v.bar.Moved(append(v.controls(e.Theme, e.Size), v.offers(e.Theme, e.Size)...), e.Theme, e)
		inside = inside || e.At.Y > e.Size.H-foot && v.shown.picture != asRun
	}
	if over != v.over || changed {
		v.over = over
		v.Redraw()
	}
	return inside || over >= 0
}

// commands are the pane's choices for the keyboard and the palette.
func (v *cyclesView) commands() []shell.Command {
	list := []shell.Command{
		{ID: "cycles.picture.next", Title: "Next picture of the cycles", Menu: "Analyse", Keys: "C", Run: v.next},
		{ID: "cycles.scale.up", Title: "Angles at the next larger scale", Menu: "Analyse", Keys: "]", Run: func() {
			v.stepScale(1)
		}},
		{ID: "cycles.scale.down", Title: "Angles at the next smaller scale", Menu: "Analyse", Keys: "[", Run: func() {
			v.stepScale(-1)
		}},
		{ID: "cycles.accept", Title: "Accept this cycle: thin the runs that it explains", Menu: "Analyse", Run: v.accept,
			Enabled: v.acceptable},
		{ID: "cycles.enter", Title: "Enter the chosen phase of the run", Menu: "Analyse", Keys: "Return", Run: func() {
			v.run.enter(v, v.run.chosen)
		},
			Enabled: func() bool { return v.shown.picture == asRun && v.run.chosen >= 0 }},
		{ID: "cycles.leave", Title: "Leave the phase", Menu: "Analyse", Keys: "BackSpace", Run: func() { v.run.leave(v) },
			Enabled: func() bool { return v.run.inside(v) }},
	}
	for i, name := range pictureNames {
		also := map[cyclesPicture]string{asCircle: "polar", asDiagram: "persistence barcode",
			asRun: "whole overview phases"}[cyclesPicture(i)]
		list = append(list, shell.Command{ID: "cycles.picture." + strings.ToLower(name), Also: also,
			Title: "Cycles: draw as " + name, Run: func() { v.show(cyclesPicture(i)) }})
	}
	list = append(list, shell.Command{ID: "cycles.elsewhere", Also: "recur", Title: "Go to the nearest cycle",
		Menu: "Analyse", Keys: "Shift+N", Run: func() { v.d.cycles.goElsewhere(v.d) },
		Enabled: func() bool { return v.d.cycles.elsewhere.nearest != nil }})
	list = append(list, v.spliceCommands()...)
	for _, c := range v.chips() {
		for i, o := range c.List {
			if o.ID != "" {
				list = append(list, shell.Command{ID: "cycles." + c.Name + "." + o.ID, Title: "Cycles: " +
					strings.ToLower(o.Title[:1]) + o.Title[1:], Run: o.Run,
					Enabled: func() bool { return v.allowed(c.Name, i) }})
			}
		}
	}
	return list
}

// allowed tells whether an option can be chosen now.
func (v *cyclesView) allowed(name string, i int) bool {
	for _, c := range v.chips() {
		if c.Name == name {
			return !c.List[i].Off && !c.List[i].On
		}
	}
	return false
}

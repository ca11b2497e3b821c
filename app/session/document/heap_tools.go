package document

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"orrery/app/panes/toolbar"
	"orrery/app/shell"
	"orrery/views/controls"
	"orrery/views/heapmap"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

// chips are the controls in the row above the picture, those first that matter most for what is shown.
func (v *heapView) chips() []toolbar.Chip {
	if v.shown.show == showBars {
		return []toolbar.Chip{v.showChip(), v.barChip(), v.binsChip(), v.moreChip(), v.weightChip(), v.colorChip()}
	}
	if v.pairs() {
		return []toolbar.Chip{v.showChip(), v.rivalChip(), v.colorChip(), v.binsChip(), v.barChip(),
			v.weightChip(), v.moreChip()}
	}
	return []toolbar.Chip{v.showChip(), v.colorChip(), v.binsChip(), v.barChip(), v.weightChip(), v.moreChip()}
}

func (v *heapView) showChip() toolbar.Chip {
	c := toolbar.Chip{Name: "show", About: "what is shown", Word: heapShowNames[v.shown.show]}
	if bin := v.bin(); v.shown.show == showMap && bin > 0 {
		c.Word = "bin " + v.heap().Bins[bin-1].Name
	}
	titles := []string{"Blocks over time and address", "All bins side by side: where in its addresses each is full",
		"All bins below each other: what happens at the same time",
		"An occupancy bar for each bin", "Two runs on one scale …"}
	for i, id := range []string{"map", "address", "time", "bars", "pair"} {
		s := heapShow(i)
		c.List = append(c.List, toolbar.Choice{ID: id, Title: titles[i], On: v.shown.show == s &&
			(s != showMap || v.shown.bin == 0), Run: func() {
			if v.shown.bin > 0 && s == showMap {
				v.choose("bin shown", func(c *heapChoices) { c.bin, c.show = 0, showMap })
				return
			}
			v.setShow(s)
		}})
	}
	return c
}

func (v *heapView) colorChip() toolbar.Chip {
	c := toolbar.Chip{Name: "color", About: "colour", Word: v.shown.color.String()}
	for _, by := range heapmap.Colors(v.base) {
		if by == heapmap.Untouched && !v.d.observes() {
			continue
		}
		c.List = append(c.List, toolbar.Choice{ID: strings.ReplaceAll(by.String(), " ", "-"), Title: "Colour by " +
			by.String(), On: v.shown.color == by, Run: func() {
			v.choose("colours of the heap", func(c *heapChoices) { c.color, c.hidden = by, nil })
		}})
	}
	return c
}

// heapRule is a rule of bins, with what it means.
type heapRule struct{ rule, title string }

// heapRules are the rules that the pane offers.
var heapRules = []heapRule{
	{"", "Bins: size classes of glibc"}, {"arenas", "Bins: arenas"}, {"pools", "Bins: pools of addresses"},
	{"threads", "Bins: threads"}, {"sites", "Bins: allocation sites"},
	{"sizes 64 256 4K", "Bins: up to 64 B, 256 B, 4 KiB, and more"},
}

func (v *heapView) binsChip() toolbar.Chip {
	c := toolbar.Chip{Name: "bins", Word: "bins"}
	own := v.rules
	known := func(r heapRule) bool { return r.rule == v.shown.rule }
	if !slices.ContainsFunc(heapRules, known) && !slices.Contains(own, v.shown.rule) {
		own = append(slices.Clone(own), v.shown.rule)
	}
	for _, r := range heapRules {
		c.List = append(c.List, toolbar.Choice{ID: cmp.Or(r.rule, "glibc"), Title: r.title, On: v.shown.rule == r.rule,
			Run: func() { v.sortBy(r.rule) }})
		if known(r) && r.rule != "" {
			c.Word, _, _ = strings.Cut(r.rule, " ")
		}
	}
	for _, text := range own {
		c.List = append(c.List, toolbar.Choice{Title: "Bins: " + text, On: v.shown.rule == text, Run: func() {
			v.sortBy(text)
		}})
		if v.shown.rule == text {
			c.Word = "own bins"
		}
	}
	c.List = append(c.List, toolbar.Choice{ID: "own", Title: "Bins: a rule of your own …", Run: v.askRule})
	return c
}

// sortBy sorts the blocks into bins by a rule.
func (v *heapView) sortBy(rule string) {
	v.choose("bins of the heap", func(c *heapChoices) { c.rule, c.bin = rule, 0 })
}

func (v *heapView) barChip() toolbar.Chip {
	c := toolbar.Chip{Name: "bar", About: "occupancy bar", Word: "bar"}
	for i, b := range heapmap.BarStyles {
		c.List = append(c.List, toolbar.Choice{ID: string(rune('a' + i)), Title: fmt.Sprintf("Occupancy bar (%c): %s", 'a'+i,
			b), On: v.shown.bar == b, Run: func() {
			v.choose("occupancy bar", func(c *heapChoices) { c.bar = b })
		}})
		if v.shown.bar == b {
			c.Word = fmt.Sprintf("bar (%c)", 'a'+i)
		}
	}
	return c
}

func (v *heapView) weightChip() toolbar.Chip {
	c := toolbar.Chip{Name: "alpha", About: "weight of thin blocks", Word: fmt.Sprintf("alpha %.2f", v.alpha())}
	if v.shown.plain {
		c.Word = "not antialiased"
	}
	c.List = []toolbar.Choice{
		{ID: "on", Title: "Thin blocks by importance, equation (1)", On: !v.shown.plain, Run: func() {
			v.choose("antialiasing of the heap", func(c *heapChoices) { c.plain = false })
		}},
		{ID: "off", Title: "No antialiasing: what covers a pixel's middle", On: v.shown.plain, Run: func() {
			v.choose("antialiasing of the heap", func(c *heapChoices) { c.plain = true })
		}},
	}
	for _, a := range []float64{0.1, 0.2, heapmap.DefaultAlpha, 0.6, 1} {
		c.List = append(c.List, toolbar.Choice{ID: fmt.Sprint(a), Title: fmt.Sprintf("Alpha %.2f", a), On: !v.shown.plain &&
			v.alpha() == a, Run: func() {
			v.choose("weight of thin blocks", func(c *heapChoices) { c.alpha, c.plain = a, false })
		}})
	}
	return c
}

func (v *heapView) moreChip() toolbar.Chip {
	c := toolbar.Chip{Name: "look", Word: "look"}
	add := func(id, title string, on bool, name string, change func(c *heapChoices)) *toolbar.Choice {
		c.List = append(c.List, toolbar.Choice{ID: id, Title: title, On: on, Run: func() { v.choose(name, change) }})
		return &c.List[len(c.List)-1]
	}
	for _, k := range []heapmap.Cushion{heapmap.Plateau, heapmap.Parabolic, heapmap.Flat} {
		add(strings.Fields(k.String())[0], strings.ToUpper(k.String()[:1])+k.String()[1:], v.shown.cushion == k, "cushions",
			func(c *heapChoices) { c.cushion = k })
	}
	add("curves", "Curves of bytes, waste and fragmentation", v.shown.curves, "curves of the heap",
		func(c *heapChoices) { c.curves = !c.curves }).Check = true
	add("links", "Arcs of all reallocations", v.shown.links, "reallocations shown",
		func(c *heapChoices) { c.links = !c.links }).Check = true
	for _, soft := range []float64{8, 24, 60} {
		add("soft"+strconv.Itoa(int(soft)), fmt.Sprintf("Cursors %g wide", 2*soft), v.shown.softness == soft ||
			v.shown.softness == 0 && soft == 24, "softness of cursors", func(c *heapChoices) { c.softness = soft })
	}
	add("cursors", "Remove all cursors but now", false, "cursors in the heap",
		func(c *heapChoices) { c.cursors, c.levels = nil, nil }).Off = len(v.shown.cursors)+len(v.shown.levels) == 0
	add("classes", "Show all classes", false, "classes of blocks shown", func(c *heapChoices) { c.hidden = nil }).Off =
		len(v.shown.hidden) == 0
	return c
}

// Room of the controls.
const (
	heapSlider  = 84.0
	heapToolTop = 2.0
)

// controls are the chips from right to left, as many as leave the legend half of the row. The first one is the last to
// go.
func (v *heapView) controls(theme palette.Theme, size scene.Size) (out []toolbar.Placed, left float64) {
	left = size.W - 8
	if size.W < 240 || size.H < 120 || v.d.rec.Heap.Count() == 0 {
		return nil, left
	}
	chips := v.chips()
	room := 0.45 * size.W
	if v.slides(size) {
		left -= heapSlider + 4
		room -= heapSlider + 4
	}
	for i := range chips {
		row := v.tools.Row(&chips[i], theme)
		w := row.Width() + 4
		if room -= w; room < 0 && i > 0 {
			break
		}
		out = append(out, toolbar.Placed{Chip: chips[i], Row: row, At: scene.Point{Y: heapToolTop}})
	}
	slices.Reverse(out)
	for i := range out {
		left -= out[i].Row.Width() + 4
		out[i].At.X = left
	}
	if v.tools.Open == classesList {
		out = append(out, v.classes(theme))
	}
	return out, left
}

// slides tells whether there is room for the slider of alpha.
func (v *heapView) slides(size scene.Size) bool { return size.W >= 620 }

// sliderBox is where the slider is.
func (v *heapView) sliderBox(size scene.Size) scene.Rect {
	return scene.R(size.W-8-heapSlider, heapToolTop, heapSlider, controls.RowHeight)
}

// alphaSlider is the slider of alpha, logarithmic.
func (v *heapView) alphaSlider(theme palette.Theme) controls.Slider {
	s := controls.Slider{Theme: theme, Low: math.Log(heapmap.MinAlpha), High: math.Log(heapmap.MaxAlpha),
		Value: math.Log(v.alpha()), Marks: []float64{math.Log(heapmap.DefaultAlpha), 0}}
	if v.shown.plain {
		s.Theme.Accent = theme.Faint
	}
	return s
}

func (v *heapView) alpha() float64 {
	if v.shown.alpha == 0 {
		return heapmap.DefaultAlpha
	}
	return v.shown.alpha
}

// slide takes alpha from the slider; the first of a drag is a step, the others go on with it.
func (v *heapView) slide(e pane.Event, first bool) {
	a := math.Round(100*math.Exp(v.alphaSlider(e.Theme).ValueAt(v.sliderBox(e.Size), e.At.X))) / 100
	if first {
		v.choose("weight of thin blocks", func(c *heapChoices) { c.alpha, c.plain = a, false })
		return
	}
	v.shown.alpha, v.shown.plain = a, false
	v.Redraw()
}

// Menu offers the choices that have no room for a chip, and what can be done with a bin.
func (v *heapView) Menu(e pane.Event) []pane.MenuItem {
	var items []pane.MenuItem
	if v.shown.bin > 0 {
		items = append(items, pane.MenuItem{Title: "Show all bins in the map", Run: func() {
			v.choose("bin shown", func(c *heapChoices) { c.bin = 0 })
		}})
	}
	if t := v.hit(e); t.Bin > 0 {
		items = append(items, pane.MenuItem{Title: "Show this bin alone", Run: func() { v.only(t.Bin) }})
	}
	return append(items, toolbar.Menu(v.chips())...)
}

// only shows one bin in the map.
func (v *heapView) only(bin int) {
	v.choose("bin shown", func(c *heapChoices) { c.bin, c.show = bin, showMap })
}

// commands are the pane's choices in the palette.
func (v *heapView) commands() []shell.Command {
	blocks := func() bool { return v.d.rec.Heap.Count() > 0 }
	list := []shell.Command{{ID: "heap.pair.table", Title: "Heap: the sites of both runs in a table", Run: v.tabulate,
		Enabled: func() bool { return v.rival != nil }}}
	for _, c := range v.chips() {
		for _, o := range c.List {
			if o.ID != "" {
				list = append(list, shell.Command{ID: "heap." + c.Name + "." + strings.ReplaceAll(o.ID, " ", "-"), Title: "Heap: " +
					strings.ToLower(o.Title[:1]) + o.Title[1:], Run: func() {
					v.Show()
					o.Run()
				}, Enabled: blocks})
			}
		}
	}
	return list
}

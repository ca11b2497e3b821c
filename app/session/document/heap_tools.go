package document

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"orrery/app/shell"
	"orrery/views/chooser"
	"orrery/views/heapmap"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/slider"
)

// chips are the controls in the row above the picture.
func (v *heapView) chips() []chip {
	return []chip{v.showChip(), v.colorChip(), v.binsChip(), v.barChip(), v.weightChip(), v.moreChip()}
}

func (v *heapView) showChip() chip {
	c := chip{name: "show", word: heapShowNames[v.shown.show]}
	if v.shown.show == showMap && v.shown.bin > 0 && v.shown.bin <= len(v.heap().Bins) {
		c.word = "bin " + v.heap().Bins[v.shown.bin-1].Name
	}
	titles := []string{"Blocks over time and address", "All bins side by side: where in its addresses each is full", "All bins below each other: what happens at the same time",
		"An occupancy bar for each bin", "Two runs on one scale …"}
	for i, id := range []string{"map", "address", "time", "bars", "pair"} {
		s := heapShow(i)
		c.list = append(c.list, option{id: id, title: titles[i], on: v.shown.show == s && v.shown.bin == 0, run: func() {
			if v.shown.bin > 0 && s == showMap {
				v.choose("bin shown", func(c *heapChoices) { c.bin, c.show = 0, showMap })
				return
			}
			v.setShow(s)
		}})
	}
	return c
}

func (v *heapView) colorChip() chip {
	c := chip{name: "color", word: v.shown.color.String()}
	for _, by := range heapmap.Colors(v.base) {
		c.list = append(c.list, option{id: strings.ReplaceAll(by.String(), " ", "-"), title: "Colour by " + by.String(), on: v.shown.color == by, run: func() {
			v.choose("colours of the heap", func(c *heapChoices) { c.color, c.hidden = by, nil })
		}})
	}
	return c
}

// heapRules are the rules of bins that the pane offers, with what they mean.
var heapRules = []struct{ rule, title string }{
	{"", "Bins: size classes of glibc"}, {"arenas", "Bins: arenas"}, {"pools", "Bins: pools of addresses"}, {"threads", "Bins: threads"}, {"sites", "Bins: allocation sites"},
	{"sizes 64 256 4K", "Bins: up to 64 B, 256 B, 4 KiB, and more"},
}

func (v *heapView) binsChip() chip {
	c := chip{name: "bins", word: "bins"}
	for _, r := range heapRules {
		c.list = append(c.list, option{id: r.rule, title: r.title, on: v.shown.rule == r.rule, run: func() {
			v.choose("bins of the heap", func(c *heapChoices) { c.rule, c.bin = r.rule, 0 })
		}})
	}
	return c
}

func (v *heapView) barChip() chip {
	c := chip{name: "bar", word: "bar"}
	for i, b := range heapmap.BarStyles {
		c.list = append(c.list, option{id: string(rune('a' + i)), title: fmt.Sprintf("Occupancy bar (%c): %s", 'a'+i, b), on: v.shown.bar == b, run: func() {
			v.choose("occupancy bar", func(c *heapChoices) { c.bar = b })
		}})
		if v.shown.bar == b {
			c.word = fmt.Sprintf("bar (%c)", 'a'+i)
		}
	}
	return c
}

func (v *heapView) weightChip() chip {
	c := chip{name: "alpha", word: fmt.Sprintf("alpha %.2f", v.alpha())}
	if v.shown.plain {
		c.word = "not antialiased"
	}
	c.list = []option{
		{id: "on", title: "Thin blocks by importance, equation (1)", on: !v.shown.plain, run: func() { v.choose("antialiasing of the heap", func(c *heapChoices) { c.plain = false }) }},
		{id: "off", title: "No antialiasing: what covers a pixel's middle", on: v.shown.plain, run: func() { v.choose("antialiasing of the heap", func(c *heapChoices) { c.plain = true }) }},
	}
	for _, a := range []float64{0.1, 0.2, heapmap.DefaultAlpha, 0.6, 1} {
		c.list = append(c.list, option{id: fmt.Sprint(a), title: fmt.Sprintf("Alpha %.2f", a), on: !v.shown.plain && v.alpha() == a, run: func() {
			v.choose("weight of thin blocks", func(c *heapChoices) { c.alpha, c.plain = a, false })
		}})
	}
	return c
}

func (v *heapView) moreChip() chip {
	c := chip{name: "look", word: "look"}
	add := func(id, title string, on bool, name string, change func(c *heapChoices)) {
		c.list = append(c.list, option{id: id, title: title, on: on, run: func() { v.choose(name, change) }})
	}
	for _, k := range []heapmap.Cushion{heapmap.Plateau, heapmap.Parabolic, heapmap.Flat} {
		add(strings.Fields(k.String())[0], strings.ToUpper(k.String()[:1])+k.String()[1:], v.shown.cushion == k, "cushions", func(c *heapChoices) { c.cushion = k })
	}
	add("curves", "Curves of bytes, waste and fragmentation", v.shown.curves, "curves of the heap", func(c *heapChoices) { c.curves = !c.curves })
	add("links", "Arcs of all reallocations", v.shown.links, "reallocations shown", func(c *heapChoices) { c.links = !c.links })
	for _, soft := range []float64{8, 24, 60} {
		add("soft"+strconv.Itoa(int(soft)), fmt.Sprintf("Cursors %g wide", 2*soft), v.shown.softness == soft || v.shown.softness == 0 && soft == 24, "softness of cursors", func(c *heapChoices) { c.softness = soft })
	}
	add("cursors", "Remove all cursors but now", len(v.shown.cursors)+len(v.shown.levels) == 0, "cursors in the heap", func(c *heapChoices) { c.cursors, c.levels = nil, nil })
	add("classes", "Show all classes", len(v.shown.hidden) == 0, "classes of blocks shown", func(c *heapChoices) { c.hidden = nil })
	return c
}

// Room of the controls.
const (
	heapSlider  = 84.0
	heapToolTop = 2.0
)

// controls are the chips from right to left, as many as leave the legend half of the row. The first one is the last to go.
func (v *heapView) controls(theme palette.Theme, size scene.Size) (out []control, left float64) {
	left = size.W - 8
	if size.W < 240 || size.H < 120 || len(v.d.rec.Heap.Blocks) == 0 {
		return nil, left
	}
	chips := v.chips()
	room := 0.45 * size.W
	if v.slides(size) {
		left -= heapSlider + 4
		room -= heapSlider + 4
	}
	for i := range chips {
		row := v.tools.row(&chips[i], theme)
		w := chooser.Width(row) + 4
		if room -= w; room < 0 && i > 0 {
			break
		}
		out = append(out, control{chips[i], row, scene.Point{Y: heapToolTop}})
	}
	slices.Reverse(out)
	for i := range out {
		left -= chooser.Width(out[i].row) + 4
		out[i].at.X = left
	}
	return out, left
}

// slides tells whether there is room for the slider of alpha.
func (v *heapView) slides(size scene.Size) bool { return size.W >= 620 }

// sliderBox is where the slider is.
func (v *heapView) sliderBox(size scene.Size) scene.Rect {
	return scene.R(size.W-8-heapSlider, heapToolTop, heapSlider, slider.Height())
}

// alphaSlider is the slider of alpha, logarithmic.
func (v *heapView) alphaSlider(theme palette.Theme) slider.State {
	s := slider.State{Theme: theme, Low: math.Log(heapmap.MinAlpha), High: math.Log(heapmap.MaxAlpha), Value: math.Log(v.alpha()), Marks: []float64{math.Log(heapmap.DefaultAlpha), 0}}
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
	a := math.Round(100*math.Exp(slider.At(v.alphaSlider(v.d.theme), v.sliderBox(e.Size), e.At.X))) / 100
	if first {
		v.choose("weight of thin blocks", func(c *heapChoices) { c.alpha, c.plain = a, false })
		return
	}
	v.shown.alpha, v.shown.plain = a, false
	v.d.changed(shell.Heap)
}

// Menu offers the choices that have no room for a chip, and what can be done with a bin.
func (v *heapView) Menu(e pane.Event) []pane.MenuItem {
	var items []pane.MenuItem
	if v.shown.bin > 0 {
		items = append(items, pane.MenuItem{Title: "Show all bins in the map", Run: func() { v.choose("bin shown", func(c *heapChoices) { c.bin = 0 }) }})
	}
	if t := v.hit(e); t.Bin > 0 {
		items = append(items, pane.MenuItem{Title: "Show this bin alone", Run: func() { v.only(t.Bin) }})
	}
	for i, c := range v.chips() {
		if i > 0 || len(items) > 0 {
			items = append(items, pane.MenuItem{})
		}
		for _, o := range c.list {
			items = append(items, pane.MenuItem{Title: o.title, Off: o.on || o.off, Run: o.run})
		}
	}
	return items
}

// only shows one bin in the map.
func (v *heapView) only(bin int) {
	v.choose("bin shown", func(c *heapChoices) { c.bin, c.show = bin, showMap })
}

// heapMap is the heap's pane.
func (d *Document) heapMap() *heapView {
	for _, p := range d.views {
		if v, ok := p.View.(*heapView); ok {
			return v
		}
	}
	return nil
}

// commands are the pane's choices in the palette.
func (v *heapView) commands() []shell.Command {
	blocks := func() bool { return len(v.d.rec.Heap.Blocks) > 0 }
	var list []shell.Command
	for _, c := range v.chips() {
		for _, o := range c.list {
			if o.id != "" {
				list = append(list, shell.Command{ID: "heap." + c.name + "." + strings.ReplaceAll(o.id, " ", "-"), Title: "Heap: " + strings.ToLower(o.title[:1]) + o.title[1:], Run: func() {
					v.d.show(shell.Heap)
					o.run()
				}, Enabled: blocks})
			}
		}
	}
	return list
}

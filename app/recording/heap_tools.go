package recording

import (
	"math"
	"slices"
	"strings"

	"orrery/app/panes"
	"orrery/app/panes/toolbar"
	heappane "orrery/app/recording/heap"
	"orrery/app/shell"
	"orrery/views/controls"
	"orrery/views/heapmap"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

// chips are the controls in the row above the picture, those first that matter most for what is shown.
func (v *heapView) chips() []toolbar.Chip {
	if v.shown.Now.Page == heappane.Bars {
		return []toolbar.Chip{v.pageChip(), v.barChip(), v.binsChip(), v.lookChip(), v.weightChip(), v.colorChip()}
	}
	if v.pairs() {
		return []toolbar.Chip{v.pageChip(), v.baselineChip(), v.colorChip(), v.binsChip(), v.barChip(),
			v.weightChip(), v.lookChip()}
	}
	return []toolbar.Chip{v.pageChip(), v.colorChip(), v.binsChip(), v.barChip(), v.weightChip(), v.lookChip()}
}

// pageChip offers the pages.
func (v *heapView) pageChip() toolbar.Chip {
	c, now := heappane.Pages.Chip(v.shown), &v.shown.Now
	c.Word = []string{"map", "bins by address", "bins by time", "occupancy of bins", "two runs"}[now.Page]
	if bin := v.bin(); now.Page == heappane.Map && bin > 0 {
		c.Word = "bin " + v.heap().Bins[bin-1].Name
	}
	for i := range c.List {
		p := heappane.Page(i)
		c.List[i].On = c.List[i].On && (p != heappane.Map || now.Bin == 0)
		c.List[i].Run = func() { v.turn(p) }
	}
	return c
}

// colorChip offers the attributes that the blocks have.
func (v *heapView) colorChip() toolbar.Chip {
	o := heappane.Colors
	has := heapmap.Colors(v.base)
	o.Has = func(x panes.Value[heapmap.ColorBy]) bool {
		return slices.Contains(has, x.Is) && (x.Is != heapmap.Untouched || v.d.observes())
	}
	return o.Chip(v.shown)
}

// binsChip offers rules, those that the user wrote as well.
func (v *heapView) binsChip() toolbar.Chip {
	c, now := heappane.Bins.Chip(v.shown), v.shown.Now.Rule
	own := v.rules
	switch known := slices.ContainsFunc(heappane.Bins.Values, func(x panes.Value[string]) bool { return x.Is == now }); {
	case !known:
		c.Word = "own bins"
		if !slices.Contains(own, now) {
			own = append(slices.Clone(own), now)
		}
	case now == "":
		c.Word = "bins"
	default:
		c.Word, _, _ = strings.Cut(now, " ")
	}
	for _, text := range own {
		c.List = append(c.List, toolbar.Choice{Title: "Bins: " + text, On: now == text, Run: func() { v.sortBy(text) }})
	}
	c.List = append(c.List, toolbar.Choice{ID: "own", Title: "Bins: a rule of your own …", Run: v.askRule})
	return c
}

// sortBy sorts the blocks into bins by a rule.
func (v *heapView) sortBy(rule string) {
	v.shown.Choose(heappane.Bins.Step, func(c *heappane.Choices) { heappane.Bins.Set(c, rule) })
}

// barChip offers the occupancy bars.
func (v *heapView) barChip() toolbar.Chip {
	c := heappane.BarStyles.Chip(v.shown)
	if c.Word = "bar (" + c.Word + ")"; v.shown.Now.Bar == heapmap.BarPlateau {
		c.Word = "bar (c)"
	}
	return c
}

// weightChip offers how thin blocks are drawn.
func (v *heapView) weightChip() toolbar.Chip {
	c := heappane.Alphas.Chip(v.shown)
	for i := range c.List {
		c.List[i].On = c.List[i].On && !v.shown.Now.Plain
	}
	c.List = append(heappane.Plain.Chip(v.shown).List, c.List...)
	return c
}

// lookChip has the rest.
func (v *heapView) lookChip() toolbar.Chip {
	c, now := toolbar.Chip{Name: "look", Word: "look"}, &v.shown.Now
	for _, o := range []panes.Declared[heappane.Choices]{heappane.Cushions, heappane.Curves, heappane.Links,
		heappane.Softness} {
		c.List = append(c.List, o.Chip(v.shown).List...)
	}
	c.List = append(c.List, toolbar.Choice{ID: "cursors", Title: "Remove all cursors but now",
		Off: len(now.Cursors)+len(now.Levels) == 0, Run: func() {
			v.shown.Choose("cursors in the heap", func(c *heappane.Choices) { c.Cursors, c.Levels = nil, nil })
		}})
	return toolbar.Chip{Name: c.Name, Word: c.Word, List: append(c.List, toolbar.Choice{ID: "classes",
		Title: "Show all classes", Off: len(now.Hidden) == 0, Run: func() { v.hide(nil) }})}
}

// Room of the controls.
const (
	heapSlider  = 84.0
	heapToolTop = 2.0
)

// place puts the chips from right to left, as many as leave the legend half of the row. The first one is the last to
// go.
func (v *heapView) place(size scene.Size, theme palette.Theme) (out []toolbar.Placed, left float64) {
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
		row := v.Bar.Row(&chips[i], theme)
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
	if v.Bar.Open == classesList {
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
		Value: math.Log(v.shown.Now.Alpha), Marks: []float64{math.Log(heapmap.DefaultAlpha), 0}}
	if v.shown.Now.Plain {
		s.Theme.Accent = theme.Faint
	}
	return s
}

// slide takes alpha from the slider; the first of a drag is a step, the others go on with it.
func (v *heapView) slide(e pane.Event, first bool) {
	a := math.Round(100*math.Exp(v.alphaSlider(e.Theme).ValueAt(v.sliderBox(e.Size), e.At.X))) / 100
	if first {
		v.shown.Choose("weight of thin blocks", func(c *heappane.Choices) { c.Alpha, c.Plain = a, false })
		return
	}
	v.shown.Slide(func(c *heappane.Choices) { c.Alpha, c.Plain = a, false })
}

// menu offers what can be done with a bin.
func (v *heapView) menu(e pane.Event) (items []pane.MenuItem) {
	if v.shown.Now.Bin > 0 {
		items = append(items, pane.MenuItem{Title: "Show all bins in the map", Run: func() {
			v.shown.Choose("bin shown", func(c *heappane.Choices) { c.Bin = 0 })
		}})
	}
	if t := v.hit(e); t.Bin > 0 {
		items = append(items, pane.MenuItem{Title: "Show this bin alone", Run: func() { v.only(t.Bin) }})
	}
	return items
}

// only shows one bin in the map.
func (v *heapView) only(bin int) {
	v.shown.Choose("bin shown", func(c *heappane.Choices) { c.Bin, c.Page = bin, heappane.Map })
}

// commands are the pane's choices in the palette.
func (v *heapView) commands() []shell.Command {
	blocks := func() bool { return v.d.rec.Heap.Count() > 0 }
	list := []shell.Command{{ID: "heap.pair.table", Title: "Heap: the sites of both runs in a table", Run: v.tabulate,
		Enabled: func() bool { return v.second != nil }}}
	return append(list, v.Commands("Heap: ", blocks)...)
}

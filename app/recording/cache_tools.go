package recording

import (
	"fmt"
	"strings"

	"orrery/app/panes/toolbar"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/views/controls"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/words"
)

// chips are the controls in the upper right corner of the pane.
func (v *cacheView) chips() []toolbar.Chip {
	all := []toolbar.Chip{v.tailChip(), v.meanChip(), v.grainChip(), v.dataChip()}
	if v.d.hierarchy.Cores > 1 {
		all = append(all, v.coreChip())
	}
	return append(all, v.versusChip())
}

// coreChip chooses whose caches are shown where each core has its own.
func (v *cacheView) coreChip() toolbar.Chip {
	c := toolbar.Chip{Name: "core", Word: "core of the reference"}
	set := func(k int) func() {
		return func() {
			if v.shown.core != k {
				v.choose("core", func(c *cacheChoices) { c.core = k })
			}
		}
	}
	c.List = []toolbar.Choice{{ID: "0", Title: "Caches of the core that makes the reference",
		On: v.shown.core == 0, Run: set(0)}}
	for k := 1; k <= v.d.hierarchy.Cores; k++ {
		c.List = append(c.List, toolbar.Choice{Title: fmt.Sprintf("Caches of core %d", k-1),
			On: v.shown.core == k, Run: set(k)})
		if v.shown.core == k {
			c.Word = fmt.Sprintf("core %d", k-1)
		}
	}
	return c
}

func (v *cacheView) tailChip() toolbar.Chip {
	c := toolbar.Chip{Name: "tail", About: "pathlines", Word: fmt.Sprintf("tail %d", v.shown.tail)}
	for _, n := range tails {
		title := fmt.Sprintf("Pathlines of the last %d references", n)
		switch n {
		case 0:
			title = "No pathlines"
		case 1:
			title = "Pathlines of the last reference"
		}
		c.List = append(c.List, toolbar.Choice{ID: fmt.Sprint(n), Title: title, On: v.shown.tail == n, Run: func() {
			v.setTail(n)
		}})
	}
	return c
}

func (v *cacheView) meanChip() toolbar.Chip {
	c := toolbar.Chip{Name: "mean", About: "temperature", Word: fmt.Sprintf("mean %d", v.shown.mean)}
	for _, n := range means {
		c.List = append(c.List, toolbar.Choice{ID: fmt.Sprint(n), Title: fmt.Sprintf("Temperature over %d references", n),
			On: v.shown.mean == n, Run: func() { v.setMean(n) }})
	}
	return toolbar.Chip{Name: c.Name, Word: c.Word, List: append(c.List,
		toolbar.Choice{Title: "Weights of hits and misses as at first", Off: v.shown.weights == nil, Run: func() {
			v.choose("weights of the temperature", func(c *cacheChoices) { c.weights = nil })
		}})}
}

// grainWords say what the grains are.
var grainWords = []string{"A glyph is an element, larger where they are many", "A glyph is an element",
	"A glyph is a cache block", "A glyph is a page"}

func (v *cacheView) grainChip() toolbar.Chip {
	c := toolbar.Chip{Name: "glyph", About: "glyphs", Word: "glyph " + v.glyph()}
	for i, name := range session.GrainNames {
		g := session.Grain(i)
		c.List = append(c.List, toolbar.Choice{ID: name, Title: grainWords[i], On: v.shown.grain == g, Run: func() {
			v.setGrain(g)
		}})
	}
	return c
}

func (v *cacheView) dataChip() toolbar.Chip {
	all := len(v.shown.hidden) == 0 && v.shown.filter.All()
	c := toolbar.Chip{Name: "data", About: "data shown", Word: scene.Ellipsis(scene.Sans, 10.5, v.shownWords(), toolWidth)}
	c.List = []toolbar.Choice{{ID: "all", Title: "Show all data", On: all, Run: v.showAll},
		{Title: "Show only what I type …", Run: func() { v.ask("show ") }}}
	if f, ok := v.ofSelection(); ok {
		c.List = append(c.List, toolbar.Choice{ID: "selection", Title: "Show only " + f.String(), Run: func() { v.only(f) }})
	}
	return c
}

// ask lets the user complete a text in the search entry.
func (v *cacheView) ask(text string) {
	if v.d.host.Find != nil {
		v.d.host.Find(text)
	}
}

// narrowPair is the width of a pane in which two pictures leave room for one chip only, that of the comparison.
const narrowPair = 640.0

// toolWidth is the room of a chip's words; longer ones are cut.
const toolWidth = 150.0

// controls are the chips where there is room for them, one below the other.
func (v *cacheView) controls(size scene.Size, theme palette.Theme) []toolbar.Placed {
	if !roomy(size) || v.d.caches() == nil {
		return nil
	}
	var out []toolbar.Placed
	chips, top := v.chips(), 28.0
	if v.compares(size) {
		top += headRoom
		if size.W < narrowPair {
			chips = chips[len(chips)-1:]
		}
	}
	for i, c := range chips {
		row := v.Bar.Row(&c, theme)
		out = append(out, toolbar.Placed{Chip: c, Row: row, At: scene.Point{X: size.W - 10 - row.Width(),
			Y: top + float64(i)*(controls.RowHeight+4)}})
	}
	return out
}

// toolBox is the corner that the chips take.
func toolBox(placed []toolbar.Placed) scene.Rect {
	var box scene.Rect
	for i, c := range placed {
		r := scene.R(c.At.X, c.At.Y, c.Row.Width(), controls.RowHeight)
		if i == 0 {
			box = r
		}
		box.Min.X, box.Max.Y = min(box.Min.X, r.Min.X), r.Max.Y
	}
	return box
}

// Menu offers what can be done with what is under the pointer, and the choices of the picture: where there is room for
// chips, those of data alone.
func (v *cacheView) Menu(e pane.Event) []pane.MenuItem {
	items := v.glyphMenu(e)
	chips := v.chips()
	if len(v.controls(e.Size, e.Theme)) == len(chips) {
		chips = []toolbar.Chip{v.dataChip()}
	}
	return append(items, toolbar.Menu(chips)...)
}

// ofSelection is the filter that leaves what is selected.
func (v *cacheView) ofSelection() (f session.CacheFilter, ok bool) {
	switch t := v.d.link.State().Selected; t.What {
	case link.Region:
		f.Memory = []string{t.Name}
	default:
		f.Lines = codePatterns(t)
	}
	return f, !f.All() && v.d.rec.CheckFilter(f) == nil
}

// codePatterns are a filter's patterns of the code that a thing is; none for another thing.
func codePatterns(t link.Thing) (out []string) {
	switch t.What {
	case link.Function:
		return []string{t.Name}
	case link.Line:
		return []string{fmt.Sprintf("%s:%d", t.File, t.Line)}
	}
	for _, pc := range t.PCs() {
		out = append(out, pc.String())
	}
	return out
}

// glyphMenu offers the ways from a glyph to the other views.
func (v *cacheView) glyphMenu(e pane.Event) []pane.MenuItem {
	if v.d.caches() == nil {
		return nil
	}
	t := v.hit(e)
	if t.High == t.Low {
		return v.regionMenu(t.Thing)
	}
	var items []pane.MenuItem
	l := v.d.link
	add := func(title string, run func()) { items = append(items, pane.MenuItem{Title: title, Run: run}) }
	if told, err := v.d.caches().Story(t.Low, t.High, l.State().Cursor); err == nil {
		for i, u := range told.Uses {
			if i == 0 {
				if at := v.d.rec.Program().SiteAt(u.PC).Own(); at.Line > 0 {
					add("Select the line that used it last, "+at.Resolved(), func() {
						l.Select(link.OfLine(at.File, at.Line), "cache")
					})
				}
			}
			if u.Seq != l.State().Cursor {
				add(fmt.Sprintf("Go to its last use before, t %d", u.Seq), func() { l.SetCursor(u.Seq) })
				break
			}
		}
	}
	if r, _ := v.d.rec.Regions.At(t.Low, l.State().Cursor); r.Name != "" {
		add("Select all of "+r.Name, func() { l.Select(regionThing(r.Name), "cache") })
		add("Show only "+r.Name, func() { v.only(session.CacheFilter{Memory: []string{r.Name}}) })
	}
	if block, ok := v.d.block(t.Low); ok {
		add(fmt.Sprintf("Select its block, #%d", block.ID), func() { l.Select(block, "cache") })
	}
	add("Select the bytes", func() { l.Select(t.Thing, "cache") })
	return append(items, pane.MenuItem{})
}

// regionMenu offers what can be done with the region whose arc or name is under the pointer.
func (v *cacheView) regionMenu(t link.Thing) []pane.MenuItem {
	id := v.d.rec.Regions.Find(t.Name)
	if t.What != link.Region || id < 0 {
		return nil
	}
	verb := "Hide "
	if v.shown.hidden[id] {
		verb = "Show "
	}
	return []pane.MenuItem{
		{Title: verb + t.Name, Run: func() { v.toggle([]int{id}) }},
		{Title: "Hide all but " + t.Name, Run: func() { v.isolate([]int{id}) }},
		{Title: "Select all of " + t.Name, Run: func() { v.d.link.Select(t, "cache") }},
		{},
	}
}

// search answers what is typed for the picture: "show A, B*" filters it.
func (v *cacheView) search(text string) []shell.Found {
	rest, ok := strings.CutPrefix(text, "show")
	if !ok || rest != "" && rest[0] != ' ' {
		return nil
	}
	f := session.ParseCacheFilter(rest)
	if f.All() {
		return []shell.Found{{Label: "Show all data in the cache picture", Detail: "or type names: A, B*, line bubble.c:12",
			Go: v.showAll}}
	}
	if err := v.d.rec.CheckFilter(f); err != nil {
		return []shell.Found{{Label: words.Sentence(err.Error()), Go: func() { v.ask(text) }}}
	}
	return []shell.Found{{Label: "Show only " + f.String() + " in the cache picture", Detail: "the simulation sees all",
		Go: func() { v.only(f) }}}
}

// commands are the pane's choices on the keyboard and in the palette.
func (v *cacheView) commands() []shell.Command {
	list := []shell.Command{
		{ID: "cache.tail.longer", Title: "Longer pathlines in the cache picture", Menu: "View", Keys: "T", Run: func() {
			v.setTail(step(tails, v.shown.tail, true))
		}},
		{ID: "cache.tail.shorter", Title: "Shorter pathlines in the cache picture", Menu: "View", Keys: "Shift+T",
			Run: func() { v.setTail(step(tails, v.shown.tail, false)) }},
		{ID: "cache.show", Title: "Show only some data in the cache picture…", Menu: "View", Run: func() { v.ask("show ") }},
	}
	for _, c := range v.chips() {
		for _, o := range c.List {
			if o.ID != "" { // the others depend on what is open
				list = append(list, shell.Command{ID: "cache." + c.Name + "." + o.ID, Title: "Cache: " +
					strings.ToLower(o.Title[:1]) + o.Title[1:], Run: o.Run})
			}
		}
	}
	return list
}

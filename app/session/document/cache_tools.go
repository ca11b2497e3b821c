package document

import (
	"fmt"
	"strings"

	"orrery/app/session"
	"orrery/app/shell"
	"orrery/views/chooser"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

// tool is one control in the upper right corner of the pane. A click or the wheel goes on to the next value, and with
// Shift or the wheel turned back to the one before.
type tool struct {
	word string
	tip  []string
	turn func(up bool)
}

func (v *cacheView) tools() []tool {
	return []tool{
		{fmt.Sprintf("tail %d", v.shown.tail), []string{fmt.Sprintf("pathlines of the last %d references", v.shown.tail), "click: longer, Shift and click: shorter"},
			func(up bool) { v.setTail(step(tails, v.shown.tail, up)) }},
		{fmt.Sprintf("mean %d", v.shown.mean), []string{fmt.Sprintf("temperatures are means over %d references", v.shown.mean), "click: more, Shift and click: fewer"},
			func(up bool) { v.setMean(step(means, v.shown.mean, up)) }},
		{"glyph " + v.glyph(), []string{"a glyph stands for " + v.glyph() + ": " + grainWords[v.shown.grain], "click: element, block, page"},
			func(up bool) { v.setGrain(nextGrain(v.shown.grain, up)) }},
		{v.shownWords(), []string{"which data are shown: " + v.shownWords(), "click to type names, * stands for anything; the simulation sees all"},
			func(bool) { v.ask("show ") }},
	}
}

// grainWords say what the grains are.
var grainWords = []string{"elements where they are few", "an element", "a cache block", "a page"}

func nextGrain(g session.Grain, up bool) session.Grain {
	n := session.Grain(len(session.GrainNames))
	if up {
		return (g + 1) % n
	}
	return (g + n - 1) % n
}

// ask lets the user complete a text in the search entry.
func (v *cacheView) ask(text string) {
	if v.d.host.Find != nil {
		v.d.host.Find(text)
	}
}

// toolWidth is the room of a tool's words; longer ones are cut.
const toolWidth = 150.0

// rows are the tools as choosers, one below the other, and where they stand.
func (v *cacheView) rows(theme palette.Theme, size scene.Size) (rows []chooser.State, at []scene.Point) {
	if !roomy(size) || v.d.caches == nil {
		return nil, nil
	}
	for i, t := range v.tools() {
		row := chooser.State{Theme: theme, Words: []string{scene.Ellipsis(scene.Sans, 10.5, t.word, toolWidth)}, Chosen: -1, Hover: -1}
		if i == v.over {
			row.Hover = 0
		}
		rows = append(rows, row)
		at = append(at, scene.Point{X: size.W - 10 - chooser.Width(row), Y: 28 + float64(i)*(chooser.Height()+4)})
	}
	return rows, at
}

// toolBox is the corner that the tools take.
func (v *cacheView) toolBox(theme palette.Theme, size scene.Size) scene.Rect {
	rows, at := v.rows(theme, size)
	var box scene.Rect
	for i, row := range rows {
		r := scene.R(at[i].X, at[i].Y, chooser.Width(row), chooser.Height())
		if i == 0 {
			box = r
		}
		box.Min.X, box.Max.Y = min(box.Min.X, r.Min.X), r.Max.Y
	}
	return box
}

func (v *cacheView) drawTools(d *scene.Drawing, theme palette.Theme) {
	rows, at := v.rows(theme, d.Size)
	for i, row := range rows {
		d.Add(chooser.Shapes(row, at[i])...)
	}
}

// toolAt is the tool under the pointer, -1 for none.
func (v *cacheView) toolAt(e pane.Event) int {
	rows, at := v.rows(v.d.theme, e.Size)
	for i, row := range rows {
		if chooser.Hit(row, at[i], e.At) >= 0 {
			return i
		}
	}
	return -1
}

func (v *cacheView) pressTool(e pane.Event) bool {
	i := v.toolAt(e)
	if i >= 0 {
		v.tools()[i].turn(!e.Mods.Shift)
	}
	return i >= 0
}

// overTool notes the tool under the pointer and tells whether there is one.
func (v *cacheView) overTool(e pane.Event) bool {
	if i := v.toolAt(e); i != v.over {
		v.over = i
		v.d.changed(shell.Cache)
	}
	return v.over >= 0
}

// Menu offers what can be done with the glyph under the pointer and all choices of the picture.
func (v *cacheView) Menu(e pane.Event) []pane.MenuItem {
	items := v.glyphMenu(e)
	add := func(title string, off bool, run func()) {
		items = append(items, pane.MenuItem{Title: title, Off: off, Run: run})
	}
	for _, n := range tails {
		add(fmt.Sprintf("Pathlines of the last %d references", n), v.shown.tail == n, func() { v.setTail(n) })
	}
	items = append(items, pane.MenuItem{})
	for _, n := range means {
		add(fmt.Sprintf("Temperature over %d references", n), v.shown.mean == n, func() { v.setMean(n) })
	}
	add("Weights of the temperature as at first", v.shown.weights == nil, func() {
		v.choose("weights of the temperature", func(c *cacheChoices) { c.weights = nil })
	})
	items = append(items, pane.MenuItem{})
	for g, words := range grainWords {
		add("A glyph is "+strings.TrimPrefix(words, "a glyph is "), v.shown.grain == session.Grain(g), func() { v.setGrain(session.Grain(g)) })
	}
	items = append(items, pane.MenuItem{})
	add("Show only …", false, func() { v.ask("show ") })
	if f, ok := v.ofSelection(); ok {
		add("Show only "+f.String(), false, func() { v.only(f) })
	}
	add("Show all data", len(v.shown.hidden) == 0 && v.shown.filter.All(), v.showAll)
	return items
}

// ofSelection is the filter that leaves what is selected.
func (v *cacheView) ofSelection() (f session.CacheFilter, ok bool) {
	switch t := v.d.link.State().Selected; t.What {
	case link.Region:
		f.Memory = []string{t.Name}
	case link.Function:
		f.Lines = []string{t.Name}
	case link.Line:
		f.Lines = []string{fmt.Sprintf("%s:%d", t.File, t.Line)}
	}
	return f, !f.All() && v.d.rec.CheckFilter(f) == nil
}

// glyphMenu offers the ways from a glyph to the other views.
func (v *cacheView) glyphMenu(e pane.Event) []pane.MenuItem {
	if v.d.caches == nil {
		return nil
	}
	t := v.hit(e)
	if t.High == t.Low {
		return nil
	}
	var items []pane.MenuItem
	l := v.d.link
	add := func(title string, run func()) { items = append(items, pane.MenuItem{Title: title, Run: run}) }
	if told, err := v.d.caches.Story(t.Low, t.High, l.State().Cursor); err == nil {
		for i, u := range told.Uses {
			if i == 0 {
				if at := v.d.rec.Program().SiteAt(u.PC).Own(); at.Line > 0 {
					add("Select the line that used it last, "+at.Resolved(), func() { l.Select(link.Thing{What: link.Line, File: at.File, Line: at.Line}, "cache") })
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

// search answers what is typed for the picture: "show A, B*" filters it.
func (v *cacheView) search(text string) []shell.Found {
	rest, ok := strings.CutPrefix(text, "show")
	if !ok || rest != "" && rest[0] != ' ' {
		return nil
	}
	f := session.ParseCacheFilter(rest)
	if f.All() {
		return []shell.Found{{Label: "Show all data in the cache picture", Detail: "or type names: A, B*, line bubble.c:12", Go: v.showAll}}
	}
	if err := v.d.rec.CheckFilter(f); err != nil {
		return []shell.Found{{Label: sentence(err), Go: func() { v.ask(text) }}}
	}
	return []shell.Found{{Label: "Show only " + f.String() + " in the cache picture", Detail: "the simulation sees all", Go: func() { v.only(f) }}}
}

// commands are the pane's choices on the keyboard and in the palette.
func (v *cacheView) commands() []shell.Command {
	return []shell.Command{
		{ID: "cache.tail.longer", Title: "Longer pathlines in the cache picture", Menu: "View", Keys: "]", Run: func() { v.setTail(step(tails, v.shown.tail, true)) }},
		{ID: "cache.tail.shorter", Title: "Shorter pathlines in the cache picture", Menu: "View", Keys: "[", Run: func() { v.setTail(step(tails, v.shown.tail, false)) }},
		{ID: "cache.show", Title: "Show only some data in the cache picture…", Menu: "View", Run: func() { v.ask("show ") }},
		{ID: "cache.show.all", Title: "Show all data in the cache picture", Menu: "View", Run: v.showAll},
		{ID: "cache.grain", Title: "Next size of a glyph in the cache picture", Menu: "View", Run: func() { v.setGrain(nextGrain(v.shown.grain, true)) }},
	}
}

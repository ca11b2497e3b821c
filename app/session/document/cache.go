package document

import (
	"fmt"
	"strings"

	"orrery/app/session"
	"orrery/app/shell"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/rings"
	"orrery/views/scene"
)

// cacheView is the data glyphs on cache rings at the time cursor.
type cacheView struct {
	d      *Document
	tail   int // references that leave pathlines
	mean   int // references that temperatures are means over
	hidden map[int]bool

	state   rings.State // loaded for
	key     ringsKey
	problem error
}

type ringsKey struct {
	caches      any
	at          traceio.Seq
	tail, speed int
	mean        int
}

// The settings that a document opens with.
const (
	defaultTail = 16
	defaultMean = 100
)

func newCacheView(d *Document) *cacheView {
	return &cacheView{d: d, tail: defaultTail, mean: defaultMean, hidden: map[int]bool{}}
}

func (v *cacheView) Title() string { return "Cache" }

func (v *cacheView) Caption() string {
	config := v.d.hierarchy
	var levels []string
	for i := config.Entry(traceio.Load); i >= 0 && i < len(config.Levels); i = config.Next(i) {
		l := config.Levels[i]
		levels = append(levels, fmt.Sprintf("%s %d × %d × %s", l.Name, l.Sets(), l.Ways, l.Block))
	}
	if n := v.d.link.State().Stride; n > 1 {
		levels = append(levels, fmt.Sprintf("time-lapse ×%d", n))
	}
	return strings.Join(append(levels, fmt.Sprintf("tail %d", v.tail)), " · ")
}

// frame brings the state to the present; the references are read again only when the cursor has moved.
func (v *cacheView) frame(theme palette.Theme) rings.State {
	l, rec := v.d.link.State(), v.d.rec
	if v.d.caches != nil {
		rec = v.d.simulated // of a recording that grows, the caches may know less than there is
		at := min(l.Cursor, max(1, rec.Len())-1)
		key := ringsKey{v.d.caches, at, v.tail, l.Stride, v.mean}
		v.state.At, v.state.Frac, v.state.Tail, v.state.Speed, v.state.Mean = at, l.Part, v.tail, l.Stride, v.mean
		if key != v.key {
			v.key, v.state.Items = key, v.d.caches.Items
			v.problem = v.state.Load(v.d.caches, rec)
		} else {
			v.problem = v.state.Temper(v.d.caches)
		}
	}
	s := v.state
	s.Theme, s.Hover, s.Selected = theme, l.Hover, l.Selected
	s.Regions = rec.RingRegions(theme, v.hidden)
	s.Hidden = rec.HiddenItems(s.Items, v.hidden)
	s.Names = rec.NamesAt(l.Cursor)
	if v.problem != nil {
		s.Caption = v.problem.Error()
	}
	return s
}

func (v *cacheView) Draw(size scene.Size, theme palette.Theme) scene.Drawing {
	v.d.theme = theme
	if v.d.rec.EventsOnly() {
		return message(size, theme, sentence(session.ErrEventsOnly))
	}
	if v.d.caches == nil {
		doing := "…"
		if v.d.stopped {
			doing = goOn
		}
		return message(size, theme, "Simulating "+v.d.hierarchy.Name+" "+doing)
	}
	return rings.Scene(v.frame(theme), size)
}

func (v *cacheView) hit(e pane.Event) rings.Target {
	if v.d.caches == nil {
		return rings.Target{Legend: -1}
	}
	return rings.Hit(v.frame(v.d.theme), e.Size, e.At)
}

func (v *cacheView) Moved(e pane.Event)        { v.d.link.SetHover(v.hit(e).Thing) }
func (v *cacheView) Left()                     { v.d.link.SetHover(link.Thing{}) }
func (v *cacheView) Tip(e pane.Event) []string { return v.hit(e).Lines }
func (v *cacheView) Scrolled(_ pane.Event, _, dy float64) {
	v.d.link.SetCursor(traceio.Seq(max(0, min(int64(v.d.rec.Len())-1, int64(v.d.link.State().Cursor)-int64(dy)))))
}

// Pressed selects what lies under the pointer; on the legend it hides or shows the region.
func (v *cacheView) Pressed(e pane.Event) {
	if e.Button != pane.Primary {
		return
	}
	t := v.hit(e)
	if t.Legend >= 0 {
		v.hidden[t.Legend] = !v.hidden[t.Legend]
		v.d.changed(shell.Cache)
		return
	}
	v.d.link.Select(t.Thing, "cache")
}

// Menu offers the length of the pathlines and the span of the temperature.
func (v *cacheView) Menu(pane.Event) []pane.MenuItem {
	var items []pane.MenuItem
	choose := func(title string, now *int, value int) {
		items = append(items, pane.MenuItem{Title: title, Off: *now == value, Run: func() {
			*now = value
			v.d.changed(shell.Cache)
		}})
	}
	for _, n := range []int{0, 4, 16, 64, 256} {
		choose(fmt.Sprintf("Pathlines of the last %d references", n), &v.tail, n)
	}
	items = append(items, pane.MenuItem{})
	for _, n := range []int{20, 100, 500} {
		choose(fmt.Sprintf("Temperature over %d references", n), &v.mean, n)
	}
	items = append(items, pane.MenuItem{}, pane.MenuItem{Title: "Show all regions", Run: func() {
		clear(v.hidden)
		v.d.changed(shell.Cache)
	}})
	return items
}

// sentence writes an error as one.
func sentence(err error) string {
	s := err.Error()
	return strings.ToUpper(s[:1]) + s[1:] + "."
}

// message is a picture that only says something.
func message(size scene.Size, theme palette.Theme, text string) scene.Drawing {
	d := scene.Drawing{Size: size, Background: theme.Panel}
	lines := scene.Wrap(scene.Sans, 13, text, min(440, size.W-40))
	y := size.H/2 - float64(len(lines)-1)*10
	for _, line := range lines {
		d.Add(scene.Text{At: scene.Point{X: size.W / 2, Y: y}, Size: 13, Color: theme.Dim, Align: 0.5, S: line})
		y += 20
	}
	return d
}

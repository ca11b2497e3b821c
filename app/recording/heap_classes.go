package recording

import (
	"fmt"
	"maps"

	"orrery/app/panes/toolbar"
	heappane "orrery/app/recording/heap"
	"orrery/views/controls"
	"orrery/views/heapmap"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// classesList is the list of all classes, which the end of the legend opens.
const classesList = "classes of blocks"

// classes is that list. It has no chip of its own.
func (v *heapView) classes(theme palette.Theme) toolbar.Placed {
	all := toolbar.Choice{Title: "Show all classes", Off: true}
	if len(v.shown.Now.Hidden) > 0 {
		all.Off, all.Run = false, func() { v.hide(nil) }
	}
	c := toolbar.Chip{Name: classesList, List: []toolbar.Choice{all}}
	for i, e := range v.draw.Legend(v.state(theme)) {
		c.List = append(c.List, toolbar.Choice{Title: fmt.Sprintf("%s   %s, %s", e.Name, words.Plural(e.Blocks, "block"),
			words.Bytes(e.Bytes)), On: !v.shown.Now.Hidden[i], Check: true, Ink: e.Color, Run: func() { v.toggle(i) }})
	}
	return toolbar.Placed{Chip: c, Row: controls.Choices{Theme: theme, Chosen: -1, Hover: -1},
		At: scene.Point{X: v.rest, Y: heapToolTop}}
}

// pressClass shows a class of the legend alone: what it is in the other views, too, is selected; else the others are
// hidden. A second press takes that back. Hiding is for the class itself.
func (v *heapView) pressClass(t heapmap.Target, hide bool) {
	switch {
	case hide:
		v.toggle(t.Entry)
	case t.Thing.What == link.Nothing:
		v.alone(t.Entry)
	case t.Thing == v.d.link.State().Selected:
		v.d.link.Clear()
	default:
		v.d.link.Select(t.Thing, "heap")
	}
}

// alone hides all classes but one, or shows them again.
func (v *heapView) alone(entry int) {
	others := map[int]bool{}
	for i := range v.draw.Legend(v.state(v.Theme())) {
		if i != entry {
			others[i] = true
		}
	}
	if maps.Equal(others, v.shown.Now.Hidden) {
		others = nil
	}
	v.hide(others)
}

// toggle hides or shows a class of the legend.
func (v *heapView) toggle(entry int) {
	hidden := maps.Clone(v.shown.Now.Hidden)
	if hidden == nil {
		hidden = map[int]bool{}
	}
	if hidden[entry] = !hidden[entry]; !hidden[entry] {
		delete(hidden, entry)
	}
	v.hide(hidden)
}

func (v *heapView) hide(classes map[int]bool) {
	v.shown.Choose("classes of blocks shown", func(c *heappane.Choices) { c.Hidden = classes })
}

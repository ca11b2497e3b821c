package document

import (
	"fmt"
	"math"

	"orrery/views/chooser"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

// chipBar is the chips of one pane, of which one at a time may have its list open.
type chipBar struct {
	open   string // the name of the chip whose list is open, "" for none
	over   string // the name of the chip under the pointer
	option int    // the option under the pointer, -1 for none
	from   int    // the first option shown of a list that is longer than the pane
}

// row is the chip as it is drawn.
func (b *chipBar) row(c *chip, theme palette.Theme) chooser.State {
	row := chooser.State{Theme: theme, Words: []string{c.word}, Chosen: -1, Hover: -1, Opens: true}
	if c.name == b.over {
		row.Hover = 0
	}
	return row
}

// leftRow is chips side by side at the left of a bar.
func (b *chipBar) leftRow(chips []chip, theme palette.Theme) (out []control) {
	x := 10.0
	for _, c := range chips {
		row := b.row(&c, theme)
		out = append(out, control{c, row, scene.Point{X: x, Y: 4}})
		x += chooser.Width(row) + 4
	}
	return out
}

// listed is the choices of chips as lines of a menu, a separator before each chip's.
func listed(chips []chip) (items []pane.MenuItem) {
	for _, c := range chips {
		items = append(items, pane.MenuItem{})
		for _, o := range c.list {
			items = append(items, pane.MenuItem{Title: o.title, Off: o.on || o.off, Run: o.run})
		}
	}
	return items
}

// list is the list that is open, beside its chip and within the pane.
func (b *chipBar) list(controls []control, theme palette.Theme, size scene.Size) (list chooser.State, at scene.Point, options []option) {
	for _, c := range controls {
		if c.name != b.open {
			continue
		}
		list = chooser.State{Theme: theme, Chosen: -1, Hover: b.option, Column: true}
		shown := c.list
		if most := int((size.H-8)/chooser.Height()) - 1; len(shown) > most+1 && most > 1 {
			b.from = max(0, min(b.from, len(shown)-most))
			more := option{title: fmt.Sprintf("%d to %d of %d, the wheel shows the others", b.from+1, b.from+most, len(shown)), off: true}
			shown = append(append([]option(nil), shown[b.from:b.from+most]...), more)
		}
		for i, o := range shown {
			title := scene.Ellipsis(scene.Sans, 10.5, o.title, size.W-60)
			if o.off && o.run != nil {
				title += " (not now)"
			}
			list.Words = append(list.Words, title)
			if o.on {
				list.Chosen = i
			}
		}
		at = scene.Point{X: min(c.at.X, size.W-chooser.Width(list)-10), Y: c.at.Y + chooser.Height() + 3}
		if tall := chooser.Tall(list); at.Y+tall > size.H-4 {
			at.Y = size.H - 4 - tall
			if c.at.Y > size.H/2 { // above its chip
				at.Y = c.at.Y - 3 - tall
			}
			at.Y = max(4, at.Y)
		}
		return list, at, shown
	}
	return list, at, nil
}

// draw paints the chips, and over them the list that is open.
func (b *chipBar) draw(d *scene.Drawing, controls []control, theme palette.Theme) {
	for _, c := range controls {
		d.Add(chooser.Shapes(c.row, c.at)...)
	}
	if list, at, options := b.list(controls, theme, d.Size); options != nil {
		d.Add(chooser.Shapes(list, at)...)
	}
}

// at is the chip at a point, nil for none.
func chipAt(controls []control, p scene.Point) *control {
	for i := range controls {
		if chooser.Hit(controls[i].row, controls[i].at, p) >= 0 {
			return &controls[i]
		}
	}
	return nil
}

// press answers a press: on a chip it opens its list, in a list it chooses, beside one it closes it. It tells whether the
// press was for the chips.
func (b *chipBar) press(controls []control, theme palette.Theme, e pane.Event) bool {
	if list, at, options := b.list(controls, theme, e.Size); options != nil {
		b.open, b.option = "", -1
		if i := chooser.Hit(list, at, e.At); i >= 0 && !options[i].off {
			options[i].run()
		}
		return true
	}
	c := chipAt(controls, e.At)
	if c != nil {
		b.open, b.option, b.from = c.name, -1, 0
	}
	return c != nil
}

// moved notes what is under the pointer. It tells whether that is a chip or a list, and whether the chips look different
// now.
func (b *chipBar) moved(controls []control, theme palette.Theme, e pane.Event) (inside, changed bool) {
	now := chipBar{open: b.open, option: -1, from: b.from}
	if c := chipAt(controls, e.At); c != nil {
		now.over, inside = c.name, true
	}
	if list, at, options := b.list(controls, theme, e.Size); options != nil {
		now.option, inside = chooser.Hit(list, at, e.At), true
	}
	changed = now != *b
	*b = now
	return inside, changed
}

// scrolled moves a list that is open and tells whether there is one.
func (b *chipBar) scrolled(dy float64) bool {
	if b.open != "" {
		b.from -= int(math.Copysign(3, dy))
	}
	return b.open != ""
}

// close closes the list that is open and tells whether there was one.
func (b *chipBar) close() bool {
	was := b.open != ""
	b.open, b.option = "", -1
	return was
}

// left forgets the pointer.
func (b *chipBar) left() { b.over, b.option = "", -1 }

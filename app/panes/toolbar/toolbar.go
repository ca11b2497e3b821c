// Package toolbar is the row of chips at the edge of a pane, words that open lists of choices, and the line of text
// that is written inside a picture.
package toolbar

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"orrery/views/controls"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

// Chip is a word in the pane that opens a list of choices, or does something.
type Chip struct {
	Name  string // "sampling": what it is about
	About string // the same where the name is not plain enough for a menu: "pathlines"
	Word  string // what is chosen now, in a word
	List  []Choice
	Run   func() // of a chip without a list: what a press does
}

// Choice is one choice of a list.
type Choice struct {
	ID    string      // "10"; "" where there is no command for it
	Title string      // "use one of 10 references"
	On    bool        // it is chosen now
	Off   bool        // it cannot be chosen now
	Check bool        // it is on or off by itself: a box stands before it, and the list stays open when it is pressed
	Ink   color.NRGBA // of the box; the accent where it has no alpha
	Run   func()
}

// Placed is a chip and where it stands.
type Placed struct {
	Chip
	Row controls.Choices
	At  scene.Point
}

// Bar is the chips of one pane, of which one at a time may have its list open.
type Bar struct {
	Open   string // the name of the chip whose list is open, "" for none
	over   string // the name of the chip under the pointer
	option int    // the option under the pointer plus 1, 0 for none
	from   int    // the first option shown of a list that is longer than the pane
}

// Row is the chip as it is drawn.
func (b *Bar) Row(c *Chip, theme palette.Theme) controls.Choices {
	row := controls.Choices{Theme: theme, Words: []string{c.Word}, Chosen: -1, Hover: -1, Opens: c.Run == nil}
	if c.Name == b.over {
		row.Hover = 0
	}
	return row
}

// Left is chips side by side at the left of a bar.
func (b *Bar) Left(chips []Chip, theme palette.Theme) (out []Placed) {
	x := 10.0
	for _, c := range chips {
		row := b.Row(&c, theme)
		out = append(out, Placed{c, row, scene.Point{X: x, Y: 4}})
		x += row.Width() + 4
	}
	return out
}

// flat is how many choices of all chips stand in a menu itself; of more each chip has a menu of its own.
const flat = 8

// Menu is the choices of chips as lines of a menu: what is chosen has a mark and can be pressed all the same.
func Menu(chips []Chip) (items []pane.MenuItem) {
	all := 0
	for _, c := range chips {
		all += len(c.List)
	}
	for i, c := range chips {
		var list []pane.MenuItem
		for _, o := range c.List {
			list = append(list, pane.MenuItem{Title: o.Title, On: o.On, Off: o.Off, Run: o.Run})
		}
		switch {
		case len(list) == 0:
		case all <= flat:
			items = append(append(items, pane.MenuItem{}), list...)
		default:
			if i == 0 {
				items = append(items, pane.MenuItem{})
			}
			items = append(items, pane.MenuItem{Title: c.title(), Items: list})
		}
	}
	return items
}

// title is what a chip's own menu is called.
func (c *Chip) title() string {
	about := c.About
	if about == "" {
		about = c.Name
	}
	return strings.ToUpper(about[:1]) + about[1:]
}

// List is the list that is open, beside its chip and within the pane.
func (b *Bar) List(placed []Placed, theme palette.Theme,
	size scene.Size) (list controls.Choices, at scene.Point, options []Choice) {
	for _, c := range placed {
		if c.Name != b.Open {
			continue
		}
		list = controls.Choices{Theme: theme, Chosen: -1, Hover: b.option - 1, Column: true}
		shown := c.List
		if most := rows(c.At.Y, size.H) - 1; len(shown) > most+1 && most > 1 {
			b.from = max(0, min(b.from, len(shown)-most))
			more := Choice{Title: fmt.Sprintf("%d to %d of %d, the wheel shows the others", b.from+1, b.from+most, len(shown)),
				Off: true}
			shown = append(append([]Choice(nil), shown[b.from:b.from+most]...), more)
		}
		for i, o := range shown {
			title := scene.Ellipsis(scene.Sans, 10.5, o.Title, size.W-60)
			if o.Off && o.Run != nil {
				title += " (not now)"
			}
			list.Words, list.Inks = append(list.Words, title), append(list.Inks, o.Ink)
			if o.On {
				list.Chosen = i
			}
		}
		if list.Marks = marks(shown, c.List); list.Marks != nil {
			list.Chosen = -1
		}
		at = scene.Point{X: min(c.At.X, size.W-list.Width()-10), Y: c.At.Y + controls.RowHeight + 3}
		if tall := list.Height(); at.Y+tall > size.H-4 {
			at.Y = size.H - 4 - tall
			if c.At.Y > size.H/2 { // above its chip
				at.Y = c.At.Y - 3 - tall
			}
			at.Y = max(4, at.Y)
		}
		return list, at, shown
	}
	return list, at, nil
}

// rows is how many lines a list has room for beside a chip at y: below it, above it where it is in the lower half; in a
// low pane also over the chip.
func rows(y, tall float64) int {
	room := tall - y - controls.RowHeight - 7
	if y > tall/2 {
		room = y - 7
	}
	return int(max(room, min(tall-8, 10*controls.RowHeight)) / controls.RowHeight)
}

// marks are what stands before the options shown: boxes and dots where a list of choices has several that can be on at
// once, nothing where it has one.
func marks(shown, all []Choice) []controls.Mark {
	on, boxes := 0, false
	for _, o := range all {
		boxes = boxes || o.Check
		if o.On {
			on++
		}
	}
	if !boxes && on < 2 {
		return nil
	}
	out := make([]controls.Mark, len(shown))
	for i, o := range shown {
		switch {
		case o.Check && o.On:
			out[i] = controls.Checked
		case o.Check:
			out[i] = controls.Unchecked
		case o.On:
			out[i] = controls.Dot
		}
	}
	return out
}

// Draw paints the chips, and over them the list that is open; on a picture to be kept, none of that.
func (b *Bar) Draw(d *scene.Drawing, placed []Placed, theme palette.Theme) {
	if d.Size.Paper {
		return
	}
	for _, c := range placed {
		d.Add(c.Row.Shapes(c.At)...)
	}
	if list, at, options := b.List(placed, theme, d.Size); options != nil {
		d.Add(list.Shapes(at)...)
	}
}

// At is the chip at a point, nil for none.
func At(placed []Placed, p scene.Point) *Placed {
	for i := range placed {
		if placed[i].Row.Hit(placed[i].At, p) >= 0 {
			return &placed[i]
		}
	}
	return nil
}

// Press answers a Press: on a chip it opens its list, in a list it chooses, beside one it closes it. It tells whether
// the Press was for the chips.
func (b *Bar) Press(placed []Placed, theme palette.Theme, e pane.Event) bool {
	if list, at, options := b.List(placed, theme, e.Size); options != nil {
		i := list.Hit(at, e.At)
		if i < 0 || !options[i].Check {
			b.Open, b.option = "", 0
		}
		if i >= 0 && !options[i].Off {
			options[i].Run()
		}
		return true
	}
	c := At(placed, e.At)
	switch {
	case c == nil:
	case c.Run != nil:
		c.Run()
	default:
		b.Open, b.option, b.from = c.Name, 0, 0
	}
	return c != nil
}

// Moved notes what is under the pointer. It tells whether that is a chip or a list, and whether the chips look
// different now.
func (b *Bar) Moved(placed []Placed, theme palette.Theme, e pane.Event) (inside, changed bool) {
	now := Bar{Open: b.Open, from: b.from}
	if c := At(placed, e.At); c != nil {
		now.over, inside = c.Name, true
	}
	if list, at, options := b.List(placed, theme, e.Size); options != nil {
		now.option, inside = list.Hit(at, e.At)+1, true
	}
	changed = now != *b
	*b = now
	return inside, changed
}

// Scrolled moves a list that is open and tells whether there is one.
func (b *Bar) Scrolled(dy float64) bool {
	if b.Open != "" {
		b.from -= int(math.Copysign(3, dy))
	}
	return b.Open != ""
}

// Close closes the list that is open and tells whether there was one.
func (b *Bar) Close() bool {
	was := b.Open != ""
	b.Open, b.option = "", 0
	return was
}

// Forget forgets the pointer, and tells whether the chips look different now.
func (b *Bar) Forget() bool {
	was := *b
	b.over, b.option = "", 0
	return was != *b
}

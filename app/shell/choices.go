package shell

import (
	"image/color"

	"orrery/views/scene"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// choices is a list of lines to pick from: the answers below the search entry, and menus. It lies in the window's own
// layers, since Fyne's popups would take the keyboard away.
type choices struct {
	widget.BaseWidget
	ui    *window
	back  *canvas.Rectangle
	none  *label // instead of no lines
	rows  []*press
	rules []*canvas.Rectangle
	list  []choice
	at    int // the line that Return picks
}

func newChoices(ui *window) *choices {
	c := &choices{ui: ui, back: canvas.NewRectangle(color.Transparent), none: newLabel(ui.look, "", 12, dim, scene.Sans)}
	c.back.CornerRadius, c.back.StrokeWidth = 6, 1
	c.ExtendBaseWidget(c)
	c.Hide()
	return c
}

// Metrics of a list in units.
const (
	rowHeight  = 25
	ruleHeight = 9
	listPad    = 5
)

// fill replaces the lines.
func (c *choices) fill(list []choice) {
	c.list, c.at, c.rows, c.rules = list, -1, nil, nil
	for _, x := range list {
		if x.label == "" {
			c.rows = append(c.rows, nil)
			c.rules = append(c.rules, canvas.NewRectangle(c.ui.look.Line))
			continue
		}
		p := newPress(c.ui, x.label, nil, func() { c.pick(x) })
		p.on = func() bool { return !x.off }
		p.lit = x.lit
		p.keys = newLabel(c.ui.look, x.detail, 11, dim, scene.Mono)
		c.rows = append(c.rows, p)
	}
}

// natural is the width at which no line is cut.
func (c *choices) natural() float32 {
	w := float32(190)
	for _, r := range c.rows {
		if r != nil {
			w = max(w, r.MinSize().Width+2*listPad)
		}
	}
	return w
}

// choose moves the chosen line, over separators and what cannot be picked.
func (c *choices) choose(by int) {
	n := len(c.rows)
	if n > 0 {
		at := (max(0, c.at) + by + n) % n
		if c.at < 0 && by > 0 {
			at = 0
		}
		for range n {
			if by == 0 || c.rows[at] != nil && !c.list[at].off {
				break
			}
			at = (at + by + n) % n
		}
		c.at = at
	}
	for i, r := range c.rows {
		if r != nil {
			r.lit = i == c.at
		}
	}
	c.Refresh()
}

// run picks the chosen line.
func (c *choices) run() {
	if c.Visible() && c.at >= 0 && c.at < len(c.list) && !c.list[c.at].off {
		c.pick(c.list[c.at])
	}
}

// pick closes the list first: what runs may open something else.
func (c *choices) pick(x choice) {
	c.ui.menu.dismiss()
	if c == c.ui.search.list {
		c.ui.search.end()
	}
	x.run()
}

func (c *choices) MinSize() fyne.Size {
	h := float32(2 * listPad)
	for _, r := range c.rows {
		if r == nil {
			h += ruleHeight
		} else {
			h += rowHeight
		}
	}
	if len(c.rows) == 0 {
		h += rowHeight
	}
	return fyne.NewSize(100, h)
}

func (c *choices) CreateRenderer() fyne.WidgetRenderer { return renderer{c} }

func (c *choices) layOut(s fyne.Size) {
	c.back.Resize(s)
	c.none.Resize(fyne.NewSize(s.Width-24, 18))
	c.none.Move(fyne.NewPos(12, 9))
	y, rule := float32(listPad), 0
	for _, row := range c.rows {
		if row == nil {
			c.rules[rule].Move(fyne.NewPos(10, y+ruleHeight/2))
			c.rules[rule].Resize(fyne.NewSize(s.Width-20, 1))
			rule++
			y += ruleHeight
			continue
		}
		row.Move(fyne.NewPos(listPad, y))
		row.Resize(fyne.NewSize(s.Width-2*listPad, rowHeight))
		y += rowHeight
	}
}

func (c *choices) update() {
	l := c.ui.look
	c.back.FillColor, c.back.StrokeColor = l.Panel, l.Line
	for _, x := range c.rules {
		x.FillColor = l.Line
	}
	for _, o := range c.parts() {
		o.Refresh()
	}
	c.layOut(c.Size())
	canvas.Refresh(c)
}
func (c *choices) parts() []fyne.CanvasObject {
	out := []fyne.CanvasObject{c.back}
	if len(c.rows) == 0 {
		out = append(out, c.none)
	}
	for _, row := range c.rows {
		if row != nil {
			out = append(out, row)
		}
	}
	for _, x := range c.rules {
		out = append(out, x)
	}
	return out
}

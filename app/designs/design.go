package designs

import (
	"orrery/analysis/dse"
	"orrery/app/panes"
	"orrery/app/panes/toolbar"
	"orrery/app/shell"
	"orrery/views/design"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
)

// designView is one design in detail: the one that is selected, or under the pointer in another view while none is.
type designView struct {
	board
	shown designChoices
	drawn design.Picture // in the last frame
	cases *panes.Lazy[*dse.Space, *design.Case]
}

// designChoices are what the user chose: each change is a step that can be taken back. Until a picture is chosen all
// are shown where there is room for them, and else the mapping.
type designChoices struct {
	picture design.Picture
	chosen  bool
	exact   bool
}

func newDesignView(e *Explorer, b panes.Base) *designView {
	v := &designView{board: board{Base: b, e: e}, shown: designChoices{exact: true},
		cases: preparing(e, "preparing the details of designs", design.NewCase)}
	v.fill(panes.Parts{Paint: v.paint, Caption: v.caption, Chips: v.chips,
		Tip: func(e pane.Event) []string { return design.Hit(v.state(e.Theme, e.Size), e.Size, e.At) }})
	return v
}

func (v *designView) caption() string {
	if p := v.point(); p >= 0 {
		return v.e.space.Label(int(p))
	}
	return ""
}

// point is the design that is shown, None for none.
func (v *designView) point() int32 {
	if p := v.e.Point(); p >= 0 || v.e.space == nil {
		return p
	}
	if h := v.e.link.State().Hover; h.What == link.Design && h.ID >= 0 && h.ID < v.e.space.N {
		return int32(h.ID)
	}
	return dse.None
}

// picture is what is drawn in the room given.
func (v *designView) picture(size scene.Size) design.Picture {
	switch {
	case v.shown.chosen:
		return v.shown.picture
	case size.W > 760 && size.H > 420:
		return design.All
	}
	return design.Mapping
}

func (v *designView) state(theme palette.Theme, size scene.Size) design.State {
	s := design.State{Theme: theme, Point: v.point(), Picture: v.picture(size), Exact: v.shown.exact,
		Top: bar, Empty: v.e.empty}
	if v.e.space == nil {
		return s
	}
	s.Case = of(v.e, v.cases)
	switch {
	case s.Point >= 0:
		s.Empty = "The details of designs are being prepared …"
	default:
		s.Empty = "Mapping, utilization and generations of a design will be here. Choose one in the tree, in the spread or " +
			"in the table."
	}
	return s
}

func (v *designView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	s := v.state(theme, size)
	v.drawn = s.Picture
	return design.Scene(s, size)
}

func (v *designView) chips() []toolbar.Chip {
	values := valuesChip(v.shown.exact, func(exact bool) {
		v.choose("values of the design", func(c *designChoices) { c.exact = exact })
	})
	return []toolbar.Chip{pictureChip(design.Pictures, int(v.drawn), v.turn), values}
}

func (v *designView) choose(name string, change func(c *designChoices)) {
	next := v.shown
	change(&next)
	link.Choose(v.e.link, name, &v.shown, next, v.Redraw)
}

// turn shows another picture.
func (v *designView) turn(i int) {
	v.choose("picture of the design", func(c *designChoices) { c.picture, c.chosen = design.Picture(i), true })
}

// Key implements pane.Keyer: Left and Right turn to another picture, Up and Down go through the Pareto points.
func (v *designView) Key(name string, _ rune) bool {
	n := len(design.Pictures)
	switch {
	case v.e.space == nil:
		return false
	case name == "Left":
		v.turn((int(v.drawn) + n - 1) % n)
	case name == "Right":
		v.turn((int(v.drawn) + 1) % n)
	case name == "Up":
		v.e.along(-1)
	case name == "Down":
		v.e.along(1)
	default:
		return false
	}
	return true
}

func (v *designView) commands() []shell.Command {
	list := v.optionCommands("Details of a design: ", valuesChip(true, nil))
	return append(list, v.pictureCommands("Details of a design: ", design.Pictures, v.turn)...)
}

package designspace

import (
	"orrery/analysis/dse"
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
	cases prepared[design.Case]
}

// designChoices are what the user chose: each change is a step that can be taken back. Until a picture is chosen all
// are shown where there is room for them, and else the mapping.
type designChoices struct {
	picture design.Picture
	chosen  bool
	exact   bool
}

func newDesignView(e *Explorer) *designView {
	v := &designView{board: board{e: e, slot: shell.Design}, shown: designChoices{exact: true}}
	v.board.chips = v.chips
	return v
}

func (v *designView) Title() string { return "Design" }

func (v *designView) Caption() string {
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
	s.Case = v.cases.get(v.e, "preparing the details of designs", design.NewCase)
	switch {
	case s.Point >= 0:
		s.Empty = "The details of designs are being prepared …"
	default:
		s.Empty = "Mapping, utilization and generations of a design will be here. Choose one in the tree, in the spread or " +
			"in the table."
	}
	return s
}

func (v *designView) Draw(size scene.Size, theme palette.Theme) scene.Drawing {
	v.e.theme = theme
	s := v.state(theme, size)
	v.drawn = s.Picture
	return v.finish(design.Scene(s, size))
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
	link.Choose(v.e.link, name, &v.shown, next, v.changed)
}

// turn shows another picture.
func (v *designView) turn(i int) {
	v.choose("picture of the design", func(c *designChoices) { c.picture, c.chosen = design.Picture(i), true })
}

func (v *designView) Moved(e pane.Event) { v.over(e) }

func (v *designView) Tip(e pane.Event) []string {
	if v.quiet(e) {
		return nil
	}
	return design.Hit(v.state(v.e.theme, e.Size), e.Size, e.At)
}

// Pressed answers the chips.
func (v *designView) Pressed(e pane.Event) { v.pressed(e) }

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

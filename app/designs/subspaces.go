package designs

import (
	"slices"

	"orrery/analysis/dse"
	"orrery/app/panes"
	"orrery/app/panes/toolbar"
	"orrery/app/shell"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/pane"
	"orrery/views/scene"
	"orrery/views/subspaces"
)

// subspacesView sets chosen subspaces side by side.
type subspacesView struct {
	board
	shown subspacesChoices

	of       *dse.Space // that suggested is made of
	suggest  []int32
	compared *dse.Comparison // of
	with     *dse.Space
}

// subspacesChoices are what the user chose: each change is a step that can be taken back.
type subspacesChoices struct {
	picture subspaces.Picture
	chosen  []int32 // replaced, never changed; nil for those that are suggested
	pair    [2]int
	exact   bool
}

// noPair leaves to the picture which two sets it holds against each other.
var noPair = [2]int{-1, -1}

// suggested is how many subspaces are compared before the user chooses.
const suggested = 5

func newSubspacesView(e *Explorer, b panes.Base) *subspacesView {
	v := &subspacesView{board: board{Base: b, e: e}, shown: subspacesChoices{pair: noPair}}
	v.fill(panes.Parts{Paint: v.paint, Caption: v.caption, Chips: v.chips, Press: v.press,
		Tip:   func(e pane.Event) []string { return v.hit(e).Lines },
		Hover: func(e pane.Event) link.Thing { return v.hit(e).Thing }})
	return v
}

func (v *subspacesView) caption() string {
	if v.e.space == nil {
		return ""
	}
	return subspaces.Pictures[v.shown.picture]
}

// chosen are the subspaces that are compared.
func (v *subspacesView) chosen() []int32 {
	sp := v.e.space
	if v.shown.chosen != nil && !slices.ContainsFunc(v.shown.chosen,
		func(k int32) bool { return int(k) >= len(sp.Combos) }) {
		return v.shown.chosen
	}
	if v.of != sp {
		v.of, v.suggest = sp, subspaces.Suggest(sp, suggested)
	}
	return v.suggest
}

// comparison is that of the chosen subspaces.
func (v *subspacesView) comparison() *dse.Comparison {
	sp, list := v.e.space, v.chosen()
	if v.compared == nil || v.with != sp || !slices.Equal(v.compared.Subspaces, list) {
		v.compared, v.with = sp.Compare(list), sp
	}
	return v.compared
}

func (v *subspacesView) state(theme palette.Theme) subspaces.State {
	l := v.e.link.State()
	s := subspaces.State{Theme: theme, Space: v.e.space, Picture: v.shown.picture, Pair: v.shown.pair,
		Exact: v.shown.exact, Top: bar, Hover: l.Hover, Selected: l.Selected, Empty: v.e.empty}
	if s.Space == nil {
		return s
	}
	s.Compared = v.comparison()
	list := s.Compared.Subspaces
	s.Empty = "Combinations of parameters are compared here. Choose one in the tree, then add it with the chip above."
	if p := v.e.Point(); p >= 0 { // the subspace of the design shows as chosen too
		if k := s.Space.Subspace[p]; l.Hover.What == link.Nothing && slices.Contains(list, k) {
			s.Hover = link.OfSubspace(int(k))
		}
	}
	return s
}

func (v *subspacesView) paint(size scene.Size, theme palette.Theme) scene.Drawing {
	return subspaces.Scene(v.state(theme), size)
}

func (v *subspacesView) chips() []toolbar.Chip {
	values := valuesChip(v.shown.exact, func(exact bool) {
		v.choose("values of subspaces", func(c *subspacesChoices) { c.exact = exact })
	})
	return []toolbar.Chip{pictureChip(subspaces.Pictures, int(v.shown.picture), v.turn),
		v.whichChip(v.chosen(), v.e.Subspace()), values}
}

// whichChip is what can be done with the list of those that are compared, now being the one that is selected.
func (v *subspacesView) whichChip(list []int32, now int32) toolbar.Chip {
	has := now >= 0 && slices.Contains(list, now)
	return toolbar.Chip{Name: "which", Word: "platforms", List: []toolbar.Choice{
		{ID: "add", Title: "Add the selected one", Off: now < 0 || has || len(list) >= subspaces.Most, Run: func() {
			v.add(now)
		}},
		{ID: "remove", Title: "Remove the selected one", Off: !has || len(list) < 2, Run: func() { v.remove(now) }},
		{ID: "suggested", Title: "The best ones and the worst", On: v.shown.chosen == nil, Run: func() { v.use(nil) }}}}
}

func (v *subspacesView) choose(name string, change func(c *subspacesChoices)) {
	next := v.shown
	change(&next)
	// the tree has their contours
	link.Choose(v.e.link, name, &v.shown, next, func() { v.e.changed(v.ID(), shell.Designs) })
}

// turn shows another picture.
func (v *subspacesView) turn(i int) {
	v.choose("picture of subspaces", func(c *subspacesChoices) { c.picture = subspaces.Picture(i) })
}

// use compares other subspaces.
func (v *subspacesView) use(list []int32) {
	v.choose("compared subspaces", func(c *subspacesChoices) { c.chosen, c.pair = list, noPair })
}

func (v *subspacesView) add(k int32) {
	if list := v.chosen(); k >= 0 && !slices.Contains(list, k) && len(list) < subspaces.Most {
		v.use(append(slices.Clone(list), k))
	}
}

func (v *subspacesView) remove(k int32) {
	if list := slices.Clone(v.chosen()); len(list) > 1 && slices.Contains(list, k) {
		v.use(slices.DeleteFunc(list, func(o int32) bool { return o == k }))
	}
}

func (v *subspacesView) hit(e pane.Event) subspaces.Target {
	return subspaces.Hit(v.state(e.Theme), e.Size, e.At)
}

// press selects a subspace or a design, or shows which points of two sets dominate which.
func (v *subspacesView) press(e pane.Event) {
	t := v.hit(e)
	if t.Pair[0] >= 0 {
		v.choose("compared pair", func(c *subspacesChoices) {
			if c.pair = t.Pair; c.picture != subspaces.All {
				c.picture = subspaces.Dominance
			}
		})
		return
	}
	v.e.pick(t.Thing, "subspaces")
}

// Key implements pane.Keyer: Left and Right turn to another picture, Up and Down go through the subspaces, Insert adds
// the selected one, Delete removes it.
func (v *subspacesView) Key(name string, _ rune) bool {
	if v.e.space == nil {
		return false
	}
	n := len(subspaces.Pictures)
	switch {
	case name == "Left":
		v.turn((int(v.shown.picture) + n - 1) % n)
	case name == "Right":
		v.turn((int(v.shown.picture) + 1) % n)
	case name == "Up":
		v.step(-1)
	case name == "Down":
		v.step(1)
	case name == "Insert":
		v.add(v.e.Subspace())
	case name == "Delete":
		v.remove(v.e.Subspace())
	default:
		return false
	}
	return true
}

// step selects the next of the compared subspaces.
func (v *subspacesView) step(by int) {
	list := v.chosen()
	if len(list) == 0 {
		return
	}
	at := slices.Index(list, v.e.Subspace())
	if at < 0 && by < 0 {
		at = len(list)
	}
	at = max(0, min(at+by, len(list)-1))
	v.e.link.Select(link.OfSubspace(int(list[at])), "subspaces")
}

func (v *subspacesView) commands() []shell.Command {
	list := []shell.Command{
		{ID: "subspaces.add", Title: "Add the selected platform to the comparison", Menu: "Edit", Run: func() {
			v.Show()
			v.add(v.e.Subspace())
		}, Enabled: func() bool { return v.e.some() && v.e.Subspace() >= 0 }}}
	list = append(list, v.optionCommands("Compare platforms: ", valuesChip(true, nil))...)
	list = append(list, v.optionCommands("Compare platforms: ", v.whichChip(nil, -1))...)
	return append(list, v.pictureCommands("Compare platforms by ", subspaces.Pictures, v.turn)...)
}

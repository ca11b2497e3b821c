package designspace

import (
	"context"
	"slices"
	"strings"

	"orrery/analysis/dse"
	"orrery/app/jobs"
	"orrery/app/panes/toolbar"
	"orrery/app/shell"
	"orrery/views/link"
	"orrery/views/pane"
	"orrery/views/scene"
)

// side are the panes beside the tree: the points over their columns, chosen subspaces, the table, and one design.
type side struct {
	spread    *spreadView
	subspaces *subspacesView
	points    *pointsView
	design    *designView
}

func newSide(e *Explorer) *side {
	return &side{newSpreadView(e), newSubspacesView(e), newPointsView(e), newDesignView(e)}
}

// commander is a pane with commands.
type commander interface{ commands() []shell.Command }

// commandsOf are those of panes.
func commandsOf(list []shell.Placed) (out []shell.Command) {
	for _, p := range list {
		if c, ok := p.View.(commander); ok {
			out = append(out, c.commands()...)
		}
	}
	return out
}

// board is what the panes beside the tree have in common: a row of chips above a picture.
type board struct {
	e     *Explorer
	slot  shell.Slot
	bar   toolbar.Bar
	chips func() []toolbar.Chip
}

func (b *board) controls() []toolbar.Placed {
	if b.e.space == nil {
		return nil
	}
	return b.bar.Left(b.chips(), b.e.theme)
}

func (b *board) changed() { b.e.changed(b.slot) }

// finish lays the chips over the picture.
func (b *board) finish(d scene.Drawing) scene.Drawing {
	b.bar.Draw(&d, b.controls(), b.e.theme)
	return d
}

// over tells whether the pointer is at the chips or their list.
func (b *board) over(e pane.Event) bool {
	inside, changed := b.bar.Moved(b.controls(), b.e.theme, e)
	if changed {
		b.changed()
	}
	return inside
}

// hover tells the other views what hit finds under the pointer.
func (b *board) hover(e pane.Event, hit func(e pane.Event) link.Thing) {
	var t link.Thing
	if !b.over(e) && b.e.space != nil {
		t = hit(e)
	}
	b.e.link.SetHover(t)
}

// CloseList implements pane.Closer.
func (b *board) CloseList() bool { return b.bar.Close() }

// Typing implements pane.Keyer.
func (b *board) Typing() bool { return false }

// quiet tells that no tooltip is wanted.
func (b *board) quiet(e pane.Event) bool {
	return b.bar.Open != "" || toolbar.At(b.controls(), e.At) != nil
}

// pressed tells whether a press was for the chips, or is none of the picture's.
func (b *board) pressed(e pane.Event) bool {
	if e.Button != pane.Primary {
		return true
	}
	defer b.changed()
	return b.bar.Press(b.controls(), b.e.theme, e)
}

// Left forgets the pointer.
func (b *board) Left() {
	b.bar.Forget()
	b.e.link.SetHover(link.Thing{})
	b.changed()
}

func (b *board) Scrolled(_ pane.Event, _, dy float64) {
	if b.bar.Scrolled(dy) {
		b.changed()
	}
}

// Concerns implements pane.Concerner.
func (b *board) Concerns(old, now link.State) bool {
	return old.Selected != now.Selected || old.Hover != now.Hover || old.Cursor != now.Cursor
}

// Menu offers the choices of the chips.
func (b *board) Menu(pane.Event) []pane.MenuItem {
	if b.e.space == nil {
		return nil
	}
	return toolbar.Menu(b.chips())
}

// pictureCommands choose a picture by the palette; said is what stands before its name.
func (b *board) pictureCommands(said string, names []string, choose func(i int)) (list []shell.Command) {
	for i, name := range names {
		list = append(list, shell.Command{ID: string(b.slot) + ".picture." + strings.ReplaceAll(name, " ", "-"),
			Title: said + name, Run: func() {
				b.e.show(b.slot)
				choose(i)
			}, Enabled: b.e.some})
	}
	return list
}

// optionCommands are choices of a chip for the palette, under the words of the menu.
func (b *board) optionCommands(said string, chip toolbar.Chip) (list []shell.Command) {
	for _, o := range chip.List {
		list = append(list, shell.Command{ID: string(b.slot) + "." + chip.Name + "." + o.ID,
			Title: said + strings.ToLower(o.Title[:1]) + o.Title[1:], Run: func() {
				b.e.show(b.slot)
				for _, c := range b.chips() {
					if i := slices.IndexFunc(c.List,
						func(x toolbar.Choice) bool { return c.Name == chip.Name && x.ID == o.ID && !x.Off }); i >= 0 {
						c.List[i].Run()
					}
				}
			}, Enabled: b.e.some})
	}
	return list
}

// pictureChip offers pictures by their names.
func pictureChip(names []string, now int, choose func(i int)) toolbar.Chip {
	chip := toolbar.Chip{Name: "picture", Word: names[now]}
	for i, name := range names {
		chip.List = append(chip.List, toolbar.Choice{ID: strings.ReplaceAll(name, " ", "-"),
			Title: strings.ToUpper(name[:1]) + name[1:], On: i == now, Run: func() { choose(i) }})
	}
	return chip
}

// valuesChip offers objectives as they were evaluated or normalised.
func valuesChip(exact bool, choose func(exact bool)) toolbar.Chip {
	chip := toolbar.Chip{Name: "values", Word: "normalised"}
	if exact {
		chip.Word = "exact"
	}
	for i, title := range []string{"Objectives as they were evaluated", "Normalised objectives, 0 to 1"} {
		chip.List = append(chip.List, toolbar.Choice{ID: []string{"exact", "normalised"}[i], Title: title,
			On: exact == (i == 0), Run: func() { choose(i == 0) }})
	}
	return chip
}

// some tells whether there are designs.
func (e *Explorer) some() bool { return e.space != nil }

// prepared is something that is made of a space once, in a job when the space is large.
type prepared[T any] struct {
	of    *dse.Space // that value is made of
	asked *dse.Space
	value *T
}

// get is the value for the explorer's space, nil while it is being made.
func (p *prepared[T]) get(e *Explorer, title string, run func(ctx context.Context, s *dse.Space) (*T, error)) *T {
	s := e.space
	if s == nil {
		return nil
	}
	if s == p.of {
		return p.value
	}
	take := func(v *T, err error) {
		switch {
		case e.space != s:
		case err != nil:
			e.host.Failed(err.Error())
		default:
			p.of, p.value = s, v
			e.changed()
		}
	}
	if s.N < few/2 {
		v, err := run(context.Background(), s)
		p.of, p.value = s, v
		if err != nil {
			e.host.Failed(err.Error())
		}
		return p.value
	}
	if p.asked != s {
		p.asked = s
		jobs.Start(e.host.Engine, e.key(title), title, func(ctx context.Context, _ func(done, total int64)) (*T, error) {
			return run(ctx, s)
		}, take)
	}
	return nil
}

// pick selects a design or a subspace; a second press on it lets go.
func (e *Explorer) pick(t link.Thing, origin string) {
	switch {
	case t.What == link.Nothing:
	case t == e.link.State().Selected:
		e.link.Clear()
	default:
		e.link.Select(t, origin)
	}
}

package designs

import (
	"context"
	"slices"
	"strings"

	"orrery/analysis/dse"
	"orrery/app/panes"
	"orrery/app/panes/toolbar"
	"orrery/app/shell"
	"orrery/views/link"
	"orrery/views/pane"
)

// side are the panes beside the tree: the points over their columns, chosen subspaces, the table, and one design.
type side struct {
	spread    *spreadView
	subspaces *subspacesView
	points    *pointsView
	design    *designView
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

// board is what the panes beside the tree have in common: a row of chips above a picture, once there are designs.
type board struct {
	panes.Base
	e *Explorer
}

// fill takes what a pane does; its chips and its pointer wait for designs.
func (b *board) fill(p panes.Parts) {
	chips, hover, tip, press := p.Chips, p.Hover, p.Tip, p.Press
	p.Chips = func() []toolbar.Chip {
		if b.e.space == nil {
			return nil
		}
		return chips()
	}
	if hover != nil {
		p.Hover = func(e pane.Event) (under link.Thing) {
			if b.e.space != nil {
				under = hover(e)
			}
			return under
		}
	}
	p.Tip = func(e pane.Event) []string {
		if b.e.space == nil {
			return nil
		}
		return tip(e)
	}
	if press != nil {
		p.Press = func(e pane.Event) {
			if b.e.space != nil {
				press(e)
				b.Redraw()
			}
		}
	}
	p.Concerns = func(old, now link.State) bool {
		return old.Selected != now.Selected || old.Hover != now.Hover || old.Cursor != now.Cursor
	}
	b.Parts = p
}

// Typing implements pane.Keyer.
func (b *board) Typing() bool { return false }

// pictureCommands choose a picture by the palette; said is what stands before its name.
func (b *board) pictureCommands(said string, names []string, choose func(i int)) (list []shell.Command) {
	for i, name := range names {
		list = append(list, shell.Command{ID: string(b.ID()) + ".picture." + strings.ReplaceAll(name, " ", "-"),
			Title: said + name, Run: func() {
				b.Show()
				choose(i)
			}, Enabled: b.e.some})
	}
	return list
}

// optionCommands are choices of a chip for the palette, under the words of the menu.
func (b *board) optionCommands(said string, chip toolbar.Chip) (list []shell.Command) {
	for _, o := range chip.List {
		list = append(list, shell.Command{ID: string(b.ID()) + "." + chip.Name + "." + o.ID,
			Title: said + strings.ToLower(o.Title[:1]) + o.Title[1:], Run: func() {
				b.Show()
				for _, c := range b.Chips() {
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

// preparing is something that is made of a space once, in a job when the space is large.
func preparing[T any](e *Explorer, title string,
	run func(ctx context.Context, s *dse.Space) (*T, error)) *panes.Lazy[*dse.Space, *T] {
	return panes.NewLazy(e.panes, panes.Work[*dse.Space, *T]{
		Name:  title,
		Title: func(*dse.Space) string { return title },
		Run: func(ctx context.Context, s *dse.Space, _ func(done, total int64)) (*T, error) {
			return run(ctx, s)
		},
		AtOnce: func(s *dse.Space) bool { return s.N < few/2 },
	})
}

// of is what was prepared of the explorer's space, nil while it is not there.
func of[T any](e *Explorer, l *panes.Lazy[*dse.Space, *T]) *T {
	if e.space == nil {
		return nil
	}
	value, _ := l.For(e.space)
	return value
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

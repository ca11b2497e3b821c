package shell

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
)

// survey asks all views whether they have something to show, and reports whether that has changed.
func (d *dock) survey() (changed bool) {
	now := map[Slot]string{}
	for s, t := range d.tabs {
		if t.idle != nil {
			if why := t.idle(); why != "" {
				now[s] = why
			}
		}
	}
	if len(now) == len(d.order) { // a window without panes would explain nothing
		clear(now)
	}
	for _, s := range d.order {
		if (now[s] == "") != (d.idle[s] == "") {
			changed = true
		}
	}
	d.idle = now
	return changed
}

// unfold follows from a change of the document: tabs come and go.
func (d *dock) unfold() {
	if d.survey() && d.root != nil && d.groups != nil {
		d.build()
		d.Refresh()
	}
}

// unseen reports whether a pane has no tab: it is in a window of its own, or has nothing to show and was not asked for.
func (d *dock) unseen(n *node, s Slot) bool {
	return d.own[s] != nil || d.idle[s] != "" && n.Asked != s && d.full != s
}

// away reports whether a part of the arrangement has no tab at all: then it takes no room.
func (d *dock) away(n *node) bool {
	for _, l := range n.leaves() {
		if slices.ContainsFunc(l.Tabs, func(s Slot) bool { return !d.unseen(l, s) }) {
			return false
		}
	}
	return true
}

// ask gives a pane its tab though it may have nothing to show.
func (d *dock) ask(s Slot) {
	if d.idle[s] == "" {
		return
	}
	for _, n := range d.root.leaves() {
		if slices.Contains(n.Tabs, s) && n.Asked != s {
			n.Asked = s
			d.build()
		}
	}
}

// gather puts the folded tabs of every part into a group that is seen: its own, else the next one in order, else the
// last.
func (d *dock) gather() {
	var last *group
	var waiting []Slot
	for _, n := range d.root.leaves() {
		for _, s := range n.Tabs {
			if d.own[s] == nil && d.unseen(n, s) {
				d.tabs[s].pane.Hide()
				waiting = append(waiting, s)
			}
		}
		if !d.away(n) {
			last = n.group
			last.folded, waiting = waiting, nil
		}
	}
	if last != nil {
		last.folded = append(last.folded, waiting...)
	}
	for _, g := range d.groups {
		if len(g.folded) > 0 {
			g.chip = newPress(d.ui, fmt.Sprintf("+%d", len(g.folded)), nil, func() {
				d.ui.menu.drop("folded", g.foldedChoices(), g.chip)
			})
			g.chip.pad = 5
			g.chip.tips = func() []string { return append([]string{"Nothing to show now:"}, g.foldedTitles()...) }
		}
	}
}

// foldedChoices are a menu of the folded tabs, each with the reason.
func (g *group) foldedChoices() (list []choice) {
	for _, s := range g.folded {
		list = append(list, choice{label: g.dock.tabs[s].view.Title(), detail: g.dock.idle[s], run: func() {
			g.dock.bring(s)
		}})
	}
	return list
}

// otherTabs are a menu of the tabs beside one, those that are folded at its end.
func (g *group) otherTabs(but Slot) (list []choice) {
	for _, t := range g.tabs {
		if t.slot != but {
			list = append(list, choice{label: "Show " + t.view.Title(), run: func() { g.dock.bring(t.slot) }})
		}
	}
	for _, c := range g.foldedChoices() {
		c.label = "Show " + c.label
		list = append(list, c)
	}
	if len(list) > 0 {
		list = append(list, choice{})
	}
	return list
}

func (g *group) foldedTitles() (list []string) {
	for _, s := range g.folded {
		list = append(list, g.dock.tabs[s].view.Title()+": "+g.dock.idle[s])
	}
	return list
}

// layoutChip puts the chip behind the tabs and gives the place behind it.
func (g *group) layoutChip(x, room float32) float32 {
	if g.chip == nil {
		return x
	}
	m := g.chip.MinSize()
	g.chip.Resize(fyne.NewSize(m.Width, 22))
	g.chip.Move(fyne.NewPos(x, 3))
	visible(g.chip, m.Width <= room)
	return x + m.Width + 4
}

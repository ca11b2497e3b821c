package recording

import (
	"fmt"
	"time"

	"orrery/app/shell"
	"orrery/views/link"
	"orrery/views/pane"
	"orrery/views/spiral"
)

// spliceMenu hangs the cycles of other classes on the spiral, or takes them off.
func (v *cyclesView) spliceMenu() []pane.MenuItem {
	c := &v.d.cycles
	if v.shown.picture != asSpiral || c.count() < 2 {
		return nil
	}
	items := []pane.MenuItem{{}}
	for i := range mostSpliced {
		if !v.spliceable(i) {
			continue
		}
		p := &c.found.Parameterizations[i]
		title := fmt.Sprintf("Expand the cycle of #%d, %.1f turns", p.Rank, p.Turns)
		if v.shown.spliced[p.Rank] {
			title = fmt.Sprintf("Collapse the cycle of #%d", p.Rank)
		}
		items = append(items, pane.MenuItem{Title: title, Run: func() { v.splice(p.Rank) }})
	}
	return items
}

// mostSpliced is how many classes, the first ones, can be chosen to be hung on the spiral.
const mostSpliced = 6

// spliceable tells whether the i-th class can be hung on the picture that is shown.
func (v *cyclesView) spliceable(i int) bool {
	return v.shown.picture == asSpiral && i < v.d.cycles.count() && i != v.d.cycles.to
}

// spliceCommands are the menu's choices for the command palette.
func (v *cyclesView) spliceCommands() []shell.Command {
	var out []shell.Command
	for i := range mostSpliced {
		out = append(out, shell.Command{
			ID: fmt.Sprintf("cycles.splice.%d", i+1), Title: fmt.Sprintf("Cycles: expand or collapse the cycle of #%d (splice)",
				i+1),
			Run:     func() { v.splice(v.d.cycles.found.Parameterizations[i].Rank) },
			Enabled: func() bool { return v.spliceable(i) },
		})
	}
	return out
}

// splice expands a class if it is collapsed, and the other way round.
func (v *cyclesView) splice(rank int) {
	spliced := map[int]bool{rank: !v.shown.spliced[rank]}
	for r, on := range v.shown.spliced {
		if r != rank {
			spliced[r] = on
		}
	}
	link.Choose(v.d.link, "spliced cycles", &v.shown.spliced, spliced, v.grow)
}

// loops are the classes that are spliced into the picture.
func (v *cyclesView) loops() []spiral.Loop {
	c := &v.d.cycles
	var out []spiral.Loop
	for i := range c.found.Parameterizations {
		if rank := c.found.Parameterizations[i].Rank; i != c.to {
			if amount := v.grown(rank); amount > 0 {
				out = append(out, c.found.Loop(i, amount))
			}
		}
	}
	return out
}

// grown is how far the class of a rank is expanded.
func (v *cyclesView) grown(rank int) float64 { return v.amount[rank] }

// grow moves every class to where it shall be, expanded or collapsed, within a quarter of a second.
func (v *cyclesView) grow() {
	if v.growth != nil {
		v.growth.Stop()
	}
	start := v.amount
	v.growth = pane.Glide(250*time.Millisecond, func(done float32) {
		v.amount = map[int]float64{}
		for rank, on := range v.shown.spliced {
			goal := 0.0
			if on {
				goal = 1
			}
			v.amount[rank] = start[rank] + (goal-start[rank])*float64(done)
		}
		v.Redraw()
	})
}

package document

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
	for i := range min(c.count(), 6) {
		p := &c.found.Parameterizations[i]
		if i == c.to {
			continue
		}
		title := fmt.Sprintf("Expand the cycle of #%d, %.1f turns", p.Rank, p.Turns)
		if v.shown.spliced[p.Rank] {
			title = fmt.Sprintf("Collapse the cycle of #%d", p.Rank)
		}
		items = append(items, pane.MenuItem{Title: title, Run: func() { v.splice(p.Rank) }})
	}
	return items
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
		v.d.changed(shell.Cycles)
	})
}

package recording

import (
	"fmt"

	"orrery/analysis/topology"
	"orrery/app/panes/toolbar"
	"orrery/app/session"
	"orrery/views/link"
	"orrery/views/pane"
)

// thinned is the cycles that the user knows well enough, in the range where he accepted them: of their turns few stay,
// so that what is left shows larger structures (adaptive sampling). In other ranges nothing is thinned.
type thinned struct {
	of    session.CyclesRequest // without what is accepted
	steps [session.MostAccepted]uint64
	keep  int // every so many-th turn stays
}

// keepTurns is how many turns of an accepted cycle one stands for.
const keepTurns = 4

// on makes a request of what is left; one of another range stays as it is.
func (t *thinned) on(q session.CyclesRequest) session.CyclesRequest {
	if t.steps[0] != 0 && t.of == q {
		q.Accepted, q.Thin = t.steps, t.keep
	}
	return q
}

// count is how many cycles are accepted.
func (t *thinned) count() int {
	n := 0
	for n < len(t.steps) && t.steps[n] != 0 {
		n++
	}
	return n
}

// acceptable tells whether there is a cycle in the picture that can be accepted.
func (v *cyclesView) acceptable() bool {
	c := &v.d.cycles
	p := c.target()
	return p != nil && c.found.Stage == topology.Full && !c.asking && p.Rank <= 64 && p.Turns >= 2 &&
		c.accepted().count() < session.MostAccepted
}

// accepted is what is accepted in the range at hand.
func (c *cycles) accepted() *thinned {
	q := c.asked
	q.Accepted, q.Thin = [session.MostAccepted]uint64{}, 0
	if c.thinned.of == q {
		return &c.thinned
	}
	return &thinned{of: q, keep: keepTurns}
}

// accept thins the runs that the shown cycle explains.
func (v *cyclesView) accept() {
	if !v.acceptable() {
		return
	}
	t := *v.d.cycles.accepted()
	t.steps[t.count()] = 1 << (v.d.cycles.target().Rank - 1)
	v.d.cycles.wanted = t.count()
	v.thin("accepted cycle", t)
}

func (v *cyclesView) thin(name string, t thinned) {
	link.Choose(v.d.link, name, &v.d.cycles.thinned, t, func() { v.d.cycles.follow(v.d) })
}

// tellThinned says so when the newest accepted cycle leaves out nothing.
func (c *cycles) tellThinned(d *Document) {
	n := len(c.found.Left)
	if wanted := c.wanted; wanted == 0 || wanted != n {
		return
	}
	c.wanted = 0
	if c.found.Idle() {
		d.host.Notice("Accepting this cycle leaves out nothing: only turns that are as long as the ones before and after " +
			"them are left out. Accept another cycle, or take this one back with Ctrl+Z.")
	}
}

// acceptMenu offers to accept the shown cycle.
func (v *cyclesView) acceptMenu() []pane.MenuItem {
	p := v.d.cycles.target()
	if p == nil {
		return nil
	}
	title := fmt.Sprintf("Accept #%d: keep one of %d of its turns, look at the rest", p.Rank, v.d.cycles.accepted().keep)
	return []pane.MenuItem{{}, {Title: title, Off: !v.acceptable(), Run: v.accept}}
}

// acceptChip tells of accepted cycles, where there are some, and offers to take them back.
func (v *cyclesView) acceptChip() []toolbar.Chip {
	t := v.d.cycles.accepted()
	n := t.count()
	if n == 0 {
		return nil
	}
	c := toolbar.Chip{Name: "accepted", Word: fmt.Sprintf("%d accepted", n),
		List: []toolbar.Choice{{Title: "Take the last one back", Run: func() {
			last := *t
			last.steps[n-1] = 0
			v.thin("take back an accepted cycle", last)
		}}}}
	if n > 1 {
		c.List = append(c.List, toolbar.Choice{Title: "Take all back", Run: func() {
			none := *t
			none.steps = [session.MostAccepted]uint64{}
			v.thin("take back accepted cycles", none)
		}})
	}
	for _, k := range []int{2, 4, 8, 16} {
		c.List = append(c.List, toolbar.Choice{Title: fmt.Sprintf("Keep one of %d turns", k), On: t.keep == k, Run: func() {
			other := *t
			other.keep = k
			v.thin("turns kept", other)
		}})
	}
	return []toolbar.Chip{c}
}

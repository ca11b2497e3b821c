package recording

import (
	"context"
	"fmt"

	"orrery/analysis/topology"
	"orrery/app/jobs"
	"orrery/app/panes/toolbar"
	"orrery/app/session"
	"orrery/traceio"
	"orrery/views/controls"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// elsewhere is what there is to see where nothing recurs at the cursor: a list that is being built goes to each address
// once.
type elsewhere struct {
	nearest *session.Cycles // of the nearest stretch where something recurs, nil for none
	whole   *session.Cycles // of the whole window of time as one
	other   *session.Cycles // by another alphabet
	shown   bool            // the nearest is in the picture, though the cursor is not there
}

// asOne is a long window of time that is analysed as one, not in stretches, because few of its windows of references
// differ.
type asOne struct {
	window link.Range
	lens   lens
}

// hop is how far stretches of a long window lie apart: they overlap by half.
func (c *cycles) hop() traceio.Seq { return stretch / 2 * traceio.Seq(max(1, c.lens.every)) }

// lookElsewhere looks for something that recurs where the analysis at the cursor has found nothing. A recording that
// has just been opened shows it at once, also in place of what turns but once or twice, or of other ranks that do; else
// it is offered.
func (c *cycles) lookElsewhere(d *Document) {
	opening := !c.opened && c.lens == (lens{})
	nothing := c.count() == 0
	if c.opened = true; opening && c.to == 0 && !nothing && !session.Recurs(&c.found.Parameterizations[0]) {
		c.to = max(0, c.found.Recurring())
		c.from, c.unasked = c.to, c.to > 0
	}
	if c.elsewhere = (elsewhere{}); c.found == nil || !nothing && (!opening || c.found.Recurring() >= 0) ||
		c.found.Request.Accepted[0] != 0 || d.rec.Live() {
		return
	}
	rec, q, within, hop := d.rec, c.asked, d.link.State().Window, c.hop()
	if traceio.Seq(q.Count) >= within.To-within.From {
		within = link.Range{From: q.From, To: q.From + traceio.Seq(q.Count)}
	}
	jobs.StartNow(d.host.Engine, d.key("cycles"), "looking for something that recurs",
		func(ctx context.Context, report func(done, total int64)) (e elsewhere, err error) {
			if within.To-within.From > traceio.Seq(q.Count) {
				e.whole, err = rec.Whole(ctx, q, within)
			}
			if err == nil && (e.whole == nil || !opening) {
				e.other, err = rec.Otherwise(ctx, q)
			}
			if err == nil && nothing && (e == elsewhere{} || !opening) {
				e.nearest, err = rec.Nearest(ctx, q, within, hop, report)
			}
			return e, err
		}, func(e elsewhere, err error) {
			if rec != d.rec || q != c.asked || err != nil {
				return
			}
			if nothing {
				c.elsewhere = e
			}
			switch {
			case !opening:
			case e.whole != nil:
				c.asOne = asOne{within, c.lens}
				c.follow(d)
			case e.other != nil:
				c.lens.alphabet = e.other.Request.Alphabet
				c.follow(d)
			case e.nearest != nil:
				c.take(e.nearest, nil)
				c.elsewhere.shown = true
			}
			c.result.Changed()
		})
}

// goElsewhere moves the cursor into the nearest stretch where something recurs.
func (c *cycles) goElsewhere(d *Document) {
	if e := c.elsewhere.nearest; e != nil && !c.asking {
		d.link.SetCursor(e.Request.From + c.hop())
	}
}

// offers are what can be done where nothing recurs at the cursor, as chips: below what the empty picture says, or at
// the top of that of another stretch.
func (v *cyclesView) offers(theme palette.Theme, size scene.Size) []toolbar.Placed {
	c := &v.d.cycles
	if e := &c.elsewhere; c.asking || !roomy(size) || v.shown.picture == asRun || *e == (elsewhere{}) {
		return nil
	}
	var chips []toolbar.Chip
	if n := c.elsewhere.nearest; n != nil {
		q := n.Request
		to := fmt.Sprintf("to references %s to %s", words.Count(q.From), words.Count(q.From+traceio.Seq(q.Count)))
		if c.elsewhere.shown {
			to = "no cycle at the cursor: go " + to
		} else {
			to = "go " + to + ", the nearest that recur"
		}
		chips = append(chips, toolbar.Chip{Name: "nearest", Word: to, Run: func() { c.goElsewhere(v.d) }})
	}
	if o := c.elsewhere.other; o != nil && !c.elsewhere.shown {
		to := o.Request.Alphabet
		chips = append(chips, toolbar.Chip{Name: "otherwise", Word: "compare by " + map[topology.AlphabetKind]string{
			topology.ByLine: "source line", topology.ByPC: "instruction"}[to.Kind] + ": something recurs",
			Run: func() { refocus(v, "what makes references equal", &c.lens.alphabet, to) }})
	}
	if w := c.elsewhere.whole; w != nil {
		q := w.Request
		chips = append(chips, toolbar.Chip{Name: "whole", Word: fmt.Sprintf("all of references %s to %s: something recurs",
			words.Count(q.From), words.Count(q.From+traceio.Seq(q.Count))), Run: func() {
			link.Choose(v.d.link, "cycles of all references", &c.asOne, asOne{v.d.link.State().Window, c.lens}, func() {
				c.follow(v.d)
			})
		}})
	}
	var out []toolbar.Placed
	at := scene.Point{X: 10, Y: top(size) + 10}
	for _, chip := range chips {
		row := v.bar.Row(&chip, theme)
		if !c.elsewhere.shown {
			at = scene.Point{X: (size.W - row.Width()) / 2,
				Y: inner(size).H/2 + 34 + float64(len(out))*(controls.RowHeight+beside)}
		}
		out = append(out, toolbar.Placed{Chip: chip, Row: row, At: at})
	}
	return out
}

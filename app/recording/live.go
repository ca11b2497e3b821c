package recording

import (
	"context"
	"path/filepath"

	"orrery/app/jobs"
	"orrery/app/session"
	"orrery/views/link"
)

// A recording that is being written arrives as longer and longer prefixes. What is drawn of it grows; what the user
// looks at stays, unless that is the end:
//
//	|=====[ window ]=====C|                   before; C is the cursor, at the end
//	|=====[ window ]=============C|           after
//	|[      the whole      ]|                 before
//	|[          the whole          ]|         after

// deliver brings a longer prefix to the interface's goroutine. Of those that queue up there only the last counts.
func (d *Document) deliver(rec *session.Recording) {
	jobs.StartNow(d.host.Engine, d.key("growth"), "drawing what "+filepath.Base(d.path)+" grew by",
		func(context.Context, func(done, total int64)) (*session.Recording, error) {
			return rec, nil
		}, func(rec *session.Recording, _ error) {
			switch {
			case rec.Live():
				d.grew(rec)
			case d.rec != nil && rec.Extent() > d.rec.Extent(): // else the exact one was faster
				d.grown(rec, nil)
			}
		})
}

// grew takes a longer prefix in place of the one that is shown.
func (d *Document) grew(rec *session.Recording) {
	switch {
	case d.closed || !d.rec.Live() || rec.Extent() < d.rec.Extent(): // the whole was faster
		return
	case d.tell == nil: // not in the window yet
		d.late = func() { d.grew(rec) }
		return
	}
	d.cycles.grow(rec)
	d.extend(rec)
	d.cycles.follow(d)
	if !d.simulated.Running() {
		d.simulate()
	}
	d.changed()
}

// Growing implements shell.Grower.
func (d *Document) Growing() bool { return d.rec.Live() }

// extend makes rec the recording, which begins like the one before.
func (d *Document) extend(rec *session.Recording) {
	old, live := d.rec.Extent(), d.rec.Live()
	d.rec = rec
	l, n := d.link.State(), rec.Extent()
	switch {
	case l.Window == link.Range{To: old}:
		d.link.SlideWindow(link.Range{To: n})
	case live && l.Window.To == old:
		d.link.SlideWindow(link.Range{From: l.Window.From + n - old, To: n})
	}
	if live && n > 0 && l.Cursor+1 == old {
		d.link.SetCursor(n - 1)
	}
}

// grow keeps what was found, in the numbers of the longer recording.
func (c *cycles) grow(rec *session.Recording) {
	if c.rec = rec; c.found != nil {
		c.found = rec.Adopt(c.found)
		c.colors = c.found.LineColors()
	}
}

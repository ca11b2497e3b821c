package recording

import (
	"context"
	"fmt"

	"orrery/app/jobs"
	"orrery/traceio"
	"orrery/views/link"
)

// seek moves the time cursor to the next (step 1) or previous (step -1) reference that a source line makes.
func (d *Document) seek(t link.Thing, step int) {
	id := d.rec.Lines.Find(t.File, t.Line)
	if id < 0 {
		d.host.Notice(fmt.Sprintf("%s:%d makes no recorded references", t.File, t.Line))
		return
	}
	rec, from := d.rec, d.link.State().Cursor
	jobs.Start(d.host.Engine, d.key("seek"), fmt.Sprintf("looking for %s:%d", t.File, t.Line),
		func(ctx context.Context, report func(done, total int64)) (found, error) {
			look := rec.Lines.Lookup()
			for i := rec.Find(from); i >= 0 && i < rec.Blocks(); i += step {
				if err := ctx.Err(); err != nil {
					return found{}, err
				}
				b, err := rec.Block(i)
				if err != nil {
					return found{}, err
				}
				if s, ok := nearest(b, from, step, func(pc traceio.Addr) bool { return look.Of(pc) == id }); ok {
					return found{s, true}, nil
				}
			}
			return found{}, nil
		}, func(f found, err error) {
			switch {
			case err != nil:
				d.host.Failed(err.Error())
			case !f.ok:
				d.host.Notice(fmt.Sprintf("%s:%d makes no further references in this direction", t.File, t.Line))
			default:
				d.link.SetCursor(f.seq)
			}
		})
}

// found is where a search ended.
type found struct {
	seq traceio.Seq
	ok  bool
}

// nearest is the data reference of a block after (step 1) or before (step -1) from whose instruction matches.
func nearest(b *traceio.Block, from traceio.Seq, step int, match func(pc traceio.Addr) bool) (traceio.Seq, bool) {
	at, best, ok := b.First, traceio.Seq(0), false
	for row, k := range b.Kind {
		if k == traceio.Fetch {
			continue
		}
		if (step > 0 && at > from || step < 0 && at < from) && match(b.PC[row]) {
			if best, ok = at, true; step > 0 {
				return best, true
			}
		}
		at++
	}
	return best, ok
}

package recording

import (
	"context"
	"path/filepath"

	"orrery/app/jobs"
	"orrery/app/session"
)

// A long recording that is opened for the first time is shown at once, with figures of the whole recording (how often a
// line ran, how often a region was used) that are estimated from a sample. When all references are counted the exact
// figures take their place. Nothing else changes then: times, references, regions and what was found in them stay.

// refine takes a recording with exact figures in place of the same one with estimates, and tells whether it is that.
func (d *Document) refine(rec *session.Recording) bool {
	if !d.rec.Sampled() || d.rec.Beginning() || rec.Sampled() || rec.Extent() != d.rec.Extent() {
		return false
	}
	d.cycles.grow(rec)
	d.rec = rec
	d.countMisses()
	d.changed()
	return true
}

// countAgain takes up the counting that was cancelled.
func (d *Document) countAgain() {
	rec := d.rec
	if !rec.Sampled() || rec.Beginning() {
		return
	}
	jobs.Start(d.host.Engine, d.key("index"), "counting "+filepath.Base(d.path),
		func(ctx context.Context, report func(done, total int64)) (*session.Recording, error) {
			return rec.CountAll(ctx, report)
		}, d.grown)
}

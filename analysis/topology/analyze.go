package topology

import (
	"context"
	"fmt"
	"sync/atomic"
)

// Analyze finds the cycles in a sequence of symbols; Symbols makes one from a recording. report, which may be nil, is
// called with the units of work done and in all, from one goroutine at a time. The error is an *Error for input that
// cannot be analysed, or that of ctx.
func Analyze(ctx context.Context, symbols []uint32, opt Options, report func(done, total int64)) (*Result, error) {
	opt = opt.withDefaults()
	if err := opt.check(); err != nil {
		return nil, err
	}
	if len(symbols) < opt.Window+3 {
		return nil, tooShort(len(symbols), opt.Window)
	}
	return analyzeCloud(ctx, makeCloud(symbols, opt.Window), opt, report)
}

// analyzeCloud finds the cycles of a cloud; opt is complete and checked.
func analyzeCloud(ctx context.Context, c *cloud, opt Options, report func(done, total int64)) (*Result, error) {
	n := len(c.start)
	if n == 1 {
		return nil, &Error{OnePoint, fmt.Sprintf("all %d windows are the same: there is nothing to tell apart", len(c.point)),
			"choose a longer range or a finer alphabet"}
	}
	res := &Result{Used: len(c.symbols), Window: opt.Window, Points: n}
	if opt.Landmarks > 0 && n > opt.Landmarks {
		radius, err := c.thin(ctx, opt.Landmarks)
		if err != nil {
			return nil, err
		}
		n = len(c.start)
		if res.Cover = float64(radius); radius > 0 {
			res.Approximate = true
			res.Notes = append(res.Notes,
				fmt.Sprintf("approximate: %d landmarks stand for %d distinct windows, each at most %d edits away, so that %s",
					n, res.Points, radius, offBy(2*float64(radius), float64(opt.Window))))
		}
	}
	s := &space{n: n, point: c.point, window: opt.Window}
	if err := s.fits(opt.Memory, "distinct windows",
		"choose a smaller --count, sample with --every, or use a coarser alphabet such as block:64, or let --landmarks "+
			"1000 stand for them"); err != nil {
		return nil, err
	}
	p := newProgress(report, int64(n)*int64(n-1)/2)
	dist, err := c.distances(ctx, p.add)
	if err != nil {
		return nil, err
	}
	s.setLevels(dist)
	if err := s.analyze(ctx, c, opt, res, p); err != nil {
		return nil, err
	}
	res.study.cloud = c
	return res, nil
}

// offBy is the error of a barcode of landmarks: how far its bars may be off at either end, where no distance is
// larger than one.
func offBy(off, largest float64) string {
	if off >= largest {
		return fmt.Sprintf("bars may begin and end anywhere: no two points are more than %.4g apart", largest)
	}
	return fmt.Sprintf("bars are off by up to %.4g at either end", off)
}

// progress turns counts of pairs of points into calls of report. Each pair is visited twice: to measure it, then
// to thin and reduce it.
type progress struct {
	report func(done, total int64)
	done   atomic.Int64
	total  int64
	told   atomic.Int64
	busy   atomic.Bool
}

func newProgress(report func(done, total int64), pairs int64) *progress {
	return &progress{report: report, total: 2 * pairs}
}

// add counts n more pairs. It reports at most some 200 times, and never from two goroutines at once.
func (p *progress) add(n int64) {
	done := min(p.done.Add(n), p.total)
	if p.report == nil || done-p.told.Load() < p.total/200 || !p.busy.CompareAndSwap(false, true) {
		return
	}
	if done > p.told.Load() {
		p.told.Store(done)
		p.report(done, p.total)
	}
	p.busy.Store(false)
}

// finish reports the end.
func (p *progress) finish() {
	if p.report != nil {
		p.report(p.total, p.total)
	}
}

package recording

import (
	"os"
	"runtime"
	"testing"
	"time"

	"orrery/app/shell"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"

	"golang.org/x/sys/unix"
)

// BenchmarkBrush selects one thing after the other, each kind that there is in a recording: a line, its function, the
// data that is used most, a set of the first cache, a stretch of time. It tells the processor time until every view has
// drawn what is selected (its Draw, which is what the interface's thread does), and that of the jobs which the chain
// has started. ORRERY_RECORDING is the recording instead of a shipped one.
func BenchmarkBrush(b *testing.B) {
	path := shipped + "list.orr"
	if p := os.Getenv("ORRERY_RECORDING"); p != "" {
		path = p
	}
	d := open(b, path)
	size := scene.Size{W: 500, H: 400, Scale: 1}
	all := func() {
		for _, p := range d.Views() {
			p.View.Draw(size, palette.Dark())
			p.View.Caption()
		}
	}
	runtime.LockOSThread() // whose time is told
	defer runtime.UnlockOSThread()
	all()
	d.settle() // what the panes ask for when they are seen first
	line, region := d.rec.Lines.At(0), d.rec.Regions.Regions()[d.rec.Use.Ranked[0]]
	half := d.rec.Len() / 2
	chain := []link.Thing{
		{What: link.Line, File: line.File, Line: line.Line},
		{What: link.Function, Name: line.Function},
		{What: link.Region, Name: region.Name},
		{What: link.Set, Name: d.hierarchy.Levels[0].Name, ID: 1},
		{What: link.Time, Span: link.Range{From: half, To: half + half/2}},
	}
	var drawn, worst, worked time.Duration
	n := 0
	for b.Loop() {
		for _, t := range chain {
			before := spent(unix.RUSAGE_THREAD)
			d.link.Select(t, string(shell.Table))
			all()
			cost := spent(unix.RUSAGE_THREAD) - before
			drawn, worst = drawn+cost, max(worst, cost)
			n++
		}
		before := spent(unix.RUSAGE_SELF)
		d.settle()
		worked += spent(unix.RUSAGE_SELF) - before
		d.link.Clear()
	}
	b.ReportMetric(float64(drawn.Microseconds())/1000/float64(n), "ms-drawn/brush")
	b.ReportMetric(float64(worst.Microseconds())/1000, "most-ms-drawn")
	b.ReportMetric(float64(worked.Microseconds())/1000/float64(b.N), "ms-jobs/chain")
}

func spent(who int) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(who, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

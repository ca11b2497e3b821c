package shell

import (
	"fmt"
	"time"

	"orrery/app/jobs"
	"orrery/views/words"
)

// working brings the status line up to date with the engine.
func (w *window) working() {
	list := w.engine.Running()
	if len(list) != w.jobs {
		w.jobs = len(list)
		w.log.write("jobs", "running", w.jobs)
	}
	s := w.status
	s.share = -1
	if len(list) == 0 {
		s.text.set(w.ready())
		s.side.set("engine idle · ? help")
		s.cancel.Hide()
		s.Refresh()
		return
	}
	j := list[0]
	n := 1 + lasting(list[1:], time.Now())
	s.text.set(jobText(j, n-1, time.Now()))
	if j.Progress.Total > 0 {
		s.share = float32(float64(j.Progress.Done) / float64(j.Progress.Total))
	}
	s.side.set(fmt.Sprintf("engine at work · %s · ? help", words.Plural(n, "job")))
	s.cancel.Show()
	s.Refresh()
}

// brief is how long a job that runs beside another one must take before it is counted: while a recording grows, many
// come and go in a blink, and the line would flicker.
const brief = 500 * time.Millisecond

// lasting counts the jobs that have run for some time.
func lasting(list []jobs.Job, now time.Time) (n int) {
	for _, j := range list {
		if !j.Started.IsZero() && now.Sub(j.Started) >= brief {
			n++
		}
	}
	return n
}

// ready is the status line when nothing runs.
func (w *window) ready() string {
	if d := w.front(); d != nil {
		if st := d.doc.Link().State(); st.Selected.What != 0 {
			return "Selected in the " + st.Origin + " · Escape clears"
		}
		return "Ready."
	}
	return "Ready. Open a recording with Ctrl+O, or drop one here."
}

// jobText is one job in words: "reading run.orr · 34 % · 120 MB/s · and 2 more".
func jobText(j jobs.Job, more int, now time.Time) string {
	s := j.Title
	p := j.Progress
	if p.Total > 0 {
		s += fmt.Sprintf(" · %d %%", int(100*float64(p.Done)/float64(p.Total)))
	}
	if secs := now.Sub(j.Started).Seconds(); !j.Started.IsZero() && p.Done > 0 && secs > 0.5 {
		switch p.Unit {
		case "bytes":
			s += fmt.Sprintf(" · %.0f MB/s", float64(p.Done)/secs/1e6)
		case "":
		default:
			s += fmt.Sprintf(" · %s %s/s", grouped(uint64(float64(p.Done)/secs)), p.Unit)
		}
	}
	if j.Started.IsZero() {
		s += " · waiting"
	}
	if more > 0 {
		s += fmt.Sprintf(" · and %d more", more)
	}
	return s
}

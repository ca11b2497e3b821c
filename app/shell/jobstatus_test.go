package shell

import (
	"testing"
	"time"

	"orrery/app/jobs"
)

// TestBriefJobsAreNotTold counts what runs beside the first job while a recording grows.
func TestBriefJobsAreNotTold(t *testing.T) {
	now := time.Now()
	at := func(ago time.Duration) jobs.Job { return jobs.Job{Started: now.Add(-ago)} }
	for _, c := range []struct {
		name string
		list []jobs.Job
		want int
	}{
		{"none", nil, 0},
		{"just begun", []jobs.Job{at(0), at(brief / 2)}, 0},
		{"waiting", []jobs.Job{{}}, 0},
		{"two of three", []jobs.Job{at(brief), at(time.Minute), at(brief - 1)}, 2},
	} {
		if got := lasting(c.list, now); got != c.want {
			t.Errorf("%s: %d jobs told, want %d", c.name, got, c.want)
		}
	}
}

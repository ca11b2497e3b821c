// Package jobstest runs a document's jobs in tests: their results are taken on the test's goroutine, which stands for
// the interface's.
package jobstest

import "orrery/app/jobs"

// Settle runs what the jobs of an engine deliver into a queue, until there are none left.
func Settle(e *jobs.Engine, queue chan func()) {
	idle := make(chan struct{})
	go func() { e.Wait(); close(idle) }()
	for {
		select {
		case f := <-queue:
			f()
		case <-idle:
			for len(queue) > 0 {
				(<-queue)()
			}
			if len(e.Running()) == 0 {
				return
			}
			idle = make(chan struct{})
			go func() { e.Wait(); close(idle) }()
		}
	}
}

// Package jobs runs the application's long work on background goroutines: one job per result, the newest request wins,
// progress and cancellation, a panic becomes an error. Results come back through a dispatch function given at New:
// fyne.Do in the application, so that they arrive on the interface's goroutine, a direct call in tests.
package jobs

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
)

// Progress is how far a job is. Total is 0 while it is unknown. Unit is what is counted: "bytes", "references".
type Progress struct {
	Done, Total int64
	Unit        string
}

// Job describes one running or waiting job.
type Job struct {
	Key      string
	Title    string // what it does, for the status line: "reading bubble.orr"
	Progress Progress
	Started  time.Time // zero while it waits for a processor
}

// PanicError is the failure of a job that panicked: a defect of ours, not of the input.
type PanicError struct {
	Title string
	Value any
	Stack []byte
}

// Error is a sentence for the user; the stack is for the log.
func (e *PanicError) Error() string {
	return fmt.Sprintf("%s stopped on an internal error (%v); this is a defect in Orrery, please report it", e.Title,
		e.Value)
}

// job is one request. Its fields under the engine's lock.
type job struct {
	Job
	cancel context.CancelFunc
}

// Engine runs jobs. All methods are safe from any goroutine.
type Engine struct {
	dispatch func(func())
	slots    chan struct{} // bounds how many run at once

	mu      sync.Mutex
	current map[string]*job
	order   []*job
	watch   func()
	notice  bool      // a call of watch is scheduled
	told    time.Time // when watch was called last
	all     sync.WaitGroup
}

// New is an engine that delivers results, and calls of Watch's function, through dispatch; nil calls directly on the
// job's goroutine. As many jobs run at once as there are processors.
func New(dispatch func(func())) *Engine {
	if dispatch == nil {
		dispatch = func(f func()) { f() }
	}
	return &Engine{dispatch: dispatch, slots: make(chan struct{}, max(2, runtime.GOMAXPROCS(0))),
		current: map[string]*job{}}
}

// Start runs work on a background goroutine under a key. A running job with the same key is cancelled: its result is
// never delivered, even if it is finished already but still on its way. deliver is called through dispatch with the
// result, or with work's error; after a cancellation it is not called at all. work must honour ctx and may call report
// as often as it likes, with its own true counts.
func Start[T any](e *Engine, key, title string,
	work func(ctx context.Context, report func(done, total int64)) (T, error), deliver func(T, error)) {
	e.start(key, title, e.slots, body(title, work, deliver))
}

// StartNow is Start without a wait for a free processor: for short work that a picture waits for, which must not stand
// in line behind work of minutes, and for work that mostly waits for jobs that it starts itself, since as many of these
// as there are processors would hold all of them, and what they wait for could never run.
func StartNow[T any](e *Engine, key, title string,
	work func(ctx context.Context, report func(done, total int64)) (T, error), deliver func(T, error)) {
	e.start(key, title, make(chan struct{}, 1), body(title, work, deliver))
}

// body runs work and gives its delivery, none after a cancellation.
func body[T any](title string, work func(context.Context, func(done, total int64)) (T, error), deliver func(T,
	error)) func(context.Context, func(done, total int64)) func() {
	return func(ctx context.Context, report func(done, total int64)) func() {
		value, err := run(ctx, title, work, report)
		if ctx.Err() != nil || errors.Is(err, context.Canceled) {
			return nil
		}
		return func() { deliver(value, err) }
	}
}

// run calls work and turns a panic into an error.
func run[T any](ctx context.Context, title string,
	work func(context.Context, func(done, total int64)) (T, error), report func(done, total int64)) (value T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{Title: title, Value: p, Stack: debug.Stack()}
		}
	}()
	return work(ctx, report)
}

// start registers the job, waits for a free slot on a new goroutine and runs body, which gives the delivery.
func (e *Engine) start(key, title string, slots chan struct{},
	body func(context.Context, func(done, total int64)) func()) {
	ctx, cancel := context.WithCancel(context.Background())
	j := &job{Job: Job{Key: key, Title: title}, cancel: cancel}
	e.mu.Lock()
	e.drop(e.current[key])
	e.current[key] = j
	e.order = append(e.order, j)
	e.all.Add(1)
	e.mu.Unlock()
	e.changed()
	go func() {
		defer e.all.Done()
		defer cancel()
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			return
		}
		e.mu.Lock()
		j.Started = time.Now()
		e.mu.Unlock()
		then := body(ctx, func(done, total int64) { e.report(j, done, total) })
		<-slots
		e.finish(j, then)
	}()
}

// finish delivers through dispatch, unless the job has been cancelled or replaced by then.
func (e *Engine) finish(j *job, then func()) {
	if then == nil {
		e.mu.Lock()
		e.drop(j)
		e.mu.Unlock()
		e.changed()
		return
	}
	e.all.Add(1)
	e.dispatch(func() {
		defer e.all.Done()
		e.mu.Lock()
		mine := e.current[j.Key] == j
		e.drop(j)
		e.mu.Unlock()
		if mine {
			then()
		}
		e.changed()
	})
}

// drop cancels and forgets a job; the lock is held.
func (e *Engine) drop(j *job) {
	if j == nil {
		return
	}
	j.cancel()
	if e.current[j.Key] == j {
		delete(e.current, j.Key)
	}
	if i := slices.Index(e.order, j); i >= 0 {
		e.order = slices.Delete(e.order, i, i+1)
	}
}

func (e *Engine) report(j *job, done, total int64) {
	e.mu.Lock()
	j.Progress.Done, j.Progress.Total = done, total
	e.mu.Unlock()
	e.changed()
}

// Unit says what the job with this key counts ("bytes", "references"), for the status line.
func (e *Engine) Unit(key, unit string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if j := e.current[key]; j != nil {
		j.Progress.Unit = unit
	}
}

// Running lists the jobs that run or wait, oldest first.
func (e *Engine) Running() []Job {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := make([]Job, len(e.order))
	for i, j := range e.order {
		list[i] = j.Job
	}
	return list
}

// Cancel drops the job with this key and reports whether there was one.
func (e *Engine) Cancel(key string) bool {
	e.mu.Lock()
	j := e.current[key]
	e.drop(j)
	e.mu.Unlock()
	if j != nil {
		e.changed()
	}
	return j != nil
}

// CancelUnder drops every job whose key starts with prefix ("" for all of them) and returns how many there were.
func (e *Engine) CancelUnder(prefix string) int {
	e.mu.Lock()
	n := 0
	for _, j := range slices.Clone(e.order) {
		if strings.HasPrefix(j.Key, prefix) {
			e.drop(j)
			n++
		}
	}
	e.mu.Unlock()
	if n > 0 {
		e.changed()
	}
	return n
}

// CancelAll drops every job and returns how many there were.
func (e *Engine) CancelAll() int { return e.CancelUnder("") }

// Wait returns when no job is left, deliveries included; for tests. With a dispatch that queues, something else must
// run the queue meanwhile.
func (e *Engine) Wait() { e.all.Wait() }

// interval is the shortest time between two calls of Watch's function: 15 a second are enough for a progress bar, and
// the interface's queue has no bound of its own.
const interval = time.Second / 15

// Watch sets the function that is called through dispatch after jobs have come, gone or progressed: at most 15 times a
// second, and always once after the last change. It reads Running.
func (e *Engine) Watch(f func()) {
	e.mu.Lock()
	e.watch = f
	e.mu.Unlock()
}

// changed schedules one call of watch, now or when the interval since the last one has passed.
func (e *Engine) changed() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.watch == nil || e.notice {
		return
	}
	wait := interval - time.Since(e.told)
	if wait < 0 {
		wait = 0
	}
	e.notice = true
	time.AfterFunc(wait, func() {
		e.dispatch(func() {
			e.mu.Lock()
			e.notice, e.told = false, time.Now()
			f := e.watch
			e.mu.Unlock()
			if f != nil {
				f()
			}
		})
	})
}

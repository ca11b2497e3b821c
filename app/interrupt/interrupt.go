// Package interrupt ends the program when it is asked to. In go SIGINT and SIGTERM, out comes a context that ends with
// the first of them. Work that looks at its context then ends by itself, in order. What does not look, because it waits
// for a pipe or counts for ever, is not asked twice: the process ends two seconds later, and with the second signal at
// once.
package interrupt

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// grace is how long work may take to end by itself after the first signal.
const grace = 2 * time.Second

// watch is what is known of the signals; it travels in the context.
type watch struct {
	grace    time.Duration
	late     func() // ends the process when grace is over
	mu       sync.Mutex
	asked    bool
	holders  int
	deadline *time.Timer
}

type key struct{}

// Context gives a context that ends with the first SIGINT or SIGTERM. Then, unless stop is called or somebody holds the
// process, late is called two seconds later, to say that and to end the process. The second signal ends it by its own
// default action, whoever else listens to it.
func Context(late func()) (ctx context.Context, stop func()) { return after(grace, late) }

func after(grace time.Duration, late func()) (context.Context, func()) {
	w := &watch{grace: grace, late: late}
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), key{}, w))
	heard, done := make(chan os.Signal, 2), make(chan struct{})
	signal.Notify(heard, os.Interrupt, syscall.SIGTERM)
	go func() {
		for {
			select {
			case sig := <-heard:
				if w.ask() {
					dieOf(sig)
				}
				cancel()
			case <-done:
				return
			}
		}
	}()
	var once sync.Once
	return ctx, func() {
		once.Do(func() {
			signal.Stop(heard)
			close(done)
			w.stop()
			cancel()
		})
	}
}

// dieOf ends the process as if nobody listened to a signal. Windows and recorders listen, too: theirs is undone.
func dieOf(sig os.Signal) {
	signal.Reset(sig)
	_ = syscall.Kill(os.Getpid(), sig.(syscall.Signal))
}

// ask notes a signal and tells whether it was asked before.
func (w *watch) ask() (before bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	before, w.asked = w.asked, true
	w.settle()
	return before
}

// settle sets the clock where there is something to wait for, and stops it where somebody holds the process.
func (w *watch) settle() {
	switch {
	case w.asked && w.holders == 0 && w.deadline == nil:
		w.deadline = time.AfterFunc(w.grace, w.late)
	case w.holders > 0 && w.deadline != nil:
		w.deadline.Stop()
		w.deadline = nil
	}
}

func (w *watch) hold(by int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.holders += by
	w.settle()
}

func (w *watch) stop() { w.hold(1) }

// Hold says that the work of ctx ends in order and in a time of its own when ctx ends, as a recording does, which stops
// its program and closes its files: until release is called, only a second signal ends the process. The two seconds
// begin again with the release. A context that is not of this package holds nothing.
func Hold(ctx context.Context) (release func()) {
	w, ok := ctx.Value(key{}).(*watch)
	if !ok {
		return func() {}
	}
	w.hold(1)
	var once sync.Once
	return func() { once.Do(func() { w.hold(-1) }) }
}

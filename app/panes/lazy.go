package panes

import (
	"context"
	"sync"

	"orrery/app/jobs"
	"orrery/views/words"
)

// GoOn is how a stopped result is taken up, behind what was being done: "Counting was cancelled. Press F5 …".
const GoOn = "was cancelled. Press F5 to compute it again."

// Work is how a Lazy computes the result of a key, which is all that it depends on.
type Work[K comparable, T any] struct {
	Name   string         // of the job, one in the document: "heap bins"
	Title  func(K) string // what it does, for the status line: "sorting blocks into bins"
	Unit   string         // of its progress: "bytes"; "" for that of most jobs
	Run    func(ctx context.Context, key K, report func(done, total int64)) (T, error)
	AtOnce func(K) bool   // it takes a millisecond: it is computed where it is asked for, without a job
	Prompt bool           // short work that a picture waits for, see jobs.StartNow
	Quiet  bool           // the pane says why it failed (see Problem); else a notice does
	Then   func(T, error) // what follows beside redrawing; nil for nothing
	Close  func(T)        // releases a result that is replaced or comes too late; nil where nothing needs it
}

// progress is how far the result of the asked key is.
type progress uint8

const (
	unasked progress = iota
	wanted           // while a pane is drawn: the job begins afterwards
	running
	arrived
	stopped
	failed
)

// Lazy is the result of a job, computed when a pane that is drawn reads it, or when somebody asks. The panes that read
// it are redrawn when it arrives, stops or fails. The newest key wins. While the result of another key is on its way
// the last one stays at hand, see Newest.
type Lazy[K comparable, T any] struct {
	Readers
	work  Work[K, T]
	key   K // asked for
	state progress
	err   error
	of    K // what value is the result of
	value T
	there bool
	way   *delivery[T] // of the job that runs; nil for none
}

// NewLazy is a result that nobody has asked for.
func NewLazy[K comparable, T any](s *Set, w Work[K, T]) *Lazy[K, T] {
	l := &Lazy[K, T]{Readers: ReadersOf(s), work: w}
	s.results = append(s.results, l)
	return l
}

// For is the result of a key. Where it is not at hand ok is false, and if a pane is being drawn the job begins when
// that is done.
func (l *Lazy[K, T]) For(key K) (value T, ok bool) {
	l.Read()
	switch {
	case l.Has(key):
		l.settleOn(key)
	case l.key == key && l.state != unasked:
	case l.set.drawing || l.atOnce(key):
		l.want(key)
	}
	if !l.Has(key) {
		return value, false
	}
	return l.value, true
}

// settleOn takes the key of the result that is at hand in place of another one's that is on its way.
func (l *Lazy[K, T]) settleOn(key K) {
	if l.key != key {
		l.cancel()
		l.key, l.state, l.err = key, arrived, nil
	}
}

func (l *Lazy[K, T]) atOnce(key K) bool { return l.work.AtOnce != nil && l.work.AtOnce(key) }

// want asks for a key: now if that takes no time, else when the pane that reads has been drawn.
func (l *Lazy[K, T]) want(key K) {
	l.key, l.err = key, nil
	switch {
	case l.atOnce(key):
		value, err := l.work.Run(context.Background(), key, func(int64, int64) {})
		l.settle(value, err)
	case l.set.stopped:
		l.state = stopped
	default:
		l.state = wanted
		l.set.wanted = append(l.set.wanted, func() {
			if l.key == key && l.state == wanted {
				l.start()
			}
		})
	}
}

// Ask begins the job of a key, unless its result is at hand, under way, has failed or was stopped. It is called where
// an input has changed, never while a pane is drawn.
func (l *Lazy[K, T]) Ask(key K) {
	if l.Has(key) {
		l.settleOn(key)
		return
	}
	if l.key == key && l.state != unasked && l.state != wanted {
		return
	}
	l.key, l.err = key, nil
	l.start()
}

// Restart is Ask that also computes again what is at hand, has failed or was stopped.
func (l *Lazy[K, T]) Restart(key K) {
	l.key, l.err = key, nil
	l.start()
}

// start begins the job of the asked key; one of another key is cancelled by it.
func (l *Lazy[K, T]) start() {
	key, work, host := l.key, &l.work, l.set.Host
	l.state = running
	l.abandon()
	way := &delivery[T]{}
	l.way = way
	run := func(ctx context.Context, report func(done, total int64)) (T, error) {
		value, err := work.Run(ctx, key, report)
		if err == nil && !way.send(value) {
			l.release(value)
			err = context.Canceled
		}
		return value, err
	}
	begin, name := jobs.Start[T], l.set.Job(work.Name)
	if work.Prompt {
		begin = jobs.StartNow[T]
	}
	begin(host.Engine, name, work.Title(key), run, func(value T, err error) {
		l.way = nil
		l.settle(value, err)
		if work.Then != nil {
			work.Then(value, err)
		}
		l.Changed()
	})
	if work.Unit != "" {
		host.Engine.Unit(name, work.Unit)
	}
}

// settle takes what a job ended with.
func (l *Lazy[K, T]) settle(value T, err error) {
	if err != nil {
		l.state, l.err = failed, err
		if !l.work.Quiet {
			l.set.Host.Failed(err.Error())
		}
		return
	}
	l.put(l.key, value)
	l.state = arrived
}

func (l *Lazy[K, T]) put(key K, value T) {
	if l.there {
		l.release(l.value)
	}
	l.of, l.value, l.there = key, value, true
}

func (l *Lazy[K, T]) release(value T) {
	if l.work.Close != nil {
		l.work.Close(value)
	}
}

// Put sets the result of a key that was found in another way.
func (l *Lazy[K, T]) Put(key K, value T) {
	l.cancel()
	l.put(key, value)
	l.key, l.state, l.err = key, arrived, nil
	l.Changed()
}

// Has tells whether the result of a key is at hand.
func (l *Lazy[K, T]) Has(key K) bool { return l.there && l.of == key }

// Newest is the last result there was, of whatever key.
func (l *Lazy[K, T]) Newest() (value T, of K, ok bool) {
	l.Read()
	return l.value, l.of, l.there
}

// Busy tells whether the result of a key is on its way.
func (l *Lazy[K, T]) Busy(key K) bool {
	l.Read()
	return l.key == key && (l.state == running || l.state == wanted)
}

// Running tells whether a job is under way, of whatever key.
func (l *Lazy[K, T]) Running() bool {
	l.Read()
	return l.state == running
}

// WasStopped tells whether the user has cancelled what the panes ask for now.
func (l *Lazy[K, T]) WasStopped() bool {
	l.Read()
	return l.state == stopped
}

// Problem is why there is no result of a key, as a sentence; "" while it has not failed.
func (l *Lazy[K, T]) Problem(key K) string {
	l.Read()
	if l.state == failed && l.key == key {
		return words.Sentence(l.err.Error())
	}
	return ""
}

// Err is why there is no result of the key that was asked for last; nil while it has not failed.
func (l *Lazy[K, T]) Err() error {
	l.Read()
	return l.err
}

// Say is what a pane shows in place of a result: doing while it is awaited ("Counting …"), why it failed, or how to go
// on with it; doing ends with " …" then.
func (l *Lazy[K, T]) Say(doing string) string {
	l.Read()
	switch l.state {
	case failed:
		return words.Sentence(l.err.Error())
	case stopped:
		return doing + " " + GoOn
	}
	return doing + " …"
}

// Forget lets go of the result, and of what is under way.
func (l *Lazy[K, T]) Forget() {
	l.cancel()
	l.close()
	var none K
	l.key, l.state, l.err = none, unasked, nil
	l.Changed()
}

func (l *Lazy[K, T]) cancel() {
	l.abandon()
	if l.state == running {
		l.set.Host.Engine.Cancel(l.set.Job(l.work.Name))
	}
}

// abandon releases what a job has ended with that will not be delivered, now or when it ends.
func (l *Lazy[K, T]) abandon() {
	if l.way != nil {
		if value, sent := l.way.close(); sent {
			l.release(value)
		}
		l.way = nil
	}
}

// delivery is a value on its way from a job's goroutine to the interface's.
type delivery[T any] struct {
	mu     sync.Mutex
	closed bool // nobody takes it
	sent   bool
	value  T
}

func (d *delivery[T]) send(value T) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.closed {
		d.sent, d.value = true, value
	}
	return !d.closed
}

func (d *delivery[T]) close() (value T, sent bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	return d.value, d.sent
}

// stop implements result: the engine has dropped the job.
func (l *Lazy[K, T]) stop() {
	l.abandon()
	if l.state == running || l.state == wanted {
		l.state = stopped
		l.Changed()
	}
}

// again implements result.
func (l *Lazy[K, T]) again() {
	if l.state == stopped || l.state == failed {
		l.state, l.err = unasked, nil
		l.Changed()
	}
}

// close implements result.
func (l *Lazy[K, T]) close() {
	l.abandon()
	if l.there {
		l.release(l.value)
	}
	var value T
	var of K
	l.value, l.of, l.there = value, of, false
}

package shell

import (
	"os"
	"sync/atomic"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"
	"golang.org/x/sys/unix"
)

// loopSleeper puts Fyne's loop to sleep while nothing happens. The loop looks for input sixty times a second whatever
// there is to do, which keeps a processor from its own sleep. So when nothing was drawn, dispatched or typed for a
// while, a function on the interface's goroutine waits in the window system for the next event instead; the loop then
// goes on as if nothing had been.
//
//	event, result ──> loop at 60 Hz ── quiet for a second ──> asleep ── event or result ──> loop at 60 Hz
//	                      ^                                     │
//	                      └──── one pass every longestSleep ────┘
type loopSleeper struct {
	dispatch func(func()) // brings a function to the interface's goroutine
	may      func() bool  // asked there: does nothing move that the application does not know of?
	start    time.Time
	active   atomic.Int64 // when something happened last, in nanoseconds since start
	asleep   atomic.Bool
}

const (
	quietTime    = time.Second           // longer than Fyne's own animations and its wait for a second click
	longestSleep = time.Second           // the longest that something only Fyne knows of has to wait
	loopPass     = 20 * time.Millisecond // a little more than a frame, so that the loop runs once
)

func newLoopSleeper(dispatch func(func())) *loopSleeper {
	return &loopSleeper{dispatch: dispatch, start: time.Now()}
}

// later runs f on the interface's goroutine and wakes the loop for it.
func (r *loopSleeper) later(f func()) {
	r.dispatch(f)
	r.wake()
}

// wake says that something happened. It may be called on any goroutine.
func (r *loopSleeper) wake() {
	r.active.Store(int64(time.Since(r.start)))
	if r.asleep.Load() { // sleep looks at active after setting asleep, so one of the two sees the other
		glfw.PostEmptyEvent()
	}
}

// idle is how long nothing has happened.
func (r *loopSleeper) idle() time.Duration {
	return time.Since(r.start) - time.Duration(r.active.Load())
}

// watch sends the loop to sleep whenever it may, for as long as the process lives.
func (r *loopSleeper) watch(may func() bool) {
	r.may = may
	done := make(chan struct{})
	for {
		if left := quietTime - r.idle(); left > 0 {
			time.Sleep(left)
			continue
		}
		r.dispatch(func() {
			r.sleep()
			done <- struct{}{}
		})
		<-done
		time.Sleep(loopPass)
	}
}

// sleep waits for an event on the interface's goroutine.
func (r *loopSleeper) sleep() {
	if unix.Gettid() != os.Getpid() { // the loop has ended and functions run wherever they are
		return
	}
	if !r.may() {
		r.wake()
		return
	}
	r.asleep.Store(true)
	defer r.asleep.Store(false)
	if r.idle() < quietTime {
		return
	}
	began := time.Now()
	glfw.WaitEventsTimeout(longestSleep.Seconds())
	if time.Since(began) < longestSleep {
		r.active.Store(int64(time.Since(r.start)))
	}
}

// still reports whether no part of Fyne moves by itself: no dialog or menu is open, no caret blinks, nothing plays.
func (w *window) still() bool {
	return !w.covered() && w.win.Canvas().Focused() == nil && w.playback.clock == nil && w.watching == nil
}

package shell

import (
	"time"

	"fyne.io/fyne/v2"
	"golang.org/x/sys/unix"
)

// least is what a turn of the loop takes at least to be written into the event log: one without a change takes less.
const least = 500 * time.Microsecond

// watchFrames writes the processor time that the interface's thread has used in each turn of Fyne's loop into
// the event log: {"event":"frame","cpu_ms":4.2}. A turn hands out what the pointer and the keys did and what jobs have
// found, and paints one frame. Only the time of this thread counts, so neighbours on a busy machine do not. While
// frames are watched the loop does not rest.
func (w *window) watchFrames() {
	was := threadTime()
	watch := &fyne.Animation{Duration: time.Hour, RepeatCount: fyne.AnimationRepeatForever, Curve: fyne.AnimationLinear}
	watch.Tick = func(float32) {
		if used := threadTime() - was; used >= least {
			w.log.write("frame", "cpu_ms", ms(used))
		}
		was = threadTime() // writing the log is no part of a frame
	}
	w.watching = watch
	watch.Start()
}

// threadTime is the processor time that the calling thread has used.
func threadTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

package cli

import (
	"context"
	"fmt"

	"orrery/app/interrupt"
	"orrery/traceio/record"
)

// recorder is record.Run or preload.Run.
type recorder func(context.Context, record.Options, func(done, total int64)) (record.Result, error)

// inOrder is a recorder that brings the program and its files to their end, however long that takes, when the process
// is asked to end.
func inOrder(run recorder) recorder {
	return func(ctx context.Context, opt record.Options, report func(done, total int64)) (record.Result, error) {
		defer interrupt.Hold(ctx)()
		return run(ctx, opt, report)
	}
}

// inWindow is a recorder that shows the recording while it is made. The window opens once there is something to follow,
// and closing it does not end the program: the recording goes on. A window that cannot open takes nothing from it
// either.
func inWindow(s Streams, desktop Desktop, flags DesktopFlags, run recorder) recorder {
	type outcome struct {
		result record.Result
		err    error
	}
	return func(ctx context.Context, opt record.Options, report func(done, total int64)) (record.Result, error) {
		running, over := make(chan string, 1), make(chan outcome, 1)
		opt.Running = func(path string) { running <- path }
		go func() {
			result, err := run(ctx, opt, report)
			over <- outcome{result, err}
		}()
		select {
		case path := <-running:
			if err := desktop(ctx, []string{path}, flags); err != nil {
				fmt.Fprintf(s.Err, "orrery: the window does not open (%v); the recording goes on\n", err)
			}
		case o := <-over:
			return o.result, o.err
		}
		o := <-over
		return o.result, o.err
	}
}

package record

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

const terminate = syscall.SIGTERM

// passSignals hands signals that are meant for the program on to it. What a terminal's keys send is left out: the
// terminal sends it to the program as well. That a file may not grow any more is heard, lest it ends the recorder, and
// not passed on: the failing write tells it.
func passSignals(p *os.Process) (stop func()) {
	in := make(chan os.Signal, 16)
	done := make(chan struct{})
	signal.Notify(in, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM, syscall.SIGXFSZ)
	go func() {
		for {
			select {
			case sig := <-in:
				if sig != syscall.SIGXFSZ {
					_ = p.Signal(sig) // it may have ended
				}
			case <-done:
				return
			}
		}
	}()
	return func() {
		signal.Stop(in)
		close(done)
	}
}

// hearFileLimit keeps the signal that a file may not grow any more from ending the recorder, also where no program is
// followed.
func hearFileLimit() (stop func()) {
	in := make(chan os.Signal, 1)
	signal.Notify(in, syscall.SIGXFSZ)
	return func() { signal.Stop(in) }
}

// status gives a process's end as a shell does: its exit code, or 128 + the signal that ended it.
func status(state *os.ProcessState) (code int, name string) {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + int(ws.Signal()), unix.SignalName(ws.Signal())
	}
	return state.ExitCode(), ""
}

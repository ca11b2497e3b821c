package e2e

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestSignalsEndTheApplication asks it to end by a signal, whatever its interface is doing. Where it can, it keeps what
// is open, the last change included, for the next run.
func TestSignalsEndTheApplication(t *testing.T) {
	for _, c := range []struct {
		name   string
		signal syscall.Signal
		stuck  func(w *window) (release func()) // keeps the interface's thread from going on; nil for not
	}{
		{"SIGTERM", unix.SIGTERM, nil},
		{"SIGINT", unix.SIGINT, nil},
		{"SIGTERM, the X server hangs", unix.SIGTERM, hangServer},
		{"SIGINT, the X server hangs", unix.SIGINT, hangServer},
	} {
		t.Run(c.name, func(t *testing.T) {
			screen, home := display(t, 1280, 800), t.TempDir()
			w := startIn(t, home, screen, recording("list.orr"))
			w.ready()
			w.wait(0, "document-drawn", named("document-drawn"))
			w.settled()
			w.until(patience, func() bool { _, kept := w.has("session-kept"); return kept })
			since := w.mark()
			w.key("End")
			w.wait(since, "the end", named("link"))
			left := w.state().Cursor
			if c.stuck != nil {
				w.wait(since, "the session kept", named("session-kept"))
				release := c.stuck(w)
				defer release()
			}
			if err := w.cmd.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			select {
			case <-w.ended:
			case <-time.After(patience):
				t.Fatalf("it goes on after %v", c.signal)
			}
			if c.stuck != nil {
				return
			}
			again := startIn(t, home, screen)
			again.ready()
			again.wait(0, "word of the last run", func(e event) bool {
				return e.Name == "notice" && strings.Contains(e.Text, "was told to end")
			})
			again.wait(0, "document-drawn", named("document-drawn"))
			again.settled()
			since = again.mark()
			again.key("comma")
			if e := again.wait(since, "a step", named("link")); e.Cursor != left-1 {
				t.Errorf("a step back from where it was left leads to %d, want %d", e.Cursor, left-1)
			}
			again.quit()
		})
	}
}

// hangServer stops the X server, for which the interface's thread then waits.
func hangServer(w *window) (release func()) {
	w.t.Helper()
	server, _ := servers.Load(w.display)
	pid := server.(*os.Process).Pid
	if err := syscall.Kill(pid, unix.SIGSTOP); err != nil {
		w.t.Fatal(err)
	}
	return func() { syscall.Kill(pid, unix.SIGCONT) }
}

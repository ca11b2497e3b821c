package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// progress shows how far long work is, on standard error, only when that is a terminal and the work takes longer than
// half a second.
type progress struct {
	w     io.Writer
	title string
	mu    sync.Mutex
	start time.Time
	last  time.Time
	shown bool
	quiet bool
}

const (
	progressDelay    = 500 * time.Millisecond
	progressInterval = 100 * time.Millisecond
)

func newProgress(w io.Writer, title string) *progress {
	return &progress{w: raw(w), title: title, start: time.Now(), quiet: !isTerminal(w)}
}

func isTerminal(w io.Writer) bool {
	f, ok := raw(w).(*os.File)
	if !ok {
		return false
	}
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}

// Report is given to analyses as their report function; it may be called from several goroutines.
func (p *progress) Report(done, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.quiet || now.Sub(p.start) < progressDelay || now.Sub(p.last) < progressInterval {
		return
	}
	p.last, p.shown = now, true
	if total > 0 {
		fmt.Fprintf(p.w, "\r\x1b[K%s %d %%", p.title, 100*done/total)
	} else {
		fmt.Fprintf(p.w, "\r\x1b[K%s %d", p.title, done)
	}
}

// Say tells something that is worth knowing about work that goes on.
func (p *progress) Say(sentence string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
	fmt.Fprintf(p.w, "orrery: %s\n", sentence)
}

// Done clears the line.
func (p *progress) Done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
	p.quiet = true
}

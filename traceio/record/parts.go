package record

import (
	"context"
	"os"
	"time"

	"orrery/traceio"
)

// The parts of a recorder that do not depend on how it sees the program; the one that logs allocations alone
// (record/preload) uses them too.

// FindProgram finds a program by its name or path and refuses, with a reason, what cannot be recorded. The path is absolute.
func FindProgram(name string) (string, error) { return checkProgram(name) }

// Output is the file of a recording under way.
type Output struct{ *output }

// CreateOutput opens a recording at path, which must not be the program; what was there stays until Place.
func CreateOutput(path, program string) (Output, error) {
	o, err := createOutput(path, program)
	return Output{o}, err
}

// Place gives the file its own name.
func (o Output) Place() error { return o.place() }

// Discard closes the file and removes it unless it was placed.
func (o Output) Discard() { o.discard() }

// Follow hands signals that are meant for a started program on to it until it has ended; when ctx ends first, it asks the
// program to stop and then kills it. wait is the program's.
func Follow(ctx context.Context, p *os.Process, wait func() error) (interrupted bool, err error) {
	defer passSignals(p)()
	ended := make(chan error, 1)
	go func() { ended <- wait() }()
	select {
	case err = <-ended:
		return false, err
	case <-ctx.Done():
	}
	// the terminal may have told the program already: it gets a moment before it is asked, then told, to go
	for _, s := range []struct {
		after time.Duration
		what  os.Signal
	}{{300 * time.Millisecond, terminate}, {2 * time.Second, os.Kill}} {
		select {
		case err = <-ended:
			return true, err
		case <-time.After(s.after):
			_ = p.Signal(s.what)
		}
	}
	return true, <-ended
}

// ExitStatus gives a process's end as a shell does: its exit code, or 128 + the signal that ended it.
func ExitStatus(state *os.ProcessState) (code int, signal string) { return status(state) }

// ModuleAt describes the file whose first mapped byte, of a file offset, is at low; false when it is no ELF file.
func ModuleAt(path string, low, offset uint64) (traceio.Module, bool) {
	return readModule(mapping{low: low, offset: offset, path: path})
}

// Neutral gives the files of a program the names that a reader on another machine can use: those below dir by their path
// in it.
func Neutral(prog *traceio.Program, dir string) { neutral(prog, dir) }

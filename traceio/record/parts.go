package record

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"orrery/traceio"
	"orrery/traceio/orr"
)

// The parts of a recorder that do not depend on how it sees the program; the one that logs allocations alone
// (record/preload) uses them too.

// FindProgram finds a program by its name or path and refuses, with a reason, what cannot be recorded. The path is
// absolute.
func FindProgram(name string) (string, error) { return checkProgram(name) }

// Output is the file of a recording under way.
type Output struct{ *output }

// CreateOutput opens a recording at path, which must not be the program; what was there stays until Place.
func CreateOutput(ctx context.Context, path, program string) (Output, error) {
	o, err := createOutput(ctx, path, program)
	return Output{o}, err
}

// CreateNext makes the file of a recording's n-th image or, where something else has that name, of a later n.
func CreateNext(ctx context.Context, out string, n *int, program string) (Output, string, error) {
	o, path, err := createNext(ctx, out, n, program)
	return Output{o}, path, err
}

// Name is what the file is called until Place, "" where it has no name until then.
func (o Output) Name() string {
	if o.temp == nil {
		return o.path
	}
	return o.temp.Path()
}

// Again has the file take the place of one of the same recording, which is not kept.
func (o Output) Again() { o.again = true }

// KeepSpare reserves the descriptors that removing a directory needs: without them a program must not be run, since its
// temporary files would stay.
func KeepSpare() (release func(), err error) {
	var all []*os.File
	release = func() {
		for _, f := range all {
			f.Close()
		}
	}
	for range 3 {
		f, err := os.Open(os.DevNull)
		if err != nil {
			release()
			return nil, err
		}
		all = append(all, f)
	}
	return release, nil
}

// Replaceable says why a recording must not take the place of what is at path; nil for a recording, and where nothing
// is. What was there is then called path + KeptEnding.
func Replaceable(path string) error { return replaceable(path) }

// Place gives the file its own name.
func (o Output) Place() error { return o.place() }

// Replaced gives what the recording is called now that was there before Place, "" when there was none.
func (o Output) Replaced() string { return o.replaced() }

// NoteReplaced adds to the notes that recordings were replaced, and where they are now.
func (r *Result) NoteReplaced() {
	n, first := 0, ""
	for _, im := range append([]Image{r.Image}, r.Others...) {
		if im.Replaced != "" {
			n++
			first = cmp.Or(first, im.Replaced)
		}
	}
	switch {
	case n == 1:
		r.Notes = append(r.Notes, fmt.Sprintf("the recording that had this name before is %s now", first))
	case n > 1:
		r.Notes = append(r.Notes, fmt.Sprintf("%d recordings that had these names before are kept: %s and so on", n, first))
	}
}

// Discard closes the file and removes it unless it was placed.
func (o Output) Discard() { o.discard() }

// Follow hands signals that are meant for a started program on to it until it has ended; when ctx ends first, it asks
// the program to stop and then kills it. wait is the program's.
func Follow(ctx context.Context, p *os.Process, wait func() error) (interrupted bool, err error) {
	defer passSignals(p)()
	ended := make(chan error, 1)
	go func() { ended <- wait() }()
	select {
	case err = <-ended:
		return false, err
	case <-ctx.Done():
	}
	// the terminal may have sent SIGINT already, so it gets a moment before SIGTERM, and another before SIGKILL
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

// LoseProcesses notes, in the program's own recording as well, that n processes ran without being recorded. file is
// that recording's, placed and ended; why may be nil.
func (r *Result) LoseProcesses(file Output, n int, why error) {
	r.Notes = append(r.Notes, r.lose(file.output, n, why))
}

// AddNote adds a note, to the program's own recording as well.
func (r *Result) AddNote(file Output, note string) {
	if file.regular {
		if err := orr.Amend(file.path, func(p *traceio.Program) { p.Notes = append(p.Notes, note) }); err != nil {
			note += fmt.Sprintf(" (which %s does not say: %v)", file.path, err)
		}
	}
	r.Notes = append(r.Notes, note)
}

// lose is LoseProcesses, and gives the note.
func (r *Result) lose(file destination, n int, why error) string {
	r.Incomplete = true
	loss := traceio.Loss{Kind: "unrecorded-processes", Count: uint64(n),
		Why: "processes that the program started and that ran without being recorded"}
	what := "a process could not be recorded and ran without"
	if n > 1 {
		what = fmt.Sprintf("%d processes could not be recorded and ran without", n)
	}
	if why != nil {
		loss.Why += ": " + reason(why).Error()
		var of *fs.PathError
		if errors.As(why, &of) { // without what has been said of it on the way here
			why = of
		}
		what += ": " + WithHint(why).Error()
	}
	if o, ok := file.(*output); ok && o.regular {
		if err := orr.Amend(o.path, func(p *traceio.Program) { p.Lost = append(p.Lost, loss) }); err != nil {
			what += fmt.Sprintf(" (which %s does not say: %v)", o.path, err)
		}
	}
	return what
}

// ExitStatus gives a process's end as a shell does: its exit code, or 128 + the signal that ended it.
func ExitStatus(state *os.ProcessState) (code int, signal string) { return status(state) }

// ModuleAt describes the file whose first mapped byte, of a file offset, is at low; false when it is no ELF file.
func ModuleAt(path string, low, offset uint64) (traceio.Module, bool) {
	return readModule(mapping{low: low, offset: offset, path: path})
}

// Neutral gives the files of a program the names that a reader on another machine can use: those below dir by their
// path in it.
func Neutral(prog *traceio.Program, dir string) { neutral(prog, dir) }

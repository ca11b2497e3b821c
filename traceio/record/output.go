package record

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"orrery/traceio/orr"
	"orrery/traceio/tempfile"
)

// output is the file of a recording, locked while it is written. Only the user may read it, since it has the program's
// command line and sources. It gets its name when the program runs, so that a recording that fails before leaves the
// older one in place.
type output struct {
	*os.File
	path    string
	temp    *tempfile.File // nil for a device or a pipe
	again   bool           // it takes the place of a file of the same recording
	kept    string         // what the recording that was there is called since the file was placed, "" when there was none
	regular bool
}

// KeptEnding is what the name of a recording ends with that another one has replaced.
const KeptEnding = ".old"

// createOutput opens the file at path, which must not be the program. A recording that is there is kept with another
// name when the new one takes its place; what is no recording stays, and is refused. Devices and pipes are written to,
// not replaced; for the reader of a pipe it waits until ctx ends.
func createOutput(ctx context.Context, path, program string) (*output, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if info, err := os.Stat(path); err == nil {
		if of, err := os.Stat(program); err == nil && os.SameFile(info, of) {
			return nil, fmt.Errorf("the recording would overwrite the program %s; name another file with -o", path)
		}
		if info.IsDir() {
			return nil, fmt.Errorf("making the recording: %s is a directory; name a file in it", path)
		}
		if !info.Mode().IsRegular() {
			file, err := openSpecial(ctx, path)
			if err != nil {
				return nil, fmt.Errorf("making the recording: %w", WithHint(err))
			}
			return &output{File: file, path: path}, nil
		}
		if err := replaceable(path); err != nil {
			return nil, err
		}
	}
	return newOutput(path)
}

// openSpecial opens a device or a pipe so that writing to it can be given up.
func openSpecial(ctx context.Context, path string) (*os.File, error) {
	for {
		file, err := os.OpenFile(path, os.O_WRONLY|unix.O_NONBLOCK, 0)
		if !errors.Is(err, unix.ENXIO) { // which says that nobody reads
			return file, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("nobody reads %s: %w", path, ctx.Err())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// newOutput creates a file that will get a path.
func newOutput(path string) (*output, error) {
	temp, err := tempfile.Create(path, 0o600)
	if err != nil {
		return nil, fmt.Errorf("making the recording: %w", WithHint(err))
	}
	lock(temp.File)
	return &output{File: temp.File, path: path, temp: temp, regular: true}, nil
}

// createNext makes the file of a recording's next image, from the n-th on: run.2.orr, run.3.orr. A name that it cannot
// have, and that the user has not given, is passed over.
func createNext(ctx context.Context, out string, n *int, program string) (*output, string, error) {
	ext := filepath.Ext(out)
	for ; ; *n++ {
		path := fmt.Sprintf("%s.%d%s", strings.TrimSuffix(out, ext), *n, ext)
		if replaceable(path) == nil {
			file, err := createOutput(ctx, path, program)
			return file, path, err
		}
	}
}

// replaceable says why a recording must not take the place of the file at path, and this not that of an older one.
func replaceable(path string) error {
	if taken(path) {
		return fmt.Errorf("making the recording: %s is there already and is no recording; name another file with -o, or "+
			"remove that one", path)
	}
	if older := path + KeptEnding; taken(older) {
		return fmt.Errorf("making the recording: the recording that is in %s now would be kept as %s, which is there "+
			"already and is no recording; "+
			"name another file with -o, or remove that one", path, older)
	}
	return nil
}

// taken tells whether path is something else than a recording or an empty file, which must stay.
func taken(path string) bool {
	file, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return true
	}
	head := make([]byte, 16)
	n, _ := file.Read(head)
	return n > 0 && !orr.Magic(head[:n])
}

// lock takes the file's advisory lock, which the system releases when the recorder closes the file or dies: whoever
// gets the lock knows that the recording is not being written any more. On file systems without locks there is none.
func lock(file *os.File) { _ = unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) }

// named gives an error of a file's the name that the user knows it by.
func named(err error, path string) error {
	if of, ok := err.(*fs.PathError); ok {
		of.Path = path
	}
	return err
}

// Write appends to the file.
func (o *output) Write(p []byte) (int, error) {
	n, err := o.File.Write(p)
	return n, named(err, o.path)
}

// Close gives the lock back and closes the file. Closing alone would leave the lock to a process that was just being
// started and still has a copy of the descriptor.
func (o *output) Close() error {
	_ = unix.Flock(int(o.Fd()), unix.LOCK_UN)
	return o.File.Close()
}

// place gives the file its own name; more calls do nothing.
func (o *output) place() error {
	if o.temp == nil {
		return nil
	}
	if info, err := os.Stat(o.path); !o.again && err == nil && info.Size() > 0 {
		if err := os.Rename(o.path, o.path+KeptEnding); err != nil {
			return fmt.Errorf("making the recording: %w", WithHint(err))
		}
		o.kept = o.path + KeptEnding
	}
	o.again = true
	if err := o.temp.Place(); err != nil {
		if o.kept != "" && os.Rename(o.kept, o.path) == nil {
			o.kept = ""
		}
		return fmt.Errorf("making the recording: %w", WithHint(err))
	}
	return nil
}

// giveUp makes a waiting write fail, for instance to a pipe that nobody reads.
func (o *output) giveUp() { _ = o.SetWriteDeadline(time.Now()) }

// replaced gives what the recording that was there is called now, "" when there was none.
func (o *output) replaced() string { return o.kept }

// discard closes the file and removes it unless it was placed.
func (o *output) discard() {
	o.Close()
	if o.temp != nil {
		o.temp.Discard()
	}
}

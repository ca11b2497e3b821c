package record

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// output is the file of a recording, locked as long as it is written. Until the program runs it is written under another
// name beside the one asked for, so that a recording that does not come about leaves what was there.
type output struct {
	*os.File
	path, part string // part is "" once the file has its own name
	regular    bool
}

// createOutput opens the file at path, which must not be the program. Devices and pipes are written to, not replaced.
func createOutput(path, program string) (*output, error) {
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
			file, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				return nil, fmt.Errorf("making the recording: %w", Remedied(err))
			}
			return &output{File: file, path: path}, nil
		}
	}
	part := fmt.Sprintf("%s.%d.part", path, os.Getpid())
	file, err := os.Create(part)
	if err != nil {
		return nil, fmt.Errorf("making the recording: %w", Remedied(named(err, path)))
	}
	lock(file)
	return &output{File: file, path: path, part: part, regular: true}, nil
}

// lock takes the file's advisory lock, which the system gives back when the recorder closes the file or dies: who can
// have the lock knows that the recording is not being written any more. Some file systems have no locks; then the
// recording goes on without.
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
	if o.part == "" {
		return nil
	}
	if err := os.Rename(o.part, o.path); err != nil {
		return fmt.Errorf("making the recording: %w", Remedied(err))
	}
	o.part = ""
	return nil
}

// discard closes the file and removes it unless it was placed.
func (o *output) discard() {
	o.Close()
	if o.part != "" {
		os.Remove(o.part)
	}
}

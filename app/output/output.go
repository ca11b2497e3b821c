// Package output writes files that somebody named: whole or not at all, and pictures in the format that the name asks
// for.
package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"orrery/traceio/tempfile"
)

// Write writes data to a file, or leaves what was there when that fails.
func Write(path string, data []byte) error {
	return Replace(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Replace writes a file through a temporary neighbour, so that a failure leaves what was there. A link stays a link:
// what it points to is replaced. A device or a pipe is written to, never replaced.
func Replace(path string, write func(w io.Writer) error) error { return replaceAs(path, 0o666, write) }

// ReplacePrivate is Replace for a recording: a file that is new is the user's alone, as one that was recorded is.
func ReplacePrivate(path string, write func(w io.Writer) error) error {
	return replaceAs(path, 0o600, write)
}

func replaceAs(path string, fresh fs.FileMode, write func(w io.Writer) error) error {
	real := path
	if to, err := filepath.EvalSymlinks(path); err == nil {
		real = to
	}
	err := replace(real, fresh, write)
	var where *fs.PathError
	if errors.As(err, &where) && where.Path == real {
		return fmt.Errorf("cannot write %s: %w; %s", path, where.Err, remedy(where.Err))
	}
	return err
}

// remedy is what the user can do about a file that cannot be written. What was there is there still.
func remedy(err error) string {
	switch {
	case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EDQUOT):
		return "free some room there or choose another place"
	case errors.Is(err, unix.EFBIG):
		return "raise the limit of file sizes (ulimit -f) or choose another place"
	case errors.Is(err, fs.ErrNotExist):
		return "choose a folder that there is"
	}
	return "choose another place"
}

func replace(path string, fresh fs.FileMode, write func(w io.Writer) error) error {
	mode := fs.FileMode(0)
	switch info, err := os.Stat(path); {
	case err != nil:
	case info.IsDir():
		return fmt.Errorf("cannot write %s: it is a directory", path)
	case !info.Mode().IsRegular():
		return writeThrough(path, write)
	default:
		mode = info.Mode().Perm()
	}
	tmp, err := tempfile.Create(path, fresh)
	if err != nil {
		return err
	}
	defer tmp.Discard()
	if err := write(tmp); err != nil {
		return err
	}
	if err := tmp.Sync(); err != nil { // some file systems find out only now that there is no room
		return err
	}
	if mode != 0 {
		if err := tmp.Chmod(mode); err != nil {
			return err
		}
	}
	return tmp.Place()
}

// writeThrough writes to what is already there and cannot be exchanged.
func writeThrough(path string, write func(w io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

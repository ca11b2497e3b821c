// Package tempfile makes files that get their names when they are whole. In: the path that a file is to have. Out: a
// file that can be written; Place puts it there at once, in place of what was there, and what is not placed leaves
// nothing behind.
//
// Where the file system can do it the file has no name until then, so that nobody can put something in its way and
// nothing stays when the process is killed. Elsewhere it is a new file beside the path, with a name that cannot be
// foreseen: Path.
package tempfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// File is a file that is being written. Its errors name the path that it is to have.
type File struct {
	*os.File
	path string
	name string // that it has until it is placed, "": none
	over bool   // placed or discarded
}

// Create begins the file that is to stand at path, with a mode that the user's umask restricts.
func Create(path string, mode fs.FileMode) (*File, error) {
	if f, err := os.OpenFile(filepath.Dir(path), os.O_RDWR|unix.O_TMPFILE, mode); err == nil {
		if unix.Access(own(f), unix.F_OK) == nil { // else it could not be given a name
			return &File{File: f, path: path}, nil
		}
		f.Close()
	}
	return Named(path, mode)
}

// Named is Create for writing by name, which Path gives.
func Named(path string, mode fs.FileMode) (*File, error) {
	for {
		name := neighbour(path)
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if err == nil {
			return &File{File: f, path: path, name: name}, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, at(path, err)
		}
	}
}

// Ending is what the names of files end with that have one before they are placed.
const Ending = ".part"

// neighbour is a name beside path that nobody can foresee. A long one is cut, lest it becomes too long.
func neighbour(path string) string {
	base := filepath.Base(path)
	return filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%016x%s", base[:min(len(base), 200)], rand.Uint64(), Ending))
}

// own is a path to an open file, whatever name it has.
func own(f *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", f.Fd()) }

// at gives an error the name that the user knows.
func at(path string, err error) error {
	var of *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &of):
		return &fs.PathError{Op: of.Op, Path: path, Err: of.Err}
	case errors.As(err, &link):
		return &fs.PathError{Op: "write", Path: path, Err: link.Err}
	}
	return err
}

// Path is where the file is until it is placed, "" when it has no name.
func (f *File) Path() string { return f.name }

// Write appends to the file.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	if err != nil {
		err = at(f.path, err)
	}
	return n, err
}

// Sync brings what has been written to the disk.
func (f *File) Sync() error {
	if err := f.File.Sync(); err != nil {
		return at(f.path, err)
	}
	return nil
}

// Place gives the file its path, in place of what is there; it must be open still. More calls do nothing.
func (f *File) Place() error {
	if f.over {
		return nil
	}
	if err := f.give(); err != nil {
		return at(f.path, err)
	}
	if err := os.Rename(f.name, f.path); err != nil {
		return at(f.path, err)
	}
	f.over = true
	return nil
}

// give gives the file a name from which it can be moved over another file.
func (f *File) give() error {
	for f.name == "" {
		name := neighbour(f.path)
		err := unix.Linkat(unix.AT_FDCWD, own(f.File), unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW)
		switch {
		case err == nil:
			f.name = name
		case err != unix.EEXIST:
			return &fs.PathError{Op: "write", Path: f.path, Err: err}
		}
	}
	return nil
}

// Discard closes the file, and removes it unless it was placed. The file may be closed already.
func (f *File) Discard() {
	f.File.Close()
	if !f.over && f.name != "" {
		os.Remove(f.name)
	}
	f.over = true
}

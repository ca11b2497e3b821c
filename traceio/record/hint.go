package record

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// inodes says that it may not be room that a file system lacks.
func inodes(err error) string {
	var of *fs.PathError
	var st unix.Statfs_t
	if errors.As(err, &of) && unix.Statfs(filepath.Dir(of.Path), &st) == nil && st.Files > 0 && st.Ffree == 0 {
		return " (there are too many files on it, df -i)"
	}
	return ""
}

// Reported is the error of a program that was run, with what it said first or with what the user can do.
func Reported(err error, said []byte) error {
	if line, _, _ := strings.Cut(strings.TrimSpace(string(said)), "\n"); line != "" {
		return fmt.Errorf("%w: %s", err, line)
	}
	if errors.Is(err, unix.EMFILE) {
		return WithHint(err)
	}
	return err
}

// NotStarted is the error of a program that was found and could not be started.
func NotStarted(name string, err error) error {
	return fmt.Errorf("starting %s: %w", name, Reported(err, nil))
}

// WithHint is the error of a file that a recorder could not make or write, with what the user can do about it where
// that is known.
func WithHint(err error) error {
	switch {
	case errors.Is(err, unix.EFBIG):
		return fmt.Errorf("%w, which is what ulimit -f sets here; say ulimit -f unlimited before recording", err)
	case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EDQUOT):
		return fmt.Errorf("%w; free some room there or name a file elsewhere with -o%s", err, inodes(err))
	case errors.Is(err, unix.EMFILE):
		return fmt.Errorf(
			"%w, of which ulimit -n sets how many there may be; say ulimit -n with a greater number before recording", err)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w; choose a folder that there is", err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, unix.EROFS), errors.Is(err, unix.ENOTDIR),
		errors.Is(err, unix.ENAMETOOLONG):
		return fmt.Errorf("%w; name a file elsewhere with -o", err)
	}
	return err
}

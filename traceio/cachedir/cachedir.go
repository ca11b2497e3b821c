// Package cachedir finds the user's directories for files that the program can build again: the recorders' libraries
// and unpacked examples. In: a name. Out: a directory that only the user can write to, since libraries in it are loaded
// into programs.
package cachedir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Need says what a directory must be.
type Need struct {
	Without string // characters that its path must not have
	// whether it has all that is needed, so that nothing needs to be written; nil: it never has
	Whole func(dir string) bool
}

// Dir is the user's directory of a name, which is created if need be: in "orrery" of the user's cache directory or,
// where there is none or it is another user's or cannot be written to, in a directory of the user's among the temporary
// files.
func Dir(name string, need Need) (string, error) {
	first := errors.New("there is no HOME")
	if base, err := os.UserCacheDir(); err == nil {
		dir, err := in(filepath.Join(base, "orrery"), name, need, 0o022, os.Stat)
		if err == nil {
			return dir, nil
		}
		first = err
	}
	// another user could have created this one, as a link: hence Lstat
	dir, err := in(filepath.Join(os.TempDir(), fmt.Sprintf("orrery-%d", os.Geteuid())), name, need, 0o077, os.Lstat)
	if err != nil {
		return "", fmt.Errorf("there is no place for %s: %w, and %w; set XDG_CACHE_HOME to a directory of yours", name, first,
			err)
	}
	return dir, nil
}

// in creates root and the directory NAME in it. Both must be the user's, and others must not have the rights of the
// mask.
func in(root, name string, need Need, mask fs.FileMode, stat func(string) (fs.FileInfo, error)) (string, error) {
	dir := filepath.Join(root, name)
	if strings.ContainsAny(dir, need.Without) {
		return "", fmt.Errorf("%s has a character that the recorder cannot use", dir)
	}
	whole := need.Whole != nil && need.Whole(dir)
	if err := os.MkdirAll(filepath.Dir(root), 0o700); err != nil && !whole {
		return "", err
	}
	for _, d := range []string{root, dir} {
		if err := os.Mkdir(d, 0o700); err != nil && !whole && !errors.Is(err, fs.ErrExist) {
			return "", err
		}
		info, err := stat(d)
		if err != nil {
			return "", err
		}
		if s, ok := info.Sys().(*syscall.Stat_t); !ok || int(s.Uid) != os.Geteuid() || !info.IsDir() ||
			info.Mode()&mask != 0 {
			return "", fmt.Errorf("%s is not a directory of this user's alone", d)
		}
	}
	if whole {
		return dir, nil
	}
	probe, err := os.CreateTemp(dir, "probe-")
	if err != nil {
		return "", err
	}
	probe.Close()
	return dir, os.Remove(probe.Name())
}

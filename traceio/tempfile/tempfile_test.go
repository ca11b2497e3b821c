package tempfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// ways are the two ways in which a file can wait for its name.
var ways = map[string]func(string, fs.FileMode) (*File, error){"without a name": Create, "with a name": Named}

func names(t *testing.T, dir string) (out []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		out = append(out, e.Name())
	}
	return out
}

// TestPlace: a file replaces what was there when it is placed and not before, with the mode that was asked for less the
// umask; what is discarded leaves what was there.
func TestPlace(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o027))
	for way, create := range ways {
		for _, row := range []struct {
			name       string
			mode, want fs.FileMode
			place      bool
			text       string
		}{{"private", 0o600, 0o600, true, "new"}, {"shared", 0o666, 0o640, true, "new"},
			{"discarded", 0o600, 0o604, false, "old"}} {
			t.Run(way+", "+row.name, func(t *testing.T) {
				dir := t.TempDir()
				path := filepath.Join(dir, strings.Repeat("long ", 40)+"x.orr")
				if err := os.WriteFile(path, []byte("old"), 0o604); err != nil {
					t.Fatal(err)
				}
				if err := os.Chmod(path, 0o604); err != nil {
					t.Fatal(err)
				}
				f, err := create(path, row.mode)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := f.Write([]byte("new")); err != nil {
					t.Fatal(err)
				}
				if text, _ := os.ReadFile(path); string(text) != "old" {
					t.Errorf("before it is placed there is %q", text)
				}
				if row.place {
					for range 2 {
						if err := f.Place(); err != nil {
							t.Fatal(err)
						}
					}
				}
				f.Discard()
				text, err := os.ReadFile(path)
				info, _ := os.Stat(path)
				if err != nil || string(text) != row.text || info.Mode() != row.want {
					t.Errorf("%q, %v, %v; want %q, %v", text, info.Mode(), err, row.text, row.want)
				}
				if got := names(t, dir); len(got) != 1 {
					t.Errorf("beside it stands %q", got)
				}
			})
		}
	}
}

// TestUnseen: nothing is seen of a file that has not been placed, so that nothing stays when its process is killed.
func TestUnseen(t *testing.T) {
	dir := t.TempDir()
	f, err := Create(filepath.Join(dir, "x"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Discard()
	if got := names(t, dir); len(got) != 0 {
		t.Errorf("%s has %q; does its file system have files without names?", dir, got)
	}
}

// TestErrors: a failure names the path that the user knows, and leaves nothing.
func TestErrors(t *testing.T) {
	dir := t.TempDir()
	missing, folder := filepath.Join(dir, "none", "x"), filepath.Join(dir, "folder")
	if err := os.MkdirAll(filepath.Join(folder, "full"), 0o777); err != nil {
		t.Fatal(err)
	}
	for way, create := range ways {
		var of *fs.PathError
		if _, err := create(missing, 0o600); !errors.As(err, &of) || of.Path != missing || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v, want one of %s", way, err, missing)
		}
		f, err := create(folder, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Place(); !errors.As(err, &of) || of.Path != folder {
			t.Errorf("%s: placed where a folder stands: %v", way, err)
		}
		f.Discard()
		if got := names(t, dir); len(got) != 1 {
			t.Errorf("%s: left behind: %q", way, got)
		}
	}
}

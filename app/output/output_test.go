package output

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Each way in which a file cannot be written is told in one sentence that names the file and what to do, and leaves
// what was there.
func TestWriteFails(t *testing.T) {
	if dir := os.Getenv("ORRERY_LIMITED"); dir != "" {
		t.Run("limited", func(t *testing.T) { fails(t, filepath.Join(dir, "old"), 8<<10, "file too large; raise the limit") })
		return
	}
	dir := t.TempDir()
	old := filepath.Join(dir, "old")
	if err := os.WriteFile(old, []byte("what was there"), 0o640); err != nil {
		t.Fatal(err)
	}
	full := filepath.Join(dir, "full")
	if err := os.Symlink("/dev/full", full); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, path, want string }{
		{"full device", full, "no space left on device; free some room"},
		{"no folder", filepath.Join(dir, "nowhere", "x"), "no such file or directory; choose a folder"},
		{"a folder", dir, "it is a directory"},
		{"a file for a folder", filepath.Join(old, "x"), "not a directory; choose another place"},
	} {
		t.Run(c.name, func(t *testing.T) { fails(t, c.path, 100, c.want) })
	}
	limited := exec.Command("sh", "-c", `ulimit -f 4; exec "$0" -test.run '^TestWriteFails$'`, os.Args[0])
	limited.Env = append(os.Environ(), "ORRERY_LIMITED="+dir)
	if out, err := limited.CombinedOutput(); err != nil {
		t.Errorf("where files are limited (ulimit -f): %v\n%s", err, out)
	}
	stops := errors.New("the picture has no pixels")
	if err := Replace(old, func(w io.Writer) error { io.WriteString(w, "half"); return stops }); !errors.Is(err, stops) {
		t.Errorf("what stops the writing is told as %v", err)
	}
	if data, err := os.ReadFile(old); err != nil || string(data) != "what was there" {
		t.Errorf("after all that the old file holds %q (%v)", data, err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*.part")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q (%v)", left, err)
	}
}

func fails(t *testing.T, path string, size int, want string) {
	t.Helper()
	err := Write(path, bytes.Repeat([]byte("x"), size))
	if err == nil || !strings.Contains(err.Error(), "cannot write "+path) || !strings.Contains(err.Error(), want) ||
		strings.ContainsAny(err.Error(), "\n") {
		t.Errorf("writing %s: %v; want one sentence with %q", path, err, want)
	}
}

// A new file has the mode that the user's umask leaves, and a link that somebody has put where the file is made is not
// followed.
func TestWriteIsPrivate(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o027))
	dir := t.TempDir()
	path, victim := filepath.Join(dir, "new"), filepath.Join(dir, "victim")
	if err := os.WriteFile(victim, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(victim, fmt.Sprintf("%s.%d.part", path, os.Getpid())); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode() != 0o640 {
		t.Errorf("%v, %v; want mode 0640", info, err)
	}
	if text, _ := os.ReadFile(victim); string(text) != "precious" {
		t.Errorf("a file that a link leads to has %q now", text)
	}
}

// A file that is replaced keeps its mode, a link stays one, and the new contents are whole.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	old, link := filepath.Join(dir, "old"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(old, []byte("what was there"), 0o640), os.Symlink("old", link)); err != nil {
		t.Fatal(err)
	}
	if err := Write(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(old)
	if err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(old)
	to, _ := os.Readlink(link)
	if string(data) != "new" || info.Mode().Perm() != 0o640 || to != "old" {
		t.Errorf("through a link: %q, mode %o, the link leads to %q", data, info.Mode().Perm(), to)
	}
}

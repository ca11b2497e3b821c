package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"orrery/app/session"
	"orrery/app/shell/saved"
	"orrery/traceio/resultcache"
)

// TestMain lets this test binary be the program that the examples name.
func TestMain(m *testing.M) {
	if os.Getenv("ORRERY_EXAMPLE") == "" {
		os.Exit(m.Run())
	}
	desktop := func(_ context.Context, files []string, _ DesktopFlags) error {
		for _, f := range files {
			if _, err := os.Stat(f); err != nil && !session.IsDesignExample(f) {
				return err
			}
		}
		fmt.Println("a window on", files)
		return nil
	}
	os.Exit(Main(context.Background(), os.Args[1:], Streams{os.Stdin, os.Stdout, os.Stderr}, desktop))
}

// TestExamplesRunAsPrinted takes the examples from the help of every command and gives them to a shell, where the
// repository's shipped files are. Each must print something or write a file.
func TestExamplesRunAsPrinted(t *testing.T) {
	dir := t.TempDir()
	for name, path := range map[string]string{"testdata": "../../testdata", "assets": "../../assets"} {
		real, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(real, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := (&saved.Session{}).Write(filepath.Join(dir, "work.orrery")); err != nil { // a session somebody has saved
		t.Fatal(err)
	}
	// A build without the race detector, for it is several times as fast and each command has a test of its own with
	// it.
	if out, err := exec.Command("go", "test", "-c", "-o", filepath.Join(dir, "orrery"), ".").CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
	root := newRoot(Streams{}, nil)
	for _, c := range append(root.Commands(), root) {
		if c.Hidden || c.Name() == "help" {
			continue
		}
		if c.Example == "" {
			t.Errorf("%s has no example", c.CommandPath())
		}
		for line := range strings.Lines(c.Example) {
			before := files(t, dir)
			shell := exec.Command("sh", "-c", line)
			shell.Dir, shell.Env = dir, append(os.Environ(), "ORRERY_EXAMPLE=1", resultcache.Variable+"="+
				filepath.Join(dir, "results"),
				"PATH="+dir+":"+os.Getenv("PATH"))
			out, err := shell.CombinedOutput()
			if err != nil || len(out) == 0 && files(t, dir) == before {
				t.Errorf("%s: %v; it printed %q and wrote no file", strings.TrimSpace(line), err, out)
			}
		}
	}
}

// files tells a directory's files with the times of their writing.
func files(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&b, e.Name(), info.ModTime().UnixNano())
	}
	return b.String()
}

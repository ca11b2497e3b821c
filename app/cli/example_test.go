package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"orrery/traceio/shelf"
)

// TestMain lets this test binary be the program that the examples name.
func TestMain(m *testing.M) {
	if os.Getenv("ORRERY_EXAMPLE") == "" {
		os.Exit(m.Run())
	}
	desktop := func(files []string, _ DesktopFlags) error {
		for _, f := range files {
			if _, err := os.Stat(f); err != nil {
				return err
			}
		}
		fmt.Println("a window on", files)
		return nil
	}
	os.Exit(Main(context.Background(), os.Args[1:], Streams{os.Stdin, os.Stdout, os.Stderr}, desktop))
}

// TestExamplesRunAsPrinted takes the examples from the help of every command and gives them to a shell, where the
// repository's shipped files are.
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
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(dir, "orrery")); err != nil {
		t.Fatal(err)
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
			shell := exec.Command("sh", "-c", line)
			shell.Dir, shell.Env = dir, append(os.Environ(), "ORRERY_EXAMPLE=1", shelf.Variable+"="+filepath.Join(dir, "shelf"), "PATH="+dir+":"+os.Getenv("PATH"))
			out, err := shell.CombinedOutput()
			if err != nil || len(out) == 0 && !strings.Contains(line, " -o ") {
				t.Errorf("%s: %v: %s", strings.TrimSpace(line), err, out)
			}
		}
	}
}

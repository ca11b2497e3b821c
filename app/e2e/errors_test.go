package e2e

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestBadFiles opens files that are no recordings together with a good one: each bad one is told in a sentence that
// names it, the good one is shown, and the application lives on.
func TestBadFiles(t *testing.T) {
	dir := t.TempDir()
	good, err := os.ReadFile(recording("list.orr"))
	if err != nil {
		t.Fatal(err)
	}
	bad := map[string][]byte{
		"letter.txt": []byte("Dear reader,\nthis is no recording.\n"),
		"empty.orr":  {},
		"head.orr":   good[:40],
		"noise.bin":  bytes.Repeat([]byte{0x7f, 0x00, 0xfe, 0x13}, 5000),
	}
	var args []string
	for name, data := range bad {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	slices.Sort(args)
	args = append(args, filepath.Join(dir, "missing.orr"))

	w := open(t, display(t, 1280, 800), append(slices.Clone(args), recording("list.orr"))...)
	for _, path := range args {
		e := w.wait(0, "an error about "+path, func(e event) bool { return e.Name == "open-failed" && e.Path == path })
		said, _ := e.Error.(string)
		t.Logf("%s: %s", filepath.Base(path), said)
		if !strings.Contains(said, filepath.Base(path)) || len(strings.Fields(said)) < 5 || strings.Contains(said, "\n") {
			t.Errorf("%s failed with %q, want one sentence that names the file", filepath.Base(path), said)
		}
		w.wait(0, "a notice for the user", func(e event) bool {
			return e.Name == "notice" && e.Text == said && e.Error == true
		})
	}
	w.wait(0, "the good recording drawn", named("document-drawn"))
	m := w.shot()
	w.complete(m)
	if n := colours(m, m.Bounds()); n < 60 {
		t.Errorf("the screen has %d colours", n)
	}
	since := w.mark()
	w.key("period")
	w.wait(since, "a step in the good recording", func(e event) bool { return e.Name == "link" && e.Cursor == 1 })
	w.quit()
}

// TestNoDisplay starts without a display, or with one that nobody serves: one sentence that names the command for
// pictures without one, and status 1.
func TestNoDisplay(t *testing.T) {
	for _, c := range []struct {
		name    string
		display []string
	}{{"none", nil}, {"nobody there", []string{"DISPLAY=:4711"}}} {
		t.Run(c.name, func(t *testing.T) {
			cmd := exec.Command(binary(t), recording("list.orr"))
			dir := t.TempDir()
			cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_CACHE_HOME=" +
				dir}, c.display...)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			err := cmd.Run()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 1 {
				t.Errorf("ended with %v, want status 1", err)
			}
			said := stderr.String()
			if strings.Count(said, "\n") != 1 || !strings.Contains(said, "`orrery render`") ||
				!strings.Contains(said, "display") {
				t.Errorf("said %q, want one sentence that names `orrery render`", said)
			}
			if stdout.Len() > 0 {
				t.Errorf("wrote %q on standard output", stdout.String())
			}
		})
	}
}

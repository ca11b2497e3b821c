package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"orrery/app/cli"
)

// build makes the program.
func build(t *testing.T) (bin string) {
	t.Helper()
	bin = filepath.Join(t.TempDir(), "orrery")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
	return bin
}

// TestStuckCommandsEnd asks commands to end that wait for a pipe into which nobody writes, once.
func TestStuckCommandsEnd(t *testing.T) {
	bin := build(t)
	for _, command := range []string{"info", "cycles", "cache", "heap", "graph", "designs", "findings"} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			pipe := filepath.Join(t.TempDir(), "pipe")
			if err := unix.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
			c := exec.Command(bin, command, pipe)
			var stderr bytes.Buffer
			c.Stderr = &stderr
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			defer c.Process.Kill()
			w, err := os.OpenFile(pipe, os.O_WRONLY, 0) // as soon as the command has opened it
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			if err := c.Process.Signal(unix.SIGTERM); err != nil {
				t.Fatal(err)
			}
			_ = c.Wait() // its status follows
			if got := c.ProcessState.ExitCode(); got != cli.Failed || stderr.String() != "orrery: stopped\n" {
				t.Errorf("status %d, want %d, and it says %q", got, cli.Failed, stderr.String())
			}
		})
	}
}

// TestStandardErrorIsOurs builds the program and runs a command under locales that Fyne does not know: nothing
// but the command's own words may come out.
func TestStandardErrorIsOurs(t *testing.T) {
	bin := build(t)
	for _, locale := range []string{"C.UTF-8", "C", "xx_nonsense", ""} {
		c := exec.Command(bin, "info", "../../testdata/recordings/list.orr")
		c.Env = append(os.Environ(), "LC_ALL="+locale, "LANG="+locale, "DISPLAY=")
		var stdout, stderr bytes.Buffer
		c.Stdout, c.Stderr = &stdout, &stderr
		if err := c.Run(); err != nil || stdout.Len() == 0 || stderr.Len() > 0 {
			t.Errorf("LC_ALL=%s: %v, %d bytes of output, standard error %q", locale, err, stdout.Len(), stderr.String())
		}
	}
}

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestScriptsWithoutSudo runs the scripts beside the recordings where none of their tools is there, nor sudo: what they
// install they then install as who they are, and where that fails they stop.
func TestScriptsWithoutSudo(t *testing.T) {
	var scripts []string
	for _, pattern := range []string{"../../testdata/*.sh", "../../testdata/peers/*.sh"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		scripts = append(scripts, found...)
	}
	tools := t.TempDir()
	if err := os.WriteFile(filepath.Join(tools, "apt-get"), []byte("#!/bin/sh\necho \"$*\" >>asked\nexit 1\n"),
		0o755); err != nil {
		t.Fatal(err)
	}
	installs := 0
	for _, script := range scripts {
		path, err := filepath.Abs(script)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("/bin/sh", path, "1")
		cmd.Dir, cmd.Env = t.TempDir(), []string{"PATH=" + tools}
		out, err := cmd.CombinedOutput()
		if err == nil || strings.Contains(string(out), "sudo: not found") {
			t.Errorf("%s: %v\n%s", script, err, out)
		}
		asked, err := os.ReadFile(filepath.Join(cmd.Dir, "asked"))
		if strings.Contains(read(t, script), "need.sh") {
			if installs++; err != nil || strings.Count(string(asked), "\n") != 1 {
				t.Errorf("%s asks for %q, %v\n%s", script, asked, err, out)
			}
		}
	}
	if installs < 10 {
		t.Errorf("only %d of %d scripts install something", installs, len(scripts))
	}
}

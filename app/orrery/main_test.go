package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestStandardErrorIsOurs builds the program and runs a command under locales that the toolkit does not know: nothing
// but the command's own words may come out.
func TestStandardErrorIsOurs(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "orrery")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
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

package cli

import (
	"regexp"
	"testing"
)

func TestVersionIsOneLine(t *testing.T) {
	status, out, stderr := run(t, "--version")
	if status != Done || stderr != "" ||
		!regexp.MustCompile(`^orrery \S+( [0-9a-f]+)? go1\.\S+ \w+/\w+\n$`).MatchString(out) {
		t.Errorf("status %d, %q, %q; want one line with version, compiler and system", status, out, stderr)
	}
}

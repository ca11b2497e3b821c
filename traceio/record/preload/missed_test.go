package preload

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"orrery/traceio/record"
)

// TestMissed tells of what could not be recorded: a program that is linked statically, however it is started, and one
// whose log may not grow, which is not disturbed either.
func TestMissed(t *testing.T) {
	static := compiled(t, "starts.c", "-static")
	unpreloaded := ": what is linked statically, brings its own loader or changes the user cannot be preloaded"
	for _, row := range []struct {
		name, script, out string
		notes             []string
	}{
		{"all recorded", "env -i /bin/echo hi; no-such-program 2>/dev/null; cat /dev/null; exec /bin/echo ho", "hi ho", nil},
		{"started", static + " 77; " + static + " 78; true", "77 - 78 -",
			[]string{"2 processes ran without being recorded (" + static + ")" + unpreloaded}},
		{"forked", "(" + static + " 77); (exec " + static + " 78)", "77 - 78 -",
			[]string{"2 processes ran without being recorded (" + static + ")" + unpreloaded}},
		{"become", "exec " + static + " 77", "77 -", []string{"a process ran without being recorded (" + static +
			")" + unpreloaded}},
		{"no room", "ulimit -f 0; /bin/echo hi; echo $?", "hi 0", []string{"a process could not be recorded and ran " +
			"without: file too large, which is what ulimit -f sets here; say ulimit -f unlimited before recording"}},
		{"no room for a fork", "ulimit -f 0; (exec /bin/echo hi); (exec /bin/echo ho)", "hi ho", []string{"2 processes " +
			"could not be recorded and ran without: file too large, which is what ulimit -f sets here; say ulimit -f " +
			"unlimited before recording"}},
	} {
		var out bytes.Buffer
		opt := record.Options{Program: "/bin/sh", Args: []string{"-c", row.script}, Output: filepath.Join(t.TempDir(),
			"x.orr"), Stdout: &out}
		res, err := run(context.Background(), opt, unnamed, nil)
		if err != nil || res.ExitCode != 0 {
			t.Errorf("%s: %+v, %v", row.name, res, err)
		}
		var said []string
		for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
			words := strings.Fields(line)
			if len(words) == 3 {
				words = []string{words[0], words[2]} // how many words its environment has depends on the machine
			}
			said = append(said, words...)
		}
		if got := strings.Join(said, " "); got != row.out || strings.Join(res.Notes, "; ") != strings.Join(row.notes, "; ") {
			t.Errorf("%s: wrote %q, want %q; notes %q, want %q", row.name, got, row.out, res.Notes, row.notes)
		}
	}
}

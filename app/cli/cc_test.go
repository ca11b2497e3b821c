package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCompilerTakesOver: the wrapper is the compiler to whoever calls it: its streams, its status; and says itself what
// is wrong with its own arguments.
func TestCompilerTakesOver(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "ok.c"), []byte("int main(void) { return 0; }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		args   string
		status int
		says   string
	}{
		{"cc", 2, "orrery: name the compiler to run after --; see orrery cc --help\n"},
		{"cc --", 2, "orrery: name the compiler to run after --; see orrery cc --help\n"},
		{"cc -- ls", 1, "orrery: ls is neither gcc nor clang, the compilers whose programs can be given hooks\n"},
		{"cc -- gcc -c ok.c", 0, ""},
		{"cc gcc -c -o two.o ok.c", 0, ""},
		{"cc -- gcc -c missing.c", 1, "missing.c"},
		{"cc -- gcc -dumpmachine", 0, "x86_64-linux-gnu\n"},
	} {
		cmd := exec.Command(self, strings.Fields(row.args)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "ORRERY_EXAMPLE=1", "LC_ALL=C", "XDG_CACHE_HOME="+dir)
		out, _ := cmd.CombinedOutput()
		status := cmd.ProcessState.ExitCode()
		if status != row.status || !strings.Contains(string(out), row.says) || row.says == "" && len(out) > 0 {
			t.Errorf("orrery %s: status %d, %q; want %d, %q", row.args, status, out, row.status, row.says)
		}
	}
}

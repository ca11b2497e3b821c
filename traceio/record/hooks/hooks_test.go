package hooks_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"orrery/traceio/record"
	"orrery/traceio/record/hooks"
)

// TestMain makes the test binary the program that it tests: with "cc" or "record" first among its arguments it stands
// for orrery.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && (os.Args[1] == "cc" || os.Args[1] == "record") {
		status, err := stand(os.Args[1], os.Args[2:])
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(status)
	}
	dir, err := os.MkdirTemp("", "orrery-test-")
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_CACHE_HOME", dir)
	os.Setenv("LC_ALL", "C")
	if err := plainLibrary(dir); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

func stand(command string, args []string) (int, error) {
	if command == "record" && args[0] == "--help" { // asked whether it runs
		return 0, nil
	}
	if command == "record" { // -o FILE --regardless --as NAME -- PROGRAM ARGUMENTS
		opt := record.Options{Output: args[1], Name: args[4], Program: args[6], Args: args[7:]}
		res, err := record.Run(context.Background(), opt, nil)
		if err != nil && !res.Started {
			fmt.Fprintln(os.Stderr, err)
			err = record.ExecUnrecorded(opt)
		}
		return res.ExitCode, err
	}
	opt := hooks.Options{Locals: args[0] == "--locals"}
	if opt.Locals {
		args = args[1:]
	}
	self, err := os.Executable()
	if err == nil {
		args, err = hooks.Command(context.Background(), opt, self, args[1:])
	}
	if err == nil {
		err = syscall.Exec(args[0], args, os.Environ())
	}
	return 1, err
}

// plainLibrary gives the recorded programs a copy of the C library without a build id: reading the debug information
// that Debian's valgrind brings along takes most of a test's time.
func plainLibrary(dir string) error {
	path, err := exec.Command("gcc", "-print-file-name=libc.so.6").Output()
	if err != nil {
		return fmt.Errorf("the tests need gcc: sudo apt install gcc: %w", err)
	}
	copied := filepath.Join(dir, "libc.so.6")
	out, err := exec.Command("objcopy", "--remove-section", ".note.gnu.build-id", strings.TrimSpace(string(path)),
		copied).CombinedOutput()
	if err != nil {
		return fmt.Errorf("copying the C library: %w: %s", err, out)
	}
	return os.Setenv("LD_LIBRARY_PATH", dir)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// compilers are tried by every test that builds.
func compilers(t testing.TB) []string {
	t.Helper()
	for _, c := range []string{"gcc", "g++", "clang", "clang++", "make"} {
		if _, err := exec.LookPath(c); err != nil {
			t.Fatalf("the test needs %s: sudo apt install gcc g++ clang make", c)
		}
	}
	return []string{"gcc", "clang"}
}

// command is the wrapper in front of a compiler, as a Makefile has it.
func command(t testing.TB, compiler string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return self + " cc -- " + compiler
}

// do runs a command line in dir and gives what it says and its status.
func do(dir string, words ...string) (stdout, stderr string, status int) {
	cmd := exec.Command(words[0], words[1:]...)
	var out, err bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &err
	if e := cmd.Run(); e != nil && cmd.ProcessState == nil {
		return "", e.Error(), -1
	}
	return out.String(), err.String(), cmd.ProcessState.ExitCode()
}

func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestProject builds the project of testdata/project with its own Makefile: objects, a static and a shared library,
// C++, dependency files, linking on its own and together with compiling. It must say what the plain build's program
// says.
func TestProject(t *testing.T) {
	project := func(t *testing.T, set ...string) string {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS("testdata/project")); err != nil {
			t.Fatal(err)
		}
		if out, err, status := do(dir, append([]string{"make"}, set...)...); status != 0 || strings.Contains(err, "warning") {
			t.Fatalf("make %q: status %d\n%s%s", set, status, out, err)
		}
		return dir
	}
	all := compilers(t)
	plain := project(t, "CC=gcc", "CXX=g++")
	for _, compiler := range all {
		t.Run(compiler, func(t *testing.T) {
			t.Parallel()
			cxx := map[string]string{"gcc": "g++", "clang": "clang++"}[compiler]
			hooked := project(t, "CC="+command(t, compiler), "CXX="+command(t, cxx))
			for _, program := range []string{"./report", "./fixed", "./lists"} {
				want, _, _ := do(plain, program)
				got, err, status := do(hooked, program)
				if got != want || want == "" || status != 0 {
					t.Errorf("%s: got %q and %q, status %d, want %q", program, got, err, status, want)
				}
				if !hooks.BuiltWithHooks(filepath.Join(hooked, program)) || hooks.BuiltWithHooks(filepath.Join(plain, program)) {
					t.Errorf("%s: which of the two has hooks is not told", program)
				}
			}
			if _, err, status := do(hooked, "strip", "report"); status != 0 ||
				!hooks.BuiltWithHooks(filepath.Join(hooked, "report")) {
				t.Errorf("stripping hides the hooks: %s", err)
			}
			if got, _, _ := do(hooked, "cat", "count.d"); !strings.Contains(got, "words.h") {
				t.Errorf("the dependency file says %q", got)
			}
		})
	}
}

// TestUnharmed: whatever else a build asks a compiler, the answer is the plain compiler's.
func TestUnharmed(t *testing.T) {
	files := map[string]string{
		"ok.c": "#include <string.h>\n#include <stdio.h>\nint main(void) { char a[9]; strcpy(a, \"yes\"); return " +
			"puts(a) < 0; }\n",
		"bad.c":    "int main(void) { return nothing; }\n",
		"nomain.c": "int f(void);\nint main(void) { return f(); }\n",
		"warn.c":   "int main(void) { int unused; return 0; }\n",
		"start.S":  ".globl first\nfirst: ret\n#ifdef NONE\nnothing\n#endif\n",
		"kernel.c": "int add(int *p) { return *p + 1; }\n",
		"options":  "-DX=\"a b\" -c ok.c\n-o from.o",
		"linking":  "ok.c -o 'from response'",
		"lib.c":    "int table[4]; int look(int i) { return table[i]; }\n",
		"lib.map":  "V1 { global: look; local: *; };\n",
	}
	lines := []struct {
		args  string
		makes string // a file that must then be there
	}{
		{"--version", ""}, {"-dumpmachine", ""}, {"-dumpversion", ""}, {"-print-file-name=libc.so", ""},
		{"-print-search-dirs", ""},
		{"-M ok.c", ""}, {"-MM ok.c", ""}, {"-E ok.c", ""}, {"-E -dM -xc /dev/null", ""}, {"-fsyntax-only ok.c", ""},
		{"-fsyntax-only bad.c", ""},
		{"-c ok.c", "ok.o"}, {"-c -MMD -MF d.d ok.c -o d.o", "d.d"}, {"-S ok.c", "ok.s"}, {"-c bad.c", ""},
		{"nomain.c", ""}, {"ok.c", "a.out"},
		{"-Wall -c warn.c", "warn.o"}, {"-Wall -Werror -c warn.c", ""}, {"-c start.S", "start.o"},
		{"-ffreestanding -c kernel.c -o k.o", "k.o"},
		{"@options", "from.o"}, {"@linking", "from response"}, {"", ""}, {"missing.c", ""},
		{"-O2 -pipe ok.c -o piped", "piped"},
		{"-shared -fPIC lib.c -o lib.so -Wl,--version-script=lib.map", "lib.so"},
		{"-shared -fPIC lib.c -o defs.so -Wl,-soname,x", "defs.so"},
		{"-r -nostdlib ok.o warn.o -o both.o", ""}, {"-static ok.c -o fixed", "fixed"},
		{"-g -Og -save-temps -c ok.c -o saved.o", "saved.o"},
		{"-nosuchflag -c ok.c", ""}, {"-flto -O2 ok.c -o lto", "lto"}, {"-x c - -o stdin.o -c", "stdin.o"},
		{"-fsanitize=undefined -c ok.c -o u.o", "u.o"},
	}
	for _, compiler := range compilers(t) {
		t.Run(compiler, func(t *testing.T) {
			t.Parallel()
			plain, hooked := t.TempDir(), t.TempDir()
			write(t, plain, files)
			write(t, hooked, files)
			for _, line := range lines {
				args := strings.Fields(line.args)
				wantOut, wantErr, wantStatus := do(plain, append([]string{compiler}, args...)...)
				out, err, status := do(hooked, append(strings.Fields(command(t, compiler)), args...)...)
				// names of temporary files; one macro more
				if strings.Contains(line.args, "nomain") || strings.Contains(line.args, "dM") {
					out, err, wantOut, wantErr = "", "", "", ""
				}
				if out != wantOut || err != wantErr || status != wantStatus {
					t.Errorf("%s %s: got %q, %q, %d; want %q, %q, %d", compiler, line.args, out, err, status, wantOut,
						wantErr, wantStatus)
				}
				if line.makes != "" && !exists(filepath.Join(hooked, line.makes)) {
					t.Errorf("%s %s made no %s", compiler, line.args, line.makes)
				}
			}
			for _, program := range []string{"./a.out", "./piped", "./fixed", "./lto", "./from response"} {
				if out, err, status := do(hooked, program); out != "yes\n" || err != "" || status != 0 {
					t.Errorf("%s %s: got %q, %q, %d", compiler, program, out, err, status)
				}
			}
		})
	}
}

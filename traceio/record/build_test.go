package record

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"orrery/traceio"
	"orrery/traceio/store"
)

// recordEnv makes the test binary a recorder of its own: the output, the program and its arguments, one a line.
const recordEnv = "ORRERY_TEST_RECORD"

// hastyEnv has programs wait for it for a moment only.
const hastyEnv = "ORRERY_TEST_HASTY"

// keepEnv is that recorder's --keep-last.
const keepEnv = "ORRERY_TEST_KEEP"

func TestMain(m *testing.M) {
	if words := strings.Split(os.Getenv(recordEnv), "\n"); len(words) > 1 {
		keep, _ := strconv.ParseUint(os.Getenv(keepEnv), 10, 64)
		if os.Getenv(hastyEnv) != "" {
			patientLooks = 40
		}
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		res, err := Run(ctx, Options{Output: words[0], Program: words[1], Args: words[2:], KeepLast: keep}, nil)
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(os.Stderr, strings.Join(res.Notes, "\n"))
		return
	}
	dir, err := os.MkdirTemp("", "orrery-test-")
	if err != nil {
		panic(err)
	}
	// the recorder is to be built anew, the Go library is not
	if cache, err := exec.Command("go", "env", "GOCACHE").Output(); err == nil {
		os.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
	}
	os.Setenv("XDG_CACHE_HOME", dir)
	if err := plainLibrary(dir); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// loader is the copy of the dynamic loader that compiled programs name.
var loader string

// plainLibrary gives the recorded programs copies of the C library and its loader without a build id. Debian's valgrind
// brings the debug information of both along, and reading that for each of these recordings takes most of a test's
// time.
func plainLibrary(dir string) error {
	for _, name := range []string{"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"} {
		path, err := exec.Command("gcc", "-print-file-name="+name).Output()
		if err != nil {
			return fmt.Errorf("the tests need gcc: %s: %w", installLine, err)
		}
		out, err := exec.Command("objcopy", "--remove-section", ".note.gnu.build-id", strings.TrimSpace(string(path)),
			filepath.Join(dir, name)).CombinedOutput()
		if err != nil {
			return fmt.Errorf("copying the C library: %w: %s", err, out)
		}
	}
	loader = filepath.Join(dir, "ld-linux-x86-64.so.2")
	if err := os.Chmod(loader, 0o755); err != nil {
		return err
	}
	return os.Setenv("LD_LIBRARY_PATH", dir)
}

// compile builds a program from one C (or, with a name in .cpp, C++) source.
func compile(t testing.TB, name, source string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	compiler := "gcc"
	if strings.HasSuffix(name, ".cpp") {
		compiler = "g++"
	}
	if _, err := exec.LookPath(compiler); err != nil {
		t.Fatalf("the test needs %s: sudo apt install gcc g++", compiler)
	}
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	recorder, err := filepath.Abs("../../assets/recorder")
	if err != nil {
		t.Fatal(err)
	}
	out := strings.TrimSuffix(file, filepath.Ext(file))
	args := append([]string{"-g", "-O0", "-pthread", "-I", recorder, "-o", out, name}, flags...)
	if !slices.Contains(flags, "-static") && !slices.Contains(flags, "-shared") {
		args = append(args, "-Wl,--dynamic-linker="+loader)
	}
	cmd := exec.Command(compiler, args...)
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", compiler, strings.Join(args, " "), err, text)
	}
	return out
}

// made is a finished recording with what the program wrote.
type made struct {
	Result
	rec            *store.Recording
	stdout, stderr string
}

// run records and opens what came of it.
func run(t testing.TB, opt Options) made {
	t.Helper()
	return runContext(t, context.Background(), opt)
}

func runContext(t testing.TB, ctx context.Context, opt Options) made {
	t.Helper()
	var stdout, stderr bytes.Buffer
	opt.Stdout, opt.Stderr = &stdout, &stderr
	again := opt.Stdin == nil
	if again {
		opt.Stdin = strings.NewReader("")
	}
	if opt.Output == "" {
		opt.Output = filepath.Join(t.TempDir(), "run.orr")
	}
	res, err := Run(ctx, opt, nil)
	if again && strings.Contains(stderr.String(), "plugins/core.c") {
		// QEMU 7.2 itself fails now and then, once in some thousand runs, where a program makes its second thread.
		t.Logf("recorded once more, since the emulator failed: %s", stderr.String())
		stdout.Reset()
		stderr.Reset()
		res, err = Run(ctx, opt, nil)
	}
	if err != nil {
		t.Fatalf("Run: %v\n%s", err, stderr.String())
	}
	rec, err := store.Open(context.Background(), res.Path, store.Options{}, nil)
	if err != nil {
		t.Fatalf("opening the recording: %v", err)
	}
	t.Cleanup(func() { rec.Close() })
	if uint64(rec.Len()) != res.Refs || uint64(len(rec.Allocs())) != res.Allocs {
		t.Errorf("Result tells %d references and %d allocations, the file has %d and %d",
			res.Refs, res.Allocs, rec.Len(), len(rec.Allocs()))
	}
	if loss := rec.Loss(); len(loss) > 0 && !res.Incomplete {
		t.Errorf("the file lost %v", loss)
	}
	return made{res, rec, stdout.String(), stderr.String()}
}

// other opens the file of another image of the recording.
func (m made) other(t testing.TB, i int) made {
	t.Helper()
	if i >= len(m.Others) {
		t.Fatalf("there are %d other images", len(m.Others))
	}
	res := Result{Image: m.Others[i]}
	rec, err := store.Open(context.Background(), res.Path, store.Options{}, nil)
	if err != nil {
		t.Fatalf("opening the recording: %v", err)
	}
	t.Cleanup(func() { rec.Close() })
	if uint64(rec.Len()) != res.Refs || uint64(len(rec.Allocs())) != res.Allocs {
		t.Errorf("Image tells %d references and %d allocations, the file has %d and %d",
			res.Refs, res.Allocs, rec.Len(), len(rec.Allocs()))
	}
	return made{res, rec, "", ""}
}

// each calls f with every reference in order.
func (m made) each(t testing.TB, f func(traceio.Access)) {
	t.Helper()
	for i := range m.rec.Blocks() {
		b, err := m.rec.Block(i)
		if err != nil {
			t.Fatal(err)
		}
		for row := range b.Addr {
			f(traceio.Access{Seq: b.First + traceio.Seq(row), Addr: b.Addr[row], PC: b.PC[row], Size: b.Size[row],
				Kind: b.Kind[row], Thread: b.Thread[row]})
		}
	}
}

// function names the innermost function at pc.
func (m made) function(pc traceio.Addr) string {
	for _, s := range m.rec.Program().Sites {
		if s.PC == pc && len(s.Frames) > 0 {
			return s.Frames[0].Function
		}
	}
	return ""
}

// global is a variable by name.
func (m made) global(t testing.TB, name string) traceio.Global {
	t.Helper()
	for _, g := range m.rec.Program().Globals {
		if g.Name == name {
			return g
		}
	}
	t.Fatalf("the recording knows no variable %s", name)
	return traceio.Global{}
}

// noted is whether a note contains text.
func (m made) noted(text string) bool {
	return strings.Contains(strings.Join(m.Notes, "\n"), text)
}

// at is the reference s.
func (m made) at(t testing.TB, s traceio.Seq) traceio.Access {
	t.Helper()
	for i := range m.rec.Blocks() {
		b, err := m.rec.Block(i)
		if err != nil {
			t.Fatal(err)
		}
		if s >= b.First && s < b.First+traceio.Seq(b.Data()) {
			return b.At(s)
		}
	}
	t.Fatalf("there is no reference %d", s)
	return traceio.Access{}
}

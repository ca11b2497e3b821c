package record

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"orrery/traceio"
	"orrery/traceio/orr"
	"orrery/traceio/store"
)

// TestDies: everything up to a sudden death is in the recording, to the last reference.
func TestDies(t *testing.T) {
	t.Parallel()
	program := compile(t, "dies.c", `
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static volatile int counter;
int main(int argc, char **argv)
{
    for (int i = 0; i < 100003; i++)
        counter++;
    if (strcmp(argv[1], "kill") == 0) kill(getpid(), SIGKILL);
    if (strcmp(argv[1], "abort") == 0) abort();
    if (strcmp(argv[1], "segv") == 0) *(volatile int *)8 = 1;
    _exit(0);
}`)
	for _, test := range []struct {
		how, signal string
		code        int
	}{{"kill", "SIGKILL", 137}, {"abort", "SIGABRT", 134}, {"segv", "SIGSEGV", 139}, {"exit", "", 0}} {
		t.Run(test.how, func(t *testing.T) {
			m := run(t, Options{Program: program, Args: []string{test.how}, Only: []string{"program"}})
			if m.ExitCode != test.code || m.Signal != test.signal {
				t.Errorf("exit %d, signal %s", m.ExitCode, m.Signal)
			}
			n, at := 0, m.global(t, "counter").Addr
			m.each(t, func(a traceio.Access) {
				if a.Addr == at {
					n++
				}
			})
			if n != 2*100003 {
				t.Errorf("%d references to the counter, want %d", n, 2*100003)
			}
		})
	}
}

// TestCancel: when the user gives up, the program goes and the file is whole.
func TestCancel(t *testing.T) {
	program := compile(t, "waits.c", `
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    if (argc > 1) signal(SIGTERM, SIG_IGN);
    for (;;) { usleep(1000); }
}`)
	_, cleanup, err := prepare(context.Background()) // building the recorder is not what is cancelled here
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cleanup)
	for name, args := range map[string][]string{"obedient": nil, "stubborn": {"stubborn"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
			defer cancel()
			opt := Options{Program: program, Args: args, Only: []string{"program", "libc"}}
			opt.Running = func(path string) {
				go func() {
					for !holds(path, 1000) && ctx.Err() == nil {
						time.Sleep(20 * time.Millisecond)
					}
					cancel()
				}()
			}
			m := runContext(t, ctx, opt)
			if !m.Interrupted || m.Refs < 1000 || m.Signal == "" {
				t.Errorf("%+v", m.Result)
			}
		})
	}
}

// TestRecorderKilled: when the recorder is killed, the program runs to its end and the file opens with what was
// written.
func TestRecorderKilled(t *testing.T) {
	program := compile(t, "orphan.c", `
#include <stdio.h>
#include <unistd.h>
static volatile int counter;
int main(int argc, char **argv)
{
    do
        for (int i = 0; i < 100000; i++) counter++;
    while (access(argv[2], F_OK));
    FILE *f = fopen(argv[1], "w");
    if (f == NULL || fprintf(f, "%d", counter) < 0 || fclose(f)) return 1;
    return 0;
}`)
	dir := t.TempDir()
	done, enough, out := filepath.Join(dir, "done"), filepath.Join(dir, "enough"), filepath.Join(dir, "x.orr")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), recordEnv+"="+strings.Join([]string{out, program, done, enough}, "\n"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer touch(t, enough)
	eventually(t, "the recording does not grow", func() bool { return holds(out, 65536) })
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	touch(t, enough)
	eventually(t, "the program did not go on without its recorder", func() bool {
		return strings.HasSuffix(read(done), "00000")
	})
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	f, err := orr.Open(bytes.NewReader(data), int64(len(data)), out)
	if err != nil || f.Len() < 65536 {
		t.Errorf("the file opens with %v", err)
	}
}

// slow is a disk that the program outruns.
type slow struct{ *output }

func (s slow) Write(p []byte) (int, error) {
	time.Sleep(10 * time.Millisecond)
	return s.output.Write(p)
}

// TestOutrun: when the program is faster than the recorder it waits, and no reference is lost.
func TestOutrun(t *testing.T) {
	const rounds = 600000 // more references than fit into the ring
	program := compile(t, "fast.c", fmt.Sprintf(`
static volatile int counter;
int main(void) { for (int i = 0; i < %d; i++) counter++; return 0; }`, rounds))
	tools, cleanup, err := prepare(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer cleanup()
	path := filepath.Join(t.TempDir(), "slow.orr")
	file, err := createOutput(context.Background(), path, program)
	if err != nil {
		t.Fatal(err)
	}
	s := &session{opt: Options{Program: program}, path: program, out: path, tools: tools,
		patterns: []pattern{{text: "main"}}, first: slow{file}}
	if err := s.record(context.Background()); err != nil {
		t.Fatal(err)
	}
	// at -O0 a round loads and stores the counter, loads and stores i, and loads i again to compare
	if refs := s.res.Refs; refs < 5*rounds || refs > 5*rounds+20 || s.res.Incomplete {
		t.Errorf("%d references, want %d and a few", refs, 5*rounds)
	}
}

// TestRecorderKilledWithChildren: when the recorder is killed, the program's children go on as well, those it forks and
// starts later too, and nothing is left behind in memory.
func TestRecorderKilledWithChildren(t *testing.T) {
	program := compile(t, "family.c", `
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int counter;
static void work(const char *enough) { do for (int i = 0; i < 100000; i++) counter++; while (access(enough, F_OK)); }
int main(int argc, char **argv)
{
    int status, good = 0;
    char again[300];
    if (argc > 3) { work(argv[2]); return 7; }
    snprintf(again, sizeof again, "%s %s %s again", argv[0], argv[1], argv[2]);
    if (fork() == 0) { work(argv[2]); _exit(system(again) == 7 * 256 && system("exit 3") == 3 * 256 ? 5 : 6); }
    if (fork() == 0) { execl(argv[0], argv[0], argv[1], argv[2], "again", (char *)0); _exit(8); }
    work(argv[2]);
    while (wait(&status) > 0)
        good += WEXITSTATUS(status);
    FILE *f = fopen(argv[1], "w");
    if (f == NULL || fprintf(f, "%d", good) < 0 || fclose(f)) return 1;
    return 0;
}`)
	dir := t.TempDir()
	done, enough, out := filepath.Join(dir, "done"), filepath.Join(dir, "enough"), filepath.Join(dir, "x.orr")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), recordEnv+"="+strings.Join([]string{out, program, done, enough}, "\n"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer touch(t, enough)
	full := func() (n int) {
		files, _ := filepath.Glob(filepath.Join(dir, "*.orr"))
		for _, path := range files {
			if holds(path, 65536) {
				n++
			}
		}
		return n
	}
	eventually(t, "the recordings do not grow", func() bool { return full() >= 3 })
	place := directoryOf(t, cmd.Process.Pid)
	if err := cmd.Process.Kill(); err != nil { // and not waited for yet: as long as it is a zombie its number is taken
		t.Fatal(err)
	}
	touch(t, enough)
	eventually(t, "the program did not go on without its recorder", func() bool { return read(done) != "" })
	if text := read(done); text != "12" {
		t.Errorf("the children's exit codes add up to %s, want 12", text)
	}
	_ = cmd.Wait()
	if n := full(); n < 3 {
		t.Errorf("%d recordings can be read, want 3", n)
	}
	// the program tidies up as it ends, after its last word
	eventually(t, place+" is left behind", func() bool { return !exists(place) })
}

// eventually asks again and again until something holds; what it waits for takes no time of its own but the machine's.
func eventually(t *testing.T, otherwise string, holds func() bool) {
	t.Helper()
	for begun := time.Now(); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Since(begun) > 2*time.Minute {
			t.Fatal(otherwise)
		}
	}
}

// touch makes an empty file, which a test's program waits for.
func touch(t *testing.T, path string) {
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Error(err)
	}
}

// read is the text of a file, "" while there is none.
func read(path string) string {
	text, _ := os.ReadFile(path)
	return string(text)
}

// directoryOf is the directory in memory that the recorder of this number made; other recorders may be at work beside
// it.
func directoryOf(t *testing.T, recorder int) string {
	t.Helper()
	found, err := filepath.Glob("/dev/shm/orrery-*/control")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range found {
		data, err := os.ReadFile(path)
		if err == nil && len(data) >= controlSize && binary.LittleEndian.Uint64(data[ctlRecorder:]) == uint64(recorder) {
			return filepath.Dir(path)
		}
	}
	t.Fatalf("no directory of recorder %d among %v", recorder, found)
	return ""
}

// TestFileLimit: a limit on the length of files, the recorder's as well as one that the program sets itself, ends or
// prevents a recording and never a program.
func TestFileLimit(t *testing.T) {
	program := compile(t, "limits.c", `
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile unsigned counter, state = 1, table[1 << 16];
static void work(int n) { for (int i = 0; i < n; i++) { state = state * 1664525u + 1013904223u; table[state >> 16] += state; } }
int main(int argc, char **argv)
{
    struct rlimit small = {1000, 1000};
    int status;
    if (argc > 2) work(1200000);
    setrlimit(RLIMIT_FSIZE, &small);
    if (fork() == 0) { work(1000); _exit(5); }
    wait(&status);
    FILE *f = fopen(argv[1], "w");
    if (f == NULL || fprintf(f, "%d", status) < 0 || fclose(f)) return 1;
    return 0;
}`)
	done := filepath.Join(t.TempDir(), "done")
	m := run(t, Options{Program: program, Args: []string{done}})
	if text, err := os.ReadFile(done); err != nil || string(text) != "1280" || m.ExitCode != 0 || !m.noted("could not "+
		"be recorded and ran without: file too large, which is what ulimit -f sets here; say ulimit -f unlimited") {
		t.Errorf("exit %d, the child's status %q (%v), notes %q", m.ExitCode, text, err, m.Notes)
	}
	done, out := filepath.Join(t.TempDir(), "done"), filepath.Join(t.TempDir(), "x.orr")
	cmd := exec.Command("sh", "-c", `ulimit -f 4200; exec "$0"`, os.Args[0]) // in units of 512 bytes: a ring fits in
	cmd.Env = append(os.Environ(), recordEnv+"="+strings.Join([]string{out, program, done, "long"}, "\n"))
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if text, err := os.ReadFile(done); err != nil || string(text) != "1280" {
		t.Errorf("the child's status %q (%v)", text, err)
	}
	if info, err := os.Stat(out); err != nil || info.Size() > 4200*512 || lengthOf(out) < 300_000 {
		t.Errorf("%d references in the file, %v", lengthOf(out), err)
	}
	if rec, err := store.Open(context.Background(), out, store.Options{}, nil); err != nil {
		t.Error(err)
	} else if l := rec.Loss(); len(l) == 0 || l[0].Kind != "unwritten-references" || l[0].Count < 500_000 ||
		!strings.Contains(l[0].Why, "file too large") {
		t.Errorf("lost %v, %d references", l, rec.Len())
	}
}

// TestClosedOutput: a program whose output nobody reads any more gets the signal that it gets without a recorder, and
// its recording is whole.
func TestClosedOutput(t *testing.T) {
	program := compile(t, "chatter.c", `
#include <stdio.h>
static volatile int counter;
int main(void)
{
    for (int i = 0; i < 100000; i++) {
        counter++;
        if (i == 1000) fclose(stdin);
        puts("a line that fills the pipe sooner or later");
    }
    return 0;
}`)
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	reader.Close()
	res, err := Run(context.Background(), Options{Program: program, Only: []string{"program"},
		Output: filepath.Join(t.TempDir(), "x.orr"), Stdout: writer}, nil)
	writer.Close()
	if err != nil || res.Signal != "SIGPIPE" || res.Refs == 0 || res.Incomplete {
		t.Errorf("%+v, %v", res, err)
	}
}

// TestKeyboard: a program that deals with the interrupt from the terminal itself is left to it; others go.
func TestKeyboard(t *testing.T) {
	program := compile(t, "keyboard.c", `
#include <signal.h>
#include <string.h>
#include <unistd.h>
static volatile sig_atomic_t asked;
static void on(int sig) { (void)sig; asked++; }
int main(int argc, char **argv)
{
    if (argc > 1) signal(SIGINT, on);
    if (argc > 2) signal(SIGINT, SIG_DFL);
    if (write(1, "ready", 5) != 5) return 1;
    while (!asked) pause();
    sleep(1); /* longer than it takes to be asked to go */
    return 42;
}`)
	for _, test := range []struct {
		name string
		args []string
		code int
		left bool // to its own devices
	}{{"handles", []string{"x"}, 42, true}, {"ignorant", nil, 130, false}, {"no longer", []string{"x", "y"}, 130, false}} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			var said []string
			res, err := Run(ctx, Options{Program: program, Args: test.args, Output: filepath.Join(t.TempDir(), "x.orr"),
				Keyboard: true,
				Say:      func(s string) { said = append(said, s) },
				Stdout: writerFunc(func(p []byte) (int, error) {
					interruptChild(t, program, len(test.args))
					cancel()
					return len(p), nil
				})}, nil)
			// one that goes may be gone before the recorder has heard of the interrupt
			if err != nil || res.ExitCode != test.code || res.Interrupted && test.left || (len(said) > 0) != test.left {
				t.Errorf("%+v, %v, said %q", res, err, said)
			}
		})
	}
}

// interruptChild sends SIGINT, as a terminal would, to the recorded program with so many arguments.
func interruptChild(t *testing.T, program string, args int) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Error(err)
	}
	for _, path := range all {
		text, err := os.ReadFile(path)
		_, after, found := strings.Cut(string(text), "\x00"+program+"\x00")
		if err != nil || !strings.Contains(string(text), "plugin.so,dir=") || !found {
			continue
		}
		if _, rest, again := strings.Cut(after, program+"\x00"); again {
			after = rest
		}
		if strings.Count(after, "\x00") == args {
			pid, _ := strconv.Atoi(strings.Split(path, "/")[2])
			_ = syscall.Kill(pid, syscall.SIGINT)
		}
	}
}

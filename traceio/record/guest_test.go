package record

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"orrery/traceio"
	"orrery/traceio/orr"
)

// TestUntouched: what the program reads, writes and returns is what it is without the recorder.
func TestUntouched(t *testing.T) {
	program := compile(t, "echo.c", `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    char line[100];
    for (int i = 3; i < 1024; i++)
        close(i);
    for (int i = 1; i < argc; i++)
        printf("[%s]", argv[i]);
    while (fgets(line, sizeof line, stdin))
        printf("read %s", line);
    fprintf(stderr, "to stderr, preload %s\n", getenv("LD_PRELOAD") ? getenv("LD_PRELOAD") : "none");
    char *name = strdup(getenv("GREETING"));
    printf("%s %s\n", name, argv[0] + strlen(argv[0]) - 4);
    return 41;
}`)
	opt := Options{Program: program, Args: []string{"a b", "c,d", "", "-x", "--"}, Env: []string{"GREETING=hello, you"}}
	native := exec.Command(program, opt.Args...)
	native.Stdin, native.Env = strings.NewReader("one\ntwo\n"), opt.Env
	var stderr bytes.Buffer
	native.Stderr = &stderr
	want, err := native.Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		t.Fatal(err)
	}
	opt.Stdin = strings.NewReader("one\ntwo\n")
	m := run(t, opt)
	if m.stdout != string(want) || m.stderr != stderr.String() || m.ExitCode != exit.ExitCode() {
		t.Errorf("got %q, %q, %d; want %q, %q, %d", m.stdout, m.stderr, m.ExitCode, want, stderr.String(), exit.ExitCode())
	}
	if m.Refs < 10000 || len(m.Notes) > 0 {
		t.Errorf("%d references, notes %q", m.Refs, m.Notes)
	}
	if left, err := filepath.Glob("/dev/shm/orrery-ring-*"); err != nil || len(left) > 0 {
		t.Logf("rings in use or left: %v", left)
	}
}

// TestAllocations: the allocator's events come in order, of the right size, with the calling function.
func TestAllocations(t *testing.T) {
	program := compile(t, "allocs.c", `
#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <stdio.h>
#include "doorbell.h"
static void *p[20];
static void make(void)
{
    p[0] = malloc(100);
    p[1] = calloc(7, 11);
    p[2] = aligned_alloc(64, 256);
    if (posix_memalign(&p[3], 4096, 33)) abort();
    p[4] = memalign(32, 44);
    p[5] = valloc(55);
    p[6] = reallocarray(NULL, 3, 22);
    p[7] = malloc(3000000);
}
static void change(void)
{
    p[0] = realloc(p[0], 5000);
    p[1] = realloc(p[1], 60);
    if (realloc(p[2], PTRDIFF_MAX) != NULL) abort(); /* fails: the block lives */
    free(NULL);
    if (realloc(p[4], 0) != NULL) abort();
}
static void drop(void)
{
    free(p[0]); free(p[1]); free(p[2]); free(p[3]); free(p[5]); free(p[6]); free(p[7]);
}
int main(void)
{
    orrery_mark("begin");
    make();
    orrery_mark("change");
    change();
    drop();
    orrery_mark("end");
    for (int i = 0; i < 8; i++)
        printf("%zu ", p[i] && i < 0 ? malloc_usable_size(p[i]) : (size_t)0);
    return 0;
}`, "-Wno-alloc-size-larger-than", "-Wno-use-after-free", "-Wno-unused-result")
	m := run(t, Options{Program: program})
	marks := map[string]traceio.Seq{}
	for _, k := range m.rec.Marks() {
		if k.Kind == traceio.UserMark {
			marks[k.Text] = k.Seq
		}
	}
	if len(marks) != 3 {
		t.Fatalf("marks %v", marks)
	}
	live := map[traceio.Addr]traceio.Alloc{}
	var got []string
	for _, a := range m.rec.Allocs() {
		if a.Seq < marks["begin"] || a.Seq > marks["end"] {
			continue
		}
		stack := m.rec.Program().Stacks[a.Stack]
		from := "?"
		if len(stack) > 0 {
			from = m.function(stack[0] - 1)
		}
		if a.Op == traceio.Free {
			if _, ok := live[a.Addr]; !ok {
				t.Errorf("free of %v, which does not live", a.Addr)
			}
			got = append(got, fmt.Sprintf("%s -%d", from, live[a.Addr].Size))
			delete(live, a.Addr)
			continue
		}
		if a.Usable < a.Size || a.Usable > a.Size+4096+64 {
			t.Errorf("a block of %d has %d usable", a.Size, a.Usable)
		}
		live[a.Addr] = a
		got = append(got, fmt.Sprintf("%s +%d", from, a.Size))
	}
	want := "make +100, make +77, make +256, make +33, make +44, make +55, make +66, make +3000000, " +
		"change -100, change +5000, change -77, change +60, change -44, " +
		"drop -5000, drop -60, drop -256, drop -33, drop -55, drop -66, drop -3000000"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
	for i, a := range m.rec.Allocs() {
		if a.Size == 5000 && m.rec.Allocs()[i-1].Seq != a.Seq {
			t.Errorf("the two halves of realloc stand at %d and %d", m.rec.Allocs()[i-1].Seq, a.Seq)
		}
	}
}

// TestStacks: the callers of an allocation are all there and in order, without frame pointers, through the C library, after
// a longjmp, in a thread.
func TestStacks(t *testing.T) {
	program := compile(t, "stacks.c", `
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#define KEEP __attribute__((noinline, noclone))
static jmp_buf out;
static void *volatile keep;
KEEP static void leap(int n) { if (n > 0) leap(n - 1); longjmp(out, 1); }
KEEP static void *deep(int n) { void *p = n > 0 ? deep(n - 1) : strdup("ten chars!"); keep = p; return p; }
KEEP static int first(void) { if (!setjmp(out)) leap(5); keep = deep(2); keep = malloc(1001); return 1; }
static int compare(const void *a, const void *b) { keep = malloc(1002); return 0; }
KEEP static int second(void) { int two[2] = {2, 1}; qsort(two, 2, sizeof *two, compare); return two[0]; }
static void *thread(void *arg) { keep = malloc(1003); keep = malloc(1004); return arg; }
int main(void)
{
    pthread_t t;
    int n = first() + second();
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return n == 3 ? 0 : 1;
}`, "-O2", "-fomit-frame-pointer")
	m := run(t, Options{Program: program, Only: []string{"program"}})
	if m.ExitCode != 0 {
		t.Fatalf("exit code %d", m.ExitCode)
	}
	want := map[uint64]string{11: "strdup deep deep deep first main", 1001: "first main", 1002: "compare qsort_r second main",
		1003: "thread", 1004: "thread"}
	for _, a := range m.rec.Allocs() {
		path, ok := want[a.Size]
		if !ok || a.Op != traceio.Malloc {
			continue
		}
		var got []string
		for _, ret := range m.rec.Program().Stacks[a.Stack] {
			if name := strings.Trim(m.function(ret-1), "_"); !strings.HasPrefix(name, "libc_start") && name != "start" && name != "" {
				got = append(got, name)
			}
		}
		if s := strings.Join(got, " "); !strings.HasPrefix(s, path) {
			t.Errorf("the block of %d comes from %q, want %q", a.Size, s, path)
		}
		delete(want, a.Size)
	}
	if len(want) > 0 {
		t.Errorf("not seen: %v", want)
	}
}

// TestNew: in C++ a block belongs to the function that says new, exceptions or not.
func TestNew(t *testing.T) {
	program := compile(t, "made.cpp", `
#include <new>
#include <vector>
struct big { long a[12]; };
static big *maker() { return new big; }
int main()
{
    big *b = maker();
    int failed = 0;
    for (int i = 0; i < 3; i++)
        try { operator delete(operator new(~0ul >> 2)); } catch (std::bad_alloc &) { failed++; }
    char *c = new (std::nothrow) char[777];
    std::vector<int> v(1000);
    delete b;
    delete[] c;
    return failed == 3 && v.size() == 1000 ? 0 : 1;
}`)
	m := run(t, Options{Program: program})
	if m.ExitCode != 0 {
		t.Fatalf("exit code %d", m.ExitCode)
	}
	want := map[uint64]string{96: "maker()", 777: "main"}
	for _, a := range m.rec.Allocs() {
		if name, ok := want[a.Size]; ok && a.Op == traceio.Malloc {
			got := "operator new"
			for _, ret := range m.rec.Program().Stacks[a.Stack] {
				if got = m.function(ret - 1); !strings.HasPrefix(got, "operator new") {
					break
				}
			}
			if got != name {
				t.Errorf("the block of %d belongs to %q, want %q", a.Size, got, name)
			}
			delete(want, a.Size)
		}
		if a.Size == 4000 {
			names := ""
			for _, ret := range m.rec.Program().Stacks[a.Stack] {
				names += m.function(ret-1) + "; "
			}
			if !strings.Contains(names, "main; ") {
				t.Errorf("the vector's block comes from %s", names)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("not seen: %v", want)
	}
}

// TestThreads: every thread's references are there, and their order is one that really happened: under a lock, the load
// and the store of a counter belong to one thread.
func TestThreads(t *testing.T) {
	const threads, rounds = 4, 5000
	program := compile(t, "threads.c", fmt.Sprintf(`
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static long counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long own[4][64];
static void *work(void *arg)
{
    long *mine = arg;
    for (int i = 0; i < %d; i++) {
        *mine += i;
        pthread_mutex_lock(&lock);
        counter++;
        pthread_mutex_unlock(&lock);
        if (i %% 100 == 0) free(malloc(100 + i));
    }
    return NULL;
}
int main(void)
{
    pthread_t t[%d];
    for (int i = 0; i < %[2]d; i++) pthread_create(&t[i], NULL, work, own[i]);
    for (int i = 0; i < %[2]d; i++) pthread_join(t[i], NULL);
    printf("%%ld", counter);
    return 0;
}`, rounds, threads))
	m := run(t, Options{Program: program})
	if m.stdout != fmt.Sprint(threads*rounds) {
		t.Fatalf("the program counted %s", m.stdout)
	}
	counter, own := m.global(t, "counter"), m.global(t, "own")
	var holder traceio.Thread
	var loaded bool
	pairs := 0
	perThread := map[traceio.Thread]int{}
	m.each(t, func(a traceio.Access) {
		if a.Addr == counter.Addr && m.Refs > 0 {
			switch {
			case a.Kind == traceio.Load && !loaded:
				holder, loaded = a.Thread, true
			case a.Kind == traceio.Store && loaded && a.Thread == holder:
				pairs, loaded = pairs+1, false
			case pairs < threads*rounds: // the last load is printf's
				t.Fatalf("at %d thread %d makes a %v while %d holds the counter", a.Seq, a.Thread, a.Kind, holder)
			}
		}
		if a.Addr >= own.Addr && a.Addr < own.Addr+traceio.Addr(own.Size) {
			if want := traceio.Thread((a.Addr-own.Addr)/512) + 1; a.Thread != want {
				t.Fatalf("thread %d touches what belongs to %d", a.Thread, want)
			}
			perThread[a.Thread]++
		}
	})
	if pairs != threads*rounds {
		t.Errorf("%d increments, want %d", pairs, threads*rounds)
	}
	for thread := traceio.Thread(1); thread <= threads; thread++ {
		if perThread[thread] != 2*rounds {
			t.Errorf("thread %d made %d references to its own, want %d", thread, perThread[thread], 2*rounds)
		}
	}
	starts, ends := 0, 0
	for _, k := range m.rec.Marks() {
		switch k.Kind {
		case traceio.ThreadStart:
			starts++
		case traceio.ThreadEnd:
			ends++
		}
	}
	if starts != threads+1 || ends < threads {
		t.Errorf("%d threads began and %d ended", starts, ends)
	}
	blocks := map[traceio.Addr]bool{}
	for _, a := range m.rec.Allocs() {
		if a.Op == traceio.Malloc {
			if blocks[a.Addr] {
				t.Fatalf("%v is given out twice", a.Addr)
			}
			blocks[a.Addr] = true
		} else if delete(blocks, a.Addr); a.Op != traceio.Free {
			t.Fatalf("%v", a)
		}
	}
}

// TestChildren: children of every kind run as they should and leave nothing in the recording.
func TestChildren(t *testing.T) {
	program := compile(t, "children.c", `
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
static volatile int by_child, by_parent;
static void child(void) { for (int i = 0; i < 1000; i++) { by_child++; free(malloc(12345)); } }
static void parent(void) { for (int i = 0; i < 1000; i++) by_parent++; }
int main(void)
{
    int status;
    char line[100] = "";
    pid_t p = fork();
    if (p == 0) { child(); _exit(by_child == 1000 ? 3 : 4); }
    parent();
    waitpid(p, &status, 0);
    printf("fork %d\n", WEXITSTATUS(status));
    if ((p = vfork()) == 0) { execl("/bin/sh", "sh", "-c", "exit 5", (char *)0); _exit(9); }
    waitpid(p, &status, 0);
    printf("vfork %d\n", WEXITSTATUS(status));
    printf("system %d\n", WEXITSTATUS(system("exit 6")));
    char *argv[] = {"sh", "-c", "echo preload [$LD_PRELOAD]; exit 7", NULL};
    fflush(stdout);
    if (posix_spawn(&p, "/bin/sh", NULL, NULL, argv, environ)) return 1;
    waitpid(p, &status, 0);
    printf("spawn %d\n", WEXITSTATUS(status));
    FILE *f = popen("echo piped", "r");
    fgets(line, sizeof line, f);
    pclose(f);
    printf("popen %s", line);
    execl("/nowhere/at/all", "x", (char *)0);
    parent();
    return 8;
}`, "-Wno-unused-result")
	m := run(t, Options{Program: program})
	want := "fork 3\nvfork 5\nsystem 6\npreload []\nspawn 7\npopen piped\n"
	if m.stdout != want || m.ExitCode != 8 {
		t.Errorf("got %q and %d, want %q and 8\n%s", m.stdout, m.ExitCode, want, m.stderr)
	}
	count := map[traceio.Addr]int{}
	m.each(t, func(a traceio.Access) { count[a.Addr]++ })
	if n := count[m.global(t, "by_parent").Addr]; n != 4000 {
		t.Errorf("the parent's counter was touched %d times, want 4000", n)
	}
	if n := count[m.global(t, "by_child").Addr]; n != 0 {
		t.Errorf("the child's counter was touched %d times", n)
	}
	for _, a := range m.rec.Allocs() {
		if a.Size == 12345 {
			t.Fatal("a child's block is in the recording")
		}
	}
	if len(m.Notes) > 0 {
		t.Errorf("notes %q", m.Notes)
	}
}

// TestBecomes: a program that replaces itself is recorded up to there, and the new one runs undisturbed.
func TestBecomes(t *testing.T) {
	program := compile(t, "becomes.c", `
#include <unistd.h>
int main(void) { execl("/bin/sh", "sh", "-c", "echo [$LD_PRELOAD]; exit 9", (char *)0); return 1; }`)
	m := run(t, Options{Program: program})
	if m.ExitCode != 9 || m.stdout != "[]\n" || !m.noted("became /bin/sh") || m.Refs < 1000 {
		t.Errorf("exit %d, %q, notes %q, %d references", m.ExitCode, m.stdout, m.Notes, m.Refs)
	}
	marks := m.rec.Marks()
	if last := marks[len(marks)-1]; last.Kind != traceio.Gap || !strings.Contains(last.Text, "/bin/sh") {
		t.Errorf("the last mark is %+v", last)
	}
}

// TestDies: everything up to a sudden death is in the recording, to the last reference.
func TestDies(t *testing.T) {
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
	for _, args := range [][]string{nil, {"stubborn"}} {
		ctx, cancel := context.WithTimeout(context.Background(), 700*time.Millisecond)
		m := runContext(t, ctx, Options{Program: program, Args: args})
		cancel()
		if !m.Interrupted || m.Refs < 1000 || m.Signal == "" || m.Elapsed > 8*time.Second {
			t.Errorf("%q: %+v", args, m.Result)
		}
	}
}

// failing is a file on a disk that is full after some bytes.
type failing struct {
	*os.File
	room int
}

func (f *failing) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errors.New("no space left on device")
	}
	return f.File.Write(p)
}

// writerFunc is a function that is written to.
type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// TestSignals: a signal for the program that reaches the recorder reaches the program.
func TestSignals(t *testing.T) {
	program := compile(t, "signals.c", `
#include <signal.h>
#include <unistd.h>
static void on(int sig) { _exit(sig); }
int main(void)
{
    signal(SIGUSR1, on);
    if (write(1, "ready", 5) != 5) return 1;
    for (;;) pause();
}`)
	guard := make(chan os.Signal, 1)
	signal.Notify(guard, syscall.SIGUSR1)
	defer signal.Stop(guard)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	res, err := Run(ctx, Options{Program: program, Output: filepath.Join(t.TempDir(), "x.orr"),
		Stdout: writerFunc(func(p []byte) (int, error) { return len(p), syscall.Kill(os.Getpid(), syscall.SIGUSR1) })}, nil)
	if err != nil || res.ExitCode != int(syscall.SIGUSR1) {
		t.Errorf("%+v, %v", res, err)
	}
}

// TestRecorderKilled: when the recorder is killed, the program runs to its end and the file opens with what was written.
func TestRecorderKilled(t *testing.T) {
	program := compile(t, "orphan.c", `
#include <stdio.h>
static volatile int counter;
int main(int argc, char **argv)
{
    for (int i = 0; i < 30000000; i++)
        counter++;
    FILE *f = fopen(argv[1], "w");
    if (f == NULL || fprintf(f, "%d", counter) < 0 || fclose(f)) return 1;
    return 0;
}`)
	dir := t.TempDir()
	done, out := filepath.Join(dir, "done"), filepath.Join(dir, "x.orr")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), recordEnv+"="+strings.Join([]string{out, program, done}, "\n"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if info, err := os.Stat(out); err == nil && info.Size() > 20000 {
			break
		}
		if time.Since(begun) > 30*time.Second {
			t.Fatal("the recording does not grow")
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if exists(done) {
		t.Fatal("the program was over before the recorder was killed; the test needs a longer one")
	}
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if text, err := os.ReadFile(done); err == nil && string(text) == "30000000" {
			break
		}
		if time.Since(begun) > 60*time.Second {
			t.Fatal("the program did not go on without its recorder")
		}
	}
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
type slow struct{ *os.File }

func (s slow) Write(p []byte) (int, error) {
	time.Sleep(10 * time.Millisecond)
	return s.File.Write(p)
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
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	s := &session{opt: Options{Program: program}, path: program, tools: tools,
		sel: &selection{patterns: []pattern{{text: "main"}}}, file: slow{file}}
	if err := s.record(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	// at -O0 a round loads and stores the counter, loads and stores i, and loads i again to compare
	if refs := s.res.Refs; refs < 5*rounds || refs > 5*rounds+20 || s.res.Incomplete {
		t.Errorf("%d references, want %d and a few", refs, 5*rounds)
	}
}

// TestFullDisk: a full disk ends the recording, not the program, and keeps what was written.
func TestFullDisk(t *testing.T) {
	program := compile(t, "busy.c", busy, "-O2")
	tools, cleanup, err := prepare(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer cleanup()
	path := filepath.Join(t.TempDir(), "full.orr")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	var stdout bytes.Buffer
	s := &session{opt: Options{Program: program, Args: []string{"2"}, Stdout: &stdout}, path: program, tools: tools,
		sel: &selection{}, file: &failing{file, 60000}}
	if err := s.record(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	if !s.res.Incomplete || s.res.ExitCode != 0 || stdout.Len() == 0 || !strings.Contains(fmt.Sprint(s.res.Notes), "no space left") {
		t.Errorf("%+v, output %q", s.res, stdout.String())
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := orr.Open(bytes.NewReader(data), int64(len(data)), path)
	if err != nil || f.Len() < 65536 {
		t.Errorf("the file opens with %v", err)
	}
}

// TestChoice: --only and --from select what they say.
func TestChoice(t *testing.T) {
	program := compile(t, "choice.c", `
#include <stdio.h>
#include <stdlib.h>
static volatile int a, b, c;
static inline __attribute__((always_inline)) void inlined(void) { c++; }
static void inner(void) { a++; }
static void outer(int n) { for (int i = 0; i < n; i++) { inner(); b++; inlined(); } }
int main(void)
{
    b++;
    outer(10);
    outer(20);
    b++;
    printf("done\n");
    return 0;
}`)
	for _, test := range []struct {
		name    string
		only    []string
		from    string
		max     uint64
		a, b, c int // references expected to each
		note    string
	}{
		{"everything", nil, "", 0, 60, 64, 60, ""},
		{"program", []string{"program"}, "", 0, 60, 64, 60, ""},
		{"module", []string{"choice"}, "", 0, 60, 64, 60, ""},
		{"file", []string{"choice.c"}, "", 0, 60, 64, 60, ""},
		{"function", []string{"inner"}, "", 0, 60, 0, 0, ""},
		{"two", []string{"inner", "main"}, "", 0, 60, 4, 0, ""},
		{"inlined", []string{"inlined"}, "", 0, 0, 0, 60, ""},
		{"glob", []string{"*ner"}, "", 0, 60, 0, 0, ""},
		{"library", []string{"libc"}, "", 0, 0, 0, 0, ""},
		{"typing error", []string{"innner"}, "", 0, 0, 0, 0, `is called "innner"`},
		{"from", nil, "outer", 0, 20, 20, 20, ""},
		{"from and only", []string{"inner"}, "outer", 0, 20, 0, 0, ""},
		{"from main", []string{"program"}, "main", 0, 60, 64, 60, ""},
		{"from never", nil, "nothing", 0, 0, 0, 0, "never called"},
		{"limit", []string{"inner"}, "", 7, 3, 0, 0, "stopped after 7 references"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := run(t, Options{Program: program, Only: test.only, From: test.from, MaxRefs: test.max})
			if m.stdout != "done\n" {
				t.Errorf("the program wrote %q", m.stdout)
			}
			low := map[traceio.Addr]int{}
			m.each(t, func(a traceio.Access) { low[a.Addr]++ })
			count := func(name string) int {
				if m.Refs == 0 || test.name == "library" {
					return 0
				}
				return low[m.global(t, name).Addr]
			}
			if a, b, c := count("a"), count("b"), count("c"); a != test.a || b != test.b || c != test.c {
				t.Errorf("a %d, b %d, c %d; want %d, %d, %d", a, b, c, test.a, test.b, test.c)
			}
			if (test.note == "") != (len(m.Notes) == 0) || !m.noted(test.note) {
				t.Errorf("notes %q, want %q", m.Notes, test.note)
			}
			if test.max > 0 && m.Refs != test.max {
				t.Errorf("%d references", m.Refs)
			}
		})
	}
}

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
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"orrery/traceio"
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
	opt := Options{Program: program, Args: []string{"a b", "c,d", "", "-x", "--"}, Env: []string{"GREETING=hello, you",
		"LD_LIBRARY_PATH=" + os.Getenv("LD_LIBRARY_PATH")}}
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
}

// TestThreads: every thread's references are there, and their order is one that really happened: under a lock, the load
// and the store of a counter belong to one thread.
func TestThreads(t *testing.T) {
	t.Parallel()
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
	m := run(t, Options{Program: program, Only: []string{"program"}})
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

// TestChildren: children of every kind run as they should and leave nothing in the recording of their parent, whether
// they are recorded or not.
func TestChildren(t *testing.T) {
	t.Parallel()
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
	for _, alone := range []bool{false, true} {
		t.Run(fmt.Sprint("alone=", alone), func(t *testing.T) {
			checkChildren(t, Options{Program: program, Only: []string{"program"}, Alone: alone})
		})
	}
}

func checkChildren(t *testing.T, opt Options) {
	m := run(t, opt)
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
	if (len(m.Others) == 0) != opt.Alone {
		t.Errorf("other recordings %+v", m.Others)
	}
	if opt.Alone {
		return
	}
	first := m.other(t, 0)
	if first.Program != opt.Program || first.Parent != m.Path {
		t.Errorf("the first child is %+v", first.Image)
	}
	count = map[traceio.Addr]int{}
	first.each(t, func(a traceio.Access) { count[a.Addr]++ })
	if n := count[first.global(t, "by_child").Addr]; n != 2001 {
		t.Errorf("the child's counter was touched %d times, want 2001", n)
	}
	blocks := 0
	for _, a := range first.rec.Allocs() {
		if a.Size == 12345 {
			blocks++
		}
	}
	if blocks != 1000 {
		t.Errorf("the child made %d blocks, want 1000", blocks)
	}
	shells := 0
	for _, i := range m.Others {
		if i.Parent == "" && strings.HasSuffix(i.Program, "sh") {
			shells++
		}
	}
	if shells != 4 { // after vfork, by system, posix_spawn and popen
		t.Errorf("%d shells were recorded, want 4: %+v", shells, m.Others)
	}
}

// TestBecomes: a program that replaces itself is recorded up to there, the new one goes on in a file of its own or runs
// undisturbed.
func TestBecomes(t *testing.T) {
	t.Parallel()
	program := compile(t, "becomes.c", `
#include <unistd.h>
int main(void) { execl("/bin/sh", "sh", "-c", "echo [$LD_PRELOAD]; exit 9", (char *)0); return 1; }`)
	m := run(t, Options{Program: program, Alone: true})
	if m.ExitCode != 9 || m.stdout != "[]\n" || !m.noted("became /bin/sh") || m.Refs < 1000 || len(m.Others) > 0 {
		t.Errorf("exit %d, %q, notes %q, %d references", m.ExitCode, m.stdout, m.Notes, m.Refs)
	}
	marks := m.rec.Marks()
	if last := marks[len(marks)-1]; last.Kind != traceio.Gap || !strings.Contains(last.Text, "/bin/sh") {
		t.Errorf("the last mark is %+v", last)
	}
	m = run(t, Options{Program: program, Output: filepath.Join(t.TempDir(), "new.orr")})
	if m.ExitCode != 9 || m.stdout != "[]\n" || len(m.Notes) > 0 || len(m.Others) != 1 {
		t.Fatalf("exit %d, %q, notes %q, others %+v", m.ExitCode, m.stdout, m.Notes, m.Others)
	}
	shell := m.other(t, 0)
	if filepath.Base(shell.Path) != "new.2.orr" || shell.PID != m.PID || shell.Refs < 10000 ||
		shell.Program != "sh" || shell.Allocs == 0 {
		t.Errorf("the shell is %+v", shell.Image)
	}
	if command := shell.rec.Program().Command; !slices.Equal(command, []string{"sh", "-c", "echo [$LD_PRELOAD]; exit 9"}) {
		t.Errorf("its command is %q", command)
	}
	marks = m.rec.Marks()
	if last := marks[len(marks)-1]; last.Kind != traceio.Gap ||
		!strings.Contains(last.Text, "is recorded in "+shell.Path) {
		t.Errorf("the last mark is %+v", last)
	}
}

// TestBecomesWithTexts: the texts that a new program is given reach it whole, long ones, one that ends where memory
// does, and those for the dynamic linker.
func TestBecomesWithTexts(t *testing.T) {
	t.Parallel()
	program := compile(t, "texts.c", `
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void)
{
    char *room = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *path = room + 4096 - 8, *edge = room + 4096 - 16;
    static char text[100000] = "long=";
    char *argv[] = {"sh", "-c", "echo ${#long} $LD_BIND_NOW $edge", NULL}, *env[] = {text, "LD_BIND_NOW=1", edge, NULL};
    munmap(room + 4096, 4096);
    memset(text + 5, 'x', sizeof text - 6);
    memcpy(path, "/bin/sh", 8);
    memcpy(edge, "edge=ab", 8);
    execve(path, argv, env);
    return 1;
}`)
	m := run(t, Options{Program: program})
	if m.ExitCode != 0 || m.stdout != "99994 1 ab\n" || len(m.Others) != 1 {
		t.Errorf("exit %d, %q, others %+v, notes %q", m.ExitCode, m.stdout, m.Others, m.Notes)
	}
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
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	res, err := Run(ctx, Options{Program: program, Output: filepath.Join(t.TempDir(), "x.orr"),
		Stdout: writerFunc(func(p []byte) (int, error) { return len(p), syscall.Kill(os.Getpid(), syscall.SIGUSR1) })}, nil)
	if err != nil || res.ExitCode != int(syscall.SIGUSR1) {
		t.Errorf("%+v, %v", res, err)
	}
}

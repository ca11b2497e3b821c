package hooks_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orrery/traceio"
	"orrery/traceio/record"
	"orrery/traceio/store"
)

// build compiles one source, with hooks unless plain.
func build(t testing.TB, plain bool, name, source string, words ...string) string {
	t.Helper()
	compilers(t)
	dir := t.TempDir()
	write(t, dir, map[string]string{name: source})
	if !plain {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		words = append([]string{self, "cc"}, words...)
	} else {
		words = words[slices.Index(words, "--")+1:]
	}
	recorder, err := filepath.Abs("../../../assets/recorder")
	if err != nil {
		t.Fatal(err)
	}
	words = append(words, "-g", "-pthread", "-I", recorder, "-o", "program", name)
	if out, err, status := do(dir, words...); status != 0 {
		t.Fatalf("%q: %s%s", words, out, err)
	}
	return filepath.Join(dir, "program")
}

// made is a finished recording with what the program wrote.
type made struct {
	record.Result
	rec    *store.Recording
	stdout string
}

func run(t testing.TB, opt record.Options) made {
	t.Helper()
	m := runContext(context.Background(), t, opt)
	if loss := m.rec.Loss(); len(loss) > 0 {
		t.Errorf("the file lost %v", loss)
	}
	return m
}

// runContext is run for programs that may lose something.
func runContext(ctx context.Context, t testing.TB, opt record.Options) made {
	t.Helper()
	var stdout, stderr bytes.Buffer
	opt.Stdin, opt.Stdout, opt.Stderr = strings.NewReader(""), &stdout, &stderr
	if opt.Output == "" {
		opt.Output = filepath.Join(t.TempDir(), "run.orr")
	}
	res, err := record.Run(ctx, opt, nil)
	if err != nil {
		t.Fatalf("Run: %v\n%s", err, stderr.String())
	}
	return made{res, opened(t, res.Path), stdout.String()}
}

func open(t testing.TB, path string) *store.Recording {
	t.Helper()
	rec := opened(t, path)
	if loss := rec.Loss(); len(loss) > 0 {
		t.Errorf("the file lost %v", loss)
	}
	return rec
}

// opened is open for recordings that may have lost something.
func opened(t testing.TB, path string) *store.Recording {
	t.Helper()
	rec, err := store.Open(context.Background(), path, store.Options{}, nil)
	if err != nil {
		t.Fatalf("opening the recording: %v", err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

func each(t testing.TB, rec *store.Recording, f func(traceio.Access)) {
	t.Helper()
	for i := range rec.Blocks() {
		b, err := rec.Block(i)
		if err != nil {
			t.Fatal(err)
		}
		for row := range b.Addr {
			f(traceio.Access{Seq: b.First + traceio.Seq(row), Addr: b.Addr[row], PC: b.PC[row], Size: b.Size[row],
				Kind: b.Kind[row], Thread: b.Thread[row]})
		}
	}
}

func global(t testing.TB, rec *store.Recording, name string) traceio.Global {
	t.Helper()
	for _, g := range rec.Program().Globals {
		if g.Name == name {
			return g
		}
	}
	t.Fatalf("the recording knows no variable %s", name)
	return traceio.Global{}
}

// touched counts the references to a variable.
func touched(t testing.TB, rec *store.Recording, name string) (n int) {
	g := global(t, rec, name)
	each(t, rec, func(a traceio.Access) {
		if a.Addr >= g.Addr && a.Addr < g.Addr+traceio.Addr(g.Size) {
			n++
		}
	})
	return n
}

const threads = `
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static long counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile long own[4][64];
static void *work(void *arg)
{
    volatile long *mine = arg;
    for (int i = 0; i < 20000; i++) {
        *mine += i;
        pthread_mutex_lock(&lock);
        counter++;
        pthread_mutex_unlock(&lock);
        if (i % 100 == 0) free(malloc(100 + i));
    }
    return NULL;
}
int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, work, (void *)own[i]);
    for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
    printf("%ld", counter);
    return 0;
}
`

// TestThreads: every thread's references are there under its number, and in an order that really happened: under a
// lock, the load and the store of a counter belong to one thread.
func TestThreads(t *testing.T) {
	m := run(t, record.Options{Program: build(t, false, "threads.c", threads, "--", "gcc", "-O0")})
	if m.stdout != "80000" {
		t.Fatalf("the program counted %s", m.stdout)
	}
	counter, own := global(t, m.rec, "counter"), global(t, m.rec, "own")
	var holder traceio.Thread
	var loaded bool
	pairs, perThread := 0, map[traceio.Thread]int{}
	each(t, m.rec, func(a traceio.Access) {
		if a.Addr == counter.Addr {
			switch {
			case a.Kind == traceio.Load && !loaded:
				holder, loaded = a.Thread, true
			case a.Kind == traceio.Store && loaded && a.Thread == holder:
				pairs, loaded = pairs+1, false
			default:
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
	if pairs != 80000 || !maps.Equal(perThread, map[traceio.Thread]int{1: 40000, 2: 40000, 3: 40000, 4: 40000}) {
		t.Errorf("%d increments, %v references to the threads' own", pairs, perThread)
	}
	live, marks := map[traceio.Addr]bool{}, map[traceio.MarkKind]int{}
	for _, a := range m.rec.Allocs() {
		if a.Op == traceio.Malloc && live[a.Addr] || a.Op == traceio.Free && !live[a.Addr] {
			t.Fatalf("%v is given out or back twice", a.Addr)
		}
		live[a.Addr] = a.Op == traceio.Malloc
	}
	for _, k := range m.rec.Marks() {
		marks[k.Kind]++
	}
	if marks[traceio.ThreadStart] != 5 || marks[traceio.ThreadEnd] < 4 {
		t.Errorf("marks %v", marks)
	}
}

// TestProcesses: what the program forks and becomes is recorded in files of its own, and children of every kind run as
// they should.
func TestProcesses(t *testing.T) {
	const source = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int by_child, by_parent, by_next;
static void *volatile kept;
int main(int argc, char **argv)
{
    int status;
    if (argc > 1) { for (int i = 0; i < 700; i++) by_next++; return 7; }
    pid_t p = fork();
    if (p == 0) { for (int i = 0; i < 900; i++) { by_child++; kept = malloc(12345); free(kept); } _exit(3); }
    for (int i = 0; i < 800; i++) by_parent++;
    waitpid(p, &status, 0);
    printf("fork %d\n", WEXITSTATUS(status));
    if ((p = vfork()) == 0) { execl("/bin/sh", "sh", "-c", "exit 5", (char *)0); _exit(9); }
    waitpid(p, &status, 0);
    printf("vfork %d\n", WEXITSTATUS(status));
    printf("system %d\n", WEXITSTATUS(system("exit 6")));
    fflush(stdout);
    if (fork() == 0) { execlp(argv[0], argv[0], "next", (char *)0); _exit(9); }
    wait(&status);
    printf("exec %d\n", WEXITSTATUS(status));
    execl("/nowhere/at/all", "x", (char *)0);
    return 8;
}
`
	m := run(t, record.Options{Program: build(t, false, "processes.c", source, "--", "gcc", "-O1")})
	if m.stdout != "fork 3\nvfork 5\nsystem 6\nexec 7\n" || m.ExitCode != 8 || len(m.Notes) > 0 {
		t.Errorf("got %q, %d, notes %q", m.stdout, m.ExitCode, m.Notes)
	}
	total := map[string]int{"by_parent": touched(t, m.rec, "by_parent"), "by_child": -touched(t, m.rec, "by_child")}
	blocks := 0
	for _, other := range m.Others {
		rec := open(t, other.Path)
		total["by_child"] += touched(t, rec, "by_child")
		total["by_next"] += touched(t, rec, "by_next")
		for _, a := range rec.Allocs() {
			if a.Size == 12345 {
				blocks++
			}
		}
	}
	if want := map[string]int{"by_parent": 1600, "by_child": 1800, "by_next": 1400}; !maps.Equal(total, want) ||
		blocks != 900 {
		t.Errorf("references %v and %d blocks in %d files, want %v and 900", total, blocks, 1+len(m.Others), want)
	}
}

// TestLoadedLater: a library with hooks that the program loads while it runs is recorded, and named.
func TestLoadedLater(t *testing.T) {
	const source = `
#ifdef LIBRARY
static volatile int counter;
int bump(void) { for (int i = 0; i < 50; i++) counter++; return counter; }
#else
#include <dlfcn.h>
int main(int argc, char **argv)
{
    void *library = dlopen(argv[argc - 1], RTLD_NOW);
    int (*bump)(void) = library ? (int (*)(void))dlsym(library, "bump") : 0;
    return bump ? bump() : 1;
}
#endif
`
	for _, compiler := range compilers(t) {
		library := build(t, false, "later.c", source, "--", compiler, "-O1", "-DLIBRARY", "-shared", "-fPIC")
		m := run(t, record.Options{Program: build(t, false, "later.c", source, "--", compiler, "-O1"),
			Args: []string{library}})
		if n := touched(t, m.rec, "counter"); n != 101 || m.ExitCode != 50 {
			t.Errorf("%s: %d references to the library's counter, want 101; exit status %d", compiler, n, m.ExitCode)
		}
	}
}

// TestDies: everything up to a sudden death is in the recording, to the last reference.
func TestDies(t *testing.T) {
	program := build(t, false, "dies.c", `
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
static volatile int counter, handled;
static void on(int sig) { for (int i = 0; i < 10; i++) handled += sig > 0; }
int main(int argc, char **argv)
{
    signal(SIGALRM, on);
    for (int i = 0; i < 100003; i++) {
        counter++;
        if (i % 1000 == 0) raise(SIGALRM);
    }
    if (argv[1][0] == 'k') kill(getpid(), SIGKILL);
    if (argv[1][0] == 'a') abort();
    if (argv[1][0] == 's') *(volatile int *)8 = 1;
    _exit(argc - 2);
}`, "--", "gcc", "-O2")
	for how, signal := range map[string]string{"kill": "SIGKILL", "abort": "SIGABRT", "segv": "SIGSEGV", "exit": ""} {
		m := run(t, record.Options{Program: program, Args: []string{how}})
		if n, h := touched(t, m.rec, "counter"), touched(t, m.rec, "handled"); m.Signal != signal ||
			n != 2*100003 || h != 2*1010 {
			t.Errorf("%s: signal %q, %d references to the counter, %d by the handler", how, m.Signal, n, h)
		}
	}
}

// TestChoice: --only, --from, --max-refs and --keep-last choose as they do under the emulator.
func TestChoice(t *testing.T) {
	program := build(t, false, "choice.c", `
static volatile int a, b, c;
__attribute__((noinline)) void inner(void) { for (int i = 0; i < 100; i++) b++; }
__attribute__((noinline)) void outer(void) { for (int i = 0; i < 10; i++) { inner(); a++; } }
int main(void) { for (int i = 0; i < 1000; i++) c++; inner(); outer(); c++; outer(); return 0; }
`, "--", "gcc", "-O1")
	for name, row := range map[string]struct {
		opt  record.Options
		want [4]int
	}{
		"all":  {record.Options{}, [4]int{40, 4200, 2002, 6242}},
		"only": {record.Options{Only: []string{"inner"}}, [4]int{0, 4200, 0, 4200}},
		"from": {record.Options{From: "outer"}, [4]int{20, 2000, 0, 2020}},
		"max":  {record.Options{MaxRefs: 2100}, [4]int{0, 100, 2000, 2100}},
		"last": {record.Options{KeepLast: 1000}, [4]int{10, 990, 0, 1000}},
	} {
		row.opt.Program = program
		m := run(t, row.opt)
		got := [4]int{touched(t, m.rec, "a"), touched(t, m.rec, "b"), touched(t, m.rec, "c"), int(m.Refs)}
		if got != row.want || len(m.Notes) > 0 && name != "max" {
			t.Errorf("%s: got %d, want %d; notes %q", name, got, row.want, m.Notes)
		}
	}
}

// TestStacks: allocations know the calls that they were made in, through C++'s new, after an exception and after a
// longjmp; and blocks made, resized and given back in every way are those that the program has.
func TestStacks(t *testing.T) {
	const source = `
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <malloc.h>
#include <new>
#include <stdexcept>
#include <vector>
static jmp_buf back;
static void *kept[20];
__attribute__((noinline)) static void throws(int n) { if (n == 0) throw std::runtime_error("deep"); throws(n - 1); kept[0] = 0; }
__attribute__((noinline)) static void jumps(int n) { if (n == 0) longjmp(back, 1); jumps(n - 1); kept[0] = 0; }
__attribute__((noinline)) static void *inner(size_t n)
{
    return malloc(n); // inner
}
__attribute__((noinline)) static void *outer(size_t n)
{
    void *p = inner(n); // outer
    kept[1] = p;
    return p;
}
int main()
{
    kept[2] = outer(1001); // main 1
    try { throws(5); } catch (std::exception &) {}
    kept[3] = outer(1002); // main 2
    if (setjmp(back) == 0) jumps(5);
    kept[4] = outer(1003); // main 3
    kept[5] = new char[1004]; // new
    kept[6] = new (std::nothrow) char[1005]; // nothrow
    kept[7] = calloc(2, 503); // calloc
    kept[8] = realloc(realloc(NULL, 1007), 200000); // realloc
    kept[9] = memalign(64, 1008); // memalign
    kept[10] = aligned_alloc(64, 1024); // aligned
    if (posix_memalign(&kept[11], 64, 1009)) return 1; // posix
    std::vector<long> v(126); // vector
    kept[12] = &v[0];
    delete[] (char *)kept[5]; // delete
    free(kept[2]); // free
    return 0;
}
`
	for _, compiler := range []string{"g++", "clang++"} {
		t.Run(compiler, func(t *testing.T) {
			t.Parallel()
			m := run(t, record.Options{Program: build(t, false, "stacks.cpp", source, "--", compiler, "-O1")})
			lines := strings.Split(source, "\n")
			p := m.rec.Program()
			got := map[string]uint64{}
			for _, a := range m.rec.Allocs() {
				var names []string
				for _, ret := range p.Stacks[a.Stack] {
					if s := p.CallerAt(ret); s != nil {
						for _, f := range s.Frames {
							if strings.HasSuffix(f.File, "stacks.cpp") {
								_, name, _ := strings.Cut(lines[f.Line-1], "// ")
								names = append(names, name)
							}
						}
					}
				}
				if len(names) > 0 {
					got[fmt.Sprintf("%v%d", names, a.Op)] += a.Size
				}
			}
			want := map[string]uint64{
				"[inner outer main 1]0": 1001, "[inner outer main 2]0": 1002, "[inner outer main 3]0": 1003, "[new]0": 1004,
				"[nothrow]0": 1005,
				"[calloc]0":  1006, "[realloc]0": 201007, "[realloc]1": 0, "[memalign]0": 1008, "[aligned]0": 1024,
				"[posix]0": 1009, "[vector]0": 1008,
				"[delete]1": 0, "[free]1": 0,
			}
			for k, n := range want {
				if size, ok := got[k]; !ok || size != n {
					t.Errorf("%s: %d bytes (%v), want %d", k, size, ok, n)
				}
			}
			if t.Failed() {
				t.Logf("got %v", got)
			}
		})
	}
}

// TestByItself: a program with hooks runs without the recorder as it would without hooks; with ORRERY_OUT it is
// recorded, with the same output and status.
func TestByItself(t *testing.T) {
	program := build(t, false, "self.c", `
#include <stdio.h>
#include <stdlib.h>
static volatile int counter;
int main(int argc, char **argv)
{
    for (int i = 0; i < 1000; i++) counter++;
    printf("%s|%s|%s|%s\n", argv[0], argv[1], argv[2], getenv("ORRERY_OUT") ? "out" : "-");
    return argc + 10;
}
`, "--", "gcc", "-O1")
	dir := t.TempDir()
	for _, out := range []string{"", filepath.Join(dir, "a %p.orr")} {
		cmd := exec.Command(program, "a b", "")
		cmd.Args[0] = "-its own"
		cmd.Env = append(os.Environ(), "ORRERY_OUT="+out)
		if out == "" {
			cmd.Env = os.Environ()
		}
		text, _ := cmd.CombinedOutput()
		if string(text) != "-its own|a b||-\n" || cmd.ProcessState.ExitCode() != 13 {
			t.Errorf("ORRERY_OUT=%q: %q, status %d", out, text, cmd.ProcessState.ExitCode())
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "a [0-9]*.orr"))
	if err != nil || len(files) != 1 {
		t.Fatalf("recordings %q", files)
	}
	if n := touched(t, open(t, files[0]), "counter"); n != 2000 {
		t.Errorf("%d references to the counter, want 2000", n)
	}
}

// TestByItselfRegardless: a program that asks to be recorded and cannot be runs as it would have, with its own status;
// one sentence says why nothing is recorded.
func TestByItselfRegardless(t *testing.T) {
	program := build(t, false, "own.c", `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    printf("%s of %s\n", argv[1], argv[0]);
    fflush(stdout);
    if (strcmp(argv[1], "abort") == 0) abort();
    return 7;
}
`, "--", "gcc", "-O1")
	dir := t.TempDir()
	for _, test := range []struct{ name, prefix, out, arg, state, why string }{
		{"no folder", "", filepath.Join(dir, "none", "x.orr"), "a b", "exit status 7",
			"no such file or directory; choose a folder that there is"},
		{"signal", "", filepath.Join(dir, "none", "x.orr"), "abort", "signal: aborted", "choose a folder"},
		{"full disk", "", "/dev/full", "x", "exit status 7", "no space left on device; free some room"},
		{"file limit", "ulimit -f 200;", filepath.Join(dir, "limit.orr"), "x", "exit status 7", "ulimit -f unlimited"},
		{"no memory", "ulimit -v 300000;", filepath.Join(dir, "limit.orr"), "x", "exit status 7",
			"cannot run here, so nothing is recorded"},
		{"no files at all", "ulimit -f 0;", filepath.Join(dir, "limit.orr"), "x", "exit status 7", "ulimit -f unlimited"},
	} {
		cmd := exec.Command("bash", "-c", test.prefix+`exec -a its-own "$0" "$1"`, program, test.arg)
		cmd.Env = append(os.Environ(), "ORRERY_OUT="+test.out)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		err := cmd.Run()
		if stdout.String() != test.arg+" of its-own\n" || fmt.Sprint(err) != test.state ||
			strings.Count(stderr.String(), "\n") != 1 || !strings.Contains(stderr.String(), test.why) {
			t.Errorf("%s: %q, %v, told %q", test.name, stdout.String(), err, stderr.String())
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("left behind: %v, %v", files, err)
	}
}

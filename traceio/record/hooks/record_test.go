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
	"strconv"
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
	var stdout, stderr bytes.Buffer
	opt.Stdin, opt.Stdout, opt.Stderr = strings.NewReader(""), &stdout, &stderr
	if opt.Output == "" {
		opt.Output = filepath.Join(t.TempDir(), "run.orr")
	}
	res, err := record.Run(context.Background(), opt, nil)
	if err != nil {
		t.Fatalf("Run: %v\n%s", err, stderr.String())
	}
	return made{res, open(t, res.Path), stdout.String()}
}

func open(t testing.TB, path string) *store.Recording {
	t.Helper()
	rec, err := store.Open(context.Background(), path, store.Options{}, nil)
	if err != nil {
		t.Fatalf("opening the recording: %v", err)
	}
	t.Cleanup(func() { rec.Close() })
	if loss := rec.Loss(); len(loss) > 0 {
		t.Errorf("the file lost %v", loss)
	}
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
			f(traceio.Access{Seq: b.First + traceio.Seq(row), Addr: b.Addr[row], PC: b.PC[row], Size: b.Size[row], Kind: b.Kind[row], Thread: b.Thread[row]})
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

// counts are loads and stores.
type counts [2]int

// perLine counts the main program's references by source line; of those that hooks do not see, to the stack, only if asked.
func perLine(t testing.TB, rec *store.Recording, stack bool) map[int]counts {
	t.Helper()
	blocks := map[traceio.Addr]bool{}
	for _, a := range rec.Allocs() {
		for at := a.Addr; at < a.Addr+traceio.Addr(a.Size); at++ {
			blocks[at] = true
		}
	}
	var low, high traceio.Addr
	for _, m := range rec.Program().Modules {
		if m.Main {
			low, high = m.Low, m.High
		}
	}
	out := map[int]counts{}
	each(t, rec, func(a traceio.Access) {
		site := rec.Program().SiteAt(a.PC)
		if site == nil || len(site.Frames) == 0 || site.Frames[0].Line == 0 || a.PC < low || a.PC >= high {
			return
		}
		if stack || a.Addr >= low && a.Addr < high || blocks[a.Addr] {
			c := out[site.Frames[0].Line]
			c[a.Kind]++
			out[site.Frames[0].Line] = c
		}
	})
	return out
}

// truth is a program that says behind //= how many loads and stores of static and allocated memory each line makes; lines
// whose work a library does have //~.
const truth = `
#include <stdlib.h>
#include <string.h>
struct pair { int a; double b; };
static volatile int table[100];
static volatile long sum;
static volatile struct pair pairs[50];
static char from[100], to[100];
static long counter, wide[4] __attribute__((aligned(32)));
struct whole { long v[40]; } first, second;
typedef volatile struct node { volatile struct node *next; int value; } node;
static node *volatile top;

__attribute__((noinline)) static int length(node *n)
{
    int i = 0;
    for (; n; n = n->next) //= 20 0
        i += n->value; //= 20 0
    return i;
}
__attribute__((noinline)) static void deep(int n)
{
    table[n]++; //= 31 31
    if (n > 0)
        deep(n - 1);
}
int main(int argc, char **argv)
{
    (void)argv;
    for (int i = 0; i < 100; i++) {
        table[i] = i; //= 0 100
        sum += table[i]; //= 200 100
        if (i % 3 == 0)
            sum--; //= 34 34
    }
    for (int i = 0; i < 50; i++)
        pairs[i].b += pairs[i].a; //= 100 50
    volatile short *heap = malloc(200 * sizeof *heap);
    for (int i = 0; i < 200; i++)
        heap[i] = i; //= 0 200
    for (int i = 0; i < 200; i++)
        heap[i] ^= heap[199 - i]; //= 400 200
    for (int i = 0; i < 20; i++) {
        node *n = malloc(sizeof *n);
        n->value = i; //= 0 20
        n->next = top; //= 20 20
        top = n; //= 0 20
    }
    table[7] = length(top); //= 1 1
    deep(30);
    for (int i = 0; i < 10; i++) {
        __atomic_fetch_add(&counter, i + 1, __ATOMIC_SEQ_CST); //= 10 10
        __atomic_store_n(&wide[1], 7, __ATOMIC_RELEASE); //= 0 10
        table[0] = __atomic_load_n(&wide[1], __ATOMIC_ACQUIRE); //= 10 10
    }
    memset(from, argc, 99); //~ 0 14
    memcpy(to, from, sizeof to); //~ 13 13
    table[1] = strlen(from + 90 * argc) + (memmove(to + 1, to, 50 * argc) != 0); //~ 9 8
    first = second; //~ 40 40
    free((void *)heap);
    return 0;
}
`

// told reads the counts behind a mark in the source.
func told(t *testing.T, source, mark string) map[int]counts {
	out := map[int]counts{}
	for i, line := range strings.Split(source, "\n") {
		if _, rest, ok := strings.Cut(line, mark); ok {
			var c counts
			for k, w := range strings.Fields(rest)[:2] {
				n, err := strconv.Atoi(w)
				if err != nil {
					t.Fatal(err)
				}
				c[k] = n
			}
			out[i+1] = c
		}
	}
	return out
}

// TestTruth: the references of each line are those that the program is known to make, whichever compiler with whichever
// optimisation, and those that the emulator sees of the same source built without hooks.
func TestTruth(t *testing.T) {
	want, library := told(t, truth, "//= "), told(t, truth, "//~ ")
	for _, compiler := range compilers(t) {
		for _, level := range []string{"-O0", "-O2"} {
			t.Run(compiler+level, func(t *testing.T) {
				t.Parallel()
				m := run(t, record.Options{Program: build(t, false, "truth.c", truth, "--", compiler, level)})
				got := perLine(t, m.rec, false)
				compare(t, "known", got, want, library)
				for line, c := range library {
					// the last byte of a text and of a stretch that two lines work on are as the library has them
					if got[line] != c {
						t.Errorf("line %d: %d loads and stores told for the library, want %d", line, got[line], c)
					}
				}
				if m.rec.Program().Recorder != "hooks" || len(m.Notes) > 0 {
					t.Errorf("recorder %q, notes %q", m.rec.Program().Recorder, m.Notes)
				}
				if level == "-O0" && compiler == "gcc" || level == "-O2" && compiler == "clang" { // a run each suffices
					e := run(t, record.Options{Program: build(t, true, "truth.c", truth, "--", compiler, level), Only: []string{"program"}})
					if e.rec.Program().Recorder != "qemu" {
						t.Fatalf("recorder %q", e.rec.Program().Recorder)
					}
					compare(t, "emulator", got, perLine(t, e.rec, false), library)
				}
			})
		}
	}
}

func compare(t *testing.T, with string, got, want, except map[int]counts) {
	t.Helper()
	lines := maps.Clone(got)
	maps.Copy(lines, want)
	for _, line := range slices.Sorted(maps.Keys(lines)) {
		if _, ok := except[line]; !ok && got[line] != want[line] {
			t.Errorf("%s: line %d: got %d loads and stores, want %d", with, line, got[line], want[line])
		}
	}
}

// TestLocals: with --locals the variables of a function are recorded like all others, on the lines that use them.
func TestLocals(t *testing.T) {
	const source = `
int main(int argc, char **argv)
{
    int sum = 0, list[10]; //= 0 1
    (void)argv;
    for (int i = 0; i < 10; i++) //= 21 11
        list[i] = i + argc; //= 30 10
    for (int *p = list; p < list + 10; p++) //= 21 11
        sum += *p; //= 30 10
    return sum - 55; //= 1 0
}
`
	for _, compiler := range compilers(t) {
		t.Run(compiler, func(t *testing.T) {
			m := run(t, record.Options{Program: build(t, false, "locals.c", source, "--locals", "--", compiler, "-O2")})
			if m.ExitCode != 0 {
				t.Fatalf("the program returned %d", m.ExitCode)
			}
			got := perLine(t, m.rec, true)
			for line, want := range told(t, source, "//= ") {
				// clang adds stores of its own where functions begin
				if got[line] != want {
					t.Errorf("line %d: got %d loads and stores, want %d", line, got[line], want)
				}
			}
		})
	}
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

// TestThreads: every thread's references are there under its number, and in an order that really happened: under a lock, the
// load and the store of a counter belong to one thread.
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

// TestProcesses: what the program forks and becomes is recorded in files of its own, and children of every kind run as they
// should.
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
	if want := map[string]int{"by_parent": 1600, "by_child": 1800, "by_next": 1400}; !maps.Equal(total, want) || blocks != 900 {
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
		m := run(t, record.Options{Program: build(t, false, "later.c", source, "--", compiler, "-O1"), Args: []string{library}})
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
		if n, h := touched(t, m.rec, "counter"), touched(t, m.rec, "handled"); m.Signal != signal || n != 2*100003 || h != 2*1010 {
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

// TestStacks: allocations know the calls that they were made in, through C++'s new, after an exception and after a longjmp;
// and blocks made, resized and given back in every way are those that the program has.
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
				"[inner outer main 1]0": 1001, "[inner outer main 2]0": 1002, "[inner outer main 3]0": 1003, "[new]0": 1004, "[nothrow]0": 1005,
				"[calloc]0": 1006, "[realloc]0": 201007, "[realloc]1": 0, "[memalign]0": 1008, "[aligned]0": 1024, "[posix]0": 1009, "[vector]0": 1008,
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

// TestByItself: a program with hooks runs without the recorder as it would without hooks; with ORRERY_OUT it is recorded, with
// the same output and status.
func TestByItself(t *testing.T) {
	program := build(t, false, "self.c", `
#include <stdio.h>
#include <stdlib.h>
static volatile int counter;
int main(int argc, char **argv)
{
    for (int i = 0; i < 1000; i++) counter++;
    printf("%s|%s|%s\n", argv[1], argv[2], getenv("ORRERY_OUT") ? "out" : "-");
    return argc + 10;
}
`, "--", "gcc", "-O1")
	dir := t.TempDir()
	for _, out := range []string{"", filepath.Join(dir, "a %p.orr")} {
		cmd := exec.Command(program, "a b", "")
		cmd.Env = append(os.Environ(), "ORRERY_OUT="+out)
		if out == "" {
			cmd.Env = os.Environ()
		}
		text, _ := cmd.CombinedOutput()
		if string(text) != "a b||-\n" || cmd.ProcessState.ExitCode() != 13 {
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

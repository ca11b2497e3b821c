package hooks_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"orrery/traceio"
	"orrery/traceio/record"
	"orrery/traceio/store"
)

// counts are loads and stores.
type counts [2]int

// perLine counts the main program's references by source line; of those that hooks do not see, to the stack, only if
// asked.
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

// truth is a program that says behind //= how many loads and stores of static and allocated memory each line makes;
// lines whose work a library does have //~.
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
					e := run(t, record.Options{Program: build(t, true, "truth.c", truth, "--", compiler, level),
						Only: []string{"program"}})
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

package record

import (
	"fmt"
	"strings"
	"testing"

	"orrery/traceio"
)

// TestAllocations: the allocator's events come in order, of the right size, with the calling function.
func TestAllocations(t *testing.T) {
	t.Parallel()
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
	m := run(t, Options{Program: program, Only: []string{"program"}})
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

// TestStacks: the callers of an allocation are all there and in order, without frame pointers, through the C library,
// after a longjmp, in a thread.
func TestStacks(t *testing.T) {
	t.Parallel()
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
	want := map[uint64]string{11: "strdup deep deep deep first main", 1001: "first main",
		1002: "compare qsort_r second main",
		1003: "thread", 1004: "thread"}
	for _, a := range m.rec.Allocs() {
		path, ok := want[a.Size]
		if !ok || a.Op != traceio.Malloc {
			continue
		}
		var got []string
		for _, ret := range m.rec.Program().Stacks[a.Stack] {
			if name := strings.Trim(m.function(ret-1), "_"); !strings.HasPrefix(name, "libc_start") &&
				name != "start" && name != "" {
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
	t.Parallel()
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
	m := run(t, Options{Program: program, Only: []string{"program"}})
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

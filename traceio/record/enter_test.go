package record

import (
	"fmt"
	"strings"
	"testing"

	"orrery/traceio"
)

// TestEnter: where code that is not recorded calls code that is, a mark tells where the return address lies. The
// functions know it themselves.
func TestEnter(t *testing.T) {
	t.Parallel()
	program := compile(t, "enters.c", `
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#define SLOT ((unsigned long)__builtin_frame_address(0) + 8)
static unsigned long slots[100];
static int used;
static jmp_buf out;
static int inner(int n) { return n + 1; }
static int compare(const void *a, const void *b)
{
    slots[used++] = SLOT;
    return inner(*(const int *)a) - inner(*(const int *)b);
}
static int leave(const void *a, const void *b) { slots[used++] = SLOT; longjmp(out, 1); }
static void *thread(void *arg) { slots[used++] = SLOT; return arg; }
static void at_exit(void)
{
    slots[used++] = SLOT;
    for (int i = 0; i < used; i++)
        printf("%lx ", slots[i]);
}
int main(void)
{
    int numbers[4] = {3, 1, 4, 2}, key = 3;
    pthread_t t;
    slots[used++] = SLOT;
    atexit(at_exit);
    qsort(numbers, 4, sizeof *numbers, compare);
    if (bsearch(&key, numbers, 4, sizeof *numbers, compare) == NULL) return 1;
    if (!setjmp(out)) qsort(numbers, 4, sizeof *numbers, leave);
    inner(1);
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return inner(-1);
}`)
	for _, test := range []struct {
		name string
		opt  Options
	}{{"program", Options{Only: []string{"program"}}},
		{"functions", Options{Only: []string{"main", "compare", "inner", "leave", "thread", "at_exit"}}}} {
		t.Run(test.name, func(t *testing.T) {
			test.opt.Program = program
			m := run(t, test.opt)
			seen := map[string]bool{}
			var got []string
			for _, k := range m.rec.Marks() {
				if k.Kind != traceio.Enter {
					continue
				}
				a := m.at(t, k.Seq)
				name := m.function(a.PC)
				if seen[name] = true; name == "_start" || name == "_init" || name == "_fini" ||
					!strings.Contains("main compare leave thread at_exit", name) {
					continue // the loader's calls
				}
				if a.Thread != k.Thread || a.Kind != traceio.Store || uint64(a.Addr)+8 != k.Value {
					t.Errorf("at %d %s begins with %+v, the return address is at %#x", k.Seq, name, a, k.Value)
				}
				got = append(got, fmt.Sprintf("%x", k.Value))
			}
			if s := strings.Join(got, " ") + " "; s != m.stdout || len(got) < 10 {
				t.Errorf("marks %s\nwant  %s", s, m.stdout)
			}
			if seen["inner"] {
				t.Error("inner is called by recorded code only, yet has a mark")
			}
		})
	}
	m := run(t, Options{Program: program})
	for _, k := range m.rec.Marks() {
		if k.Kind == traceio.Enter {
			t.Fatal("a whole recording has a mark of an entry")
		}
	}
	m = run(t, Options{Program: program, From: "compare"})
	marks := m.rec.Marks()
	if len(marks) == 0 || m.Refs == 0 {
		t.Fatalf("%d marks, %d references", len(marks), m.Refs)
	}
	for _, k := range marks {
		if k.Kind == traceio.Enter && (k.Seq != 0 || uint64(m.at(t, 0).Addr)+8 != k.Value) {
			t.Errorf("%+v at the entry of --from, whose first reference is %+v", k, m.at(t, 0))
		}
	}
}

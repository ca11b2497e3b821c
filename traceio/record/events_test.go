package record

import (
	"path/filepath"
	"testing"

	"orrery/traceio"
	"orrery/traceio/store"
)

// TestEventsBeyondLimit: --max-refs ends the references, and allocations with their stacks, threads, marks and children are recorded
// as without it, by one thread and by several.
func TestEventsBeyondLimit(t *testing.T) {
	program := compile(t, "limited.c", `
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "doorbell.h"
static volatile int counter;
static void *kept[16];
static void *work(void *n)
{
    for (int i = 0; i < 50000; i++) counter++;
    kept[(long)n] = malloc(100 + (long)n);
    for (int i = 0; i < 50000; i++) counter++;
    return NULL;
}
int main(int argc, char **argv)
{
    pthread_t t[4];
    work((void *)9);
    orrery_mark("alone");
    free(kept[9]);
    if (argc > 1)
        for (long i = 0; i < 4; i++) pthread_create(&t[i], NULL, work, (void *)i);
    if (argc > 1)
        for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
    if (fork() == 0) { work((void *)10); _exit(0); }
    wait(NULL);
    kept[0] = realloc(kept[0], 5000);
    orrery_mark("end");
    return 0;
}`)
	type told struct {
		op    traceio.AllocOp
		size  uint64
		stack int
	}
	tell := func(rec *store.Recording) (allocs map[told]int, marks map[traceio.MarkKind]int) {
		allocs, marks = map[told]int{}, map[traceio.MarkKind]int{}
		for _, a := range rec.Allocs() {
			allocs[told{a.Op, a.Size, len(rec.Program().Stacks[a.Stack])}]++
		}
		for _, m := range rec.Marks() {
			marks[m.Kind]++
		}
		return allocs, marks
	}
	for name, args := range map[string][]string{"one thread": nil, "several": {"x"}} {
		for _, only := range [][]string{nil, {"program"}} {
			whole := run(t, Options{Program: program, Args: args, Only: only})
			few := run(t, Options{Program: program, Args: args, Only: only, MaxRefs: 1000})
			if few.Refs != 1000 || len(few.Others) != 1 || few.Others[0].Refs != 1000 || few.Others[0].Allocs != whole.Others[0].Allocs || whole.Allocs < 3 {
				t.Errorf("%s: %+v, without the limit %+v", name, few.Result, whole.Result)
			}
			wantAllocs, wantMarks := tell(whole.rec)
			gotAllocs, gotMarks := tell(few.rec)
			for k, n := range wantAllocs {
				if gotAllocs[k] != n {
					t.Errorf("%s, only %v: %d of %+v, want %d", name, only, gotAllocs[k], k, n)
				}
			}
			for _, k := range []traceio.MarkKind{traceio.ThreadStart, traceio.ThreadEnd, traceio.UserMark} {
				if gotMarks[k] != wantMarks[k] {
					t.Errorf("%s, only %v: %d marks of kind %d, want %d", name, only, gotMarks[k], k, wantMarks[k])
				}
			}
			child, err := store.Open(t.Context(), filepath.Clean(few.Others[0].Path), store.Options{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if n := len(child.Allocs()); uint64(n) != whole.Others[0].Allocs {
				t.Errorf("%s: %d events of the child, want %d", name, n, whole.Others[0].Allocs)
			}
			child.Close()
		}
	}
}

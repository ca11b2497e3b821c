// Package recordtest is what the tests of both recorders of references have in common: a program whose events go on
// after its last reference that is wanted, and the comparison of what two recordings of it tell.
package recordtest

import (
	"maps"
	"slices"
	"testing"

	"orrery/traceio"
	"orrery/traceio/store"
)

// Events is a program in C that makes references, blocks, two marks and a child, and with an argument four threads.
const Events = `
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
}
`

// SameEvents fails the test unless a recording has the allocations of another one, with stacks as deep, and as many
// marks of threads and of the user. Their order is that of the threads, which is the system's.
func SameEvents(t *testing.T, name string, got, want *store.Recording) {
	t.Helper()
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
			if slices.Contains([]traceio.MarkKind{traceio.ThreadStart, traceio.ThreadEnd, traceio.UserMark}, m.Kind) {
				marks[m.Kind]++
			}
		}
		return allocs, marks
	}
	wantAllocs, wantMarks := tell(want)
	gotAllocs, gotMarks := tell(got)
	if !maps.Equal(gotAllocs, wantAllocs) || len(wantAllocs) < 3 {
		t.Errorf("%s: allocations %v, want %v", name, gotAllocs, wantAllocs)
	}
	if !maps.Equal(gotMarks, wantMarks) || len(wantMarks) == 0 {
		t.Errorf("%s: marks %v, want %v", name, gotMarks, wantMarks)
	}
}

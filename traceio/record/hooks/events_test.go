package hooks_test

import (
	"testing"

	"orrery/traceio"
	"orrery/traceio/record"
)

// TestEventsBeyondLimit: --max-refs ends the references of a program with hooks, and its allocations and threads are recorded as without it.
func TestEventsBeyondLimit(t *testing.T) {
	program := build(t, false, "limited.c", `
#include <pthread.h>
#include <stdlib.h>
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
    free(kept[9]);
    if (argc > 1)
        for (long i = 0; i < 4; i++) pthread_create(&t[i], NULL, work, (void *)i);
    if (argc > 1)
        for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
    kept[0] = realloc(kept[0], 5000);
    return 0;
}
`, "--", "gcc", "-O1")
	for name, args := range map[string][]string{"one thread": nil, "several": {"x"}} {
		whole := run(t, record.Options{Program: program, Args: args})
		few := run(t, record.Options{Program: program, Args: args, MaxRefs: 1000})
		threads := func(marks []traceio.Mark) (n int) {
			for _, m := range marks {
				if m.Kind == traceio.ThreadStart || m.Kind == traceio.ThreadEnd {
					n++
				}
			}
			return n
		}
		if few.Refs != 1000 || few.Allocs != whole.Allocs || few.Allocs < 3 || threads(few.rec.Marks()) != threads(whole.rec.Marks()) {
			t.Errorf("%s: %+v with %d marks of threads, without the limit %+v with %d", name, few.Result, threads(few.rec.Marks()), whole.Result, threads(whole.rec.Marks()))
		}
	}
}

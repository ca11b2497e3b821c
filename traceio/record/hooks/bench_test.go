package hooks_test

import (
	"context"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"orrery/traceio/record"
)

// work is a program with the three usual ways through memory: rows and columns, a heap that is sifted, a list in no
// order.
const work = `
#include <stdlib.h>
enum { N = 240, M = 1 << 18, ROUNDS = 60 };
static double a[N][N], b[N][N], c[N][N];
static unsigned heap[M];
struct node { struct node *next; unsigned key; } *nodes;
static void multiply(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                c[i][j] += a[i][k] * b[k][j];
}
static void sift(unsigned i, unsigned n)
{
    for (unsigned j; (j = 2 * i + 1) < n; i = j) {
        if (j + 1 < n && heap[j + 1] > heap[j]) j++;
        if (heap[i] >= heap[j]) return;
        unsigned t = heap[i]; heap[i] = heap[j]; heap[j] = t;
    }
}
int main(void)
{
    unsigned x = 1, sum = 0;
    for (int i = 0; i < N * N; i++) a[0][i] = b[0][i] = i;
    multiply();
    for (unsigned i = 0; i < M; i++) heap[i] = x = x * 1664525 + 1013904223;
    for (unsigned i = M / 2; i-- > 0;) sift(i, M);
    for (unsigned n = M; n > 1; n--) { unsigned t = heap[0]; heap[0] = heap[n - 1]; heap[n - 1] = t; sift(0, n - 1); }
    nodes = malloc(M * sizeof *nodes);
    for (unsigned i = 0; i < M; i++) nodes[i] = (struct node){&nodes[(i * 40503u + 1) % M], heap[i]};
    for (unsigned r = 0; r < ROUNDS; r++)
        for (struct node *n = nodes, *end = nodes; sum += n->key, (n = n->next) != end;) ;
    return sum + c[1][2] == 0;
}
`

// BenchmarkRecorders runs the same source with hooks and, built without, under the emulator. ns/ref is the user CPU
// time of the program and of the recorder together, the file written, for each reference; program-ns/ref is the
// program's part.
func BenchmarkRecorders(b *testing.B) {
	for _, row := range []struct {
		name  string
		plain bool
		only  []string
	}{{"hooks", false, nil}, {"emulator", true, []string{"program"}}} {
		b.Run(row.name, func(b *testing.B) {
			program := build(b, row.plain, "work.c", work, "--", "gcc", "-O2")
			out := filepath.Join(b.TempDir(), "work.orr")
			var refs, own, guest int64
			b.ReportAllocs()
			for b.Loop() {
				before, childBefore := userTime(unix.RUSAGE_SELF), userTime(unix.RUSAGE_CHILDREN)
				res, err := record.Run(context.Background(), record.Options{Program: program, Output: out, Only: row.only}, nil)
				own += userTime(unix.RUSAGE_SELF) - before
				guest += userTime(unix.RUSAGE_CHILDREN) - childBefore
				if err != nil || res.ExitCode != 0 {
					b.Fatal(res, err)
				}
				refs += int64(res.Refs)
			}
			b.ReportMetric(float64(guest+own)/float64(refs), "ns/ref")
			b.ReportMetric(float64(guest)/float64(refs), "program-ns/ref")
			b.ReportMetric(float64(refs)/float64(b.N), "refs")
		})
	}
}

// userTime is in nanoseconds.
func userTime(who int) int64 {
	var u unix.Rusage
	_ = unix.Getrusage(who, &u)
	return u.Utime.Nano()
}

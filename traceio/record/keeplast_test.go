package record

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"orrery/traceio"
	"orrery/traceio/orr"
	"orrery/traceio/store"
)

// lasting counts to argv[1], with a thread and a block of the heap that live all the time.
const lasting = `
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile int counter;
static unsigned state = 1;
static volatile char *block, *middle, *late;
static pthread_barrier_t begun, done;
static void *wait_for_end(void *arg)
{
    pthread_barrier_wait(&begun);
    pthread_barrier_wait(&done);
    return arg;
}
int main(int argc, char **argv)
{
    pthread_t t;
    pthread_barrier_init(&begun, NULL, 2);
    pthread_barrier_init(&done, NULL, 2);
    block = malloc(4321);
    free(malloc(1234));
    pthread_create(&t, NULL, wait_for_end, NULL);
    pthread_barrier_wait(&begun);
    for (int i = 0; i < atoi(argv[1]); i++) {
        counter = i;
        if (i == atoi(argv[1]) / 2) middle = malloc(555);
        if (i == atoi(argv[1]) - 1000) late = malloc(777);
        block[(state = state * 1664525u + 1013904223u) % 4321] = 1;
    }
    if (argc > 2) getchar();
    pthread_barrier_wait(&done);
    pthread_join(t, NULL);
    return 0;
}`

// TestKeepLast: the file of --keep-last is the tail of the whole one, begins with a word of what is missing and knows
// the blocks and threads of before.
func TestKeepLast(t *testing.T) {
	t.Parallel()
	program := compile(t, "lasting.c", lasting)
	opt := Options{Program: program, Args: []string{"40000"}, Only: []string{"main"}}
	whole := run(t, opt)
	var want []traceio.Access
	whole.each(t, func(a traceio.Access) { want = append(want, a) })
	for _, n := range []uint64{1, 1000, 65536, 150001, 10 << 20} {
		opt.KeepLast = n
		m := run(t, opt)
		keep := min(n, whole.Refs)
		if m.Refs != keep || len(m.Notes) > 0 {
			t.Fatalf("of %d references %d were kept, want %d; notes %q; the program ended with %d %s and said %q", whole.Refs,
				m.Refs, keep, m.Notes, m.ExitCode, m.Signal, m.stderr)
		}
		tail, bad := want[uint64(len(want))-keep:], 0
		m.each(t, func(a traceio.Access) {
			w := tail[a.Seq]
			if a.PC != w.PC || a.Size != w.Size || a.Kind != w.Kind || a.Thread != w.Thread {
				bad++
			}
		})
		if bad > 0 {
			t.Errorf("%d of the last %d references differ", bad, n)
		}
		marks := m.rec.Marks()
		if gone := whole.Refs - keep; gone > 0 && (marks[0].Kind != traceio.Gap || marks[0].Value != gone ||
			marks[0].Seq != 0) ||
			gone == 0 && marks[0].Kind == traceio.Gap {
			t.Errorf("the first mark is %+v, %d references are gone", marks[0], gone)
		}
		started := 0
		for _, k := range marks {
			if k.Kind == traceio.ThreadStart {
				started++
			}
		}
		if alive := int(min(n, 2)); started != alive { // at the very last reference the thread has been joined
			t.Errorf("%d threads began, want %d", started, alive)
		}
		sizes := map[uint64]int{}
		for _, a := range m.rec.Allocs() {
			sizes[a.Size]++
		}
		if !slices.IsSortedFunc(m.rec.Allocs(), func(a, b traceio.Alloc) int { return cmp.Compare(a.Ticks, b.Ticks) }) {
			t.Errorf("the last %d: blocks are not in the order in which they were made: %v", n, m.rec.Allocs())
		}
		if sizes[4321] != 1 || sizes[555] != 1 || sizes[777] != 1 || keep < 1000 && sizes[1234] != 0 {
			t.Errorf("blocks by size: %v", sizes)
		}
	}
}

// TestKeepLastKilled: the disk holds no more than what is kept, and a file that the recorder did not live to end is
// readable.
func TestKeepLastKilled(t *testing.T) {
	program := compile(t, "lasting.c", lasting)
	out := filepath.Join(t.TempDir(), "x.orr")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), recordEnv+"="+strings.Join([]string{out, program, "700000", "wait"}, "\n"),
		keepEnv+"=100000")
	stdin, err := cmd.StdinPipe() // what the program waits for
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); stdin.Close() }()
	for begun := time.Now(); before(out) < 6_000_000; time.Sleep(50 * time.Millisecond) {
		if time.Since(begun) > 2*time.Minute {
			t.Fatal("the recording does not come to its end")
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_, _ = cmd.Process.Wait()
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	f, err := orr.Open(bytes.NewReader(data), int64(len(data)), out)
	if err != nil {
		t.Fatal(err)
	}
	if f.Len() < 100000 || f.Len() > 100000+2*traceio.MaxBlock {
		t.Errorf("%d references are left", f.Len())
	}
	var kinds []string
	for _, l := range f.Loss() {
		kinds = append(kinds, l.Kind)
	}
	// as the recorder was killed between two writes or in one
	if got := strings.Join(kinds, " "); got != "no-end" && got != "cut-block" {
		t.Errorf("lost %v", f.Loss())
	}
	if said := fmt.Sprint(f.Program().Notes); !strings.Contains(said,
		fmt.Sprintf("keeps the last references, as was asked for: %d came before them", before(out))) {
		t.Errorf("the file says %s, and that %d came before", said, before(out))
	}
	if onDisk := blocksOf(t, out); onDisk > int64(len(data))/2+1<<16 {
		t.Errorf("of %d bytes %d are on the disk", len(data), onDisk)
	}
}

// before is how many references came before those that a file still has; 0 when it is not there yet.
func before(path string) (n uint64) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	f, err := orr.Open(bytes.NewReader(data), int64(len(data)), path)
	if err != nil {
		return 0
	}
	var b traceio.Block
	if len(f.Entries()) == 0 || f.Events(0, &b) != nil || len(b.Marks) == 0 {
		return 0
	}
	for _, m := range b.Marks {
		if m.Kind == traceio.Gap && strings.HasSuffix(m.Text, "references came before; the last 100000 were to be kept") {
			n += m.Value
		}
	}
	return n
}

// blocksOf is how many bytes of the disk a file takes.
func blocksOf(t *testing.T, path string) int64 {
	t.Helper()
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		t.Fatal(err)
	}
	return st.Blocks * 512
}

// TestKeepLastShort: where the disk has no room for the references that were to be kept, the latest of those before
// stay, with an end that tells how many are missing.
func TestKeepLastShort(t *testing.T) {
	program := compile(t, "scatter.c", `
static volatile unsigned state = 1, table[1 << 16];
int main(void) { for (int i = 0; i < 1200000; i++) { state = state * 1664525u + 1013904223u; table[state >> 16] += state; } return 0; }`)
	const limit = 4200 // in units of 512 bytes: a ring fits in
	for _, keep := range []uint64{100_000, 100_000_000} {
		out := filepath.Join(t.TempDir(), "x.orr")
		cmd := exec.Command("sh", "-c", fmt.Sprintf(`ulimit -f %d; exec "$0"`, limit), os.Args[0])
		cmd.Env = append(os.Environ(), recordEnv+"="+strings.Join([]string{out, program}, "\n"),
			fmt.Sprintf("%s=%d", keepEnv, keep))
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		rec, err := store.Open(t.Context(), out, store.Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer rec.Close()
		l := rec.Loss()
		if len(l) != 1 || l[0].Kind != "unwritten-references" || !strings.HasSuffix(l[0].Why, "written: file too large") {
			t.Fatalf("lost %v", l)
		}
		if got := uint64(rec.Len()); keep == 100_000 && (got != keep || l[0].Count != keep) || keep > 100_000 &&
			(got < 500_000 || l[0].Count < 500_000) {
			t.Errorf("of the last %d references %d are there and %d are missing", keep, got, l[0].Count)
		}
		if files, err := os.ReadDir(filepath.Dir(out)); err != nil || len(files) != 1 {
			t.Errorf("files in the directory: %v, %v", files, err)
		}
	}
}

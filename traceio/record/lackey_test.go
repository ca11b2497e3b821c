package record

import (
	"bufio"
	"bytes"
	"debug/elf"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"orrery/traceio"
)

// kernels exercise the ways in which instructions touch memory: plain, read-modify-write, string instructions, vector
// registers of 16 and 32 bytes in tight loops over adjacent places, atomic ones, pushes and calls.
const kernels = `
#include <string.h>
#include <immintrin.h>
static int numbers[64];
static double from[64] __attribute__((aligned(32))), to[64] __attribute__((aligned(32)));
static long counter;
static char state[512] __attribute__((aligned(16)));
static char text[256], copy[256];

static int called(int a, int b) { int c = a * b; return c - a; }

__attribute__((target("avx2"))) void kernel_wide(void)
{
    for (int i = 0; i < 64; i += 4)
        _mm256_store_pd(to + i, _mm256_add_pd(_mm256_load_pd(from + i), _mm256_load_pd(to + i)));
}
__attribute__((optimize("O2"))) void kernel_vector(void)
{
    for (int i = 0; i < 64; i += 2)
        _mm_storeu_pd(to + i, _mm_loadu_pd(from + i));
    for (int i = 0; i < 64; i++)
        ((volatile double *)to)[i] = ((volatile double *)from)[i];
}
void kernel_plain(void)
{
    for (int i = 0; i < 64; i++) {
        numbers[i] += i;
        numbers[i] ^= called(i, numbers[63 - i]);
    }
}
void kernel_atomic(void)
{
    for (int i = 0; i < 10; i++) {
        __atomic_fetch_add(&counter, i, __ATOMIC_SEQ_CST);
        __asm__ volatile("addq $1, %0" : "+m"(counter));
        __asm__ volatile("lock; xaddq %1, %0" : "+m"(counter) : "r"(7L));
    }
}
void kernel_string(void)
{
    void *d = copy, *s = text;
    long n = 200, m = 25;
    __asm__ volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(n) : : "memory");
    d = copy;
    __asm__ volatile("rep stosq" : "+D"(d), "+c"(m) : "a"(0L) : "memory");
}
__attribute__((target("fxsr"))) int main(void)
{
    for (int i = 0; i < 64; i++)
        from[i] = i;
    kernel_plain();
    _fxsave64(state); /* the emulator's own stores just after a recorded return must not be taken for its */
    kernel_vector();
    kernel_wide();
    kernel_atomic();
    kernel_string();
    return 0;
}
`

// perPC counts references by instruction, kind and size and, for addresses of static variables, by address.
type perPC map[string]int

func (p perPC) add(pc uint64, kind traceio.Kind, addr uint64, size int) {
	where := "stack"
	if addr < 1<<32 {
		where = fmt.Sprintf("%#x", addr)
	}
	p[fmt.Sprintf("%#x %v %s %d", pc, kind, where, size)]++
}

// lackeyCounts runs the program under valgrind and reads its text with a reader of the test's own.
func lackeyCounts(t *testing.T, program string, low, high uint64) perPC {
	t.Helper()
	if _, err := exec.LookPath("valgrind"); err != nil {
		t.Fatal("the test needs valgrind: sudo apt install valgrind")
	}
	log := filepath.Join(t.TempDir(), "lackey")
	cmd := exec.Command("valgrind", "--tool=lackey", "--trace-mem=yes", "--log-file="+log, program)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("valgrind: %v\n%s", err, out)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	counts := perPC{}
	var pc uint64
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var addr uint64
		var size int
		line := lines.Text()
		if strings.HasPrefix(line, "==") || len(line) < 4 {
			continue
		}
		if _, err := fmt.Sscanf(line[3:], "%x,%d", &addr, &size); err != nil {
			continue
		}
		switch {
		case line[0] == 'I':
			pc = addr
		case pc < low || pc >= high:
		case line[1] == 'L':
			counts.add(pc, traceio.Load, addr, size)
		case line[1] == 'S':
			counts.add(pc, traceio.Store, addr, size)
		case line[1] == 'M':
			counts.add(pc, traceio.Load, addr, size)
			counts.add(pc, traceio.Store, addr, size)
		}
	}
	return counts
}

// TestLackey: instruction by instruction the recorder sees what valgrind sees.
func TestLackey(t *testing.T) {
	t.Parallel()
	program := compile(t, "kernels.c", kernels, "-static", "-no-pie", "-fcf-protection=none")
	m := run(t, Options{Program: program, Only: []string{"kernel_*", "called"}})
	got := perPC{}
	low, high := ^uint64(0), uint64(0)
	m.each(t, func(a traceio.Access) {
		low, high = min(low, uint64(a.PC)), max(high, uint64(a.PC)+1)
		got.add(uint64(a.PC), a.Kind, uint64(a.Addr), int(a.Size))
	})
	want := lackeyCounts(t, program, low, high)
	if len(want) < 500 {
		t.Fatalf("valgrind told only %d different references", len(want))
	}
	keys := map[string]bool{}
	for k := range got {
		keys[k] = true
	}
	for k := range want {
		keys[k] = true
	}
	bad := 0
	locked := lockedAt(t, program)
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		if strings.Contains(k, " load ") && locked(uint64(pcOf(k))) {
			want[k] /= 2 // valgrind makes a load and a compare-exchange of it, and lackey counts a load for each
		}
		if got[k] != want[k] {
			if bad++; bad < 20 {
				t.Errorf("%s: %d times, valgrind %d (%s)", k, got[k], want[k], m.function(pcOf(k)))
			}
		}
	}
	if !m.noted("statically") {
		t.Errorf("no word about allocations of a static program: %q", m.Notes)
	}
}

// lockedAt tells whether an instruction has the LOCK prefix.
func lockedAt(t *testing.T, program string) func(pc uint64) bool {
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text := f.Section(".text")
	code, err := text.Data()
	if err != nil {
		t.Fatal(err)
	}
	return func(pc uint64) bool { return pc-text.Addr < uint64(len(code)) && code[pc-text.Addr] == 0xf0 }
}

func pcOf(key string) traceio.Addr {
	var pc traceio.Addr
	fmt.Sscanf(key, "0x%x", &pc)
	return pc
}

const busy = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static unsigned keys[4096];
static int compare(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return x < y ? -1 : x > y;
}
int main(int argc, char **argv)
{
    unsigned long sum = 0;
    for (int round = 0; round < atoi(argv[1]); round++) {
        char *copies[64];
        for (int i = 0; i < 4096; i++)
            keys[i] = (i + round) * 2654435761u >> 7;
        qsort(keys, 4096, sizeof *keys, compare);
        for (int i = 0; i < 64; i++) {
            copies[i] = malloc(100 + keys[i * 64] % 400);
            snprintf(copies[i], 100, "%u %u", keys[i], keys[i + 1]);
        }
        for (int i = 0; i < 64; i++) {
            sum += strlen(copies[i]);
            free(copies[i]);
        }
    }
    printf("%lu\n", sum);
    return 0;
}
`

// BenchmarkRecord gives the CPU time of one reference on a program of sorting, formatting and allocating, as the
// program under the recorder (guest) and the recorder itself with encoding and naming (self), and the bytes of one
// reference in the file; then lackey's CPU for a reference of the same program, writing its text into a file, from a
// tenth as many rounds.
func BenchmarkRecord(b *testing.B) {
	program := compile(b, "busy.c", busy, "-O2")
	out := filepath.Join(b.TempDir(), "busy.orr")
	for b.Loop() {
		before := selfCPU()
		m, err := Run(b.Context(), Options{Program: program, Args: []string{"40"}, Output: out, Stdout: io.Discard}, nil)
		if err != nil {
			b.Fatal(err)
		}
		self := selfCPU() - before
		info, err := os.Stat(out)
		if err != nil {
			b.Fatal(err)
		}
		refs := float64(m.Refs)
		ours := float64(m.GuestCPU+self) / refs
		lackey := lackeyCPU(b, program, "4")
		b.ReportMetric(float64(m.GuestCPU)/refs, "guest-ns/ref")
		b.ReportMetric(float64(self)/refs, "self-ns/ref")
		b.ReportMetric(float64(info.Size())/refs, "bytes/ref")
		b.ReportMetric(refs, "refs")
		b.ReportMetric(lackey, "lackey-ns/ref")
		b.ReportMetric(lackey/ours, "times-faster")
	}
}

// lackeyCPU is lackey's CPU time for one data reference, in nanoseconds.
func lackeyCPU(b *testing.B, program string, args ...string) float64 {
	b.Helper()
	log := filepath.Join(b.TempDir(), "lackey")
	cmd := exec.Command("valgrind", append([]string{"--tool=lackey", "--trace-mem=yes", "--log-file=" + log, program},
		args...)...)
	if err := cmd.Run(); err != nil {
		b.Fatalf("the benchmark needs valgrind (sudo apt install valgrind): %v", err)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		b.Fatal(err)
	}
	refs := bytes.Count(text, []byte("\n L ")) + bytes.Count(text, []byte("\n S ")) + 2*bytes.Count(text, []byte("\n M "))
	return float64(cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()) / float64(refs)
}

func selfCPU() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

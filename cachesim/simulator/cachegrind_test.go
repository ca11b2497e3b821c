package simulator

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	. "orrery/cachesim"
	"orrery/traceio"
	"orrery/traceio/store"
)

// walker wanders over 96 KiB in strides and jumps, without a C library, so that both of valgrind's tools see the same
// program from its first instruction to its last.
const walker = `
static unsigned words[24576];
static unsigned long wide[512];

__attribute__((noinline)) static unsigned stride(unsigned step, unsigned count)
{
    unsigned sum = 0, at = 0;
    for (unsigned i = 0; i < count; i++, at = (at + step) % 24576)
        sum += words[at];
    return sum;
}

__attribute__((noinline)) static unsigned jump(unsigned seed, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        words[(seed >> 8) % 24576] += seed;
        if (i % 16 == 0)
            *(unsigned long *)((char *)wide + (seed >> 20) % 4000) = i; /* often over the end of a line */
    }
    return seed;
}

void _start(void)
{
    unsigned x = 1;
    for (int i = 0; i < 4; i++)
        x = jump(x, 3000) + stride(i * 7 + 1, 4000);
    __asm__ volatile("syscall" : : "a"(60), "D"(x & 1 ? 0 : 0) : "rcx", "r11", "memory");
}
`

// valgrind runs the program under one of its tools.
func valgrind(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.Command("valgrind", args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("valgrind %v: %v (sudo apt install valgrind)\n%s", args, err, out)
	}
}

// TestCachegrind holds the misses of first and last level against cachegrind's, on a program that lackey traced: within
// one in a thousand. Cachegrind writes nothing back, so that stores reach its last level only when they miss; ours are
// made loads for that comparison. It counts a reference over the end of a line as one miss, as a Served does.
func TestCachegrind(t *testing.T) {
	dir := t.TempDir()
	program, trace, counts := filepath.Join(dir, "walker"), filepath.Join(dir, "trace.txt"), filepath.Join(dir, "counts")
	if err := os.WriteFile(program+".c", []byte(walker), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-O1", "-static", "-nostdlib", "-fno-stack-protector", "-o", program,
		program+".c").CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v (sudo apt install gcc)\n%s", err, out)
	}
	valgrind(t, "--tool=lackey", "--trace-mem=yes", "--log-file="+trace, program)
	valgrind(t, "--tool=cachegrind", "--cache-sim=yes", "--I1=1024,2,64", "--D1=8192,4,64", "--LL=32768,8,64",
		"--cachegrind-out-file="+counts, "--log-file="+counts+".log", program)
	text, err := os.ReadFile(counts)
	if err != nil {
		t.Fatal(err)
	}
	var theirs struct{ Ir, I1mr, ILmr, Dr, D1mr, DLmr, Dw, D1mw, DLmw uint64 }
	summary := regexp.MustCompile(`(?m)^summary: (.*)$`).FindSubmatch(text)
	if summary == nil || !bytes.Contains(text, []byte("desc: LL cache:         32768 B, 64 B, 8-way associative")) {
		t.Fatalf("cachegrind wrote no summary, or simulated another cache:\n%s", text)
	}
	if _, err := fmt.Sscan(string(summary[1]), &theirs.Ir, &theirs.I1mr, &theirs.ILmr, &theirs.Dr, &theirs.D1mr,
		&theirs.DLmr, &theirs.Dw, &theirs.D1mw, &theirs.DLmw); err != nil {
		t.Fatal(err)
	}
	rec, err := store.Open(context.Background(), trace, store.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	c := Config{Name: "cachegrind", Levels: []Level{
		{Name: "I1", Kind: Instruction, Size: 1 * KiB, Ways: 2, Block: 64},
		{Name: "D1", Kind: Data, Size: 8 * KiB, Ways: 4, Block: 64},
		{Name: "LL", Kind: Unified, Size: 32 * KiB, Ways: 8, Block: 64},
	}}
	first, _ := missesByKind(t, rec, c, false)
	_, last := missesByKind(t, rec, c, true)
	for _, x := range []struct {
		what         string
		ours, theirs uint64
		many         uint64 // below, the comparison says nothing
	}{
		{"I1", first[traceio.Fetch], theirs.I1mr, 5}, {"D1 read", first[traceio.Load], theirs.D1mr, 10000},
		{"D1 write", first[traceio.Store], theirs.D1mw, 500},
		{"LL instruction", last[traceio.Fetch], theirs.ILmr, 3}, {"LL data", last[traceio.Load] + last[traceio.Store],
			theirs.DLmr + theirs.DLmw, 10000},
	} {
		t.Logf("%s misses: %d, cachegrind %d", x.what, x.ours, x.theirs)
		if off := max(x.ours, x.theirs) - min(x.ours, x.theirs); off*1000 > x.theirs || x.theirs < x.many {
			t.Errorf("%s misses: %d, cachegrind %d; want no more than one in a thousand apart, and %d or more", x.what,
				x.ours, x.theirs, x.many)
		}
	}
}

// missesByKind counts references whose data the first level does not have, and those that nobody has, by what they were
// recorded as.
func missesByKind(t *testing.T, rec *store.Recording, c Config, stores bool) (first, last [3]uint64) {
	t.Helper()
	h := fresh(t, c)
	served := make([]Served, traceio.MaxBlock)
	for i := range rec.Blocks() {
		b, err := rec.Block(i)
		if err != nil {
			t.Fatal(err)
		}
		asked := *b
		if stores {
			asked.Kind = nil
			for _, k := range b.Kind {
				asked.Kind = append(asked.Kind, k&^traceio.Store)
			}
		}
		h.RunServed(&asked, served[:b.Len()])
		for row, s := range served[:b.Len()] {
			if s.Level() > c.Entry(b.Kind[row]) {
				first[b.Kind[row]]++
			}
			if s.Level() == len(c.Levels) {
				last[b.Kind[row]]++
			}
		}
	}
	return first, last
}

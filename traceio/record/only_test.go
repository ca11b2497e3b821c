package record

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orrery/traceio"
)

// TestOnlyInLibrary: code of a shared library is chosen by function, source file and module, in the library that the
// program is linked with and in one that it opens itself.
func TestOnlyInLibrary(t *testing.T) {
	t.Parallel()
	const source = `
static int table[16];
int helper(int n) { table[n % 16]++; return table[(n + 1) % 16]; }
int library_entry(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += helper(i); return sum; }`
	linked := compile(t, "linked.c", source, "-shared", "-fPIC")
	opened := compile(t, "opened.c", strings.ReplaceAll(strings.ReplaceAll(source, "library_entry", "opened_entry"),
		"helper", "aide"), "-shared", "-fPIC")
	program := compile(t, "user.c", `
#include <dlfcn.h>
#include <stdlib.h>
int library_entry(int);
static int own;
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(int argc, char **argv)
{
    int numbers[8] = {5, 2, 7, 1, 8, 4, 3, 6};
    void *h = dlopen(argv[1], RTLD_NOW);
    int (*entry)(int) = dlsym(h, "opened_entry");
    qsort(numbers, 8, sizeof *numbers, compare);
    own = library_entry(50) + entry(60);
    return own > 0 ? 0 : 1;
}`, linked, "-Wl,-rpath,"+filepath.Dir(linked))
	for _, test := range []struct {
		only      []string
		functions string // every one that has references, and no other
		table     int    // references to table
	}{
		{[]string{"helper"}, "helper", 3 * 50},
		{[]string{"linked.c"}, "helper library_entry", 3 * 50},
		{[]string{"linked"}, "helper library_entry", 3 * 50},
		{[]string{"aide"}, "aide", 3 * 60},
		{[]string{"*/opened.c"}, "aide opened_entry", 3 * 60},
		{[]string{"library_entry", "compare"}, "compare library_entry", 0},
		{[]string{"program", "aide"}, "aide compare main", 3 * 60},
	} {
		t.Run(strings.Join(test.only, ","), func(t *testing.T) {
			m := run(t, Options{Program: program, Args: []string{opened}, Only: test.only})
			if m.ExitCode != 0 || len(m.Notes) > 0 {
				t.Fatalf("exit %d, notes %q", m.ExitCode, m.Notes)
			}
			want := map[string]bool{}
			for _, f := range strings.Fields(test.functions) {
				want[f] = true
			}
			names, seen, table := m.functions(), map[string]bool{}, 0
			spans := m.spans("table")
			m.each(t, func(a traceio.Access) {
				name := names[a.PC]
				seen[name] = true
				if want[name] && inSpans(spans, a.Addr) {
					table++
				}
			})
			for f := range want {
				if !seen[f] {
					t.Errorf("no reference of %s", f)
				}
				delete(seen, f)
			}
			for f := range seen {
				if test.only[0] != "program" && test.only[0] != "linked" { // a module has its start-up code, too
					t.Errorf("references of %q", f)
				}
			}
			if table != test.table {
				t.Errorf("%d references to the table, want %d", table, test.table)
			}
		})
	}
}

// TestOnlyMadeCode: code that a program writes into memory and runs is chosen by the word jit, alone or with other
// code, and has the name that the program gives it in a perf map.
func TestOnlyMadeCode(t *testing.T) {
	t.Parallel()
	program := compile(t, "maker.c", `
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static long cell = 7, other;
int main(int argc, char **argv)
{
    static const unsigned char code[] = {0x48, 0x8b, 0x07, 0xc3}; /* mov (%rdi),%rax; ret */
    unsigned char *made = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(made, code, sizeof code);
    for (int i = 0; i < 30; i++) other += ((long (*)(long *))made)(&cell);
    char map[4096];
    snprintf(map, sizeof map, "%s/perf-%d.map", argv[1], getpid());
    FILE *f = fopen(map, "w");
    if (f) { fprintf(f, "%lx %zx JS:*fetch made.js:3:1\n", (long)made, sizeof code); fclose(f); }
    return other == 210 ? 0 : 1;
}`)
	for _, only := range [][]string{{"jit"}, {"jit", "main"}} {
		t.Run(strings.Join(only, ","), func(t *testing.T) {
			maps := t.TempDir()
			m := run(t, Options{Program: program, Args: []string{maps}, Only: only, Maps: maps})
			if m.ExitCode != 0 || len(m.Notes) > 0 {
				t.Fatalf("exit %d, notes %q", m.ExitCode, m.Notes)
			}
			made, inside, outside := map[traceio.Addr]bool{}, 0, 0
			m.each(t, func(a traceio.Access) {
				if slices.ContainsFunc(m.rec.Program().Modules,
					func(mod traceio.Module) bool { return a.PC >= mod.Low && a.PC < mod.High }) {
					outside++
					return
				}
				inside++
				made[a.PC] = true
			})
			if inside != 60 || len(made) != 2 || (outside > 0) != (len(only) > 1) { // it loads the cell and where to return to
				t.Errorf("%d references of %d instructions in the code made, want 60 of 2; %d of other code", inside,
					len(made), outside)
			}
			for pc := range made {
				if s := m.rec.Program().SiteAt(pc); s == nil || s.Own().Function != "fetch" {
					t.Errorf("the code made at %v is called %+v, want fetch as the perf map says", pc, s)
				}
			}
		})
	}
}

// TestOnlyOnRealPrograms: the options work on programs as the distribution ships them, without debug information.
func TestOnlyOnRealPrograms(t *testing.T) {
	t.Parallel()
	sort, err := exec.LookPath("sort")
	if err != nil {
		t.Fatal(err)
	}
	// else it asks how much memory and how many processors are free
	args := []string{"--parallel=1", "--buffer-size=1M", "only_test.go"}
	whole := run(t, Options{Program: sort, Args: args})
	program := run(t, Options{Program: sort, Args: args, Only: []string{"program"}})
	libc := run(t, Options{Program: sort, Args: args, Only: []string{"libc"}})
	heap := run(t, Options{Program: sort, Args: args, Only: []string{"malloc", "free"}})
	if program.stdout != whole.stdout || len(program.stdout) < 1000 {
		t.Error("the program's output differs")
	}
	count := func(m made, module string) (in, out int) {
		mods := m.rec.Program().Modules
		m.each(t, func(a traceio.Access) {
			for _, mod := range mods {
				if a.PC >= mod.Low && a.PC < mod.High {
					switch name := filepath.Base(mod.Path) + "."; {
					case strings.HasPrefix(name, module+"."):
						in++
					// the loader has a malloc of its own
					case module == "libc" && m.Path == heap.Path && strings.HasPrefix(name, "ld-"):
					default:
						out++
					}
				}
			}
		})
		return in, out
	}
	for _, c := range []struct {
		m      made
		module string
	}{{program, "sort"}, {libc, "libc"}, {heap, "libc"}} {
		in, out := count(c.m, c.module)
		all, _ := count(whole, c.module)
		near := max(20, all/1000) // what the system answers may differ a little from one run to the next
		if in == 0 || out != 0 || in > all+near || c.module == "sort" && in < all-near {
			t.Errorf("%s: %d references in it, %d elsewhere; the whole recording has %d, the file %d", c.module, in,
				out, all, c.m.Refs)
		}
	}
	if in, _ := count(heap, "libc"); in < 100 || uint64(in) >= libc.Refs {
		t.Errorf("malloc and free make %d references, all of libc %d", in, libc.Refs)
	}
}

// functions names the innermost function of every instruction.
func (m made) functions() map[traceio.Addr]string {
	out := map[traceio.Addr]string{}
	for _, s := range m.rec.Program().Sites {
		if len(s.Frames) > 0 {
			out[s.PC] = s.Frames[0].Function
		}
	}
	return out
}

// spans are the places of all variables of a name.
func (m made) spans(name string) (out []traceio.Global) {
	for _, g := range m.rec.Program().Globals {
		if g.Name == name {
			out = append(out, g)
		}
	}
	return out
}

func inSpans(spans []traceio.Global, a traceio.Addr) bool {
	for _, g := range spans {
		if a >= g.Addr && a < g.Addr+traceio.Addr(g.Size) {
			return true
		}
	}
	return false
}

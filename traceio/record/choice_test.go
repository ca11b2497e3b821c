package record

import (
	"debug/elf"
	"testing"

	"orrery/traceio"
)

// TestChoice: --only and --from select what they say.
func TestChoice(t *testing.T) {
	t.Parallel()
	program := compile(t, "choice.c", `
#include <stdio.h>
#include <stdlib.h>
static volatile int a, b, c;
static inline __attribute__((always_inline)) void inlined(void) { c++; }
static void inner(void) { a++; }
static void outer(int n) { for (int i = 0; i < n; i++) { inner(); b++; inlined(); } }
int main(void)
{
    b++;
    outer(10);
    outer(20);
    b++;
    printf("done\n");
    return 0;
}`)
	for _, test := range []struct {
		name    string
		only    []string
		from    string
		max     uint64
		a, b, c int // references expected to each
		note    string
	}{
		{"everything", nil, "", 0, 60, 64, 60, ""},
		{"program", []string{"program"}, "", 0, 60, 64, 60, ""},
		{"module", []string{"choice"}, "", 0, 60, 64, 60, ""},
		{"file", []string{"choice.c"}, "", 0, 60, 64, 60, ""},
		{"function", []string{"inner"}, "", 0, 60, 0, 0, ""},
		{"two", []string{"inner", "main"}, "", 0, 60, 4, 0, ""},
		{"inlined", []string{"inlined"}, "", 0, 0, 0, 60, ""},
		{"glob", []string{"*ner"}, "", 0, 60, 0, 0, ""},
		{"library", []string{"libc"}, "", 0, 0, 0, 0, ""},
		{"typing error", []string{"innner"}, "", 0, 0, 0, 0, `is called "innner"; --only takes the whole name`},
		{"line", []string{"choice.c:10"}, "", 0, 0, 0, 0, "--only takes no line, but the file choice.c or a function"},
		{"from", nil, "outer", 0, 20, 20, 20, ""},
		{"from and only", []string{"inner"}, "outer", 0, 20, 0, 0, ""},
		{"from main", []string{"program"}, "main", 0, 60, 64, 60, ""},
		{"from never", nil, "nothing", 0, 0, 0, 0,
			`no function of the program or its libraries is called "nothing", so no reference was recorded; --from takes its whole name`},
		{"limit", []string{"inner"}, "", 7, 3, 0, 0, "stopped after 7 references"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := run(t, Options{Program: program, Only: test.only, From: test.from, MaxRefs: test.max})
			if m.stdout != "done\n" {
				t.Errorf("the program wrote %q", m.stdout)
			}
			low := map[traceio.Addr]int{}
			m.each(t, func(a traceio.Access) { low[a.Addr]++ })
			count := func(name string) int {
				if m.Refs == 0 || test.name == "library" {
					return 0
				}
				return low[m.global(t, name).Addr]
			}
			if a, b, c := count("a"), count("b"), count("c"); a != test.a || b != test.b || c != test.c {
				t.Errorf("a %d, b %d, c %d; want %d, %d, %d", a, b, c, test.a, test.b, test.c)
			}
			if (test.note == "") != (len(m.Notes) == 0) || !m.noted(test.note) {
				t.Errorf("notes %q, want %q", m.Notes, test.note)
			}
			if test.max > 0 && m.Refs != test.max {
				t.Errorf("%d references", m.Refs)
			}
		})
	}
}

// TestFromMainOfStripped: main is found in a program without symbols, however it is linked, and only there.
func TestFromMainOfStripped(t *testing.T) {
	const source = `
#include <stdlib.h>
static volatile int counter;
__attribute__((constructor)) static void before(void) { counter = 5; }
__attribute__((destructor)) static void after(void) { counter = 6; }
int main(void) { for (int i = 0; i < 1000; i++) counter++; return 0; }`
	for name, flags := range map[string][]string{"pie": {"-pie"}, "fixed": {"-no-pie"}, "static": {"-static"},
		"optimised": {"-O2"}} {
		stripped := compile(t, name+".c", source, append(flags, "-s")...)
		plain := compile(t, name+".c", source, flags...)
		got, want := run(t, Options{Program: stripped, From: "main"}), run(t, Options{Program: plain, From: "main"})
		if got.Refs != want.Refs || got.Refs < 2000 || len(got.Notes) != len(want.Notes) {
			t.Errorf("%s: %d references, %q, with symbols %d, %q", name, got.Refs, got.Notes, want.Refs, want.Notes)
		}
		f, err := elf.Open(plain)
		if err != nil {
			t.Fatal(err)
		}
		at, ok := mainOf(f)
		for _, s := range functions(f) {
			if s.Name == "main" && (!ok || at != s.Value) {
				t.Errorf("%s: main at %#x, %v, want %#x", name, at, ok, s.Value)
			}
		}
		f.Close()
	}
	other, err := elf.Open(compile(t, "other.c", "void _start(void) { for (;;) ; }", "-nostdlib", "-static", "-s"))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if at, ok := mainOf(other); ok {
		t.Errorf("a program without main has one at %#x", at)
	}
}

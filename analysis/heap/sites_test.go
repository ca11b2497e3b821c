package heap

import (
	"slices"
	"testing"

	"orrery/traceio"
)

// In programs without symbols the place in the program says more than the C library's code that called main.
func TestSitesOfStrippedPrograms(t *testing.T) {
	libc := traceio.Frame{Function: "__libc_start_call_main",
		File: "/usr/src/libc.so.6/sysdeps/nptl/libc_start_call_main.h", Line: 58}
	p := &traceio.Program{
		Modules: []traceio.Module{{Path: "/usr/lib/libc.so.6", Low: 0x9000, High: 0xa000}, {Path: "/home/u/list", Main: true,
			Bias: 0x4000, Low: 0x4000, High: 0x6000},
			{Path: "/home/u/libpush.so", Bias: 0x7000, Low: 0x7000, High: 0x8000}},
		Stacks: [][]traceio.Addr{nil, {0x9010, 0x5235, 0x9021}, {0x7100, 0x5240, 0x9021}, {0x9021}, {0x5250, 0x5260}},
		Sites: []traceio.Site{
			{PC: 0x5234, Module: 1}, {PC: 0x523f, Module: 1}, {PC: 0x524f, Module: 1},
			{PC: 0x525f, Module: 1, Frames: []traceio.Frame{{Function: "_start"}}}, {PC: 0x70ff, Module: 2},
			{PC: 0x900f, Module: 0, Frames: []traceio.Frame{{Function: "strdup"}}},
			{PC: 0x9020, Module: 0, Frames: []traceio.Frame{libc}},
		},
	}
	var log []traceio.Alloc
	for i := range 4 {
		log = append(log, traceio.Alloc{Seq: traceio.Seq(i), Addr: traceio.Addr(0x1000 + 0x100*i), Size: uint64(100 - i),
			Stack: traceio.StackID(i + 1)})
	}
	h := analyze(t, log, 20, p)
	var got []string
	for i := range h.Sites {
		got = append(got, h.Sites[i].Name())
	}
	if want := []string{"list+0x1235", "libpush.so+0x100", "libc_start_call_main.h:58",
		"list+0x1250"}; !slices.Equal(got, want) {
		t.Errorf("sites %q, want %q", got, want)
	}
}

// Without the program's files, as in a log that came from elsewhere, places are told apart by the addresses that calls
// return to.
func TestSitesWithoutFiles(t *testing.T) {
	p := &traceio.Program{
		Modules: []traceio.Module{{Path: "./nowhere/list", Main: true, Bias: 0x4000, Low: 0x4000, High: 0x6000},
			{Path: "/usr/lib/libnone.so.1", Bias: 0x8000, Low: 0x8000, High: 0x9000}},
		Stacks: [][]traceio.Addr{nil, {0x5235}, {0x5299}, {0x8010}, {0x8010, 0x5235}, {0x7777}, {0x7778},
			{0x7777, 0x8011}, {0}},
	}
	var log []traceio.Alloc
	for i := range len(p.Stacks) {
		log = append(log, traceio.Alloc{Addr: traceio.Addr(0x1000 + 0x100*i), Size: 10, Stack: traceio.StackID(i)})
	}
	h := analyze(t, log, 10, p)
	want := []string{"unknown code", "list+0x1235", "list+0x1299", "libnone.so.1+0x10", "list+0x1235", "0x7777", "0x7778",
		"libnone.so.1+0x11", "unknown code"}
	for i, name := range want {
		if got := h.Sites[h.SiteOf(i)].Name(); got != name {
			t.Errorf("stack %x is %q, want %q", p.Stacks[i], got, name)
		}
	}
}

// What a library allocates without saying in which function is the library's, not of the loader that called it; the
// program's own calls say more all the same, and so does a function of the same library.
func TestSitesOfNamelessLibraries(t *testing.T) {
	init := traceio.Frame{Function: "call_init", File: "/usr/src/ld.so/elf/dl-init.c", Line: 74}
	p := &traceio.Program{
		Modules: []traceio.Module{{Path: "/usr/lib/libstdc++.so.6", Low: 0x8000, High: 0x9000},
			{Path: "/usr/lib/ld-linux.so.2", Low: 0x9000, High: 0xa000},
			{Path: "/home/u/list", Main: true, Low: 0x4000, High: 0x6000}},
		Stacks: [][]traceio.Addr{nil, {0x8011, 0x9011}, {0x8011, 0x5001}, {0x8011, 0x8021, 0x9011}, {0x8031, 0x9011},
			{0x8041, 0x8011, 0x9011}},
		Sites: []traceio.Site{
			{PC: 0x5000, Module: 2, Frames: []traceio.Frame{{Function: "push", File: "list.c", Line: 3}}},
			{PC: 0x8010, Module: 0}, {PC: 0x8020, Module: 0, Frames: []traceio.Frame{{Function: "std::locale::classic()"}}},
			{PC: 0x8040, Module: 0, Frames: []traceio.Frame{{Function: "operator new(unsigned long)"}}},
			{PC: 0x9010, Module: 1, Frames: []traceio.Frame{init}},
		},
	}
	for stack, want := range map[traceio.StackID]string{1: "libstdc++.so.6", 2: "list.c:3", 3: "std::locale::classic",
		4: "libstdc++.so.6+0x8031", 5: "libstdc++.so.6"} {
		h := analyze(t, []traceio.Alloc{{Addr: 0x1000, Size: 10, Stack: stack}}, 10, p)
		if got := h.Sites[0].Name(); got != want {
			t.Errorf("stack %x is %q, want %q", p.Stacks[stack], got, want)
		}
	}
}

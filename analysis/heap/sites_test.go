package heap

import (
	"slices"
	"testing"

	"orrery/traceio"
)

// In programs without symbols the place in the program says more than the C library's code that called main.
func TestSitesOfStrippedPrograms(t *testing.T) {
	libc := traceio.Frame{Function: "__libc_start_call_main", File: "/usr/src/libc.so.6/sysdeps/nptl/libc_start_call_main.h", Line: 58}
	p := &traceio.Program{
		Modules: []traceio.Module{{Path: "/usr/lib/libc.so.6", Low: 0x9000, High: 0xa000}, {Path: "/home/u/list", Main: true, Bias: 0x4000, Low: 0x4000, High: 0x6000},
			{Path: "/home/u/libpush.so", Bias: 0x7000, Low: 0x7000, High: 0x8000}},
		Stacks: [][]traceio.Addr{nil, {0x9010, 0x5235, 0x9021}, {0x7100, 0x5240, 0x9021}, {0x9021}, {0x5250, 0x5260}},
		Sites: []traceio.Site{
			{PC: 0x5234, Module: 1}, {PC: 0x523f, Module: 1}, {PC: 0x524f, Module: 1}, {PC: 0x525f, Module: 1, Frames: []traceio.Frame{{Function: "_start"}}}, {PC: 0x70ff, Module: 2},
			{PC: 0x900f, Module: 0, Frames: []traceio.Frame{{Function: "strdup"}}}, {PC: 0x9020, Module: 0, Frames: []traceio.Frame{libc}},
		},
	}
	var log []traceio.Alloc
	for i := range 4 {
		log = append(log, traceio.Alloc{Seq: traceio.Seq(i), Addr: traceio.Addr(0x1000 + 0x100*i), Size: uint64(100 - i), Stack: traceio.StackID(i + 1)})
	}
	h := analyze(t, log, 20, p)
	var got []string
	for i := range h.Sites {
		got = append(got, h.Sites[i].Name())
	}
	if want := []string{"list+0x1235", "libpush.so+0x100", "libc_start_call_main.h:58", "list+0x1250"}; !slices.Equal(got, want) {
		t.Errorf("sites %q, want %q", got, want)
	}
}

package heap

import (
	"testing"

	"orrery/traceio"
)

// faulty is a log with errors of most kinds, of stacks that end in modules, functions and lines.
func faulty(t *testing.T) *Heap {
	prog := &traceio.Program{
		Modules: []traceio.Module{{Path: "/home/u/list", Low: 0x400000, High: 0x500000, Bias: 0x400000, Main: true}},
		Stacks:  [][]traceio.Addr{nil, {0x401001}, {0x402001}, {0x403001}, {0x900000}},
		Sites: []traceio.Site{
			{PC: 0x401000, Frames: []traceio.Frame{{Function: "push(int)", File: "/home/u/list.c", Line: 22}}},
			{PC: 0x402000, Frames: []traceio.Frame{{Function: "drop"}}},
		},
	}
	at := func(e traceio.Alloc, stack traceio.StackID) traceio.Alloc { e.Stack = stack; return e }
	return analyze(t, []traceio.Alloc{
		at(malloc(0, 0x1000, 32), 1), at(free(0, 0x1000), 2), at(free(0, 0x1000), 1), at(free(0, 0x9999), 2), // 2, 3
		// 4, 5, 6
		at(malloc(0, 0x3000, 1<<60), 3), at(malloc(0, ^traceio.Addr(15), 32), 4), at(malloc(0, 0x5000, ^uint64(15)), 0),
		malloc(0, 0x6000, 0), malloc(0, 0x7000, 64), malloc(0, 0x6ff0, 64), free(0, 0x7008), // 9, 10
	}, 0, prog)
}

// TestErrorsSayWhere: each error is told apart, found again, and says what it is and which place in the program made
// it.
func TestErrorsSayWhere(t *testing.T) {
	h := faulty(t)
	want := []struct {
		name, where, what, doubt string
		block                    int
	}{
		{"double-free at event 2", "push at list.c:22", "freed a second time", "", 0},
		{"unknown-free at event 3", "drop", "freed, but never allocated", "", -1},
		{"huge-block at event 4", "list+0x3001", "allocated with more bytes than there can be",
			"more than all memory; the block counts with none", 1},
		{"huge-block at event 5", "0x900000", "allocated with more bytes than there are from there on",
			"which would reach beyond the last address; the block counts with none", 2},
		{"negative-size at event 6", "", "allocated with a negative size", "less than nothing; the block counts with none",
			3},
		{"overlap at event 9", "", "allocated on top of a live block", "", 5},
		{"inner-free at event 10", "", "freed, but it lies inside a block", "", 5},
	}
	if len(h.Errors) != len(want) {
		t.Fatalf("errors %+v", h.Errors)
	}
	for i, row := range want {
		e := &h.Errors[i]
		caller := h.Caller(e.Stack)
		if e.Name() != row.name || caller.Where() != row.where || e.What() != row.what || e.Doubt() != row.doubt ||
			e.Block != row.block {
			t.Errorf("error %d is %q in %q: %q, %q, block %d", i, e.Name(), caller.Where(), e.What(), e.Doubt(), e.Block)
		}
		if at := h.FindError(e.Name(), e.Block); at != i {
			t.Errorf("%q is found as %d, want %d", e.Name(), at, i)
		}
		if at := h.ErrorsAt(e.Event); len(at) != 1 || at[0] != *e {
			t.Errorf("at event %d are %+v", e.Event, at)
		}
	}
	for _, name := range []string{"", "double-free", "double-free at event ", "double-free at event 3",
		"overlap at event 2", "double-free at event 99", "double-free at event -7", "double-free at event 2x"} {
		if at := h.FindError(name, 0); at >= 0 {
			t.Errorf("%q is found as %d", name, at)
		}
	}
	if at := h.FindError("double-free at event 2", 1); at >= 0 {
		t.Errorf("of another block error %d is found", at)
	}
	for event := range h.Len() {
		n := 0
		for _, e := range h.Errors {
			if e.Event == event {
				n++
			}
		}
		if at := h.ErrorsAt(event); len(at) != n {
			t.Errorf("at event %d are %+v, want %d", event, at, n)
		}
	}
}

// TestDoubted: of blocks that count with no bytes those are told apart that asked for none.
func TestDoubted(t *testing.T) {
	h := faulty(t)
	for id, want := range []string{"", "huge-block at event 4", "huge-block at event 5",
		"negative-size at event 6", "", "", ""} {
		got := ""
		if e := h.Doubted(id); e != nil {
			got = e.Name()
		}
		if got != want {
			t.Errorf("block %d of %d bytes is doubted for %q, want %q", id, h.Size(id), got, want)
		}
	}
}

// TestUnnamed: a call of which nothing is known lies in a module, or at an address.
func TestUnnamed(t *testing.T) {
	prog := faulty(t).Program
	for ret, want := range map[traceio.Addr]string{0x401313: "list+0x1313", 0x700000: "0x700000", 0: ""} {
		if got := Unnamed(prog, ret); got != want {
			t.Errorf("%v is called %q, want %q", ret, got, want)
		}
	}
}

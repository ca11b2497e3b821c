package attribution

import (
	"math/rand/v2"
	"testing"

	"orrery/traceio"
)

func nothing(func(pc traceio.Addr, loads, stores uint64)) {}

func site(pc traceio.Addr, frames ...traceio.Frame) traceio.Site {
	return traceio.Site{PC: pc, Frames: frames}
}

func program() *traceio.Program {
	return &traceio.Program{Sites: []traceio.Site{
		site(10, traceio.Frame{Function: "main", File: "a.c", Line: 3}),
		site(14, traceio.Frame{Function: "main", File: "a.c", Line: 3}),
		site(20, traceio.Frame{Function: "swap", File: "/usr/include/c++/12/bits/move.h", Line: 200},
			traceio.Frame{Function: "main", File: "a.c", Line: 7}),
		site(30, traceio.Frame{Function: "memcpy"}),
		site(40, traceio.Frame{Function: "main", File: "a.c", Line: 1}),
	}}
}

func TestLinesAreRankedByUseAndAttributedToTheProject(t *testing.T) {
	var b traceio.Block
	for _, a := range []traceio.Access{
		{PC: 30}, {PC: 20, Kind: traceio.Store}, {PC: 20}, {PC: 20}, {PC: 10}, {PC: 14, Kind: traceio.Store}, {PC: 99},
		{PC: 10, Kind: traceio.Fetch},
	} {
		b.Append(a)
	}
	l := LinesOf(program(), func(add func(pc traceio.Addr, loads, stores uint64)) {
		for row, pc := range b.PC { // in parts as small as can be
			switch b.Kind[row] {
			case traceio.Load:
				add(pc, 1, 0)
			case traceio.Store:
				add(pc, 0, 1)
			}
		}
	})
	want := []struct {
		name          string
		loads, stores uint64
	}{{"a.c:7", 2, 1}, {"a.c:3", 1, 1}, {"memcpy", 1, 0}, {"a.c:1", 0, 0}}
	if l.Len() != len(want) {
		t.Fatalf("%d lines, want %d", l.Len(), len(want))
	}
	for i, w := range want {
		if got := l.At(int32(i)); got.Name() != w.name || got.Loads != w.loads || got.Stores != w.stores {
			t.Errorf("line %d is %s with %d loads, %d stores; want %s, %d, %d", i, got.Name(), got.Loads, got.Stores,
				w.name, w.loads, w.stores)
		}
	}
	if l.Find("a.c", 3) != 1 || l.Find("b.c", 3) != Unknown {
		t.Errorf("Find gives %d and %d", l.Find("a.c", 3), l.Find("b.c", 3))
	}
}

func TestLibrariesAreToldApart(t *testing.T) {
	p := &traceio.Program{
		Modules: []traceio.Module{{Path: "/home/u/prog", Main: true}, {Path: "/lib/libc.so.6"}, {Path: "/home/u/libown.so"}},
		Sites: []traceio.Site{
			{PC: 10, Module: 0, Frames: []traceio.Frame{{Function: "memcpy"}}},
			{PC: 20, Module: 1, Frames: []traceio.Frame{{Function: "memcpy"}}},
			{PC: 21, Module: 1, Frames: []traceio.Frame{{Function: "memcpy"}}},
			{PC: 30, Module: 2, Frames: []traceio.Frame{{Function: "memcpy"}}},
			{PC: 40, Module: 2, Frames: []traceio.Frame{{Function: "own", File: "/home/u/own.c", Line: 7}}},
			{PC: 50, Module: 1},
			{PC: 60, Module: -1},
			{PC: 70, Module: 1,
				Frames: []traceio.Frame{{Function: "qsort", File: "/usr/src/libc.so.6/stdlib/msort.c", Line: 5}}},
		},
	}
	l := LinesOf(p, nothing)
	for pc, want := range map[traceio.Addr][2]string{
		10: {"memcpy", "memcpy"}, 20: {"memcpy (libc.so.6)", "memcpy (libc.so.6)"},
		21: {"memcpy (libc.so.6)", "memcpy (libc.so.6)"},
		30: {"memcpy (libown.so)", "memcpy (libown.so)"}, 40: {"/home/u/own.c:7", "own"}, 50: {"libc.so.6", "libc.so.6"},
		60: {"unknown code", ""},
		70: {"/usr/src/libc.so.6/stdlib/msort.c:5", "qsort (libc.so.6)"},
	} {
		line := l.At(l.Of(pc))
		if got := [2]string{line.Name(), line.Code()}; got != want {
			t.Errorf("code at %d is %q, want %q", pc, got, want)
		}
	}
	if l.Len() != 7 {
		t.Errorf("%d lines, want 7", l.Len())
	}
}

// TestLookupIsOf compares the remembering look-up with the plain one on addresses that collide in its memory.
func TestLookupIsOf(t *testing.T) {
	l := LinesOf(program(), nothing)
	r := rand.New(rand.NewPCG(3, 4))
	look := l.Lookup()
	pcs := []traceio.Addr{0, 10, 14, 20, 30, 40, 1034, 10 + 1024, 10 ^ 1<<10, 99}
	for range 10_000 {
		pc := pcs[r.IntN(len(pcs))]
		if got, want := look.Of(pc), l.Of(pc); got != want {
			t.Fatalf("Lookup.Of(%v) = %d, Of gives %d", pc, got, want)
		}
	}
}

package region

import (
	"reflect"
	"testing"

	"orrery/analysis/heap"
	"orrery/traceio"
)

// jitBlock is what code at pc does: it walks data 300 times at every of heapAt, and stores to the stack below top and
// loads from it again, 40 times.
func jitBlock(pc, top traceio.Addr, heapAt ...traceio.Addr) *traceio.Block {
	b := &traceio.Block{}
	add := func(kind traceio.Kind, a traceio.Addr) {
		b.Append(traceio.Access{PC: pc, Addr: a, Size: 8, Kind: kind})
	}
	for _, a := range heapAt {
		for i := range traceio.Addr(300) {
			add(traceio.Load, a+8*i)
		}
	}
	for i := range traceio.Addr(40) {
		add(traceio.Store, top-8*(i%4))
		add(traceio.Load, top-8*(i%4))
	}
	return b
}

func TestMadeCode(t *testing.T) {
	const (
		jit, lib   = 0x7f0000001000, 0x400100
		top        = 0x4000000f00
		near, far  = 0x92e6871e000, 0xf3c9dc01000
		wide       = near + 9<<20
		constants  = jit + 0x800
		chunkOfFar = far &^ (chunk - 1)
	)
	node := []traceio.Module{{Path: "/usr/bin/node", Low: 0x400000, High: 0x500000}}
	java := []traceio.Module{{Path: "/usr/bin/app", Low: 0x400000, High: 0x500000},
		{Path: "/usr/lib/libjvm.so", Low: 0x600000, High: 0x700000}}
	for _, row := range []struct {
		name    string
		by      string
		modules []traceio.Module
		block   *traceio.Block
		enter   traceio.Addr
		want    map[traceio.Addr]string
	}{
		{"what is walked is the heap, what is stored to is the stack", "qemu", node, jitBlock(jit, top, near, wide, far), 0,
			map[traceio.Addr]string{near: "JavaScript heap", wide: "JavaScript heap", far: "JavaScript heap",
				chunkOfFar: "JavaScript heap", chunkOfFar - 1: "other", top: "stack", 0x400100: "node", jit: "compiled code"}},
		{"constants among the code", "qemu", node, jitBlock(jit, top, near, constants), 0,
			map[traceio.Addr]string{constants: "compiled code", near: "JavaScript heap", top: "stack"}},
		{"a mark is worth more than stores", "qemu", node, jitBlock(jit, top, near), near + 0x3000,
			map[traceio.Addr]string{near: "stack", top: "JavaScript heap"}},
		{"whose heap it is", "qemu", java, jitBlock(jit, top, near), 0, map[traceio.Addr]string{near: "Java heap",
			top: "stack", 0x600000: "libjvm.so"}},
		{"of nobody known", "qemu", java[:1], jitBlock(jit, top, near), 0,
			map[traceio.Addr]string{near: "managed heap", top: "stack"}},
		{"code of a module makes none", "qemu", node, jitBlock(lib, top, near), 0,
			map[traceio.Addr]string{near: "stack", top: "other"}},
		{"of another's trace not all modules are known", "lackey", node, jitBlock(jit, top, near), 0,
			map[traceio.Addr]string{jit: "other", top: "other", near: "other"}},
		{"of unknown modules nothing is said", "qemu", nil, jitBlock(jit, top, near), 0,
			map[traceio.Addr]string{near: "stack", top: "other"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if row.enter != 0 {
				row.block.Marks = []traceio.Mark{{Kind: traceio.Enter, Value: uint64(row.enter)}}
			}
			prog := &traceio.Program{Recorder: row.by, Modules: row.modules}
			s := NewSample(prog)
			s.Add(row.block)
			hints := s.Hints(nil)
			m := New(prog, nil, hints)
			for a, want := range row.want {
				if got, _ := m.At(a, 0); got.Name != want {
					t.Errorf("%v is %q, want %q; found %+v", a, got.Name, want, hints)
				}
			}
			if back := New(prog, nil, Hints{Stacks: hints.Stacks, Made: hints.Made}); !reflect.DeepEqual(back.Regions(),
				m.Regions()) {
				t.Errorf("made again of its hints it has %+v, was %+v", back.Regions(), m.Regions())
			}
		})
	}
}

// TestMadeCodeLeavesTheHeapAlone: what is rounded to the pages of a heap of made code does not reach over blocks and
// the allocator's memory around them.
func TestMadeCodeLeavesTheHeapAlone(t *testing.T) {
	prog := &traceio.Program{Recorder: "qemu", Modules: []traceio.Module{{Path: "node", Low: 0x400000, High: 0x500000}}}
	b := jitBlock(0x7f0000001000, 0x4000000f00, 0x9010000)
	h, err := heap.Analyze(t.Context(), []traceio.Alloc{{Addr: 0x9000000, Size: 0x100}}, 1000, prog, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := NewSample(prog)
	s.Add(b)
	m := New(prog, h, s.Hints(h))
	for a, want := range map[traceio.Addr]string{0x9000000: "heap", 0x9000108: "allocator", 0x9010000: "JavaScript heap"} {
		if got, _ := m.At(a, 1); got.Name != want {
			t.Errorf("%v is %q, want %q", a, got.Name, want)
		}
	}
}

package heapmap

import (
	"context"
	"math/rand/v2"
	"testing"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/views/scene"
)

// program has a stack for each of a few functions.
func program() *traceio.Program {
	prog := &traceio.Program{Stacks: [][]traceio.Addr{nil}}
	for i, n := range []string{"list_push", "buffer_grow", "parse_line", "table_insert", "load_image", "cache_put",
		"intern", "node_split", "arena_new", "tmp_name", "join"} {
		pc := traceio.Addr(0x401000 + 16*i)
		file := "/home/u/src/" + []string{"list.c", "buf.c", "parse.c", "table.c"}[i%4]
		prog.Sites = append(prog.Sites,
			traceio.Site{PC: pc, Frames: []traceio.Frame{{Function: n, File: file, Line: 22 + 7*i}}})
		prog.Stacks = append(prog.Stacks, []traceio.Addr{pc + 1})
	}
	return prog
}

// build analyses a log of that program.
func build(t testing.TB, log []traceio.Alloc, end traceio.Seq) *heap.Heap {
	t.Helper()
	h, err := heap.Analyze(context.Background(), log, end, program(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// story is a heap with everything that a picture should show: long-lived blocks, a ramp of list nodes of which some
// stay, short-lived scratch blocks and a few mapped buffers far away.
func story(t testing.TB) *heap.Heap {
	r := rand.New(rand.NewPCG(1, 2))
	var log []traceio.Alloc
	seq := traceio.Seq(0)
	add := func(a traceio.Addr, size uint64, stack int) {
		log = append(log, traceio.Alloc{Seq: seq, Addr: a, Size: size, Usable: (size+8+15)/16*16 - 8,
			Stack: traceio.StackID(stack)})
	}
	free := func(a traceio.Addr) {
		log = append(log, traceio.Alloc{Seq: seq, Addr: a, Op: traceio.Free, Stack: 3})
	}
	var long, nodes []traceio.Addr
	top := traceio.Addr(0x4052a0)
	for i := range 14 {
		add(top, uint64(900+r.IntN(900)), 1+i%3*4)
		long = append(long, top)
		top += 2048
		seq += 30
	}
	for range 220 {
		add(top, 56, 4)
		nodes = append(nodes, top)
		top += 80
		seq += 6
	}
	seq += 400
	for i, a := range nodes {
		if i%17 != 3 {
			free(a)
		}
		seq += 4
		if i%3 == 0 {
			b := top + traceio.Addr(i/3)*512
			add(b, uint64(20+r.IntN(400)), 2+r.IntN(9))
			seq += traceio.Seq(r.IntN(40))
			free(b)
		}
	}
	for i := range 10 {
		a := 0x7f2a00000010 + traceio.Addr(i)*0x30000
		add(a, 0x28000, 5)
		seq += 200
		if i%3 == 1 {
			free(a)
		}
	}
	for i, a := range long {
		if i%3 == 0 {
			free(a)
		}
		seq += 50
	}
	return build(t, log, seq+300)
}

// crowd is a legal heap of about n blocks in two places, many of them smaller than a pixel.
func crowd(t testing.TB, n int, seed uint64) *heap.Heap {
	r := rand.New(rand.NewPCG(seed, 3))
	log := make([]traceio.Alloc, 0, 2*n)
	slots := max(16, n/12)
	live := make([]bool, slots)
	seq := traceio.Seq(0)
	for made := 0; made < n; {
		seq += traceio.Seq(r.IntN(3))
		k := int(float64(slots) * r.Float64() * r.Float64())
		a := traceio.Addr(0x10000 + 128*k)
		if k%5 == 0 {
			a += 64 << 20
		}
		if live[k] {
			log = append(log, traceio.Alloc{Seq: seq, Addr: a, Op: traceio.Free, Stack: traceio.StackID(k % 4)})
		} else {
			size := uint64(r.IntN(128))
			log = append(log, traceio.Alloc{Seq: seq, Addr: a, Size: size, Usable: 128, Stack: traceio.StackID(k % 12),
				Thread: traceio.Thread(k % 3)})
			made++
		}
		live[k] = !live[k]
	}
	return build(t, log, seq+10)
}

// blocksOf is all blocks of a heap, by number: twins go through them again and again.
func blocksOf(h *heap.Heap) []heap.Block {
	out := make([]heap.Block, h.Count())
	for i := range out {
		out[i] = h.Block(i)
	}
	return out
}

// legendOf is the classes of a state that no renderer has drawn.
func legendOf(s State) []Entry {
	if s.Heap == nil || s.Color >= Size {
		return nil
	}
	return newColoring(&s).entries
}

// hitAt tells what lies at p in a state that no renderer has drawn.
func hitAt(s State, size scene.Size, p scene.Point) Target { return new(Renderer).Hit(s, size, p) }

package heapmap

import (
	"context"
	"slices"
	"strings"
	"testing"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/views/palette"
	"orrery/views/scene"
)

// family is a heap of two processes that use the same addresses.
func family(t *testing.T) *heap.Heap {
	var log []traceio.Alloc
	for i := range 20 {
		for k := range 2 {
			at, ok := traceio.Addr(0x4a40040 + 64*i).In(k)
			if !ok {
				t.Fatal("no address of a process")
			}
			log = append(log, traceio.Alloc{Seq: traceio.Seq(len(log)), Addr: at, Size: uint64(40 - 20*k),
				Thread: traceio.Thread(k)})
		}
	}
	prog := &traceio.Program{Stacks: [][]traceio.Addr{nil},
		Processes: []traceio.Process{{ID: 4711, Command: []string{"/usr/bin/make", "all"}}, {ID: 4712}}}
	h, err := heap.Analyze(context.Background(), log, 100, prog, nil)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// Blocks of several processes are told apart by colour and by words, and their addresses are those of their process.
func TestProcesses(t *testing.T) {
	s := State{Theme: palette.Dark(), Heap: family(t), Color: Process}
	if !slices.Contains(Colors(s), Process) {
		t.Error("processes are no colours of a heap that has two")
	}
	got := legendOf(s)
	if len(got) != 2 || got[0].Name != "process 4711  make" || got[1].Name != "process 4712" || got[0].Blocks != 20 ||
		got[1].Bytes != 400 || got[0].Color == got[1].Color {
		t.Errorf("the legend is %v", got)
	}
	for id, want := range []string{"0x4a40040, from 0, process 4711  make", "0x4a40040, from 1, process 4712"} {
		if lines := Describe(s, id); lines[len(lines)-1] != want {
			t.Errorf("block %d: %q, want %q", id, lines[len(lines)-1], want)
		}
	}
	c := newColoring(&s)
	for i, id := range s.Heap.Order() {
		if int(c.class[i]) != int(id)%2 {
			t.Errorf("block %d is of class %d", id, c.class[i])
		}
	}
	starts := 0
	for _, x := range Scene(s, scene.Size{W: 700, H: 400, Scale: 1}).Shapes {
		if x, ok := x.(scene.Text); ok && strings.HasSuffix(x.S, "4a40040") && strings.HasPrefix(x.S, "0x4a") {
			starts++
		}
	}
	if starts != 2 {
		t.Errorf("%d addresses of the axis are those of a process", starts)
	}
	alone := State{Theme: palette.Dark(), Heap: story(t), Color: Process}
	if slices.Contains(Colors(alone), Process) || len(legendOf(alone)) != 1 {
		t.Errorf("a single process has the colours %v and the legend %v", Colors(alone), legendOf(alone))
	}
}

// Pages of bins tell in which order addresses are handed out, and agree with the bursts.
func TestOrderOnPages(t *testing.T) {
	h := story(t)
	orders := h.Orders(h.Bursts())
	s, size := State{Theme: palette.Dark(), Heap: h, Page: AddressPage}, scene.Size{W: 1900, H: 900, Scale: 1}
	cells, _, _ := grid(&s, size)
	titles, told := 0, 0
	for _, x := range Scene(s, size).Shapes {
		if x, ok := x.(scene.Text); ok && strings.Contains(x.S, " % up") {
			titles++
		}
	}
	for i := range cells {
		c := &cells[i]
		o := &orders[c.bin]
		if o.Steps > 0 {
			told++
		}
		got := hitAt(s, size, scene.Point{X: c.title.X + 4, Y: c.title.Y - 4})
		if got.Part != BinTitle || !slices.Contains(got.Lines, describeOrder(o)) {
			t.Errorf("the title of bin %d answers %q", c.bin, got.Lines)
		}
	}
	if told == 0 || titles != told {
		t.Errorf("%d titles tell the order of %d bins with bursts", titles, told)
	}
	o := heap.Order{Bursts: [3]int{12, 3, 1}, Up: 54, Steps: 100}
	if got := describeOrder(&o); got != "bursts of 16 or more: 3 up, 1 down, 12 mixed; 54 % of steps go up" {
		t.Errorf("the order is told as %q", got)
	}
	if got := describeOrder(&heap.Order{}); got != "never 16 blocks in a row" {
		t.Errorf("no order is told as %q", got)
	}
}

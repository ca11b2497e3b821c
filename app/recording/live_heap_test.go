package recording

import (
	"context"
	"io"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"orrery/app/shell"
	"orrery/traceio/record"
	"orrery/traceio/record/preload"
	"orrery/views/scene"
)

// TestLiveHeapGrows records the allocations of a program that waits between its steps: the heap is drawn, and grows,
// while the program runs.
func TestLiveHeapGrows(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "steps")
	source := filepath.Join("..", "..", "traceio", "record", "preload", "testdata", "steps.c")
	if out, err := exec.Command("gcc", "-O1", "-g", "-fno-builtin", "-pthread", "-o", program,
		source).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s; the tests need: sudo apt install gcc libc6-dev", err, out)
	}
	in, step := io.Pipe()
	defer step.Close()
	next := func(line string) {
		if _, err := io.WriteString(step, line); err != nil {
			t.Error(err)
		}
	}
	running, over := make(chan string, 1), make(chan error, 1)
	go func() {
		_, err := preload.Run(context.Background(), record.Options{
			Program: program, Output: filepath.Join(dir, "steps.orr"), Stdin: in, Stdout: io.Discard,
			Running: func(path string) { running <- path },
		}, nil)
		over <- err
	}()
	next("300\n")
	path := ""
	select {
	case path = <-running:
	case err := <-over:
		t.Fatalf("the recording is over before it runs: %v", err)
	}
	b := begin(t, path)
	size := scene.Size{W: 500, H: 300, Scale: 1}
	b.until("the first step is seen", func() bool { return b.rec.Heap.Count() >= 600 })
	if !b.rec.Live() {
		t.Error("the recording is not live while its program waits")
	}
	before := b.draw(shell.Heap, size)
	if len(before.Shapes) == 0 {
		t.Error("the heap is not drawn")
	}
	next("2000\n")
	b.until("the second step is seen", func() bool { return b.rec.Heap.Count() >= 4600 })
	if !b.rec.Live() || reflect.DeepEqual(before, b.draw(shell.Heap, size)) {
		t.Error("the heap does not grow")
	}
	step.Close()
	if err := <-over; err != nil {
		t.Fatal(err)
	}
	b.until("the recorder is done", func() bool { return !b.rec.Live() })
	b.settle()
	if n := b.rec.Heap.Count(); n < 4600 || b.rec.Heap.Frees < 2298 || len(b.notices) > 0 {
		t.Errorf("at the end %d blocks, %d freed; %q", n, b.rec.Heap.Frees, b.notices)
	}
}

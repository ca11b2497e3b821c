package preload

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"orrery/traceio"
	"orrery/traceio/record"
	"orrery/traceio/store"
)

// TestLive follows the recording of a program that makes blocks step by step, and waits for the next step until those
// of the one before are seen: what is followed grows to what is recorded in the end.
func TestLive(t *testing.T) {
	dir := t.TempDir()
	program := compiled(t, "steps.c")
	steps := []string{"100", "20000", "1", "5000"}
	in, step := io.Pipe()
	next := func() {
		if len(steps) == 0 {
			step.Close()
			return
		}
		go io.WriteString(step, steps[0]+"\n")
		steps = steps[1:]
	}
	ctx, stop := context.WithTimeout(context.Background(), 3*time.Minute)
	defer stop()
	seen := make(chan []uint64, 1) // how many events of the program each prefix had that was complete
	opt := record.Options{Program: program, Args: []string{"some", "words"}, Output: filepath.Join(dir, "steps.orr"),
		Stdin: in, Stdout: io.Discard}
	opt.Running = func(path string) {
		go func() {
			var grown []uint64
			expect := uint64(0)
			partial := func(r *store.Recording) {
				if !r.Live() {
					t.Error("a prefix of what is being recorded is not live")
				}
				if n := uint64(len(steppedBlocks(r))); n == expect {
					grown = append(grown, n)
					if len(steps) > 0 {
						expect += map[string]uint64{"100": 200, "20000": 40000, "1": 2, "5000": 10000}[steps[0]]
					}
					next()
				}
			}
			r, err := store.Open(ctx, path, store.Options{Partial: partial}, nil)
			if err != nil {
				t.Error(err)
			} else {
				r.Close()
			}
			step.Close()
			seen <- grown
		}()
	}
	res, err := run(ctx, opt, func(context.Context, *traceio.Program, []traceio.Addr) error { return nil }, nil)
	if err != nil || res.ExitCode != 0 || res.Incomplete {
		t.Fatal(res, err)
	}
	grown := <-seen
	r, err := store.Open(ctx, res.Path, store.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if got := r.Program().Command; len(got) != 3 || filepath.Base(got[0]) != "steps" || got[2] != "words" {
		t.Errorf("the recording says that %q was run", got)
	}
	blocks := steppedBlocks(r)
	if len(blocks) != 50202 || !slices.IsSorted(grown) || len(grown) < 4 || len(r.Loss()) > 0 ||
		uint64(len(r.Allocs())) != res.Allocs {
		t.Errorf("%d blocks, seen growing %v; %d of %d events, lost %v, notes %s", len(blocks), grown, len(r.Allocs()),
			res.Allocs, r.Loss(), strings.Join(res.Notes, "; "))
	}
	// In order of time, each free ends a block that is there, and half of the blocks are left of each thread's.
	here, freed, last := map[traceio.Addr]bool{}, 0, traceio.Ticks(0)
	for _, a := range r.Allocs() {
		if a.Ticks < last {
			t.Fatalf("an event at %d ns stands behind one at %d", a.Ticks, last)
		}
		last = a.Ticks
		if a.Op == traceio.Free {
			if !here[a.Addr] {
				t.Errorf("%#x is freed, and was not made", a.Addr)
			}
			delete(here, a.Addr)
			freed++
		} else if here[a.Addr] {
			t.Errorf("%#x is made twice", a.Addr)
		} else {
			here[a.Addr] = true
		}
	}
	if freed < 25099 {
		t.Errorf("%d frees", freed)
	}
}

// steppedBlocks are the blocks that the program's work makes.
func steppedBlocks(r *store.Recording) []traceio.Alloc {
	return slices.DeleteFunc(ours(r), func(a traceio.Alloc) bool {
		return a.Op == traceio.Free || (a.Size < 10 || a.Size >= 110) && (a.Size < 1000 || a.Size >= 1100)
	})
}

// drainLive reads a log as that of a program that has ended.
func drainLive(t *testing.T, log []byte) (allocs []traceio.Alloc, l *liveLog) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, log, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ended := make(chan struct{})
	close(ended)
	if l, err = followLog(f, ended); err != nil {
		return nil, nil
	}
	var b traceio.Block
	for l.Next(&b) == nil {
		if allocs = append(allocs, b.Allocs...); len(allocs) > 2*len(log) {
			t.Fatalf("%d events of %d bytes", len(allocs), len(log))
		}
	}
	return allocs, l
}

// TestLiveLogIsTheSame reads a log of several threads as it is followed and as it is read afterwards.
func TestLiveLogIsTheSame(t *testing.T) {
	log := synthetic(rand.New(rand.NewPCG(3, 3)), 4, 3000, 4096)
	want, err := OpenLog(bytes.NewReader(log), int64(len(log)), "log")
	if err != nil {
		t.Fatal(err)
	}
	got, _ := drainLive(t, log)
	var b traceio.Block
	n := 0
	for want.Next(&b) == nil {
		for _, a := range b.Allocs {
			if n >= len(got) || got[n].Ticks != a.Ticks || n > 0 && got[n].Ticks < got[n-1].Ticks {
				t.Fatalf("event %d of %d differs from %+v", n, len(got), a)
			}
			n++
		}
	}
	if n != len(got) || n < 12000 {
		t.Errorf("%d events followed, %d read", len(got), n)
	}
}

func FuzzLiveLog(f *testing.F) {
	f.Add(synthetic(rand.New(rand.NewPCG(1, 1)), 2, 100, 1024))
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, log []byte) {
		got, l := drainLive(t, log)
		for i := range got {
			if int(got[i].Stack) >= len(l.prog.Stacks) {
				t.Fatalf("event %d has stack %d of %d", i, got[i].Stack, len(l.prog.Stacks))
			}
		}
	})
}

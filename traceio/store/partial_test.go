package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"
	"time"

	"orrery/traceio"
)

// lackeyText writes rows of a fake as lackey text.
func lackeyText(f *fake) []byte {
	var out bytes.Buffer
	for _, a := range f.rows {
		switch a.Kind {
		case traceio.Fetch:
			fmt.Fprintf(&out, "I  %08x,%d\n", uint64(a.Addr), a.Size)
		case traceio.Load:
			fmt.Fprintf(&out, " L %08x,%d\n", uint64(a.Addr), a.Size)
		case traceio.Store:
			fmt.Fprintf(&out, " S %08x,%d\n", uint64(a.Addr), a.Size)
		}
	}
	return out.Bytes()
}

// TestPartial reads every prefix from another goroutine while the file is being indexed and compares it with the whole.
func TestPartial(t *testing.T) {
	path := write(t, "x.lk", lackeyText(randomSource(6, 400000)))
	var prefixes []*Recording
	var wait sync.WaitGroup
	sums := map[traceio.Seq]traceio.Addr{}
	var mu sync.Mutex
	whole, err := Open(context.Background(), path, Options{Partial: func(r *Recording) {
		prefixes = append(prefixes, r)
		wait.Go(func() {
			var sum traceio.Addr
			var b traceio.Block
			for src := r.Source(0, r.Len()); src.Next(&b) == nil; {
				for _, a := range b.Addr {
					sum = sum*31 + a
				}
			}
			mu.Lock()
			sums[r.Len()] = sum
			mu.Unlock()
		})
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	wait.Wait()
	if len(prefixes) < 4 || prefixes[0].Blocks() != 1 {
		t.Fatalf("%d prefixes, the first of %d blocks", len(prefixes), prefixes[0].Blocks())
	}
	all, _, _ := rows(t, whole.Source(0, whole.Len()))
	for i, p := range prefixes {
		if i > 0 && p.Len() <= prefixes[i-1].Len() {
			t.Errorf("prefix %d does not grow", i)
		}
		n := p.Counts()
		var sum traceio.Addr
		for _, a := range all[:n.Loads+n.Stores+n.Fetches] {
			sum = sum*31 + a.Addr
		}
		if sums[p.Len()] != sum {
			t.Errorf("prefix of %d references differs from the whole", p.Len())
		}
		if len(p.PCs()) == 0 || !slices.IsSorted(p.PCs()) {
			t.Errorf("prefix of %d references has PCs %v", p.Len(), p.PCs())
		}
	}
}

// TestPrefixesOfEvents: all prefixes of a log of nothing but events together are no longer than twice the log.
func TestPrefixesOfEvents(t *testing.T) {
	allocs, _ := eventsOf(23*traceio.MaxBlock + 5)
	x, err := newIndexer("log", "log", &eventLog{left: slices.Clone(allocs), each: 1000})
	if err != nil {
		t.Fatal(err)
	}
	var lengths []int
	sum := 0
	x.partial = func(r *Recording) {
		got := r.Allocs()
		for i := range got {
			got[i].Seq = 0
		}
		if !slices.Equal(got, allocs[:len(got)]) {
			t.Errorf("a prefix of %d events is not what the log begins with", len(got))
		}
		lengths = append(lengths, len(got))
		sum += len(got)
	}
	if _, err := x.run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if len(lengths) < 4 || sum > 2*len(allocs) {
		t.Errorf("prefixes of %v events, %d in all, of a log of %d", lengths, sum, len(allocs))
	}
}

// endless never ends.
type endless struct{ fake }

func (e *endless) Next(b *traceio.Block) error {
	b.Reset(e.seq)
	for range 1000 {
		b.Append(traceio.Access{PC: 1, Addr: 2, Size: 4})
	}
	e.seq += 1000
	return nil
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := index(ctx, "x", &endless{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	_, mem := fromFake(t, 2, 100000)
	ctx, cancel = context.WithCancel(context.Background())
	cancel()
	if err := Write(ctx, mem, io.Discard, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := Open(ctx, oracle, Options{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// breaking fails in the middle.
type breaking struct {
	fake
	left int
}

func (s *breaking) Next(b *traceio.Block) error {
	if s.left--; s.left < 0 {
		return &traceio.Error{File: "x", Line: 77, Msg: "broken"}
	}
	return s.fake.Next(b)
}

func TestSourceThatBreaks(t *testing.T) {
	f := randomSource(8, 5000)
	f.block = 1000
	r, err := index(context.Background(), "x", &breaking{fake: *f, left: 3})
	if err != nil {
		t.Fatal(err)
	}
	n := r.Counts()
	if l := r.Loss(); n.Loads+n.Stores+n.Fetches != 3000 || len(l) != 1 || l[0].Kind != "unreadable-tail" ||
		l[0].First != "line 77" {
		t.Errorf("counts %+v, loss %+v", n, l)
	}
	if _, err := index(context.Background(), "x", &breaking{fake: *f}); err == nil || err.Error() != "x:77: broken" {
		t.Errorf("got %v", err)
	}
}

func TestCacheIsBounded(t *testing.T) {
	c := newCache()
	for i := range 100 {
		b, err := c.get(i, func(b *traceio.Block) error { b.First = traceio.Seq(i); return nil })
		if err != nil || b.First != traceio.Seq(i) {
			t.Fatalf("block %d is %d, %v", i, b.First, err)
		}
		if len(c.slots) > cached {
			t.Fatalf("%d blocks kept", len(c.slots))
		}
	}
	loads := 0
	for _, i := range []int{99, 70, 99, 0, 0} {
		c.get(i, func(*traceio.Block) error { loads++; return nil })
	}
	if loads != 1 {
		t.Errorf("%d loads, want 1: the most recent %d stay", loads, cached)
	}
	failed := errors.New("no")
	if _, err := c.get(500, func(*traceio.Block) error { return failed }); err != failed {
		t.Errorf("got %v", err)
	}
	if _, err := c.get(500, func(*traceio.Block) error { return nil }); err != nil {
		t.Errorf("a failure is kept: %v", err)
	}
}

func TestWithProgram(t *testing.T) {
	_, r := fromFake(t, 1, 1000)
	named := r.WithProgram(&traceio.Program{Recorder: "named"})
	if named.Program().Recorder != "named" || r.Program().Recorder != "" || named.Len() != r.Len() {
		t.Errorf("%+v, %+v", named.Program(), r.Program())
	}
	if got := saved(t, named).Program().Recorder; got != "named" {
		t.Errorf("saved as %q", got)
	}
}

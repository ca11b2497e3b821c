package store

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"orrery/traceio"
)

// eventLog is a Source of allocator events without references, in blocks of a given length.
type eventLog struct {
	left []traceio.Alloc
	mark []traceio.Mark
	each int
}

func (l *eventLog) Next(b *traceio.Block) error {
	b.Reset(0)
	if len(l.left)+len(l.mark) == 0 {
		return io.EOF
	}
	n := min(l.each, len(l.left))
	b.Allocs = append(b.Allocs, l.left[:n]...)
	if l.left = l.left[n:]; len(l.left) == 0 {
		b.Marks, l.mark = append(b.Marks, l.mark...), nil
	}
	return nil
}

func (l *eventLog) Loss() []traceio.Loss      { return nil }
func (l *eventLog) Program() *traceio.Program { return &traceio.Program{Ticking: true} }

func eventsOf(n int) ([]traceio.Alloc, []traceio.Mark) {
	out := make([]traceio.Alloc, n)
	for i := range out {
		out[i] = traceio.Alloc{Ticks: traceio.Ticks(10 * i), Addr: traceio.Addr(0x1000 + 16*i), Size: 8,
			Thread: traceio.Thread(i % 3)}
	}
	return out, []traceio.Mark{{Kind: traceio.UserMark, Text: "first"}, {Kind: traceio.UserMark, Ticks: 15,
		Text: "second"}, {Kind: traceio.ThreadEnd, Ticks: 1 << 40}}
}

// TestExtent numbers the events of recordings without references, however they come, and keeps the numbers through a
// file.
func TestExtent(t *testing.T) {
	for _, n := range []int{1, 2, 100, traceio.MaxBlock, 3*traceio.MaxBlock + 17} {
		allocs, marks := eventsOf(n)
		r, err := index(context.Background(), "log", &eventLog{left: slices.Clone(allocs), mark: marks, each: 1000})
		if err != nil {
			t.Fatal(err)
		}
		checkEvents(t, r, allocs)
		path := filepath.Join(t.TempDir(), "log.orr")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(Write(context.Background(), r, f, nil), f.Close()); err != nil {
			t.Fatal(err)
		}
		again, err := Open(context.Background(), path, Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		checkEvents(t, again, allocs)
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// checkEvents compares a recording's events with the log, and its parts with slices of it.
func checkEvents(t *testing.T, r *Recording, want []traceio.Alloc) {
	t.Helper()
	n := traceio.Seq(len(want))
	if r.Len() != 0 || r.Extent() != n || r.Counts().Threads != min(3, len(want)) {
		t.Fatalf("%d events: length %d, extent %d, %d threads", n, r.Len(), r.Extent(), r.Counts().Threads)
	}
	numbered := slices.Clone(want)
	for i := range numbered {
		numbered[i].Seq = traceio.Seq(i)
	}
	if !slices.Equal(r.Allocs(), numbered) {
		t.Fatalf("%d events: they are not numbered in order", n)
	}
	if m := r.Marks(); len(m) != 3 || m[0].Seq != 0 || m[1].Seq != min(2, n) || m[2].Seq != n {
		t.Fatalf("%d events: marks are at %v", n, m)
	}
	for _, part := range [][2]traceio.Seq{{0, n}, {0, ^traceio.Seq(0)}, {0, n / 2}, {n / 2, n}, {n / 3, n / 2},
		{n, n}, {n + 5, n + 9}} {
		var got []traceio.Alloc
		marks := 0
		src := r.Source(part[0], part[1])
		var b traceio.Block
		for {
			err := src.Next(&b)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if b.Len() > 0 || len(b.Allocs) > traceio.MaxBlock {
				t.Fatalf("a block of %d references and %d events", b.Len(), len(b.Allocs))
			}
			got = append(got, b.Allocs...)
			marks += len(b.Marks)
		}
		from, to := min(part[0], n), min(part[1], n)
		if !slices.Equal(got, numbered[from:to]) {
			t.Errorf("part %v of %d events has %d of them, want %d", part, n, len(got), to-from)
		}
		wantMarks := 0
		for _, m := range r.Marks() {
			if m.Seq >= part[0] && (m.Seq < part[1] || part[1] >= n) {
				wantMarks++
			}
		}
		if marks != wantMarks {
			t.Errorf("part %v of %d events has %d marks, want %d", part, n, marks, wantMarks)
		}
	}
}

// TestExtentOfReferences keeps Seq what it was where there are references.
func TestExtentOfReferences(t *testing.T) {
	r, err := Open(context.Background(), "../../testdata/recordings/list.orr", Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if r.Extent() != r.Len() || r.Len() == 0 {
		t.Errorf("extent %d, length %d", r.Extent(), r.Len())
	}
}

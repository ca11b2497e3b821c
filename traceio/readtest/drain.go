package readtest

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"testing"

	"orrery/traceio"
)

// Trace is all that a reader gave.
type Trace struct {
	Rows  []traceio.Access
	Marks []traceio.Mark
	End   traceio.Ticks // of the last block
}

// Drain reads r to its end and fails the test unless the blocks keep the contract of traceio.Source: each begins where
// the one before ended, in references and in time, says how many fetches it has and is no longer than allowed; and a
// reader that gives an error instead of references gives an *traceio.Error.
func Drain(t testing.TB, r traceio.Source) (all Trace) {
	t.Helper()
	var b traceio.Block
	next := traceio.Seq(0)
	for {
		err := r.Next(&b)
		if err == io.EOF {
			return all
		}
		if err != nil {
			var e *traceio.Error
			if !errors.As(err, &e) || len(all.Rows) > 0 {
				t.Fatalf("after %d rows: %v", len(all.Rows), err)
			}
			return all
		}
		if b.First != next || b.Len() > traceio.MaxBlock || b.End < b.Start || b.Start < all.End {
			t.Fatalf("block at %d (want %d) with %d rows from %d to %d ns, behind %d ns", b.First, next, b.Len(),
				b.Start, b.End, all.End)
		}
		for i, kind := range b.Kind {
			all.Rows = append(all.Rows, traceio.Access{Seq: next, Addr: b.Addr[i], PC: b.PC[i], Size: b.Size[i], Kind: kind,
				Thread: b.Thread[i]})
			if kind != traceio.Fetch {
				next++
			}
		}
		if int(next-b.First) != b.Data() {
			t.Fatalf("%d data references, the block says %d", next-b.First, b.Data())
		}
		all.Marks = append(all.Marks, b.Marks...)
		all.End = b.End
	}
}

// Losses counts what a reader could not use, by kind.
func Losses(r traceio.Source) map[string]uint64 {
	m := map[string]uint64{}
	for _, l := range r.Loss() {
		m[l.Kind] += l.Count
	}
	return m
}

// Agree fails the test unless a reader gives the rows and counts the losses that a slow twin finds in the text.
func Agree(t testing.TB, r traceio.Source, text string, rows []traceio.Access, lost map[string]uint64) {
	t.Helper()
	got := Drain(t, r).Rows
	if m := Losses(r); !slices.Equal(got, rows) || !maps.Equal(m, lost) {
		t.Fatalf("%.500q\ngot  %.500s %v\nwant %.500s %v", text, fmt.Sprint(got), m, fmt.Sprint(rows), lost)
	}
}

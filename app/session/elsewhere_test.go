package session

import (
	"context"
	"testing"

	"orrery/analysis/topology"
	"orrery/traceio"
	"orrery/views/link"
)

func shippedFile(t *testing.T, path string) *Recording {
	t.Helper()
	r, err := Load(context.Background(), "../../testdata/"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// TestElsewhere: where nothing recurs at the cursor, there is something by another alphabet, in the whole, or in a
// stretch nearby.
func TestElsewhere(t *testing.T) {
	ctx := context.Background()
	first := CyclesRequest{Count: 1000, Every: 1}
	for _, row := range []struct {
		file                  string
		whole, other, nearest bool
		alphabet              topology.AlphabetKind
	}{
		// its 512 elements are built by one line, and walked 8 times: 1024 references a turn
		{file: "recordings/golist.orr", whole: true},
		{file: "graphs/jslist.orr", other: true, alphabet: topology.ByPC},
	} {
		r := shippedFile(t, row.file)
		if c, err := r.FindCycles(ctx, first, nil); err != nil || len(c.Parameterizations) > 0 {
			t.Fatalf("%s: the first stretch has cycles, %v: it shows nothing here", row.file, err)
		}
		all := link.Range{To: r.Len()}
		whole, err := r.Whole(ctx, first, all)
		if err != nil || (whole != nil) != row.whole {
			t.Errorf("%s: of the whole %v, %v", row.file, whole, err)
		}
		if row.whole && (whole.Request.Count != int(r.Len()) || whole.Parameterizations[0].Turns < 7.5 ||
			whole.Parameterizations[0].Turns > 8.5) {
			t.Errorf("%s: the whole turns %.1f times, want 8", row.file, whole.Parameterizations[0].Turns)
		}
		other, err := r.Otherwise(ctx, first)
		if err != nil || (other != nil) != row.other || row.other && other.Request.Alphabet.Kind != row.alphabet {
			t.Errorf("%s: by another alphabet %v, %v", row.file, other, err)
		}
	}
}

// TestNearest: behind a stretch in which nothing recurs the nearest that does is found, on either side, and none where
// there is none.
func TestNearest(t *testing.T) {
	r := shippedFile(t, "recordings/list.orr") // every stretch recurs
	q := CyclesRequest{From: 50000, Count: 1000, Every: 1}
	for _, row := range []struct {
		name   string
		within link.Range
		want   []traceio.Seq // any of these
	}{
		{"ahead", link.Range{From: 50000, To: 60000}, []traceio.Seq{50500, 51000, 51500}},
		{"behind", link.Range{From: 40000, To: 51000}, []traceio.Seq{49500, 49000, 48500}},
		{"no room", link.Range{From: 50000, To: 51000}, nil},
		{"less room than a hop", link.Range{From: 49900, To: 51100}, nil},
	} {
		c, err := r.Nearest(t.Context(), q, row.within, 500, nil)
		found := c == nil && row.want == nil
		for _, at := range row.want {
			found = found || c != nil && c.Request.From == at
		}
		if err != nil || !found {
			t.Errorf("%s: %v, %v, want one of %v", row.name, c, err, row.want)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if c, err := r.Nearest(ctx, q, link.Range{To: r.Len()}, 500, nil); c != nil || err == nil {
		t.Errorf("cancelled it gives %v, %v", c, err)
	}
}

// The twin of differ keeps the windows themselves.
func TestDiffer(t *testing.T) {
	symbols := []uint32{1, 2, 3, 1, 2, 3, 1, 2, 4, 1, 2, 3, 3, 3, 3}
	for window := 1; window < 5; window++ {
		seen := map[[4]uint32]bool{}
		for i := 0; i+window <= len(symbols); i++ {
			var w [4]uint32
			copy(w[:], symbols[i:i+window])
			seen[w] = true
		}
		if got := differ(symbols, window); got != len(seen) {
			t.Errorf("windows of %d: %d differ, want %d", window, got, len(seen))
		}
	}
	if differ(nil, 10) != 0 {
		t.Error("nothing has windows")
	}
}

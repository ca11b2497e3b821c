package store

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"
)

// TestMemorySpills writes pieces of all lengths, in memory, over to the disk, and on when the disk refuses, and reads
// what views of it hold while more is written.
func TestMemorySpills(t *testing.T) {
	for _, c := range []struct {
		name         string
		limit        int64
		refuse, none bool
	}{
		{"all in memory", 0, false, false},
		{"to the disk", 300_001, false, false},
		{"to the disk at once", 1, false, false},
		{"at a chunk's end", chunk, false, false},
		{"the disk gets full", 300_001, true, false},
		{"no disk", chunk + 1, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(21, 22))
			m := memory{limit: c.limit}
			if c.none {
				t.Setenv("TMPDIR", t.TempDir()+"/missing")
			}
			var want []byte
			var views []view
			for i := range 60 {
				p := make([]byte, rnd.IntN(40_000))
				for k := range p {
					p[k] = byte(rnd.Uint32())
				}
				if c.refuse && i == 40 {
					m.file.Close()
				}
				if n, err := m.Write(p); n != len(p) || err != nil {
					t.Fatal(n, err)
				}
				want = append(want, p...)
				views = append(views, m.view())
			}
			if (m.spilled > 0) != (c.limit > 0) || (m.refused > 0) != (c.refuse || c.none) {
				t.Errorf("spilled at %d, refused at %d", m.spilled, m.refused)
			}
			for _, v := range views {
				for range 20 {
					at := rnd.Int64N(v.size + 10)
					got := make([]byte, rnd.IntN(700_000))
					n, err := v.ReadAt(got, at)
					if c.refuse && at < v.size && at+int64(n) >= v.spilled {
						continue // what was on that disk is gone
					}
					exp := want[min(at, v.size):min(at+int64(len(got)), v.size)]
					if !bytes.Equal(got[:n], exp) || (n < len(got)) != (err == io.EOF) {
						t.Fatalf("%d bytes at %d of %d: got %d, %v", len(got), at, v.size, n, err)
					}
				}
			}
			if c.refuse { // what came later is in memory
				got := make([]byte, m.size-m.refused)
				if _, err := m.view().ReadAt(got, m.refused); err != nil || !bytes.Equal(got, want[m.refused:]) {
					t.Errorf("behind what the disk refused: %v", err)
				}
			}
		})
	}
}

package orr

import (
	"bytes"
	"slices"
	"testing"
)

// TestJoinedFiles puts something behind a whole recording: the recording stays whole, and what follows is told.
func TestJoinedFiles(t *testing.T) {
	data := file(t, sample(4))
	want, err := open(data)
	if err != nil || len(want.Loss()) > 0 {
		t.Fatal(err, want.Loss())
	}
	for name, tail := range map[string][]byte{
		"itself": data, "another": file(t, sample(7)), "a byte": {0}, "text": []byte("the end\n"),
		"zeros": make([]byte, 5000), "its own end": data[len(data)-endLen:],
	} {
		f, err := open(slices.Concat(data, tail))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if f.Len() != want.Len() || len(f.Entries()) != len(want.Entries()) || len(f.Loss()) != 1 ||
			lost(f, "joined-bytes") != uint64(len(tail)) {
			t.Errorf("%s: %d references in %d blocks, loss %+v", name, f.Len(), len(f.Entries()), f.Loss())
		}
	}
	// Bytes put in between are damage, not a joined file: what is behind them is used.
	at := places(t, data)[2].at
	f, err := open(slices.Concat(data[:at], bytes.Repeat([]byte{7}, 100), data[at:]))
	if err != nil || f.Len() != want.Len() || lost(f, "joined-bytes") != 0 || len(f.Loss()) == 0 {
		t.Errorf("inserted bytes: %v, %d references, loss %+v", err, f.Len(), f.Loss())
	}
}

package orr

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"orrery/traceio"
)

// small is a file on a disk with so much room.
type small struct {
	data []byte
	at   int
	room int
}

func (s *small) Write(p []byte) (int, error) {
	n := min(len(p), s.room-s.at)
	s.data = append(s.data[:s.at], p[:n]...)
	if s.at += n; n < len(p) {
		return n, errors.New("full")
	}
	return n, nil
}

func (s *small) Truncate(size int64) error {
	s.data = s.data[:size]
	return nil
}

func (s *small) Seek(offset int64, whence int) (int64, error) {
	if whence != io.SeekStart {
		return 0, errors.New("from elsewhere")
	}
	s.at = int(offset)
	return offset, nil
}

// TestRollback: on a disk of any size, what is left of a recording after a retreat is its beginning, block for block,
// with the end behind it; a snapshot from before does not change.
func TestRollback(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var blocks []*traceio.Block
	first := traceio.Seq(0)
	for k := range 12 {
		b := &traceio.Block{First: first}
		for range 200 + random.IntN(300) {
			b.Append(traceio.Access{Addr: traceio.Addr(random.Uint64() >> 20), PC: traceio.Addr(0x1000 + random.IntN(9)),
				Size: 8, Kind: traceio.Load})
		}
		if k%3 > 0 {
			b.Allocs = []traceio.Alloc{{Seq: first + 1, Addr: 64, Size: uint64(k)}}
		}
		first += traceio.Seq(b.Len())
		blocks = append(blocks, b)
	}
	prog := &traceio.Program{Command: []string{"small"}}
	for room := 120; room < 40_000; room += 97 {
		file := &small{room: room}
		w, err := Create(file, prog)
		for _, b := range blocks {
			if err == nil {
				err = w.WriteBlock(b)
			}
		}
		if err == nil {
			err = w.Close(prog)
		}
		if err == nil {
			return // now all of it fits
		}
		had := slices.Clone(w.entries)
		snapshot := w.Snapshot(nil, "", nil)
		left, tries := true, 0
		for free := int64(0); err != nil && left; free = 2*free + 64 {
			if left, err = w.Rollback(free); err != nil {
				t.Fatal(err)
			}
			if tries++; tries == 1 && w.Blocks() != len(had) {
				t.Fatalf("room %d: a retreat for nothing took a whole block", room)
			}
			if err = w.WriteBlock(&traceio.Block{First: w.Len(),
				Marks: []traceio.Mark{{Seq: w.Len(), Kind: traceio.Gap}}}); err == nil {
				err = w.Close(prog)
			}
		}
		if err != nil {
			if room > 2000 {
				t.Fatalf("room %d: %v", room, err)
			}
			continue
		}
		f, err := Open(bytes.NewReader(file.data), int64(len(file.data)), "small")
		if err != nil || len(f.Loss()) > 0 || len(file.data) > room {
			t.Fatalf("room %d: %v, %v, %d bytes", room, err, f.Loss(), len(file.data))
		}
		if n := len(f.Entries()); n != w.Blocks() || len(f.Program().Command) != 1 {
			t.Fatalf("room %d: %d blocks, the writer tells of %d", room, n, w.Blocks())
		}
		for i := range f.Entries()[:w.Blocks()-1] {
			var got traceio.Block
			if err := f.Decode(i, &got); err != nil || !slices.Equal(got.Addr, blocks[i].Addr) ||
				!slices.Equal(got.Allocs, blocks[i].Allocs) {
				t.Fatalf("room %d, block %d: %v", room, i, err)
			}
		}
		if !slices.EqualFunc(snapshot.entries, had,
			func(a, b Entry) bool { return a.First == b.First && a.offset == b.offset && a.Data == b.Data }) {
			t.Fatalf("room %d: the snapshot has changed", room)
		}
	}
	t.Fatal("the room was never enough")
}

// TestRollbackCannot: what cannot be cut, and a failure that is not the file's, stay as they are.
func TestRollbackCannot(t *testing.T) {
	w, err := Create(&bytes.Buffer{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Rollback(0); err == nil {
		t.Error("a pipe was cut")
	}
	if w, err = Create(&small{room: 1 << 20}, nil); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(nil); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Rollback(0); fmt.Sprint(err) != "the recording is closed" {
		t.Errorf("a closed recording: %v", err)
	}
}

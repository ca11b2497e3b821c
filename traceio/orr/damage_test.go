package orr

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"orrery/traceio"
)

// spots are the bytes at which to damage a file: all near the edges of blocks, some between.
func spots(size int, at []place) (out []int) {
	next := 0
	for pos := range size {
		for next < len(at) && at[next].at <= pos {
			next++
		}
		last := headerLen
		if next > 0 {
			last = at[next-1].at
		}
		if pos < headerLen || pos-last < blockLen+8 || pos%29 == 0 || next < len(at) && at[next].at-pos < 3 {
			out = append(out, pos)
		}
	}
	return out
}

// TestCutAnywhere cuts the file in all kinds of places. What stood in whole blocks before the cut must come back, and
// something must be said unless nothing is missing.
func TestCutAnywhere(t *testing.T) {
	blocks := sample(6)
	data := file(t, blocks)
	at := places(t, data)
	for _, cut := range spots(len(data), at) {
		whole := 0
		for _, p := range at {
			if p.kind == typeRef && p.end <= cut {
				whole++
			}
		}
		f, err := open(data[:cut])
		if err != nil {
			var e *traceio.Error
			if !errors.As(err, &e) || e.File != "x.orr" || whole > 0 {
				t.Fatalf("cut at %d, %d whole blocks: %v", cut, whole, err)
			}
			continue
		}
		if len(f.Entries()) != whole {
			t.Fatalf("cut at %d: %d blocks, want %d", cut, len(f.Entries()), whole)
		}
		if len(f.Loss()) == 0 {
			t.Fatalf("cut at %d: no loss told", cut)
		}
		if whole > 0 && f.Program().Command == nil {
			t.Fatalf("cut at %d: the command is forgotten", cut)
		}
		if cut%97 != 0 {
			continue
		}
		for i, b := range readAll(t, f) {
			if i < whole-1 && !equal(b, blocks[i]) {
				t.Fatalf("cut at %d: block %d differs", cut, i)
			}
			if !slices.Equal(b.Addr, blocks[i].Addr) {
				t.Fatalf("cut at %d: block %d has other addresses", cut, i)
			}
		}
		if p, err := f.PCs(); err != nil || whole > 0 && len(p) == 0 {
			t.Fatalf("cut at %d: PCs %v, %v", cut, p, err)
		}
	}
}

// TestFlipAnywhere flips one bit in all kinds of places. Every block of references that was not hit must come back with
// its rows, and the loss must be told.
func TestFlipAnywhere(t *testing.T) {
	blocks := sample(5)
	data := file(t, blocks)
	at := places(t, data)
	f0, err := open(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, pos := range spots(len(data), at) {
		bad := slices.Clone(data)
		bad[pos] ^= 1 << (pos % 8)
		hit, ref := -1, 0
		for _, p := range at {
			if p.kind != typeRef {
				continue
			}
			if pos >= p.at && pos < p.end {
				hit = ref
			}
			ref++
		}
		f, err := open(bad)
		if err != nil {
			var e *traceio.Error
			if pos >= 12 || !errors.As(err, &e) {
				t.Fatalf("flip at %d: %v", pos, err)
			}
			continue
		}
		want := slices.Clone(blocks)
		if hit >= 0 {
			want = slices.Delete(want, hit, hit+1)
		}
		got := readAll(t, f)
		if len(got) != len(want) {
			t.Fatalf("flip at %d: %d blocks, want %d", pos, len(got), len(want))
		}
		next := traceio.Seq(0)
		for i := range got {
			if !slices.Equal(got[i].Addr, want[i].Addr) || got[i].First != next {
				t.Fatalf("flip at %d: block %d differs or begins at %d instead of %d", pos, i, got[i].First, next)
			}
			for _, a := range got[i].Allocs {
				if a.Seq < got[i].First || a.Seq > got[i].First+traceio.Seq(got[i].Data()) {
					t.Fatalf("flip at %d: allocation at %d outside block %d", pos, a.Seq, i)
				}
			}
			next += traceio.Seq(got[i].Data())
		}
		// The description in front is superseded by the one at the end: nothing is lost with it.
		if superseded := pos >= at[0].at && pos < at[0].end; len(f.Loss()) == 0 && !superseded {
			t.Fatalf("flip at %d: no loss told", pos)
		}
		if got, want := lost(f, "lost-references"), uint64(f0.Len()-f.Len()); got != want {
			t.Fatalf("flip at %d: %d references told lost, want %d", pos, got, want)
		}
		if hit >= 0 && hit < len(blocks)-1 {
			gap := got[hit].Marks
			if len(gap) == 0 || gap[0].Kind != traceio.Gap || gap[0].Value != uint64(blocks[hit].Data()) {
				t.Fatalf("flip at %d: no gap of %d before block %d: %+v", pos, blocks[hit].Data(), hit, gap)
			}
		}
	}
}

// TestLongFileShowsDamageWhenRead opens without verification, as a long file is, and then with it.
func TestLongFileShowsDamageWhenRead(t *testing.T) {
	blocks := sample(5)
	data := file(t, blocks)
	at := slices.DeleteFunc(places(t, data), func(p place) bool { return p.kind != typeRef })
	data[at[2].end-1] ^= 1
	f, err := openFile(bytes.NewReader(data), int64(len(data)), "x.orr", false)
	if err != nil || len(f.Loss()) != 0 || len(f.Entries()) != 5 {
		t.Fatalf("%v, loss %v", err, f.Loss())
	}
	var b traceio.Block
	err = f.Decode(2, &b)
	var e *traceio.Error
	if !errors.Is(err, ErrDamaged) || !errors.As(err, &e) || e.Offset != int64(at[2].at) {
		t.Errorf("got %v", err)
	}
	if err := f.Decode(3, &b); err != nil || !equal(&b, blocks[3]) {
		t.Errorf("the block behind: %v", err)
	}
	f, err = OpenChecked(bytes.NewReader(data), int64(len(data)), "x.orr")
	if err != nil || len(f.Entries()) != 4 || len(f.Loss()) == 0 {
		t.Errorf("%v, loss %v", err, f.Loss())
	}
}

// TestKilled writes without closing: whatever has been flushed is there, with the last description.
func TestKilled(t *testing.T) {
	var buf bytes.Buffer
	w, err := Create(&buf, early)
	if err != nil {
		t.Fatal(err)
	}
	blocks := sample(4)
	for i, b := range blocks {
		if err := w.WriteBlock(b); err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			if err := w.WriteProgram(late); err != nil {
				t.Fatal(err)
			}
		}
	}
	f, err := open(buf.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	got := readAll(t, f)
	for i := range got {
		if !equal(got[i], blocks[i]) {
			t.Errorf("block %d differs", i)
		}
	}
	if len(got) != 4 || !reflect.DeepEqual(f.Program(), late) || len(f.Loss()) != 1 || f.Loss()[0].Kind != "no-end" {
		t.Errorf("%d blocks, program %+v, loss %+v", len(got), f.Program().Command, f.Loss())
	}
}

func TestFullDisk(t *testing.T) {
	w, err := Create(&full{left: 3000}, early)
	if err != nil {
		t.Fatal(err)
	}
	failed := false
	for _, b := range sample(9) {
		err := w.WriteBlock(b)
		if failed && err == nil {
			t.Error("a block was taken after a failure")
		}
		failed = failed || err != nil
	}
	if err := w.Close(late); !failed || err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("failed %v, close: %v", failed, err)
	}
}

// full is a disk that fills up.
type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	n := min(len(p), f.left)
	f.left -= n
	if n < len(p) {
		return n, errors.New("no space left on device")
	}
	return n, nil
}

// lost is how many of a kind a file tells to be lost.
func lost(f *File, kind string) uint64 {
	for _, l := range f.Loss() {
		if l.Kind == kind {
			return l.Count
		}
	}
	return 0
}

// TestLossIsNamed flips a bit in the last byte of a block of each type.
func TestLossIsNamed(t *testing.T) {
	data := file(t, sample(4))
	for _, p := range places(t, data) {
		bad := slices.Clone(data)
		bad[p.end-1] ^= 16
		f, err := open(bad)
		if err != nil {
			t.Fatal(err)
		}
		want := map[uint8]string{
			typeRef: "damaged-block", typeEvt: "lost-events", typeMeta: "damaged-description",
			typePCs: "damaged-index", typeIdx: "damaged-index", typeEnd: "damaged-index",
		}[p.kind]
		if superseded := p.at == headerLen; !superseded && lost(f, want) == 0 {
			t.Errorf("block of type %d: loss %+v, want %s", p.kind, f.Loss(), want)
		}
	}
}

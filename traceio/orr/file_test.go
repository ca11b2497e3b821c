package orr

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"orrery/traceio"
)

// sample is a small recording: blocks that follow one another, most with events.
func sample(n int) []*traceio.Block {
	rnd := rand.New(rand.NewPCG(9, uint64(n)))
	var out []*traceio.Block
	first := traceio.Seq(0)
	for i := range n {
		b := &traceio.Block{First: first, Start: traceio.Ticks(1000 * i), End: traceio.Ticks(1000*i + 900)}
		for k := range 60 + 10*i {
			b.Append(shapes[2].row(k, rnd))
		}
		for k := range i % 3 {
			at := first + traceio.Seq(50*k)
			b.Allocs = append(b.Allocs, traceio.Alloc{
				Seq: at, Ticks: b.Start + 5, Addr: traceio.Addr(rnd.Uint64()), Size: 24, Usable: 32, Stack: 3, Thread: 2,
			})
			b.Marks = append(b.Marks, traceio.Mark{Seq: at + 1, Kind: traceio.UserMark, Value: 7, Text: "phase é"})
		}
		first += traceio.Seq(b.Data())
		out = append(out, b)
	}
	return out
}

var early = &traceio.Program{Command: []string{"./prog", "-v"}, Recorder: "test"}

var late = &traceio.Program{
	Command: []string{"./prog", "-v"}, Recorder: "test", Ticking: true,
	Sources: []traceio.SourceText{{Path: "a.c", Text: strings.Repeat("int main(void) { return 0; }\n", 400)}},
}

// file writes blocks as a recording and tells where each block of the file begins.
func file(t testing.TB, blocks []*traceio.Block) []byte {
	t.Helper()
	var buf bytes.Buffer
	w, err := Create(&buf, early)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks {
		if err := w.WriteBlock(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(late); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

type place struct {
	at, end int
	kind    uint8
}

func places(t testing.TB, data []byte) (out []place) {
	t.Helper()
	for at := headerLen; at < len(data); {
		h, err := readBlock(data[at : at+blockLen])
		if err != nil {
			t.Fatalf("byte %d: %v", at, err)
		}
		end := at + blockLen + int(h.packed)
		out = append(out, place{at, end, h.kind})
		at = end
	}
	return out
}

func open(data []byte) (*File, error) { return Open(bytes.NewReader(data), int64(len(data)), "x.orr") }

func readAll(t testing.TB, f *File) []*traceio.Block {
	t.Helper()
	var out []*traceio.Block
	for i := range f.Entries() {
		b := &traceio.Block{}
		if err := f.Decode(i, b); err != nil {
			t.Fatalf("block %d: %v", i, err)
		}
		out = append(out, b)
	}
	return out
}

func TestFileComesBack(t *testing.T) {
	want := sample(9)
	f, err := open(file(t, want))
	if err != nil {
		t.Fatal(err)
	}
	got := readAll(t, f)
	if len(got) != len(want) {
		t.Fatalf("%d blocks, want %d", len(got), len(want))
	}
	pcs := map[traceio.Addr]bool{}
	for i := range got {
		if !equal(got[i], want[i]) {
			t.Errorf("block %d differs:\n%+v\n%+v", i, got[i].Allocs, want[i].Allocs)
		}
		for _, pc := range want[i].PC {
			pcs[pc] = true
		}
	}
	if !reflect.DeepEqual(f.Program(), late) {
		t.Errorf("program %+v", f.Program())
	}
	if p, err := f.PCs(); err != nil || len(p) != len(pcs) {
		t.Errorf("%d PCs, %v, want %d", len(p), err, len(pcs))
	}
	if len(f.Loss()) != 0 {
		t.Errorf("loss %+v", f.Loss())
	}
}

func TestEmptyRecordingAndNoProgram(t *testing.T) {
	var buf bytes.Buffer
	w, err := Create(&buf, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(nil); err != nil {
		t.Fatal(err)
	}
	f, err := open(buf.Bytes())
	if err != nil || f.Len() != 0 || len(f.Entries()) != 0 || len(f.Loss()) != 0 {
		t.Errorf("%+v, %v", f, err)
	}
}

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
		if pos < headerLen || pos-last < blockLen+8 || pos%11 == 0 || next < len(at) && at[next].at-pos < 3 {
			out = append(out, pos)
		}
	}
	return out
}

// TestCutAnywhere cuts the file in all kinds of places. What stood in whole blocks before the cut must come back, and something
// must be said unless nothing is missing.
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

// TestFlipAnywhere flips one bit in all kinds of places. Every block of references that was not hit must come back with its rows,
// and the loss must be told.
func TestFlipAnywhere(t *testing.T) {
	blocks := sample(5)
	data := file(t, blocks)
	at := places(t, data)
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
		if hit >= 0 && hit < len(blocks)-1 {
			gap := got[hit].Marks
			if len(gap) == 0 || gap[0].Kind != traceio.Gap || gap[0].Value != uint64(blocks[hit].Data()) {
				t.Fatalf("flip at %d: no gap of %d before block %d: %+v", pos, blocks[hit].Data(), hit, gap)
			}
		}
	}
}

func TestRefuses(t *testing.T) {
	later := appendFileHeader(nil)
	binary.LittleEndian.PutUint32(later[8:], Version+1)
	binary.LittleEndian.PutUint32(later[28:], checksum(later[:28]))
	for _, c := range []struct {
		name, want string
		data       []byte
	}{
		{"empty", "x.orr: the file is empty; record again with `orrery record -- PROGRAM`", nil},
		{"other", `x.orr: this is not an Orrery recording: it does not begin with "\x89ORR"`, []byte("hello, world, how are you")},
		{"in the header", "x.orr: byte 20: the file ends inside its header, after 20 of 32 bytes; record again with `orrery record -- PROGRAM`", later[:20]},
		{"later", "x.orr: the recording has format 2 and this Orrery reads up to 1; open it with a newer Orrery", later},
		{"nothing whole", "x.orr: byte 32: no block of references in the recording is whole; record again with `orrery record -- PROGRAM`",
			append(appendFileHeader(nil), make([]byte, 500)...)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := open(c.data); err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

// TestClaimsAllocateNothing makes headers with valid checksums that claim enormous things.
func TestClaimsAllocateNothing(t *testing.T) {
	huge := func(h block, payload []byte) []byte {
		buf := append(make([]byte, blockLen), payload...)
		packed := h.packed
		h.crc = checksum(payload)
		if packed == 0 {
			h.packed = uint32(len(payload))
		}
		h.append(buf[:0])
		return append(appendFileHeader(nil), buf...)
	}
	column := func(method byte, raw uint64, body []byte) []byte {
		out := binary.AppendUvarint([]byte{method}, raw)
		out = binary.AppendUvarint(out, uint64(len(body)))
		return append(out, body...)
	}
	full := make([]byte, summaryLen)
	binary.LittleEndian.PutUint32(full, traceio.MaxBlock)
	for name, data := range map[string][]byte{
		"packed":   huge(block{kind: typeRef, rows: 10, data: 10, packed: 1<<32 - 1}, nil),
		"packed 2": huge(block{kind: typeMeta, packed: maxPacked}, nil),
		"rows":     huge(block{kind: typeRef, rows: 1<<32 - 1, data: 1}, make([]byte, 60)),
		"columns": huge(block{kind: typeRef, rows: traceio.MaxBlock, data: traceio.MaxBlock},
			slices.Concat(full, column(repeated, 1<<62, []byte{1}), column(repeated, 1<<40, []byte{1}))),
		"meta":   huge(block{kind: typeMeta}, column(repeated, 1<<40, []byte{' '})),
		"events": huge(block{kind: typeEvt}, column(repeated, 1<<29, []byte{0})),
		"zstd":   huge(block{kind: typeMeta}, column(packed, 1<<16, []byte("\x28\xb5\x2f\xfd\xe0\xff\xff\xff\xff\xff\xff\xff\x7f"))),
	} {
		t.Run(name, func(t *testing.T) {
			if n := bytesAllocated(func() {
				if f, err := open(data); err == nil {
					var b traceio.Block
					for i := range f.Entries() {
						f.Decode(i, &b)
					}
				}
			}); n > 4<<20 {
				t.Errorf("%d bytes allocated for a file of %d", n, len(data))
			}
		})
	}
}

func bytesAllocated(do func()) uint64 {
	do() // whatever is made once
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestManyEqualEventsComeBack(t *testing.T) {
	b := &traceio.Block{}
	b.Append(traceio.Access{PC: 1, Addr: 2, Size: 4})
	for range traceio.MaxBlock {
		b.Marks = append(b.Marks, traceio.Mark{Kind: traceio.UserMark, Text: "x"})
		b.Allocs = append(b.Allocs, traceio.Alloc{Addr: 16, Op: traceio.Free})
	}
	f, err := open(file(t, []*traceio.Block{b}))
	if err != nil {
		t.Fatal(err)
	}
	if got := readAll(t, f)[0]; !equal(got, b) {
		t.Errorf("%d marks and %d allocations, want %d", len(got.Marks), len(got.Allocs), traceio.MaxBlock)
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

func TestWriterRefusesWrongBlocks(t *testing.T) {
	w, err := Create(io.Discard, nil)
	if err != nil {
		t.Fatal(err)
	}
	long := &traceio.Block{}
	size(long, traceio.MaxBlock+1)
	short := &traceio.Block{Addr: make([]traceio.Addr, 3)}
	miscounted, unknown := &traceio.Block{Fetches: 1}, &traceio.Block{}
	miscounted.Append(traceio.Access{Addr: 1, Size: 1})
	unknown.Append(traceio.Access{Addr: 1, Size: 1, Kind: 3})
	for name, b := range map[string]*traceio.Block{
		"long": long, "uneven": short, "out of order": {First: 5}, "miscounted": miscounted, "of unknown kind": unknown,
	} {
		if w.WriteBlock(b) == nil {
			t.Errorf("a block that is %s was written", name)
		}
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

func FuzzOpen(f *testing.F) {
	data := file(f, sample(3))
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Add(append(appendFileHeader(nil), 1, 2, 3))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := open(data)
		if err != nil {
			return
		}
		var b traceio.Block
		for i := range file.Entries() {
			if file.Decode(i, &b) == nil && b.First != file.Entries()[i].First {
				t.Fatal("a block begins elsewhere than the index says")
			}
		}
		file.PCs()
	})
}

// FuzzDecode feeds payloads past the checksum.
func FuzzDecode(f *testing.F) {
	c, _ := coders(f)
	for _, b := range sample(3) {
		p, _ := c.encode(nil, b)
		f.Add(p, b.Len())
		f.Add(appendEvents(nil, c.zstd, b), 1)
	}
	f.Fuzz(func(t *testing.T, payload []byte, n int) {
		if n < 0 || n > traceio.MaxBlock {
			return
		}
		d, err := newDecoder()
		if err != nil {
			t.Fatal(err)
		}
		defer d.zstd.Close()
		var b traceio.Block
		if d.decode(&b, payload, n) == nil && b.Len() != n {
			t.Fatalf("%d rows, want %d", b.Len(), n)
		}
		readEvents(&b, payload, d.zstd, 0)
	})
}

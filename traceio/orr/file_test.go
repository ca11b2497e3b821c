package orr

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"os"
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

func TestRefuses(t *testing.T) {
	header := func(version uint32) []byte {
		head := appendFileHeader(nil)
		binary.LittleEndian.PutUint32(head[8:], version)
		binary.LittleEndian.PutUint32(head[28:], checksum(head[:28]))
		return head
	}
	later, earlier := header(Version+1), header(Version-1)
	for _, c := range []struct {
		name, want string
		data       []byte
	}{
		{"empty", "x.orr: the file is empty; record again with `orrery record -- PROGRAM`", nil},
		{"other", `x.orr: this is not an Orrery recording: it does not begin with "\x89ORR"`,
			[]byte("hello, world, how are you")},
		{"in the header", "x.orr: byte 20: the file ends inside its header, after 20 of 32 bytes; record again with " +
			"`orrery record -- PROGRAM`", later[:20]},
		{"later", "x.orr: the recording has format 4 and this Orrery reads format 3; open it with a newer Orrery", later},
		{"earlier", "x.orr: the recording has format 2 and this Orrery reads format 3; record again with `orrery record -- " +
			"PROGRAM`", earlier},
		{"nothing whole", "x.orr: byte 32: no block of references in the recording is whole; record again with `orrery " +
			"record -- PROGRAM`",
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
		"zstd": huge(block{kind: typeMeta},
			column(packed, 1<<16, []byte("\x28\xb5\x2f\xfd\xe0\xff\xff\xff\xff\xff\xff\xff\x7f"))),
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
	data, err := os.ReadFile("testdata/shapes.orr")
	if err != nil {
		f.Fatal(err)
	}
	for _, p := range places(f, data) {
		if p.kind == typeRef {
			f.Add(data[p.at+blockLen:p.end], 700)
		}
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

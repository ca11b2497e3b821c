package drmemtrace

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"orrery/traceio"
	"orrery/traceio/readtest"
)

// entry is struct _trace_entry_t of trace_entry.h; encoding/binary writes it packed.
type entry struct {
	Type, Size uint16
	Addr       uint64
}

type entry32bit struct {
	Type, Size uint16
	Addr       uint32
}

// file is a trace as raw2trace writes it: entries in front, the given ones, a footer.
func file(es ...entry) []byte { return plain(append(append(front(5), es...), entry{26, 0, 0})) }

// front is how version 5 begins: header, then markers of version, file type (x86-64 with encodings), thread, process,
// cache line and page size.
func front(version uint64) []entry {
	return []entry{{25, 0, version}, {28, 12, version}, {28, 9, 0x240}, {22, 8, 4711}, {24, 8, 4711},
		{28, 10, 64}, {28, 18, 4096}}
}

func plain(es []entry) []byte {
	var buf bytes.Buffer
	if err := binary.Write(&buf, binary.LittleEndian, es); err != nil {
		panic(err)
	}
	return buf.Bytes()
}

// twin reads entries in the plainest way: one at a time, with the names of trace_entry.h spelled out.
func twin(data []byte) (rows []traceio.Access, lost map[string]uint64) {
	lost = map[string]uint64{}
	names := map[uint16]string{0: "read", 1: "write", 17: "bundle", 18: "flush", 19: "more", 20: "flush", 21: "more",
		22: "thread", 23: "exit",
		24: "pid", 25: "header", 26: "footer", 27: "prefetch", 28: "marker", 29: "again", 30: "maybe", 47: "encoding"}
	for _, t := range []uint16{10, 11, 12, 13, 14, 15, 16, 31, 48, 49} {
		names[t] = "instr"
	}
	for t := uint16(2); t < 47; t++ {
		if t < 10 || t > 31 {
			names[t] = "prefetch"
		}
	}
	pcs, threads := map[uint64]uint64{}, map[uint64]traceio.Thread{}
	tid, end := uint64(0), uint64(0)
	number := func() traceio.Thread { return threads[tid] }
	count, seen := traceio.Thread(0), traceio.Seq(0)
	add := func(kind traceio.Kind, addr, pc uint64, size int) {
		if size == 0 || addr+uint64(size)-1 < addr {
			lost[map[bool]string{true: "bad-instruction", false: "bad-reference"}[kind == traceio.Fetch]]++
			return
		}
		rows = append(rows, traceio.Access{Seq: seen, Addr: traceio.Addr(addr), PC: traceio.Addr(pc), Size: uint16(size),
			Kind: kind, Thread: number()})
		if kind != traceio.Fetch {
			seen++
		}
	}
	in := bytes.NewReader(data)
	last := entry{}
	for {
		var e entry
		if binary.Read(in, binary.LittleEndian, &e) != nil {
			break
		}
		last = e
		switch names[e.Type] {
		case "read":
			add(traceio.Load, e.Addr, pcs[tid], int(e.Size))
		case "write":
			add(traceio.Store, e.Addr, pcs[tid], int(e.Size))
		case "maybe", "instr", "again":
			if names[e.Type] == "instr" || names[e.Type] == "maybe" && pcs[tid] != e.Addr {
				add(traceio.Fetch, e.Addr, e.Addr, int(e.Size))
			}
			pcs[tid], end = e.Addr, e.Addr+uint64(e.Size)
		case "bundle":
			for i := range min(e.Size, 8) {
				n := byte(e.Addr >> (8 * i))
				pcs[tid] = end
				add(traceio.Fetch, end, end, int(n))
				end += uint64(n)
			}
		case "thread":
			tid = e.Addr
			if _, ok := threads[tid]; !ok {
				threads[tid], pcs[tid] = count, 0
				count++
			}
		case "exit":
			if _, ok := threads[e.Addr]; !ok {
				count++
			}
			// What else the thread did after its end is still told under its number.
			delete(threads, e.Addr)
		case "prefetch":
			lost["prefetch"]++
		case "flush":
			lost["cache-flush"]++
		case "":
			lost["unknown-entry"]++
		}
	}
	if len(data)%12 != 0 {
		lost["cut-record"]++
	} else if last.Type != 26 {
		lost["no-end"]++
	}
	return rows, lost
}

// drain reads everything, with every row's Seq by position.

func agree(t *testing.T, data []byte, in io.Reader) {
	t.Helper()
	r := New(in, "x")
	got := readtest.Drain(t, r).Rows
	want, lost := twin(data)
	if !slices.Equal(got, want) {
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Fatalf("row %d: got %+v, want %+v", i, got[i], want[i])
			}
		}
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	if fmt.Sprint(readtest.Losses(r)) != fmt.Sprint(lost) {
		t.Fatalf("lost %v, want %v", readtest.Losses(r), lost)
	}
}

func TestEntries(t *testing.T) {
	for _, c := range []struct {
		name    string
		entries []entry
		want    string
	}{
		{"reference after its instruction", []entry{{10, 3, 0x401000}, {0, 8, 0x7ffe10}, {1, 4, 0x7ffe20}},
			"I401000,3 L7ffe10,8@401000 S7ffe20,4@401000"},
		{"every kind of instruction", []entry{{11, 2, 1}, {12, 2, 2}, {13, 2, 3}, {14, 2, 4}, {15, 2, 5}, {16, 1, 6},
			{31, 2, 7}, {48, 2, 8}, {49, 2, 9}},
			"I1,2 I2,2 I3,2 I4,2 I5,2 I6,1 I7,2 I8,2 I9,2"},
		{"rep string", []entry{{10, 3, 0x402680}, {0, 8, 16}, {1, 8, 32}, {29, 3, 0x402680}, {0, 8, 24}},
			"I402680,3 L10,8@402680 S20,8@402680 L18,8@402680"},
		{"maybe fetched", []entry{{30, 3, 0x10}, {0, 8, 16}, {30, 3, 0x10}, {0, 8, 24}, {30, 3, 0x13}},
			"I10,3 L10,8@10 L18,8@10 I13,3"},
		{"bundle", []entry{{10, 4, 0x1000}, {17, 3, 0x070201}, {0, 1, 5}}, "I1000,4 I1004,1 I1005,2 I1007,7 L5,1@1007"},
		{"encodings and metadata", []entry{{47, 8, 0x9090909090909090}, {47, 2, 0x9090}, {10, 10, 0x1000}, {28, 3, 1},
			{28, 15, 77}, {0, 1, 5}}, "I1000,10 L5,1@1000"},
		{"threads keep their instruction", []entry{{10, 4, 0x1000}, {22, 8, 99}, {10, 4, 0x2000}, {22, 8, 4711}, {0, 1, 5},
			{22, 8, 99}, {1, 2, 6}},
			"I1000,4 t1:I2000,4 L5,1@1000 t1:S6,2@2000"},
		{"sizes of vector registers", []entry{{10, 6, 0x1000}, {0, 64, 0x40}, {1, 512, 0x80}},
			"I1000,6 L40,64@1000 S80,512@1000"},
	} {
		data := file(c.entries...)
		r := New(bytes.NewReader(data), c.name)
		rows := readtest.Drain(t, r).Rows
		if got := text(rows); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
		if !Sniff(data) || Raw(data) || len(r.Loss()) > 0 {
			t.Errorf("%s: not recognised, or loss %+v", c.name, r.Loss())
		}
		agree(t, data, iotest.OneByteReader(bytes.NewReader(data)))
	}
}

func text(rows []traceio.Access) string {
	var out []string
	for _, a := range rows {
		s := fmt.Sprintf("%c%x,%d", "LSI"[a.Kind], uint64(a.Addr), a.Size)
		if a.Kind != traceio.Fetch {
			s += fmt.Sprintf("@%x", uint64(a.PC))
		}
		if a.Thread > 0 {
			s = fmt.Sprintf("t%d:%s", a.Thread, s)
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

// TestClockAndMarks takes time stamps, threads and windows from the markers.
func TestClockAndMarks(t *testing.T) {
	const start = 13270239527782712 // microseconds since 1601, from a trace of 2021
	data := file(entry{28, 14, 0}, entry{28, 2, start}, entry{28, 3, 0}, entry{10, 4, 0x1000}, entry{0, 8, 64},
		entry{28, 14, 1}, entry{28, 2, start + 250}, entry{22, 8, 5}, entry{10, 4, 0x1004}, entry{0, 8, 64}, entry{23, 8, 5},
		entry{22, 8, 5}, entry{10, 4, 4})
	r := New(bytes.NewReader(data), "x")
	var b traceio.Block
	if err := r.Next(&b); err != nil {
		t.Fatal(err)
	}
	p := r.Program()
	if want := time.Date(2021, 7, 8, 17, 38, 47, 782712000, time.UTC); !p.Started.Equal(want) || !p.Ticking {
		t.Errorf("began %v, ticking %v", p.Started, p.Ticking)
	}
	if b.Start != 0 || b.End != 250_000 {
		t.Errorf("from %d to %d ns", b.Start, b.End)
	}
	got := ""
	for _, m := range b.Marks {
		got += fmt.Sprintf("%d/%d@%d,%d ", m.Kind, m.Thread, m.Seq, m.Ticks)
	}
	if want := "0/0@0,0 3/0@1,0 0/1@1,250000 1/1@2,250000 0/2@2,250000 "; got != want {
		t.Errorf("marks %s\nwant  %s", got, want)
	}
}

func Test32Bit(t *testing.T) {
	var buf bytes.Buffer
	es := []entry32bit{{25, 0, 5}, {28, 12, 5}, {28, 9, 0x220}, {22, 4, 7}, {24, 4, 7}, {10, 2, 0x8048000},
		{0, 4, 0xfffffffc}, {26, 0, 0}}
	if err := binary.Write(&buf, binary.LittleEndian, es); err != nil {
		t.Fatal(err)
	}
	r := New(&buf, "x")
	rows := readtest.Drain(t, r).Rows
	if got := text(rows); got != "I8048000,2 Lfffffffc,4@8048000" || len(r.Loss()) > 0 {
		t.Errorf("%s, loss %+v", got, r.Loss())
	}
}

func TestNoTrace(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"empty", "", "this is no drmemtrace trace"},
		{"text", "I  04001234,3\n L 1fff000688,8\n", "this is no drmemtrace trace"},
		{"header only", string(file()[:12]), "this is no drmemtrace trace"},
		{"nothing in it", string(file()), "this drmemtrace trace holds no reference; trace again"},
	} {
		r := New(strings.NewReader(c.data), c.name)
		var b traceio.Block
		err := r.Next(&b)
		for err == nil {
			err = r.Next(&b)
		}
		if !strings.HasPrefix(err.Error(), c.name+": "+c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	raw := plain([]entry{})
	for _, e := range []uint64{0xc4<<56 | 7<<48 | 0x240, 2<<61 | 4711, 3<<61 | 4711} {
		raw = binary.LittleEndian.AppendUint64(raw, e)
	}
	if Sniff(raw) || !Raw(raw) {
		t.Error("a raw trace is not told")
	}
}

// archive packs a trace as DynamoRIO does, in chunks, with other members between.
func archive(t testing.TB, data []byte, chunk int, method uint16) []byte {
	t.Helper()
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	add := func(name string, data []byte) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	for i := 0; len(data) > 0; i++ {
		n := min(chunk, len(data))
		add(fmt.Sprintf("chunk.%04d", i), data[:n])
		data = data[n:]
		add("notes", []byte("not a chunk"))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestZip(t *testing.T) {
	data := randomTrace(rand.New(rand.NewPCG(3, 3)), 5000)
	packed := archive(t, data, 4096, zip.Deflate)
	if !SniffZip(packed) || Sniff(packed) || !Sniff(data) {
		t.Error("not recognised")
	}
	agree(t, data, newChunks(bytes.NewReader(packed)))
	agree(t, data, newChunks(iotest.OneByteReader(bytes.NewReader(packed))))
	whole := readtest.Drain(t, NewZip(bytes.NewReader(packed), "x")).Rows
	for _, c := range []struct {
		name, kind string
		data       []byte
	}{
		{"cut", "unreadable-tail", packed[:len(packed)/2]},
		{"damaged", "unreadable-tail", func() []byte { d := bytes.Clone(packed); d[len(d)/2] ^= 16; return d }()},
		{"stored in a stream", "unreadable-tail", archive(t, data, 4096, zip.Store)},
	} {
		r := NewZip(bytes.NewReader(c.data), c.name)
		rows := readtest.Drain(t, r).Rows
		if len(rows) >= len(whole) || readtest.Losses(r)[c.kind] != 1 {
			if c.name == "stored in a stream" && len(rows) == 0 {
				continue
			}
			t.Errorf("%s: %d of %d rows, loss %v", c.name, len(rows), len(whole), r.Loss())
		}
	}
}

// TestStoredZip reads members that are stored as they are, with their lengths in front, as zip -0 makes them.
func TestStoredZip(t *testing.T) {
	data := randomTrace(rand.New(rand.NewPCG(4, 3)), 2000)
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	w, err := z.CreateRaw(&zip.FileHeader{Name: "chunk.0000", Method: zip.Store, CRC32: crc32.ChecksumIEEE(data),
		CompressedSize64: uint64(len(data)), UncompressedSize64: uint64(len(data))})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	agree(t, data, newChunks(&buf))
}

// randomTrace makes entries of all types, mostly sensible.
func randomTrace(rnd *rand.Rand, n int) []byte {
	es := front(5)
	for range n {
		e := entry{Type: uint16(rnd.IntN(50)), Size: uint16(1 << rnd.IntN(7)), Addr: rnd.Uint64() >> (16 + rnd.IntN(40))}
		switch rnd.IntN(20) {
		case 0:
			e.Size = uint16(rnd.Uint32())
		case 1:
			e.Addr = rnd.Uint64()
		case 2:
			e.Type = uint16(rnd.IntN(60))
		case 3, 4, 5, 6, 7, 8:
			e.Type = uint16(rnd.IntN(2))
		case 9, 10, 11:
			e.Type = 10
		}
		if e.Type == 22 || e.Type == 23 {
			e = entry{22, 8, uint64(rnd.IntN(5))} // ends have their own test
		}
		es = append(es, e)
	}
	return plain(append(es, entry{26, 0, 0}))
}

func TestAgreesWithTwinOnRandomTraces(t *testing.T) {
	for seed := range uint64(60) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		data := randomTrace(rnd, rnd.IntN(3000))
		if rnd.IntN(3) == 0 {
			data = data[:max(len(data)-rnd.IntN(40), 900)]
		}
		if Sniff(data) {
			agree(t, data, bytes.NewReader(data))
			agree(t, data, iotest.HalfReader(bytes.NewReader(data)))
		}
	}
	agree(t, randomTrace(rand.New(rand.NewPCG(9, 9)), 300000),
		bytes.NewReader(randomTrace(rand.New(rand.NewPCG(9, 9)), 300000)))
}

func FuzzReader(f *testing.F) {
	f.Add(file(entry{10, 3, 0x401000}, entry{0, 8, 0x7ffe10}, entry{17, 3, 0x070201}, entry{23, 8, 4711}))
	// the exit of an unknown thread
	f.Add(file(entry{23, 8, 4711}, entry{22, 8, 4712}, entry{10, 3, 0x401000}, entry{22, 8, 4713}, entry{0, 8, 0x7ffe10}))
	f.Add(randomTrace(rand.New(rand.NewPCG(1, 2)), 100))
	f.Add(archive(f, file(entry{10, 3, 0x401000}, entry{0, 8, 0x7ffe10}), 24, zip.Deflate))
	for _, seed := range readtest.Seeds(f, "*.drmemtrace*") {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if SniffZip(data) {
			readtest.Drain(t, NewZip(bytes.NewReader(data), "x"))
			return
		}
		if width(data) == entry64 && !bytes.Contains(data, []byte{23, 0}) {
			agree(t, data, bytes.NewReader(data))
			return
		}
		readtest.Drain(t, New(bytes.NewReader(data), "x"))
	})
}

func BenchmarkReader(b *testing.B) {
	es := front(5)
	rnd := rand.New(rand.NewPCG(1, 1))
	for i := range 1 << 17 {
		es = append(es, entry{10, 4, 0x401000 + uint64(i%500)*4})
		if rnd.IntN(2) == 0 {
			es = append(es, entry{uint16(rnd.IntN(2)), 8, 0x7f0000000000 + uint64(rnd.IntN(1<<20))*8})
		}
	}
	data := plain(es)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	readtest.Measure(b, func() traceio.Source { return New(bytes.NewReader(data), "x") })
}

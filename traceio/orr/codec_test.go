package orr

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"syscall"
	"testing"
	"time"

	"orrery/traceio"
	"orrery/traceio/lackey"
	"orrery/traceio/readtest"
)

// oracle gives the shipped recording of quicksort as blocks, with or without its fetches.
func oracle(t testing.TB, fetches bool) []*traceio.Block {
	t.Helper()
	r := lackey.New(bytes.NewReader(readtest.Gunzip(t, "../../testdata/oracles/quicksort.lk.gz")), "quicksort.lk")
	var in traceio.Block
	out := []*traceio.Block{{}}
	for {
		err := r.Next(&in)
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		for i := range in.Addr {
			if !fetches && in.Kind[i] == traceio.Fetch {
				continue
			}
			b := out[len(out)-1]
			if b.Len() == traceio.MaxBlock {
				next := &traceio.Block{First: b.First + traceio.Seq(b.Data())}
				out = append(out, next)
				b = next
			}
			b.Append(traceio.Access{Addr: in.Addr[i], PC: in.PC[i], Size: in.Size[i], Kind: in.Kind[i], Thread: in.Thread[i]})
		}
	}
}

func equal(a, b *traceio.Block) bool {
	return a.First == b.First && a.Fetches == b.Fetches && a.Start == b.Start && a.End == b.End &&
		slices.Equal(a.Addr, b.Addr) && slices.Equal(a.PC, b.PC) && slices.Equal(a.Size, b.Size) &&
		slices.Equal(a.Kind, b.Kind) && slices.Equal(a.Thread, b.Thread) &&
		slices.Equal(a.Allocs, b.Allocs) && slices.Equal(a.Marks, b.Marks)
}

func coders(t testing.TB) (*encoder, *decoder) {
	t.Helper()
	c, err := newEncoder()
	if err != nil {
		t.Fatal(err)
	}
	d, err := newDecoder()
	if err != nil {
		t.Fatal(err)
	}
	return c, d
}

// shapes are blocks that each press on another part of the coder.
var shapes = []struct {
	name string
	row  func(i int, rnd *rand.Rand) traceio.Access
}{
	{"one walk", func(i int, _ *rand.Rand) traceio.Access {
		return traceio.Access{PC: 0x401000, Addr: traceio.Addr(0x1000 + 8*i), Size: 8}
	}},
	{"noise", func(_ int, rnd *rand.Rand) traceio.Access {
		return traceio.Access{
			PC: traceio.Addr(rnd.Uint64()), Addr: traceio.Addr(rnd.Uint64()), Size: uint16(rnd.Uint32()),
			Kind: traceio.Kind(rnd.IntN(3)), Thread: traceio.Thread(rnd.Uint32()),
		}
	}},
	{"many threads", func(i int, rnd *rand.Rand) traceio.Access {
		return traceio.Access{
			PC: traceio.Addr(0x401000 + rnd.IntN(20)), Addr: traceio.Addr(rnd.IntN(4096)), Size: 4,
			Kind: traceio.Kind(rnd.IntN(2)), Thread: traceio.Thread(i / 3 % 50),
		}
	}},
	{"two followers", func(i int, rnd *rand.Rand) traceio.Access {
		return traceio.Access{PC: traceio.Addr(0x401000 + i%2*(1+rnd.IntN(2))), Addr: traceio.Addr(i % 7 * 64), Size: 1}
	}},
	{"no PC", func(i int, rnd *rand.Rand) traceio.Access {
		return traceio.Access{Addr: traceio.Addr(0x7fff0000 + rnd.IntN(64)*8), Size: 8, Kind: traceio.Kind(i % 2)}
	}},
	{"fetches only", func(i int, _ *rand.Rand) traceio.Access {
		pc := traceio.Addr(0x401000 + i%99*4)
		return traceio.Access{PC: pc, Addr: pc, Size: 4, Kind: traceio.Fetch}
	}},
	{"fetch elsewhere", func(i int, _ *rand.Rand) traceio.Access {
		return traceio.Access{PC: 1, Addr: traceio.Addr(i), Size: 4, Kind: traceio.Fetch}
	}},
	{"list walk", func(i int, _ *rand.Rand) traceio.Access {
		return traceio.Access{PC: 0x401000, Addr: traceio.Addr(uint64(i%1000) * 0x9e3779b97f4a7c15 >> 20), Size: 8}
	}},
	{"edges", func(i int, _ *rand.Rand) traceio.Access {
		return traceio.Access{PC: ^traceio.Addr(0), Addr: -traceio.Addr(i % 3), Size: 65535,
			Kind: traceio.Store, Thread: 65535}
	}},
}

func TestEveryBlockComesBack(t *testing.T) {
	c, d := coders(t)
	for _, shape := range shapes {
		for _, n := range []int{0, 1, 2, 31, 1000, traceio.MaxBlock} {
			rnd := rand.New(rand.NewPCG(1, uint64(n)))
			var b, got traceio.Block
			for i := range n {
				b.Append(shape.row(i, rnd))
			}
			payload, sum := c.encode(nil, &b)
			if err := d.decode(&got, payload, n); err != nil {
				t.Fatalf("%s, %d rows: %v", shape.name, n, err)
			}
			if !equal(&got, &b) {
				t.Fatalf("%s, %d rows: differ", shape.name, n)
			}
			if want := slowSummary(&b); !close(sum, want) || readSummary(payload) != sum {
				t.Errorf("%s, %d rows: summary %+v, want %+v", shape.name, n, sum, want)
			}
			if n == traceio.MaxBlock {
				t.Logf("%-16s %.4f bytes a reference", shape.name, float64(len(payload))/float64(n))
			}
		}
	}
}

// TestNoiseIsStoredRaw finds rows that nothing predicts as short as they stand in memory, and their instructions
// without decoding.
func TestNoiseIsStoredRaw(t *testing.T) {
	c, d := coders(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	var b traceio.Block
	for i := range 4000 {
		b.Append(shapes[1].row(i, rnd))
	}
	payload, _ := c.encode(nil, &b)
	if got, want := len(payload), summaryLen+b.Len()*rawRow; formOf(payload) != formRaw || got != want {
		t.Fatalf("form %d of %d bytes, want %d of %d", formOf(payload), got, formRaw, want)
	}
	pcs, err := d.decodePCs(payload, b.Len())
	if err != nil || !slices.Equal(pcs, b.PC) {
		t.Fatalf("%d instructions, %v; want those of all %d rows", len(pcs), err, b.Len())
	}
	payload[len(payload)-1] = byte(traceio.Fetch) + 1
	for _, bad := range [][]byte{payload, payload[:len(payload)-1], payload[:summaryLen]} {
		if err := d.decode(&traceio.Block{}, bad, b.Len()); err == nil {
			t.Errorf("%d bytes are decoded", len(bad))
		}
	}
}

// slowSummary counts with maps.
func slowSummary(b *traceio.Block) Summary {
	s := Summary{Low: ^traceio.Addr(0)}
	lines := map[traceio.Addr]bool{}
	sites := map[site]bool{}
	for i, a := range b.Addr {
		k := site{uint64(b.PC[i]), uint32(b.Size[i])<<2 | uint32(b.Kind[i])}
		if b.Kind[i] == traceio.Fetch && a == b.PC[i] {
			k.code |= selfFetch
		}
		sites[k] = true
		s.LastThread = max(s.LastThread, b.Thread[i])
		switch b.Kind[i] {
		case traceio.Fetch:
			s.Fetches++
			continue
		case traceio.Load:
			s.Loads++
		case traceio.Store:
			s.Stores++
		}
		s.Low, s.High = min(s.Low, a), max(s.High, a)
		lines[a>>6] = true
	}
	s.Sites, s.Lines = uint32(len(sites)), uint32(len(lines))
	return s
}

// close compares summaries, allowing the estimate of lines 3 % and a little.
func close(got, want Summary) bool {
	off := float64(got.Lines) - float64(want.Lines)
	if off < 0 {
		off = -off
	}
	if off > 3+0.03*float64(want.Lines) {
		return false
	}
	got.Lines = want.Lines
	return got == want
}

func TestRealReferencesStayBelowOneByte(t *testing.T) {
	for _, fetches := range []bool{true, false} {
		c, d := coders(t)
		bytes, rows := 0, 0
		for _, b := range oracle(t, fetches) {
			payload, _ := c.encode(nil, b)
			bytes += blockLen + len(payload)
			rows += b.Len()
			var got traceio.Block
			if err := d.decode(&got, payload, b.Len()); err != nil {
				t.Fatal(err)
			}
			got.First = b.First
			if !equal(&got, b) {
				t.Fatal("differ")
			}
		}
		per := float64(bytes) / float64(rows)
		t.Logf("quicksort, fetches %v: %d references, %.4f bytes each", fetches, rows, per)
		if per >= 1 {
			t.Errorf("%.4f bytes a reference", per)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	for name, blocks := range benchBlocks(b) {
		b.Run(name, func(b *testing.B) {
			c, _ := coders(b)
			var buf []byte
			rows, i := 0, 0
			b.ReportAllocs()
			bytes, start := 0, cpu()
			for b.Loop() {
				blk := blocks[i%len(blocks)]
				buf, _ = c.encode(buf[:0], blk)
				bytes, rows = bytes+len(buf), rows+blk.Len()
				i++
			}
			b.ReportMetric(float64((cpu()-start).Nanoseconds())/float64(rows), "cpu-ns/ref")
			b.ReportMetric(float64(bytes)/float64(rows), "bytes/ref")
		})
	}
}

// BenchmarkAdd encodes rows as the recorder takes them from its ring.
func BenchmarkAdd(b *testing.B) {
	for name, blocks := range benchBlocks(b) {
		var all [][]Row
		for _, blk := range blocks {
			var rows []Row
			for i, a := range blk.Addr {
				if blk.Kind[i] != traceio.Fetch {
					rows = append(rows, Row{uint64(a) << AddressShift, dataKey(blk.PC[i], blk.Size[i], blk.Kind[i]) | 1})
				}
			}
			all = append(all, rows)
		}
		b.Run(name, func(b *testing.B) {
			k, err := NewPacker()
			if err != nil {
				b.Fatal(err)
			}
			var packed Packed
			n, start := 0, cpu()
			for i := 0; b.Loop(); i++ {
				rows := all[i%len(all)]
				for at := 0; at < len(rows); at += 4000 {
					if err := k.Add(rows[at:min(at+4000, len(rows))], 1); err != nil {
						b.Fatal(err)
					}
				}
				if err := k.PackAdded(&traceio.Block{}, &packed); err != nil {
					b.Fatal(err)
				}
				n += len(rows)
			}
			b.ReportMetric(float64((cpu()-start).Nanoseconds())/float64(n), "cpu-ns/ref")
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	for name, blocks := range benchBlocks(b) {
		b.Run(name, func(b *testing.B) {
			c, d := coders(b)
			var packed [][]byte
			for _, blk := range blocks {
				p, _ := c.encode(nil, blk)
				packed = append(packed, p)
			}
			var out traceio.Block
			rows, i := 0, 0
			b.ReportAllocs()
			start := cpu()
			for b.Loop() {
				k := i % len(blocks)
				if err := d.decode(&out, packed[k], blocks[k].Len()); err != nil {
					b.Fatal(err)
				}
				rows += out.Len()
				i++
			}
			b.ReportMetric(float64((cpu()-start).Nanoseconds())/float64(rows), "cpu-ns/ref")
		})
	}
}

// cpu is the processor time of the process so far: what a figure should rest on where others share the machine.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func benchBlocks(b *testing.B) map[string][]*traceio.Block {
	noise := &traceio.Block{}
	rnd := rand.New(rand.NewPCG(1, 1))
	for i := range traceio.MaxBlock {
		noise.Append(shapes[1].row(i, rnd))
	}
	return map[string][]*traceio.Block{
		"quicksort": oracle(b, true), "quicksort-data": oracle(b, false), "noise": {noise},
		"lua": shipped(b, "lua-queens"), "containers": shipped(b, "containers"), "merge": shipped(b, "sort-merge"),
	}
}

// shipped gives the blocks of a shipped recording.
func shipped(b *testing.B, name string) []*traceio.Block {
	b.Helper()
	data, err := os.ReadFile("../../testdata/recordings/" + name + ".orr")
	if err != nil {
		b.Fatal(err)
	}
	f, err := open(data)
	if err != nil {
		b.Fatal(err)
	}
	return readAll(b, f)
}

package orr

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/klauspost/compress/huff0"

	"orrery/traceio"
)

func TestKey(t *testing.T) {
	for _, pc := range []traceio.Addr{0, 0x401000, 1<<47 - 1, ^traceio.Addr(0), 0xffff800000000000} {
		for size := range uint16(4095) {
			for _, kind := range []traceio.Kind{traceio.Load, traceio.Store} {
				k := dataKey(pc, size, kind)
				if k.PC() != pc || k.Size() != size || k.Kind() != kind || k&1 != 0 {
					t.Fatalf("key %x of %v, %d, %v tells %v, %d, %v", uint64(k), pc, size, kind, k.PC(), k.Size(), k.Kind())
				}
				if again := k.Sized(size ^ 8); again != dataKey(pc, size^8, kind) {
					t.Fatalf("key %x with size %d is %x", uint64(k), size^8, uint64(again))
				}
			}
		}
	}
}

// TestAdded: rows that are added in pieces of any length make the same block as all of them at once.
func TestAdded(t *testing.T) {
	k, err := NewPacker()
	if err != nil {
		t.Fatal(err)
	}
	for _, shape := range []int{0, 2, 3, 7} {
		rnd := rand.New(rand.NewPCG(4, uint64(shape)))
		whole := &traceio.Block{First: 77, Start: 5, End: 9, Marks: []traceio.Mark{{Seq: 80, Text: "here"}}}
		for i := range 9000 {
			whole.Append(shapes[shape].row(i, rnd))
		}
		var want, got Packed
		if err := k.Pack(whole, &want); err != nil {
			t.Fatal(err)
		}
		for from := 0; from < whole.Len(); {
			to := min(from+1+rnd.IntN(3000), whole.Len())
			thread, tag := whole.Thread[from], SiteKey(rnd.IntN(2))
			var rows []Row
			for i := from; i < to && whole.Thread[i] == thread; i++ {
				key := dataKey(whole.PC[i], whole.Size[i], whole.Kind[i])
				rows = append(rows, Row{uint64(whole.Addr[i])<<16 | uint64(thread), key | tag})
				if r := rows[len(rows)-1]; r.Addr() != whole.Addr[i] || r.Thread() != thread {
					t.Fatalf("row %+v is not at %#x", r, whole.Addr[i])
				}
			}
			to = from + len(rows)
			if err := k.Add(rows, tag); err != nil {
				t.Fatal(err)
			}
			from = to
		}
		empty := &traceio.Block{First: whole.First, Start: whole.Start, End: whole.End, Marks: whole.Marks}
		if err := k.PackAdded(empty, &got); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want.Bytes()) || got.Data() != want.Data() {
			t.Errorf("%s: the block differs", shapes[shape].name)
		}
	}
	rows := make([]Row, traceio.MaxBlock)
	if k.Add(rows, 0) != nil || k.Add(nil, 0) != nil || k.Add(rows[:1], 0) == nil {
		t.Error("a block too long was taken")
	}
}

// TestMixedColumns: whichever way a column is stored, it comes back.
func TestMixedColumns(t *testing.T) {
	c, d := coders(t)
	rnd := rand.New(rand.NewPCG(5, 5))
	methods := map[byte]bool{}
	for name, next := range map[string]func(i int) byte{
		"noise": func(int) byte { return byte(rnd.Uint32()) },
		"few":   func(int) byte { return byte(rnd.IntN(2) * rnd.IntN(9)) },
		"waves": func(i int) byte { return byte(i % 100) },
		"one":   func(int) byte { return 7 },
	} {
		for _, n := range []int{0, 1, 100, codedMin, mixedMin, 50000, 300000} {
			col := make([]byte, n)
			for i := range col {
				col[i] = next(i)
			}
			for _, stored := range [][]byte{c.appendMixed(nil, col), c.appendCodes(nil, col)} {
				methods[stored[0]] = true
				var keep []byte
				got, rest, err := readColumn(append(stored, 1, 2), &keep, d.zstd, &d.huff, n)
				if err != nil || len(rest) != 2 || !bytes.Equal(got, col) {
					t.Errorf("%s, %d bytes: %v", name, n, err)
				}
				if _, _, err := readColumn(stored, &keep, d.zstd, &d.huff, n-1); err == nil && n > 0 {
					t.Errorf("%s: more than the most was taken", name)
				}
			}
		}
	}
	if len(methods) != 4 {
		t.Errorf("methods %v were tried", methods)
	}
}

// TestEntropyIsThatOfTheBytes finds it within two bytes in a hundred of what floating point finds.
func TestEntropyIsThatOfTheBytes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for k := range 300 {
		col := make([]byte, 1+rnd.IntN(5000))
		times := [256]float64{}
		for i := range col {
			col[i] = byte(rnd.IntN(1 + rnd.IntN(1+k%256)))
			times[col[i]]++
		}
		want := 0.0
		for _, n := range times {
			if n > 0 {
				want += n * math.Log2(float64(len(col))/n) / 8
			}
		}
		if got := float64(entropy(col)); math.Abs(got-want) > 1+0.02*want {
			t.Errorf("%d bytes: %v, want %.1f", len(col), got, want)
		}
	}
}

// TestHuffmanColumns: Huffman codes are read where they may be, and nowhere else.
func TestHuffmanColumns(t *testing.T) {
	_, d := coders(t)
	rnd := rand.New(rand.NewPCG(5, 5))
	col := make([]byte, 50000)
	for i := range col {
		col[i] = byte(rnd.IntN(2) * rnd.IntN(9))
	}
	body, _, err := huff0.Compress4X(col, &huff0.Scratch{Reuse: huff0.ReusePolicyNone})
	if err != nil {
		t.Fatal(err)
	}
	stored := binary.AppendUvarint([]byte{huffman}, uint64(len(col)))
	stored = append(binary.AppendUvarint(stored, uint64(len(body))), body...)
	var keep []byte
	if got, rest, err := readColumn(stored, &keep, d.zstd, &d.huff, len(col)); err != nil || len(rest) > 0 ||
		!bytes.Equal(got, col) {
		t.Errorf("%d bytes, %d are left: %v", len(got), len(rest), err)
	}
	if _, _, err := readColumn(stored, &keep, d.zstd, nil, len(col)); err == nil {
		t.Error("they were taken where there are none")
	}
}

func TestNibbles(t *testing.T) {
	for n := range 40 {
		src := make([]byte, n+7)
		for i := range src {
			src[i] = byte(i * 7 % 16)
		}
		want := slices.Clone(src[:n])
		packed := appendNibbles([]byte{1, 2, 3}, src, n)
		got := nibbles(nil, packed[3:])
		if len(packed) != 3+(n+1)/2 || !bytes.Equal(got[:n], want) || len(got) > n && (len(got) > n+1 || got[n] != 0) {
			t.Errorf("%d: %v became %v", n, want, got)
		}
	}
}

// dataKey is the key of a load or store at a PC of 48 signed bits, of less than 4095 bytes.
func dataKey(pc traceio.Addr, size uint16, kind traceio.Kind) SiteKey {
	return (SiteKey(pc)<<PCShift | SiteKey(kind+1)<<KindShift).Sized(size)
}

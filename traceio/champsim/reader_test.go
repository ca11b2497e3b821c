package champsim

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"orrery/traceio"
	"orrery/traceio/readtest"
)

// The records of ChampSim's trace_instruction.h, with the padding that a C compiler puts in; encoding/binary adds none.
type (
	record64 struct {
		IP            uint64
		Branch, Taken uint8
		DstReg        [2]uint8
		SrcReg        [4]uint8
		DstMem        [2]uint64
		SrcMem        [4]uint64
	}
	record72 struct {
		Old      record64
		LoadType uint8
		_        [7]byte
	}
	record96 struct {
		IP            uint64
		Branch, Taken uint8
		DstReg        [4]uint8
		SrcReg        [4]uint8
		_             [6]byte
		DstMem        [4]uint64
		SrcMem        [4]uint64
		ASID          [2]uint8
		LoadType      uint8
		_             [5]byte
	}
)

// step is one instruction of a test program, in no layout.
type step struct {
	ip            uint64
	branch, taken bool
	reads, writes []uint64
}

func bit(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// write lays a program out in records of the given size.
func write(size int, prog []step) []byte {
	var buf bytes.Buffer
	for i, s := range prog {
		r := record64{IP: s.ip, Branch: bit(s.branch), Taken: bit(s.taken), DstReg: [2]uint8{3}, SrcReg: [4]uint8{6, 25}}
		copy(r.DstMem[:], s.writes)
		copy(r.SrcMem[:], s.reads)
		var v any = r
		switch size {
		case 72:
			v = record72{Old: r, LoadType: uint8(i % 4)}
		case 96:
			w := record96{IP: s.ip, Branch: bit(s.branch), Taken: bit(s.taken), ASID: [2]uint8{1, 2}, LoadType: uint8(i % 4)}
			copy(w.DstMem[:], s.writes)
			copy(w.SrcMem[:], s.reads)
			v = w
		}
		if err := binary.Write(&buf, binary.LittleEndian, v); err != nil {
			panic(err)
		}
	}
	return buf.Bytes()
}

// want is what a program's references are, by the rules of the package comment.
func want(prog []step) (rows []traceio.Access) {
	seq := traceio.Seq(0)
	for i, s := range prog {
		length := uint64(1)
		if i+1 < len(prog) && !s.taken && prog[i+1].ip > s.ip && prog[i+1].ip-s.ip < 16 {
			length = prog[i+1].ip - s.ip
		}
		pc := traceio.Addr(s.ip)
		rows = append(rows, traceio.Access{Seq: seq, Addr: pc, PC: pc, Size: uint16(length), Kind: traceio.Fetch})
		for k, list := range [][]uint64{s.reads, s.writes} {
			for _, a := range list {
				n := uint16(8)
				for a%uint64(n) != 0 {
					n /= 2
				}
				rows = append(rows, traceio.Access{Seq: seq, Addr: traceio.Addr(a), PC: pc, Size: n, Kind: traceio.Kind(k)})
				seq++
			}
		}
	}
	return rows
}

// walk makes a program that runs in loops and calls, with loads and stores.
func walk(rnd *rand.Rand, n int) []step {
	ip := uint64(0x401000)
	var prog []step
	for range n {
		s := step{ip: ip}
		for range rnd.IntN(3) * rnd.IntN(2) {
			s.reads = append(s.reads, 0x7fff00000000+uint64(rnd.IntN(1<<20)))
		}
		if rnd.IntN(5) == 0 {
			s.writes = append(s.writes, 0x601000+uint64(rnd.IntN(1<<16)))
		}
		if s.branch = rnd.IntN(6) == 0; s.branch && rnd.IntN(2) == 0 {
			s.taken, ip = true, 0x401000+uint64(rnd.IntN(1<<16))
		} else {
			ip += uint64(1 + rnd.IntN(15))
		}
		if prog = append(prog, s); rnd.IntN(20) == 0 {
			prog = append(prog, s) // a rep string instruction
		}
	}
	return prog
}

func TestLayouts(t *testing.T) {
	for _, size := range []int{64, 72, 96} {
		for seed := range uint64(25) {
			rnd := rand.New(rand.NewPCG(seed, uint64(size)))
			prog := walk(rnd, 8+rnd.IntN(2000))
			data := write(size, prog)
			if !Sniff(data[:min(len(data), traceio.HeadLen)]) {
				t.Fatalf("%d bytes, seed %d: not recognised", size, seed)
			}
			for _, in := range []io.Reader{bytes.NewReader(data), iotest.HalfReader(bytes.NewReader(data))} {
				r := New(in, "x")
				if got := readtest.Drain(t, r).Rows; !slices.Equal(got, want(prog)) {
					t.Fatalf("%d bytes, seed %d: %d rows, want %d; %s", size, seed, len(got), len(want(prog)), r.prog.Notes)
				}
				if len(r.Loss()) > 0 {
					t.Fatalf("%d bytes: loss %+v", size, r.Loss())
				}
			}
		}
	}
}

// TestLongTrace crosses the ends of buffers and blocks.
func TestLongTrace(t *testing.T) {
	prog := walk(rand.New(rand.NewPCG(5, 5)), 100000)
	if got := readtest.Drain(t, New(bytes.NewReader(write(64, prog)), "x")).Rows; !slices.Equal(got, want(prog)) {
		t.Errorf("%d rows, want %d", len(got), len(want(prog)))
	}
}

// TestNoTrace gives the detector what it must not take.
func TestNoTrace(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 2))
	noise := make([]byte, 1<<16)
	for i := range noise {
		noise[i] = byte(rnd.Uint32())
	}
	var pointers, counts []byte
	for i := range uint64(4000) {
		pointers = binary.LittleEndian.AppendUint64(pointers, 0x7f0000000000+uint64(rnd.IntN(1<<20)))
		counts = binary.LittleEndian.AppendUint64(counts, i)
	}
	for name, data := range map[string][]byte{
		"empty": nil, "zeros": make([]byte, 4096), "noise": noise, "pointers": pointers,
		"one record": write(64, walk(rnd, 1))[:64],
		"text":       []byte(strings.Repeat(" L 1fff000688,8\n", 500)), "counts": counts[8:],
	} {
		if Sniff(data) {
			t.Errorf("%s is called a ChampSim trace", name)
		}
	}
	var b traceio.Block
	err := New(bytes.NewReader(noise), "noise").Next(&b)
	if err == nil || !strings.HasPrefix(err.Error(), "noise: this is no ChampSim trace: ") {
		t.Errorf("noise: %v", err)
	}
}

func TestDamage(t *testing.T) {
	prog := walk(rand.New(rand.NewPCG(6, 6)), 2000)
	data := write(64, prog)
	for _, c := range []struct {
		name, kind string
		data       io.Reader
		rows       int
	}{
		{"cut", "cut-record", bytes.NewReader(data[:len(data)-10]), len(want(prog[:len(prog)-1]))},
		{"unreadable", "unreadable-tail", io.MultiReader(bytes.NewReader(data), iotest.ErrReader(errors.New("bad disk"))),
			len(want(prog))},
		{"taken and no branch", "bad-record", bytes.NewReader(slices.Concat(data[:1800*64+8], []byte{0, 1},
			data[1800*64+10:])), len(want(slices.Concat(prog[:1800], prog[1801:])))},
		{"damaged", "bad-record", bytes.NewReader(slices.Concat(data[:1800*64+8], []byte{7}, data[1800*64+9:])),
			len(want(slices.Concat(prog[:1800], prog[1801:])))},
	} {
		r := New(c.data, c.name)
		got := readtest.Drain(t, r).Rows
		if len(got) != c.rows || len(r.Loss()) != 1 || r.Loss()[0].Kind != c.kind {
			t.Errorf("%s: %d rows, want %d, loss %+v", c.name, len(got), c.rows, r.Loss())
		}
	}
}

func FuzzReader(f *testing.F) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for _, size := range []int{64, 72, 96} {
		f.Add(write(size, walk(rnd, 5)))
	}
	for _, seed := range readtest.Seeds(f, "*.champsim") {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := New(bytes.NewReader(data), "x")
		rows := readtest.Drain(t, r).Rows
		if Sniff(data) != (len(rows) > 0 && len(data) >= 2*r.l.size) {
			t.Fatalf("sniffed %v, %d rows", Sniff(data), len(rows))
		}
	})
}

func BenchmarkReader(b *testing.B) {
	data := write(64, walk(rand.New(rand.NewPCG(1, 1)), 1<<16))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	readtest.Measure(b, func() traceio.Source { return New(bytes.NewReader(data), "x") })
}

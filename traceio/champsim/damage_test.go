package champsim

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orrery/traceio"
	"orrery/traceio/readtest"
)

// TestDamagedPieces overwrites pieces of a trace: what they do not touch is read, and they are told with their place.
func TestDamagedPieces(t *testing.T) {
	const records = 1000
	for _, size := range []int{64, 72, 96} {
		for seed := range uint64(20) {
			rnd := rand.New(rand.NewPCG(seed, uint64(size)))
			prog := walk(rnd, records)[:records]
			for _, fill := range []byte{0, 0xff} {
				data := write(size, prog)
				at, n := rnd.IntN(len(data)-4096), []int{1, 200, 4096}[seed%3]
				if n == 1 {
					at = at/size*size + 8 // the flag of a branch
					fill = 0xff
				}
				for i := range n {
					data[at+i] = fill
				}
				if !Sniff(data[:min(len(data), traceio.HeadLen)]) {
					t.Fatalf("%d bytes a record, seed %d: %d bytes of %#x at %d make it no trace", size, seed, n, fill, at)
				}
				r := New(bytes.NewReader(data), "x")
				rows := readtest.Drain(t, r).Rows
				first, last := at/size, (at+n-1)/size
				whole := len(want(prog[:first])) + len(want(prog[last+1:]))
				inside := len(want(prog[first : last+1]))
				// a record is damaged at each end at most in parts that may be anything
				if len(rows) < whole || len(rows) > whole+inside+8*2 {
					t.Fatalf("%d bytes a record, seed %d: %d rows of %d outside of the damage and %d in it", size, seed,
						len(rows), whole, inside)
				}
				l := r.Loss()
				if len(l) != 1 || l[0].Kind != "bad-record" || l[0].Count > uint64(last-first+1) || int(l[0].Count) < last-first-1 {
					t.Fatalf("%d bytes a record, seed %d: loss %+v of records %d to %d", size, seed, l, first, last)
				}
				if a, b := fmt.Sprintf("byte %d", first*size), fmt.Sprintf("byte %d", (first+1)*size); l[0].First !=
					a && l[0].First != b {
					t.Fatalf("%d bytes a record, seed %d: the first loss at %s, want %s or %s", size, seed, l[0].First, a, b)
				}
			}
		}
	}
}

// TestMuchDamage: what is mostly something else is no trace.
func TestMuchDamage(t *testing.T) {
	prog := walk(rand.New(rand.NewPCG(1, 1)), 600)
	for _, c := range []struct {
		records int
		want    bool
	}{{512/damaged - 5, true}, {512/damaged + 5, false}} {
		data := write(64, prog)
		clear(data[64*100 : 64*(100+c.records)])
		if got := Sniff(data); got != c.want {
			t.Errorf("%d of 512 records cleared: %v", c.records, got)
		}
	}
}

// TestNoise gives the detector random files of many kinds.
func TestNoise(t *testing.T) {
	le := binary.LittleEndian
	for kind, number := range map[string]func(rnd *rand.Rand, i int) uint64{
		"bytes": func(rnd *rand.Rand, _ int) uint64 { return rnd.Uint64() },
		"sparse bytes": func(rnd *rand.Rand, _ int) uint64 {
			return rnd.Uint64() & rnd.Uint64() & rnd.Uint64() & rnd.Uint64()
		},
		"bits":              func(rnd *rand.Rand, _ int) uint64 { return rnd.Uint64() & 0x0000000100000001 },
		"small bytes":       func(rnd *rand.Rand, _ int) uint64 { return rnd.Uint64() & 0x0101010101010101 },
		"small numbers":     func(rnd *rand.Rand, _ int) uint64 { return uint64(rnd.IntN(100)) },
		"large numbers":     func(rnd *rand.Rand, _ int) uint64 { return uint64(rnd.IntN(1 << 20)) },
		"counts":            func(_ *rand.Rand, i int) uint64 { return uint64(i) },
		"far counts":        func(_ *rand.Rand, i int) uint64 { return 1<<20 + uint64(i) },
		"counts of 32 bits": func(_ *rand.Rand, i int) uint64 { return uint64(2*i) | uint64(2*i+1)<<32 },
		"numbers of 32 bits": func(rnd *rand.Rand, _ int) uint64 {
			return uint64(rnd.IntN(1<<14)) | uint64(rnd.IntN(1<<14))<<32
		},
		"pointers": func(rnd *rand.Rand, _ int) uint64 { return 0x7f0000000000 + 8*uint64(rnd.IntN(1<<20)) },
		"pointers and nil": func(rnd *rand.Rand, _ int) uint64 {
			return (0x7f0000000000 + 16*uint64(rnd.IntN(1<<20))) * uint64(rnd.IntN(2))
		},
		"zeros, and few not": func(rnd *rand.Rand, _ int) uint64 { return rnd.Uint64() & -uint64(rnd.IntN(20)/19) },
		"letters": func(rnd *rand.Rand, _ int) uint64 {
			return 0x6161616161616161 + rnd.Uint64()&0x0f0f0f0f0f0f0f0f
		},
	} {
		for seed := range uint64(50) {
			rnd := rand.New(rand.NewPCG(seed, 3))
			var data []byte
			for i := range 16 + rnd.IntN(traceio.HeadLen/8) {
				data = le.AppendUint64(data, number(rnd, i))
			}
			if Sniff(data[:min(len(data), traceio.HeadLen)]) {
				t.Errorf("%s, seed %d: %d bytes are called a trace", kind, seed, len(data))
			}
		}
	}
}

// TestOtherFiles gives the detector every file of the repository that is no trace of ChampSim's, and its own
// executable.
func TestOtherFiles(t *testing.T) {
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	look := func(path string) error {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		whole := make([]byte, 2*traceio.HeadLen)
		n, _ := f.Read(whole)
		for _, skip := range []int{0, 5, 64} { // in the middle of things too
			if head := whole[min(skip, n):n]; Sniff(head[:min(len(head), traceio.HeadLen)]) {
				t.Errorf("%s from byte %d is called a trace", path, skip)
			}
		}
		seen++
		return nil
	}
	for _, root := range []string{"../../testdata", "..", "../../assets"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || strings.Contains(path, "champsim") {
				return err
			}
			return look(path)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := look(own); err != nil {
		t.Fatal(err)
	}
	if seen < 300 {
		t.Errorf("only %d files were looked at", seen)
	}
}
